/* Boards of named places: squares such as a1 or c4, or nodes that relations of the rules link.
 * Names are read as coordinates; links tell whether the rows of such a board stand below each other
 * or are centred. Without coordinates in the names, distances along links lay the board out. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/board/recogniser.h"

/* All numbers are guesses. */
enum {
    MAX_NEIGHBOURS = 8, /* neighbours of one place */
    MIN_LINKED = 80,    /* percent of the places that a relation links */
    MIN_FILLED = 40,    /* percent of the squares of a lattice that are places */
    MIN_NAMED = 6,      /* places that their names alone lay out */
    ROUNDS = 300        /* rounds of moving places to where distances want them */
};
/* Longest link by the least distance: names do not tell places. */
static const double stretched = 2.3;
static const double hexagon_row = 0.866;

typedef struct {
    const Recogniser *recogniser;
    const U32Vector *values;
    uint32_t count;
    uint8_t *linked; /* by two values */
    BoardPoint *points;
} Layout;

static uint32_t degree(const uint8_t *linked, uint32_t count, uint32_t place) {
    uint32_t neighbours = 0;
    for (uint32_t k = 0; k < count; k++)
        neighbours += linked[place * count + k];
    return neighbours;
}

/* True if the links are those of a board: few for each place, for nearly all places, and no path.
 */
static bool may_be_board(const Layout *l, const uint8_t *linked) {
    uint32_t with = 0, most = 0, links = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t own = degree(linked, l->count, i);
        with += own > 0;
        links += own;
        most = own > most ? own : most;
    }
    return with * 100 >= l->count * MIN_LINKED && most <= MAX_NEIGHBOURS && links / 2 >= l->count;
}

static void link_pair(const Layout *l, uint8_t *linked, Symbol a, Symbol b) {
    uint32_t from = u32_index_of(l->values, a), to = u32_index_of(l->values, b);
    if (from == BOARD_NONE || to == BOARD_NONE || from == to)
        return;
    linked[from * l->count + to] = linked[to * l->count + from] = 1;
}

/* Links the pairs of values that the rows of one relation name, or the neighbours in their triples.
 * Relations with other values in these places are about something else. */
static void link_relation(const Layout *l, const StaticRow *rows, size_t count, uint8_t *linked) {
    for (uint32_t c = 0; c + 1 < rows->arity; c++) {
        uint32_t next = c + 1;
        size_t inside = 0;
        for (size_t i = 0; i < count; i++)
            inside += u32_contains(l->values, rows[i].values[c]) &&
                      u32_contains(l->values, rows[i].values[next]);
        if (inside < count)
            continue;
        for (size_t i = 0; i < count; i++)
            link_pair(l, linked, rows[i].values[c], rows[i].values[next]);
    }
    if (rows->arity == 3) {
        size_t inside = 0;
        for (size_t i = 0; i < count; i++)
            inside += u32_contains(l->values, rows[i].values[0]) &&
                      u32_contains(l->values, rows[i].values[2]) &&
                      !u32_contains(l->values, rows[i].values[1]);
        for (size_t i = 0; i < count && inside == count; i++)
            link_pair(l, linked, rows[i].values[0], rows[i].values[2]);
    }
}

/* Adds the relation's links to those found so far, if both make one board; a relation with fewer
 * links takes the place of one that links too much. */
static void find_links(Layout *l) {
    const StaticRows *rows = &l->recogniser->statics;
    size_t size = (size_t)l->count * l->count;
    uint8_t *own = memory_alloc(size + 1), *both = memory_alloc(size + 1);
    for (size_t first = 0, end; first < rows->count; first = end) {
        for (end = first;
             end < rows->count && rows->items[end].relation == rows->items[first].relation;)
            end++;
        if (rows->items[first].arity > 3)
            continue;
        memset(own, 0, size);
        link_relation(l, &rows->items[first], end - first, own);
        for (size_t i = 0; i < size; i++)
            both[i] = own[i] | l->linked[i];
        if (may_be_board(l, both))
            memcpy(l->linked, both, size);
        else if (may_be_board(l, own) && !may_be_board(l, l->linked))
            memcpy(l->linked, own, size);
        else if (!may_be_board(l, l->linked) && memchr(own, 1, size))
            memcpy(l->linked, both, size);
    }
    if (!may_be_board(l, l->linked))
        memset(l->linked, 0, size);
    memory_free(own, both);
}

