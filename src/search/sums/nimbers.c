/* The options of a subgame's state are listed inside a state of the match, in which the subgame's
 * fluents are replaced. The fluents outside all subgames say which player is to move. */
#include "search/sums/nimbers.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "base/disjoint_sets.h"
#include "search/exact/key_table.h"
#include "search/sums/sumparts.h"

enum {
    NONE = UINT32_MAX,
    MAX_LOCALS = 200000, /* states of all subgames together (untuned) */
    GLANCED_MATCHES = 8, /* random matches of nimbers_are_likely (untuned) */
    MATCHES = 64,        /* random matches that find and test the subgames (untuned) */
    MAX_TURNS = 1000     /* turns of such a match (untuned) */
};
static const uint64_t MAX_WORK = 100000000; /* items times nodes, to find the subgames (untuned) */

/* A local: a state of a subgame. */
typedef struct {
    uint32_t subgame;
    U32Vector options; /* locals that one move leads to */
    uint32_t nimber;   /* UINT32_MAX until known */
    bool is_open;      /* on the stack of the depth-first search */
} Local;

struct Nimbers {
    Game *game;
    GameWork *work;
    uint32_t subgame_count, word_count;
    uint64_t *fluents;         /* by subgame: a set of word_count words */
    uint64_t *outside;         /* set of the fluents in no subgame */
    uint32_t *subgame_of_item; /* by fluent, then by move of the circuit; NONE: in no subgame */
    State turns[2];            /* two states of the match, in which different players move */
    uint32_t movers[2];        /* by entry of `turns`: the role that moves there */
    Deadline deadline;
    bool is_misere;      /* the player who cannot move wins */
    bool has_only_heaps; /* every local has options of all smaller nimbers and no others */
    KeyTable keys;       /* the fluents of locals, by number */
    VECTOR(Local) locals;
    State state, next; /* scratch */
    U32Vector legal, found;
};

static const uint64_t *fluents_of(const Nimbers *n, uint32_t subgame) {
    assert(subgame < n->subgame_count);
    return n->fluents + (size_t)subgame * n->word_count;
}

static uint64_t word_of(const State *state, uint32_t word) {
    return word < state->word_count ? state->words[word] : 0;
}

static bool agree(const State *a, const State *b, const uint64_t *mask, uint32_t words) {
    for (uint32_t w = 0; w < words; w++)
        if ((word_of(a, w) ^ word_of(b, w)) & mask[w])
            return false;
    return true;
}

static uint32_t local_of(Nimbers *n, uint32_t subgame, const State *state) {
    uint32_t id = key_table_part(&n->keys, subgame, state, fluents_of(n, subgame), n->word_count);
    if (id == n->locals.count)
        vector_push(&n->locals, ((Local){.subgame = subgame, .nimber = NONE}));
    return id;
}

/* The entry of `turns` that has the same fluents outside the subgames; NONE if neither has. */
static uint32_t turn_of(const Nimbers *n, const State *state) {
    for (uint32_t t = 0; t < 2; t++)
        if (agree(state, &n->turns[t], n->outside, n->word_count))
            return t;
    return NONE;
}

/* Makes the move in n->state; the successor is n->next. False if the other player has a choice or
 * is not the next to move. */
static bool make_move(Nimbers *n, uint32_t turn, uint32_t move) {
    uint32_t joint[2];
    uint32_t mover = n->movers[turn];
    game_legal(n->work, &n->state, 1 - mover, &n->found);
    if (n->found.count != 1)
        return false;
    joint[mover] = move;
    joint[1 - mover] = n->found.items[0];
    game_next(n->work, &n->state, joint, &n->next);
    return turn_of(n, &n->next) == 1 - turn;
}

/* The only subgame in which n->next differs from n->state; NONE if there are none or several. */
static uint32_t changed_subgame(const Nimbers *n) {
    uint32_t changed = NONE;
    for (uint32_t k = 0; k < n->subgame_count; k++)
        if (!agree(&n->state, &n->next, fluents_of(n, k), n->word_count)) {
            if (changed != NONE)
                return NONE;
            changed = k;
        }
    return changed;
}

