/* Draws a state as text. Boards are blocks of lines, so that several can stand side by side. */
#include "analysis/board/picture.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

/* Lengths are in characters. All numbers are guesses. */
enum {
    DEFAULT_WIDTH = 80,
    NARROWEST = 20,
    MAX_LABEL_LENGTH = 4, /* longest label above a column */
    MAX_HEAP_LENGTH = 40, /* larger heaps are shown as numbers */
    GAP = 3,              /* blanks between two boards */
    MAX_LEGEND = 30       /* with more pieces the legend lists only those on the board */
};

typedef struct {
    VECTOR(Text) lines;
    size_t width; /* in characters */
} Block;

typedef VECTOR(Block) Blocks;

typedef struct {
    const Board *board;
    const BoardView *view;
    PictureOptions options;
    Text *out;
} Painter;

/* Returns the width in characters, without escape sequences and later bytes of a character. */
static size_t width_of(const Text *line) {
    size_t width = 0;
    for (size_t i = 0; i < line->count; i++)
        if (line->items[i] == '\033')
            i += strcspn(line->items + i, "m");
        else
            width += ((unsigned char)line->items[i] & 0xc0) != 0x80;
    return width;
}

static void line_pad(Text *line, size_t width) {
    size_t own = width_of(line);
    text_add_spaces(line, own < width ? width - own : 0);
}

static Text *block_line(Block *block) {
    vector_push(&block->lines, (Text){0});
    return &vector_last(&block->lines);
}

/* Puts blocks side by side, with their last lines level. */
static void put_row(Painter *p, const Block *blocks, size_t count) {
    size_t height = 0;
    for (size_t b = 0; b < count; b++)
        if (blocks[b].lines.count > height)
            height = blocks[b].lines.count;
    for (size_t i = 0; i < height; i++) {
        Text row = {0};
        size_t left = 0;
        for (size_t b = 0; b < count; b++) {
            size_t missing = height - blocks[b].lines.count;
            if (i >= missing && blocks[b].lines.items[i - missing].count) {
                line_pad(&row, left);
                text_add(&row, blocks[b].lines.items[i - missing].items);
            }
            left += blocks[b].width + GAP;
        }
        text_printf(p->out, "%s\n", text_string(&row));
        vector_free(&row);
    }
}

static void put_blocks(Painter *p, Blocks *blocks) {
    for (size_t first = 0, end; first < blocks->count; first = end) {
        size_t width = blocks->items[first].width;
        for (end = first + 1;
             end < blocks->count && width + GAP + blocks->items[end].width <= p->options.width;
             end++)
            width += GAP + blocks->items[end].width;
        put_row(p, blocks->items + first, end - first);
    }
    for (size_t i = 0; i < blocks->count; i++) {
        for (size_t l = 0; l < blocks->items[i].lines.count; l++)
            vector_free(&blocks->items[i].lines.items[l]);
        vector_free(&blocks->items[i].lines);
    }
    vector_free(blocks);
}

typedef struct {
    const BoardGrid *grid;
    uint32_t number, plane;
    uint32_t from, to; /* first column of the grid that is drawn, and the one after the last */
    size_t cell_width, label_width;
    VECTOR(const PlacedPiece *) * squares; /* by square: the pieces that stand on it */
} Sheet;

static const char *name_of(const Painter *p, Symbol symbol) {
    return symbols_name(&p->board->symbols, symbol);
}

/* Appends the mark of a piece. A piece that recognition never met gets its first letters. */
static void add_mark(const PlacedPiece *placed, Text *out) {
    if (placed->piece)
        text_add(out, placed->piece->mark);
    else
        text_add_bytes(out, placed->text, strnlen(placed->text, 2));
}

/* Writes the marks of one square. A blank is shown only if nothing else stands there. */
static void square_text(const Sheet *sheet, size_t square, Text *out) {
    text_clear(out);
    for (size_t i = 0; i < sheet->squares[square].count; i++) {
        const PlacedPiece *placed = sheet->squares[square].items[i];
        if (!placed->piece || !placed->piece->is_blank)
            add_mark(placed, out);
    }
    if (!out->count)
        text_add(out, bitset_get(sheet->grid->exists, square) ? "." : " ");
}

