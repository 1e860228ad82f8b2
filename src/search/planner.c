#include "search/planner.h"

#include <assert.h>
#include <string.h>

#include "circuit/clauses.h"
#include "circuit/together.h"
#include "game/goal.h"
#include "search/interference.h"

enum {
    MOST_GATES = 300000,  /* of the circuit: one turn must be laid out in a moment */
    MOST_NODES = 1500000, /* of all turns: the solver needs some 300 bytes for each */
    MOST_TURNS = 1000,
    FIRST_CONFLICTS = 100,    /* for a question of the first round */
    MOST_TURNS_TOGETHER = 16, /* of plans with several moves a turn */
    MOST_PAIRS = 500000,      /* of moves that interfere */
    MOST_TRIED = 10000,       /* moves, in random matches, for what gets in the way of what */
    MOST_FALSE_PLANS = 3,     /* that recursion without a ground makes the solver believe in */
    TRIALS = 16,              /* random matches that tell how long one may last */
    SHORT_PLAN = 3            /* up to here every length is asked for */
};

typedef struct {
    uint32_t move;
    Signal does;
} PlannedMove;

/* One state of the plan, and the move made in it. */
typedef struct {
    Signal ends;               /* this state is the first that is terminal, and has one goal */
    Signal lasts;              /* neither this state nor one before is terminal */
    Signal *goals;             /* by `values` of the planner */
    VECTOR(PlannedMove) moves; /* that can be legal here; none before the move was laid out */
} Frame;

/* Where many moves may come in any order, most plans are the same plan told in another order, and a
 * solver refutes them one by one. So half of the questions allow several moves in one turn, as long
 * as none is seen to get in the way of another; they are made one after the other in the end. */
typedef enum { PLANS_TOGETHER, PLANS_IN_TURN, PLAN_KINDS } PlanKind;

typedef struct {
    uint32_t turns;
    int refuted[PLAN_KINDS]; /* no plan of so many turns or fewer has this goal or a better one */
} Horizon;

struct Planner {
    Game *game;
    const Circuit *circuit;
    State state;
    Aig aig;
    Clauses clauses;
    Signal *map; /* scratch, by node of the circuit */
    Together together;
    bool has_together;
    Signal *together_map;    /* scratch, by node of its graph */
    uint8_t *together_all;   /* all of its nodes */
    uint8_t *judging, *rest; /* nodes of the circuit that legal, terminal and goals need; others */
    Signal *fluents;         /* of the last frame */
    VECTOR(int) values;      /* of goals, one for each goal of the circuit */
    VECTOR(Frame) frames;
    bool is_complete; /* after the last frame every match is over */
    VECTOR(Horizon) horizons;
    size_t next_horizon;  /* to ask about in this round */
    uint32_t usual_turns; /* half as long again as the longest of a few random matches */
    Random random;
    unsigned trials; /* such matches */
    size_t tried;    /* moves in them */
    unsigned rounds;
    int score;   /* to beat */
    int in_turn; /* literal: one move at a time */
    Interference interference;
    size_t pairs_told; /* of interference, to the solver */
    unsigned false_plans[PLAN_KINDS];
    const SearchBudget *budget; /* while it runs */
    NestedResult result;
};

static bool is_stopped(const SearchBudget *budget) {
    return search_is_stopped(budget) || deadline_passed(budget->deadline);
}

static int must_stop(void *context) {
    const Planner *p = context;
    return is_stopped(p->budget);
}

/* ---- looking around ---- */

/* A random match, in which all moves are tried on the way as long as that takes no time. */
static void look_around(Planner *p) {
    GameWork *work = game_work(p->game, REASONER_AUTO);
    State state = {0};
    U32Vector legal = {0};
    uint32_t turns = 0, one;
    state_copy(&state, &p->state);
    do {
        game_legal(work, &state, 0, &legal);
        p->tried += legal.count;
        if (p->tried <= MOST_TRIED)
            interference_look(&p->interference, work, &state, legal.items, legal.count);
        turns++;
    } while (turns < MOST_TURNS && !is_stopped(p->budget) &&
             game_play_randomly(work, &state, &p->random, 1, &one) == MATCH_TOO_LONG);
    turns += turns / 2;
    p->usual_turns = turns > p->usual_turns ? turns : p->usual_turns;
    p->pairs_told = p->interference.pairs.count;
    p->trials++;
    vector_free(&legal);
    state_free(&state);
    game_work_free(work);
}

/* ---- laying out turns ---- */

