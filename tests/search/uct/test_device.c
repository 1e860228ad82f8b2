/* Tests leaves that a device plays out; here the device is a thread. The tests cover the search
 * while it waits, and failures of the device. */
#include <pthread.h>

#include "../play_search.h"
#include "search/uct/uct.h"

TestSuite(device, .timeout = 600);

#define COUNT(list) (sizeof(list) / sizeof *(list))
enum { LANES_OF_STANDIN = 4 };

/* State shared by all players of a device. */
typedef struct {
    uint32_t fails_at;        /* number of the start or landing that fails; 0: none */
    uint32_t calls;           /* starts and landings */
    uint32_t most, under_way; /* batches: greatest number, and number now */
    bool refuses;             /* cannot be opened */
    bool is_quick;            /* reports batches as done at once */
    uint32_t open;            /* open players */
} StandIn;

typedef struct {
    LeafPlayer *player;
    pthread_t thread;
    bool is_under_way;
    State *states;
    size_t count;
    Batch *batch;
    PlayoutStart *starts;
    PlayoutResult *results;
} StandInBatch;

struct LeafPlayer {
    StandIn *stand_in;
    Game *game;
    LeafOptions options;
    StandInBatch *batches;
};

static LeafPlayer *open_stand_in(void *context, Game *game, const LeafOptions *options,
                                 Report *report) {
    StandIn *s = context;
    if (s->refuses) {
        report_error(report, "gpu-size", "this game is too large");
        return NULL;
    }
    LeafPlayer *p = memory_zalloc(sizeof *p);
    *p = (LeafPlayer){s, game, *options, memory_zalloc(options->batches * sizeof *p->batches)};
    cr_assert_eq(options->playouts % LANES_OF_STANDIN, 0);
    size_t playouts = (size_t)options->states * options->playouts;
    for (uint32_t i = 0; i < options->batches; i++) {
        StandInBatch *b = &p->batches[i];
        b->player = p;
        b->batch = batch_create(game, options->seed + i);
        b->states = memory_zalloc((options->states + 1) * sizeof *b->states);
        b->starts = memory_zalloc((playouts + 1) * sizeof *b->starts);
        b->results = memory_zalloc((playouts + 1) * sizeof *b->results);
        for (size_t k = 0; k < playouts; k++)
            b->results[k].goals = memory_zalloc((game->role_count + 1) * sizeof(int));
    }
    s->open++;
    return p;
}

static void close_stand_in(LeafPlayer *p) {
    size_t playouts = (size_t)p->options.states * p->options.playouts;
    for (uint32_t i = 0; i < p->options.batches; i++) {
        StandInBatch *b = &p->batches[i];
        if (b->is_under_way)
            pthread_join(b->thread, NULL);
        for (size_t k = 0; k < p->options.states; k++)
            state_free(&b->states[k]);
        for (size_t k = 0; k < playouts; k++)
            free(b->results[k].goals);
        batch_free(b->batch);
        free(b->states);
        free(b->starts);
        free(b->results);
    }
    p->stand_in->open--;
    free(p->batches);
    free(p);
}

static void *play_batch(void *context) {
    StandInBatch *b = context;
    const LeafOptions *o = &b->player->options;
    batch_play(b->batch, b->starts, b->count * o->playouts, o->step_limit, b->results);
    return NULL;
}

static bool fails_now(StandIn *s) {
    return ++s->calls == s->fails_at;
}

static bool start(LeafPlayer *p, uint32_t number, const State *const *states, size_t count) {
    StandInBatch *b = &p->batches[number];
    StandIn *s = p->stand_in;
    cr_assert(number < p->options.batches && count <= p->options.states);
    cr_assert(!b->is_under_way, "the batch is not under way");
    if (fails_now(s))
        return false;
    b->count = count;
    for (size_t i = 0; i < count; i++) {
        state_copy(&b->states[i], states[i]);
        for (uint32_t k = 0; k < p->options.playouts; k++)
            b->starts[i * p->options.playouts + k].state = &b->states[i];
    }
    b->is_under_way = pthread_create(&b->thread, NULL, play_batch, b) == 0;
    cr_assert(b->is_under_way);
    s->most = ++s->under_way > s->most ? s->under_way : s->most;
    return true;
}

/* One thread asks for batches in the order in which they were started. */
static bool is_done(LeafPlayer *p, uint32_t number) {
    cr_assert(p->batches[number].is_under_way, "the batch is under way");
    return p->stand_in->is_quick;
}

