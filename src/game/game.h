/* The interface to a game that all layers above use. A Game is a description ready to be played. It
 * is immutable and shared by all threads; each thread asks through a GameWork of its own. */
#pragma once

#include <pthread.h>

#include "base/random.h"
#include "base/table.h"
#include "base/text.h"
#include "circuit/circuit.h"
#include "circuit/turn.h"
#include "game/interpreter/interpreter.h"
#include "gdl/rules.h"

/* Three reasoners answer questions about a single state, with equal results:
 *   interpreter  evaluates the rules as written; ready in milliseconds, plays every game
 *   scalar       evaluates the circuit
 *   incremental  evaluates the gates that changed since the previous state
 * A fourth, the sliced one (sliced.h), plays 512 random matches at a time.
 *
 * A state is a set of fluents, kept as a bitset. A move is a number; each role numbers its own
 * moves from 0. An interpreted game numbers fluents and moves as they are met, so its states may
 * grow.
 *
 *     Game *game = game_open("tic_tac_toe.kif", NULL, &report);
 *     GameWork *work = game_work_create(game, REASONER_AUTO);
 *     State state = {0};
 *     game_initial(work, &state);
 *     while (!game_is_terminal(work, &state)) { ... game_legal ... game_next ... }
 */

typedef enum {
    REASONER_AUTO,
    REASONER_INTERPRETER,
    REASONER_SCALAR,
    REASONER_INCREMENTAL,
    REASONER_SLICED,
    REASONER_GPU /* only for matches_play with a device */
} Reasoner;

const char *reasoner_name(Reasoner reasoner);
/* Finds the reasoner of this name. False if there is none. */
bool reasoner_from_name(const char *name, Reasoner *reasoner);

/* Turns after which a match or a playout is given up if nobody says otherwise (untuned). */
enum { DEFAULT_STEP_LIMIT = 10000 };

typedef struct {
    double build_seconds; /* CPU time for grounding and the circuit; 0: the default of 60 */
    Deadline build_until; /* end of building by the wall clock; 0 in `at`: none */
    size_t build_bytes;   /* memory for grounding; 0: the default of 4 GB or half of memory_limit */
    /* GroundBudget.rewrite_threshold, made small by tests; 0: the default */
    uint32_t rewrite_threshold;
    bool interpreter_only; /* build no circuit */
    KernelKind kernel;     /* how networks are compiled */
    const bool *stopped;   /* another thread sets it to stop the build, and to make networks on
                                first use quickly, because they are not needed any more; it lives as
                                long as the game, or until game_ignore_stopping; may be NULL */
} GameOptions;

typedef struct LaneKernels LaneKernels;

typedef struct Game {
    Rules *rules;             /* owned */
    Interpreter *interpreter; /* owned */
    Grounding *grounding;     /* owned; fluents, moves and terms; NULL when only interpreted */
    Grounding *ground_rules;  /* the grounding with its rules: `grounding` itself, or made on first
                                 use, under ground_lock */
    Circuit *circuit;         /* owned; NULL when only interpreted */
    struct Scalar *scalar;
    /* The fields from here to plain_turn are made on first use, under `lock`. */
    struct Incremental *incremental;
    LaneKernels *lane_kernels;
    TurnNetworks *turn, *shown_turn, *decisive_turn, *plain_turn; /* networks of random play */
    struct GameNote *notes; /* results of layers above, see game_keep_note */
    pthread_mutex_t lock, ground_lock;
    KernelKind kernel;
    const bool *stopped;        /* the flag of the options */
    uint32_t rewrite_threshold; /* GroundBudget.rewrite_threshold of the build */
    uint32_t role_count;
    uint32_t chance_role;        /* the role `random`; role_count if there is none */
    const char **roles;          /* names by role, as the rules write them */
    const char *why_interpreted; /* NULL if there is a circuit */
    Arena arena;
    double build_cpu_seconds;
} Game;

/* Reads and builds a game. NULL if the rules cannot be played at all. If only the circuit cannot be
 * built within the budget, the game is interpreted. `options` may be NULL. */
Game *game_open(const char *path, const GameOptions *options, Report *report);
/* Like game_open for rules that are already read. Takes them over, even if it fails. */
Game *game_create(Rules *rules, const GameOptions *options, Report *report);
void game_free(Game *game);
/* The kernel with this name, for GameOptions; NULL is auto. False with an error that lists the
 * kernels of this machine if there is none ("no-kernel"), or the machine cannot run it
 * ("unfit-machine"). */
bool game_find_kernel(const char *name, KernelKind *kind, Report *report);
/* Makes the game independent of the flag `stopped` of its options. No other thread may use the
 * game meanwhile. */
void game_ignore_stopping(Game *game);

static inline bool game_has_circuit(const Game *game) {
    return game->circuit != NULL;
}

/* The ground rules that the circuit was built from, for analyses that need more than the circuit.
 * They stay in memory after building if they take at most 32 MB, as in most games (tic-tac-toe:
 * 0.1 MB). Larger ones (amazons: 100 MB) are freed after building. The first caller then grounds
 * again within the budget, and the result stays until the game is freed. NULL if the budget was
 * spent; a later caller may try again. Needs a circuit. Thread-safe: a second caller waits. */
const Grounding *game_ground_rules(Game *game, GroundBudget budget);

