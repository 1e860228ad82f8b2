/* The contents of empty squares, found by watching matches: what moving pieces leave behind; what
 * all squares are before they are filled in; of the contents that come and go, those that fill most
 * of the first board; the tile that takes part in every exchange. A fact without contents is blank
 * if it is true on the whole board at first and lies under other pieces, or if it leaves squares
 * one by one; then the squares without it are those that players have marked. */
#include <assert.h>
#include <string.h>

#include "analysis/board/board_internal.h"
#include "base/bitset.h"
#include "base/table.h"

uint64_t board_square_of(const BoardFamily *f, const uint32_t *row) {
    const uint32_t columns[] = {f->x_column, f->y_column, f->plane_column};
    uint64_t square = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        square = square << 21 | (columns[i] == BOARD_NONE ? 0 : row[columns[i]]);
    return square;
}

void board_list_rows(const BoardFacts *s, uint32_t family, uint32_t state, U32Vector *rows) {
    assert(state < board_sample_states(s->sample));
    vector_clear(rows);
    for (uint32_t i = s->sample->first_fact.items[state];
         i < s->sample->first_fact.items[state + 1]; i++) {
        uint32_t fluent = s->sample->facts.items[i];
        if (s->terms->family.items[fluent] == family)
            vector_push(rows, s->terms->row.items[fluent]);
    }
}

static bool follows(const BoardSample *sample, uint32_t state) {
    return state > 0 && sample->step.items[state] == sample->step.items[state - 1] + 1;
}

/* How one kind of contents changes in the sampled matches. */
typedef struct {
    uint32_t at_start;     /* number of squares that have it in the initial state */
    bool changes;          /* some square gets it or loses it */
    bool enters;           /* some square gets it */
    bool leaves;           /* some square loses it */
    bool grows;            /* after some turn more squares have it than before */
    uint32_t gained, lost; /* number of squares that got it, and that lost it, in the last turn */
    uint32_t losses;       /* turns in which some square lost it */
    uint32_t splits;       /* turns in which squares lost it for different contents */
    int64_t total;         /* squares that got it minus squares that lost it, over all turns */
    uint32_t left_behind;  /* squares that got it when the piece on them moved away */
} ContentLife;

/* The facts of a family with squares and contents as numbers. */
typedef struct {
    size_t square_count, content_count;
    uint32_t *square, *content; /* by row */
    Symbol *symbols;            /* by content */
    ContentLife *lives;         /* by content */
    uint32_t *before, *after;   /* by square: contents around the turn, or content_count */
    Arena arena;                /* owns the arrays */
} Contents;

typedef VECTOR(uint64_t) Numbers;

/* Returns the number of a value; a new value gets the next free number. */
static uint32_t number_of(Table *numbers, Numbers *values, uint64_t value) {
    uint32_t number;
    uint64_t hash = hash_mix(1, value);
    for (TableProbe p = table_probe(numbers, hash); table_next(numbers, &p, &number);)
        if (values->items[number] == value)
            return number;
    vector_push(values, value);
    table_insert(numbers, hash, (uint32_t)values->count - 1);
    return (uint32_t)values->count - 1;
}

static void contents_make(const BoardFacts *s, uint32_t family, Contents *c) {
    const BoardFamily *f = &s->board->fluents.items[family];
    uint32_t rows = board_rows_count(s->terms, family);
    Table square_numbers = {0}, content_numbers = {0};
    Numbers squares = {0}, symbols = {0};
    *c = (Contents){0};
    c->square = arena_alloc(&c->arena, (rows + 1) * sizeof *c->square);
    c->content = arena_alloc(&c->arena, (rows + 1) * sizeof *c->content);
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t *row = board_rows_get(s->terms, family, i);
        c->square[i] = number_of(&square_numbers, &squares, board_square_of(f, row));
        c->content[i] =
            number_of(&content_numbers, &symbols, board_family_contents(s->board, f, row));
    }
    c->square_count = squares.count;
    c->content_count = symbols.count;
    c->symbols = arena_alloc(&c->arena, (symbols.count + 1) * sizeof *c->symbols);
    for (size_t i = 0; i < symbols.count; i++)
        c->symbols[i] = (Symbol)symbols.items[i];
    c->lives = arena_zalloc(&c->arena, (symbols.count + 1) * sizeof *c->lives);
    c->before = arena_alloc(&c->arena, (squares.count + 1) * sizeof *c->before);
    c->after = arena_alloc(&c->arena, (squares.count + 1) * sizeof *c->after);
    table_free(&square_numbers);
    table_free(&content_numbers);
    vectors_free(&squares, &symbols);
}