static bool finish(LeafPlayer *p, uint32_t number, LeafSums *sums) {
    StandInBatch *b = &p->batches[number];
    cr_assert(b->is_under_way, "the batch is under way");
    pthread_join(b->thread, NULL);
    b->is_under_way = false;
    p->stand_in->under_way--;
    if (fails_now(p->stand_in))
        return false;
    for (size_t i = 0; i < b->count; i++) {
        sums[i].ended = 0;
        for (uint32_t r = 0; r < p->game->role_count; r++)
            sums[i].goals[r] = 0;
        for (uint32_t k = 0; k < p->options.playouts; k++) {
            const PlayoutResult *result = &b->results[i * p->options.playouts + k];
            sums[i].ended += result->end == MATCH_TERMINAL;
            for (uint32_t r = 0; result->end == MATCH_TERMINAL && r < p->game->role_count; r++)
                sums[i].goals[r] += result->goals[r];
        }
    }
    return true;
}

static LeafDevice device_of(StandIn *s) {
    return (LeafDevice){s, LANES_OF_STANDIN, open_stand_in, close_stand_in, start, is_done, finish};
}

static StandIn stand_in(void) {
    return (StandIn){0};
}

Test(device, threats_are_answered) {
    static const char *const drops[] = {"(drop 4)", "noop", "noop",     "(drop 1)", "(drop 4)",
                                        "noop",     "noop", "(drop 2)", "(drop 4)", "noop"};
    static const char *const methods[] = {"uct", "parts"};
    for (size_t m = 0; m < COUNT(methods); m++) {
        StandIn s = stand_in();
        LeafDevice device = device_of(&s);
        SearchTable t =
            table_create(game_named("connect_four", NULL), methods[m], 1,
                         (SearchOptions){.device = &device, .batch = 16, .leaf_playouts = 7});
        make_moves(&t, drops, COUNT(drops));
        search_set_state(t.search, &t.state);
        think(&t, 40000);
        assert_best(&t, "(drop 4)");
        cr_assert_eq(((Uct *)t.search)->options.leaf_playouts, 8, "whole lanes");
        cr_assert_eq(s.most, UCT_PASSES);
        cr_assert_eq(s.under_way, 0);
        table_release(&t);
        cr_assert_eq(s.open, 0);
    }
}

/* The values equal those of the processor's playouts up to random error. */
Test(device, values_are_those_of_the_processor) {
    static const char *const games[] = {"breakthrough", "connect_four", "eight_puzzle"};
    for (size_t i = 0; i < COUNT(games); i++) {
        StandIn s = stand_in();
        LeafDevice device = device_of(&s);
        double values[2];
        for (int with = 0; with < 2; with++) {
            SearchTable t = table_create(game_named(games[i], NULL), "uct", 0,
                                         (SearchOptions){.device = with ? &device : NULL,
                                                         .batch = 16,
                                                         .leaf_playouts = 8,
                                                         .exploration = 100});
            search_set_state(t.search, &t.state);
            think(&t, 20000);
            double sum = 0, visits = 0;
            for (size_t m = 0; m < t.result.moves.count; m++) {
                sum += t.result.moves.items[m].value * (double)t.result.moves.items[m].visits;
                visits += (double)t.result.moves.items[m].visits;
            }
            values[with] = sum / visits;
            table_release(&t);
        }
        cr_assert_float_eq(values[0], values[1], 3, "%s: %g, %g", games[i], values[0], values[1]);
    }
}

Test(device, proofs_end_the_search) {
    StandIn s = stand_in();
    LeafDevice device = device_of(&s);
    SearchTable t = table_create(game_named("tic_tac_toe", NULL), "uct", 0,
                                 (SearchOptions){.device = &device, .batch = 16});
    search_set_state(t.search, &t.state);
    think(&t, 400000000);
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_float_eq(t.result.moves.items[0].value, 50, 1e-9);
    cr_assert_lt(t.result.playouts, 400000000);
    table_release(&t);
}

Test(device, play_outs_are_counted_and_limited) {
    StandIn s = stand_in();
    LeafDevice device = device_of(&s);
    SearchTable t =
        table_create(game_named("connect_four", NULL), "uct", 0,
                     (SearchOptions){.device = &device, .batch = 16, .leaf_playouts = 8});
    search_set_state(t.search, &t.state);
    think(&t, 8000);
    think(&t, 8000);
    uint64_t visits = 0;
    for (size_t i = 0; i < t.result.moves.count; i++)
        visits += t.result.moves.items[i].visits;
    cr_assert_eq(t.result.playouts, 16000);
    cr_assert_eq(visits, 16000 - 8, "the first visit of a root is its own");
    table_release(&t);
}

