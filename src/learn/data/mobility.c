/* Counts legal moves in lanes: a legal move is one bit per state, so that counting costs one
 * addition per legal move and state. The second half chooses which counts become features. */
#include "learn/data/mobility.h"

#include <assert.h>
#include <string.h>

#include "learn/data/fluents.h"
#include "learn/play/model.h"

enum { MAX_WORD_LENGTH = 63 }; /* bytes of a word in a model file, at most */

/* ---- the moves of a game ---- */

/* The first word of a move: "mark" of "(mark 1 1)". */
static size_t first_word(const char *move, const char **word) {
    *word = move + (move[0] == '(');
    return strcspn(*word, " )");
}

/* Returns the first word of each move of the circuit. The caller frees the array. */
static Symbol *words_of_moves(Game *game, Symbols *words) {
    const Circuit *c = game->circuit;
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Symbol *found = memory_alloc((c->move_count + 1) * sizeof *found);
    Text text = {0};
    for (uint32_t r = 0; r < c->role_count; r++)
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++) {
            const char *word;
            text_clear(&text);
            game_move_text(work, r, m - c->first_move[r], &text);
            size_t length = first_word(text_string(&text), &word);
            found[m] = symbols_intern(words, word, length);
        }
    vector_free(&text);
    game_work_free(work);
    return found;
}

static void add_moves(Mobility *m, const Circuit *c, const Symbol *words, uint32_t role,
                      Symbol word, bool is_any) {
    for (uint32_t k = c->first_move[role]; k < c->first_move[role + 1]; k++)
        if (is_any || words[k] == word)
            vector_push(&m->moves, k);
}

void mobility_create(Mobility *m, const Features *f, Game *game) {
    assert(game_has_circuit(game));
    Symbols known = {0};
    Symbol *words = words_of_moves(game, &known);
    *m = (Mobility){0};
    vector_push(&m->starts, 0);
    for (size_t i = 0; i < f->groups.count; i++) {
        MoveGroup group = f->groups.items[i];
        bool is_any = group.word == SYMBOL_NONE;
        Symbol word = is_any ? SYMBOL_NONE
                             : symbols_find(&known, symbols_name(&f->words, group.word),
                                            symbols_length(&f->words, group.word));
        if (group.role < game->role_count)
            add_moves(m, game->circuit, words, group.role, word, is_any);
        vector_push(&m->starts, (uint32_t)m->moves.count);
    }
    free(words);
    symbols_free(&known);
}

void mobility_free(Mobility *m) {
    vectors_free(&m->starts, &m->moves);
}

bool mobility_is_whole(const Mobility *m) {
    for (uint32_t g = 0; g < mobility_groups(m); g++)
        if (m->starts.items[g] == m->starts.items[g + 1])
            return false;
    return true;
}

/* ---- counting ---- */

void mobility_count(const Mobility *m, const LaneBatch *batch, uint32_t lanes, uint32_t *counts) {
    assert(lanes <= LANES);
    const Lanes *legal = lane_batch_legal_rows(batch);
    uint32_t groups = mobility_groups(m);
    memset(counts, 0, (size_t)lanes * groups * sizeof *counts);
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t k = m->starts.items[g]; k < m->starts.items[g + 1]; k++)
            for (uint32_t first = 0; first < lanes; first += 64) {
                uint64_t inside =
                    lanes - first < 64 ? (UINT64_C(1) << (lanes - first)) - 1 : UINT64_MAX;
                uint64_t here = legal[m->moves.items[k]][first / 64] & inside;
                for (; here; here &= here - 1)
                    counts[(first + (uint32_t)__builtin_ctzll(here)) * groups + g]++;
            }
}

uint32_t *mobility_of_rows(const Features *f, Game *game, const DataSet *set) {
    Mobility m;
    mobility_create(&m, f, game);
    size_t rows = dataset_rows(set), groups = mobility_groups(&m);
    uint32_t *counts = memory_alloc((rows * groups + 1) * sizeof *counts);
    uint32_t *fluents = fluents_of_facts(game, &set->facts, NULL);
    LaneBatch *batch = lane_batch_create(game);
    Lanes *inputs = lane_batch_fluent_rows(batch);
    for (size_t first = 0; first < rows; first += LANES) {
        uint32_t lanes = rows - first < LANES ? (uint32_t)(rows - first) : LANES;
        lane_batch_clear(batch);
        for (uint32_t lane = 0; lane < lanes; lane++)
            for (uint32_t k = 0; k < dataset_size(set, first + lane); k++) {
                uint32_t fluent = fluents[dataset_facts(set, first + lane)[k]];
                if (fluent != UINT32_MAX)
                    inputs[fluent][lane / 64] |= UINT64_C(1) << lane % 64;
            }
        lane_batch_evaluate_answers(batch);
        mobility_count(&m, batch, lanes, counts + first * groups);
    }
    lane_batch_free(batch);
    free(fluents);
    mobility_free(&m);
    return counts;
}

/* ---- features ---- */

/* Adds all groups that a role may have: all its moves, and the moves with the same first word if at
 * least two such groups have several moves. `most` is set later. */
static void propose_groups(Features *f, Game *game) {
    const Circuit *c = game->circuit;
    Symbols known = {0};
    Symbol *words = words_of_moves(game, &known);
    uint32_t *sizes = memory_alloc((known.names.count + 1) * sizeof *sizes);
    for (uint32_t r = 0; r < c->role_count; r++) {
        uint32_t kinds = 0;
        memset(sizes, 0, known.names.count * sizeof *sizes);
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            kinds += ++sizes[words[m]] == 2;
        features_add_moves(f, r, "", 1);
        for (Symbol word = 0; word < known.names.count && kinds > 1; word++)
            if (sizes[word] > 1 && symbols_length(&known, word) <= MAX_WORD_LENGTH)
                features_add_moves(f, r, symbols_name(&known, word), 1);
    }
    memory_free(sizes, words);
    symbols_free(&known);
}

/* Returns the highest count of a group; 0 if counts are constant or those of an earlier group. */
static uint32_t worth_counting(const uint32_t *counts, size_t rows, size_t groups, size_t group) {
    uint32_t most = 0;
    bool is_new = false;
    for (size_t i = 0; i < rows; i++) {
        uint32_t count = counts[i * groups + group];
        most = count > most ? count : most;
        is_new = is_new || count != counts[group];
    }
    for (size_t other = 0; other < group && is_new; other++) {
        is_new = false;
        for (size_t i = 0; i < rows && !is_new; i++)
            is_new = counts[i * groups + group] != counts[i * groups + other];
    }
    return is_new ? most : 0;
}

void features_add_mobility(Features *f, Game *game, const DataSet *set) {
    Features proposed = {0};
    if (!game_has_circuit(game))
        return;
    propose_groups(&proposed, game);
    size_t groups = proposed.groups.count;
    uint32_t *counts = mobility_of_rows(&proposed, game, set);
    for (size_t g = 0; g < groups; g++) {
        MoveGroup group = proposed.groups.items[g];
        uint32_t most = worth_counting(counts, dataset_rows(set), groups, g);
        if (most && f->groups.count < MODEL_MAX_GROUPS)
            features_add_moves(
                f, group.role,
                group.word == SYMBOL_NONE ? "" : symbols_name(&proposed.words, group.word), most);
    }
    free(counts);
    features_free(&proposed);
}
