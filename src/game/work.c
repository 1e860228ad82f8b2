/* The workspace of one thread. It passes each question to the reasoner it was made for. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/table.h"
#include "game/game.h"
#include "game/goal.h"
#include "game/incremental.h"
#include "game/scalar.h"
#include "gdl/write.h"

struct GameWork {
    Game *game;
    Reasoner reasoner;
    InterpreterWork *interpreter;
    ScalarWork *scalar; /* also answers for goals and percepts of the incremental reasoner */
    IncrementalWork *incremental;
    NumberSet facts, other_facts; /* scratch */
    uint32_t *moves;              /* scratch, one per role, as numbers of the circuit */
    U32Vector legal;              /* scratch */
    uint64_t *padded;             /* scratch, a short state extended with zeros */
};

GameWork *game_work_create(Game *game, Reasoner reasoner) {
    assert(game);
    bool has_circuit = game_has_circuit(game);
    if (reasoner == REASONER_AUTO || reasoner == REASONER_SLICED)
        reasoner = has_circuit ? REASONER_SCALAR : REASONER_INTERPRETER;
    if (reasoner != REASONER_INTERPRETER && !has_circuit)
        return NULL;
    GameWork *work = memory_zalloc(sizeof *work);
    work->game = game;
    work->reasoner = reasoner;
    work->moves = memory_zalloc((game->role_count + 1) * sizeof *work->moves);
    if (reasoner == REASONER_INTERPRETER) {
        work->interpreter = interpreter_work(game->interpreter);
        return work;
    }
    work->scalar = scalar_work(game->scalar);
    work->padded = memory_zalloc((game->scalar->words + 1) * sizeof *work->padded);
    if (reasoner == REASONER_INCREMENTAL)
        work->incremental = incremental_work(game_incremental(game));
    return work;
}

void game_work_free(GameWork *work) {
    if (!work)
        return;
    interpreter_work_free(work->interpreter);
    scalar_work_free(work->scalar);
    incremental_work_free(work->incremental);
    vectors_free(&work->facts, &work->other_facts, &work->legal);
    memory_free(work->moves, work->padded, work);
}

Reasoner game_work_reasoner(const GameWork *work) {
    return work->reasoner;
}

static void facts_of_state(const State *state, NumberSet *facts) {
    vector_clear(facts);
    for (uint32_t w = 0; w < state->word_count; w++)
        for (uint64_t bits = state->words[w]; bits; bits &= bits - 1)
            vector_push(facts, w * 64 + (uint32_t)__builtin_ctzll(bits));
}

static void state_of_facts(const NumberSet *facts, State *state) {
    state_clear(state);
    for (size_t i = 0; i < facts->count; i++)
        state_set(state, facts->items[i]);
}

/* The words of a state, extended with zeros to the number of words of the circuit's states. */
static const uint64_t *circuit_words(const GameWork *work, const State *state) {
    uint32_t words = work->game->scalar->words;
    if (state->word_count >= words)
        return state->words;
    memset(work->padded, 0, words * sizeof *work->padded);
    if (state->word_count)
        memcpy(work->padded, state->words, state->word_count * sizeof *state->words);
    return work->padded;
}

static void make_room(const GameWork *work, State *state) {
    uint32_t words = work->game->scalar->words;
    if (words > state->word_count)
        state_set(state, words * 64 - 1);
    state_clear(state);
}

void game_initial(GameWork *work, State *state) {
    if (work->interpreter) {
        interpreter_initial(work->interpreter, &work->facts);
        state_of_facts(&work->facts, state);
        return;
    }
    const Circuit *c = work->game->circuit;
    make_room(work, state);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (c->initial[f])
            bitset_set(state->words, f);
}

void game_start(GameWork *work, const State *from, State *state) {
    if (from)
        state_copy(state, from);
    else
        game_initial(work, state);
}

bool game_is_terminal(GameWork *work, const State *state) {
    if (work->interpreter) {
        facts_of_state(state, &work->facts);
        return interpreter_is_terminal(work->interpreter, &work->facts);
    }
    if (work->incremental) {
        incremental_set_state(work->incremental, circuit_words(work, state));
        return incremental_is_terminal(work->incremental);
    }
    return scalar_is_terminal(work->scalar, circuit_words(work, state));
}

