/* Matches and the player of the game protocol for the public interface. A seat with a function is
 * to the referee what a human is: somebody who is asked. */
#include <string.h>

#include "api/api_internal.h"
#include "player/player.h"
#include "player/protocol.h"
#include "server/json/json.h"
#include "server/referee/match.h"

static const double DEFAULT_STARTCLOCK = 10, DEFAULT_PLAYCLOCK = 5;
/* Seconds on the wall that a search may need besides, where CPU time counts: the machine may be
 * busy (untuned). */
static const double UNHURRIED = 60;
static const char bad_option[] = "an option is out of range, or a reserved field is not zero";

/* ---- matches ---- */

/* A match under way. */
typedef struct {
    const Game *game;
    const MarelleSeat *seats;
    const MarelleMatchOptions *options;
} Seating;

typedef struct {
    MarelleMatch public;
    MatchRecord *record;
    char *json;
} MatchResult;

/* The seat of a role, which is not `random`. */
static const MarelleSeat *seat_of(const Seating *seating, uint32_t role) {
    size_t seat = 0;
    for (uint32_t r = 0; r < role; r++)
        seat += !game_is_chance(seating->game, r);
    return &seating->seats[seat];
}

static void ask(void *context, MatchQuestion *choices, size_t count) {
    const Seating *seating = context;
    for (size_t i = 0; i < count; i++) {
        MatchQuestion *c = &choices[i];
        const MarelleSeat *seat = seat_of(seating, c->role_number);
        MarelleQuestion question = {.role = c->role_number,
                                    .role_name = c->role,
                                    .state = c->state,
                                    .percepts = c->percepts,
                                    .legal_count = c->legal_count,
                                    .legal = c->legal};
        c->chosen = seat->choose(seat->context, &question);
    }
}

static void watch(void *context, const MatchRecord *record) {
    const Seating *seating = context;
    size_t turn = record->moves.count;
    seating->options->watch(seating->options->context, (uint32_t)turn,
                            record->moves.items[turn - 1], vector_last(&record->states));
}

/* False if the seat is a search that does not exist. */
static bool read_seat(const MarelleSeat *seat, Contestant *c, Report *report) {
    if (seat->choose) {
        *c = (Contestant){.kind = CONTESTANT_HUMAN,
                          .name = memory_strdup(seat->name ? seat->name : "function")};
        return true;
    }
    if (!seat->name)
        return report_error(report, "bad-player", "a seat has neither a name nor a function");
    return contestant_read(c, seat->name, report) &&
           (c->kind == CONTESTANT_SEARCH ||
            report_error(report, "bad-player", "`%s` is no search", seat->name));
}

/* A search that is given neither time nor playouts has the play clock as CPU time. */
static void count_cpu_seconds(Contestant *c, double playclock) {
    c->counts_cpu_seconds = true;
    if (c->strategy.seconds <= 0 && !c->strategy.playouts)
        c->strategy.seconds = playclock;
}

static MatchRecord *play(Seating *seating, size_t count, Report *report) {
    const MarelleMatchOptions *o = seating->options;
    Contestant *contestants = memory_zalloc((count + 1) * sizeof *contestants);
    const Contestant **order = memory_zalloc((count + 1) * sizeof *order);
    MatchRecord *record = NULL;
    bool ok = true;
    double playclock = o->playclock > 0 ? o->playclock : DEFAULT_PLAYCLOCK;
    for (size_t i = 0; i < count && ok; i++) {
        ok = read_seat(&seating->seats[i], &contestants[i], report);
        if (o->cpu_clock)
            count_cpu_seconds(&contestants[i], playclock);
        order[i] = &contestants[i];
    }
    if (ok)
        record = match_play(
            &(MatchSetup){.game = (Game *)seating->game,
                          .game_name = "game",
                          .contestants = order,
                          .contestant_count = count,
                          .startclock = o->startclock > 0 ? o->startclock : DEFAULT_STARTCLOCK,
                          .playclock = o->cpu_clock ? playclock + UNHURRIED : playclock,
                          .seed = o->seed,
                          .step_limit = o->step_limit,
                          .stopped = o->stopped,
                          .ask = ask,
                          .watch = o->watch ? watch : NULL,
                          .context = seating},
            report);
    for (size_t i = 0; i < count; i++)
        contestant_free(&contestants[i]);
    memory_free(contestants, order);
    return record;
}

