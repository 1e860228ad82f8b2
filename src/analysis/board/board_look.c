/* How pieces look: their symbol, colour and label. The words of the rules are hints: the name of a
 * thing, or its first letter beside others of the same game. Letters are the last resort. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/board/look_internal.h"

/* All numbers are guesses. */
enum {
    MOVED_PERCENT = 25, /* arrivals of pieces that left another square: pieces move about */
    MANY_STILL = 6,     /* walls, or empty squares that nothing leaves */
    MIN_ATTRIBUTED = 8, /* kinds that differ in attributes only */
    GREY = 0x9a9aa0
};

/* Kinds of pieces that nobody owns. */
static const uint32_t kind_palette[] = {0x6fa8dc, 0xe9a15b, 0x7bbf7b, 0xc98bdb, 0xe27d7d, 0xd9c85f,
                                        0x5fb5b0, 0xa68a6d, 0x8f96a3, 0x4f6fa5, 0xb65f3a, 0x3f7f5f};
enum { KIND_COLOURS = sizeof kind_palette / sizeof *kind_palette };

static bool is_word(Word word, const char *text) {
    return strlen(text) == word.length && strncmp(text, word.start, word.length) == 0;
}

static bool starts_with(Word word, const char *text) {
    size_t length = strlen(text);
    return length < word.length && strncmp(text, word.start, length) == 0;
}

static bool is_digits(Word word) {
    for (size_t i = 0; i < word.length; i++)
        if (!isdigit((unsigned char)word.start[i]))
            return false;
    return word.length > 0;
}

/* ---- symbols ---- */

/* True if the word only tells whose the piece is, or its colour. */
static bool tells_side(const Looker *l, Word word, uint32_t side) {
    uint32_t colour;
    for (uint32_t r = 0; r < l->role_count; r++)
        if (is_word(word, look_text(l, l->roles->items[r])))
            return true;
    if (colour_of_word(word.start, word.length, &colour))
        return true;
    return word.length == 1 && side != BOARD_NONE && !strchr("xo", word.start[0]) &&
           word.start[0] == side_letter(l->board, side);
}

/* Takes the name of a role or colour, or the letter of the side, from the front of a word. */
static Word strip_side(const Looker *l, Word word, uint32_t side) {
    uint32_t colour;
    for (uint32_t r = 0; r < l->role_count; r++) {
        const char *role = look_text(l, l->roles->items[r]);
        if (strlen(role) > 1 && starts_with(word, role))
            return (Word){word.start + strlen(role), word.length - strlen(role)};
    }
    for (size_t length = word.length - 1; length > 2; length--)
        if (colour_of_word(word.start, length, &colour))
            return (Word){word.start + length, word.length - length};
    bool is_known = glyph_of_word(word.start, word.length) != GLYPH_NONE;
    if (!is_known && word.length > 1 && side != BOARD_NONE &&
        word.start[0] == side_letter(l->board, side))
        return (Word){word.start + 1, word.length - 1};
    return word;
}

/* Keeps the words that tell what the piece is; the name of a role only if it is a thing and nothing
 * else tells it. The functor tells it if no other word does. */
static void find_words(Looker *l, size_t number) {
    const BoardPiece *piece = &l->grid->pieces.items[number];
    Words *kept = &l->lives[number].words;
    bool has_contents = board_family_has_contents(&l->board->fluents.items[piece->family]);
    for (int source = 0; source < 2 && !kept->count; source++) {
        Words all = words_split(
            look_text(l, source ? l->board->fluents.items[piece->family].functor : piece->text));
        for (size_t w = 0; w < all.count; w++) {
            if (tells_side(l, all.items[w], piece->look.side))
                continue;
            Word word = strip_side(l, all.items[w], piece->look.side);
            const Glyph *glyph = glyph_of_word(word.start, word.length);
            bool is_thing = glyph && glyph->paint < PAINT_EDGE; /* (pit 3 red) is a red stone */
            if (source == 0 || is_thing || (glyph && !has_contents))
                kept->items[kept->count++] = word;
        }
        for (size_t w = 0; w < all.count && !kept->count && source == 0; w++)
            if (glyph_of_word(all.items[w].start, all.items[w].length) && all.items[w].length > 1)
                kept->items[kept->count++] = all.items[w];
    }
}