/* Lists the locals that the player can move to. False if the game is not a sum. */
static bool list_options(Nimbers *n, uint32_t id, uint32_t turn, U32Vector *options) {
    uint32_t subgame = n->locals.items[id].subgame;
    const uint64_t *mask = fluents_of(n, subgame), *words = key_table_key(&n->keys, id);
    vector_clear(options);
    state_copy(&n->state, &n->turns[0]);
    for (uint32_t w = 0; w < n->state.word_count && w < n->word_count; w++)
        n->state.words[w] = (n->turns[0].words[w] & ~(mask[w] | n->outside[w])) |
                            (word_of(&n->turns[turn], w) & n->outside[w]) | words[w];
    if (game_is_terminal(n->work, &n->state))
        return true;
    game_legal(n->work, &n->state, n->movers[turn], &n->legal);
    const Circuit *c = n->game->circuit;
    uint32_t first_move = c->fluent_count + c->first_move[n->movers[turn]];
    for (size_t i = 0; i < n->legal.count; i++) {
        uint32_t acts_in = n->subgame_of_item[first_move + n->legal.items[i]];
        if (acts_in != subgame && acts_in != NONE)
            continue;
        if (!make_move(n, turn, n->legal.items[i]))
            return false;
        uint32_t changed = changed_subgame(n);
        if (changed == NONE)
            return false;
        if (changed == subgame)
            vector_push(options, local_of(n, subgame, &n->next));
    }
    vector_sort(options, u32_compare);
    return true;
}

/* Lists the options of a local. False if they differ between the two players. */
static bool open_local(Nimbers *n, uint32_t id) {
    U32Vector first = {0}, second = {0};
    bool ok = n->locals.count < MAX_LOCALS && !deadline_passed(n->deadline) &&
              list_options(n, id, 0, &first) && list_options(n, id, 1, &second) &&
              u32_equal(&first, &second);
    n->locals.items[id].options = first;
    n->locals.items[id].is_open = true;
    vector_free(&second);
    return ok;
}

/* The nimber is the least number that no option has. */
static void close_local(Nimbers *n, uint32_t id) {
    Local *local = &n->locals.items[id];
    size_t count = local->options.count;
    bool *is_taken = memory_zalloc(count + 2);
    uint32_t greatest = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t nimber = n->locals.items[local->options.items[i]].nimber;
        greatest = nimber > greatest ? nimber : greatest;
        if (nimber <= count)
            is_taken[nimber] = true;
    }
    assert(local->is_open);
    local->nimber = 0;
    while (is_taken[local->nimber])
        local->nimber++;
    n->has_only_heaps = n->has_only_heaps && (!count || greatest < local->nimber);
    local->is_open = false;
    free(is_taken);
}

/* Computes the nimber of a local, depth first. False if a state can recur or the game is no sum. */
static bool evaluate(Nimbers *n, uint32_t id) {
    U32Vector stack = {0};
    bool ok = true;
    vector_push(&stack, id);
    while (stack.count && ok) {
        uint32_t top = vector_last(&stack);
        if (n->locals.items[top].nimber != NONE) {
            stack.count--;
            continue;
        }
        if (!n->locals.items[top].is_open) {
            ok = open_local(n, top);
            const U32Vector *options = &n->locals.items[top].options;
            for (size_t i = 0; i < options->count && ok; i++) {
                ok = !n->locals.items[options->items[i]].is_open;
                vector_push(&stack, options->items[i]);
            }
        } else {
            close_local(n, top);
            stack.count--;
        }
    }
    vector_free(&stack);
    return ok;
}

/* True if the player to move loses under perfect play. */
static bool is_lost(Nimbers *n, const State *state, bool *is_known) {
    uint32_t sum = 0, greatest = 0, ones = 0;
    for (uint32_t k = 0; k < n->subgame_count; k++) {
        uint32_t id = local_of(n, k, state);
        if (n->locals.items[id].nimber == NONE && !evaluate(n, id)) {
            *is_known = false;
            return false;
        }
        uint32_t nimber = n->locals.items[id].nimber;
        sum ^= nimber;
        ones += nimber == 1;
        greatest = nimber > greatest ? nimber : greatest;
    }
    return n->is_misere && greatest <= 1 ? ones % 2 == 1 : sum == 0;
}

/* ---- is the game a sum of impartial games? ---- */

