/* Players on the network are asked at the same time, each by a thread of its own. Searches in this
 * process are asked one after the other, so that they do not compete for the processor.
 *
 * Errors are recorded by these functions: record_time_out_or_failure for players on the network
 * that do not answer, judge_remote for their illegal moves, judge_search for searches, ask_humans
 * for humans. */
#include "server/referee/match.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "gdl/write.h"
#include "player/protocol.h"
#include "search/choice/search_choice.h"

/* Seconds to wait for the answer to STOP and ABORT (untuned). */
static const double stop_seconds = 3;
/* Seconds of the play clock that a search does not use, at most; else a tenth of the clock
 * (untuned). */
static const double max_reserve = 0.1;
/* Limits for a search that prepares with a number of playouts: in seconds, and in multiples of the
 * start clock (untuned). */
static const double longest_preparation = 60, preparation_clocks = 10;

/* One role of the match. */
typedef struct {
    const Contestant *contestant; /* NULL for the role random */
    Search *search;               /* NULL if no search plays it */
    BeliefFilter *filter;         /* belief of the search; NULL without hidden information */
    uint32_t role;
    U32Vector legal;
    /* The answer of this turn: */
    Text answer;
    PostEnd end;
    double seconds; /* seconds until the answer came */
    uint32_t move;  /* MOVE_NONE if the answer has to be replaced */
    /* The request to a player on the network: */
    pthread_t thread;
    bool has_thread;
    PostFunction *post;
    Text request;
    double clock;  /* time limit for the answer, in seconds */
    Text percepts; /* percepts of the last turn */
    size_t told;   /* number of turns that the filter has followed */
} Seat;

typedef struct {
    const MatchSetup *plan;
    MatchRecord *record;
    GameWork *work;
    State state;
    Random random;
    Seat *seats;
    uint32_t count;
    uint32_t *joint;
    Text rules; /* rules as START messages contain them */
    bool is_given_up;
} Referee;

const char *match_fault_code(MatchFaultKind kind) {
    static const char *const codes[] = {"TO", "IL", "CE", "RU"};
    assert((size_t)kind < sizeof codes / sizeof *codes);
    return codes[kind];
}

bool match_is_chance(const MatchRecord *record, uint32_t role) {
    assert(role < record->role_count);
    return strcmp(record->roles[role], "random") == 0;
}

static const char *keep(MatchRecord *record, const Text *text) {
    return arena_copy(&record->arena, text_string(text), text->count);
}

__attribute__((format(printf, 4, 5))) static void
add_fault(Referee *t, uint32_t role, MatchFaultKind kind, const char *format, ...) {
    va_list arguments;
    assert(role < t->count || role == MATCH_NO_ROLE);
    va_start(arguments, format);
    MatchFault error = {(uint32_t)t->record->moves.count, role, kind,
                        arena_vprintf(&t->record->arena, format, arguments)};
    va_end(arguments);
    vector_push(&t->record->faults, error);
}

