/* The network is split. One table has the weights by fact and node, with shares of facts folded in.
 * Conjunctions have counters and weights of their own. Edges among nodes form a network of their
 * own. Legal moves are counted anew for every state, in lanes; they do not enter the sums that are
 * kept from state to state. */
#include "learn/play/evaluator.h"

#include <string.h>

#include "base/bitset.h"
#include "base/cpu.h"
#include "learn/data/fluents.h"
#include "learn/data/mobility.h"
#include "learn/networks/policy_model.h"

/* Constants of this module. */
enum {
    REFRESH =
        1024,    /* states after which sums are computed anew, against rounding errors (untuned) */
    PADDING = 16 /* rows of weights have a multiple of this number of floats */
};

struct Evaluator {
    const Model *model;
    Features conjunctions; /* features with several literals */
    FeatureIndex index;    /* index of the conjunctions by fact */
    uint32_t nodes, width; /* width: number of nodes rounded up to a multiple of PADDING */
    float *fact_rows;      /* by fact: its weights to each node */
    float *rows;           /* by conjunction: its weights to each node */
    float *move_rows;      /* by group of moves: the weights of one legal move */
    float *biases;         /* by node */
    Network inner;         /* edges among nodes; their sources are numbers of nodes */
};

struct EvaluatorWork {
    const Evaluator *evaluator;
    Game *game;
    GameWork *questions;
    Symbol *facts;     /* by fluent: its fact in the model */
    uint32_t *fluents; /* by fact: its fluent in the game */
    uint32_t fluent_count;
    uint64_t *last; /* the state to which counters and sums belong */
    uint32_t words;
    int32_t *counters;
    float *sums, *values, *with_moves; /* with_moves: sums plus the weights of legal moves */
    uint32_t age;                      /* states since the sums were computed anew */
    U32Vector legal;
    uint32_t *joint;

    LaneBatch *batch;              /* states in lanes; made when first needed */
    float *lane_sums, *lane_nodes; /* by lane and node; by node and lane */
    Mobility mobility;             /* made with the batch if the model counts moves */
    uint32_t *legal_counts;        /* by lane and group of moves */
};

/* ---- the evaluator ---- */

/* Adds a literal with a weight, which counts if its fact holds or, if negated, does not. */
static void add_literal(Evaluator *e, FactLiteral literal, uint32_t node, float weight) {
    float *row = e->fact_rows + (size_t)literal_fact(literal) * e->width;
    row[node] += literal_is_absence(literal) ? -weight : weight;
    e->biases[node] += literal_is_absence(literal) ? weight : 0;
}

static void add_edge(Evaluator *e, const uint32_t *conjunction_of, NetworkEdge edge,
                     uint32_t node) {
    const Features *features = &e->model->features;
    const Feature *feature = &features->items.items[edge.from];
    if (feature->kind == FEATURE_MOVES) {
        e->move_rows[(size_t)feature->first * e->width + node] +=
            edge.weight / (float)feature->count;
        return;
    }
    if (conjunction_of[edge.from] != UINT32_MAX) {
        e->rows[(size_t)conjunction_of[edge.from] * e->width + node] += edge.weight;
        return;
    }
    for (uint32_t k = 0; k < feature->count; k++)
        add_literal(e, features->literals.items[feature->first + k], node,
                    edge.weight / (float)feature->count);
}

static void take_network_apart(Evaluator *e, const uint32_t *conjunction_of) {
    const Network *n = &e->model->network;
    size_t facts = e->model->facts.names.count;
    e->nodes = (uint32_t)n->nodes.count;
    e->width = (e->nodes + PADDING - 1) / PADDING * PADDING;
    e->fact_rows = memory_zalloc((facts * e->width + 1) * sizeof *e->fact_rows);
    e->rows = memory_zalloc((e->conjunctions.items.count * e->width + 1) * sizeof *e->rows);
    e->move_rows =
        memory_zalloc((e->model->features.groups.count * e->width + 1) * sizeof *e->move_rows);
    e->biases = memory_zalloc((e->width + 1) * sizeof *e->biases);
    for (uint32_t i = 0; i < e->nodes; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        e->biases[i] += node->bias;
        network_add_node(&e->inner, node->activation, 0);
        for (uint32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++) {
            NetworkEdge edge = n->edges.items[k];
            if (edge.from < n->input_count)
                add_edge(e, conjunction_of, edge, i);
            else
                network_add_edge(&e->inner, edge.from - n->input_count, edge.weight);
        }
    }
}