MarelleStatus marelle_match_play(MarelleGame *game, const MarelleSeat *seats, size_t seat_count,
                                 const MarelleMatchOptions *options, MarelleMatch **match,
                                 MarelleProblem *problem) {
    static const MarelleMatchOptions defaults;
    Seating seating = {game->game, seats, options ? options : &defaults};
    const MarelleMatchOptions *o = seating.options;
    Report report = {0};
    *match = NULL;
    if (!is_time(o->startclock) || !is_time(o->playclock) || !is_zero(o->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT, bad_option);
    if (seat_count != game_count_players(game->game))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "the game needs %u players, not %zu",
                      game_count_players(game->game), seat_count);
    MatchRecord *record = play(&seating, seat_count, &report);
    if (!record)
        return refuse_by_report(problem, MARELLE_BAD_ARGUMENT, &report);
    report_free(&report);
    MatchResult *result = memory_zalloc(sizeof *result);
    result->record = record;
    result->json = dump_json(match_json(record));
    result->public = (MarelleMatch){.is_completed = record->is_completed,
                                    .goals = record->goals,
                                    .turns = record->moves.count,
                                    .error_count = record->faults.count,
                                    .json = result->json};
    *match = &result->public;
    return succeed(problem);
}

void marelle_match_free(MarelleMatch *match) {
    MatchResult *result = (MatchResult *)match;
    if (!result)
        return;
    match_free(result->record);
    memory_free(result->json, result);
}

/* ---- the player ---- */

struct MarellePlayer {
    Player *inner;
    char *strategy;
};

MarelleStatus marelle_player_create(const MarellePlayerOptions *options, MarellePlayer **player,
                                    MarelleProblem *problem) {
    static const MarellePlayerOptions defaults;
    const MarellePlayerOptions *o = options ? options : &defaults;
    Report report = {0};
    *player = NULL;
    if (!is_time(o->margin) || o->threads > MAX_API_THREADS || !is_zero(o->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT, bad_option);
    MarellePlayer *made = memory_zalloc(sizeof *made);
    made->strategy = o->strategy ? memory_strdup(o->strategy) : NULL;
    PlayerOptions own = {.strategy = made->strategy,
                         .margin = o->margin,
                         .searches_own_turn_only = o->rests,
                         .min_learning_clock = o->never_learns ? -1 : 0,
                         .search.seed = o->seed,
                         .search.threads = o->threads};
    made->inner = player_create(&own, &report);
    if (!made->inner) {
        memory_free(made->strategy, made);
        return refuse_by_report(problem, MARELLE_BAD_ARGUMENT, &report);
    }
    report_free(&report);
    *player = made;
    return succeed(problem);
}

void marelle_player_free(MarellePlayer *player) {
    if (!player)
        return;
    player_stop(player->inner);
    player_free(player->inner);
    memory_free(player->strategy, player);
}

MarelleStatus marelle_player_answer(MarellePlayer *player, const char *message, size_t length,
                                    char **answer) {
    Text text = {0};
    bool is_message = length <= PROTOCOL_MAX_MESSAGE_BYTES;
    if (is_message)
        is_message = player_handle(player->inner, message, length, 0, &text);
    else
        text_add(&text, "the message is too long");
    *answer = give_text(&text);
    return is_message ? MARELLE_OK : MARELLE_MALFORMED;
}

void marelle_player_stop(MarellePlayer *player) {
    player_stop(player->inner);
}
