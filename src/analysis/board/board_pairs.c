/* Places whose coordinates are two facts: (posx red 3) and (posy red 4), or (place east 3) and
 * (place north 4). Names are the hint that they belong together. */
#include <string.h>

#include "analysis/board/recogniser.h"

enum { MIN_VALUES = 3, MAX_NAME = 64 };

/* Names of the two axes. */
static const char *const axes[][2] = {
    {"column", "row"}, {"col", "row"}, {"east", "north"}, {"horizontal", "vertical"}, {"x", "y"}};
enum { AXIS_NAMES = sizeof axes / sizeof *axes };

static const char *text_of(const Recogniser *r, Symbol symbol) {
    return symbols_name(&r->board->symbols, symbol);
}

/* True if `other` is the name with the word for the vertical axis; what is left of the name is
 * written. */
static bool is_partner(const char *name, const char *other, char rest[MAX_NAME]) {
    for (size_t i = 0; i < AXIS_NAMES; i++) {
        const char *at = strstr(name, axes[i][0]);
        if (!at || strlen(name) >= MAX_NAME / 2)
            continue;
        size_t before = (size_t)(at - name), length = strlen(axes[i][0]);
        memcpy(rest, name, before);
        strcpy(rest + before, at + length);
        if (strncmp(name, other, before) == 0 &&
            strncmp(other + before, axes[i][1], strlen(axes[i][1])) == 0 &&
            strcmp(other + before + strlen(axes[i][1]), at + length) == 0)
            return true;
    }
    return false;
}

/* True if the fluent tells how fast something is rather than where. */
static bool is_speed(const char *name) {
    static const char *const words[] = {"vel", "speed", "acc", "dir", "delta"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return strcmp(name, "dx") == 0 || strcmp(name, "vx") == 0;
}

static bool is_value(const Recogniser *r, uint32_t family) {
    const BoardFamily *f = &r->board->fluents.items[family];
    return (f->kind == FAMILY_COUNTER || f->kind == FAMILY_HEAPS) &&
           !is_speed(text_of(r, f->functor)) &&
           r->evidence[family].columns[f->value_column].values.count >= MIN_VALUES;
}

static void set_axis(const Recogniser *r, uint32_t family, BoardAxis *axis) {
    const Column *c = &r->evidence[family].columns[r->board->fluents.items[family].value_column];
    u32_append(&axis->values, &c->values);
    axis->order = c->order;
}

/* A grid for the pair: that of an earlier one with the same axes, or a new one. */
static uint32_t grid_of_pair(Recogniser *r, const BoardPair *pair) {
    BoardGrid grid = {.shape = GRID_SQUARES};
    set_axis(r, pair->x_family, &grid.x);
    set_axis(r, pair->y_family, &grid.y);
    for (size_t i = 0; i < r->board->pairs.count; i++) {
        const BoardGrid *other = &r->board->grids.items[r->board->pairs.items[i].grid];
        if (!same_values(&other->x.values, &grid.x.values) ||
            !same_values(&other->y.values, &grid.y.values))
            continue;
        vectors_free(&grid.x.values, &grid.y.values);
        return r->board->pairs.items[i].grid;
    }
    vector_push(&r->board->grids, grid);
    return (uint32_t)r->board->grids.count - 1;
}

static void add_pair(Recogniser *r, BoardPair pair) {
    pair.grid = grid_of_pair(r, &pair);
    vector_push(&r->board->pairs, pair);
    const BoardFamily *f = &r->board->fluents.items[pair.x_family];
    BoardGrid *grid = &r->board->grids.items[pair.grid];
    bool has_things = f->key_column != BOARD_NONE && pair.x_key == SYMBOL_NONE;
    const U32Vector *keys = &r->evidence[pair.x_family].columns[f->key_column % 8].values;
    for (size_t i = 0; i < (has_things ? keys->count : 1); i++)
        vector_push(&grid->pieces, ((BoardPiece){.family = pair.x_family,
                                                 .text = has_things ? keys->items[i] : pair.text}));
}

/* Two keys of one family that are called like axes. */
static void find_keys(Recogniser *r, uint32_t family) {
    const BoardFamily *f = &r->board->fluents.items[family];
    char rest[MAX_NAME];
    if (f->key_column == BOARD_NONE)
        return;
    const U32Vector *keys = &r->evidence[family].columns[f->key_column].values;
    for (size_t i = 0; i < keys->count && keys->count == 2; i++)
        if (is_partner(text_of(r, keys->items[i]), text_of(r, keys->items[1 - i]), rest) && !*rest)
            add_pair(r, (BoardPair){.x_family = family,
                                    .y_family = family,
                                    .x_key = keys->items[i],
                                    .y_key = keys->items[1 - i],
                                    .text = f->functor});
}

void pairs_find(Recogniser *r) {
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        const BoardFamily *x = &r->board->fluents.items[f];
        if (!is_value(r, f))
            continue;
        find_keys(r, f);
        for (uint32_t g = 0; g < r->board->fluents.count; g++) {
            const BoardFamily *y = &r->board->fluents.items[g];
            char rest[MAX_NAME];
            if (g == f || !is_value(r, g) || x->column_count != y->column_count ||
                x->key_column != y->key_column ||
                !is_partner(text_of(r, x->functor), text_of(r, y->functor), rest))
                continue;
            const char *name = *rest ? rest : "disc";
            add_pair(r,
                     (BoardPair){.x_family = f,
                                 .y_family = g,
                                 .x_key = SYMBOL_NONE,
                                 .y_key = SYMBOL_NONE,
                                 .text = symbols_intern(&r->board->symbols, name, strlen(name))});
        }
    }
}