Test(device, one_seed_gives_one_result) {
    SearchResult results[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        StandIn s = stand_in();
        LeafDevice device = device_of(&s);
        SearchTable t = table_create(
            game_named("breakthrough", NULL), "uct", 0,
            (SearchOptions){.device = &device, .seed = 5, .batch = 16, .leaf_playouts = 8});
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        results[i] = t.result;
        t.result = (SearchResult){0};
        table_release(&t);
    }
    for (size_t i = 0; i < results[0].moves.count; i++) {
        const SearchMove *a = &results[0].moves.items[i], *b = &results[1].moves.items[i];
        cr_assert(a->move == b->move && a->visits == b->visits && a->value == b->value);
    }
    search_result_free(&results[0]);
    search_result_free(&results[1]);
}

Test(device, a_budget_of_nodes_is_kept) {
    static const size_t budgets[] = {1, 1000, 20000, 300000};
    for (size_t i = 0; i < COUNT(budgets); i++) {
        StandIn s = stand_in();
        LeafDevice device = device_of(&s);
        SearchTable t = table_create(
            game_named("connect_four", NULL), "uct", 0,
            (SearchOptions){
                .device = &device, .node_bytes = budgets[i], .batch = 16, .leaf_playouts = 8});
        const Tree *tree = &((Uct *)t.search)->tree;
        search_set_state(t.search, &t.state);
        for (int turn = 0; turn < 5; turn++) {
            think(&t, 4000);
            cr_assert(tree->bytes <= budgets[i] || tree->count == 1);
        }
        cr_assert_eq(t.result.moves.count, 7);
        cr_assert_eq(t.result.playouts, 20000);
        table_release(&t);
    }
}

/* Whenever the device fails, the processor takes over, and no playout is lost. */
Test(device, a_device_that_fails_is_given_up) {
    for (uint32_t fails_at = 1; fails_at < 12; fails_at++) {
        StandIn s = stand_in();
        s.fails_at = fails_at;
        s.is_quick = fails_at % 2;
        LeafDevice device = device_of(&s);
        SearchTable t =
            table_create(game_named("connect_four", NULL), "uct", 0,
                         (SearchOptions){.device = &device, .batch = 16, .leaf_playouts = 8});
        search_set_state(t.search, &t.state);
        think(&t, 4000);
        cr_assert_eq(t.result.playouts, 4000);
        cr_assert_eq(s.open, 0, "given back");
        for (size_t i = 0; i < t.result.moves.count; i++)
            cr_assert(t.result.moves.items[i].value > 5 && t.result.moves.items[i].value < 95);
        table_release(&t);
    }
}

Test(device, deadlines_are_kept) {
    StandIn s = stand_in();
    LeafDevice device = device_of(&s);
    SearchTable t = table_create(game_named("breakthrough", NULL), "uct", 0,
                                 (SearchOptions){.device = &device, .batch = 16});
    double started = clock_cpu_seconds();
    search_set_state(t.search, &t.state);
    search_run(t.search, &(SearchBudget){.deadline = deadline_in(0.1)});
    cr_assert_lt(clock_cpu_seconds() - started, 2);
    search_result(t.search, &t.result);
    cr_assert_gt(t.result.playouts, 0);
    table_release(&t);
}

static void is_refused(const char *method, Game *game, SearchOptions options, const char *why) {
    Report report = {0};
    cr_assert_null(strategy_create_named(method, game, 0, &options, &report));
    cr_assert_eq(report.items.count, 1);
    const char *message = report.items.items[0].message;
    cr_assert_not_null(strstr(message, why), "%s", message);
    report_free(&report);
    game_free(game);
}

Test(device, what_cannot_be_is_told) {
    StandIn s = stand_in();
    LeafDevice device = device_of(&s);
    SearchOptions options = {.device = &device};
    is_refused("mast", game_named("connect_four", NULL), options, "move by move");
    is_refused("uct", game_named("kuhn_poker", NULL), options, "hides");
    is_refused("uct", game_named("tic_tac_toe", &(GameOptions){.interpreter_only = true}), options,
               "circuit");
    options.threads = 2;
    options.parallel = PARALLEL_TREE;
    is_refused("uct", game_named("connect_four", NULL), options, "trees of their own");
    s.refuses = true;
    is_refused("uct", game_named("connect_four", NULL), (SearchOptions){.device = &device},
               "too large");
}
