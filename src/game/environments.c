/* Creation, sizes, and what both ways of playing share. */
#include "game/environments_internal.h"

#include <assert.h>

#include "gdl/write.h"

/* The most percepts that a role has. */
static uint32_t max_percepts(const Circuit *c) {
    uint32_t *counts = memory_zalloc((c->role_count + 1) * sizeof *counts), most = 0;
    for (uint32_t i = 0; i < c->percepts.count; i++)
        counts[c->percepts.items[i].role]++;
    for (uint32_t r = 0; r < c->role_count; r++)
        most = counts[r] > most ? counts[r] : most;
    free(counts);
    return most;
}

EnvironmentShape environment_shape(const Game *game, uint32_t count) {
    const Circuit *c = game->circuit;
    EnvironmentShape s = {.count = count, .roles = game->role_count};
    s.views = game_hides(game) ? game->role_count : 1;
    s.facts = s.views > 1 ? max_percepts(c) : c->fluent_count;
    for (uint32_t r = 0; r < c->role_count; r++) {
        uint32_t moves = c->first_move[r + 1] - c->first_move[r];
        s.moves = moves > s.moves ? moves : s.moves;
    }
    s.mask_words = (uint32_t)bitset_words(s.moves);
    s.fact_words = (uint32_t)bitset_words(s.facts);
    return s;
}

static void set_up_lanes(Environments *e) {
    Game *game = e->game;
    const Circuit *c = game->circuit;
    e->shape = environment_shape(game, e->options.count);
    e->kernel = kernel_choose(game->kernel);
    e->percepts = memory_zalloc((c->role_count + 1) * sizeof *e->percepts);
    for (uint32_t i = 0; i < c->percepts.count; i++)
        vector_push(&e->percepts[c->percepts.items[i].role], i);
    e->states = lanes_alloc((size_t)e->blocks * c->fluent_count);
}

static void set_up_single(Environments *e) {
    EnvironmentShape *s = &e->shape;
    *s = (EnvironmentShape){.count = e->options.count, .roles = e->game->role_count};
    s->views = game_hides(e->game) ? s->roles : 1;
    s->moves = s->facts = e->options.room;
    s->mask_words = s->fact_words = (uint32_t)bitset_words(e->options.room);
    e->single = memory_zalloc(e->shape.count * sizeof *e->single);
    e->names = memory_zalloc((e->shape.roles + 1) * sizeof *e->names);
    e->options.threads = 1; /* numbers are given in the order of play */
}

static void set_up_worker(const Environments *e, EnvironmentWorker *w) {
    uint32_t longest = e->shape.facts > 64 ? e->shape.facts : 64;
    if (game_has_circuit(e->game))
        w->batch = lane_batch_create(e->game);
    w->rows = memory_zalloc(longest * sizeof(Lanes *));
    w->several = lanes_alloc(e->shape.roles + 1);
    w->joint = memory_zalloc((e->shape.roles + 1) * sizeof *w->joint);
    w->words = memory_zalloc((LANES + e->shape.fact_words) * sizeof *w->words);
}

/* What is legal in the initial state. */
static void find_first_masks(Environments *e) {
    State state = {0};
    game_initial(e->work, &state);
    for (uint32_t r = 0; r < e->shape.roles; r++) {
        game_legal(e->work, &state, r, &e->legal);
        for (size_t i = 0; i < e->legal.count; i++)
            if (e->legal.items[i] < e->shape.moves)
                bitset_set(e->first_masks + (size_t)r * e->shape.mask_words, e->legal.items[i]);
        e->first_several[r] = e->legal.count > 1 && !game_is_chance(e->game, r);
    }
    state_free(&state);
}

Environments *environments_create(Game *game, const EnvironmentOptions *options) {
    assert(options->count > 0);
    Environments *e = memory_zalloc(sizeof *e);
    EnvironmentShape *s = &e->shape;
    e->game = game;
    e->options = *options;
    e->options.threads = options->threads ? options->threads : 1;
    e->options.room = options->room ? options->room : ENVIRONMENT_ROOM;
    e->blocks = (options->count + LANES - 1) / LANES;
    if (game_has_circuit(game))
        set_up_lanes(e);
    else
        set_up_single(e);
    size_t mask = (size_t)s->roles * s->mask_words;
    e->work = game_work_create(game, REASONER_AUTO);
    e->masks = memory_zalloc(((size_t)e->blocks * LANES * mask + 1) * sizeof *e->masks);
    e->first_masks = memory_zalloc((mask + 1) * sizeof *e->first_masks);
    e->first_several = memory_zalloc(s->roles + 1);
    e->steps = memory_zalloc(s->count * sizeof *e->steps);
    e->ends = memory_zalloc(s->count);
    e->nowhere = memory_zalloc(s->count);
    e->randoms = memory_zalloc(e->blocks * sizeof *e->randoms);
    random_seed(&e->randoms[0], options->seed);
    for (uint32_t b = 1; b < e->blocks; b++) {
        e->randoms[b] = e->randoms[b - 1];
        random_jump(&e->randoms[b]);
    }
    find_first_masks(e);
    e->pool = pool_create(e->options.threads);
    e->workers = memory_zalloc(e->options.threads * sizeof *e->workers);
    for (uint32_t t = 0; t < e->options.threads; t++)
        set_up_worker(e, &e->workers[t]);
    environments_reset(e, NULL, &(EnvironmentOutputs){0});
    return e;
}