static size_t longest_label(const Painter *p, const BoardAxis *axis) {
    size_t longest = 0;
    for (size_t i = 0; i < axis->values.count; i++) {
        size_t length = strlen(name_of(p, axis->values.items[i]));
        longest = length > longest ? length : longest;
    }
    return longest;
}

static size_t square_count(const BoardGrid *grid) {
    return (size_t)grid_width(grid) * grid_height(grid);
}

/* Returns the width of a square in characters. Marks of all pieces count, so that all states of a
 * match are drawn equally wide unless a square has several pieces. */
static size_t widest_square(const Painter *p, const Sheet *sheet) {
    size_t widest = longest_label(p, &sheet->grid->x);
    Text text = {0};
    if (widest > MAX_LABEL_LENGTH)
        widest = MAX_LABEL_LENGTH;
    for (size_t i = 0; i < sheet->grid->pieces.count; i++) {
        size_t length = strlen(sheet->grid->pieces.items[i].mark);
        widest = length > widest ? length : widest;
    }
    for (size_t s = 0; s < square_count(sheet->grid); s++) {
        square_text(sheet, s, &text);
        widest = text.count > widest ? text.count : widest;
    }
    vector_free(&text);
    return widest;
}

static void fill_sheet(const Painter *p, Sheet *sheet) {
    assert(sheet->number < p->board->grids.count);
    sheet->squares = memory_zalloc(square_count(sheet->grid) * sizeof *sheet->squares);
    for (size_t i = 0; i < p->view->pieces.count; i++) {
        const PlacedPiece *placed = &p->view->pieces.items[i];
        if (placed->grid == sheet->number && placed->plane == sheet->plane)
            vector_push(&sheet->squares[placed->y * grid_width(sheet->grid) + placed->x], placed);
    }
}

static void empty_sheet(Sheet *sheet) {
    for (size_t s = 0; s < square_count(sheet->grid); s++)
        vector_free(&sheet->squares[s]);
    free(sheet->squares);
}

/* True if the text names the role: it is its name, or contains a name of several letters, such as
 * `whitepawn`. The name `o` in `box` means nothing. */
static bool names_role(const char *text, const char *role) {
    return strcmp(text, role) == 0 || (strlen(role) > 1 && strstr(text, role));
}

/* The terminal colour of a piece whose contents name a role; 0 for none. */
static int colour_of(const Painter *p, const Sheet *sheet, size_t square) {
    for (size_t i = 0; i < sheet->squares[square].count; i++)
        for (size_t r = 0; r < p->board->roles.count; r++)
            if (names_role(sheet->squares[square].items[i]->text,
                           name_of(p, p->board->roles.items[r])))
                return 31 + (int)((r * 3) % 6);
    return 0;
}

static void draw_square(const Painter *p, const Sheet *sheet, size_t square, Text *line) {
    Text text = {0};
    square_text(sheet, square, &text);
    int colour = p->options.colour ? colour_of(p, sheet, square) : 0;
    text_add_spaces(line, sheet->cell_width > text.count ? 1 + sheet->cell_width - text.count : 1);
    if (colour)
        text_printf(line, "\033[%dm%s\033[0m", colour, text.items);
    else
        text_add(line, text.items);
    vector_free(&text);
}

static size_t row_indent(const Sheet *sheet, uint32_t y) {
    const BoardGrid *grid = sheet->grid;
    if (grid->shape != GRID_HEXAGONS)
        return 0;
    size_t half = (sheet->cell_width + 2) / 2;
    return half * (grid->slant > 0 ? y : grid_height(grid) - 1 - y);
}

static bool has_frame(const Sheet *sheet) {
    return sheet->grid->shape != GRID_HEXAGONS;
}

