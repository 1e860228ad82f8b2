/* Draws boards: each square is a group around its centre, so that the page can turn a board by
 * moving the groups. */
#include "analysis/board/board_svg.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "analysis/board/board_svg_internal.h"
#include "base/bitset.h"

enum {
    UNIT = SVG_UNIT,
    SMALL_BOARD = 300,   /* width of a board that no move points at, at most */
    MARGIN = 3,          /* around a board */
    CLUE = 17,           /* distance of the clues of a line */
    TRACK_ROW = 56,      /* height of a place of a track */
    TRACK_GAP = 12,      /* between the two lines of a track */
    LABEL_HEIGHT = 11,   /* letters of the labels of rows and columns */
    MAX_NAME_LENGTH = 7, /* characters of a label (untuned) */
    LIGHT = 0xeeddb9,
    DARK = 0xc79a68,
    PLAIN = 0xf1e4c8
};
static const double hexagon_radius = UNIT * 0.577, hexagon_rise = UNIT * 0.866;

void svg_number(Text *out, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.1f", value);
    size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, ".0") == 0)
        text[length - 2] = '\0';
    text_add(out, strcmp(text, "-0") == 0 ? "0" : text);
}

/* Whether black lines are seen better on the colour than white ones. */
static bool is_light(uint32_t colour) {
    return 299 * (colour >> 16 & 255) + 587 * (colour >> 8 & 255) + 114 * (colour & 255) > 128000;
}

/* Appends a text in the middle of the square of 40 units, so large that it fits into `room`. */
void svg_label(Text *out, const char *text, double y, double room, uint32_t colour) {
    size_t length = strlen(text);
    double size = fmin(room * 0.62, room * 1.7 / (double)(length ? length : 1));
    text_printf(out, "<text class=\"mark\" y=\"");
    svg_number(out, y + size * 0.36);
    text_add(out, "\" font-size=\"");
    svg_number(out, size);
    text_printf(out, "\" font-weight=\"700\" fill=\"#%06x\">", colour);
    text_add_markup(out, text);
    text_add(out, "</text>");
}

/* A ring in a disc, a dot in the foot of other pieces: what tells a side apart but its hue. */
static void draw_ring(Text *out, const Glyph *glyph, uint32_t line) {
    if (glyph->paint != PAINT_PIECE)
        return;
    if (strcmp(glyph->name, "disc") == 0)
        text_printf(out, "<circle r=\"10.5\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.8\"/>",
                    line);
    else
        text_printf(out, "<circle cy=\"%d\" r=\"3\" fill=\"#%06x\"/>",
                    strcmp(glyph->name, "man") == 0 ? 0 : 10, line);
}

static void draw_glyph(Text *out, const PieceLook *look) {
    const Glyph *glyph = look->glyph;
    uint32_t line = is_light(look->fill) ? 0x2a2620 : 0xf4f1ea;
    if (glyph->paint == PAINT_EDGE) {
        text_printf(out, "<path d=\"%s\" stroke=\"#%06x\" stroke-width=\"5\"/>", glyph->body,
                    look->fill);
        return;
    }
    if (glyph->paint == PAINT_STROKE) {
        text_printf(out,
                    "<path d=\"%s\" fill=\"none\" stroke=\"#2a2620\" stroke-width=\"7.5\" "
                    "stroke-linecap=\"round\"/><path d=\"%s\" fill=\"none\" stroke=\"#%06x\" "
                    "stroke-width=\"5.5\" stroke-linecap=\"round\"/>",
                    glyph->body, glyph->body, look->fill);
        return;
    }
    text_printf(out,
                "<path d=\"%s\" fill=\"#%06x\" stroke=\"#2a2620\" stroke-width=\"1.3\" "
                "stroke-linejoin=\"round\"%s/>",
                glyph->body, look->fill, look->is_hollow ? " fill-opacity=\".35\"" : "");
    if (*glyph->detail)
        text_printf(out,
                    "<path d=\"%s\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.8\" "
                    "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
                    glyph->detail, line);
    if (look->is_ringed)
        draw_ring(out, glyph, line);
    if (look->is_hollow)
        text_printf(out, "<circle r=\"4\" fill=\"#%06x\" stroke=\"#2a2620\"/>", line);
}