/* What has to be known of a state before moves are made, and what the moves make of it: only what
 * can be legal gets an input. */
static void split_circuit(Planner *p) {
    const Circuit *c = p->circuit;
    U32Vector outputs = {0};
    for (uint32_t m = 0; m < c->move_count; m++)
        vector_push(&outputs, c->legal[m]);
    vector_push(&outputs, c->terminal);
    for (size_t g = 0; g < c->goals.count; g++)
        vector_push(&outputs, c->goals.items[g].signal);
    p->judging = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, outputs.items, outputs.count, p->judging);
    p->rest = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, c->next, c->fluent_count, p->rest);
    for (size_t n = 0; n < c->aig.nodes.count; n++)
        p->rest[n] = p->rest[n] && !p->judging[n];
    vector_free(&outputs);
}

static void begin_plan(Planner *p) {
    const Circuit *c = p->circuit;
    p->map = memory_alloc(c->aig.nodes.count * sizeof *p->map);
    p->fluents = memory_alloc(c->fluent_count * sizeof *p->fluents);
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        bool holds = f / 64 < p->state.word_count && p->state.words[f / 64] >> f % 64 & 1;
        p->fluents[f] = holds ? SIGNAL_TRUE : SIGNAL_FALSE;
    }
    split_circuit(p);
    p->has_together = p->interference.words && together_build(&p->together, c);
    if (p->has_together) {
        size_t nodes = p->together.aig.nodes.count;
        p->together_map = memory_alloc(nodes * sizeof *p->together_map);
        p->together_all = memory_alloc(nodes);
        memset(p->together_all, 1, nodes);
    }
}