void game_legal(GameWork *work, const State *state, uint32_t role, U32Vector *moves) {
    vector_clear(moves);
    if (work->interpreter) {
        facts_of_state(state, &work->facts);
        interpreter_legal(work->interpreter, &work->facts, role, moves);
        return;
    }
    if (work->incremental) {
        const Circuit *c = work->game->circuit;
        uint32_t first = c->first_move[role], end = c->first_move[role + 1];
        incremental_set_state(work->incremental, circuit_words(work, state));
        const uint64_t *legal = incremental_legal(work->incremental);
        for (size_t m = bitset_next(legal, work->incremental->incremental->legal_words, first);
             m < end; m = bitset_next(legal, work->incremental->incremental->legal_words, m + 1))
            vector_push(moves, (uint32_t)m - first);
        return;
    }
    scalar_legal(work->scalar, circuit_words(work, state), role, moves);
}

static const uint32_t *circuit_moves(GameWork *work, const uint32_t *moves) {
    for (uint32_t r = 0; r < work->game->role_count; r++)
        work->moves[r] = work->game->circuit->first_move[r] + moves[r];
    return work->moves;
}

void game_next(GameWork *work, const State *state, const uint32_t *moves, State *next) {
    if (work->interpreter) {
        facts_of_state(state, &work->facts);
        interpreter_next(work->interpreter, &work->facts, moves, &work->other_facts);
        state_of_facts(&work->other_facts, next);
        return;
    }
    uint32_t words = work->game->scalar->words;
    const uint64_t *now = circuit_words(work, state);
    if (work->incremental) {
        incremental_set_state(work->incremental, now);
        incremental_set_moves(work->incremental, circuit_moves(work, moves));
        if (next != state)
            make_room(work, next);
        memcpy(next->words, incremental_next(work->incremental), words * sizeof *next->words);
        return;
    }
    if (next->word_count < words)
        make_room(work, next);
    scalar_next(work->scalar, now, circuit_moves(work, moves), next->words);
}

int game_goal(GameWork *work, const State *state, uint32_t role) {
    assert(role < work->game->role_count);
    if (work->interpreter) {
        facts_of_state(state, &work->facts);
        return interpreter_goal(work->interpreter, &work->facts, role);
    }
    const Circuit *c = work->game->circuit;
    const Terms *terms = grounding_terms(work->game->grounding);
    int found = GOAL_NONE;
    const uint64_t *words = circuit_words(work, state);
    for (size_t i = 0; i < c->goals.count; i++)
        if (c->goals.items[i].role == role && scalar_goal(work->scalar, words, i))
            found = goal_join(found, terms, c->goals.items[i].term);
    return found;
}

void game_sees(GameWork *work, const State *state, const uint32_t *moves, uint32_t role,
               Text *out) {
    assert(role < work->game->role_count);
    Text texts = {0};
    if (work->interpreter) {
        facts_of_state(state, &work->facts);
        interpreter_sees(work->interpreter, &work->facts, moves, role, &work->other_facts);
        for (size_t i = 0; i < work->other_facts.count; i++) {
            interpreter_percept_text(work->game->interpreter, work->other_facts.items[i], &texts);
            text_add_char(&texts, '\0');
        }
    } else {
        const Circuit *c = work->game->circuit;
        scalar_perceive(work->scalar, circuit_words(work, state), circuit_moves(work, moves));
        for (size_t i = 0; i < c->percepts.count; i++)
            if (c->percepts.items[i].role == role && scalar_percept(work->scalar, i)) {
                write_term_lower(&texts, grounding_terms(work->game->grounding),
                                 c->percepts.items[i].term);
                text_add_char(&texts, '\0');
            }
    }
    text_add_sorted(out, &texts);
    vector_free(&texts);
}