Evaluator *evaluator_create(const Model *model) {
    Evaluator *e = memory_zalloc(sizeof *e);
    const Features *features = &model->features;
    uint32_t *conjunction_of = memory_alloc((features->items.count + 1) * sizeof *conjunction_of);
    e->model = model;
    for (size_t i = 0; i < features->items.count; i++) {
        const Feature *feature = &features->items.items[i];
        bool is_conjunction = feature->kind == FEATURE_ALL && feature->count > 1;
        conjunction_of[i] = is_conjunction ? (uint32_t)e->conjunctions.items.count : UINT32_MAX;
        if (is_conjunction)
            features_add(&e->conjunctions, FEATURE_ALL, features->literals.items + feature->first,
                         feature->count);
    }
    feature_index_create(&e->index, &e->conjunctions, (uint32_t)model->facts.names.count);
    take_network_apart(e, conjunction_of);
    free(conjunction_of);
    return e;
}

void evaluator_free(Evaluator *e) {
    if (!e)
        return;
    features_free(&e->conjunctions);
    feature_index_free(&e->index);
    network_free(&e->inner);
    memory_free(e->fact_rows, e->rows, e->move_rows, e->biases, e);
}

/* ---- one thread's memory ---- */

static uint32_t group_count(const Evaluator *e) {
    return (uint32_t)e->model->features.groups.count;
}

static void open_lanes(EvaluatorWork *w) {
    const Evaluator *e = w->evaluator;
    w->batch = lane_batch_create(w->game);
    lane_batch_clear(w->batch);
    w->lane_sums = memory_zalloc(((size_t)LANES * e->width + 1) * sizeof *w->lane_sums);
    w->lane_nodes = memory_zalloc(((size_t)LANES * e->nodes + 1) * sizeof *w->lane_nodes);
    if (!group_count(e))
        return;
    mobility_create(&w->mobility, &e->model->features, w->game);
    w->legal_counts = memory_zalloc((size_t)LANES * group_count(e) * sizeof *w->legal_counts);
}

EvaluatorWork *evaluator_work(const Evaluator *e, Game *game) {
    EvaluatorWork *w = memory_zalloc(sizeof *w);
    w->evaluator = e;
    w->game = game;
    w->questions = game_work_create(game, REASONER_AUTO);
    w->fluent_count = game_has_circuit(game) ? game->circuit->fluent_count : 0;
    w->fluents = fluents_of_facts(game, &e->model->facts, &w->facts);
    w->words = (uint32_t)bitset_words(w->fluent_count);
    w->last = memory_zalloc((w->words + 1) * sizeof *w->last);
    w->counters = memory_zalloc((e->index.feature_count + 1) * sizeof *w->counters);
    w->sums = memory_zalloc((3 * (size_t)e->width + 1) * sizeof *w->sums);
    w->values = w->sums + e->width;
    w->with_moves = w->values + e->width;
    w->age = REFRESH;
    w->joint = memory_zalloc((game->role_count + 1) * sizeof *w->joint);
    return w;
}

void evaluator_work_free(EvaluatorWork *w) {
    if (!w)
        return;
    game_work_free(w->questions);
    lane_batch_free(w->batch);
    memory_free(w->facts, w->fluents, w->last, w->counters, w->sums, w->joint, w->lane_sums,
                w->lane_nodes, w->legal_counts);
    mobility_free(&w->mobility);
    vector_free(&w->legal);
    free(w);
}

static bool counts_moves_of(const Evaluator *e, Game *game) {
    Mobility mobility;
    if (!group_count(e))
        return true;
    mobility_create(&mobility, &e->model->features, game);
    bool is_whole = mobility_is_whole(&mobility);
    mobility_free(&mobility);
    return is_whole;
}

static bool policy_fits(const Model *model, Game *game) {
    PolicyMap *map = policy_map_create(model, game);
    bool fits = map != NULL;
    policy_map_free(map);
    return fits;
}

bool evaluator_fits(const Evaluator *e, Game *game) {
    if (e->model->dense)
        return policy_fits(e->model, game);
    if (game->role_count != e->model->role_count || !game_has_circuit(game))
        return false;
    EvaluatorWork *w = evaluator_work(e, game);
    uint32_t known = 0;
    for (uint32_t f = 0; f < w->fluent_count; f++)
        known += w->facts[f] != SYMBOL_NONE;
    evaluator_work_free(w);
    return known == e->model->facts.names.count && counts_moves_of(e, game);
}

/* ---- from state to state ---- */

ALWAYS_INLINE void add_row(float *sums, const float *row, uint32_t width, bool is_added) {
    float sign = is_added ? 1 : -1;
    for (uint32_t n = 0; n < width; n++) {
        float product = sign * row[n];
        sums[n] += product;
    }
}