void svg_piece(Text *out, const PieceLook *look, double scale) {
    bool terrain = look->glyph && look->glyph->paint >= PAINT_EDGE;
    if (look->is_small)
        scale *= 0.65;
    text_add(out, "<g class=\"piece\"");
    if (scale != 1 && !terrain) {
        text_add(out, " transform=\"scale(");
        text_printf(out, "%.2f)\"", scale);
    }
    text_add_char(out, '>');
    if (look->glyph)
        draw_glyph(out, look);
    if (*look->label) {
        bool on_disc = look->glyph && look->glyph->paint != PAINT_STROKE;
        uint32_t ink = !on_disc || is_light(look->fill) ? 0x1c1a17 : 0xffffff;
        svg_label(out, look->label, 0, look->glyph ? 24 : 32, ink);
    }
    text_add(out, "</g>");
}

/* ---- one board ---- */

typedef struct {
    const Board *board;
    const BoardView *view;
    const BoardGrid *grid;
    uint32_t number, plane;
    double left, width, height; /* room for the labels of rows; size of the board without labels */
    BoardPoint corner;          /* places only: the left and upper ends */
    double spread;              /* places only: units between neighbours */
    bool is_turned;
    VECTOR(const PlacedPiece *) * squares;
    Text *out;
} Sheet;

static uint32_t rows_of(const Sheet *s) {
    return grid_height(s->grid);
}

/* Points that lines join, rather than squares. */
static bool is_point_board(const Sheet *s) {
    return s->grid->shape == GRID_PLACES && s->grid->y.values.count > 0;
}

/* The centre of a square. */
static void centre(const Sheet *s, uint32_t x, uint32_t y, double *at_x, double *at_y) {
    uint32_t rows = rows_of(s);
    if (s->grid->track) {
        uint32_t ring = s->grid->track, half = (ring + 1) / 2;
        bool far = x < ring ? x >= half : (x - ring) % 2;
        uint32_t column = x < ring ? 0 : (x - ring) / 2;
        *at_x = (x >= ring ? half + 0.8 + column : far ? x - half + 0.5 : half - x - 0.5) * UNIT;
        *at_y = far ? TRACK_ROW / 2.0 : TRACK_ROW * 1.5 + TRACK_GAP;
    } else if (s->grid->shape == GRID_PLACES) {
        const BoardPoint *p = &s->grid->points[y * grid_width(s->grid) + x];
        *at_x = (p->x - s->corner.x) * s->spread + UNIT / 2.0;
        *at_y = (s->corner.y - p->y) * s->spread + UNIT / 2.0;
    } else if (s->grid->shape == GRID_HEXAGONS) {
        uint32_t shift = s->grid->slant > 0 ? y : rows - 1 - y;
        *at_x = (x + 0.5 + shift / 2.0) * UNIT;
        *at_y = (rows - 1 - y) * hexagon_rise + hexagon_radius;
    } else {
        *at_x = (x + 0.5) * UNIT;
        *at_y = (rows - 1 - y + 0.5) * UNIT;
    }
    if (s->is_turned) {
        *at_x = s->width - *at_x;
        *at_y = s->height - *at_y;
    }
}

static void measure_places(Sheet *s) {
    BoardPoint least = {INFINITY, INFINITY}, most = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < grid_width(s->grid) * rows_of(s); i++) {
        if (!bitset_get(s->grid->exists, i))
            continue;
        const BoardPoint *p = &s->grid->points[i];
        least = (BoardPoint){fmin(least.x, p->x), fmin(least.y, p->y)};
        most = (BoardPoint){fmax(most.x, p->x), fmax(most.y, p->y)};
    }
    s->corner = (BoardPoint){least.x, most.y};
    s->spread = s->grid->is_lattice || is_point_board(s) ? UNIT : UNIT * 1.15;
    s->width = (most.x - least.x) * s->spread + UNIT;
    s->height = (most.y - least.y) * s->spread + UNIT;
}