static void draw_edge(const Painter *p, const Sheet *sheet, bool top, Block *block) {
    Text *line = block_line(block);
    size_t places = (sheet->to - sheet->from) * (sheet->cell_width + 1) + 1;
    const char *corners[2][2] = {{"└", "┘"}, {"┌", "┐"}};
    line_pad(line, sheet->label_width + 1);
    text_add(line, p->options.ascii ? "+" : corners[top][0]);
    for (size_t i = 0; i < places; i++)
        text_add(line, p->options.ascii ? "-" : "─");
    text_add(line, p->options.ascii ? "+" : corners[top][1]);
}

static void draw_row(const Painter *p, const Sheet *sheet, uint32_t y, Block *block) {
    Text *line = block_line(block);
    const BoardAxis *axis = &sheet->grid->y;
    const char *side = !has_frame(sheet) ? " " : p->options.ascii ? "|" : "│";
    const char *label = axis->values.count ? name_of(p, axis->values.items[y]) : "";
    size_t length = strlen(label);
    size_t indent = row_indent(sheet, y);
    line_pad(line, indent + (length < sheet->label_width ? sheet->label_width - length : 0));
    text_add(line, label);
    line_pad(line, indent + sheet->label_width + 1);
    text_add(line, side);
    for (uint32_t x = sheet->from; x < sheet->to; x++)
        draw_square(p, sheet, (size_t)y * grid_width(sheet->grid) + x, line);
    if (has_frame(sheet))
        text_printf(line, " %s", side);
}

static void draw_column_labels(const Painter *p, const Sheet *sheet, Block *block) {
    Text *line = block_line(block);
    line_pad(line, sheet->label_width + 2 + row_indent(sheet, 0));
    for (uint32_t x = sheet->from; x < sheet->to; x++) {
        const char *label = name_of(p, sheet->grid->x.values.items[x]);
        size_t length = strnlen(label, sheet->cell_width);
        text_add_spaces(line, 1 + sheet->cell_width - length);
        text_add_bytes(line, label, length);
    }
}

/* Writes the names of the board's fluents if there are several boards, and the plane. */
static void draw_title(const Painter *p, const Sheet *sheet, Block *block) {
    if (p->board->grids.count < 2 && !sheet->grid->planes.values.count)
        return;
    Text *line = block_line(block);
    line_pad(line, sheet->label_width + 1);
    for (size_t f = 0; f < p->board->fluents.count; f++) {
        const BoardFamily *family = &p->board->fluents.items[f];
        if (family->kind == FAMILY_GRID && family->grid == sheet->number)
            text_printf(line, " %s", name_of(p, family->functor));
    }
    if (sheet->grid->planes.values.count)
        text_printf(line, " %s", name_of(p, sheet->grid->planes.values.items[sheet->plane]));
}

static void draw_sheet(const Painter *p, const Sheet *sheet, Blocks *blocks) {
    Block block = {0};
    draw_title(p, sheet, &block);
    if (has_frame(sheet))
        draw_edge(p, sheet, true, &block);
    for (uint32_t y = grid_height(sheet->grid); y-- > 0;)
        draw_row(p, sheet, y, &block);
    if (has_frame(sheet))
        draw_edge(p, sheet, false, &block);
    draw_column_labels(p, sheet, &block);
    for (size_t i = 0; i < block.lines.count; i++) {
        size_t width = width_of(&block.lines.items[i]);
        block.width = width > block.width ? width : block.width;
    }
    vector_push(blocks, block);
}

/* Draws a board, in several parts if it is too wide for the page. */
static void draw_grid(Painter *p, uint32_t number, Blocks *blocks) {
    const BoardGrid *grid = &p->board->grids.items[number];
    uint32_t planes = grid->planes.values.count ? (uint32_t)grid->planes.values.count : 1;
    for (uint32_t plane = 0; plane < planes; plane++) {
        Sheet sheet = {.grid = grid, .number = number, .plane = plane};
        fill_sheet(p, &sheet);
        sheet.label_width = longest_label(p, &grid->y);
        sheet.cell_width = widest_square(p, &sheet);
        size_t sides =
            sheet.label_width + 4 + row_indent(&sheet, grid->slant > 0 ? grid_height(grid) - 1 : 0);
        size_t room = p->options.width > sides ? p->options.width - sides : 0;
        uint32_t fit = (uint32_t)(room / (sheet.cell_width + 1));
        for (uint32_t x = 0; x < grid_width(grid); x = sheet.to) {
            sheet.from = x;
            sheet.to = fit && x + fit < grid_width(grid) ? x + fit : grid_width(grid);
            draw_sheet(p, &sheet, blocks);
        }
        empty_sheet(&sheet);
    }
}

