/* marelle ground, marelle circuit: the size of a game after its variables are replaced, and as
 * gates. Both start from the rules, not from a Game, which may free large ground rules. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "circuit/circuit_export.h"
#include "circuit/measure.h"
#include "cli/games.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "gdl/write.h"
#include "server/json/rules_json.h"

static const size_t default_bytes = (size_t)4 << 30;

/* The rules and the stages built from them; NULL if building failed. */
typedef struct {
    Rules *rules;
    Grounding *grounding;
    Circuit *circuit;
    Report report;
    int status;
} Built;

/* Distinguishes an exhausted budget from rules that cannot be evaluated. */
static int status_of_failure(const Report *report) {
    for (size_t i = 0; i < report->items.count; i++)
        if (strcmp(report->items.items[i].code, "budget") == 0)
            return STATUS_EXHAUSTED;
    return STATUS_USAGE;
}

static void build(const Command *command, bool with_circuit, Built *b) {
    enum { DEFAULT_SECONDS = 60 };
    double seconds = command->common.seconds;
    GroundBudget budget = {.seconds = seconds > 0 ? seconds : DEFAULT_SECONDS,
                           .until = command->end,
                           .bytes = memory_share(default_bytes, 0.5),
                           .stopped = interrupt_flag()};
    CircuitOptions options = {.factors = true,
                              .finds_constants = true,
                              .until = command->end,
                              .stopped = interrupt_flag()};
    Ticker *ticker = ticker_start(!command->common.quiet, "grounding", command->end);
    *b = (Built){0};
    b->rules = game_read(command->arguments[0], &b->report);
    if (b->rules)
        b->grounding = ground_rules(b->rules, &budget, &b->report);
    if (b->grounding && with_circuit)
        b->circuit = circuit_build(b->grounding, &options, &b->report);
    ticker_stop(ticker);
    if (b->grounding && (b->circuit || !with_circuit))
        return;
    print_failure(&b->report);
    b->status = status_of_failure(&b->report);
}

static void built_free(Built *b) {
    circuit_free(b->circuit);
    grounding_free(b->grounding);
    rules_free(b->rules);
    report_free(&b->report);
}

static void print_sizes(const Grounding *g) {
    printf("fluents      %zu\nmoves        %zu", g->fluents.count, g->moves.count);
    for (uint32_t r = 0; r < g->roles.count; r++) {
        Text role = {0};
        write_term_lower(&role, grounding_terms(g), g->roles.items[r]);
        printf("%s%zu %s", r ? ", " : " (", ground_moves_of_role(g, r), role.items);
        vector_free(&role);
    }
    printf("%s\nrules        %zu over %zu atoms, %zu literals\n", g->roles.count ? ")" : "",
           g->rules.count, g->atom_relations.count, g->literals.count);
}

static int run_ground(const Command *command) {
    Built b;
    build(command, false, &b);
    if (b.grounding && command->common.json) {
        print_json_about(command->arguments[0],
                         object_add(ground_json(b.grounding), "cpu_seconds",
                                    json_real(b.grounding->cpu_seconds), "peak_mb",
                                    json_real(clock_peak_memory_mb())));
    } else if (b.grounding) {
        print_sizes(b.grounding);
        printf("cost         %.3f CPU seconds, %.1f MB\n", b.grounding->cpu_seconds,
               clock_peak_memory_mb());
    }
    built_free(&b);
    return b.status;
}

const Verb verb_ground = {
    .name = "ground",
    .arguments = "GAME",
    .summary = "count the ground rules of a game",
    .description =
        "Replaces the variables of the rules and counts what comes out: fluents, moves of\n"
        "each role, rules. --time is the budget in CPU seconds (default 60), 4 GB that of\n"
        "memory; exit status 3 if either is spent.",
    .example = "ground connect_four --json",
    .unused = "seed threads playouts verbose kernel",
    .takes = {1, 1},
    .run = run_ground,
};

typedef struct {
    const char *aiger, *dot;
} VerbOptions;

static const Option options[] = {
    {"aiger", 0, OPTION_TEXT, "FILE", OWN(aiger),
     "write the circuit in AIGER format: fluents are latches, moves inputs"},
    {"dot", 0, OPTION_TEXT, "FILE", OWN(dot), "write it as a drawing for graphviz"},
};

static void print_circuit(const Command *command, const Built *b) {
    const Circuit *c = b->circuit;
    CircuitMeasures m = circuit_measure(c, interrupt_flag());
    double seconds = b->grounding->cpu_seconds + c->cpu_seconds;
    if (!command->common.json) {
        print_sizes(b->grounding);
        printf("constant     %u fluents never change\n", c->constant_fluents);
        printf("gates        %zu two-input ands, %zu three-input gates, depth %u\n",
               c->aig.and_count, m.luts, m.depth);
        printf("loops        %zu\nphases       %u\n", c->aig.loops.count, m.phases);
        printf("cost         %.3f CPU seconds, %.1f MB\n", seconds, clock_peak_memory_mb());
        return;
    }
    print_json_about(command->arguments[0],
                     object_add(ground_json(b->grounding), "constant_fluents",
                                json_integer(c->constant_fluents), "ands",
                                count_json(c->aig.and_count), "luts", count_json(m.luts), "depth",
                                json_integer(m.depth), "loops", count_json(c->aig.loops.count),
                                "phases", json_integer(m.phases), "ground_cpu_seconds",
                                json_real(b->grounding->cpu_seconds), "cpu_seconds",
                                json_real(seconds), "peak_mb", json_real(clock_peak_memory_mb())));
}

static int run_circuit(const Command *command) {
    const VerbOptions *own = command->options;
    Built b;
    build(command, true, &b);
    if (b.circuit) {
        bool written =
            (!own->aiger || circuit_write_aiger(b.circuit, b.grounding, own->aiger, &b.report)) &&
            (!own->dot || circuit_write_dot(b.circuit, b.grounding, own->dot, &b.report));
        print_circuit(command, &b);
        if (!written) {
            print_failure(&b.report);
            b.status = STATUS_EXHAUSTED;
        }
    }
    built_free(&b);
    return b.status;
}

const Verb verb_circuit = {
    .name = "circuit",
    .arguments = "GAME [--aiger FILE] [--dot FILE]",
    .summary = "turn a game into a circuit and count its gates",
    .description =
        "Builds the circuit of a game from its ground rules and prints its size. --time is\n"
        "the budget for grounding in CPU seconds (default 60), 4 GB that of memory; exit\n"
        "status 3 if either is spent.",
    .example = "circuit tic_tac_toe --json",
    VERB_OPTIONS,
    .unused = "seed threads playouts verbose kernel",
    .takes = {1, 1},
    .run = run_circuit,
};