static void measure(Sheet *s) {
    uint32_t rows = rows_of(s), columns = grid_width(s->grid);
    s->width = columns * UNIT;
    s->height = rows * UNIT;
    if (s->grid->track) {
        uint32_t half = (s->grid->track + 1) / 2, beside = columns - s->grid->track;
        uint32_t pairs = (beside + 1) / 2;
        s->width = (half + (beside ? 0.3 + pairs : 0)) * UNIT;
        s->height = 2.0 * TRACK_ROW + TRACK_GAP;
    }
    if (s->grid->shape == GRID_PLACES)
        measure_places(s);
    if (s->grid->shape == GRID_HEXAGONS) {
        s->width += (rows - 1) * UNIT / 2.0;
        s->height = (rows - 1) * hexagon_rise + 2 * hexagon_radius;
    }
}

static const char *label_text(const Sheet *s, Symbol symbol) {
    return symbols_name(&s->board->symbols, symbol);
}

static double longest_label(const Sheet *s, const BoardAxis *axis) {
    size_t longest = 0;
    for (size_t i = 0; i < axis->values.count; i++) {
        size_t length = strlen(label_text(s, axis->values.items[i]));
        longest = length > longest ? length : longest;
    }
    return (double)(longest < MAX_NAME_LENGTH ? longest : MAX_NAME_LENGTH);
}

static void put_label(const Sheet *s, const char *class, Symbol symbol, double x, double y,
                      const char *anchor) {
    const char *name = label_text(s, symbol);
    Text cut = {0};
    text_add_bytes(&cut, name, strnlen(name, MAX_NAME_LENGTH));
    text_printf(s->out, "<text class=\"label %s\" transform=\"translate(", class);
    svg_number(s->out, x);
    text_add_char(s->out, ' ');
    svg_number(s->out, y);
    text_printf(s->out, ")\" text-anchor=\"%s\">", anchor);
    text_add_markup(s->out, cut.items);
    text_add(s->out, "</text>");
    vector_free(&cut);
}

/* Clues to the left of rows and above columns, the last one next to the board. */
static void put_clues(const Sheet *s) {
    for (size_t i = s->grid->clues.count; i-- > 0;) {
        const BoardClue *clue = &s->grid->clues.items[i];
        uint32_t behind = 0;
        double x, y;
        for (size_t k = i + 1; k < s->grid->clues.count; k++)
            behind += s->grid->clues.items[k].is_row == clue->is_row &&
                      s->grid->clues.items[k].line == clue->line;
        centre(s, clue->is_row ? 0 : clue->line, clue->is_row ? clue->line : 0, &x, &y);
        put_label(s, "clue\" font-weight=\"700\" font-size=\"14", clue->text,
                  clue->is_row ? -8.0 - (double)behind * CLUE : x,
                  clue->is_row ? y + CLUE * 0.3 : -6.0 - (double)behind * CLUE,
                  clue->is_row ? "end" : "middle");
    }
}

/* Labels of columns below, of rows to the left. Long names of columns that would touch are left
 * out but for every second, third ... one. */
static void put_labels(const Sheet *s) {
    const BoardAxis *across = &s->grid->x, *up = &s->grid->y;
    if (s->grid->shape == GRID_PLACES || s->grid->track)
        return;
    uint32_t step = 1 + (uint32_t)(longest_label(s, across) * LABEL_HEIGHT * 0.62 / UNIT);
    double x, y;
    text_printf(s->out,
                "<g class=\"labels\" fill=\"#6b5a41\" font-size=\"%d\" aria-hidden=\"true\">",
                LABEL_HEIGHT);
    for (uint32_t c = 0; c < across->values.count; c += step) {
        centre(s, c, 0, &x, &y);
        put_label(s, "x", across->values.items[c], x,
                  s->height + LABEL_HEIGHT + (s->grid->shape == GRID_HEXAGONS ? 10 : 3), "middle");
    }
    put_clues(s);
    for (uint32_t r = 0; r < up->values.count && !s->grid->clues.count; r++) {
        centre(s, s->is_turned ? grid_width(s->grid) - 1 : 0, r, &x, &y);
        double beside = s->grid->shape == GRID_HEXAGONS ? x - UNIT / 2.0 - 13 : -6;
        put_label(s, "y", up->values.items[r], beside, y + LABEL_HEIGHT * 0.36, "end");
    }
    text_add(s->out, "</g>");
}

