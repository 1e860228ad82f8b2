/* Opens games for verbs. If no circuit can be built, the interpreter plays; that is an error only
 * if the user asked for a reasoner that needs a circuit. */
#include "cli/open.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/games.h"
#include "cli/output.h"
#include "cluster/collective.h"

Game *open_game(const Command *command, const char *argument, const GameOptions *options,
                int *status) {
    GameOptions chosen = options ? *options : (GameOptions){0};
    if (command && command->common.kernel)
        chosen.kernel = command->common.kernel_kind;
    Report report = {0};
    chosen.cancelled = interrupt_flag();
    Rules *rules = game_read(argument, &report);
    Game *game = rules ? game_create(rules, &chosen, &report) : NULL;
    if (!game) {
        print_failure(&report);
        *status = STATUS_USAGE;
    }
    report_free(&report);
    return game;
}

int verb_run(const Verb *verb, const Command *command) {
    int status = STATUS_USAGE;
    if (verb->run)
        return verb->run(command);
    if (verb->play) {
        Game *game = open_game(command, command->arguments[0], verb->build, &status);
        status = game ? verb->play(command, game) : status;
        game_free(game);
        return status;
    }
    Report report = {0};
    Rules *rules = game_read(command->arguments[0], &report);
    if (rules)
        status = verb->read(command, rules);
    else
        print_failure(&report);
    rules_free(rules);
    report_free(&report);
    return status;
}

bool choose_reasoner(const Game *game, const char *name, Reasoner *reasoner, int *status) {
    *reasoner = REASONER_AUTO;
    if (name)
        reasoner_from_name(name, reasoner);
    if (*reasoner == REASONER_AUTO || *reasoner == REASONER_INTERPRETER || game_has_circuit(game))
        return true;
    complain("the %s reasoner needs a circuit, and there is none: %s", name, game->why_interpreted);
    *status = STATUS_EXHAUSTED;
    return false;
}

static void show_progress(void *context, uint64_t done) {
    progress_update(context, done);
}

void play_matches(const Command *command, MatchPlan *plan, const char *label, Matches *matches) {
    Progress progress;
    uint64_t total = plan->playouts ? plan->playouts : (uint64_t)(plan->seconds * 1000);
    progress_start(&progress, label ? stderr : NULL, label ? label : "", total);
    plan->stopped = interrupt_flag();
    plan->on_progress = show_progress;
    plan->context = &progress;
    cluster_play_matches(command->cluster, plan, matches);
    progress_finish(&progress);
}
