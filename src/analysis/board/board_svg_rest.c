/* Draws what stands beside boards: heaps as beads, stacks as towers, hands as cards, counters with
 * their values, and all facts that belong nowhere else; and puts the parts together. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/board/board_svg_internal.h"

enum {
    TEXT_HEIGHT = 13,
    ROW = 22,       /* height of a row of beads, cards or text */
    BEAD = 16,      /* distance of beads */
    MAX_BEADS = 30, /* larger amounts are written as numbers (untuned) */
    CARD = 34,      /* height of a card in a hand */
    PILE = 20,      /* cards with a suit that are a pile rather than a hand (a guess) */
    INK = 0x2a2620,
    GAP = 14,            /* between parts of a whole picture */
    PAGE = 480,          /* width of rows of cards */
    NARROW = 360,        /* least width of a whole picture that has much to show */
    MAX_FACTS_SHOWN = 60 /* further facts are counted (untuned) */
};
static const double letter_width = TEXT_HEIGHT * 0.6;

typedef struct {
    const Board *board;
    const BoardView *view;
    SvgParts *parts;
} Drawer;

static const char *name_of(const Drawer *d, Symbol symbol) {
    return symbols_name(&d->board->symbols, symbol);
}

static double text_width(const char *text) {
    size_t letters = 0;
    for (; *text; text++)
        letters += ((unsigned char)*text & 0xc0) != 0x80;
    return (double)letters * letter_width;
}

static void put_text(Text *out, double x, double y, const char *anchor, const char *text) {
    text_add(out, "<text x=\"");
    svg_number(out, x);
    text_add(out, "\" y=\"");
    svg_number(out, y);
    text_printf(out, "\" text-anchor=\"%s\">", anchor);
    text_add_markup(out, text);
    text_add(out, "</text>");
}

static void put_card(Text *out, double x, double y, double width, double height) {
    text_add(out, "<rect class=\"card\" x=\"");
    svg_number(out, x);
    text_add(out, "\" y=\"");
    svg_number(out, y);
    text_add(out, "\" width=\"");
    svg_number(out, width);
    text_add(out, "\" height=\"");
    svg_number(out, height);
    text_add(out, "\" rx=\"3\" fill=\"#fbf6ea\" stroke=\"#8a6f4a\"/>");
}

static const PieceLook *find_look(const Board *board, const char *text) {
    Symbol symbol = symbols_find(&board->symbols, text, strlen(text));
    for (size_t g = 0; g < board->grids.count && symbol != SYMBOL_NONE; g++)
        for (size_t i = 0; i < board->grids.items[g].pieces.count; i++) {
            const BoardPiece *piece = &board->grids.items[g].pieces.items[i];
            if (piece->text == symbol && !piece->is_blank)
                return &piece->look;
        }
    return NULL;
}

/* Appends a name as a person reads it: without brackets and underlines, and as a card if it has a
 * suit. Returns the colour of the ink. */
static uint32_t add_plain(Text *out, const char *name) {
    static const char *const suits[] = {"spade", "club", "heart", "diamond"};
    static const char *const signs[] = {"\u2660", "\u2663", "\u2665", "\u2666"};
    static const char *const ranks[] = {"11", "12", "13", "14", "jack", "queen", "king", "ace"};
    static const char letters[] = "JQKAJQKA";
    uint32_t suit = 4;
    for (uint32_t s = 0; s < 4; s++)
        suit = strstr(name, suits[s]) ? s : suit;
    for (const char *c = name; *c;) {
        size_t length = strcspn(c, " _()");
        bool is_suit = suit < 4 && strncmp(c, suits[suit], strlen(suits[suit])) == 0;
        const char *shown = c;
        size_t shown_length = length;
        for (size_t i = 0; i < sizeof ranks / sizeof *ranks && suit < 4; i++)
            if (strlen(ranks[i]) == length && strncmp(c, ranks[i], length) == 0) {
                shown = letters + i;
                shown_length = 1;
            }
        if (length && out->count && !is_suit)
            text_add_char(out, ' ');
        if (is_suit)
            text_add(out, signs[suit]);
        else
            text_add_bytes(out, shown, shown_length);
        c += length ? length : 1;
    }
    return suit == 2 || suit == 3 ? 0xb3261e : INK;
}