static bool is_terrain(const PlacedPiece *placed) {
    return placed->piece && placed->piece->look.glyph &&
           placed->piece->look.glyph->paint >= PAINT_EDGE;
}

/* A kind of piece that recognition never met is shown as its first letters. */
static void draw_placed(const Sheet *s, const PlacedPiece *placed, double scale) {
    if (placed->piece) {
        svg_piece(s->out, &placed->piece->look, scale);
        return;
    }
    PieceLook look = {.glyph = glyph_named("square"), .fill = 0xd8d2c4};
    snprintf(look.label, sizeof look.label, "%.3s", placed->text);
    svg_piece(s->out, &look, scale);
}

/* Terrain lies below; several pieces stand beside each other, smaller. */
static void draw_contents(const Sheet *s, size_t square) {
    static const double places[4][2] = {{-9, -9}, {9, 9}, {9, -9}, {-9, 9}};
    const PlacedPiece *pieces[4];
    size_t count = 0;
    for (size_t i = 0; i < s->squares[square].count; i++) {
        const PlacedPiece *placed = s->squares[square].items[i];
        if (placed->piece && placed->piece->is_blank)
            continue;
        if (is_terrain(placed))
            svg_piece(s->out, &placed->piece->look, 1);
        else if (count < 4)
            pieces[count++] = placed;
    }
    for (size_t i = 0; i < count; i++) {
        if (count > 1)
            text_printf(s->out, "<g transform=\"translate(%g %g)\">", places[i][0], places[i][1]);
        draw_placed(s, pieces[i], count > 1 ? 0.5 : 1);
        if (count > 1)
            text_add(s->out, "</g>");
    }
}

/* A square whose colour the rules tell. */
static void put_colour(const Sheet *s, uint32_t x, uint32_t y) {
    uint32_t colour = s->grid->colours ? s->grid->colours[y * grid_width(s->grid) + x] : 0;
    if (colour)
        text_printf(s->out, "<path fill=\"#%06x\" fill-opacity=\".55\" d=\"M-20-20h40v40h-40z\"/>",
                    colour & 0xffffff);
}

static void put_outline(const Sheet *s, uint32_t x, uint32_t y) {
    bool odd = (x + y) % 2 == 0 && s->grid->is_chequered;
    if (s->grid->track)
        text_printf(s->out,
                    "<path class=\"square\"%s stroke=\"#8a6f4a\" d=\"M-20-28h40v56h-40z\"/>",
                    x % 2 && x < s->grid->track ? " fill=\"#dcc59a\"" : "");
    else if (is_point_board(s))
        text_add(s->out, "<circle class=\"square\" fill=\"#8a6f4a\" stroke=\"#8a6f4a\" r=\"6\"/>"
                         "<circle fill=\"#000\" fill-opacity=\"0\" r=\"18\"/>");
    else if (s->grid->shape == GRID_PLACES && !s->grid->is_lattice)
        text_add(s->out, "<circle class=\"square\" stroke=\"#8a6f4a\" r=\"18\"/>");
    else if (s->grid->shape == GRID_HEXAGONS)
        text_add(s->out, "<path class=\"square\" stroke=\"#8a6f4a\" d=\"M0-23.1l20 11.55v23.1l-20 "
                         "11.55-20-11.55v-23.1z\"/>");
    else
        text_printf(s->out,
                    "<path class=\"square%s\"%s stroke=\"#8a6f4a\" d=\"M-20-20h40v40h-40z\"/>",
                    odd ? " odd" : "", odd ? " fill=\"#c79a68\"" : "");
}

