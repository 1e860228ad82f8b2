/* The belief of a role in a game with hidden information: the states that agree with its own moves
 * and percepts, each with its probability. `random` moves uniformly; so do the other roles, unless
 * a model says otherwise. */
#pragma once

#include "base/clock.h"
#include "game/game.h"

/* A small set of states is enumerated (exact filter). A larger one is sampled (particle filter).
 * When no particle explains a percept, new ones are found by replaying the match from its start. No
 * state of the list contradicts a percept. If none is found in time the list is empty, and the next
 * percept starts another attempt.
 *
 *     BeliefFilter *filter = belief_create(game, role, NULL, seed);
 *     belief_observe(filter, own_move, percepts, true, NULL, deadline_in(1));
 *     filter->belief.states.items[belief_draw(&filter->belief, &random)].state
 */

typedef struct {
    State state;
    double weight;       /* probability; all of a belief add up to 1 */
    double sum;          /* sum of the weights up to this one, to draw by weight */
    uint64_t *knowledge; /* by role: hash of its moves and percepts, which names its information
                            set; undefined for `random` */
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

/* The probability of a move of another role in its information set. */
typedef struct {
    double (*probability)(const void *context, uint32_t role, uint64_t knowledge, uint32_t move,
                          size_t legal_count);
    const void *context;
} BeliefModel;

typedef struct {
    size_t max_states;     /* limit of the exact filter; 0: the default of 32768 */
    size_t particles;      /* size of a sample; 0: the default of 1024 */
    size_t max_successors; /* limit of the exact filter for one turn; 0: the default of 65536 */
} BeliefOptions;

typedef struct {
    char *move;      /* the role's own move, as text */
    uint32_t number; /* number of that move; MOVE_NONE until it is looked up */
    char *percepts;  /* sorted, separated by blanks */
    uint64_t key;    /* hash of the percepts; valid if has_key */
    bool has_key;
    bool goes_on; /* the next state is not terminal */
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

/* Starts in the initial state. `options` may be NULL. The game must outlive the filter. */
BeliefFilter *belief_create(Game *game, uint32_t role, const BeliefOptions *options, uint64_t seed);
void belief_free(BeliefFilter *filter);

/* Updates the belief after a turn: the role made the move and perceived `percepts`, as game_sees
 * writes them. If the match goes on, terminal states are ruled out. `model` may be NULL. Sampling
 * ends at the deadline. Returns the kind of the new belief. */
BeliefKind belief_observe(BeliefFilter *filter, const char *move, const char *percepts,
                          bool goes_on, const BeliefModel *model, Deadline deadline);
/* Updates the belief after a turn that was revealed: only this state is possible. */
void belief_reveal(BeliefFilter *filter, const State *state);
/* Continues with another game of the same rules. False, with no change, if that game lacks a fluent
 * of the states. */
bool belief_translate(BeliefFilter *filter, Game *game);

/* Draws a state by weight and returns its index. The belief must not be empty. */
size_t belief_draw(const Belief *belief, Random *random);
/* The moves that are legal in all states; those of the likeliest state if there are none. */
void belief_legal(const Belief *belief, GameWork *work, uint32_t role, U32Vector *moves);

/* The information set of a role after a turn. */
uint64_t belief_knowledge(uint64_t knowledge, uint32_t move, uint64_t percept_key);
/* The information set of a role in a state that it knows fully. */
uint64_t belief_open_knowledge(uint32_t role, const State *state);

/* Makes the belief one state that all roles know. */
void belief_set_state(Belief *belief, const State *state, uint32_t role_count);
void belief_copy(Belief *to, const Belief *from, uint32_t role_count);
void belief_clear(Belief *belief);