static double put_glyph(Text *out, double x, double y, const char *thing, const PieceLook *look) {
    text_add(out, "<g transform=\"translate(");
    svg_number(out, x + ROW / 2.0);
    text_add_char(out, ' ');
    svg_number(out, y + ROW / 2.0);
    text_add(out, ")\"><title>");
    text_add_markup(out, thing);
    text_add(out, "</title>");
    svg_piece(out, look, 0.55);
    text_add(out, "</g>");
    return ROW;
}

/* Puts a card with a text, and how many there are of it. */
static double put_cards(Text *out, double x, double y, double height, const char *thing,
                        size_t count) {
    Text text = {0};
    uint32_t ink = add_plain(&text, thing);
    double width = fmax(text_width(text_string(&text)) + 10, height > ROW ? 26 : 0);
    for (size_t k = count < 3 ? count : 3; k-- > 0;)
        put_card(out, x + 3.0 * (double)k, y + 1, width, height - 2);
    text_printf(out, "<g fill=\"#%06x\">", ink);
    put_text(out, x + width / 2, y + height / 2 + TEXT_HEIGHT * 0.36, "middle", text_string(&text));
    text_add(out, "</g>");
    vector_free(&text);
    if (count < 2)
        return width + 4;
    width += 3.0 * (double)(count < 3 ? count - 1 : 2) + 3;
    text_clear(&text);
    text_printf(&text, "\u00d7%zu", count);
    put_text(out, x + width, y + height / 2 + TEXT_HEIGHT * 0.36, "start", text.items);
    width += text_width(text.items);
    vector_free(&text);
    return width + 4;
}

/* Puts a thing as the face of a die or the piece it is on a board, else as a card with its name.
 * Returns its width. */
static double put_thing(const Drawer *d, Text *out, double x, double y, const char *fact,
                        const char *thing) {
    const Glyph *die = glyph_of_die(fact, thing);
    PieceLook face = {.glyph = die, .side = BOARD_NONE, .fill = die ? die->colour : 0};
    const PieceLook *look = die ? &face : find_look(d->board, thing);
    if (look)
        return put_glyph(out, x, y, thing, look);
    return put_cards(out, x, y, ROW, thing, 1);
}

static void add_part(Drawer *d, Text *body, FamilyKind kind, const char *name, double width,
                     double height) {
    SvgPart part = {.kind = kind, .grid = BOARD_NONE, .width = width, .height = height};
    part.name = arena_copy(&d->parts->arena, name, strlen(name));
    svg_open(&part.svg, 0, 0, width, height, 1);
    text_printf(&part.svg, "<g class=\"rest\" font-size=\"%d\" fill=\"#2a2620\">", TEXT_HEIGHT);
    text_add_bytes(&part.svg, text_string(body), body->count);
    text_add(&part.svg, "</g></svg>");
    vector_push(&d->parts->parts, part);
    vector_free(body);
}