static bool has_links(const Layout *l) {
    return memchr(l->linked, 1, (size_t)l->count * l->count) != NULL;
}

/* Reads a name as two coordinates: a letter and a number (c4), or two numbers (3_4, p34). */
static bool read_name(const char *name, int *first, int *second) {
    char letters[16];
    int end = 0;
    if (sscanf(name, "%1[a-z]%d%n", letters, second, &end) == 2 && !name[end] && *second < 10) {
        *first = letters[0] - 'a';
        return true;
    }
    end = 0;
    if (sscanf(name, "%15[a-z_]%1d%1d%n", letters, first, second, &end) == 3 && !name[end])
        return true;
    end = 0;
    if (sscanf(name, "%d%15[_a-z,]%d%n", first, letters, second, &end) == 3 && !name[end])
        return true;
    end = 0;
    if (sscanf(name, "%1[a-z]%d%n", letters, second, &end) == 2 && !name[end]) {
        *first = letters[0] - 'a';
        return true;
    }
    return false;
}

/* Least distance of two places. */
static double least_distance(const Layout *l) {
    double least = INFINITY;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < i; k++)
            least = fmin(least,
                         hypot(l->points[i].x - l->points[k].x, l->points[i].y - l->points[k].y));
    return least;
}

/* How long links are on average, by the least distance of two places; 1 without links. */
static double stretch(const Layout *l) {
    double sum = 0, least = least_distance(l);
    uint32_t links = 0;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (l->linked[i * l->count + k]) {
                sum += hypot(l->points[i].x - l->points[k].x, l->points[i].y - l->points[k].y);
                links++;
            }
    return links && least > 0 ? sum / links / least : links ? INFINITY : 1;
}

/* Lays the places out by their names: first coordinate to the right, second upwards; or, `centred`,
 * rows of the first coordinate, each in the middle. */
static bool lay_by_names(Layout *l, bool centred) {
    int *at = memory_alloc((2 * (size_t)l->count + 1) * sizeof *at);
    bool all = true;
    for (uint32_t i = 0; i < l->count && all; i++)
        all = read_name(symbols_name(&l->recogniser->board->symbols, l->values->items[i]),
                        &at[2 * i], &at[2 * i + 1]);
    for (uint32_t i = 0; i < l->count && all; i++) {
        int low = at[2 * i + 1], high = low;
        for (uint32_t k = 0; k < l->count; k++)
            if (at[2 * k] == at[2 * i]) {
                low = at[2 * k + 1] < low ? at[2 * k + 1] : low;
                high = at[2 * k + 1] > high ? at[2 * k + 1] : high;
            }
        l->points[i] =
            centred ? (BoardPoint){at[2 * i + 1] - (low + high) / 2.0, -at[2 * i] * hexagon_row}
                    : (BoardPoint){at[2 * i], at[2 * i + 1]};
    }
    free(at);
    return all && least_distance(l) > 0.5;
}

/* True if the places fill much of a rectangle, so that names alone are evidence. */
static bool fills_rectangle(const Layout *l) {
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < l->count; i++) {
        left = fmin(left, l->points[i].x);
        right = fmax(right, l->points[i].x);
        low = fmin(low, l->points[i].y);
        high = fmax(high, l->points[i].y);
    }
    double squares = (right - left + 1) * (high - low + 1);
    return l->count >= MIN_NAMED && right > left && high > low &&
           l->count * 100.0 >= squares * MIN_FILLED;
}

/* Distances along links, by two places; as far apart as possible where there is no way. */
static double *link_distances(const Layout *l) {
    uint32_t n = l->count;
    double *distance = memory_alloc(((size_t)n * n + 1) * sizeof *distance);
    for (uint32_t i = 0; i < n * n; i++)
        distance[i] = i / n == i % n ? 0 : l->linked[i] ? 1 : sqrt(n) + 1;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                distance[i * n + j] =
                    fmin(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
    return distance;
}

/* Moves every place to the mean of where each other place wants it, by its distance along links;
 * near places count more. It starts from a circle and needs no chance. */
static void lay_by_links(Layout *l) {
    uint32_t n = l->count;
    double *distance = link_distances(l);
    for (uint32_t i = 0; i < n; i++)
        l->points[i] =
            (BoardPoint){n * 0.2 * cos(2 * M_PI * i / n), n * 0.2 * sin(2 * M_PI * i / n)};
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < n; i++) {
            double x = 0, y = 0, weights = 0;
            for (uint32_t k = 0; k < n; k++) {
                double dx = l->points[i].x - l->points[k].x, dy = l->points[i].y - l->points[k].y;
                double far = fmax(hypot(dx, dy), 1e-6), want = distance[i * n + k];
                double weight = i == k ? 0 : 1 / (want * want);
                x += weight * (l->points[k].x + dx / far * want);
                y += weight * (l->points[k].y + dy / far * want);
                weights += weight;
            }
            l->points[i] = weights > 0 ? (BoardPoint){x / weights, y / weights} : l->points[i];
        }
    free(distance);
}