static bool holds_wholly(const EvaluatorWork *w, uint32_t conjunction) {
    return w->counters[conjunction] ==
           (int32_t)w->evaluator->conjunctions.items.items[conjunction].count;
}

ALWAYS_INLINE void change_fact(EvaluatorWork *w, Symbol fact, bool holds) {
    const Evaluator *e = w->evaluator;
    add_row(w->sums, e->fact_rows + (size_t)fact * e->width, e->width, holds);
    for (uint32_t u = e->index.starts.items[fact]; u < e->index.starts.items[fact + 1]; u++) {
        FeatureUse use = e->index.uses.items[u];
        bool before = holds_wholly(w, use.feature);
        w->counters[use.feature] += holds ? use.change : -use.change;
        if (holds_wholly(w, use.feature) != before)
            add_row(w->sums, e->rows + (size_t)use.feature * e->width, e->width, !before);
    }
}

static void start_anew(EvaluatorWork *w) {
    const Evaluator *e = w->evaluator;
    memset(w->last, 0, w->words * sizeof *w->last);
    memcpy(w->sums, e->biases, e->width * sizeof *w->sums);
    for (uint32_t f = 0; f < e->index.feature_count; f++) {
        w->counters[f] = e->index.at_first.items[f];
        if (holds_wholly(w, f))
            add_row(w->sums, e->rows + (size_t)f * e->width, e->width, true);
    }
    w->age = 0;
}

ALWAYS_INLINE void move_to_generic(EvaluatorWork *w, const State *state) {
    for (uint32_t i = 0; i < w->words; i++) {
        uint64_t now = i < state->word_count ? state->words[i] : 0;
        for (uint64_t changed = now ^ w->last[i]; changed; changed &= changed - 1) {
            uint32_t fluent = 64 * i + (uint32_t)__builtin_ctzll(changed);
            if (fluent < w->fluent_count && w->facts[fluent] != SYMBOL_NONE)
                change_fact(w, w->facts[fluent], now >> (fluent % 64) & 1);
        }
        w->last[i] = now;
    }
}

CPU_DISPATCH(void, move_to, (EvaluatorWork * w, const State *state), (w, state))

static void go_to(EvaluatorWork *w, const State *state) {
    if (w->age++ >= REFRESH)
        start_anew(w);
    move_to(w, state);
}

/* Adds the weights of legal moves to the sums of a state. */
ALWAYS_INLINE void add_moves(const Evaluator *e, const uint32_t *counts, float *sums) {
    for (uint32_t g = 0; g < group_count(e); g++) {
        const float *row = e->move_rows + (size_t)g * e->width;
        float count = (float)counts[g];
        for (uint32_t n = 0; n < e->width; n++) {
            float product = count * row[n];
            sums[n] += product;
        }
    }
}

/* Evaluates the nodes for the current state; `counts` has its legal moves by group. */
static void run_nodes(EvaluatorWork *w, const uint32_t *counts) {
    const Evaluator *e = w->evaluator;
    const float *sums = w->sums;
    if (group_count(e)) {
        memcpy(w->with_moves, w->sums, e->width * sizeof *w->sums);
        add_moves(e, counts, w->with_moves);
        sums = w->with_moves;
    }
    for (uint32_t i = 0; i < e->nodes; i++) {
        const NetworkNode *node = &e->inner.nodes.items[i];
        float sum = sums[i];
        for (uint32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++) {
            float product =
                w->values[e->inner.edges.items[k].from] * e->inner.edges.items[k].weight;
            sum += product;
        }
        w->values[i] = activation_apply(node->activation, sum);
    }
}

/* Counts the legal moves of up to 512 states. */
static void count_moves(EvaluatorWork *w, const State *const *states, uint32_t count) {
    if (!w->batch)
        open_lanes(w);
    Lanes *rows = lane_batch_fluent_rows(w->batch);
    memset(rows, 0, w->fluent_count * sizeof *rows);
    for (uint32_t lane = 0; lane < count; lane++)
        bitset_each(f, states[lane]->words, states[lane]->word_count)
            if (f < w->fluent_count)
                rows[f][lane / 64] |= UINT64_C(1) << lane % 64;
    lane_batch_evaluate_answers(w->batch);
    mobility_count(&w->mobility, w->batch, count, w->legal_counts);
}

static void evaluate_states(EvaluatorWork *w, const State *const *states, uint32_t count,
                            double *goals) {
    const Evaluator *e = w->evaluator;
    const Model *model = e->model;
    uint32_t groups = group_count(e);
    assert(count <= LANES && !model->dense);
    if (groups)
        count_moves(w, states, count);
    for (uint32_t i = 0; i < count; i++) {
        go_to(w, states[i]);
        run_nodes(w, groups ? w->legal_counts + (size_t)i * groups : NULL);
        for (uint32_t r = 0; r < model->role_count; r++)
            *goals++ = model_goal(model, r, (double)w->values[model->network.outputs.items[r]]);
    }
}

