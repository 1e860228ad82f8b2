/* Each round asks the solver about plans of all horizons (numbers of turns) so far. Rounds
 * alternate between plans with several moves per turn and plans with one move per turn, and between
 * the best goal that is not refuted and any improvement. The limit of conflicts doubles with each
 * round. A plan counts only after it was played by the rules, since the circuit may have loops. */
#include "search/single/planner.h"

#include <assert.h>
#include <string.h>

#include "search/single/unroll.h"

enum {
    MAX_TURN_GATES = 300000, /* gates of the circuit; one turn is then laid out quickly (untuned) */
    MAX_NODES = 1500000,   /* nodes of all turns; the solver needs about 300 bytes each (untuned) */
    MAX_TURNS = 1000,      /* turns of a plan (untuned) */
    FIRST_CONFLICTS = 100, /* conflicts of the solver per question in the first round (untuned) */
    GOAL_CONFLICTS = 2000, /* conflicts per question whether any state has a goal (untuned) */
    MAX_GOAL_GATES = 100000, /* gates of the circuit at most for questions about goals (untuned) */
    MAX_PAIRS = 500000,      /* interfering pairs; with more, turns have one move each (untuned) */
    MAX_TRIED = 10000,       /* moves tried in random matches to find interfering pairs (untuned) */
    MAX_FALSE_PLANS = 3,     /* failed plans before plans of that kind are given up (untuned) */
    TRIALS = 16,             /* random matches that show how long a match lasts (untuned) */
    SHORT_PLAN = 3 /* all lengths up to this are tried; then they grow by half (untuned) */
};

/* PLANS_TOGETHER: a turn may have several moves in any order (unroll.h). PLANS_IN_TURN: one. */
typedef enum { PLANS_TOGETHER, PLANS_IN_TURN, PLAN_KINDS } PlanKind;

typedef struct {
    uint32_t turns;
    int refuted[PLAN_KINDS]; /* no plan of at most `turns` turns reaches this goal */
} Horizon;

struct Planner {
    Game *game;
    State state;
    Interference interference;
    Unrolling unrolling;
    VECTOR(Horizon) horizons;
    bool knows_goals;     /* `impossible` was computed, as far as time allowed */
    int impossible;       /* no terminal state, reachable or not, has this goal or a greater one */
    size_t next_horizon;  /* index of the next horizon to ask about in this round */
    uint32_t usual_turns; /* one and a half times the longest of the random matches, in turns */
    Random random;
    unsigned trials; /* random matches played so far, 0 to TRIALS */
    size_t tried;    /* moves tried in these matches */
    unsigned rounds;
    int score; /* goal that a plan must exceed; -1: any goal will do */
    unsigned false_plans[PLAN_KINDS];
    const SearchBudget *budget; /* budget of the run in progress */
    NestedResult result;
};

static int must_stop(void *context) {
    const Planner *p = context;
    return search_must_stop(p->budget);
}

/* ---- looking around ---- */

/* Plays a random match. Its moves are tried, MAX_TRIED in all, to find pairs that interfere. */
static void look_around(Planner *p) {
    GameWork *work = game_work_create(p->game, REASONER_AUTO);
    State state = {0};
    U32Vector legal = {0};
    uint32_t turns = 0, one;
    state_copy(&state, &p->state);
    do {
        game_legal(work, &state, 0, &legal);
        p->tried += legal.count;
        if (p->tried <= MAX_TRIED)
            interference_look(&p->interference, work, &state, legal.items, legal.count);
        turns++;
    } while (turns < MAX_TURNS && !search_must_stop(p->budget) &&
             game_play_randomly(work, &state, &p->random, 1, &one) == MATCH_TOO_LONG);
    turns += turns / 2;
    p->usual_turns = turns > p->usual_turns ? turns : p->usual_turns;
    p->trials++;
    vector_free(&legal);
    state_free(&state);
    game_work_free(work);
}

/* ---- open goals ---- */

static bool can_grow(const Planner *p) {
    const Unrolling *u = &p->unrolling;
    return !u->is_complete && u->aig.nodes.count < MAX_NODES && u->turns.count <= MAX_TURNS;
}

/* The longest horizon, if no further turn can be laid out after it; NULL otherwise. */
static const Horizon *farthest(const Planner *p) {
    const Horizon *last = p->horizons.count ? &p->horizons.items[p->horizons.count - 1] : NULL;
    return last && !can_grow(p) && last->turns + 1 >= p->unrolling.turns.count ? last : NULL;
}