/* The word spells a chess piece with its first letter or letters. */
static const Glyph *chessman(Word word) {
    static const char *const names[] = {"king", "queen", "rook", "bishop", "knight", "pawn"};
    if (word.length == 1)
        return glyph_of_chess_letter(word.start[0]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (word.length < strlen(names[i]) && strncmp(names[i], word.start, word.length) == 0)
            return glyph_named(names[i]);
    return is_word(word, "kt") || is_word(word, "nt") ? glyph_named("knight") : GLYPH_NONE;
}

/* True if names of two letters begin with this one and count on, such as pa, pb, pc and pd. */
static bool counts_letters(const Looker *l, char first) {
    uint32_t met = 0;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const char *text = look_text(l, l->grid->pieces.items[i].text);
        if (text[0] == first && text[1] >= 'a' && text[1] <= 'h' && !text[2])
            met |= 1u << (text[1] - 'a');
    }
    return (met & 15) == 15;
}

/* Leaves the first letter of names that count the pieces of a kind: n1 and pc are n and p. */
static void forget_numbers(Looker *l) {
    bool has_king = false;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const char *text = look_text(l, l->grid->pieces.items[i].text);
        has_king |= text[0] == 'k' && isdigit((unsigned char)text[1]) && !text[2];
    }
    for (size_t i = 0; i < l->grid->pieces.count && has_king; i++) {
        const char *text = look_text(l, l->grid->pieces.items[i].text);
        if (text[0] && text[1] && !text[2] && glyph_of_chess_letter(text[0]) &&
            (isdigit((unsigned char)text[1]) || counts_letters(l, text[0])))
            l->lives[i].words = (Words){{{text, 1}}, 1};
    }
}

/* True if all names are w or b and the letter of a chess piece. */
static bool names_chessmen(const Looker *l) {
    bool all = true, any = false;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const BoardPiece *piece = &l->grid->pieces.items[i];
        const char *text = look_text(l, piece->text);
        bool fits =
            (*text == 'w' || *text == 'b') && text[1] && strchr("kqrbnp", text[1]) && !text[2];
        all &= piece->is_blank || fits;
        any |= !piece->is_blank;
    }
    return all && any;
}

/* True if all names of one or two letters are those of chess pieces, a king among them. */
static bool has_chessmen(const Looker *l) {
    const Glyph *king = glyph_named("king"), *first = GLYPH_NONE;
    bool has_king = names_chessmen(l), has_two = has_king;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const Words *words = &l->lives[i].words;
        if (l->grid->pieces.items[i].is_blank || !words->count || words->items[0].length > 2)
            continue;
        const Glyph *glyph = chessman(words->items[0]);
        if (!glyph && !is_digits(words->items[0]))
            return false;
        has_king |= glyph == king;
        has_two |= first && glyph && glyph != first;
        first = first ? first : glyph;
    }
    return has_king && has_two;
}

/* The colour of a role that is named after a colour which begins with the one letter of the text.
 */
static bool colour_by_letter(const Looker *l, const char *text, uint32_t *colour) {
    for (uint32_t r = 0; r < l->role_count && text[0] && !text[1]; r++) {
        const char *role = look_text(l, l->roles->items[r]);
        if (role[0] == text[0] && colour_in_text(role, colour))
            return true;
    }
    return false;
}

/* True if all names of one letter are those of men and kings. */
static bool has_men(const Looker *l) {
    bool man = false, king = false;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const Words *words = &l->lives[i].words;
        if (l->grid->pieces.items[i].is_blank || words->count != 1 || words->items[0].length > 1)
            continue;
        bool is_man = is_word(words->items[0], "m"), is_king = is_word(words->items[0], "k");
        if (!is_man && !is_king)
            return false;
        man |= is_man;
        king |= is_king;
    }
    return man && king;
}

/* The number that a word means, as digits; NULL if it means none. */
static const char *digits_of_word(Word word) {
    static const char *const names[] = {"zero", "one", "two",   "three", "four",
                                        "five", "six", "seven", "eight", "nine"};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(names[i], word.start, strlen(names[i])) == 0 && strlen(names[i]) <= word.length)
            return digits[i];
    return NULL;
}

