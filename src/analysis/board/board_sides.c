/* Whose a piece is, and the colours of the roles. Matches show whose a piece is: only its owner
 * brings it to new squares. Names are hints: a role, a colour, or the first letter of one of them.
 */
#include <ctype.h>
#include <string.h>

#include "analysis/board/look_internal.h"
#include "base/bitset.h"

/* Arrivals of a piece in turns of its owner, at least (a guess). */
enum { MOST_PERCENT = 90 };

Words words_split(const char *text) {
    Words words = {0};
    for (const char *c = text; *c && words.count < MAX_WORDS;) {
        bool digits = isdigit((unsigned char)*c);
        Word word = {c, 0};
        while (*c && (digits ? isdigit((unsigned char)*c) : isalpha((unsigned char)*c)))
            c++;
        word.length = (size_t)(c - word.start);
        if (word.length)
            words.items[words.count++] = word;
        else
            c++;
    }
    return words;
}

/* ---- whose a piece is ---- */

static void number_pieces(Looker *l) {
    const TermRows *terms = l->facts->terms;
    vector_clear(&l->piece_of);
    for (size_t i = 0; i < terms->family.count; i++) {
        uint32_t family = terms->family.items[i], piece = BOARD_NONE;
        const BoardFamily *f = family == BOARD_NONE ? NULL : &l->board->fluents.items[family];
        if (f && f->kind == FAMILY_GRID && &l->board->grids.items[f->grid] == l->grid) {
            Symbol text = board_family_contents(l->board, f,
                                                board_rows_get(terms, family, terms->row.items[i]));
            for (uint32_t k = 0; k < l->grid->pieces.count; k++)
                if (l->grid->pieces.items[k].family == family &&
                    l->grid->pieces.items[k].text == text)
                    piece = k;
        }
        vector_push(&l->piece_of, piece);
    }
}

/* Notes which pieces a turn brought to squares, and which of them had left others. */
static void note_turn(Looker *l, uint32_t state, uint64_t *before, uint64_t *after) {
    const BoardSample *sample = l->facts->sample;
    uint32_t mover = sample->mover.items[state - 1];
    for (uint32_t i = sample->first_fact.items[state]; i < sample->first_fact.items[state + 1];
         i++) {
        uint32_t fluent = sample->facts.items[i], piece = l->piece_of.items[fluent];
        if (piece == BOARD_NONE || bitset_get(before, fluent))
            continue;
        PieceLife *life = &l->lives[piece];
        bool moved = false;
        for (uint32_t k = sample->first_fact.items[state - 1];
             k < sample->first_fact.items[state] && !moved; k++) {
            uint32_t old = sample->facts.items[k];
            moved = l->piece_of.items[old] == piece && !bitset_get(after, old);
        }
        life->arrivals++;
        life->moves += moved;
        if (mover != BOARD_NONE)
            life->gained[mover]++;
    }
}

static void note_start(Looker *l) {
    const BoardSample *sample = l->facts->sample;
    const TermRows *terms = l->facts->terms;
    for (uint32_t i = 0; i < sample->first_fact.items[1]; i++) {
        uint32_t fluent = sample->facts.items[i], piece = l->piece_of.items[fluent];
        if (piece == BOARD_NONE)
            continue;
        l->lives[piece].starts++;
        if (l->grid->y.values.count < 2)
            continue;
        const BoardFamily *f = &l->board->fluents.items[terms->family.items[fluent]];
        Symbol y = board_rows_get(terms, terms->family.items[fluent],
                                  terms->row.items[fluent])[f->y_column];
        l->lives[piece].height +=
            (double)axis_index(&l->grid->y, y) / (double)(l->grid->y.values.count - 1);
    }
}

static void follow_pieces(Looker *l) {
    const BoardSample *sample = l->facts->sample;
    size_t words = bitset_words(l->piece_of.count) + 1;
    uint64_t *before = memory_zalloc(words * sizeof *before);
    uint64_t *after = memory_zalloc(words * sizeof *after);
    for (uint32_t state = 0; state < board_sample_states(sample); state++) {
        memset(after, 0, words * sizeof *after);
        for (uint32_t i = sample->first_fact.items[state]; i < sample->first_fact.items[state + 1];
             i++)
            bitset_set(after, sample->facts.items[i]);
        if (state && sample->step.items[state] == sample->step.items[state - 1] + 1)
            note_turn(l, state, before, after);
        uint64_t *swap = before;
        before = after;
        after = swap;
    }
    memory_free(before, after);
}

/* The role that the piece's text names as one of its words. */
static uint32_t role_in_text(const Looker *l, const BoardPiece *piece) {
    const char *text = look_text(l, piece->text);
    for (uint32_t r = 0; r < l->role_count; r++) {
        const char *role = look_text(l, l->roles->items[r]);
        size_t length = strlen(role);
        for (const char *at = strstr(text, role); at; at = strstr(at + 1, role))
            if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
                return r;
    }
    return BOARD_NONE;
}

