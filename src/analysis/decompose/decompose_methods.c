/* Only the method by statistics has parameters, and only the others know a state to start from. */
#include "analysis/decompose/decompose_methods.h"

#include <string.h>

#include "analysis/decompose/by_rules/rules_method.h"

Decomposition *decompose_by_method(Game *game, const char *method, const DecomposeOptions *options,
                                   const StatsParameters *parameters) {
    if (method && strcmp(method, "rules") == 0)
        return rules_decompose(game, options->has_long_forms ? DNF_LONG : DNF_SHORT,
                               options->deadline.at > 0 ? options->deadline : deadline_never());
    if (!method || strcmp(method, "stats") != 0)
        return decompose(game, options);
    StatsParameters p = stats_defaults();
    p.psi = parameters->psi ? parameters->psi : p.psi;
    p.theta = parameters->theta ? parameters->theta : p.theta;
    p.phi = parameters->phi > 0 ? parameters->phi : p.phi;
    p.omega = parameters->omega > 0 ? parameters->omega : p.omega;
    return stats_decompose(game, options, &p);
}