static void put_title(const Sheet *s, uint32_t x, uint32_t y, size_t square) {
    const BoardGrid *grid = s->grid;
    bool is_first = true;
    text_add(s->out, "<title>");
    text_add_markup(s->out, label_text(s, grid->x.values.items[x]));
    if (grid->y.values.count) {
        text_add_char(s->out, ' ');
        text_add_markup(s->out, label_text(s, grid->y.values.items[y]));
    }
    for (size_t i = 0; i < s->squares[square].count; i++) {
        const PlacedPiece *placed = s->squares[square].items[i];
        if (placed->piece && placed->piece->is_blank)
            continue;
        text_add(s->out, is_first ? ": " : ", ");
        text_add_markup(s->out, placed->text);
        is_first = false;
    }
    text_add(s->out, "</title>");
}

/* The name of an empty place stands in it. */
static void put_place_name(const Sheet *s, uint32_t x, size_t square) {
    for (size_t i = 0; i < s->squares[square].count; i++) {
        const PlacedPiece *placed = s->squares[square].items[i];
        if (!placed->piece || !placed->piece->is_blank)
            return;
    }
    Text name = {0};
    const char *text = label_text(s, s->grid->x.values.items[x]);
    text_add_bytes(&name, text, strnlen(text, MAX_NAME_LENGTH));
    svg_label(s->out, name.items, 0, 16, 0x9c8a6c);
    vector_free(&name);
}

/* The name of a place of a track stands above or below its middle, outside. */
static void put_track_name(const Sheet *s, uint32_t x) {
    double at_x, at_y;
    Text name = {0};
    const char *text = label_text(s, s->grid->x.values.items[x]);
    centre(s, x, 0, &at_x, &at_y);
    text_add_bytes(&name, text, strnlen(text, MAX_NAME_LENGTH));
    svg_label(s->out, name.items, at_y < s->height / 2 ? -21 : 21, 16, 0x6b5a41);
    vector_free(&name);
}

static void draw_cell(const Sheet *s, uint32_t x, uint32_t y) {
    size_t square = (size_t)y * grid_width(s->grid) + x;
    double at_x, at_y;
    centre(s, x, y, &at_x, &at_y);
    text_printf(s->out, "<g class=\"cell\" data-square=\"%u.%u.%u.%u\" transform=\"translate(",
                s->number, s->plane, x, y);
    svg_number(s->out, at_x);
    text_add_char(s->out, ' ');
    svg_number(s->out, at_y);
    text_add(s->out, ")\">");
    put_title(s, x, y, square);
    put_outline(s, x, y);
    put_colour(s, x, y);
    if (s->grid->track)
        put_track_name(s, x);
    else if (s->grid->shape == GRID_PLACES && !is_point_board(s))
        put_place_name(s, x, square);
    draw_contents(s, square);
    text_add(s->out, "</g>");
}

/* Thick lines between the boards of a board of boards. Where numbers up to the width of a square
 * board stand on it, and the width is the square of three or more, these are the boxes of a sudoku.
 */
static uint32_t block_of(const Sheet *s) {
    uint32_t width = grid_width(s->grid), numbers = 0, root = (uint32_t)lround(sqrt(width));
    if (s->grid->x.block)
        return s->grid->x.block;
    for (size_t i = 0; i < s->grid->pieces.count; i++)
        numbers += !s->grid->pieces.items[i].look.glyph && *s->grid->pieces.items[i].look.label;
    bool is_sudoku = width == rows_of(s) && root > 2 && root * root == width && numbers == width;
    return is_sudoku ? root : 0;
}

static void put_blocks(const Sheet *s) {
    uint32_t block = block_of(s), rows = rows_of(s);
    uint32_t high = s->grid->y.block ? s->grid->y.block : block;
    if (!block)
        return;
    text_add(s->out, "<path fill=\"none\" stroke=\"#4a3820\" stroke-width=\"3\" d=\"");
    for (uint32_t x = 0; x <= grid_width(s->grid); x += block)
        text_printf(s->out, "M%u 0v%u", x * UNIT, rows * UNIT);
    for (uint32_t y = 0; y <= rows; y += high)
        text_printf(s->out, "M0 %uh%u", y * UNIT, grid_width(s->grid) * UNIT);
    text_add(s->out, "\"/>");
}