/* Reads a word such as `two` or `twocoins`. */
static void read_number(BoardPiece *piece, Word word) {
    static const char *const names[] = {"zero", "one", "two",   "three", "four",
                                        "five", "six", "seven", "eight", "nine"};
    const char *digits = digits_of_word(word);
    size_t used = strlen(names[*digits - '0']);
    snprintf(piece->look.label, MAX_LABEL, "%s", digits);
    piece->look.glyph = glyph_of_word(word.start + used, word.length - used);
}

/* The side of a square on which a wall stands whose fluent says so: (wall 2 3 north), (blockedeast
 * 1 1); GLYPH_NONE for all else. */
static const Glyph *edge_of(const Looker *l, const BoardPiece *piece) {
    static const char *const walls[] = {"wall", "block", "barrier", "fence", "hedge"};
    static const char *const sides[][2] = {{"north", "edge north"}, {"south", "edge south"},
                                           {"east", "edge east"},   {"west", "edge west"},
                                           {"top", "edge north"},   {"bottom", "edge south"},
                                           {"right", "edge east"},  {"left", "edge west"}};
    const char *functor = look_text(l, l->board->fluents.items[piece->family].functor);
    const char *text = look_text(l, piece->text);
    bool is_wall = false;
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++)
        is_wall |= strstr(functor, walls[i]) || strstr(text, walls[i]);
    for (size_t i = 0; is_wall && i < sizeof sides / sizeof *sides; i++)
        if (strstr(text, sides[i][0]))
            return glyph_named(sides[i][1]);
    return GLYPH_NONE;
}

/* True if many such pieces are there at the start, and none ever comes to a square. */
static bool stands_still(const Looker *l, size_t number) {
    return !l->lives[number].arrivals && l->lives[number].starts >= MANY_STILL;
}

static void find_symbol(Looker *l, size_t number, bool chess, bool men) {
    BoardPiece *piece = &l->grid->pieces.items[number];
    const Words *words = &l->lives[number].words;
    piece->look.glyph = edge_of(l, piece);
    if (!piece->look.glyph)
        piece->look.glyph =
            glyph_of_die(look_text(l, l->board->fluents.items[piece->family].functor),
                         look_text(l, piece->text));
    if (!piece->look.glyph && strcmp(look_text(l, piece->text), "w") == 0 &&
        stands_still(l, number)) {
        piece->look.glyph = glyph_named("wall");
        piece->look.side = BOARD_NONE;
    }
    if (piece->look.glyph)
        return;
    for (size_t w = 0; w < words->count; w++) {
        Word word = words->items[w];
        bool counts = l->players < 2 && digits_of_word(word);
        const Glyph *glyph = counts ? GLYPH_NONE : glyph_of_word(word.start, word.length);
        if (!glyph && chess)
            glyph = chessman(word);
        if (!glyph && words->count == 1 && men)
            glyph = is_word(word, "m")   ? glyph_named("man")
                    : is_word(word, "k") ? glyph_named("king")
                                         : glyph;
        if (!piece->look.glyph && glyph)
            piece->look.glyph = glyph;
        else if (!glyph && counts)
            read_number(piece, word);
        else if (is_digits(word) && !*piece->look.label && word.length < MAX_LABEL)
            snprintf(piece->look.label, MAX_LABEL, "%.*s", (int)word.length, word.start);
    }
}

/* In games in which kings come later and stand beside one other kind only, a king is a crowned man,
 * as in draughts. */
static void crown_men(Looker *l) {
    const Glyph *king = glyph_named("king"), *other = GLYPH_NONE;
    bool is_draughts = false;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const BoardPiece *piece = &l->grid->pieces.items[i];
        if (piece->is_blank || piece->look.side == BOARD_NONE)
            continue;
        if (piece->look.glyph == king && l->lives[i].starts)
            return;
        is_draughts |= piece->look.glyph == king;
        if (piece->look.glyph != king && other && piece->look.glyph != other)
            return;
        other = piece->look.glyph == king ? other : piece->look.glyph;
    }
    for (size_t i = 0; i < l->grid->pieces.count && is_draughts; i++) {
        BoardPiece *piece = &l->grid->pieces.items[i];
        if (piece->is_blank || piece->look.side == BOARD_NONE)
            continue;
        piece->look.glyph = glyph_named(piece->look.glyph == king ? "crowned" : "man");
    }
}

/* ---- attributes ---- */