/* Terminal, legal and goals of the state that the last moves led to. */
static void add_state(Planner *p) {
    const Circuit *c = p->circuit;
    Frame frame = {.goals = memory_alloc((c->goals.count + 1) * sizeof *frame.goals)};
    memset(p->map, 0xff, c->aig.nodes.count * sizeof *p->map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        p->map[signal_node(c->fluents[f])] = p->fluents[f];
    aig_copy_marked(&p->aig, &c->aig, p->judging, p->map);
    Signal terminal = signal_mapped(p->map, c->terminal);
    Signal lasted = p->frames.count ? p->frames.items[p->frames.count - 1].lasts : SIGNAL_TRUE;
    for (size_t g = 0; g < c->goals.count; g++)
        frame.goals[g] = signal_mapped(p->map, c->goals.items[g].signal);
    Signal one, two;
    aig_count(&p->aig, frame.goals, c->goals.count, &one, &two);
    frame.lasts = aig_and(&p->aig, lasted, signal_not(terminal));
    frame.ends = aig_and(&p->aig, aig_and(&p->aig, lasted, terminal), signal_not(two));
    vector_push(&p->frames, frame);
    p->is_complete = frame.lasts == SIGNAL_FALSE;
}

/* Moves are legal, one is made while the match lasts, and no more if they come in turn. */
static void require_move(Planner *p, const Frame *frame) {
    Clauses *c = &p->clauses;
    U32Vector signals = {0};
    for (size_t i = 0; i < frame->moves.count; i++) {
        Signal legal = signal_mapped(p->map, p->circuit->legal[frame->moves.items[i].move]);
        Signal done = frame->moves.items[i].does;
        vector_push(&signals, done);
        if (legal != SIGNAL_TRUE)
            clauses_add(c, (int[]){-clauses_literal(c, done), clauses_literal(c, legal)}, 2);
    }
    Signal one, two;
    aig_count(&p->aig, signals.items, signals.count, &one, &two);
    clauses_add(c, (int[]){-p->in_turn, -clauses_literal(c, two)}, 2);
    clauses_add(c, (int[]){-clauses_literal(c, frame->lasts), clauses_literal(c, one)}, 2);
    vector_free(&signals);
}

static Signal does(const Frame *frame, uint32_t move) {
    size_t low = 0, high = frame->moves.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (frame->moves.items[middle].move < move)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < frame->moves.count && frame->moves.items[low].move == move;
    return found ? frame->moves.items[low].does : SIGNAL_FALSE;
}

static void keep_apart(Planner *p, const Frame *frame, MovePair pair) {
    Clauses *c = &p->clauses;
    Signal a = does(frame, pair.move), b = does(frame, pair.other);
    if (a != SIGNAL_FALSE && b != SIGNAL_FALSE)
        clauses_add(c, (int[]){-clauses_literal(c, a), -clauses_literal(c, b)}, 2);
}

/* Turns that have moves and in which several of them may be made. */
static size_t turns_together(const Planner *p) {
    size_t turns = p->frames.count ? p->frames.count - 1 : 0;
    return turns < MOST_TURNS_TOGETHER ? turns : MOST_TURNS_TOGETHER;
}

static void tell_new_pairs(Planner *p) {
    for (; p->pairs_told < p->interference.pairs.count; p->pairs_told++)
        for (size_t t = 0; t < turns_together(p); t++)
            keep_apart(p, &p->frames.items[t], p->interference.pairs.items[p->pairs_told]);
}

static void follow_one(Planner *p) {
    const Circuit *c = p->circuit;
    aig_copy_marked(&p->aig, &c->aig, p->rest, p->map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        p->fluents[f] = signal_mapped(p->map, c->next[f]);
}

static void follow_together(Planner *p, const Frame *frame) {
    const Circuit *c = p->circuit;
    const Together *t = &p->together;
    for (size_t i = 0; i < p->pairs_told; i++)
        keep_apart(p, frame, p->interference.pairs.items[i]);
    memset(p->together_map, 0xff, t->aig.nodes.count * sizeof *p->together_map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        p->together_map[signal_node(t->fluents[f])] = p->fluents[f];
    for (uint32_t m = 0; m < c->move_count; m++)
        p->together_map[signal_node(t->moves[m])] = signal_mapped(p->map, c->moves[m]);
    aig_copy_marked(&p->aig, &t->aig, p->together_all, p->together_map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        p->fluents[f] = signal_mapped(p->together_map, t->next[f]);
}

static void add_move(Planner *p) {
    const Circuit *c = p->circuit;
    Frame *frame = &p->frames.items[p->frames.count - 1];
    for (uint32_t m = 0; m < c->move_count; m++) {
        bool possible = signal_mapped(p->map, c->legal[m]) != SIGNAL_FALSE;
        Signal done = possible ? aig_input(&p->aig) : SIGNAL_FALSE;
        p->map[signal_node(c->moves[m])] = done;
        if (possible)
            vector_push(&frame->moves, ((PlannedMove){m, done}));
    }
    require_move(p, frame);
    if (p->has_together && p->frames.count <= MOST_TURNS_TOGETHER)
        follow_together(p, frame);
    else
        follow_one(p);
}

static bool can_grow(const Planner *p) {
    return !p->is_complete && p->aig.nodes.count < MOST_NODES && p->frames.count <= MOST_TURNS;
}

/* False if the time was not enough. */
static bool lay_out(Planner *p, uint32_t turns) {
    if (!p->frames.count) {
        begin_plan(p);
        add_state(p);
    }
    while (p->frames.count <= turns && can_grow(p)) {
        if (is_stopped(p->budget))
            return false;
        add_move(p);
        add_state(p);
    }
    return true;
}

/* ---- questions ---- */

/* An end within so many turns, with this goal or a better one. */
static Signal reaches(Planner *p, uint32_t turns, int least) {
    U32Vector ends = {0}, goals = {0};
    for (uint32_t t = 0; t <= turns && t < p->frames.count; t++) {
        const Frame *frame = &p->frames.items[t];
        vector_clear(&goals);
        for (size_t g = 0; g < p->values.count; g++)
            if (p->values.items[g] >= least)
                vector_push(&goals, frame->goals[g]);
        Signal good = aig_or_many(&p->aig, goals.items, goals.count);
        vector_push(&ends, aig_and(&p->aig, frame->ends, good));
    }
    Signal any = aig_or_many(&p->aig, ends.items, ends.count);
    vector_free(&ends);
    vector_free(&goals);
    return any;
}

static void planned_moves(const Planner *p, const Frame *frame, U32Vector *moves) {
    vector_clear(moves);
    for (size_t i = 0; i < frame->moves.count; i++)
        if (clauses_is_true(&p->clauses, frame->moves.items[i].does))
            vector_push(moves, frame->moves.items[i].move);
}

/* Makes one of the moves that is legal now; false if none is. */
static bool make_one(GameWork *work, State *state, U32Vector *moves, U32Vector *line) {
    U32Vector legal = {0};
    size_t chosen = moves->count;
    game_legal(work, state, 0, &legal);
    for (size_t i = 0; i < moves->count && chosen == moves->count; i++)
        for (size_t l = 0; l < legal.count; l++)
            if (legal.items[l] == moves->items[i])
                chosen = i;
    vector_free(&legal);
    if (chosen == moves->count)
        return false;
    uint32_t move = moves->items[chosen];
    moves->items[chosen] = moves->items[--moves->count];
    vector_push(line, move);
    game_next(work, state, &move, state);
    return true;
}

/* Plays what was found by the rules: only what really happens counts. The goal, or GOAL_NONE. */
static int play_plan(const Planner *p, GameWork *work, U32Vector *line) {
    State state = {0};
    U32Vector moves = {0};
    state_copy(&state, &p->state);
    for (size_t t = 0; t < p->frames.count && !game_is_terminal(work, &state); t++) {
        planned_moves(p, &p->frames.items[t], &moves);
        while (moves.count && !game_is_terminal(work, &state))
            if (!make_one(work, &state, &moves, line))
                break;
    }
    int goal = game_is_terminal(work, &state) ? game_goal(work, &state, 0) : GOAL_NONE;
    vector_free(&moves);
    state_free(&state);
    return goal;
}

/* Tries the moves that were planned together where they were to be made. */
static void learn_from_plan(Planner *p, GameWork *work) {
    State state = {0};
    U32Vector moves = {0}, legal = {0}, both = {0}, line = {0};
    state_copy(&state, &p->state);
    for (size_t t = 0; t < turns_together(p) && !game_is_terminal(work, &state); t++) {
        planned_moves(p, &p->frames.items[t], &moves);
        game_legal(work, &state, 0, &legal);
        vector_clear(&both);
        for (size_t i = 0; i < moves.count; i++)
            for (size_t l = 0; l < legal.count; l++)
                if (legal.items[l] == moves.items[i])
                    vector_push(&both, moves.items[i]);
        interference_look(&p->interference, work, &state, both.items, both.count);
        while (moves.count && !game_is_terminal(work, &state))
            if (!make_one(work, &state, &moves, &line))
                break;
    }
    vector_free(&moves);
    vector_free(&legal);
    vector_free(&both);
    vector_free(&line);
    state_free(&state);
}

/* False if nothing came of it and nothing was learnt. */
static bool take_plan(Planner *p, PlanKind kind, int least) {
    GameWork *work = game_work(p->game, REASONER_AUTO);
    U32Vector line = {0};
    size_t pairs = p->interference.pairs.count;
    int goal = play_plan(p, work, &line);
    if (goal >= least) {
        vector_free(&p->result.line);
        p->result.line = line;
        p->result.has_line = true;
        p->result.score = p->score = goal;
    } else {
        vector_free(&line);
        if (kind == PLANS_TOGETHER)
            learn_from_plan(p, work);
        tell_new_pairs(p);
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
    clauses_assume(&p->clauses, clauses_literal(&p->clauses, reached));
    clauses_assume(&p->clauses, kind == PLANS_IN_TURN ? p->in_turn : -p->in_turn);
    SatAnswer answer = clauses_solve(&p->clauses, conflicts);
    p->result.playouts += answer == SAT_UNKNOWN && !is_stopped(p->budget) ? conflicts : 1;
    return answer;
}

/* The one after which no turn can be laid out; NULL if it is not reached yet. */
static const Horizon *farthest(const Planner *p) {
    const Horizon *last = p->horizons.count ? &p->horizons.items[p->horizons.count - 1] : NULL;
    return last && !can_grow(p) && last->turns + 1 >= p->frames.count ? last : NULL;
}

/* The greatest goal that is not refuted for all lengths; -1 if there is none. */
static int greatest_open(const Planner *p) {
    const Horizon *last = p->is_complete ? farthest(p) : NULL;
    int greatest = -1;
    for (size_t g = 0; g < p->values.count; g++)
        if (p->values.items[g] > greatest &&
            !(last && p->values.items[g] >= last->refuted[PLANS_IN_TURN]))
            greatest = p->values.items[g];
    return greatest;
}

static void refute(Planner *p, size_t horizon, PlanKind kind, int least) {
    for (size_t h = 0; h <= horizon; h++)
        if (p->horizons.items[h].refuted[kind] > least)
            p->horizons.items[h].refuted[kind] = least;
}

static bool can_ask(const Planner *p, const Horizon *horizon, PlanKind kind, int least) {
    if (horizon->refuted[kind] <= least || p->false_plans[kind] >= MOST_FALSE_PLANS)
        return false;
    return kind == PLANS_IN_TURN || (horizon->turns <= MOST_TURNS_TOGETHER && p->has_together &&
                                     p->interference.pairs.count < MOST_PAIRS);
}

/* The best there is in two rounds, anything better than what is in hand in the next two. */
static void ask_about(Planner *p, size_t horizon) {
    const Horizon *h = &p->horizons.items[horizon];
    PlanKind kind = p->rounds % PLAN_KINDS;
    bool wants_best = p->score < 0 || p->rounds / PLAN_KINDS % 2 == 0;
    int least = wants_best ? greatest_open(p) : p->score + 1;
    while (can_ask(p, h, kind, least) && p->score < least && !is_stopped(p->budget)) {
        SatAnswer answer = ask(p, reaches(p, h->turns, least), kind);
        if (answer == SAT_REFUTED)
            refute(p, horizon, kind, least);
        if (answer != SAT_FOUND)
            return;
        p->false_plans[kind] += !take_plan(p, kind, least);
    }
}

static void add_horizon(Planner *p) {
    uint32_t last = p->horizons.count ? p->horizons.items[p->horizons.count - 1].turns : 0;
    uint32_t turns = last < SHORT_PLAN ? last + 1 : last + last / 2;
    if (last < p->usual_turns && turns > p->usual_turns)
        turns = p->usual_turns;
    vector_push(&p->horizons, ((Horizon){turns, {INT32_MAX, INT32_MAX}}));
}

/* One question, or one step of the way to it. */
static void step(Planner *p) {
    if (p->trials < TRIALS) {
        look_around(p);
        return;
    }
    if (p->next_horizon == p->horizons.count)
        add_horizon(p);
    if (!lay_out(p, p->horizons.items[p->next_horizon].turns))
        return;
    ask_about(p, p->next_horizon);
    if (is_stopped(p->budget))
        return;
    const Horizon *asked = &p->horizons.items[p->next_horizon++];
    bool is_newest = p->next_horizon == p->horizons.count;
    if (!is_newest || (asked->turns < p->usual_turns && asked != farthest(p)))
        return;
    /* The usual length was right for nothing so far: every fourth round looks farther. */
    p->next_horizon = 0;
    p->rounds++;
    if (p->rounds % (2 * PLAN_KINDS) == 0 && asked != farthest(p))
        add_horizon(p);
}

bool planner_is_done(const Planner *p) {
    const Horizon *last = farthest(p);
    return p->score >= greatest_open(p) || (last && last->refuted[PLANS_IN_TURN] <= p->score + 1) ||
           p->false_plans[PLANS_IN_TURN] >= MOST_FALSE_PLANS;
}

void planner_run(Planner *p, const SearchBudget *budget) {
    double started = clock_thread_cpu_seconds();
    uint64_t before = p->result.playouts;
    p->budget = budget;
    while (!planner_is_done(p) && !is_stopped(budget) &&
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

static void list_values(Planner *p) {
    const Terms *terms = grounding_terms(p->game->grounding);
    for (size_t g = 0; g < p->circuit->goals.count; g++)
        vector_push(&p->values, goal_join(GOAL_NONE, terms, p->circuit->goals.items[g].term));
}

Planner *planner_create(Game *game, const State *from) {
    assert(game->role_count == 1);
    const Circuit *c = game->circuit;
    if (!c || c->aig.nodes.count > MOST_GATES)
        return NULL;
    Planner *p = memory_zalloc(sizeof *p);
    p->game = game;
    p->circuit = c;
    p->score = -1;
    GameWork *work = game_work(game, REASONER_AUTO);
    if (from)
        state_copy(&p->state, from);
    else
        game_initial(work, &p->state);
    interference_init(&p->interference, c->move_count);
    game_work_free(work);
    random_seed(&p->random, 0);
    aig_init(&p->aig);
    clauses_init(&p->clauses, &p->aig, must_stop, p);
    p->in_turn = clauses_fresh_literal(&p->clauses);
    list_values(p);
    return p;
}

void planner_free(Planner *p) {
    if (!p)
        return;
    for (size_t t = 0; t < p->frames.count; t++) {
        free(p->frames.items[t].goals);
        vector_free(&p->frames.items[t].moves);
    }
    vector_free(&p->frames);
    vector_free(&p->horizons);
    interference_free(&p->interference);
    vector_free(&p->values);
    clauses_free(&p->clauses);
    aig_free(&p->aig);
    if (p->has_together)
        together_free(&p->together);
    free(p->together_map);
    free(p->together_all);
    free(p->map);
    free(p->judging);
    free(p->rest);
    free(p->fluents);
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