/* Contents moved if exactly one square gets them and others lose them. The other squares then show
 * the contents that a moving piece leaves behind. */
static void note_moves(Contents *c) {
    for (size_t i = 0; i < c->square_count; i++) {
        const ContentLife *moved = &c->lives[c->before[i]];
        if (c->before[i] != c->after[i] && c->before[i] < c->content_count && moved->gained == 1)
            c->lives[c->after[i]].left_behind++;
    }
}

/* A content splits if squares lose it for different contents in one turn: where it was a piece has
 * left, and gone to another (coins on coins). */
static void note_splits(Contents *c) {
    for (size_t content = 0; content < c->content_count; content++) {
        uint32_t first = (uint32_t)c->content_count;
        bool loses = false, splits = false;
        for (size_t i = 0; i < c->square_count && c->lives[content].lost > 0; i++) {
            if (c->before[i] != content || c->after[i] == content)
                continue;
            splits |= loses && c->after[i] != first;
            first = c->after[i];
            loses = true;
        }
        c->lives[content].losses += loses;
        c->lives[content].splits += splits;
    }
}

static void note_changes(Contents *c) {
    for (size_t i = 0; i < c->square_count; i++) {
        ContentLife *old = &c->lives[c->before[i]], *new = &c->lives[c->after[i]];
        if (old == new)
            continue;
        old->changes = new->changes = old->leaves = new->enters = true;
        old->lost++;
        new->gained++;
    }
    note_moves(c);
    note_splits(c);
    for (size_t i = 0; i <= c->content_count; i++) {
        ContentLife *life = &c->lives[i];
        life->grows |= life->gained > life->lost;
        life->total += (int64_t)life->gained - life->lost;
        life->gained = life->lost = 0;
    }
}

/* Follows the contents through the matches. Returns the number of squares filled at first. */
static size_t follow_contents(const BoardFacts *s, uint32_t family, Contents *c) {
    U32Vector rows = {0};
    size_t filled = 0;
    for (uint32_t state = 0; state < board_sample_states(s->sample); state++) {
        board_list_rows(s, family, state, &rows);
        for (size_t i = 0; i < c->square_count; i++)
            c->after[i] = (uint32_t)c->content_count;
        for (size_t i = 0; i < rows.count; i++) {
            c->after[c->square[rows.items[i]]] = c->content[rows.items[i]];
            c->lives[c->content[rows.items[i]]].at_start += state == 0;
        }
        filled += state == 0 ? rows.count : 0;
        if (follows(s->sample, state))
            note_changes(c);
        uint32_t *swap = c->before;
        c->before = c->after;
        c->after = swap;
    }
    vector_free(&rows);
    return filled;
}

/* Chooses between two contents. The one that is more frequent at the start may be pieces that can
 * be captured: they move, and no turn adds any. Then the other one is blank. */
static size_t pick_of_two(const Contents *c, size_t best) {
    size_t living = 0, other = best;
    for (size_t i = 0; i < c->content_count; i++) {
        living += c->lives[i].changes;
        other = c->lives[i].changes && i != best ? i : other;
    }
    const ContentLife *life = &c->lives[best];
    bool is_taken = life->enters && !life->grows && life->total < 0;
    return living == 2 && is_taken ? other : best;
}

/* True if no square ever loses its fact without getting another. */
static bool stays_full(const Contents *c) {
    return !c->lives[c->content_count].changes;
}

/* Finds the contents that moving pieces leave behind on a board that stays full, if at least half
 * of the moves agree; else returns content_count. A board with only two contents is excluded,
 * because they might be lights that are switched. */
static size_t find_left_behind(const Contents *c) {
    uint64_t votes = 0, most = 0;
    size_t best = c->content_count;
    for (size_t i = 0; i < c->content_count; i++) {
        uint32_t left_behind = c->lives[i].left_behind;
        votes += left_behind;
        if (left_behind > most) {
            most = left_behind;
            best = i;
        } else if (left_behind == most) {
            best = c->content_count;
        }
    }
    return stays_full(c) && c->content_count > 2 && 2 * most >= votes ? best : c->content_count;
}

/* Finds the contents that every square has until it is filled for good; content_count if none, or
 * if every turn turns several squares of it into different contents. */