void evaluator_evaluate(EvaluatorWork *w, const State *state, double *goals) {
    evaluate_states(w, &state, 1, goals);
}

/* ---- many states in lanes ---- */

/* Returns the lanes below `count` in which the row differs from the last state. */
ALWAYS_INLINE uint64_t changed_lanes(uint64_t row, bool held, uint32_t word, uint32_t count) {
    uint32_t here = count - 64 * word;
    uint64_t inside = here >= 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1;
    return (held ? ~row : row) & inside;
}

ALWAYS_INLINE void change_lanes(EvaluatorWork *w, uint32_t word, uint64_t changed, const float *row,
                                bool is_added) {
    uint32_t width = w->evaluator->width;
    for (; changed; changed &= changed - 1) {
        uint32_t lane = 64 * word + (uint32_t)__builtin_ctzll(changed);
        add_row(w->lane_sums + (size_t)lane * width, row, width, is_added);
    }
}

/* Computes the sums of lanes from those of the current state: adds and subtracts the weights of the
 * facts that differ. `rows` are by fluent. */
ALWAYS_INLINE void sum_lanes(EvaluatorWork *w, const Lanes *rows, uint32_t count) {
    const Evaluator *e = w->evaluator;
    uint32_t words = (count + 63) / 64;
    for (uint32_t lane = 0; lane < count; lane++)
        memcpy(w->lane_sums + (size_t)lane * e->width, w->sums, e->width * sizeof *w->sums);
    for (uint32_t f = 0; f < w->fluent_count; f++) {
        bool held = bitset_get(w->last, f);
        for (uint32_t i = 0; i < words && w->facts[f] != SYMBOL_NONE; i++) {
            uint64_t changed = changed_lanes(rows[f][i], held, i, count);
            if (changed)
                change_lanes(w, i, changed, e->fact_rows + (size_t)w->facts[f] * e->width, !held);
        }
    }
    for (uint32_t c = 0; c < e->index.feature_count; c++) {
        const Feature *feature = &e->conjunctions.items.items[c];
        bool held = holds_wholly(w, c);
        for (uint32_t i = 0; i < words; i++) {
            uint64_t whole = UINT64_MAX;
            for (uint32_t k = 0; k < feature->count; k++) {
                FactLiteral literal = e->conjunctions.literals.items[feature->first + k];
                uint64_t row = rows[w->fluents[literal_fact(literal)]][i];
                whole &= literal_is_absence(literal) ? ~row : row;
            }
            uint64_t changed = changed_lanes(whole, held, i, count);
            if (changed)
                change_lanes(w, i, changed, e->rows + (size_t)c * e->width, !held);
        }
    }
}

/* Computes the values of all nodes in all lanes. */
ALWAYS_INLINE void run_lanes(EvaluatorWork *w, uint32_t count) {
    const Evaluator *e = w->evaluator;
    for (uint32_t i = 0; i < e->nodes; i++) {
        const NetworkNode *node = &e->inner.nodes.items[i];
        float *values = w->lane_nodes + (size_t)i * LANES;
        for (uint32_t lane = 0; lane < count; lane++)
            values[lane] = w->lane_sums[(size_t)lane * e->width + i];
        for (uint32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++) {
            NetworkEdge edge = e->inner.edges.items[k];
            const float *from = w->lane_nodes + (size_t)edge.from * LANES;
            for (uint32_t lane = 0; lane < count; lane++) {
                float product = edge.weight * from[lane];
                values[lane] += product;
            }
        }
        activation_apply_all(node->activation, values, count);
    }
}

ALWAYS_INLINE void evaluate_lanes_generic(EvaluatorWork *w, const Lanes *rows, uint32_t count) {
    const Evaluator *e = w->evaluator;
    uint32_t groups = group_count(e);
    sum_lanes(w, rows, count);
    for (uint32_t lane = 0; lane < count && groups; lane++)
        add_moves(e, w->legal_counts + (size_t)lane * groups,
                  w->lane_sums + (size_t)lane * e->width);
    run_lanes(w, count);
}

CPU_DISPATCH(void, evaluate_lanes, (EvaluatorWork * w, const Lanes *rows, uint32_t count),
             (w, rows, count))

/* ---- the interface of searches ---- */

static void *open_work(void *context, Game *game) {
    return evaluator_work(context, game);
}