/* Lines between places that are neighbours, below them. */
static void put_links(const Sheet *s) {
    uint32_t width = grid_width(s->grid);
    if (!s->grid->links.count || s->grid->is_lattice)
        return;
    text_add(s->out,
             "<path class=\"links\" fill=\"none\" stroke=\"#8a6f4a\" stroke-width=\"2.5\" d=\"");
    for (size_t i = 0; i < s->grid->links.count; i++) {
        double x, y, to_x, to_y;
        const BoardLink *l = &s->grid->links.items[i];
        centre(s, l->from % width, l->from / width, &x, &y);
        centre(s, l->to % width, l->to / width, &to_x, &to_y);
        text_printf(s->out, "M%.1f %.1fL%.1f %.1f", x, y, to_x, to_y);
    }
    text_add(s->out, "\"/>");
}

void svg_open(Text *out, double left, double top, double width, double height, double scale) {
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"grid\" viewBox=\"");
    svg_number(out, left);
    text_add_char(out, ' ');
    svg_number(out, top);
    text_add_char(out, ' ');
    svg_number(out, width);
    text_add_char(out, ' ');
    svg_number(out, height);
    text_add(out, "\" width=\"");
    svg_number(out, width * scale);
    text_add(out, "\" height=\"");
    svg_number(out, height * scale);
    text_add(out, "\" font-family=\"system-ui,'DejaVu Sans',sans-serif\" text-anchor=\"middle\">");
}

/* The names of the fluents of a board, and of its plane, if there are several boards. */
static const char *name_grid(const Sheet *s, Arena *arena) {
    Text name = {0};
    const BoardGrid *grid = s->grid;
    if (grid->planes.values.count) {
        text_add(&name, label_text(s, grid->planes.values.items[s->plane]));
    } else if (s->board->grids.count > 1) {
        for (size_t f = 0; f < s->board->fluents.count; f++) {
            const BoardFamily *family = &s->board->fluents.items[f];
            if (family->kind == FAMILY_GRID && family->grid == s->number)
                text_printf(&name, "%s%s", name.count ? ", " : "", label_text(s, family->functor));
        }
    }
    const char *kept = arena_copy(arena, text_string(&name), name.count);
    vector_free(&name);
    return kept;
}

static void fill_sheet(Sheet *s) {
    size_t count = (size_t)grid_width(s->grid) * rows_of(s);
    s->squares = memory_zalloc(count * sizeof *s->squares);
    for (size_t i = 0; i < s->view->pieces.count; i++) {
        const PlacedPiece *placed = &s->view->pieces.items[i];
        if (placed->grid == s->number && placed->plane == s->plane)
            vector_push(&s->squares[placed->y * grid_width(s->grid) + placed->x], placed);
    }
}

static void empty_sheet(Sheet *s) {
    size_t count = (size_t)grid_width(s->grid) * rows_of(s);
    for (size_t i = 0; i < count; i++)
        vector_free(&s->squares[i]);
    free(s->squares);
}

/* Draughts use every second square only: the others are floor. */
static void put_floor(const Sheet *s) {
    bool met[2] = {false, false};
    for (uint32_t y = 0; y < rows_of(s); y++)
        for (uint32_t x = 0; x < grid_width(s->grid); x++)
            met[(x + y) % 2] |= bitset_get(s->grid->exists, (size_t)y * grid_width(s->grid) + x);
    if (!s->grid->is_chequered || met[0] == met[1])
        return;
    text_printf(s->out, "<path stroke=\"#8a6f4a\" fill=\"#%06x\" d=\"M0 0h%.0fv%.0fh-%.0fz\"/>",
                met[0] ? LIGHT : DARK, s->width, s->height, s->width);
}