/* The role that brings the piece to nearly all its squares. */
static uint32_t role_in_matches(const Looker *l, const PieceLife *life) {
    uint32_t all = 0, best = BOARD_NONE;
    for (uint32_t r = 0; r < l->role_count; r++)
        all += life->gained[r];
    for (uint32_t r = 0; r < l->role_count && all; r++)
        if (life->gained[r] * 100 >= all * MOST_PERCENT)
            best = r;
    return best;
}

/* The only role whose name the text contains, or begins with the text. */
static uint32_t role_in_name(const Looker *l, const BoardPiece *piece) {
    const char *text = look_text(l, piece->text);
    const char *functor = look_text(l, l->board->fluents.items[piece->family].functor);
    uint32_t found = BOARD_NONE;
    for (uint32_t r = 0; r < l->role_count; r++) {
        const char *role = look_text(l, l->roles->items[r]);
        bool names = strlen(role) > 2 && (strstr(text, role) || strstr(functor, role));
        size_t length = strlen(text);
        names |= length > 2 && strncmp(role, text, length) == 0;
        names |= strncmp(role, text, length) == 0 && strncmp(role + length, "player", 6) == 0;
        if (names && found != BOARD_NONE)
            return BOARD_NONE;
        found = names ? r : found;
    }
    return found;
}

/* Pieces that no match moved belong with those of known sides whose names begin, or end, alike. */
static void share_sides(Looker *l, bool at_start) {
    uint32_t owner[256], sides = 0;
    for (size_t i = 0; i < 256; i++)
        owner[i] = BOARD_NONE;
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        const BoardPiece *piece = &l->grid->pieces.items[i];
        const char *text = look_text(l, piece->text);
        uint8_t letter = (uint8_t)(at_start ? text[0] : text[strlen(text) - 1]);
        uint32_t side = piece->look.side;
        if (piece->is_blank || (side == BOARD_NONE && !l->lives[i].arrivals))
            continue;
        sides |= side == BOARD_NONE ? 0 : 1u << side % 32;
        if (owner[letter] == BOARD_NONE)
            owner[letter] = side == BOARD_NONE ? l->role_count : side;
        else if (owner[letter] != side)
            owner[letter] = l->role_count;
    }
    for (size_t i = 0; i < l->grid->pieces.count && (sides & (sides - 1)); i++) {
        BoardPiece *piece = &l->grid->pieces.items[i];
        const char *text = look_text(l, piece->text);
        uint32_t side = owner[(uint8_t)(at_start ? text[0] : text[strlen(text) - 1])];
        if (!piece->is_blank && piece->look.side == BOARD_NONE && !l->lives[i].arrivals &&
            side != BOARD_NONE && side < l->role_count)
            piece->look.side = side;
    }
}

/* The role whose name begins with the first letter of the text, if all roles begin with different
 * letters and each has such a piece. */
static uint32_t role_by_initial(const Looker *l, const BoardPiece *piece) {
    char first = look_text(l, piece->text)[0];
    uint32_t found = BOARD_NONE;
    for (uint32_t r = 0; r < l->role_count; r++) {
        char initial = look_text(l, l->roles->items[r])[0];
        bool has_piece = false;
        for (uint32_t k = 0; k < r; k++)
            if (look_text(l, l->roles->items[k])[0] == initial)
                return BOARD_NONE;
        for (size_t i = 0; i < l->grid->pieces.count; i++)
            has_piece |= !l->grid->pieces.items[i].is_blank &&
                         look_text(l, l->grid->pieces.items[i].text)[0] == initial;
        if (!has_piece)
            return BOARD_NONE;
        found = initial == first ? r : found;
    }
    return found;
}

/* The only role that a fact of the first state names beside the piece, such as (color pa black). */
static uint32_t role_in_facts(const Looker *l, const BoardPiece *piece) {
    const BoardSample *sample = l->facts->sample;
    const TermRows *terms = l->facts->terms;
    uint32_t found = BOARD_NONE;
    for (uint32_t i = 0; i < sample->first_fact.items[1]; i++) {
        uint32_t fluent = sample->facts.items[i], family = terms->family.items[fluent];
        if (family == BOARD_NONE || l->board->fluents.items[family].kind != FAMILY_HANDS ||
            l->board->fluents.items[family].column_count != 2)
            continue;
        const uint32_t *row = board_rows_get(terms, family, terms->row.items[fluent]);
        for (uint32_t c = 0; c < 2; c++) {
            if (row[c] != piece->text || !u32_contains(l->roles, row[1 - c]))
                continue;
            if (found != BOARD_NONE && found != u32_index_of(l->roles, row[1 - c]))
                return BOARD_NONE;
            found = u32_index_of(l->roles, row[1 - c]);
        }
    }
    return found;
}

static void find_sides(Looker *l) {
    for (size_t i = 0; i < l->grid->pieces.count; i++) {
        BoardPiece *piece = &l->grid->pieces.items[i];
        uint32_t side = BOARD_NONE;
        if (!piece->is_blank && !piece->is_absence && l->players > 1) {
            side = role_in_text(l, piece);
            if (side == BOARD_NONE)
                side = role_in_facts(l, piece);
            if (side == BOARD_NONE)
                side = role_in_matches(l, &l->lives[i]);
            if (side == BOARD_NONE)
                side = role_in_name(l, piece);
            if (side == BOARD_NONE)
                side = role_by_initial(l, piece);
        }
        piece->look.side = side;
    }
    if (l->players > 1) {
        share_sides(l, true);
        share_sides(l, false);
    }
}