/* The greatest goal that is not refuted for all lengths; -1 if there is none. */
static int greatest_open(const Planner *p) {
    const Horizon *last = p->unrolling.is_complete ? farthest(p) : NULL;
    int greatest = -1;
    for (size_t v = 0; v < p->unrolling.values.count; v++) {
        int value = p->unrolling.values.items[v];
        if (value > greatest && value < p->impossible &&
            !(last && value >= last->refuted[PLANS_IN_TURN]))
            greatest = value;
    }
    return greatest;
}

/* ---- goals that no terminal state has ---- */

/* True unless the solver proves that no terminal state has the goal, whether reachable or not. */
static bool some_state_has(Planner *p, Clauses *clauses, int goal) {
    const Unrolling *u = &p->unrolling;
    const Circuit *c = u->circuit;
    VECTOR(int) any = {0};
    int one = clauses_fresh_literal(clauses);
    vector_push(&any, -one);
    for (size_t g = 0; g < c->goals.count; g++)
        if (u->value_of_goal[g] < u->values.count && u->values.items[u->value_of_goal[g]] == goal)
            vector_push(&any, clauses_literal(clauses, c->goals.items[g].signal));
    clauses_add(clauses, any.items, any.count);
    clauses_assume(clauses, one);
    clauses_assume(clauses, clauses_literal(clauses, c->terminal));
    vector_free(&any);
    return clauses_solve(clauses, GOAL_CONFLICTS) != SAT_REFUTED;
}

/* Some rules ask for too much, for instance a nonogram with a misprint; then no search need look
 * for that goal. False if time was too short to find out. */
static bool find_impossible_goals(Planner *p) {
    Clauses clauses;
    clauses_init(&clauses, &p->unrolling.circuit->aig, must_stop, p);
    int goal = greatest_open(p);
    while (goal >= 0 && !search_must_stop(p->budget) && !some_state_has(p, &clauses, goal)) {
        p->impossible = goal;
        goal = greatest_open(p);
    }
    clauses_free(&clauses);
    return !search_must_stop(p->budget);
}

/* The result depends on the rules only, so it is stored for the next planner of the game. */
static void look_for_impossible_goals(Planner *p) {
    static const char owner;
    const int *known = game_note(p->game, &owner);
    p->knows_goals = true;
    if (known) {
        p->impossible = *known;
    } else if (p->unrolling.circuit->aig.nodes.count <= MAX_GOAL_GATES &&
               find_impossible_goals(p)) {
        int *note = memory_alloc(sizeof *note);
        *note = p->impossible;
        game_keep_note(p->game, &owner, note, free);
    }
}

/* ---- questions ---- */

/* Lays out so many turns. False if time was too short. */
static bool lay_out(Planner *p, uint32_t turns) {
    if (!p->unrolling.turns.count)
        unrolling_begin(&p->unrolling, &p->state);
    while (p->unrolling.turns.count <= turns && can_grow(p)) {
        if (search_must_stop(p->budget))
            return false;
        unrolling_add_turn(&p->unrolling);
    }
    return true;
}

/* Chooses which of the moves to make first: a legal one, and if possible one that does not end the
 * match, since moves planned together are all made before the end. If all legal moves end the
 * match, it is the one with the best goal. Returns the number of moves if none is legal. */
static size_t choose_first(GameWork *work, const State *state, const U32Vector *moves) {
    U32Vector legal = {0};
    State next = {0};
    size_t chosen = moves->count;
    int best = INT32_MIN; /* goal after the chosen move */
    game_legal(work, state, 0, &legal);
    for (size_t i = 0; i < moves->count && best < INT32_MAX; i++) {
        if (!u32_contains(&legal, moves->items[i]))
            continue;
        game_next(work, state, &moves->items[i], &next);
        int goal = game_is_terminal(work, &next) ? game_goal(work, &next, 0) : INT32_MAX;
        chosen = goal > best ? i : chosen;
        best = goal > best ? goal : best;
    }
    vector_free(&legal);
    state_free(&next);
    return chosen;
}

/* Makes one of the moves that is legal now; false if none is. */
static bool make_one(GameWork *work, State *state, U32Vector *moves, U32Vector *line) {
    size_t chosen = choose_first(work, state, moves);
    if (chosen == moves->count)
        return false;
    uint32_t move = moves->items[chosen];
    moves->items[chosen] = moves->items[--moves->count];
    vector_push(line, move);
    game_next(work, state, &move, state);
    return true;
}