static void draw_heaps(Drawer *d, uint32_t family) {
    Text body = {0};
    double width = 0, y = 0, left = 0;
    for (size_t i = 0; i < d->view->counters.count; i++) {
        const ViewCounter *c = &d->view->counters.items[i];
        if (c->family == family && c->key && text_width(c->key) > left)
            left = text_width(c->key);
    }
    for (size_t i = 0; i < d->view->counters.count; i++) {
        const ViewCounter *c = &d->view->counters.items[i];
        if (c->family != family)
            continue;
        put_text(&body, left + 2, y + ROW - 6, "end", c->key ? c->key : "");
        double x = left + 8;
        if (glyph_of_die(name_of(d, d->board->fluents.items[family].functor), c->value)) {
            x += put_thing(d, &body, x, y, "die", c->value);
            width = fmax(x, width);
            y += ROW;
            continue;
        }
        for (uint32_t k = 0; c->amount != BOARD_NONE && k < c->amount && c->amount <= MAX_BEADS;
             k++, x += BEAD)
            text_printf(&body,
                        "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"6.5\" fill=\"#c98a4b\" "
                        "stroke=\"#2a2620\"/>",
                        x + 7, y + ROW / 2.0);
        put_text(&body, x + 4, y + ROW - 6, "start", c->value);
        double end = x + 8 + text_width(c->value);
        width = end > width ? end : width;
        y += ROW;
    }
    add_part(d, &body, d->board->fluents.items[family].kind,
             name_of(d, d->board->fluents.items[family].functor), width + 4, y + 2);
}

static const char *thing_on(const Drawer *d, uint32_t family, const char *below, size_t *from) {
    for (size_t i = *from; i < d->view->counters.count; i++) {
        const ViewCounter *c = &d->view->counters.items[i];
        if (c->family == family && strcmp(c->value, below) == 0) {
            *from = i + 1;
            return c->key;
        }
    }
    return NULL;
}

static bool is_on_something(const Drawer *d, uint32_t family, const char *thing) {
    for (size_t i = 0; i < d->view->counters.count; i++)
        if (d->view->counters.items[i].family == family &&
            strcmp(d->view->counters.items[i].key, thing) == 0)
            return true;
    return false;
}

/* The number at the end of a name, such as 3 of disc3; 0 without one. */
static long number_at_end(const char *name) {
    size_t length = strlen(name), from = length;
    while (from > 0 && isdigit((unsigned char)name[from - 1]))
        from--;
    return from < length ? strtol(name + from, NULL, 10) : 0;
}

/* The share of the full width that a thing has. Things whose numbers grow, or shrink, from the top
 * of all towers to their bottoms are discs of different sizes. */
static double share_of_width(const Drawer *d, uint32_t family, const char *thing) {
    long most = 0, things = 0;
    int order = 0;
    for (size_t i = 0; i < d->view->counters.count; i++) {
        const ViewCounter *c = &d->view->counters.items[i];
        if (c->family != family)
            continue;
        long own = number_at_end(c->key), below = number_at_end(c->value);
        things++;
        if (!own)
            return 1;
        most = own > most ? own : most;
        if (!is_on_something(d, family, c->value))
            continue;
        order |= own < below ? 1 : 2;
    }
    long own = number_at_end(thing);
    if (things < 3 || order == 3 || !own)
        return 1;
    return 0.35 + 0.65 * (double)(order == 2 ? most + 1 - own : own) / (double)most;
}

/* Draws a tower from the thing at its bottom up. The bound on its height ends cycles. */
static void draw_tower(const Drawer *d, uint32_t family, const char *thing, double x, double width,
                       double floor, Text *out) {
    double y = floor;
    for (size_t left = d->view->counters.count + 1; thing && left-- > 0;) {
        y -= ROW;
        double own = (width - 6) * share_of_width(d, family, thing);
        put_card(out, x + (width - 6 - own) / 2, y, own, ROW);
        put_text(out, x + (width - 6) / 2, y + ROW - 6, "middle", thing);
        size_t from = 0;
        thing = thing_on(d, family, thing, &from);
    }
}

/* The bottoms of towers are things that stand on nothing: places, which are written below. Places
 * that the rules know but that carry nothing now are shown too. */