/* The end of a link: the centre of a square, or its lower left corner. */
static void link_end(const Sheet *s, bool corner, uint32_t x, uint32_t y, double *at_x,
                     double *at_y) {
    double half = corner ? (s->is_turned ? -UNIT : UNIT) / 2.0 : 0;
    centre(s, x, y, at_x, at_y);
    *at_x -= half;
    *at_y += half;
}

/* True if the word for the links says that they separate squares. */
static bool is_wall(const Sheet *s, uint32_t family) {
    const char *name = label_text(s, s->board->fluents.items[family].functor);
    return strstr(name, "wall") || strstr(name, "block") || strstr(name, "barrier") ||
           strstr(name, "fence");
}

/* Facts that link squares: lines between dots or corners, or bars that separate the squares. */
static void put_lines(const Sheet *s) {
    for (size_t i = 0; i < s->view->links.count; i++) {
        const ViewLink *l = &s->view->links.items[i];
        bool corner = s->board->fluents.items[l->family].joins_corners;
        double x, y, to_x, to_y;
        if (l->grid != s->number)
            continue;
        link_end(s, corner, l->x, l->y, &x, &y);
        link_end(s, corner, l->to_x, l->to_y, &to_x, &to_y);
        if (!corner && is_wall(s, l->family)) {
            double across = (to_y - y) / 2, along = (to_x - x) / 2;
            double middle_x = x + along, middle_y = y + across;
            x = middle_x - across;
            y = middle_y + along;
            to_x = middle_x + across;
            to_y = middle_y - along;
        }
        text_printf(s->out,
                    "<path class=\"link\" stroke=\"#3a3230\" stroke-width=\"5\" "
                    "stroke-linecap=\"round\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
                    x, y, to_x, to_y);
    }
}

/* The sign between two squares, its point towards the smaller number. */
static void put_signs(const Sheet *s) {
    uint32_t width = grid_width(s->grid);
    for (size_t i = 0; i < s->grid->signs.count; i++) {
        const BoardLink *sign = &s->grid->signs.items[i];
        double x, y, to_x, to_y;
        centre(s, sign->from % width, sign->from / width, &x, &y);
        centre(s, sign->to % width, sign->to / width, &to_x, &to_y);
        double along = (to_x - x) / UNIT, up = (to_y - y) / UNIT;
        double at_x = (x + to_x) / 2, at_y = (y + to_y) / 2;
        text_printf(s->out,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"9\" fill=\"#fbf6ea\" stroke=\"#8a6f4a\"/>"
                    "<path class=\"link\" fill=\"none\" stroke=\"#3a3230\" stroke-width=\"2.5\" "
                    "stroke-linecap=\"round\" stroke-linejoin=\"round\" "
                    "d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>",
                    at_x, at_y, at_x + 4 * along - 5 * up, at_y + 4 * up + 5 * along,
                    at_x - 5 * along, at_y - 5 * up, at_x + 4 * along + 5 * up,
                    at_y + 4 * up - 5 * along);
    }
}

/* The edges of a board of hexagons in the colours of those who are to join them. */
static void put_edges(const Sheet *s) {
    uint32_t last_x = grid_width(s->grid) - 1, last_y = rows_of(s) - 1;
    const uint32_t ends[4][4] = {{0, 0, 0, last_y},
                                 {last_x, 0, last_x, last_y},
                                 {0, 0, last_x, 0},
                                 {0, last_y, last_x, last_y}};
    double mid_x = s->width / 2, mid_y = s->height / 2;
    for (uint32_t e = 0; e < 4 && s->grid->shape == GRID_HEXAGONS && s->grid->is_main; e++) {
        double x, y, to_x, to_y;
        if (s->grid->edges[e] == BOARD_NONE)
            continue;
        centre(s, ends[e][0], ends[e][1], &x, &y);
        centre(s, ends[e][2], ends[e][3], &to_x, &to_y);
        double away_x = (x + to_x) / 2 - mid_x, away_y = (y + to_y) / 2 - mid_y;
        double across = e < 2 ? (away_x < 0 ? -1 : 1) * (UNIT * 0.5 + 5) : 0;
        double down = e < 2 ? 0 : (away_y < 0 ? -1 : 1) * (hexagon_radius + 5);
        text_printf(s->out,
                    "<path class=\"edge\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"7\" "
                    "stroke-linecap=\"round\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
                    s->board->role_colours.items[s->grid->edges[e]], x + across, y + down,
                    to_x + across, to_y + down);
    }
}

