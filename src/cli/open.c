/* Opens games for verbs. If no circuit can be built, the interpreter plays; that is an error only
 * if the user asked for a reasoner that needs a circuit. */
#include "cli/open.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "cli/games.h"
#include "cli/output.h"
#include "cluster/collective.h"

void end_command_in(double seconds) {
    static const double GRACE = 0.3, GRACE_SHARE = 0.05; /* seconds; share of the time (untuned) */
    interrupt_in(seconds + GRACE + GRACE_SHARE * seconds);
}

void serve_until_interrupted(void) {
    while (!interrupt_wait(1))
        if (interrupt_lacks_memory())
            memory_recover();
}

int unreadable_status(void) {
    bool is_cut_short = interrupt_is_late() || memory_was_short();
    return is_cut_short ? STATUS_EXHAUSTED : STATUS_USAGE;
}

Game *open_game(const Command *command, const char *argument, const GameOptions *options,
                int *status) {
    GameOptions chosen = options ? *options : (GameOptions){0};
    if (command && command->common.kernel)
        chosen.kernel = command->common.kernel_kind;
    Report report = {0};
    Ticker *ticker = ticker_start(command && !command->common.quiet, "building", deadline_never());
    chosen.stopped = interrupt_flag();
    if (command && command->verb->time == TIME_OF_COMMAND && command->common.seconds > 0)
        chosen.build_until = deadline_in(deadline_left(command->end) / 2);
    Rules *rules = game_read(argument, &report);
    Game *game = rules ? game_create(rules, &chosen, &report) : NULL;
    ticker_stop(ticker);
    if (!game) {
        print_failure(&report);
        *status = unreadable_status();
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
    Ticker *ticker = ticker_start(!command->common.quiet, "reading", deadline_never());
    Rules *rules = game_read(command->arguments[0], &report);
    ticker_stop(ticker);
    if (rules) {
        status = verb->read(command, rules);
    } else {
        print_failure(&report);
        status = unreadable_status();
    }
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

/* Without a number of matches, the line shows the time and not a rate. */
void play_matches(const Command *command, MatchPlan *plan, const char *label,
                  MatchStatistics *matches) {
    Progress progress;
    bool counts = plan->playouts > 0;
    progress_start(&progress, label && counts ? stderr : NULL, label ? label : "", plan->playouts);
    Ticker *ticker = ticker_start(label && !counts, label, deadline_in(plan->seconds));
    plan->stopped = interrupt_flag();
    plan->on_progress = counts ? show_progress : NULL;
    plan->context = &progress;
    cluster_play_matches(command->cluster, plan, matches);
    ticker_stop(ticker);
    progress_finish(&progress);
}