/* Finds the player to move in the state and the player to move after it. */
static bool find_turns(Nimbers *n, const State *state) {
    U32Vector other = {0};
    game_legal(n->work, state, 0, &n->legal);
    game_legal(n->work, state, 1, &other);
    bool ok = n->legal.count && other.count && (n->legal.count == 1) != (other.count == 1);
    if (ok) {
        uint32_t joint[2] = {n->legal.items[0], other.items[0]};
        n->movers[0] = other.count > 1;
        n->movers[1] = 1 - n->movers[0];
        state_copy(&n->turns[0], state);
        game_next(n->work, state, joint, &n->turns[1]);
        ok = !agree(state, &n->turns[1], n->outside, n->word_count);
    }
    vector_free(&other);
    return ok;
}

/* Plays one random match. It must end because nobody can move, and its goals must name a loser. */
static bool try_match(Nimbers *n, Random *random, bool *is_misere) {
    State state = {0};
    uint32_t turns;
    state_copy(&state, &n->turns[0]);
    bool ok = game_play_randomly(n->work, &state, random, MAX_TURNS, &turns) == MATCH_TERMINAL;
    uint32_t turn = ok ? turn_of(n, &state) : NONE;
    ok = turn != NONE;
    for (uint32_t k = 0; k < n->subgame_count && ok; k++) {
        uint32_t id = local_of(n, k, &state);
        ok = evaluate(n, id) && n->locals.items[id].options.count == 0;
    }
    if (ok) {
        int mover = game_goal(n->work, &state, n->movers[turn]);
        int other = game_goal(n->work, &state, n->movers[1 - turn]);
        *is_misere = mover > other;
        ok = mover != other;
    }
    state_free(&state);
    return ok;
}

static bool try_matches(Nimbers *n) {
    Random random;
    random_seed(&random, 0);
    for (int i = 0; i < MATCHES; i++) {
        bool is_misere;
        if (deadline_passed(n->deadline) || !try_match(n, &random, &is_misere) ||
            (i && is_misere != n->is_misere))
            return false;
        n->is_misere = is_misere;
    }
    return !n->is_misere || n->has_only_heaps;
}

static bool try_game(Nimbers *n, const State *state) {
    if (!find_turns(n, state))
        return false;
    for (uint32_t k = 0; k < n->subgame_count; k++)
        if (!evaluate(n, local_of(n, k, state)))
            return false;
    return try_matches(n);
}

/* True if no role has a choice in the final state and the goals differ. */
static bool ends_without_moves(Game *game, GameWork *work, const State *end) {
    U32Vector legal = {0};
    bool ok = game_goal(work, end, 0) != game_goal(work, end, 1);
    for (uint32_t r = 0; r < game->role_count && ok; r++) {
        game_legal(work, end, r, &legal);
        ok = legal.count <= 1;
    }
    vector_free(&legal);
    return ok;
}

bool nimbers_are_likely(Game *game, const State *state) {
    if (game->role_count != 2 || game->rules->has_random)
        return false;
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    State end = {0};
    Random random;
    uint32_t turns;
    bool ok = true;
    random_seed(&random, 0);
    for (int i = 0; i < GLANCED_MATCHES && ok; i++) {
        state_copy(&end, state);
        ok = game_play_randomly(work, &end, &random, MAX_TURNS, &turns) == MATCH_TERMINAL &&
             ends_without_moves(game, work, &end);
    }
    state_free(&end);
    game_work_free(work);
    return ok;
}

/* ---- subgames ---- */

/* Joins a move with the fluents that its legality depends on, except those outside all subgames. */
static void join_premises(const Nimbers *n, uint32_t move, uint8_t *cone, uint32_t *parents) {
    const Circuit *c = n->game->circuit;
    memset(cone, 0, c->aig.nodes.count);
    aig_mark_cone(&c->aig, &c->legal[move], 1, cone);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (cone[signal_node(c->fluents[f])] && !bitset_get(n->outside, f))
            sets_join(parents, f, c->fluent_count + move);
}