/* A label followed by words, wrapped to the width of the page. */
typedef struct {
    Painter *painter;
    size_t column;
    bool is_open;
} Listing;

static void listing_add(Listing *l, const char *label, const char *word) {
    Painter *p = l->painter;
    size_t length = strlen(word);
    if (!l->is_open) {
        text_add(p->out, label);
        l->column = strlen(label);
        l->is_open = true;
    } else if (l->column + 2 + length > p->options.width) {
        text_add(p->out, "\n    ");
        l->column = 4;
    } else {
        text_add_char(p->out, ' ');
        l->column++;
    }
    text_add_char(p->out, ' ');
    text_add(p->out, word);
    l->column += length + 1;
}

static void listing_end(Listing *l) {
    if (l->is_open)
        text_add_char(l->painter->out, '\n');
    l->is_open = false;
}

static bool stands_somewhere(const Painter *p, const BoardPiece *piece) {
    for (size_t i = 0; i < p->view->pieces.count; i++)
        if (p->view->pieces.items[i].piece == piece)
            return true;
    return false;
}

/* Explains marks that differ from the text of the piece; of many pieces only those in sight. */
static void put_legend(Painter *p) {
    Listing list = {.painter = p};
    Text word = {0};
    for (size_t g = 0; g < p->board->grids.count; g++) {
        const BoardGrid *grid = &p->board->grids.items[g];
        for (size_t i = 0; i < grid->pieces.count; i++) {
            const BoardPiece *piece = &grid->pieces.items[i];
            const char *text = name_of(p, piece->text);
            if (strcmp(piece->mark, text) == 0 ||
                (grid->pieces.count > MAX_LEGEND && !stands_somewhere(p, piece)))
                continue;
            text_clear(&word);
            text_printf(&word, "%s=%s", piece->mark, text);
            listing_add(&list, " ", word.items);
        }
    }
    listing_end(&list);
    vector_free(&word);
}

static FamilyKind kind_of(const Painter *p, const ViewCounter *counter) {
    return p->board->fluents.items[counter->family].kind;
}

static void put_turn_and_steps(Painter *p) {
    Listing list = {.painter = p};
    Text word = {0};
    for (size_t i = 0; i < p->view->counters.count; i++) {
        const ViewCounter *c = &p->view->counters.items[i];
        text_clear(&word);
        if (kind_of(p, c) == FAMILY_TURN)
            text_printf(&word, "to move: %s", c->value);
        else if (kind_of(p, c) == FAMILY_STEP)
            text_printf(&word, "%s %s", name_of(p, p->board->fluents.items[c->family].functor),
                        c->value);
        else
            continue;
        listing_add(&list, " ", word.items);
    }
    listing_end(&list);
    vector_free(&word);
}

static void put_heap(Painter *p, const ViewCounter *c, size_t key_width) {
    text_printf(p->out, "    %-*s ", (int)key_width, c->key);
    for (uint32_t i = 0; i < c->amount && c->amount <= MAX_HEAP_LENGTH; i++)
        text_add(p->out, p->options.ascii ? "o" : "●");
    text_printf(p->out, "%s%s\n", c->amount && c->amount <= MAX_HEAP_LENGTH ? " " : "", c->value);
}