static void draw_stacks(Drawer *d, uint32_t family) {
    const BoardFamily *f = &d->board->fluents.items[family];
    Text body = {0};
    VECTOR(const char *) bases = {0};
    double widest = 0, floor = ROW;
    for (size_t i = 0; i < d->view->counters.count; i++) {
        const ViewCounter *c = &d->view->counters.items[i];
        if (c->family != family)
            continue;
        floor += ROW;
        widest = text_width(c->key) > widest ? text_width(c->key) : widest;
        widest = text_width(c->value) > widest ? text_width(c->value) : widest;
        bool is_new = !is_on_something(d, family, c->value);
        for (size_t b = 0; b < bases.count; b++)
            is_new &= strcmp(bases.items[b], c->value) != 0;
        if (is_new)
            vector_push(&bases, c->value);
    }
    for (size_t i = 0; i < f->amounts.count; i++) {
        const char *place = name_of(d, f->amounts.items[i]);
        bool is_new = true;
        for (size_t b = 0; b < bases.count; b++)
            is_new &= strcmp(bases.items[b], place) != 0;
        if (is_new)
            vector_push(&bases, place);
    }
    double width = widest + 24, x = 4;
    for (size_t b = 0; b < bases.count; b++) {
        size_t from = 0;
        const char *thing = thing_on(d, family, bases.items[b], &from);
        do {
            draw_tower(d, family, thing, x, width, floor, &body);
            put_text(&body, x + (width - 6) / 2, floor + ROW - 6, "middle", bases.items[b]);
            x += width;
            thing = thing_on(d, family, bases.items[b], &from);
        } while (thing);
    }
    text_printf(&body, "<path d=\"M0 %.0fh%.0f\" stroke=\"#6b5a41\" stroke-width=\"3\"/>",
                floor + 1, x);
    vector_free(&bases);
    add_part(d, &body, FAMILY_STACKS, name_of(d, f->functor), x + 2, floor + ROW + 2);
}

/* True if the name of the facts says that these are cards, or the thing has a suit. */
static bool are_cards(const char *fact, const char *thing) {
    static const char *const words[] = {"card",  "hand",    "hold",  "deck", "stock",
                                        "draw",  "discard", "dealt", "pile", "spade",
                                        "heart", "diamond", "club"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(i < 9 ? fact : thing, words[i]))
            return true;
    return false;
}

/* How many things in the hand have this name; 0 if an earlier one has it. */
static size_t count_alike(const Drawer *d, size_t number) {
    const ViewCounter *c = &d->view->counters.items[number];
    size_t count = 0;
    for (size_t i = 0; i < d->view->counters.count; i++) {
        const ViewCounter *other = &d->view->counters.items[i];
        if (other->family != c->family || strcmp(other->value, c->value) != 0 ||
            (c->key && strcmp(other->key, c->key) != 0))
            continue;
        if (i < number)
            return 0;
        count++;
    }
    return count;
}

static bool is_in_hand(const ViewCounter *c, uint32_t family, const char *role) {
    return c->family == family && (!role || strcmp(c->key, role) == 0);
}

/* Draws the things of one role, or those of none (NULL), in rows. Many cards with suits are a
 * pile with their number. */
static void draw_hand(const Drawer *d, uint32_t family, const char *role, Text *body, double *width,
                      double *y) {
    const char *fact = name_of(d, d->board->fluents.items[family].functor), *last = NULL;
    double left = role ? text_width(role) + 10 : 2, x = left, height = ROW;
    size_t all = 0, cards = 0;
    for (size_t i = 0; i < d->view->counters.count; i++)
        if (is_in_hand(&d->view->counters.items[i], family, role)) {
            last = d->view->counters.items[i].value;
            all++;
            cards += are_cards(fact, last);
        }
    if (!all)
        return;
    height = cards == all ? CARD : ROW;
    if (role)
        put_text(body, 2, *y + height / 2 + TEXT_HEIGHT * 0.36, "start", role);
    if (all > PILE && are_cards("", last))
        x += put_cards(body, x, *y, height, " ", all);
    for (size_t i = 0; i < d->view->counters.count && !(all > PILE && are_cards("", last)); i++) {
        const ViewCounter *c = &d->view->counters.items[i];
        size_t alike = is_in_hand(c, family, role) ? count_alike(d, i) : 0;
        if (!alike)
            continue;
        if (x > PAGE - 80) {
            *y += height + 2;
            x = left;
        }
        bool is_card = alike > 1 || height > ROW;
        x += is_card ? put_cards(body, x, *y, height, c->value, alike)
                     : put_thing(d, body, x, *y, fact, c->value);
        *width = x > *width ? x : *width;
    }
    *width = x > *width ? x : *width;
    *y += height + 4;
}

