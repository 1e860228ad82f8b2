/* THE interface that everything above uses. A Game is a description ready to be played: immutable,
 * shared by all threads. Each thread asks through a GameWork of its own. Three kinds of reasoner
 * answer for a single state, all with the same meaning:
 *   interpreter  works on the rules as written; ready in milliseconds, plays everything
 *   scalar       evaluates the circuit
 *   incremental  evaluates what changed in the circuit since the last state it was asked about
 * and the sliced one (sliced.h) plays 512 random matches at a time.
 *
 * A state is a set of fluents as a bitset; a move is a number that has a meaning for its role
 * alone. Numbers of an interpreted game are given out as they turn up, so its states may grow.
 *
 *     Game *game = game_open("tic_tac_toe.kif", NULL, &report);
 *     GameWork *work = game_work(game, REASONER_AUTO);
 *     State state = {0};
 *     game_initial(work, &state);
 *     while (!game_is_terminal(work, &state)) { ... game_legal ... game_next ... }
 */
#pragma once

#include <pthread.h>

#include "base/random.h"
#include "base/table.h"
#include "base/text.h"
#include "circuit/circuit.h"
#include "circuit/turn.h"
#include "game/interpreter/interpreter.h"
#include "gdl/rules.h"

typedef enum {
    REASONER_AUTO,
    REASONER_INTERPRETER,
    REASONER_SCALAR,
    REASONER_INCREMENTAL,
    REASONER_SLICED,
    REASONER_GPU /* for matches_play alone, with a device */
} Reasoner;

const char *reasoner_name(Reasoner reasoner);
/* REASONER_AUTO for "auto"; false if the name is unknown. */
bool reasoner_from_name(const char *name, Reasoner *reasoner);

typedef struct {
    double build_seconds; /* CPU time for grounding and the circuit; 0: the default of 60 */
    size_t build_bytes;   /* memory for grounding; 0: the default of 4 GB */
    uint32_t patience;    /* of grounding (GroundBudget): tests make it small; 0: the default */
    bool interpreter_only;
    KernelKind kernel;
    const bool *cancelled; /* stops a build from another thread; NULL if nobody will */
} GameOptions;

typedef struct LaneKernels LaneKernels;

typedef struct Game {
    Rules *rules;             /* owned */
    Interpreter *interpreter; /* owned */
    Grounding *grounding;     /* owned; fluents, moves and terms; NULL when only interpreted */
    Grounding *ground_rules;  /* with its rules: `grounding` itself, or made when first asked for,
                                 under ground_lock */
    Circuit *circuit;         /* owned; NULL when only interpreted */
    struct Scalar *scalar;
    struct Incremental *incremental; /* made when first asked for, under the lock */
    LaneKernels *lane_kernels;       /* likewise */
    pthread_mutex_t lock, ground_lock;
    Turn *turn, *plain_turn; /* random play; made when first asked for, under the lock */
    struct GameNote *notes;  /* of layers above, under the lock */
    KernelKind kernel;
    uint32_t patience; /* of grounding */
    uint32_t role_count;
    const char *why_interpreted; /* NULL if there is a circuit */
    Arena arena;
    double build_cpu_seconds;
} Game;

/* Reads and builds. NULL if the rules cannot be played at all; when only the circuit cannot be
 * built (budget), the game is interpreted. `options` may be NULL. */
Game *game_open(const char *path, const GameOptions *options, Report *report);
/* Takes the rules over, also when it fails. */
Game *game_create(Rules *rules, const GameOptions *options, Report *report);
void game_free(Game *game);

static inline bool game_has_circuit(const Game *game) {
    return game->circuit != NULL;
}

/* The ground rules that the circuit was built from, for analyses that need more than the circuit.
 * They stay in memory after building if they take at most 32 MB, as in most games (tic-tac-toe:
 * 0.1 MB). Larger ones (amazons: 100 MB) are freed after building. The first caller then grounds
 * again within the budget, and the result stays until the game is freed. NULL if the budget was
 * spent; a later caller may try again. Needs a circuit. Thread-safe: a second caller waits. */
const Grounding *game_ground_rules(Game *game, GroundBudget budget);

