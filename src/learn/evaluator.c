/* The network is taken apart: what inputs feed into is a table of rows, one a feature; the rest are
 * edges among nodes. */
#include "learn/evaluator.h"

#include <string.h>

#include "base/bitset.h"
#include "base/cpu.h"

enum { REFRESH = 1024, PADDING = 16 }; /* states after which sums are made anew: rounding adds up */

struct Evaluator {
    const Model *model;
    FeatureIndex index;
    uint32_t nodes, width; /* width: nodes filled up to whole lanes */
    float *rows;           /* by feature: what it adds to each node */
    float *biases;         /* by node */
    Network inner;         /* edges among nodes, whose inputs are nodes */
};

struct EvaluatorWork {
    const Evaluator *evaluator;
    Game *game;
    GameWork *questions;
    Symbol *facts; /* by fluent */
    uint32_t fluents;
    uint64_t *last; /* the state that counters and sums are about */
    uint32_t words;
    int32_t *counters;
    float *sums, *values;
    uint32_t age; /* states since the sums were made */
    State next;
    U32Vector legal;
    uint32_t *joint;
    double *goals;
};

/* ---- the evaluator ---- */

static void take_network_apart(Evaluator *e) {
    const Network *n = &e->model->network;
    e->nodes = (uint32_t)n->nodes.count;
    e->width = (e->nodes + PADDING - 1) / PADDING * PADDING;
    e->rows = memory_zalloc(((size_t)n->input_count * e->width + 1) * sizeof *e->rows);
    e->biases = memory_zalloc((e->width + 1) * sizeof *e->biases);
    for (uint32_t i = 0; i < e->nodes; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        e->biases[i] = node->bias;
        network_add_node(&e->inner, node->activation, 0);
        for (uint32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++) {
            NetworkEdge edge = n->edges.items[k];
            if (edge.from < n->input_count)
                e->rows[(size_t)edge.from * e->width + i] += edge.weight;
            else
                network_add_edge(&e->inner, edge.from - n->input_count, edge.weight);
        }
    }
}

Evaluator *evaluator_create(const Model *model) {
    Evaluator *e = memory_zalloc(sizeof *e);
    e->model = model;
    feature_index_make(&e->index, &model->features, (uint32_t)model->facts.names.count);
    take_network_apart(e);
    return e;
}

void evaluator_free(Evaluator *e) {
    if (!e)
        return;
    feature_index_free(&e->index);
    network_free(&e->inner);
    free(e->rows);
    free(e->biases);
    free(e);
}

/* ---- one thread's memory ---- */

static void name_fluents(EvaluatorWork *w) {
    Text text = {0};
    w->fluents = game_has_circuit(w->game) ? w->game->circuit->fluent_count : 0;
    w->facts = memory_alloc((w->fluents + 1) * sizeof *w->facts);
    for (uint32_t f = 0; f < w->fluents; f++) {
        text_clear(&text);
        game_fluent_text(w->questions, f, &text);
        w->facts[f] = symbols_find(&w->evaluator->model->facts, text_string(&text), text.count);
    }
    vector_free(&text);
}

EvaluatorWork *evaluator_work(const Evaluator *e, Game *game) {
    EvaluatorWork *w = memory_zalloc(sizeof *w);
    w->evaluator = e;
    w->game = game;
    w->questions = game_work(game, REASONER_AUTO);
    name_fluents(w);
    w->words = (uint32_t)bitset_words(w->fluents);
    w->last = memory_zalloc((w->words + 1) * sizeof *w->last);
    w->counters = memory_zalloc((e->index.feature_count + 1) * sizeof *w->counters);
    w->sums = memory_zalloc((2 * (size_t)e->width + 1) * sizeof *w->sums);
    w->values = w->sums + e->width;
    w->age = REFRESH;
    w->joint = memory_zalloc((game->role_count + 1) * sizeof *w->joint);
    w->goals = memory_zalloc((game->role_count + 1) * sizeof *w->goals);
    return w;
}

void evaluator_work_free(EvaluatorWork *w) {
    if (!w)
        return;
    game_work_free(w->questions);
    free(w->facts);
    free(w->last);
    free(w->counters);
    free(w->sums);
    free(w->joint);
    free(w->goals);
    state_free(&w->next);
    vector_free(&w->legal);
    free(w);
}

bool evaluator_fits(const Evaluator *e, Game *game) {
    if (game->role_count != e->model->role_count || !game_has_circuit(game))
        return false;
    EvaluatorWork *w = evaluator_work(e, game);
    uint32_t known = 0;
    for (uint32_t f = 0; f < w->fluents; f++)
        known += w->facts[f] != SYMBOL_NONE;
    evaluator_work_free(w);
    return known == e->model->facts.names.count;
}

/* ---- from state to state ---- */