/* The following networks are made on first use; NULL without a circuit. Thread-safe. */
/* Networks for sliced random play, one set for each phase. */
const TurnNetworks *game_turn_networks(Game *game);
/* The same networks, which also tell the chosen moves. */
const TurnNetworks *game_shown_turn(Game *game);
/* Networks for random play in which a player takes a move that wins at once: circuit/decisive.h. */
const TurnNetworks *game_decisive_networks(Game *game);
/* Networks for random play from states that fit no phase. */
const TurnNetworks *game_plain_networks(Game *game);
/* Networks of the incremental reasoner. */
struct Incremental *game_incremental(Game *game);
/* Networks that evaluate up to 512 states at once (lanes.h). */
const LaneKernels *game_lane_kernels(Game *game);

/* Notes are results of a layer above about the rules. They are kept until the game is freed, so
 * that they are computed once for many matches. The owner is any address of that layer. game_note
 * returns the latest note of an owner, or NULL. A note does not change once it is kept.
 * Thread-safe. */
void game_keep_note(Game *game, const void *owner, void *note, void (*release)(void *note));
const void *game_note(Game *game, const void *owner);

typedef struct {
    uint64_t *words;
    uint32_t word_count;
} State;

void state_free(State *state);
/* Frees several states: states_free(&a, &b). */
#define states_free(...)                                                                           \
    states_free_all((State *[]){__VA_ARGS__}, sizeof(State *[]){__VA_ARGS__} / sizeof(State *))
void states_free_all(State *const *states, size_t count);
/* Makes all fluents false; the number of words stays. */
void state_clear(State *state);
void state_copy(State *to, const State *from);
bool state_equal(const State *a, const State *b);
/* Equal states have equal hashes, whatever their word counts. */
uint64_t state_hash(const State *state);

/* The workspace of one thread. */
typedef struct GameWork GameWork;

/* NULL if the reasoner needs a circuit and the game has none. */
GameWork *game_work_create(Game *game, Reasoner reasoner);
void game_work_free(GameWork *work);
Reasoner game_work_reasoner(const GameWork *work);

/* Results replace the contents of the state or list. `moves` has one move per role. */
void game_initial(GameWork *work, State *state);
/* Copies the state `from`; if it is NULL, gives the initial state. */
void game_start(GameWork *work, const State *from, State *state);
bool game_is_terminal(GameWork *work, const State *state);
void game_legal(GameWork *work, const State *state, uint32_t role, U32Vector *moves);
void game_next(GameWork *work, const State *state, const uint32_t *moves, State *next);
/* The role's goal value, GOAL_NONE if no goal holds, GOAL_SEVERAL if goals contradict. */
int game_goal(GameWork *work, const State *state, uint32_t role);
/* Appends the role's percepts as texts, sorted, separated by blanks. */
void game_sees(GameWork *work, const State *state, const uint32_t *moves, uint32_t role, Text *out);

/* Writes one number per role: a hash of its set of percepts. */
void game_percept_keys(GameWork *work, const State *state, const uint32_t *moves, uint64_t *keys);
/* The hash of a single percept; the hash of a set is the sum, which does not depend on the order.
 */
static inline uint64_t game_percept_key(uint64_t percept) {
    return hash_finish(hash_mix(0x5ee5, percept + 1));
}

/* True if the role is `random`, whose moves are chance. */
static inline bool game_is_chance(const Game *game, uint32_t role) {
    return role == game->chance_role;
}
/* The number of roles other than `random`. */
static inline uint32_t game_count_players(const Game *game) {
    return game->role_count - (game->chance_role < game->role_count);
}
/* True if players know only what they perceive. Without `sees` they are told all moves, and a
 * single role has made all moves itself. */
static inline bool game_hides(const Game *game) {
    return game->rules->has_sees && game->role_count > 1;
}

/* The value of the circuit's goal with this index; GOAL_NONE if its term is no number. */
int game_goal_value(const Game *game, size_t goal);
/* The values of all goals of the circuit, with one spare entry; the caller frees the array. */
int *game_goal_values(const Game *game);

#define ROLE_NONE UINT32_MAX
/* The role of this name, in any case; ROLE_NONE if there is none. */
uint32_t game_find_role(const Game *game, const char *name);
/* Texts are lower case with single blanks, as in recorded matches. */
void game_move_text(const GameWork *work, uint32_t role, uint32_t move, Text *out);
void game_fluent_text(const GameWork *work, uint32_t fluent, Text *out);
/* All fluents of a state, sorted as strings, separated by blanks. */
void game_state_text(const GameWork *work, const State *state, Text *out);
#define MOVE_NONE INTERPRETER_NONE
/* The move or fluent with this text; MOVE_NONE if there is none. */
uint32_t game_find_move(GameWork *work, uint32_t role, const char *text, size_t length);
uint32_t game_find_fluent(GameWork *work, const char *text, size_t length);
void state_set(State *state, uint32_t fluent);
/* A state may have fewer words than all fluents take. */
static inline bool state_holds(const State *state, uint32_t fluent) {
    return fluent / 64 < state->word_count && state->words[fluent / 64] >> fluent % 64 & 1;
}

/* How a random match ended: in a terminal state, because a role had no legal move, or at the step
 * limit. */
typedef enum { MATCH_TERMINAL, MATCH_STUCK, MATCH_TOO_LONG } MatchEnd;
/* Plays uniformly random moves until the match ends or `step_limit` turns are played (0: no limit).
 * The state becomes the last one; `steps` receives the number of turns. */
MatchEnd game_play_randomly(GameWork *work, State *state, Random *random, uint32_t step_limit,
                            uint32_t *steps);