/* The texts of kinds that differ in attributes have the same length, and each position that differs
 * has two to four letters, all of which occur together. Returns the number of such positions. */
static size_t find_attributes(const Looker *l, size_t positions[4], char letters[4][4]) {
    size_t kinds = 0, count = 0, length = 0, product = 1;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        if (l->grid->pieces.items[i].is_blank)
            continue;
        size_t own = strlen(look_text(l, l->grid->pieces.items[i].text));
        if (kinds++ && own != length)
            return 0;
        length = own;
    }
    for (size_t at = 0; at < length && kinds >= MIN_ATTRIBUTED; at++) {
        char met[5] = {0};
        for (size_t i = 0; i < l->grid->pieces.count; i++) {
            if (l->grid->pieces.items[i].is_blank)
                continue;
            char letter = look_text(l, l->grid->pieces.items[i].text)[at];
            if (!strchr(met, letter) && strlen(met) == 4)
                return 0;
            if (!strchr(met, letter))
                met[strlen(met)] = letter;
        }
        if (strlen(met) < 2)
            continue;
        if (count == 4 || (count && strlen(met) > 2 && count > 1))
            return 0;
        product *= strlen(met);
        positions[count] = at;
        memcpy(letters[count++], met, 4);
    }
    return count > 2 && product == kinds ? count : 0;
}

/* Shows attributes as colour, shape, size and fill, in this order. False if there are none. */
static bool show_attributes(Looker *l) {
    static const char *const shapes[] = {"disc", "square", "triangle", "hexagon"};
    static const uint32_t fills[] = {0xf2d8a0, 0x7a4a2a, 0x4f7fb5, 0x7bbf7b};
    size_t positions[4];
    char letters[4][4];
    size_t count = find_attributes(l, positions, letters);
    for (size_t i = 0; i < l->grid->pieces.count && count; i++) {
        BoardPiece *piece = &l->grid->pieces.items[i];
        if (piece->is_blank)
            continue;
        uint32_t value[4] = {0};
        for (size_t a = 0; a < count; a++)
            value[a] = (uint32_t)((const char *)memchr(letters[a],
                                                       look_text(l, piece->text)[positions[a]], 4) -
                                  letters[a]);
        piece->look = (PieceLook){.glyph = glyph_named(shapes[value[1]]),
                                  .side = BOARD_NONE,
                                  .fill = fills[value[0]],
                                  .is_small = value[2] != 0,
                                  .is_hollow = value[3] != 0};
    }
    return count > 0;
}

/* ---- what is left ---- */

static bool is_number(const Looker *l, const BoardPiece *piece) {
    const char *text = look_text(l, piece->text);
    return is_digits((Word){text, strlen(text)}) && strlen(text) < MAX_LABEL;
}

/* True if the words are a number and something else, which most numbers have at the start. */
static bool is_usual_number(const Looker *l, size_t number) {
    const Words *words = &l->lives[number].words;
    uint32_t same = 0, others = 0;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const Words *other = &l->lives[i].words;
        if (other->count != 2 || l->grid->pieces.items[i].is_blank)
            continue;
        bool is_same =
            other->items[1].length == words->items[1].length &&
            memcmp(other->items[1].start, words->items[1].start, words->items[1].length) == 0;
        *(is_same ? &same : &others) += l->lives[i].starts;
    }
    return same > others;
}

/* Numbers are numbers; those with a flag (hitori) stand on dark squares unless the flag is usual.
 */
static bool find_number(Looker *l, size_t number) {
    BoardPiece *piece = &l->grid->pieces.items[number];
    const Words *words = &l->lives[number].words;
    const char *text = look_text(l, piece->text);
    if (is_number(l, piece)) {
        snprintf(piece->look.label, MAX_LABEL, "%.*s", MAX_LABEL - 1, text);
        return true;
    }
    bool is_flagged = words->count == 2 && is_digits(words->items[0]) && strchr(text, ' ') &&
                      piece->look.side == BOARD_NONE && !is_digits(words->items[1]);
    if (is_flagged && !is_usual_number(l, number))
        piece->look.glyph = glyph_named("mark");
    return is_flagged;
}

/* True if the contents are an amount, and maybe an owner: the empty square has an amount of 0. */
static bool has_amount(const Looker *l, const BoardPiece *piece) {
    return l->board->fluents.items[piece->family].amount_column != BOARD_NONE;
}