static size_t find_only_source(const Contents *c) {
    size_t source = c->content_count, sources = 0;
    for (size_t i = 0; i < c->content_count; i++)
        if (c->lives[i].leaves) {
            sources++;
            source = i;
        }
    bool is_source = stays_full(c) && sources == 1 && !c->lives[source].enters &&
                     c->lives[source].splits < c->lives[source].losses;
    return is_source ? source : c->content_count;
}

/* Finds the most common contents that can change. On a board that is mostly full at first, they
 * must fill two fifths of the squares that can change. SYMBOL_NONE if there are none. */
static Symbol find_most_common(const Contents *c, size_t filled) {
    size_t living = 0, best = c->content_count, source = find_only_source(c);
    if (source < c->content_count)
        return c->symbols[source];
    for (size_t i = 0; i < c->content_count; i++) {
        const ContentLife *life = &c->lives[i];
        living += life->changes ? life->at_start : 0;
        if (life->changes && life->at_start > 1 &&
            (best == c->content_count || life->at_start > c->lives[best].at_start))
            best = i;
    }
    bool is_board = stays_full(c) && filled * 10 >= c->square_count * 6 &&
                    best < c->content_count && c->lives[best].at_start * 5 >= living * 2;
    return is_board ? c->symbols[pick_of_two(c, best)] : SYMBOL_NONE;
}

/* Finds the tile that takes part in every change of a board of different tiles (15-puzzle). */
static Symbol find_exchanged(const BoardFacts *s, uint32_t family, const Contents *c) {
    uint32_t *where = memory_zalloc((c->content_count + 1) * sizeof *where); /* by content */
    bool *rests = memory_zalloc((c->content_count + 1) * sizeof *rests);
    bool is_full = c->content_count == c->square_count && c->square_count > 2;
    uint32_t changes = 0, wanderers = 0;
    Symbol blank = SYMBOL_NONE;
    U32Vector rows = {0};
    for (uint32_t state = 0; is_full && state < board_sample_states(s->sample); state++) {
        board_list_rows(s, family, state, &rows);
        is_full = rows.count == c->square_count;
        bool is_change = false;
        for (size_t i = 0; i < rows.count; i++)
            is_change |= where[c->content[rows.items[i]]] != c->square[rows.items[i]];
        is_change &= follows(s->sample, state);
        changes += is_change;
        for (size_t i = 0; i < rows.count; i++) {
            uint32_t tile = c->content[rows.items[i]], square = c->square[rows.items[i]];
            rests[tile] |= is_change && where[tile] == square;
            where[tile] = square;
        }
    }
    for (size_t i = 0; is_full && changes > 1 && i < c->content_count; i++)
        if (!rests[i]) {
            wanderers++;
            blank = c->symbols[i];
        }
    memory_free(where, rests);
    vector_free(&rows);
    return wanderers == 1 ? blank : SYMBOL_NONE;
}

Symbol board_blank_find(const BoardFacts *s, uint32_t family) {
    Contents c;
    contents_make(s, family, &c);
    size_t filled = follow_contents(s, family, &c);
    size_t left_behind = find_left_behind(&c);
    Symbol blank =
        left_behind < c.content_count ? c.symbols[left_behind] : find_most_common(&c, filled);
    if (blank == SYMBOL_NONE)
        blank = find_exchanged(s, family, &c);
    arena_free(&c.arena);
    return blank;
}

bool board_blank_is_floor(const BoardFacts *s, uint32_t family, size_t squares) {
    U32Vector rows = {0};
    board_list_rows(s, family, 0, &rows);
    bool is_floor = rows.count == squares;
    vector_free(&rows);
    return is_floor;
}

bool board_blank_is_lost(const BoardFacts *s, uint32_t family) {
    size_t words = bitset_words(board_rows_count(s->terms, family)) + 1;
    uint64_t *held = memory_zalloc(words * sizeof *held);
    U32Vector rows = {0};
    size_t count = 0;
    bool loses_few = true, loses_any = false;
    for (uint32_t state = 0; loses_few && state < board_sample_states(s->sample); state++) {
        board_list_rows(s, family, state, &rows);
        bool is_next = follows(s->sample, state);
        for (size_t i = 0; is_next && i < rows.count; i++)
            loses_few &= bitset_get(held, rows.items[i]);
        loses_few &= !is_next || count <= rows.count + 2; /* a domino covers two */
        loses_any |= is_next && count > rows.count;
        count = rows.count;
        memset(held, 0, words * sizeof *held);
        for (size_t i = 0; i < rows.count; i++)
            bitset_set(held, rows.items[i]);
    }
    free(held);
    vector_free(&rows);
    return loses_few && loses_any;
}