/* Nine or sixteen numbers or letters that follow one another are the squares of a square board. */
static bool lay_by_numbers(Layout *l) {
    uint32_t side = (uint32_t)lround(sqrt(l->count));
    if (side * side != l->count || side < 3 || side > 4)
        return false;
    for (uint32_t i = 0; i < l->count; i++) {
        const char *name = symbols_name(&l->recogniser->board->symbols, l->values->items[i]);
        char *end;
        long number = name[0] && !name[1] && isalpha((unsigned char)*name) ? *name - 'a' + 1
                                                                           : strtol(name, &end, 10);
        if ((isdigit((unsigned char)*name) && *end) || number != (long)i + 1)
            return false;
        uint32_t row = i / side;
        l->points[i] = (BoardPoint){i % side, side - 1 - row};
    }
    return true;
}

/* True if the numbers of every row begin alike, but the rows differ in length: numbers count the
 * places of a row, and say nothing of what is above. */
static bool counts_in_rows(const Layout *l) {
    double low = INFINITY, shortest = INFINITY, longest = 0;
    bool begin_alike = true;
    for (uint32_t i = 0; i < l->count; i++)
        low = fmin(low, l->points[i].y);
    for (uint32_t i = 0; i < l->count; i++) {
        double first = INFINITY, last = -INFINITY;
        for (uint32_t k = 0; k < l->count; k++)
            if (l->points[k].x == l->points[i].x) {
                first = fmin(first, l->points[k].y);
                last = fmax(last, l->points[k].y);
            }
        begin_alike &= first == low;
        shortest = fmin(shortest, last - first);
        longest = fmax(longest, last - first);
    }
    return begin_alike && longest > shortest;
}

/* Places as squares if their names say so and links, if there are any, join near ones; as centred
 * rows if that is nearer; else as links want them. */
static bool lay_out(Layout *l, bool *is_lattice) {
    bool linked = has_links(l);
    *is_lattice = lay_by_numbers(l) && stretch(l) <= stretched;
    if (*is_lattice)
        return true;
    bool named = lay_by_names(l, false), counted = named && counts_in_rows(l);
    double by_lattice = named ? stretch(l) : INFINITY;
    bool fills = named && fills_rectangle(l);
    double by_rows = named && lay_by_names(l, true) ? stretch(l) : INFINITY;
    if (linked ? fmin(by_lattice, by_rows) > stretched : !fills) {
        if (linked)
            lay_by_links(l);
        return linked;
    }
    *is_lattice = linked ? by_lattice <= by_rows : !counted;
    lay_by_names(l, !*is_lattice);
    return true;
}

bool places_find(const Recogniser *r, const U32Vector *values, Places *places) {
    uint32_t count = (uint32_t)values->count;
    Layout l = {.recogniser = r, .values = values, .count = count};
    *places = (Places){0};
    l.linked = memory_zalloc((size_t)count * count + 1);
    l.points = memory_zalloc((count + 1) * sizeof *l.points);
    find_links(&l);
    bool found = lay_out(&l, &places->is_lattice);
    double least = least_distance(&l);
    for (uint32_t i = 0; found && i < count; i++)
        l.points[i] = (BoardPoint){l.points[i].x / least, l.points[i].y / least};
    for (uint32_t i = 0; i < count * count; i++)
        if (l.linked[i] && i / count < i % count)
            vector_push(&places->links, ((BoardLink){i / count, i % count}));
    free(l.linked);
    places->points = l.points;
    if (!found || !isfinite(least))
        places_free(places);
    return found && isfinite(least);
}

void places_free(Places *places) {
    free(places->points);
    vector_free(&places->links);
}