/* True if the fluent has no contents and marks squares on which pieces of others stand. */
static bool marks_only(const Looker *l, const BoardPiece *piece) {
    bool has_others = false;
    for (size_t i = 0; i < l->grid->pieces.count; i++)
        has_others |= l->grid->pieces.items[i].family != piece->family;
    return has_others && !board_family_has_contents(&l->board->fluents.items[piece->family]);
}

static uint32_t count_kinds(const BoardGrid *grid) {
    uint32_t kinds = 0;
    for (size_t i = 0; i < grid->pieces.count; i++)
        kinds += !grid->pieces.items[i].is_blank;
    return kinds;
}

/* Gives a piece of no known word a lamp if it is a switch, a disc if it is the only such kind of
 * its side, else a disc or tile with letters. */
static void find_last_resort(Looker *l, size_t number, uint32_t alike) {
    BoardPiece *piece = &l->grid->pieces.items[number];
    const char *text = look_text(l, piece->text);
    bool is_only = alike == 1 &&
                   (piece->look.side != BOARD_NONE || l->players < 2 || count_kinds(l->grid) == 1);
    bool is_on = strcmp(text, "on") == 0, is_off = strcmp(text, "off") == 0;
    uint32_t colour;
    bool is_thing = l->players > 1 && piece->look.side == BOARD_NONE &&
                    !colour_in_text(text, &colour) && !colour_by_letter(l, text, &colour);
    if (is_only && piece->look.side != BOARD_NONE) {
        /* The only kind of the wolf's pieces is a wolf. */
        const char *role = look_text(l, l->roles->items[piece->look.side]);
        bool plays = strlen(role) > 6 && strcmp(role + strlen(role) - 6, "player") == 0;
        piece->look.glyph = glyph_of_word(role, strlen(role) - (plays ? 6 : 0));
        if (piece->look.glyph)
            return;
    }
    if (is_thing && marks_only(l, piece)) {
        piece->look.glyph = glyph_named("dot");
        return;
    }
    piece->look.glyph = glyph_named(is_on || is_off ? "lamp" : is_thing ? "square" : "disc");
    piece->look.is_hollow = is_off;
    bool is_colour =
        colour_of_word(text, strlen(text), &colour) || colour_by_letter(l, text, &colour);
    if (!is_only && !is_on && !is_off && !is_colour && !*piece->look.label &&
        l->lives[number].words.count)
        snprintf(piece->look.label, MAX_LABEL, "%s", piece->mark);
}

/* Looks for all pieces that no word explained. Equal texts in several families are one kind. */
static void find_unknown(Looker *l) {
    U32Vector unknown = {0};
    for (uint32_t i = 0; i < l->grid->pieces.count; i++) {
        const BoardPiece *piece = &l->grid->pieces.items[i];
        bool is_count = has_amount(l, piece) && piece->look.side == BOARD_NONE;
        if (!piece->is_blank && !piece->look.glyph && !is_count && !find_number(l, i))
            vector_push(&unknown, i);
    }
    for (size_t u = 0; u < unknown.count; u++) {
        const BoardPiece *piece = &l->grid->pieces.items[unknown.items[u]];
        uint32_t alike = 1;
        for (size_t k = 0; k < unknown.count; k++) {
            const BoardPiece *other = &l->grid->pieces.items[unknown.items[k]];
            alike += other->look.side == piece->look.side && other->text != piece->text;
        }
        find_last_resort(l, unknown.items[u], alike);
    }
    vector_free(&unknown);
}

