/* Successors abreast: the states that many joint moves lead to, all in one pass over the networks
 * of the scalar reasoner, with what a search asks of them next: whether the match ends there, the
 * goals if it does, the legal moves if it does not. A pass has 128 lanes, costs about as much as
 * one question to the scalar reasoner, and is shared by all states of one phase; there is nothing
 * to compile that the game does not have anyhow. Without a circuit the interpreter answers, one
 * after the other, so that callers need no second way.
 *
 *     Successors *s = successors_create(game, REASONER_AUTO);
 *     successors_clear(s);
 *     successors_from(s, &state);                        // the joint moves of this state
 *     uint32_t first = successors_add_all(s, legal);     // all joint moves, one each
 *     successors_evaluate(s, SUCCESSORS_GOALS);
 *     for (uint32_t i = first; i < successors_count(s); i++)
 *         if (successors_is_terminal(s, i)) ... successors_goal(s, i, role) ...
 *
 * One thread per workspace. Answers are those of a GameWork, bit for bit, and in the order in which
 * they were asked for. */
#pragma once

#include "game/game.h"

typedef struct Successors Successors;

/* Lanes of a pass. Callers that can choose gather about so many questions, or a multiple. */
enum { SUCCESSORS_LANES = 128 };

/* What is wanted beside the states; each includes those before it but SUCCESSORS_LEGAL, which may
 * be added. */
typedef enum {
    SUCCESSORS_STATES = 0, /* states alone */
    SUCCESSORS_ENDS = 1,   /* where the match ends */
    SUCCESSORS_GOALS = 3,  /* the goals where it ends */
    SUCCESSORS_LEGAL = 5,  /* ends, and the legal moves where it does not end */
} SuccessorsWanted;

/* AUTO and SCALAR evaluate abreast if there is a circuit. Other reasoners answer one after the
 * other. NULL if the reasoner needs a circuit and the game has none. */
Successors *successors_create(Game *game, Reasoner reasoner);
void successors_free(Successors *s);
/* False if questions are answered one after the other, so that gathering them gains nothing. */
bool successors_are_abreast(const Successors *s);

/* Forgets all questions and answers. */
void successors_clear(Successors *s);
/* The following questions are about this state, which is copied. */
void successors_from(Successors *s, const State *state);
/* Asks for the state that a joint move leads to, one legal move per role; NULL asks for the present
 * state itself. Returns the number of the question, from 0 on. */
uint32_t successors_add(Successors *s, const uint32_t *joint);
/* Asks for all joint moves of legal moves by role, the last role fastest. Returns the number of the
 * first question; there is none if a role has no move. */
uint32_t successors_add_all(Successors *s, const U32Vector *legal);
/* The number of questions since successors_clear. */
uint32_t successors_count(const Successors *s);
/* Answers all questions. It may be called once between two calls of successors_clear. */
void successors_evaluate(Successors *s, SuccessorsWanted wanted);

/* The answers; they stay until successors_clear. The state must not be changed. */
State successors_state(const Successors *s, uint32_t question);
bool successors_is_terminal(const Successors *s, uint32_t question);
/* As game_goal; only if the match ends there. */
int successors_goal(const Successors *s, uint32_t question, uint32_t role);
/* The legal moves in ascending order; only if the match does not end there. */
const uint32_t *successors_legal(const Successors *s, uint32_t question, uint32_t role,
                                 uint32_t *count);