/* Lists the things that stand on `base`, bottom up. The bound on their number ends cycles. */
static void put_stack(Painter *p, uint32_t family, const char *base, const char *first) {
    text_printf(p->out, "    %s |", base);
    size_t left = p->view->counters.count;
    for (const char *at = first; at && left-- > 0;) {
        text_printf(p->out, " %s", at);
        const char *above = NULL;
        for (size_t i = 0; i < p->view->counters.count && !above; i++) {
            const ViewCounter *c = &p->view->counters.items[i];
            if (c->family == family && strcmp(c->value, at) == 0)
                above = c->key;
        }
        at = above;
    }
    text_add_char(p->out, '\n');
}

static bool is_key(const Painter *p, uint32_t family, const char *thing) {
    for (size_t i = 0; i < p->view->counters.count; i++)
        if (p->view->counters.items[i].family == family &&
            strcmp(p->view->counters.items[i].key, thing) == 0)
            return true;
    return false;
}

/* Puts the things that no role has. */
static void put_things(Painter *p, uint32_t family) {
    Listing list = {.painter = p};
    Text label = {0};
    text_printf(&label, "  %s:", name_of(p, p->board->fluents.items[family].functor));
    for (size_t i = 0; i < p->view->counters.count; i++)
        if (p->view->counters.items[i].family == family)
            listing_add(&list, label.items, p->view->counters.items[i].value);
    listing_end(&list);
    vector_free(&label);
}

/* Puts one line for each role that has something. */
static void put_hands(Painter *p, uint32_t family) {
    assert(family < p->board->fluents.count);
    const ViewCounter *all = p->view->counters.items;
    size_t count = p->view->counters.count;
    bool is_first = true;
    for (uint32_t r = 0; r < p->board->roles.count; r++) {
        const char *role = name_of(p, p->board->roles.items[r]);
        Listing list = {.painter = p};
        Text label = {0};
        text_printf(&label, "    %s:", role);
        for (size_t i = 0; i < count; i++) {
            if (all[i].family != family || !all[i].key || strcmp(all[i].key, role) != 0)
                continue;
            if (is_first)
                text_printf(p->out, "  %s:\n", name_of(p, p->board->fluents.items[family].functor));
            is_first = false;
            listing_add(&list, label.items, all[i].value);
        }
        listing_end(&list);
        vector_free(&label);
    }
}

static void put_family(Painter *p, uint32_t family) {
    const BoardFamily *f = &p->board->fluents.items[family];
    Listing list = {.painter = p};
    Text label = {0}, word = {0};
    size_t key_width = 0;
    bool is_list = f->kind == FAMILY_COUNTER, is_first = true;
    text_printf(&label, "  %s:", name_of(p, f->functor));
    for (size_t i = 0; i < p->view->counters.count; i++)
        if (p->view->counters.items[i].family == family && p->view->counters.items[i].key &&
            strlen(p->view->counters.items[i].key) > key_width)
            key_width = strlen(p->view->counters.items[i].key);
    for (size_t i = 0; i < p->view->counters.count; i++) {
        const ViewCounter *c = &p->view->counters.items[i];
        if (c->family != family || (f->kind == FAMILY_STACKS && is_key(p, family, c->value)))
            continue;
        text_clear(&word);
        text_printf(&word, "%s%s%s", c->key ? c->key : "", c->key ? " " : "", c->value);
        if (is_list)
            listing_add(&list, label.items, word.items);
        else if (is_first)
            text_printf(p->out, "%s\n", label.items);
        is_first = false;
        if (f->kind == FAMILY_HEAPS && c->amount != BOARD_NONE)
            put_heap(p, c, key_width);
        else if (f->kind == FAMILY_HEAPS)
            text_printf(p->out, "    %s\n", word.items);
        else if (f->kind == FAMILY_STACKS)
            put_stack(p, family, c->value, c->key);
    }
    listing_end(&list);
    vectors_free(&label, &word);
}