/* How light a colour is, from 0 to 1, and how well two colours can be told apart by that alone. */
static double luminance(uint32_t colour) {
    double sum = 0;
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    for (int part = 0; part < 3; part++) {
        double value = (colour >> (16 - 8 * part) & 255) / 255.0;
        sum +=
            weights[part] * (value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(uint32_t a, uint32_t b) {
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

/* True if the colour of an earlier side without a ring differs from that of the side in its hue
 * only. */
static bool is_ringed(const Looker *l, uint32_t side) {
    const U32Vector *colours = &l->board->role_colours;
    for (uint32_t r = 0; r < side; r++)
        if (!role_is_chance(l->board, r) && !is_ringed(l, r) &&
            contrast(colours->items[r], colours->items[side]) < 1.5)
            return true;
    return false;
}

static void colour_piece(Looker *l, size_t number) {
    BoardPiece *piece = &l->grid->pieces.items[number];
    PieceLook *look = &piece->look;
    look->is_ringed = look->side != BOARD_NONE && is_ringed(l, look->side);
    bool is_own = look->glyph && look->glyph->paint >= PAINT_THING;
    if (is_own && !l->lives[number].arrivals)
        look->side = BOARD_NONE;
    if (colour_in_text(look_text(l, piece->text), &look->fill) ||
        (look->side == BOARD_NONE && !is_own &&
         colour_by_letter(l, look_text(l, piece->text), &look->fill)))
        return;
    if (look->side != BOARD_NONE)
        look->fill = l->board->role_colours.items[look->side];
    else if (look->glyph && look->glyph->colour)
        look->fill = look->glyph->colour;
    else if (!is_own)
        look->fill = l->players > 1 ? GREY : kind_palette[number % KIND_COLOURS];
}

static bool looks_alike(const PieceLook *a, const PieceLook *b) {
    return a->glyph == b->glyph && a->fill == b->fill && a->is_small == b->is_small &&
           a->is_hollow == b->is_hollow && strcmp(a->label, b->label) == 0;
}

/* True if two names differ in what counts them only. */
static bool are_counted(const Looker *l, size_t i, size_t k) {
    const Words *words[] = {&l->lives[i].words, &l->lives[k].words};
    const size_t numbers[] = {i, k};
    for (int n = 0; n < 2; n++) {
        const char *text = look_text(l, l->grid->pieces.items[numbers[n]].text);
        if (words[n]->count != 1 || words[n]->items[0].start != text ||
            words[n]->items[0].length != 1 || strlen(text) != 2 || !glyph_of_chess_letter(*text))
            return false;
    }
    return words[0]->items[0].start[0] == words[1]->items[0].start[0];
}

/* A kind that looks like an earlier one gets its letters, which no other kind has. */
static void tell_apart(Looker *l) {
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        BoardPiece *piece = &l->grid->pieces.items[i];
        for (size_t k = 0; k < i && !piece->is_blank; k++) {
            BoardPiece *other = &l->grid->pieces.items[k];
            if (other->is_blank || other->text == piece->text ||
                !looks_alike(&piece->look, &other->look) || are_counted(l, i, k))
                continue;
            BoardPiece *later = l->lives[i].starts && !l->lives[k].starts ? other : piece;
            snprintf(later->look.label, MAX_LABEL, "%s", later->mark);
        }
    }
}

/* The board is chequered if pieces move about, and has a bottom if two sides start in different
 * halves. */
static void find_orientation(Looker *l) {
    uint32_t arrivals = 0, moves = 0, lowest = BOARD_NONE;
    double low = 1, high = 0;
    for (uint32_t r = 0; r < l->role_count; r++) {
        double height = 0;
        uint32_t starts = 0;
        for (size_t i = 0; i < l->grid->pieces.count; i++)
            if (l->grid->pieces.items[i].look.side == r) {
                height += l->lives[i].height;
                starts += l->lives[i].starts;
                arrivals += l->lives[i].arrivals;
                moves += l->lives[i].moves;
            }
        if (!starts)
            continue;
        height /= starts;
        lowest = height < low ? r : lowest;
        low = height < low ? height : low;
        high = height > high ? height : high;
    }
    bool is_far = high - low > 0.4 && l->players == 2;
    l->grid->bottom = is_far ? lowest : BOARD_NONE;
    l->grid->is_chequered = l->grid->shape == GRID_SQUARES && l->grid->y.values.count > 2 &&
                            l->players == 2 && moves * 100 > arrivals * MOVED_PERCENT;
}

static void start_grid(Looker *l, BoardGrid *grid) {
    l->grid = grid;
    l->lives = arena_zalloc(&l->arena, (grid->pieces.count + 1) * sizeof *l->lives);
    for (size_t i = 0; i < grid->pieces.count; i++)
        l->lives[i].gained =
            arena_zalloc(&l->arena, (l->role_count + 1) * sizeof *l->lives[i].gained);
}

/* True for words, names such as `wp`, and for x and o. */
static bool tells_no_colour(const char *text) {
    return strlen(text) > 1 || strcmp(text, "x") == 0 || strcmp(text, "o") == 0;
}

/* True if the piece is called `b` where other names are words: no colour, but a blank. */
static bool is_odd_one(const Looker *l, size_t number) {
    size_t words_met = 0;
    for (size_t i = 0; i < l->grid->pieces.count; i++)
        if (l->grid->pieces.items[i].family == l->grid->pieces.items[number].family && i != number)
            words_met +=
                tells_no_colour(look_text(l, l->grid->pieces.items[i].text)) ? 1 : MANY_STILL;
    return strcmp(look_text(l, l->grid->pieces.items[number].text), "b") == 0 && words_met > 1 &&
           l->lives[number].starts >= MANY_STILL && words_met + 1 == l->grid->pieces.count;
}

/* A thing that nobody owns and that is called empty is not drawn, also where matches do not show
 * that it is the empty square. */
static void hide_empty(Looker *l) {
    static const char *const short_words[] = {"b", "e", "nil", "clear", "free", "o"};
    bool has_blank = false;
    static const char *const words[] = {"blank", "empty", "none", "nothing", "nobody", "vacant"};
    for (size_t i = 0; i < l->grid->pieces.count; i++)
        has_blank |= l->grid->pieces.items[i].is_blank;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        BoardPiece *piece = &l->grid->pieces.items[i];
        for (size_t w = 0; w < sizeof short_words / sizeof *short_words && !has_blank; w++)
            piece->is_blank |= strcmp(look_text(l, piece->text), short_words[w]) == 0 &&
                               piece->look.side == BOARD_NONE &&
                               (stands_still(l, i) || is_odd_one(l, i));
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            piece->is_blank |=
                strcmp(look_text(l, piece->text), words[w]) == 0 && piece->look.side == BOARD_NONE;
        const char *functor = look_text(l, l->board->fluents.items[piece->family].functor);
        piece->is_blank |=
            l->grid->signs.count && (strstr(functor, "gt_") || strstr(functor, "lt_"));
        Words all = words_split(look_text(l, piece->text));
        for (size_t w = 0; w < all.count && has_amount(l, piece); w++)
            piece->is_blank |= is_word(all.items[w], "0");
    }
}

static void find_looks(Looker *l) {
    hide_empty(l);
    for (size_t i = 0; i < l->grid->pieces.count; i++)
        if (!l->grid->pieces.items[i].is_blank)
            find_words(l, i);
    if (show_attributes(l))
        return;
    forget_numbers(l);
    bool letters = names_chessmen(l);
    for (size_t i = 0; i < l->grid->pieces.count && letters; i++)
        if (!l->grid->pieces.items[i].is_blank) {
            const char *text = look_text(l, l->grid->pieces.items[i].text);
            l->lives[i].words = (Words){{{text + 1, 1}}, 1};
        }
    bool chess = has_chessmen(l), men = has_men(l);
    for (size_t i = 0; i < l->grid->pieces.count; i++)
        if (l->grid->pieces.items[i].is_absence)
            l->grid->pieces.items[i].look.glyph = glyph_named("mark");
        else
            find_symbol(l, i, chess, men);
    crown_men(l);
    find_unknown(l);
    for (size_t i = 0; i < l->grid->pieces.count; i++)
        colour_piece(l, i);
    tell_apart(l);
}

void board_find_looks(const BoardFacts *facts, Board *board) {
    Looker l = {.facts = facts,
                .board = board,
                .roles = &board->roles,
                .role_count = (uint32_t)board->roles.count};
    PieceLife **lives = memory_zalloc((board->grids.count + 1) * sizeof *lives);
    for (uint32_t r = 0; r < l.role_count; r++)
        l.players += !role_is_chance(board, r);
    for (size_t g = 0; g < board->grids.count; g++) {
        start_grid(&l, &board->grids.items[g]);
        lives[g] = l.lives;
        sides_find(&l);
    }
    sides_colour_roles(board);
    for (size_t g = 0; g < board->grids.count; g++) {
        l.grid = &board->grids.items[g];
        l.lives = lives[g];
        find_looks(&l);
        find_orientation(&l);
    }
    vector_free(&l.piece_of);
    arena_free(&l.arena);
    free(lives);
}