static void draw_hands(Drawer *d, uint32_t family) {
    const BoardFamily *f = &d->board->fluents.items[family];
    const char *name = name_of(d, f->functor);
    Text body = {0};
    double width = text_width(name), y = 0;
    if (f->key_column == BOARD_NONE)
        draw_hand(d, family, NULL, &body, &width, &y);
    for (size_t r = 0; r < d->board->roles.count && f->key_column != BOARD_NONE; r++)
        draw_hand(d, family, name_of(d, d->board->roles.items[r]), &body, &width, &y);
    add_part(d, &body, FAMILY_HANDS, name, width + 4, y + 2);
}

static bool is_amount(const char *value) {
    size_t length = strlen(value);
    return length && isdigit((unsigned char)value[length - 1]);
}

/* Draws a counter as its name and value; the value is a piece if it is one. */
static void draw_counter(Drawer *d, const ViewCounter *c) {
    const BoardFamily *f = &d->board->fluents.items[c->family];
    Text body = {0}, label = {0};
    if (f->kind == FAMILY_TURN)
        text_add(&label, "to move:");
    else {
        add_plain(&label, name_of(d, f->functor));
        add_plain(&label, c->key ? c->key : "");
        text_add_char(&label, ':');
    }
    double x = text_width(text_string(&label)) + 6;
    bool is_card = f->kind == FAMILY_COUNTER && !is_amount(c->value) &&
                   are_cards(name_of(d, f->functor), c->value);
    double height = is_card ? CARD : ROW;
    put_text(&body, 2, height / 2 + TEXT_HEIGHT * 0.36, "start", label.items);
    uint32_t role = f->kind == FAMILY_TURN
                        ? u32_index_of(&d->board->roles,
                                       symbols_find(&d->board->symbols, c->value, strlen(c->value)))
                        : BOARD_NONE;
    if (role < d->board->role_colours.count) {
        text_printf(&body,
                    "<circle cx=\"%.0f\" cy=\"11\" r=\"6\" fill=\"#%06x\" stroke=\"#2a2620\"/>",
                    x + 6, d->board->role_colours.items[role]);
        put_text(&body, x + 18, ROW - 6, "start", c->value);
        x += 22 + text_width(c->value);
    } else if (height > ROW) {
        x += put_cards(&body, x, 0, height, c->value, 1);
    } else {
        x += put_thing(d, &body, x, 0, name_of(d, f->functor), c->value);
    }
    add_part(d, &body, f->kind, text_string(&label), x + 2, height);
    vector_free(&label);
}

static bool has_counters(const Drawer *d, uint32_t family) {
    for (size_t i = 0; i < d->view->counters.count; i++)
        if (d->view->counters.items[i].family == family)
            return true;
    return false;
}

void svg_draw_rest(const Board *board, const BoardView *view, SvgParts *parts) {
    Drawer d = {board, view, parts};
    for (uint32_t f = 0; f < board->fluents.count; f++) {
        FamilyKind kind = board->fluents.items[f].kind;
        if (!has_counters(&d, f))
            continue;
        if (kind == FAMILY_HEAPS)
            draw_heaps(&d, f);
        else if (kind == FAMILY_STACKS)
            draw_stacks(&d, f);
        else if (kind == FAMILY_HANDS)
            draw_hands(&d, f);
        else
            for (size_t i = 0; i < view->counters.count; i++)
                if (view->counters.items[i].family == f)
                    draw_counter(&d, &view->counters.items[i]);
    }
}

/* ---- the whole picture ---- */