static void put_links(Painter *p, uint32_t family) {
    const BoardFamily *f = &p->board->fluents.items[family];
    const BoardGrid *grid = &p->board->grids.items[f->grid];
    Listing list = {.painter = p};
    Text label = {0}, word = {0};
    text_printf(&label, "  %s:", name_of(p, f->functor));
    for (size_t i = 0; i < p->view->links.count; i++) {
        const ViewLink *l = &p->view->links.items[i];
        if (l->family != family)
            continue;
        text_clear(&word);
        text_printf(&word, "%s,%s-", name_of(p, grid->x.values.items[l->x]),
                    name_of(p, grid->y.values.items[l->y]));
        text_printf(&word, "%s,%s", name_of(p, grid->x.values.items[l->to_x]),
                    name_of(p, grid->y.values.items[l->to_y]));
        listing_add(&list, label.items, word.items);
    }
    listing_end(&list);
    vectors_free(&label, &word);
}

/* Lists the clues of a puzzle, line by line. */
static void put_clues(Painter *p, const BoardGrid *grid, bool are_rows) {
    const BoardAxis *axis = are_rows ? &grid->y : &grid->x;
    for (uint32_t n = 0; n < axis->values.count && grid->clues.count; n++) {
        uint32_t line = are_rows ? (uint32_t)axis->values.count - 1 - n : n;
        Listing list = {.painter = p};
        Text label = {0};
        text_printf(&label, "  %s %s:", are_rows ? "row" : "column",
                    name_of(p, axis->values.items[line]));
        for (size_t i = 0; i < grid->clues.count; i++)
            if (grid->clues.items[i].is_row == are_rows && grid->clues.items[i].line == line)
                listing_add(&list, label.items, name_of(p, grid->clues.items[i].text));
        listing_end(&list);
        vector_free(&label);
    }
}

/* Lists which square has the smaller number. */
static void put_signs(Painter *p, const BoardGrid *grid) {
    Listing list = {.painter = p};
    Text word = {0};
    for (size_t i = 0; i < grid->signs.count; i++) {
        uint32_t ends[] = {grid->signs.items[i].from, grid->signs.items[i].to};
        text_clear(&word);
        for (int e = 0; e < 2; e++)
            text_printf(&word, "%s%s,%s", e ? "<" : "",
                        name_of(p, grid->x.values.items[ends[e] % grid_width(grid)]),
                        name_of(p, grid->y.values.items[ends[e] / grid_width(grid)]));
        listing_add(&list, "  smaller:", word.items);
    }
    listing_end(&list);
    vector_free(&word);
}

static void put_facts(Painter *p) {
    Listing list = {.painter = p};
    for (size_t i = 0; i < p->view->facts.count; i++)
        listing_add(&list, " ", p->view->facts.items[i]);
    listing_end(&list);
}

void picture_draw(const Board *board, const BoardView *view, const PictureOptions *options,
                  Text *out) {
    assert(board && view && options);
    Painter p = {board, view, *options, out};
    Blocks blocks = {0};
    if (p.options.width == 0)
        p.options.width = DEFAULT_WIDTH;
    else if (p.options.width < NARROWEST)
        p.options.width = NARROWEST;
    for (uint32_t g = 0; g < board->grids.count; g++)
        draw_grid(&p, g, &blocks);
    put_blocks(&p, &blocks);
    for (size_t g = 0; g < board->grids.count; g++) {
        put_clues(&p, &board->grids.items[g], true);
        put_clues(&p, &board->grids.items[g], false);
        put_signs(&p, &board->grids.items[g]);
    }
    if (!p.options.no_legend)
        put_legend(&p);
    put_turn_and_steps(&p);
    for (uint32_t f = 0; f < board->fluents.count; f++) {
        FamilyKind kind = board->fluents.items[f].kind;
        if (kind == FAMILY_COUNTER || kind == FAMILY_HEAPS || kind == FAMILY_STACKS)
            put_family(&p, f);
        else if (kind == FAMILY_HANDS && board->fluents.items[f].key_column == BOARD_NONE)
            put_things(&p, f);
        else if (kind == FAMILY_HANDS)
            put_hands(&p, f);
        else if (kind == FAMILY_LINKS)
            put_links(&p, f);
    }
    put_facts(&p);
}