/* The networks for sliced random play, made when first asked for; NULL without a circuit. */
const Turn *game_turn(Game *game);
/* The same for states that share no phase. */
const Turn *game_plain_turn(Game *game);

/* The networks for the incremental reasoner, made when first asked for; thread-safe. */
struct Incremental *game_incremental(Game *game);
/* The networks that evaluate many states at once; the same. */
const LaneKernels *game_lane_kernels(Game *game);

/* What a layer above has found out about the rules and others may use as well: kept until the game
 * is freed, so that it is found once for many matches. The owner is any address that is the layer's
 * own; of several notes of one owner the last is answered, NULL if there is none. A note does not
 * change once it is kept. Thread-safe. */
void game_keep_note(Game *game, const void *owner, void *note, void (*release)(void *note));
const void *game_note(Game *game, const void *owner);

typedef struct {
    uint64_t *words;
    uint32_t word_count;
} State;

void state_free(State *state);
/* Makes all fluents false; the number of words stays. */
void state_clear(State *state);
void state_copy(State *to, const State *from);
bool state_equal(const State *a, const State *b);
/* The same for equal states, whatever their word counts. */
uint64_t state_hash(const State *state);

typedef struct GameWork GameWork;

/* NULL if the game has no circuit and the reasoner needs one. */
GameWork *game_work(Game *game, Reasoner reasoner);
void game_work_free(GameWork *work);
Reasoner game_work_reasoner(const GameWork *work);

/* Answers replace what the state or list held. */
void game_initial(GameWork *work, State *state);
bool game_is_terminal(GameWork *work, const State *state);
void game_legal(GameWork *work, const State *state, uint32_t role, U32Vector *moves);
void game_next(GameWork *work, const State *state, const uint32_t *moves, State *next);
/* The value, or GOAL_NONE, or GOAL_SEVERAL. */
int game_goal(GameWork *work, const State *state, uint32_t role);
/* Appends what the role perceives, as texts separated by blanks, sorted. */
void game_sees(GameWork *work, const State *state, const uint32_t *moves, uint32_t role, Text *out);

/* The same as a number for each role: equal sets of percepts have equal numbers. */
void game_percept_keys(GameWork *work, const State *state, const uint32_t *moves, uint64_t *keys);
/* What one percept adds to such a number: sums do not depend on the order. */
static inline uint64_t game_percept_key(uint64_t percept) {
    return hash_finish(hash_mix(0x5ee5, percept + 1));
}

/* Whether the role is the one that moves by chance. */
bool game_is_chance(const Game *game, uint32_t role);
/* How many roles do not. */
uint32_t game_count_players(const Game *game);
/* Whether players know no more than they perceive. Without `sees` they are told all moves, and a
 * role that is alone has made them all itself. */
static inline bool game_hides(const Game *game) {
    return game->rules->has_sees && game->role_count > 1;
}

/* Texts are lower case with single blanks, as in recorded matches. */
void game_role_text(const Game *game, uint32_t role, Text *out);
void game_move_text(const GameWork *work, uint32_t role, uint32_t move, Text *out);
void game_fluent_text(const GameWork *work, uint32_t fluent, Text *out);
/* All fluents of a state, sorted as strings, separated by blanks. */
void game_state_text(const GameWork *work, const State *state, Text *out);
#define MOVE_NONE UINT32_MAX
/* The move or fluent with this text; MOVE_NONE if there is none. */
uint32_t game_find_move(GameWork *work, uint32_t role, const char *text, size_t length);
uint32_t game_find_fluent(GameWork *work, const char *text, size_t length);
void state_set(State *state, uint32_t fluent);
/* A state may have fewer words than all fluents take. */
static inline bool state_holds(const State *state, uint32_t fluent) {
    return fluent / 64 < state->word_count && state->words[fluent / 64] >> fluent % 64 & 1;
}

/* How one random match ended. */
typedef enum { MATCH_TERMINAL, MATCH_STUCK, MATCH_TOO_LONG } MatchEnd;
/* Plays uniformly at random from the state to the end; the state becomes the last one. */
MatchEnd game_play_randomly(GameWork *work, State *state, Random *random, uint32_t step_limit,
                            uint32_t *steps);