ALWAYS_INLINE void change_fact(EvaluatorWork *w, Symbol fact, bool holds) {
    const Evaluator *e = w->evaluator;
    for (uint32_t u = e->index.starts.items[fact]; u < e->index.starts.items[fact + 1]; u++) {
        FeatureUse use = e->index.uses.items[u];
        const Feature *feature = &e->model->features.items.items[use.feature];
        int32_t *counter = &w->counters[use.feature];
        float before = feature_value(feature, *counter);
        *counter += holds ? use.change : -use.change;
        float difference = feature_value(feature, *counter) - before;
        const float *row = e->rows + (size_t)use.feature * e->width;
        if (difference != 0)
            for (uint32_t n = 0; n < e->width; n++) {
                float product = difference * row[n];
                w->sums[n] += product;
            }
    }
}

static void start_anew(EvaluatorWork *w) {
    const Evaluator *e = w->evaluator;
    memset(w->last, 0, w->words * sizeof *w->last);
    memcpy(w->sums, e->biases, e->width * sizeof *w->sums);
    for (uint32_t f = 0; f < e->index.feature_count; f++) {
        w->counters[f] = e->index.at_first.items[f];
        float value = feature_value(&e->model->features.items.items[f], w->counters[f]);
        for (uint32_t n = 0; n < e->width && value != 0; n++)
            w->sums[n] += value * e->rows[(size_t)f * e->width + n];
    }
    w->age = 0;
}

ALWAYS_INLINE void move_to(EvaluatorWork *w, const State *state) {
    for (uint32_t i = 0; i < w->words; i++) {
        uint64_t now = i < state->word_count ? state->words[i] : 0;
        for (uint64_t changed = now ^ w->last[i]; changed; changed &= changed - 1) {
            uint32_t fluent = 64 * i + (uint32_t)__builtin_ctzll(changed);
            if (fluent < w->fluents && w->facts[fluent] != SYMBOL_NONE)
                change_fact(w, w->facts[fluent], now >> (fluent % 64) & 1);
        }
        w->last[i] = now;
    }
}

CPU_TARGET_AVX512 static void move_to_avx512(EvaluatorWork *w, const State *state) {
    move_to(w, state);
}

CPU_TARGET_AVX2 static void move_to_avx2(EvaluatorWork *w, const State *state) {
    move_to(w, state);
}

static void run_nodes(EvaluatorWork *w) {
    const Evaluator *e = w->evaluator;
    for (uint32_t i = 0; i < e->nodes; i++) {
        const NetworkNode *node = &e->inner.nodes.items[i];
        float sum = w->sums[i];
        for (uint32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++) {
            float product =
                w->values[e->inner.edges.items[k].from] * e->inner.edges.items[k].weight;
            sum += product;
        }
        w->values[i] = activation_apply(node->activation, sum);
    }
}

void evaluator_judge(EvaluatorWork *w, const State *state, double *goals) {
    const Evaluator *e = w->evaluator;
    if (w->age++ >= REFRESH)
        start_anew(w);
    if (cpu_has_avx512())
        move_to_avx512(w, state);
    else if (cpu_has_avx2())
        move_to_avx2(w, state);
    else
        move_to(w, state);
    run_nodes(w);
    for (uint32_t r = 0; r < e->model->role_count; r++)
        goals[r] = model_goal(e->model, r, (double)w->values[e->model->network.outputs.items[r]]);
}

/* ---- as searches know it ---- */

static void *open_work(void *context, Game *game) {
    return evaluator_work(context, game);
}

static void close_work(void *own) {
    evaluator_work_free(own);
}

static void judge(void *own, const State *const *states, size_t count, double *goals) {
    EvaluatorWork *w = own;
    for (size_t i = 0; i < count; i++)
        evaluator_judge(w, states[i], goals + i * w->game->role_count);
}

/* Only where the others have no choice, so that a move has one outcome. */
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

static bool foresee(void *own, const State *state, uint32_t role, const U32Vector *moves,
                    double *goals) {
    EvaluatorWork *w = own;
    if (!find_joint(w, state, role))
        return false;
    for (size_t i = 0; i < moves->count; i++) {
        w->joint[role] = moves->items[i];
        game_next(w->questions, state, w->joint, &w->next);
        evaluator_judge(w, &w->next, w->goals);
        goals[i] = w->goals[role];
        if (game_is_terminal(w->questions, &w->next)) {
            int goal = game_goal(w->questions, &w->next, role);
            goals[i] = goal >= 0 ? goal : 0;
        }
    }
    return true;
}

SearchEvaluation evaluator_interface(Evaluator *e) {
    const ModelUse *use = &e->model->use;
    bool foresees = use->prior_visits > 0 || use->bias > 0;
    return (SearchEvaluation){.context = e,
                              .open = open_work,
                              .close = close_work,
                              .judge = judge,
                              .playout_turns = use->playout_turns,
                              .foresee = foresees ? foresee : NULL,
                              .prior_visits = use->prior_visits,
                              .bias = use->bias};
}