void environments_free(Environments *e) {
    if (!e)
        return;
    pool_free(e->pool);
    for (uint32_t t = 0; t < e->options.threads; t++) {
        EnvironmentWorker *w = &e->workers[t];
        lane_batch_free(w->batch);
        memory_free(w->rows, w->several, w->joint, w->words);
    }
    for (uint32_t r = 0; r < e->shape.roles; r++) {
        if (e->percepts)
            vector_free(&e->percepts[r]);
        if (e->names)
            symbols_free(&e->names[r]);
    }
    for (size_t i = 0; e->single && i < e->shape.count; i++)
        state_free(&e->single[i]);
    state_free(&e->next);
    vector_free(&e->legal);
    game_work_free(e->work);
    memory_free(e->workers, e->masks, e->first_masks, e->first_several, e->steps, e->ends,
                e->nowhere, e->randoms, e->cells, e->states, e->percepts, e->single, e->names, e);
}

const EnvironmentShape *environments_shape(const Environments *e) {
    return &e->shape;
}

void environments_set_planes(Environments *e, const uint32_t *cells, uint32_t count) {
    assert(game_has_circuit(e->game) && e->shape.views == 1);
    free(e->cells);
    e->cells = memory_alloc((count + 1) * sizeof *cells);
    memcpy(e->cells, cells, count * sizeof *cells);
    e->shape.plane_cells = count;
    for (uint32_t t = 0; t < e->options.threads; t++) {
        uint32_t longest = count > e->shape.facts ? count : e->shape.facts;
        free(e->workers[t].rows);
        e->workers[t].rows = memory_zalloc((longest > 64 ? longest : 64) * sizeof(Lanes *));
    }
}

void environments_give_masks(const Environments *e, size_t block, const EnvironmentOutputs *out) {
    const EnvironmentShape *s = &e->shape;
    size_t first = block * LANES, each = (size_t)s->roles * s->mask_words;
    uint32_t size = block_size(e, block), chance = e->game->chance_role;
    if (out->masks) {
        memcpy(out->masks + first * each, e->masks + first * each, size * each * sizeof *e->masks);
        for (uint32_t i = 0; chance < s->roles && i < size; i++)
            memset(out->masks + (first + i) * each + (size_t)chance * s->mask_words, 0,
                   s->mask_words * sizeof *e->masks);
    }
    for (uint32_t i = 0; out->mask_bytes && i < size; i++)
        for (uint32_t r = 0; r < s->roles; r++) {
            const uint64_t *mask = masks_of(e, first + i, r);
            uint8_t *bytes = out->mask_bytes + ((first + i) * s->roles + r) * s->moves;
            for (uint32_t w = 0; w * 64 < s->moves; w++)
                spread_bits(r == chance ? 0 : mask[w],
                            s->moves - w * 64 < 64 ? s->moves - w * 64 : 64, bytes + w * 64);
        }
}

static void run_block(void *context, size_t block, unsigned worker) {
    const EnvironmentTask *task = context;
    EnvironmentWorker *w = &task->e->workers[worker];
    if (game_has_circuit(task->e->game))
        environments_play_block(task, block, w);
    else
        environments_play_single(task, block, w);
}

void environments_reset(Environments *e, const uint8_t *which, const EnvironmentOutputs *outputs) {
    EnvironmentTask task = {.e = e, .which = which, .out = outputs};
    pool_run(e->pool, e->blocks, run_block, &task);
}

void environments_step(Environments *e, const uint32_t *moves, const EnvironmentOutputs *outputs) {
    EnvironmentTask task = {.e = e, .moves = moves, .out = outputs};
    pool_run(e->pool, e->blocks, run_block, &task);
}

void environments_state(Environments *e, uint32_t match, State *state) {
    assert(match < e->shape.count);
    if (e->single) {
        state_copy(state, &e->single[match]);
        return;
    }
    const Circuit *c = e->game->circuit;
    const Lanes *rows = e->states + (size_t)(match / LANES) * c->fluent_count;
    uint32_t lane = match % LANES;
    state_clear(state);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (rows[f][lane / 64] >> lane % 64 & 1)
            state_set(state, f);
}

uint64_t environments_illegal_moves(const Environments *e) {
    uint64_t sum = 0;
    for (uint32_t t = 0; t < e->options.threads; t++)
        sum += e->workers[t].illegal_moves;
    return sum;
}

uint64_t environments_lost(const Environments *e) {
    return e->lost;
}

bool environments_percept_text(const Environments *e, uint32_t role, uint32_t number, Text *out) {
    if (e->shape.views == 1 || role >= e->shape.roles)
        return false;
    if (e->names) {
        if (number >= e->names[role].names.count)
            return false;
        text_add(out, symbols_name(&e->names[role], number));
        return true;
    }
    if (number >= e->percepts[role].count)
        return false;
    const Circuit *c = e->game->circuit;
    write_term_lower(out, grounding_terms(e->game->grounding),
                     c->percepts.items[e->percepts[role].items[number]].term);
    return true;
}

ALWAYS_INLINE void draw_generic(const uint64_t *masks, size_t count, uint32_t words, Random *random,
                                uint32_t *moves) {
    Random own = *random;
    for (size_t i = 0; i < count; i++)
        moves[i] = mask_draw(masks + i * words, words, &own);
    *random = own;
}

CPU_DISPATCH(void, draw,
             (const uint64_t *masks, size_t count, uint32_t words, Random *random, uint32_t *moves),
             (masks, count, words, random, moves))

void masks_draw(const uint64_t *masks, size_t count, uint32_t words, Random *random,
                uint32_t *moves) {
    draw(masks, count, words, random, moves);
}