/* The match itself does not end for want of memory, if it is one of many. */
static void note_state(Referee *t) {
    struct timespec now;
    Text text = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    game_state_text(t->work, &t->state, &text);
    vector_push(&t->record->states, keep(t->record, &text));
    vector_push(&t->record->times, (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
    vector_free(&text);
}

static void *post_request(void *context) {
    Seat *seat = context;
    double started = clock_wall_seconds();
    seat->end = seat->post(seat->contestant->name, &seat->request, seat->clock, &seat->answer);
    seat->seconds = clock_wall_seconds() - started;
    return NULL;
}

static bool is_remote(const Seat *seat) {
    return seat->contestant && seat->contestant->kind == CONTESTANT_REMOTE;
}

static void send_request(Seat *seat, double clock) {
    assert(is_remote(seat) && !seat->has_thread);
    seat->clock = clock;
    seat->has_thread = pthread_create(&seat->thread, NULL, post_request, seat) == 0;
    if (!seat->has_thread)
        post_request(seat);
}

static void await_answers(Referee *t) {
    for (uint32_t r = 0; r < t->count; r++)
        if (t->seats[r].has_thread) {
            pthread_join(t->seats[r].thread, NULL);
            t->seats[r].has_thread = false;
        }
}

void match_write_rules(const Game *game, Text *text) {
    const Syntax *syntax = game->rules->syntax;
    for (size_t i = 0; i < syntax->roots.count; i++) {
        write_node(text, syntax, syntax->roots.items[i], NOTATION_KIF, WRITE_EXPRESSION);
        text_add_char(text, '\n');
    }
}

/* Records that a player on the network timed out or could not be reached; false if it answered. */
static bool record_time_out_or_failure(Referee *t, const Seat *seat, const char *question) {
    if (seat->end == POST_TIMED_OUT)
        add_fault(t, seat->role, FAULT_TIME_OUT, "no answer%s within %g s", question, seat->clock);
    else if (seat->end == POST_FAILED)
        add_fault(t, seat->role, FAULT_CONNECTION, "no answer%s: %s", question,
                  text_string(&seat->answer));
    return seat->end != POST_ANSWERED;
}

static void write_request(Referee *t, Seat *seat, MessageKind kind) {
    const MatchSetup *plan = t->plan;
    const MatchRecord *record = t->record;
    size_t turns = record->moves.count;
    const char **last = turns ? record->moves.items[turns - 1] : NULL;
    text_clear(&seat->request);
    if (kind == MESSAGE_START)
        message_write_start(&seat->request, record->id, record->roles[seat->role],
                            text_string(&t->rules), plan->startclock, plan->playclock);
    else if (kind == MESSAGE_ABORT)
        text_printf(&seat->request, "(ABORT %s)", record->id);
    else if (game_hides(plan->game))
        message_write_turn(&seat->request, kind, record->id, (uint32_t)turns,
                           last ? last[seat->role] : NULL, text_string(&seat->percepts));
    else
        message_write_moves(&seat->request, kind, record->id, (char *const *)last, t->count);
}

/* Sends START, PLAY, STOP or ABORT to all players on the network. */
static void tell_all(Referee *t, MessageKind kind, double clock) {
    for (uint32_t r = 0; r < t->count; r++)
        if (is_remote(&t->seats[r])) {
            write_request(t, &t->seats[r], kind);
            send_request(&t->seats[r], clock);
        }
}

static void ask_to_start(Referee *t) {
    tell_all(t, MESSAGE_START, t->plan->startclock);
    await_answers(t);
    for (uint32_t r = 0; r < t->count; r++) {
        Seat *seat = &t->seats[r];
        const char *answer = text_string(&seat->answer);
        if (is_remote(seat) && !record_time_out_or_failure(t, seat, " to START") &&
            !strcasestr(answer, "ready"))
            add_fault(t, r, FAULT_CONNECTION, "answers START with `%.80s`", answer);
    }
}

static bool is_legal(const Seat *seat, uint32_t move) {
    return u32_contains(&seat->legal, move);
}

/* Reads the move of a player on the network. If there is none, the reason is recorded. */
static void judge_remote(Referee *t, Seat *seat) {
    Text move = {0};
    const char *answer = text_string(&seat->answer);
    if (record_time_out_or_failure(t, seat, ""))
        return;
    if (answer_read_move(answer, seat->answer.count, &move))
        seat->move = game_find_move(t->work, seat->role, text_string(&move), move.count);
    if (!is_legal(seat, seat->move)) {
        add_fault(t, seat->role, FAULT_ILLEGAL, "`%.200s` is not legal", answer);
        seat->move = MOVE_NONE;
    }
    vector_free(&move);
}

/* With hidden information, tells a search its own move and its percepts of each turn. */
static void tell_percepts(const Referee *t, Seat *seat, Deadline deadline) {
    const MatchRecord *record = t->record;
    if (!seat->filter || seat->told == record->moves.count)
        return;
    for (; seat->told < record->moves.count; seat->told++) {
        BeliefModel model = search_model(seat->search);
        belief_observe(seat->filter, record->moves.items[seat->told][seat->role],
                       record->percepts.items[seat->told][seat->role], true, &model, deadline);
    }
    search_set_belief(seat->search, &seat->filter->belief);
}

const char **match_move_texts(const GameWork *work, uint32_t role, const SearchResult *result,
                              Arena *arena) {
    Text text = {0};
    const char **moves = arena_alloc(arena, result->moves.count * sizeof *moves + 1);
    for (size_t i = 0; i < result->moves.count; i++) {
        text_clear(&text);
        game_move_text(work, role, result->moves.items[i].move, &text);
        moves[i] = arena_copy(arena, text_string(&text), text.count);
    }
    vector_free(&text);
    return moves;
}

static void report_thought(const Referee *t, const Seat *seat, const SearchResult *result) {
    if (!t->plan->on_thought)
        return;
    Arena arena = {0};
    MatchThought thought = {(uint32_t)t->record->moves.count, seat->role,
                            match_move_texts(t->work, seat->role, result, &arena), result,
                            seat->seconds};
    t->plan->on_thought(t->plan->context, &thought);
    arena_free(&arena);
}

static void judge_search(Referee *t, Seat *seat, const SearchResult *result) {
    double clock = t->plan->playclock;
    seat->move = is_legal(seat, result->best) ? result->best : MOVE_NONE;
    if (seat->seconds > clock) {
        add_fault(t, seat->role, FAULT_TIME_OUT, "took %.3f s of %g s", seat->seconds, clock);
        seat->move = MOVE_NONE;
    } else if (seat->move == MOVE_NONE) {
        bool is_lost = seat->filter && seat->filter->belief.kind == BELIEF_LOST;
        add_fault(t, seat->role, FAULT_ILLEGAL, "the search has no legal move%s",
                  is_lost ? ": it found no state that explains its percepts" : "");
    }
}

/* Searches as long as the options of the contestant say, or as the clock allows. */
static void run_search(const Referee *t, const Seat *seat, Deadline end, SearchResult *result) {
    const Contestant *c = seat->contestant;
    SearchBudget budget = {.deadline = end,
                           .playouts = c->strategy.playouts,
                           .stopped = t->plan->stopped,
                           .outer_stopped = t->plan->hurried};
    if (t->plan->hurried)
        __atomic_store_n(t->plan->hurried, false, __ATOMIC_RELAXED);
    if (c->counts_cpu_seconds && c->strategy.seconds > 0) {
        search_think(seat->search, &budget, c->strategy.seconds, result);
        return;
    }
    if (c->strategy.seconds > 0)
        budget.deadline = deadline_in(fmin(c->strategy.seconds, deadline_left(end)));
    search_run(seat->search, &budget);
    search_result(seat->search, result);
}

/* The clock starts when the search has its slot. Filtering the belief may use the whole
 * clock, even if the time of the contestant is shorter, because a search needs the belief. */
static void think(Referee *t, Seat *seat) {
    double clock = t->plan->playclock, reserve = fmin(clock / 10, max_reserve);
    double started = clock_wall_seconds();
    Deadline end = deadline_in(clock - reserve);
    SearchResult result = {0};
    tell_percepts(t, seat, deadline_in((clock - reserve) / 2));
    if (seat->legal.count > 1)
        run_search(t, seat, end, &result);
    else
        search_result(seat->search, &result);
    seat->seconds = clock_wall_seconds() - started;
    judge_search(t, seat, &result);
    if (seat->legal.count > 1)
        report_thought(t, seat, &result);
    search_result_free(&result);
}

static void ask_search(Referee *t, Seat *seat) {
    assert(seat->search && seat->legal.count);
    bool needs_thought = seat->legal.count > 1 || seat->filter;
    if (!needs_thought) {
        seat->move = seat->legal.items[0];
    } else if (slots_enter(t->plan->slots, t->plan->stopped)) {
        think(t, seat);
        slots_leave(t->plan->slots);
    }
}

/* What a human has seen since the last question: turns with a single legal move ask nothing. */
static const char *seen_since_last_question(const Referee *t, Seat *seat) {
    MatchRecord *record = t->record;
    Text seen = {0};
    if (seat->told > record->percepts.count) /* moves were taken back */
        seat->told = record->percepts.count;
    for (; seat->told < record->percepts.count; seat->told++) {
        const char *percepts = record->percepts.items[seat->told][seat->role];
        if (*percepts && seen.count)
            text_add_char(&seen, ' ');
        text_add(&seen, percepts);
    }
    const char *kept = keep(record, &seen);
    vector_free(&seen);
    return kept;
}

static void list_choices(Referee *t, Seat *seat, MatchQuestion *choice) {
    const char **legal = arena_alloc(&t->record->arena, seat->legal.count * sizeof *legal);
    Text text = {0};
    for (size_t i = 0; i < seat->legal.count; i++) {
        text_clear(&text);
        game_move_text(t->work, seat->role, seat->legal.items[i], &text);
        legal[i] = keep(t->record, &text);
    }
    *choice =
        (MatchQuestion){.role_number = seat->role,
                        .role = t->record->roles[seat->role],
                        .state = game_hides(t->plan->game) ? NULL : vector_last(&t->record->states),
                        .percepts = seen_since_last_question(t, seat),
                        .legal = legal,
                        .legal_count = seat->legal.count,
                        .chosen = SIZE_MAX};
    vector_free(&text);
}

static bool is_human(const Seat *seat) {
    return seat->contestant && seat->contestant->kind == CONTESTANT_HUMAN;
}

static void ask_humans(Referee *t) {
    MatchQuestion *choices = memory_alloc(t->count * sizeof *choices);
    size_t count = 0;
    double started = clock_wall_seconds();
    for (uint32_t r = 0; r < t->count; r++)
        if (is_human(&t->seats[r]) && t->seats[r].legal.count > 1)
            list_choices(t, &t->seats[r], &choices[count++]);
        else if (is_human(&t->seats[r]))
            t->seats[r].move = t->seats[r].legal.items[0];
    if (count && t->plan->ask)
        t->plan->ask(t->plan->context, choices, count);
    for (size_t i = 0; i < count; i++) {
        Seat *seat = &t->seats[choices[i].role_number];
        seat->seconds = clock_wall_seconds() - started;
        if (choices[i].resigned) {
            add_fault(t, seat->role, FAULT_ILLEGAL, "gave the match up");
            t->is_given_up = true;
        } else if (choices[i].chosen < seat->legal.count)
            seat->move = seat->legal.items[choices[i].chosen];
        else
            add_fault(t, seat->role, FAULT_ILLEGAL, "no choice was made");
    }
    free(choices);
}

/* Asks humans before searches, whose work would be wasted if a human takes a move back. */
static void collect_moves(Referee *t) {
    for (uint32_t r = 0; r < t->count; r++) {
        t->seats[r].move = MOVE_NONE;
        t->seats[r].seconds = 0;
    }
    tell_all(t, MESSAGE_PLAY, t->plan->playclock);
    ask_humans(t);
    for (uint32_t r = 0; r < t->count; r++)
        if (t->seats[r].search && !flag_is_set(t->plan->stopped) && !t->is_given_up)
            ask_search(t, &t->seats[r]);
    await_answers(t);
    for (uint32_t r = 0; r < t->count; r++) {
        Seat *seat = &t->seats[r];
        if (is_remote(seat))
            judge_remote(t, seat);
        if (seat->move == MOVE_NONE)
            seat->move = seat->legal.items[random_below(&t->random, seat->legal.count)];
        t->joint[r] = seat->move;
    }
}

/* Uses the moves of a turn of the opening; false if they are not legal. */
static bool take_opening(Referee *t, size_t turn) {
    for (uint32_t r = 0; r < t->count; r++) {
        Seat *seat = &t->seats[r];
        const char *text = t->plan->opening[turn][r];
        seat->seconds = 0;
        t->joint[r] = game_find_move(t->work, r, text, strlen(text));
        if (!is_legal(seat, t->joint[r])) {
            add_fault(t, r, FAULT_RULES, "`%.200s` is not legal", text);
            return false;
        }
    }
    return true;
}

/* Makes the joint move and records it. */
static void make_turn(Referee *t) {
    MatchRecord *record = t->record;
    const char **moves = arena_alloc(&record->arena, t->count * sizeof *moves);
    const char **percepts = arena_alloc(&record->arena, t->count * sizeof *percepts);
    Text text = {0};
    for (uint32_t r = 0; r < t->count; r++) {
        text_clear(&text);
        game_move_text(t->work, r, t->joint[r], &text);
        moves[r] = keep(record, &text);
        vector_push(&record->seconds, t->seats[r].seconds);
        text_clear(&t->seats[r].percepts);
        if (game_hides(t->plan->game))
            game_sees(t->work, &t->state, t->joint, r, &t->seats[r].percepts);
        percepts[r] = keep(record, &t->seats[r].percepts);
    }
    vector_push(&record->moves, moves);
    if (game_hides(t->plan->game))
        vector_push(&record->percepts, percepts);
    vector_free(&text);
    game_next(t->work, &t->state, t->joint, &t->state);
    for (uint32_t r = 0; r < t->count; r++)
        if (t->seats[r].search && !t->seats[r].filter)
            search_advance(t->seats[r].search, t->joint, &t->state);
    note_state(t);
}

/* False if a role has no move, which cannot happen in a well-formed game. */
static bool list_legal(Referee *t) {
    for (uint32_t r = 0; r < t->count; r++) {
        game_legal(t->work, &t->state, r, &t->seats[r].legal);
        if (!t->seats[r].legal.count &&
            flag_is_set(t->plan->stopped)) /* the answer was cut short */
            return false;
        if (!t->seats[r].legal.count) {
            add_fault(t, r, FAULT_RULES, "no legal move");
            return false;
        }
    }
    return true;
}

static void note_goals(Referee *t) {
    t->record->is_completed = true;
    for (uint32_t r = 0; r < t->count; r++) {
        int goal = game_goal(t->work, &t->state, r);
        t->record->goals[r] = goal;
        if (goal < 0)
            add_fault(t, r, FAULT_RULES,
                      goal == GOAL_NONE ? "no goal value" : "several goal values");
    }
}

static void play_turns(Referee *t) {
    uint32_t limit = t->plan->step_limit ? t->plan->step_limit : DEFAULT_STEP_LIMIT;
    while (!game_is_terminal(t->work, &t->state)) {
        if (flag_is_set(t->plan->stopped) || !list_legal(t))
            return;
        if (t->record->moves.count == limit) {
            add_fault(t, MATCH_NO_ROLE, FAULT_RULES, "given up after %u turns", limit);
            return;
        }
        if (t->record->moves.count >= t->plan->opening_turns)
            collect_moves(t);
        else if (!take_opening(t, t->record->moves.count))
            return;
        if (flag_is_set(t->plan->stopped) || t->is_given_up)
            return;
        make_turn(t);
        if (t->plan->watch)
            t->plan->watch(t->plan->context, t->record);
    }
    note_goals(t);
}

static void create_record(Referee *t) {
    const MatchSetup *plan = t->plan;
    MatchRecord *record = memory_zalloc(sizeof *record);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    t->record = record;
    record->game = arena_copy(&record->arena, plan->game_name, strlen(plan->game_name));
    record->id =
        plan->id
            ? arena_copy(&record->arena, plan->id, strlen(plan->id))
            : arena_printf(&record->arena, "marelle.%lld.%012llx", (long long)now.tv_sec,
                           (unsigned long long)(random_next(&t->random) ^ (uint64_t)now.tv_nsec) &
                               0xffffffffffff);
    record->startclock = plan->startclock;
    record->playclock = plan->playclock;
    record->seed = plan->seed;
    record->role_count = t->count;
    record->roles = arena_alloc(&record->arena, t->count * sizeof *record->roles);
    record->players = arena_alloc(&record->arena, t->count * sizeof *record->players);
    record->goals = arena_alloc(&record->arena, t->count * sizeof *record->goals);
    record->method_choices = arena_alloc(&record->arena, t->count * sizeof *record->method_choices);
    for (uint32_t r = 0; r < t->count; r++) {
        const char *role = plan->game->roles[r];
        record->roles[r] = arena_copy(&record->arena, role, strlen(role));
        const Contestant *c = t->seats[r].contestant;
        const char *player = c ? contestant_label(c) : "random";
        record->players[r] = arena_copy(&record->arena, player, strlen(player));
        record->goals[r] = GOAL_NONE;
        record->method_choices[r] = "";
    }
}

static bool take_seats(Referee *t, Report *report) {
    const MatchSetup *plan = t->plan;
    size_t next = 0;
    for (uint32_t r = 0; r < t->count; r++) {
        Seat *seat = &t->seats[r];
        seat->role = r;
        if (game_is_chance(plan->game, r))
            continue;
        seat->contestant = plan->contestants[next++];
        seat->post = plan->post;
        if (is_remote(seat) && !plan->post)
            return report_error(report, "no-network", "`%s`: there is no network here",
                                seat->contestant->name);
        if (seat->contestant->kind != CONTESTANT_SEARCH)
            continue;
        const Strategy *strategy = &seat->contestant->strategy;
        SearchOptions options;
        if (!contestant_options(seat->contestant, plan->game, &options, report))
            return false;
        if (!strategy->has_seed)
            options.seed = plan->seed * 1000003 + r;
        seat->search = strategy_create_search(strategy, plan->game, r, &options, report);
        if (!seat->search)
            return false;
        if (game_hides(plan->game)) {
            BeliefOptions beliefs = {.max_states = strategy->samples_beliefs ? 1 : 0};
            seat->filter = belief_create(plan->game, r, &beliefs, options.seed);
            search_set_belief(seat->search, &seat->filter->belief);
        } else {
            search_set_state(seat->search, &t->state);
        }
    }
    return true;
}

static void note_choice(Referee *t, const Seat *seat) {
    SearchChoice choice;
    Text text = {0};
    if (search_describe(seat->search, &choice) && search_choice_matches(&choice)) {
        search_choice_write(&choice, &text);
        t->record->method_choices[seat->role] = keep(t->record, &text);
    }
    vector_free(&text);
}

/* A contestant that counts playouts also prepares with a number of playouts: those of one move
 * times its share of the start clock, divided by the play clock. They may take any time, so that
 * the result does not depend on the machine, but the wait is bounded for very large numbers. A
 * contestant with seconds of its own keeps to the clock. */
static void prepare_search(Referee *t, Seat *seat, double clock) {
    const MatchSetup *plan = t->plan;
    double moves = plan->playclock > 0 ? clock / plan->playclock : 1;
    double playouts = ceil(fmin(1e18, moves * (double)seat->contestant->strategy.playouts));
    bool is_timed = !(playouts > 0) || seat->contestant->strategy.seconds > 0;
    double wait = is_timed ? clock : fmax(longest_preparation, preparation_clocks * clock);
    SearchBudget budget = {
        .deadline = deadline_in(wait), .playouts = (uint64_t)playouts, .stopped = plan->stopped};
    search_prepare(seat->search, &budget, clock / 2);
    note_choice(t, seat);
}

/* Lets searches prepare before the first turn. They share the start clock, if there is one, and may
 * use half of it as CPU time. A match that continues from an opening does not prepare. */
static void prepare_searches(Referee *t) {
    bool has_clock = t->plan->startclock > 0 && !t->plan->opening_turns;
    uint32_t searches = 0;
    for (uint32_t r = 0; r < t->count; r++)
        searches += t->seats[r].search != NULL;
    for (uint32_t r = 0; r < t->count && has_clock; r++)
        if (t->seats[r].search && slots_enter(t->plan->slots, t->plan->stopped)) {
            prepare_search(t, &t->seats[r], t->plan->startclock / searches);
            slots_leave(t->plan->slots);
        }
}

static void clear_table(Referee *t) {
    for (uint32_t r = 0; r < t->count; r++) {
        Seat *seat = &t->seats[r];
        search_free(seat->search);
        belief_free(seat->filter);
        vectors_free(&seat->legal, &seat->answer, &seat->request, &seat->percepts);
    }
    memory_free(t->seats, t->joint);
    vector_free(&t->rules);
    state_free(&t->state);
    game_work_free(t->work);
}

MatchRecord *match_play(const MatchSetup *plan, Report *report) {
    Referee t = {.plan = plan, .count = plan->game->role_count};
    uint32_t players = game_count_players(plan->game);
    if (plan->contestant_count != players) {
        report_error(report, "wrong-players", "%s needs %u player%s, not %zu", plan->game_name,
                     players, players == 1 ? "" : "s", plan->contestant_count);
        return NULL;
    }
    random_seed(&t.random, plan->seed);
    t.seats = memory_zalloc(t.count * sizeof *t.seats);
    t.joint = memory_zalloc(t.count * sizeof *t.joint);
    t.work = game_work_create(plan->game, REASONER_AUTO);
    game_initial(t.work, &t.state);
    if (take_seats(&t, report)) {
        create_record(&t);
        match_write_rules(plan->game, &t.rules);
        t.record->rules = keep(t.record, &t.rules);
        note_state(&t);
        ask_to_start(&t);
        prepare_searches(&t);
        play_turns(&t);
        tell_all(&t, t.record->is_completed ? MESSAGE_STOP : MESSAGE_ABORT, stop_seconds);
        await_answers(&t);
    }
    clear_table(&t);
    return t.record;
}

void match_free(MatchRecord *record) {
    if (!record)
        return;
    vectors_free(&record->moves, &record->percepts, &record->states, &record->times,
                 &record->seconds, &record->faults);
    arena_free(&record->arena);
    free(record);
}
