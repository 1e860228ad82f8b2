/* Turns states into rows and outputs into advice, and offers the model to searches as an
 * evaluation. Each thread has a map and a batch of its own. */
#include "learn/networks/policy_model.h"

#include <string.h>

#include "base/bitset.h"
#include "learn/data/fluents.h"
#include "search/goals.h"

struct PolicyMap {
    const Model *model;
    uint32_t fluent_count;
    uint32_t *inputs;       /* by fluent: the input; UINT32_MAX if the model has none */
    uint32_t *outputs;      /* by move, role after role: the output of the move */
    uint32_t *first_output; /* by role: index of its first move in `outputs` */
};

bool policy_suits(const Game *game) {
    return game_has_circuit(game) && !game_hides(game) && game->role_count <= DATASET_MAX_ROLES &&
           game->circuit->fluent_count <= DATASET_MAX_FACTS &&
           game->circuit->move_count + game->role_count <= DENSE_MAX_OUTPUTS;
}

static void name_moves(GameWork *work, Game *game, uint32_t role, Symbols *names) {
    const Circuit *c = game->circuit;
    Text text = {0};
    for (uint32_t m = 0; m < c->first_move[role + 1] - c->first_move[role]; m++) {
        text_clear(&text);
        game_move_text(work, role, m, &text);
        symbols_intern(names, text_string(&text), text.count);
    }
    vector_free(&text);
}

Model *policy_create(Game *game, uint32_t layers, uint32_t units, uint64_t seed) {
    assert(policy_suits(game));
    Model *m = memory_zalloc(sizeof *m);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    m->learner = memory_strdup("selfplay");
    m->role_count = game->role_count;
    fluents_add_names(work, game->circuit->fluent_count, &m->facts);
    for (uint32_t r = 0; r < game->role_count; r++) {
        GoalRange range = goal_range(game, r);
        m->ranges[r] = (ScoreRange){range.lowest, range.lowest + range.span};
        name_moves(work, game, r, &m->moves[r]);
    }
    DenseShape shape = {.inputs = game->circuit->fluent_count,
                        .outputs = game->role_count + game->circuit->move_count,
                        .layers = layers,
                        .units = units};
    m->dense = dense_is_possible(&shape) ? dense_create(&shape, seed) : NULL;
    game_work_free(work);
    if (m->dense)
        return m;
    model_free(m);
    return NULL;
}

/* ---- the numbers of a game ---- */

static bool map_facts(PolicyMap *map, Game *game) {
    const Symbols *facts = &map->model->facts;
    uint32_t *fluents = fluents_of_facts(game, facts, &map->inputs);
    bool are_known = true;
    map->fluent_count = game->circuit->fluent_count;
    for (Symbol fact = 0; fact < facts->names.count; fact++)
        are_known = are_known && fluents[fact] != UINT32_MAX;
    free(fluents);
    return are_known;
}

/* True if the model knows all moves of the game. */
static bool map_moves(PolicyMap *map, Game *game) {
    const Circuit *c = game->circuit;
    GameWork *work = game_work_create(game, REASONER_AUTO);
    uint32_t output = map->model->role_count;
    bool are_known = true;
    Symbols names = {0};
    map->outputs = memory_zalloc(((size_t)c->move_count + 1) * sizeof *map->outputs);
    map->first_output = memory_zalloc((c->role_count + 1) * sizeof *map->first_output);
    for (uint32_t r = 0; r < c->role_count; r++) {
        const Symbols *known = &map->model->moves[r];
        name_moves(work, game, r, &names);
        map->first_output[r] = c->first_move[r];
        for (uint32_t m = 0; m < names.names.count; m++) {
            Symbol found = symbols_find(known, symbols_name(&names, m), symbols_length(&names, m));
            are_known = are_known && found != SYMBOL_NONE;
            map->outputs[c->first_move[r] + m] = output + (found == SYMBOL_NONE ? 0 : found);
        }
        output += (uint32_t)known->names.count;
        symbols_free(&names);
        names = (Symbols){0};
    }
    game_work_free(work);
    return are_known;
}

PolicyMap *policy_map_create(const Model *model, Game *game) {
    if (!model->dense || !policy_suits(game) || model->role_count != game->role_count)
        return NULL;
    PolicyMap *map = memory_zalloc(sizeof *map);
    map->model = model;
    bool fits = map_facts(map, game);
    fits = map_moves(map, game) && fits;
    if (fits)
        return map;
    policy_map_free(map);
    return NULL;
}