/* Makes a random joint move; joins fluents that change with it. False if the match is over. */
static bool join_effects(Nimbers *n, Random *random, uint32_t *parents) {
    const Circuit *c = n->game->circuit;
    uint32_t joint[2], mover = NONE;
    if (game_is_terminal(n->work, &n->state))
        return false;
    for (uint32_t r = 0; r < 2; r++) {
        game_legal(n->work, &n->state, r, &n->legal);
        if (!n->legal.count)
            return false;
        joint[r] = n->legal.items[random_below(random, n->legal.count)];
        mover = n->legal.count > 1 ? r : mover;
    }
    game_next(n->work, &n->state, joint, &n->next);
    for (uint32_t f = 0; f < c->fluent_count && mover != NONE; f++)
        if (!bitset_get(n->outside, f) &&
            (word_of(&n->state, f / 64) ^ word_of(&n->next, f / 64)) >> (f % 64) & 1)
            sets_join(parents, f, c->fluent_count + c->first_move[mover] + joint[mover]);
    state_copy(&n->state, &n->next);
    return true;
}

/* Fluents that do not depend on moves are outside all subgames. Others are in one subgame if a move
 * changes both, or reads one and changes the other. Changes are observed in random matches; a
 * change that they miss is detected later, when options are listed. */
static void find_subgames(Nimbers *n, const State *state) {
    Random random;
    const Circuit *c = n->game->circuit;
    uint32_t items = c->fluent_count + c->move_count;
    uint8_t *depends = circuit_nodes_that_depend_on_moves(c);
    uint8_t *cone = memory_alloc(c->aig.nodes.count + 1);
    uint32_t *parents = memory_alloc((items + 1) * sizeof *parents);
    uint64_t *inside = memory_zalloc((n->word_count + 1) * sizeof *inside);
    sets_init(parents, items);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        bitset_set(depends[signal_node(c->next[f])] ? inside : n->outside, f);
    for (uint32_t m = 0; m < c->move_count; m++)
        join_premises(n, m, cone, parents);
    random_seed(&random, 0);
    for (int i = 0; i < MATCHES; i++) {
        state_copy(&n->state, state);
        for (int turn = 0; turn < MAX_TURNS && join_effects(n, &random, parents); turn++)
            ;
    }
    n->subgame_of_item = sumparts_number_sets(c, parents, inside, &n->subgame_count, &n->fluents);
    memory_free(depends, cone, parents, inside);
}

Nimbers *nimbers_create(Game *game, const State *state, Deadline deadline) {
    assert(game_has_circuit(game));
    const Circuit *c = game->circuit;
    uint64_t work = (uint64_t)(c->fluent_count + c->move_count) * c->aig.nodes.count;
    if (game->role_count != 2 || game->rules->has_random || work > MAX_WORK)
        return NULL;
    Nimbers *n = memory_zalloc(sizeof *n);
    *n = (Nimbers){.game = game, .deadline = deadline, .has_only_heaps = true};
    n->work = game_work_create(game, REASONER_SCALAR);
    n->word_count = (uint32_t)bitset_words(c->fluent_count);
    n->outside = memory_zalloc((n->word_count + 1) * sizeof *n->outside);
    find_subgames(n, state);
    if (n->subgame_count >= 2 && try_game(n, state))
        return n;
    nimbers_free(n);
    return NULL;
}

void nimbers_free(Nimbers *n) {
    if (!n)
        return;
    for (size_t i = 0; i < n->locals.count; i++)
        vector_free(&n->locals.items[i].options);
    key_table_free(&n->keys);
    game_work_free(n->work);
    vectors_free(&n->locals, &n->legal, &n->found);
    states_free(&n->turns[0], &n->turns[1], &n->state, &n->next);
    memory_free(n->fluents, n->outside, n->subgame_of_item, n);
}

bool nimbers_winning_move(Nimbers *n, const State *state, uint32_t role, uint32_t *move) {
    assert(role < 2);
    uint32_t turn = turn_of(n, state);
    if (turn == NONE || n->movers[turn] != role)
        return false;
    U32Vector legal = {0};
    State after = {0};
    bool is_known = true, is_found = false;
    n->deadline = deadline_never();
    game_legal(n->work, state, role, &legal);
    for (size_t i = 0; i < legal.count && is_known && !is_found; i++) {
        state_copy(&n->state, state);
        if (!make_move(n, turn, legal.items[i]))
            break;
        state_copy(&after, &n->next);
        is_found = is_lost(n, &after, &is_known) && is_known;
        *move = legal.items[i];
    }
    vector_free(&legal);
    state_free(&after);
    return is_found;
}