/* Tries moves planned together where they are to be made, to find pairs that interfere. */
static void look_at_planned(Planner *p, GameWork *work, const State *state,
                            const U32Vector *moves) {
    U32Vector legal = {0}, both = {0};
    game_legal(work, state, 0, &legal);
    for (size_t i = 0; i < moves->count; i++)
        if (u32_contains(&legal, moves->items[i]))
            vector_push(&both, moves->items[i]);
    interference_look(&p->interference, work, state, both.items, both.count);
    vectors_free(&legal, &both);
}

/* Plays the plan by the rules and returns the goal, or GOAL_NONE. In the first `turns_to_look_at`
 * turns it also tries the planned moves, to find interfering ones. */
static int play_plan(Planner *p, GameWork *work, size_t turns_to_look_at, U32Vector *line) {
    State state = {0};
    U32Vector moves = {0};
    state_copy(&state, &p->state);
    for (size_t t = 0; t < p->unrolling.turns.count && !game_is_terminal(work, &state); t++) {
        unrolling_planned(&p->unrolling, t, &moves);
        if (t < turns_to_look_at)
            look_at_planned(p, work, &state, &moves);
        while (moves.count && !game_is_terminal(work, &state) && !search_must_stop(p->budget) &&
               make_one(work, &state, &moves, line))
            ; /* in some legal order, as far as there is one */
    }
    int goal = game_is_terminal(work, &state) ? game_goal(work, &state, 0) : GOAL_NONE;
    vector_free(&moves);
    state_free(&state);
    return goal;
}

/* Plays the plan and keeps its line if it reaches the goal. False if it does not and no new
 * interfering pair was found. */
static bool take_plan(Planner *p, PlanKind kind, int least) {
    GameWork *work = game_work_create(p->game, REASONER_AUTO);
    U32Vector line = {0};
    size_t pairs = p->interference.pairs.count;
    int goal = play_plan(p, work, 0, &line);
    if (goal >= least) {
        vector_free(&p->result.line);
        p->result.line = line;
        p->result.has_line = true;
        p->result.score = p->score = goal;
    } else {
        if (kind == PLANS_TOGETHER)
            play_plan(p, work, unrolling_turns_together(&p->unrolling), &line);
        vector_free(&line);
        unrolling_tell_new_pairs(&p->unrolling);
    }
    game_work_free(work);
    return goal >= least || p->interference.pairs.count > pairs;
}

static SatAnswer ask(Planner *p, Signal reached, PlanKind kind) {
    if (reached == SIGNAL_FALSE)
        return SAT_REFUTED;
    uint32_t conflicts = FIRST_CONFLICTS << (p->rounds < 20 ? p->rounds : 20);
    if (p->budget->playouts && p->budget->playouts < conflicts)
        conflicts = (uint32_t)p->budget->playouts;
    Clauses *clauses = &p->unrolling.clauses;
    int in_turn = p->unrolling.one_move_literal;
    clauses_assume(clauses, clauses_literal(clauses, reached));
    clauses_assume(clauses, kind == PLANS_IN_TURN ? in_turn : -in_turn);
    SatAnswer answer = clauses_solve(clauses, conflicts);
    p->result.playouts += answer == SAT_UNKNOWN && !search_must_stop(p->budget) ? conflicts : 1;
    return answer;
}

static void refute(Planner *p, size_t horizon, PlanKind kind, int least) {
    for (size_t h = 0; h <= horizon; h++)
        if (p->horizons.items[h].refuted[kind] > least)
            p->horizons.items[h].refuted[kind] = least;
}

static bool can_ask(const Planner *p, const Horizon *horizon, PlanKind kind, int least) {
    if (horizon->refuted[kind] <= least || p->false_plans[kind] >= MAX_FALSE_PLANS)
        return false;
    return kind == PLANS_IN_TURN ||
           (horizon->turns <= UNROLL_MAX_TOGETHER && p->unrolling.has_together &&
            p->interference.pairs.count < MAX_PAIRS);
}

/* The goal that the next question asks for. Two rounds ask for the best goal that is still open,
 * the next two for any improvement. If turns cannot be added and the best goal is refuted for this
 * kind of plan, it is always any improvement. */
static int goal_to_ask_for(const Planner *p, PlanKind kind) {
    const Horizon *last = farthest(p);
    int greatest = greatest_open(p);
    bool wants_best = p->score < 0 || p->rounds / PLAN_KINDS % 2 == 0;
    bool is_hopeless = last && last->refuted[kind] <= greatest;
    return wants_best && !is_hopeless ? greatest : p->score + 1;
}