void policy_map_free(PolicyMap *map) {
    if (!map)
        return;
    memory_free(map->inputs, map->outputs, map->first_output, map);
}

uint32_t policy_output(const PolicyMap *map, uint32_t role, uint32_t move) {
    assert(role < map->model->role_count);
    return map->outputs[map->first_output[role] + move];
}

/* ---- rows and answers ---- */

static void add_facts(const PolicyMap *map, const State *state, DenseBatch *b) {
    bitset_each(fluent, state->words, state->word_count)
        if (fluent < map->fluent_count && map->inputs[fluent] != UINT32_MAX)
            vector_push(&b->facts, map->inputs[fluent]);
}

void policy_ask(const PolicyMap *map, const Advice *asked, DenseBatch *b) {
    uint32_t roles = map->model->role_count;
    assert(b->group_count == policy_groups(map->model));
    add_facts(map, asked->state, b);
    for (uint32_t r = 0; r < roles; r++)
        vector_push(&b->outputs, r);
    dense_batch_end_group(b);
    for (uint32_t r = 0; r < roles; r++) {
        uint32_t first = asked->first_move[r], end = asked->first_move[r + 1];
        for (uint32_t i = first; i < end && end - first > 1; i++)
            vector_push(&b->outputs, policy_output(map, r, asked->moves[i]));
        dense_batch_end_group(b);
    }
    dense_batch_end_row(b);
}

void policy_answer(const PolicyMap *map, const DenseBatch *b, uint32_t row, float *sums,
                   const Advice *asked) {
    const Model *model = map->model;
    const float *answer = sums + dense_row_first(b, row);
    dense_finish_row(b, row, sums);
    for (uint32_t r = 0; r < model->role_count; r++)
        asked->goals[r] = model_goal(model, r, (double)*answer++);
    for (uint32_t r = 0; r < model->role_count; r++) {
        uint32_t first = asked->first_move[r], end = asked->first_move[r + 1];
        for (uint32_t i = first; i < end; i++)
            asked->shares[i] = end - first > 1 ? *answer++ : 1;
    }
}

/* ---- in a search ---- */

typedef struct {
    const Model *model;
    PolicyMap *map;
    DenseBatch batch;
    VECTOR(float) sums;
} PolicyWork;

static void *open_work(void *context, Game *game) {
    PolicyWork *w = memory_zalloc(sizeof *w);
    w->model = context;
    w->map = policy_map_create(w->model, game);
    return w;
}

static void close_work(void *own) {
    PolicyWork *w = own;
    policy_map_free(w->map);
    dense_batch_free(&w->batch);
    vector_free(&w->sums);
    free(w);
}

static float *sums_of_batch(PolicyWork *w) {
    vector_clear(&w->sums);
    float *sums = vector_extend(&w->sums, w->batch.outputs.count + 1);
    dense_forward(w->model->dense, &w->batch, NULL, sums);
    return sums;
}

static void advise(void *own, const Advice *asked, size_t count) {
    PolicyWork *w = own;
    dense_batch_clear(&w->batch, policy_groups(w->model));
    for (size_t i = 0; i < count; i++)
        policy_ask(w->map, &asked[i], &w->batch);
    float *sums = sums_of_batch(w);
    for (size_t i = 0; i < count; i++)
        policy_answer(w->map, &w->batch, (uint32_t)i, sums, &asked[i]);
}

/* Computes only values, for searches that use no policy. */
static void evaluate(void *own, const State *const *states, size_t count, double *goals) {
    PolicyWork *w = own;
    uint32_t roles = w->model->role_count;
    dense_batch_clear(&w->batch, 1);
    for (size_t i = 0; i < count; i++) {
        add_facts(w->map, states[i], &w->batch);
        for (uint32_t r = 0; r < roles; r++)
            vector_push(&w->batch.outputs, r);
        dense_batch_end_group(&w->batch);
        dense_batch_end_row(&w->batch);
    }
    float *sums = sums_of_batch(w);
    for (size_t i = 0; i < count; i++) {
        dense_finish_row(&w->batch, (uint32_t)i, sums);
        for (uint32_t r = 0; r < roles; r++)
            goals[i * roles + r] = model_goal(w->model, r, (double)sums[i * roles + r]);
    }
}

SearchEvaluation policy_interface(const Model *model) {
    return (SearchEvaluation){.context = (void *)(uintptr_t)model,
                              .open = open_work,
                              .close = close_work,
                              .evaluate = evaluate,
                              .advise = advise};
}