void game_percept_keys(GameWork *work, const State *state, const uint32_t *moves, uint64_t *keys) {
    uint32_t roles = work->game->role_count;
    memset(keys, 0, roles * sizeof *keys);
    if (work->interpreter) {
        facts_of_state(state, &work->facts);
        for (uint32_t r = 0; r < roles; r++) {
            interpreter_sees(work->interpreter, &work->facts, moves, r, &work->other_facts);
            for (size_t i = 0; i < work->other_facts.count; i++)
                keys[r] += game_percept_key(work->other_facts.items[i]);
        }
        return;
    }
    const Circuit *c = work->game->circuit;
    scalar_perceive(work->scalar, circuit_words(work, state), circuit_moves(work, moves));
    for (size_t i = 0; i < c->percepts.count; i++)
        if (scalar_percept(work->scalar, i))
            keys[c->percepts.items[i].role] += game_percept_key(c->percepts.items[i].term);
}

void game_move_text(const GameWork *work, uint32_t role, uint32_t move, Text *out) {
    if (work->interpreter) {
        interpreter_move_text(work->game->interpreter, move, out);
        return;
    }
    const Grounding *g = work->game->grounding;
    assert(role < work->game->role_count);
    uint32_t number = work->game->circuit->first_move[role] + move;
    assert(number < work->game->circuit->first_move[role + 1]);
    write_term_lower(out, grounding_terms(g), g->moves.items[number].term);
}

void game_fluent_text(const GameWork *work, uint32_t fluent, Text *out) {
    const Grounding *g = work->game->grounding;
    assert(work->interpreter || fluent < g->fluents.count);
    if (work->interpreter)
        interpreter_fluent_text(work->game->interpreter, fluent, out);
    else
        write_term_lower(out, grounding_terms(g), g->fluents.items[fluent].term);
}

void game_state_text(const GameWork *work, const State *state, Text *out) {
    Text texts = {0};
    bitset_each(fluent, state->words, state->word_count) {
        game_fluent_text(work, (uint32_t)fluent, &texts);
        text_add_char(&texts, '\0');
    }
    text_add_sorted(out, &texts);
    vector_free(&texts);
}

/* The term of the grounding that a text in prefix notation denotes. */
static Term find_term(const Game *game, const char *text, size_t length) {
    Syntax *syntax = syntax_read_term(text, length);
    Term term =
        syntax ? grounding_find_term(game->grounding, syntax, syntax->roots.items[0]) : TERM_NONE;
    syntax_free(syntax);
    return term;
}

uint32_t game_find_move(GameWork *work, uint32_t role, const char *text, size_t length) {
    assert(role < work->game->role_count);
    if (work->interpreter)
        return interpreter_find_move(work->game->interpreter, text, length);
    const Circuit *c = work->game->circuit;
    Term term = find_term(work->game, text, length);
    for (uint32_t m = c->first_move[role]; term != TERM_NONE && m < c->first_move[role + 1]; m++)
        if (work->game->grounding->moves.items[m].term == term)
            return m - c->first_move[role];
    return MOVE_NONE;
}

uint32_t game_find_fluent(GameWork *work, const char *text, size_t length) {
    if (work->interpreter)
        return interpreter_find_fluent(work->game->interpreter, text, length);
    Term term = find_term(work->game, text, length);
    const Grounding *g = work->game->grounding;
    for (uint32_t f = 0; term != TERM_NONE && f < g->fluents.count; f++)
        if (g->fluents.items[f].term == term)
            return f;
    return MOVE_NONE;
}

MatchEnd game_play_randomly(GameWork *work, State *state, Random *random, uint32_t step_limit,
                            uint32_t *steps) {
    uint32_t roles = work->game->role_count;
    uint32_t *joint = memory_alloc((roles + 1) * sizeof *joint);
    MatchEnd end = MATCH_TERMINAL;
    *steps = 0;
    while (!game_is_terminal(work, state)) {
        if (step_limit && *steps >= step_limit) {
            end = MATCH_TOO_LONG; /* no random number was drawn, so the match can be continued as if
                                     it had not been stopped */
            break;
        }
        for (uint32_t r = 0; r < roles && end == MATCH_TERMINAL; r++) {
            game_legal(work, state, r, &work->legal);
            if (work->legal.count == 0)
                end = MATCH_STUCK;
            else
                joint[r] = work->legal.items[random_below(random, work->legal.count)];
        }
        if (end != MATCH_TERMINAL)
            break;
        game_next(work, state, joint, state);
        ++*steps;
    }
    free(joint);
    return end;
}