/* The greatest number of clues of one row or column. */
static uint32_t most_clues(const BoardGrid *grid, bool is_row) {
    uint32_t most = 0;
    for (size_t i = 0; i < grid->clues.count; i++) {
        uint32_t own = 0;
        for (size_t k = 0; k < grid->clues.count; k++)
            own += grid->clues.items[k].is_row == is_row && grid->clues.items[i].is_row == is_row &&
                   grid->clues.items[k].line == grid->clues.items[i].line;
        most = own > most ? own : most;
    }
    return most;
}

static void draw_sheet(Sheet *s, SvgParts *parts) {
    SvgPart part = {.kind = FAMILY_GRID, .grid = s->number, .plane = s->plane};
    s->out = &part.svg;
    measure(s);
    fill_sheet(s);
    double left = s->grid->y.values.count
                      ? 8 + longest_label(s, &s->grid->y) * LABEL_HEIGHT * 0.62 + MARGIN
                      : MARGIN;
    if (s->grid->clues.count)
        left = 8 + CLUE * most_clues(s->grid, true);
    double top = MARGIN + CLUE * most_clues(s->grid, false);
    bool has_edges = s->grid->shape == GRID_HEXAGONS;
    left += has_edges ? 12 : 0;
    top += has_edges ? 9 : 0;
    part.width = s->width + left + MARGIN + (has_edges ? 12 : 0);
    part.height = s->height + LABEL_HEIGHT + top + MARGIN + 3 + (has_edges ? 9 : 0);
    part.name = name_grid(s, &parts->arena);
    double scale = s->grid->is_main ? 1 : fmin(0.5, SMALL_BOARD / part.width);
    svg_open(s->out, -left, -top, part.width, part.height, scale);
    part.width *= scale;
    part.height *= scale;
    text_printf(s->out, "<g class=\"cells\" fill=\"#%06x\">",
                s->grid->is_chequered ? LIGHT : PLAIN);
    put_floor(s);
    put_links(s);
    for (uint32_t y = rows_of(s); y-- > 0;)
        for (uint32_t x = 0; x < grid_width(s->grid); x++)
            if (bitset_get(s->grid->exists, (size_t)y * grid_width(s->grid) + x))
                draw_cell(s, x, y);
    put_blocks(s);
    put_lines(s);
    put_signs(s);
    put_edges(s);
    text_add(s->out, "</g>");
    put_labels(s);
    text_add(s->out, "</svg>");
    empty_sheet(s);
    vector_push(&parts->parts, part);
}

void board_svg_parts(const Board *board, const BoardView *view, const SvgOptions *options,
                     SvgParts *parts) {
    assert(board && view);
    *parts = (SvgParts){0};
    for (uint32_t n = 0; n < 2 * board->grids.count; n++) {
        uint32_t g = n % (uint32_t)board->grids.count;
        const BoardGrid *grid = &board->grids.items[g];
        if (grid->is_main != (n < board->grids.count))
            continue; /* first those that moves point at */
        uint32_t planes = grid->planes.values.count ? (uint32_t)grid->planes.values.count : 1;
        for (uint32_t plane = 0; plane < planes; plane++) {
            Sheet sheet = {.board = board,
                           .view = view,
                           .grid = grid,
                           .number = g,
                           .plane = plane,
                           .is_turned = options && options->is_turned};
            draw_sheet(&sheet, parts);
        }
    }
    svg_draw_rest(board, view, parts);
}

void board_svg_parts_free(SvgParts *parts) {
    for (size_t i = 0; i < parts->parts.count; i++)
        vector_free(&parts->parts.items[i].svg);
    vector_free(&parts->parts);
    arena_free(&parts->arena);
}