/* ---- colours ---- */

/* Sides without a colour of their own: light and dark take turns, so that not only the hue differs.
 */
static const uint32_t side_palette[] = {0x2f6fb7, 0xf2b134, 0xa8324a, 0x7fd1ae, 0x5b3f8f, 0xe8e1d3};
enum { SIDE_COLOURS = sizeof side_palette / sizeof *side_palette, CHANCE_COLOUR = 0x9a9aa0 };

/* The colour that a word names, also as its beginning: `redpawn`. */
static bool colour_in_word(Word word, uint32_t *colour) {
    for (size_t length = word.length; length > 2; length--)
        if ((length == word.length || length > 3 || word.length > 5) &&
            colour_of_word(word.start, length, colour))
            return true;
    return false;
}

bool colour_in_text(const char *text, uint32_t *colour) {
    Words words = words_split(text);
    for (size_t w = 0; w < words.count; w++)
        if (colour_in_word(words.items[w], colour))
            return true;
    return false;
}

/* The letter that begins, or is a word of, the names of all pieces of the side on all grids; 0 if
 * there is none. */
char side_letter(const Board *board, uint32_t side) {
    char letter = 0;
    for (size_t g = 0; g < board->grids.count; g++)
        for (size_t i = 0; i < board->grids.items[g].pieces.count; i++) {
            const BoardPiece *piece = &board->grids.items[g].pieces.items[i];
            if (piece->look.side != side || piece->is_blank)
                continue;
            char first = symbols_name(&board->symbols, piece->text)[0];
            if (letter && letter != first)
                return 0;
            letter = first;
        }
    return letter;
}

static uint32_t colour_of_letter(char letter) {
    static const char letters[] = "wbrgy";
    static const char *const names[] = {"white", "black", "red", "green", "yellow"};
    uint32_t colour = 0;
    const char *at = letter ? strchr(letters, letter) : NULL;
    if (at)
        colour_of_word(names[at - letters], strlen(names[at - letters]), &colour);
    return colour;
}

/* The colour that the names of all pieces of a role say; 0 if they say none or several. */
static uint32_t colour_of_pieces(const Board *board, uint32_t role) {
    uint32_t common = 0, colour;
    for (size_t g = 0; g < board->grids.count; g++)
        for (size_t i = 0; i < board->grids.items[g].pieces.count; i++) {
            const BoardPiece *piece = &board->grids.items[g].pieces.items[i];
            if (piece->look.side != role || piece->is_blank)
                continue;
            if (!colour_in_text(symbols_name(&board->symbols, piece->text), &colour) ||
                (common && common != colour))
                return 0;
            common = colour;
        }
    return common;
}

bool role_is_chance(const Board *board, uint32_t role) {
    return strcmp(symbols_name(&board->symbols, board->roles.items[role]), "random") == 0;
}

/* Letters name colours if all sides have one, and white or red is among them: `b` alone is no name.
 * Without white, blue is meant by `b`. */
static bool colours_by_letters(Board *board) {
    bool has_white = false, has_other = false, all = true;
    for (uint32_t r = 0; r < board->roles.count; r++) {
        char letter = role_is_chance(board, r) ? 'w' : side_letter(board, r);
        has_white |= letter == 'w' && !role_is_chance(board, r);
        has_other |= letter == 'r' || letter == 'b';
        all &= colour_of_letter(letter) != 0;
    }
    if (!all || !has_other)
        return false;
    for (uint32_t r = 0; r < board->roles.count; r++) {
        char letter = side_letter(board, r);
        board->role_colours.items[r] =
            letter == 'b' && !has_white ? side_palette[0] : colour_of_letter(letter);
    }
    return true;
}

void sides_colour_roles(Board *board) {
    uint32_t next = 0;
    bool named = true;
    vector_clear(&board->role_colours);
    for (uint32_t r = 0; r < board->roles.count; r++) {
        uint32_t colour = 0;
        if (!colour_in_text(symbols_name(&board->symbols, board->roles.items[r]), &colour))
            colour = colour_of_pieces(board, r);
        for (size_t i = 0; i < board->role_colours.count; i++)
            if (board->role_colours.items[i] == colour)
                colour = 0;
        named &= colour != 0 || role_is_chance(board, r);
        vector_push(&board->role_colours, colour);
    }
    if (named || colours_by_letters(board))
        return;
    for (uint32_t r = 0; r < board->roles.count; r++)
        if (role_is_chance(board, r))
            board->role_colours.items[r] = CHANCE_COLOUR;
        else if (!board->role_colours.items[r])
            board->role_colours.items[r] = side_palette[next++ % SIDE_COLOURS];
        else
            next++;
}

void sides_find(Looker *l) {
    number_pieces(l);
    note_start(l);
    follow_pieces(l);
    find_sides(l);
}