static void close_work(void *own) {
    evaluator_work_free(own);
}

static void evaluate(void *own, const State *const *states, size_t count, double *goals) {
    EvaluatorWork *w = own;
    for (size_t first = 0; first < count; first += LANES) {
        uint32_t here = count - first < LANES ? (uint32_t)(count - first) : LANES;
        evaluate_states(w, states + first, here, goals + first * w->game->role_count);
    }
}

/* Finds the moves of the other roles. False if one of them has a choice. */
static bool find_joint(EvaluatorWork *w, const State *state, uint32_t role) {
    for (uint32_t r = 0; r < w->game->role_count; r++) {
        if (r == role)
            continue;
        game_legal(w->questions, state, r, &w->legal);
        if (w->legal.count != 1)
            return false;
        w->joint[r] = w->legal.items[0];
    }
    return true;
}

static void fill_row(Lanes *row, bool holds) {
    memset(row, holds ? 0xff : 0, sizeof *row);
}

/* Computes the successors of up to 512 moves, one per lane. */
static void make_moves(EvaluatorWork *w, uint32_t role, const uint32_t *moves, uint32_t count) {
    const Circuit *c = w->game->circuit;
    Lanes *fluents = lane_batch_fluent_rows(w->batch), *rows = lane_batch_move_rows(w->batch);
    for (uint32_t f = 0; f < w->fluent_count; f++)
        fill_row(&fluents[f], bitset_get(w->last, f));
    for (uint32_t r = 0; r < c->role_count; r++)
        if (r != role)
            fill_row(&rows[c->first_move[r] + w->joint[r]], true);
    for (uint32_t i = 0; i < count; i++)
        rows[c->first_move[role] + moves[i]][i / 64] |= UINT64_C(1) << i % 64;
    lane_batch_evaluate_next(w->batch);
    for (uint32_t r = 0; r < c->role_count; r++)
        if (r != role)
            fill_row(&rows[c->first_move[r] + w->joint[r]], false);
    for (uint32_t i = 0; i < count; i++)
        fill_row(&rows[c->first_move[role] + moves[i]], false);
}

/* Evaluates terminal, goals and legal moves of the successors. */
static void ask_about_next(EvaluatorWork *w, uint32_t count) {
    memcpy(lane_batch_fluent_rows(w->batch), lane_batch_next_rows(w->batch),
           w->fluent_count * sizeof(Lanes));
    lane_batch_evaluate_answers(w->batch);
    if (group_count(w->evaluator))
        mobility_count(&w->mobility, w->batch, count, w->legal_counts);
}

/* Terminal successors have the goals of the rules. */
static void look_at_ends(EvaluatorWork *w, uint32_t role, uint32_t count, double *goals) {
    for (uint32_t lane = 0; lane < count; lane++)
        if (lane_batch_is_terminal(w->batch, lane)) {
            int goal = lane_batch_goal(w->batch, lane, role);
            goals[lane] = goal >= 0 ? goal : 0;
        }
}

static bool evaluate_moves(void *own, const State *state, uint32_t role, const U32Vector *moves,
                           double *goals) {
    EvaluatorWork *w = own;
    const Model *model = w->evaluator->model;
    assert(role < w->game->role_count);
    if (!find_joint(w, state, role))
        return false;
    if (!w->batch)
        open_lanes(w);
    go_to(w, state);
    for (size_t first = 0; first < moves->count; first += LANES) {
        size_t left = moves->count - first;
        uint32_t count = left < LANES ? (uint32_t)left : LANES;
        make_moves(w, role, moves->items + first, count);
        ask_about_next(w, count);
        evaluate_lanes(w, lane_batch_next_rows(w->batch), count);
        const float *values = w->lane_nodes + (size_t)model->network.outputs.items[role] * LANES;
        for (uint32_t lane = 0; lane < count; lane++)
            goals[first + lane] = model_goal(model, role, (double)values[lane]);
        look_at_ends(w, role, count, goals + first);
    }
    return true;
}

SearchEvaluation evaluator_interface(Evaluator *e) {
    if (e->model->dense)
        return policy_interface(e->model);
    const ModelUse *use = &e->model->use;
    bool evaluates_moves = use->prior_visits > 0 || use->bias > 0;
    return (SearchEvaluation){.context = e,
                              .open = open_work,
                              .close = close_work,
                              .evaluate = evaluate,
                              .playout_turns = use->playout_turns,
                              .leaf_share = use->leaf_share,
                              .evaluate_moves = evaluates_moves ? evaluate_moves : NULL,
                              .prior_visits = use->prior_visits,
                              .bias = use->bias};
}
