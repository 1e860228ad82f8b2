/* What a role of a game with hidden information can know: the states that agree with its own moves
 * and with all it has perceived, each with its probability. `random` moves uniformly; the others
 * are taken to do so too, unless a model says otherwise.
 *
 * While there are few such states they are all enumerated (an exact filter). Beyond that a sample
 * of them is carried along; when none of the sample explains a percept, new ones are found by going
 * through the match again from its start. No state that contradicts a percept is ever listed: when
 * nothing is found in time the list is empty, and the next percept starts another attempt.
 *
 *     BeliefFilter *filter = belief_create(game, role, NULL, seed);
 *     belief_observe(filter, own_move, percepts, true, NULL, deadline_in(1));
 *     filter->belief.states.items[belief_draw(&filter->belief, &random)].state
 */
#pragma once

#include "base/clock.h"
#include "game/game.h"

typedef struct {
    State state;
    double weight;       /* probability: they add up to 1 */
    double sum;          /* of the weights up to and with this one */
    uint64_t *knowledge; /* by role: a number for all it did and perceived so far; of chance, any */
} BeliefState;

typedef VECTOR(BeliefState) BeliefStates;

typedef enum {
    BELIEF_EXACT,   /* all states, with their exact probabilities under the model */
    BELIEF_SAMPLED, /* some of them; weights are estimates */
    BELIEF_LOST     /* none was found that explains the percepts */
} BeliefKind;

/* A plain value, to be handed over by copy. */
typedef struct {
    BeliefStates states;
    BeliefKind kind;
} Belief;

/* How likely a role that is not the filter's makes a move, given what that role knows. */
typedef struct {
    double (*probability)(const void *context, uint32_t role, uint64_t knowledge, uint32_t move,
                          size_t legal_count);
    const void *context;
} BeliefModel;

typedef struct {
    size_t most_states;     /* of an exact filter; 0: the default of 32768 */
    size_t particles;       /* of a sample; 0: the default of 1024 */
    size_t most_successors; /* looked at in one turn of an exact filter; 0: 65536 */
} BeliefOptions;

typedef struct {
    char *move;      /* the role's own, as text */
    uint32_t number; /* of the move; MOVE_NONE until the game knows it */
    char *percepts;  /* sorted, separated by blanks */
    uint64_t key;    /* of the percepts, once it is known */
    bool has_key;
    bool goes_on; /* no terminal state follows */
} BeliefTurn;

typedef struct {
    Game *game; /* not owned */
    GameWork *work;
    uint32_t role;
    Belief belief;
    BeliefOptions options; /* defaults filled in */
    BeliefState start;     /* where the history begins */
    VECTOR(BeliefTurn) history;
    Random random;
    bool *is_chance; /* by role */
    struct BeliefScratch *scratch;
} BeliefFilter;

/* Starts with the initial state. `options` may be NULL. The game must outlive it. */
BeliefFilter *belief_create(Game *game, uint32_t role, const BeliefOptions *options, uint64_t seed);
void belief_free(BeliefFilter *filter);

/* A turn has passed: the role made the move and perceived what `percepts` lists, as game_sees
 * writes it; if the match goes on, that is news too, as no terminal state is possible. `model` may
 * be NULL. Sampling ends at the deadline. What the belief is now. */
BeliefKind belief_observe(BeliefFilter *filter, const char *move, const char *percepts,
                          bool goes_on, const BeliefModel *model, Deadline deadline);
/* A turn has passed that was told in full: only this state is possible. */
void belief_reveal(BeliefFilter *filter, const State *state);
/* Goes on with another game of the same rules; false, and nothing changes, if that game cannot
 * express the states. */
bool belief_translate(BeliefFilter *filter, Game *game);

/* An index into the states, drawn by weight. There must be some. */
size_t belief_draw(const Belief *belief, Random *random);
/* The moves that the role has in all of the states; in the likeliest one if there are none. */
void belief_legal(const Belief *belief, GameWork *work, uint32_t role, U32Vector *moves);

/* What a role that knew `knowledge` knows after a turn. */
uint64_t belief_knowledge(uint64_t knowledge, uint32_t move, uint64_t percept_key);
/* What it knows in a state that it sees in full. */
uint64_t belief_open_knowledge(uint32_t role, const State *state);

/* One state that everybody knows. */
void belief_set_state(Belief *belief, const State *state, uint32_t role_count);
void belief_copy(Belief *to, const Belief *from, uint32_t role_count);
void belief_clear(Belief *belief);