/* Adds the facts that belong nowhere else, as rows of cards. */
static void draw_facts(Drawer *d) {
    Text body = {0}, more = {0};
    double x = 0, y = 0, width = 0;
    size_t shown = d->view->facts.count < MAX_FACTS_SHOWN ? d->view->facts.count : MAX_FACTS_SHOWN;
    if (!shown)
        return;
    for (size_t i = 0; i < shown; i++) {
        double own = text_width(d->view->facts.items[i]) + 14;
        if (x && x + own > PAGE) {
            x = 0;
            y += ROW;
        }
        x += put_thing(d, &body, x, y, "", d->view->facts.items[i]);
        width = x > width ? x : width;
    }
    if (shown < d->view->facts.count) {
        text_printf(&more, "and %zu more facts", d->view->facts.count - shown);
        y += ROW;
        put_text(&body, 2, y + ROW - 6, "start", more.items);
        vector_free(&more);
    }
    add_part(d, &body, FAMILY_FACTS, "", width + 160, y + ROW + 2);
}

/* Where a part lies in the whole picture. */
typedef struct {
    double x, y;
} PartPlace;

/* Counters say themselves what they are. */
static bool has_title(const SvgPart *part) {
    return *part->name && (part->kind == FAMILY_GRID || part->kind == FAMILY_HEAPS ||
                           part->kind == FAMILY_STACKS || part->kind == FAMILY_HANDS);
}

/* Lays the parts out in rows, left to right. Writes the size of the whole. */
static PartPlace *lay_out(const SvgParts *parts, double *width, double *height) {
    PartPlace *places = memory_zalloc((parts->parts.count + 1) * sizeof *places);
    double x = 0, y = 0, row = 0, page = NARROW;
    *width = 1;
    size_t boards = 0, columns = 1;
    while (boards < parts->parts.count && parts->parts.items[boards].grid != BOARD_NONE)
        boards++;
    while (columns * columns < boards)
        columns++; /* several boards make a square rather than a column */
    for (size_t i = 0; i < parts->parts.count; i++) {
        const SvgPart *part = &parts->parts.items[i];
        double wanted = i < boards ? (double)columns * (part->width + GAP) : part->width;
        page = wanted > page ? wanted : page;
    }
    for (size_t i = 0; i < parts->parts.count; i++) {
        const SvgPart *part = &parts->parts.items[i];
        double title = has_title(part) ? ROW : 0;
        bool ends_boards = i && part->grid == BOARD_NONE && part[-1].grid != BOARD_NONE;
        if (x && (x + part->width > page || ends_boards)) {
            x = 0;
            y += row + GAP / 2.0;
            row = 0;
        }
        places[i] = (PartPlace){x, y + title};
        x += part->width + GAP;
        *width = x - GAP > *width ? x - GAP : *width;
        row = part->height + title > row ? part->height + title : row;
    }
    *height = y + row + 1;
    return places;
}

void board_svg(const Board *board, const BoardView *view, const SvgOptions *options, Text *out) {
    assert(board && view && out);
    SvgParts parts;
    double width, height;
    board_svg_parts(board, view, options, &parts);
    Drawer d = {board, view, &parts};
    draw_facts(&d);
    PartPlace *places = lay_out(&parts, &width, &height);
    svg_open(out, 0, 0, width, height, 1);
    for (size_t i = 0; i < parts.parts.count; i++) {
        const SvgPart *part = &parts.parts.items[i];
        if (has_title(part)) {
            text_printf(out, "<g font-size=\"%d\" fill=\"#2a2620\">", TEXT_HEIGHT);
            put_text(out, places[i].x + 4, places[i].y - 6, "start", part->name);
            text_add(out, "</g>");
        }
        text_add(out, "<svg x=\"");
        svg_number(out, places[i].x);
        text_add(out, "\" y=\"");
        svg_number(out, places[i].y);
        text_add_char(out, '"');
        text_add(out, part->svg.items + strlen("<svg"));
        text_add_char(out, '\n');
    }
    text_add(out, "</svg>\n");
    free(places);
    board_svg_parts_free(&parts);
}