static void ask_about(Planner *p, size_t horizon) {
    const Horizon *h = &p->horizons.items[horizon];
    PlanKind kind = p->rounds % PLAN_KINDS;
    int least = goal_to_ask_for(p, kind);
    while (can_ask(p, h, kind, least) && p->score < least && !search_must_stop(p->budget)) {
        SatAnswer answer = ask(p, unrolling_reaches(&p->unrolling, h->turns, least), kind);
        if (answer == SAT_REFUTED)
            refute(p, horizon, kind, least);
        if (answer != SAT_FOUND)
            return;
        p->false_plans[kind] += !take_plan(p, kind, least) && !search_must_stop(p->budget);
    }
}

static void add_horizon(Planner *p) {
    uint32_t last = p->horizons.count ? p->horizons.items[p->horizons.count - 1].turns : 0;
    uint32_t turns = last < SHORT_PLAN ? last + 1 : last + last / 2;
    if (last < p->usual_turns && turns > p->usual_turns)
        turns = p->usual_turns;
    vector_push(&p->horizons, ((Horizon){turns, {INT32_MAX, INT32_MAX}}));
}

/* Asks one question, or does one step of the preparations for it. */
static void step(Planner *p) {
    if (!p->knows_goals) {
        look_for_impossible_goals(p);
        return;
    }
    if (p->trials < TRIALS) {
        look_around(p);
        return;
    }
    if (p->next_horizon == p->horizons.count)
        add_horizon(p);
    if (!lay_out(p, p->horizons.items[p->next_horizon].turns))
        return;
    ask_about(p, p->next_horizon);
    if (search_must_stop(p->budget))
        return;
    const Horizon *asked = &p->horizons.items[p->next_horizon++];
    bool is_newest = p->next_horizon == p->horizons.count;
    if (!is_newest || (asked->turns < p->usual_turns && asked != farthest(p)))
        return;
    /* No plan of the usual length was found so far: every fourth round adds a longer horizon. */
    p->next_horizon = 0;
    p->rounds++;
    if (p->rounds % (2 * PLAN_KINDS) == 0 && asked != farthest(p))
        add_horizon(p);
}

bool planner_is_done(const Planner *p) {
    const Horizon *last = farthest(p);
    return p->score >= greatest_open(p) || (last && last->refuted[PLANS_IN_TURN] <= p->score + 1) ||
           p->false_plans[PLANS_IN_TURN] >= MAX_FALSE_PLANS;
}

void planner_run(Planner *p, const SearchBudget *budget) {
    double started = clock_thread_cpu_seconds();
    uint64_t before = p->result.playouts;
    p->budget = budget;
    while (!planner_is_done(p) && !search_must_stop(budget) &&
           !(budget->playouts && p->result.playouts - before >= budget->playouts))
        step(p);
    p->result.is_best = p->score >= 0 && p->score >= greatest_open(p);
    p->result.cpu_seconds += clock_thread_cpu_seconds() - started;
}

void planner_set_score(Planner *p, int score) {
    p->score = score > p->score ? score : p->score;
}

const NestedResult *planner_result(const Planner *p) {
    return &p->result;
}

Planner *planner_create(Game *game, const State *from) {
    assert(game->role_count == 1);
    const Circuit *c = game->circuit;
    if (!c || c->aig.nodes.count > MAX_TURN_GATES)
        return NULL;
    Planner *p = memory_zalloc(sizeof *p);
    p->game = game;
    p->score = -1;
    p->impossible = INT32_MAX;
    GameWork *work = game_work_create(game, REASONER_AUTO);
    game_start(work, from, &p->state);
    interference_init(&p->interference, c->move_count);
    game_work_free(work);
    random_seed(&p->random, 0);
    unrolling_init(&p->unrolling, game, &p->interference, must_stop, p);
    return p;
}

void planner_free(Planner *p) {
    if (!p)
        return;
    unrolling_free(&p->unrolling);
    interference_free(&p->interference);
    vector_free(&p->horizons);
    state_free(&p->state);
    nested_result_free(&p->result);
    free(p);
}

void planner_solve(Game *game, const State *from, const SearchBudget *budget,
                   NestedResult *result) {
    Planner *p = planner_create(game, from);
    *result = (NestedResult){0};
    if (!p)
        return;
    planner_run(p, budget);
    *result = p->result;
    p->result.line = (U32Vector){0};
    planner_free(p);
}
