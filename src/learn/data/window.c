/* A ring of packed positions; each position is one block of numbers. Early positions come from an
 * untrained network: once there are enough, only the later half is kept. */
#include "learn/data/window.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bitset.h"
#include "learn/data/mirror.h"

/* Constants of this module. */
enum {
    WINDOW_ROWS = 500000, /* positions in the window, at most (untuned) */
    MIN_KEPT = 20000,     /* positions from which on the earlier half is dropped (untuned) */
    ROW_OVERHEAD = 24     /* bytes of the header of a block and of its pointer in the ring */
};
static const size_t DEFAULT_BYTES = (size_t)1 << 30; /* memory of all positions (untuned) */

/* The numbers are, in this order: number of facts, sizes of the groups, facts, outputs, targets. */
typedef uint32_t *Packed;

struct Window {
    uint32_t role_count;
    Packed *rows; /* ring of positions, oldest first */
    size_t first, count;
    size_t bytes, max_bytes;
    uint64_t added;
    Mirror *mirror;
};

void training_position_begin(TrainingPosition *position, const State *state) {
    bitset_each(fluent, state->words, state->word_count)
        vector_push(&position->facts, (uint32_t)fluent);
}

void training_position_add_output(TrainingPosition *position, uint32_t output, float target) {
    vector_push(&position->outputs, output);
    vector_push(&position->targets, target);
    position->open++;
}

void training_position_end_group(TrainingPosition *position) {
    vector_push(&position->sizes, position->open);
    position->open = 0;
}

size_t training_position_bytes(const TrainingPosition *position) {
    return sizeof *position + (position->facts.capacity + position->outputs.capacity +
                               position->sizes.capacity + position->targets.capacity) *
                                  sizeof(uint32_t);
}

void training_position_free(TrainingPosition *position) {
    vectors_free(&position->facts, &position->outputs, &position->sizes, &position->targets);
}

Window *window_create(Game *game, const WindowOptions *options) {
    Window *w = memory_zalloc(sizeof *w);
    w->role_count = game->role_count;
    w->rows = memory_zalloc(WINDOW_ROWS * sizeof *w->rows);
    w->max_bytes = options->bytes ? options->bytes : DEFAULT_BYTES;
    double seconds = options->seconds > 0 ? options->seconds : INFINITY;
    w->mirror = mirror_create(game, options->images, seconds);
    return w;
}

void window_free(Window *w) {
    for (size_t i = 0; i < w->count; i++)
        free(w->rows[(w->first + i) % WINDOW_ROWS]);
    mirror_free(w->mirror);
    memory_free(w->rows, w);
}

static uint32_t *put(uint32_t *to, const void *from, size_t count) {
    if (count)
        memcpy(to, from, count * sizeof *to);
    return to + count;
}

static Packed pack(const TrainingPosition *position) {
    _Static_assert(sizeof(float) == sizeof(uint32_t), "targets stand among numbers");
    Packed row = memory_alloc(
        (1 + position->sizes.count + position->facts.count + 2 * position->outputs.count) *
        sizeof *row);
    uint32_t *at = row;
    *at++ = (uint32_t)position->facts.count;
    at = put(at, position->sizes.items, position->sizes.count);
    at = put(at, position->facts.items, position->facts.count);
    at = put(at, position->outputs.items, position->outputs.count);
    put(at, position->targets.items, position->targets.count);
    return row;
}

/* Memory of a packed row in bytes, with the header of its block and its pointer in the ring. */
static size_t bytes_of(const Window *w, const uint32_t *row) {
    size_t numbers = 1 + w->role_count + 1 + row[0];
    for (uint32_t g = 0; g <= w->role_count; g++)
        numbers += 2 * (size_t)row[1 + g];
    return ROW_OVERHEAD + numbers * sizeof *row;
}

static void drop_oldest(Window *w) {
    w->bytes -= bytes_of(w, w->rows[w->first]);
    free(w->rows[w->first]);
    w->rows[w->first] = NULL;
    w->first = (w->first + 1) % WINDOW_ROWS;
    w->count--;
}

void window_add(Window *w, TrainingPosition *position) {
    assert(position->sizes.count == w->role_count + 1u);
    if (w->count == WINDOW_ROWS)
        drop_oldest(w);
    Packed row = pack(position);
    w->rows[(w->first + w->count++) % WINDOW_ROWS] = row;
    w->bytes += bytes_of(w, row);
    w->added++;
    while ((w->count > MIN_KEPT && w->count > w->added / 2 + 1) ||
           (w->count > 1 && w->bytes > w->max_bytes))
        drop_oldest(w);
    training_position_free(position);
}

size_t window_rows(const Window *w) {
    return w->count;
}

size_t window_images(const Window *w) {
    return mirror_images(w->mirror);
}

/* The role that the permutation maps to this role. */
static uint32_t origin_of(const GamePermutation *p, uint32_t role_count, uint32_t role) {
    if (!p)
        return role;
    uint32_t r = 0;
    while (r < role_count && p->roles[r] != role)
        r++;
    assert(r < role_count);
    return r;
}

static void draw_values(const Window *w, const GamePermutation *p, const float *values,
                        DenseBatch *batch, FloatVector *targets) {
    for (uint32_t r = 0; r < w->role_count; r++) {
        vector_push(&batch->outputs, r);
        vector_push(targets, values[origin_of(p, w->role_count, r)]);
    }
    dense_batch_end_group(batch);
}

/* Draws the targets for this role's moves from those of the role that is mapped to it. */
static void draw_moves(const Window *w, const GamePermutation *p, uint32_t role,
                       const uint32_t *sizes, const uint32_t *outputs, const float *values,
                       DenseBatch *batch, FloatVector *targets) {
    uint32_t origin = origin_of(p, w->role_count, role), first = sizes[0];
    for (uint32_t r = 0; r < origin; r++)
        first += sizes[1 + r];
    for (uint32_t k = first; k < first + sizes[1 + origin]; k++) {
        uint32_t move = outputs[k] - w->role_count;
        vector_push(&batch->outputs, w->role_count + (p ? p->moves[move] : move));
        vector_push(targets, values[k]);
    }
    dense_batch_end_group(batch);
}

void window_draw(const Window *w, Random *random, DenseBatch *batch, FloatVector *targets) {
    assert(w->count > 0);
    const uint32_t *row = w->rows[(w->first + random_below(random, w->count)) % WINDOW_ROWS];
    const GamePermutation *p =
        mirror_image(w->mirror, random_below(random, mirror_images(w->mirror)));
    uint32_t fact_count = row[0], output_count = 0;
    const uint32_t *sizes = row + 1, *facts = sizes + w->role_count + 1;
    const uint32_t *outputs = facts + fact_count;
    for (uint32_t g = 0; g <= w->role_count; g++)
        output_count += sizes[g];
    const float *values = (const float *)(outputs + output_count);
    for (uint32_t i = 0; i < fact_count; i++)
        vector_push(&batch->facts, p ? p->fluents[facts[i]] : facts[i]);
    draw_values(w, p, values, batch, targets);
    for (uint32_t r = 0; r < w->role_count; r++)
        draw_moves(w, p, r, sizes, outputs, values, batch, targets);
    dense_batch_end_row(batch);
}
