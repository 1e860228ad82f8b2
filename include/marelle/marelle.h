/* Marelle as a library: read the rules of any game in GDL, check them, print them, and play.
 * This header is the manual; read it from top to bottom. A whole program first: it plays one match,
 * everybody taking the first legal move, then a thousand at random.
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     enum { MAX_ROLES = 16 };
 *
 *     static bool take_first_moves(MarellePlay *play, const MarelleState *state, uint32_t roles,
 *                                  uint32_t *joint) {
 *         for (uint32_t role = 0; role < roles; role++) {
 *             const uint32_t *moves;
 *             if (marelle_legal(play, state, role, &moves) == 0)
 *                 return false;
 *             joint[role] = moves[0];
 *         }
 *         return true;
 *     }
 *
 *     static void play_one_match(MarelleGame *game) {
 *         MarellePlay *play = marelle_play_create(game);
 *         MarelleState *state = marelle_state_create();
 *         uint32_t roles = marelle_game_role_count(game), joint[MAX_ROLES];
 *         marelle_initial(play, state);
 *         while (!marelle_is_terminal(play, state) && take_first_moves(play, state, roles, joint))
 *             marelle_next(play, state, joint, state);
 *         printf("%s\n", marelle_state_text(play, state));
 *         for (uint32_t role = 0; role < roles; role++) {
 *             int goal = marelle_goal(play, state, role);
 *             printf("%s: %d\n", marelle_game_role_name(game, role), goal);
 *         }
 *         marelle_state_free(state);
 *         marelle_play_free(play);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         for (size_t i = 0; i < marelle_diagnostic_count(rules); i++) {
 *             MarelleDiagnostic d = marelle_diagnostic(rules, i);
 *             fprintf(stderr, "%s:%u:%u: %s\n", d.file, d.line, d.column, d.message);
 *         }
 *         if (status == MARELLE_OK && marelle_game_role_count(game) <= MAX_ROLES) {
 *             play_one_match(game);
 *             MarellePlayoutOptions options = {.playouts = 1000, .seed = 1};
 *             MarellePlayoutStatistics statistics;
 *             marelle_playouts(game, &options, &statistics, NULL);
 *             double mean = (double)statistics.turns / (double)statistics.playouts;
 *             printf("%.1f turns on average\n", mean);
 *         }
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 *
 * Compile it with `cc first_match.c $(pkg-config --cflags --libs marelle)`.
 *
 * Each subject has a header of its own, which this one includes, and whose first lines are a whole
 * program: search.h, environments.h, analysis.h, boards.h, models.h, learning.h, networks.h and
 * matches.h.
 *
 * Rules that hold for all of them:
 * - The library never prints and never ends your program because of its input; only a machine
 *   without memory makes it abort. It has no global state.
 * - Objects are freed by the function that bears their name; objects made from a game are freed
 *   before it. Pointers to objects must be valid and not NULL, unless a comment allows NULL;
 *   numbers and texts may be anything.
 * - A game, once built, may be shared by threads; only one thread at a time may use any other
 *   object, unless its header says otherwise. Callbacks are called by the thread that made the
 *   call, and must not use its objects.
 * - Options are structs in which zeros are the defaults. Reserved fields must be zero, and a NULL
 *   stands for all defaults where options are optional.
 * - A text that is returned as `char *` is yours: free it with marelle_text_free. A `const char *`
 *   belongs to the object that was asked. JSON is in UTF-8 and bears the keys that the verb of the
 *   program prints with --json. */
#ifndef MARELLE_MARELLE_H
#define MARELLE_MARELLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MARELLE_API __attribute__((visibility("default")))

/* The version of the library, such as "0.1.0". */
MARELLE_API const char *marelle_version(void);

/* The status that functions return if they can fail. */
typedef enum {
    MARELLE_OK = 0,
    MARELLE_UNREADABLE,   /* the file cannot be read or written, or is larger than a gigabyte */
    MARELLE_MALFORMED,    /* the text is no list of rules, or no model, message or record */
    MARELLE_UNPLAYABLE,   /* no reasoner can play these rules; there is no role, for example, or a
                             variable is unsafe */
    MARELLE_BAD_ARGUMENT, /* a role or move that does not exist, an unknown notation */
    MARELLE_UNFIT, /* the call cannot be made for this game: it has no circuit, for example */
    MARELLE_SPENT  /* the budget did not suffice, or the call was stopped */
} MarelleStatus;

/* A short text for people, such as "malformed". */
MARELLE_API const char *marelle_status_text(MarelleStatus status);

/* Why a call failed: a sentence without its full stop; "" if it did not fail. Yours; functions that
 * take one take NULL as well. */
typedef struct {
    char text[500];
} MarelleProblem;

/* What a long call may spend. */
typedef struct {
    double seconds;      /* wall-clock time; 0: no limit */
    uint64_t playouts;   /* matches played out; 0: no limit */
    size_t bytes;        /* memory for states; 0: no limit */
    const bool *stopped; /* the call ends soon after another thread, or a handler of signals, sets
                            this; NULL: nobody does */
    double cpu_seconds;  /* CPU time of the calling thread, which does not depend on other programs;
                            0: no limit. For calls that use one thread. */
    uint64_t reserved[3]; /* must be zero */
} MarelleBudget;

/* ---- Rules ---------------------------------------------------------------------------------- */

/* A description of a game and its diagnostics. Only one thread at a time may use it. */
typedef struct MarelleRules MarelleRules;

/* Reads a file ("-": standard input) in prefix or infix notation, recognised by its content.
 * *rules is never NULL afterwards: where the reading failed it holds the diagnostics that tell
 * why, and nothing else. Free it in any case. */
MARELLE_API MarelleStatus marelle_rules_read_file(const char *path, MarelleRules **rules);
/* Reads a text in memory, which is copied. Diagnostics use `name` as the name of the file. */
MARELLE_API MarelleStatus marelle_rules_read_text(const char *name, const char *text, size_t length,
                                                  MarelleRules **rules);
/* Frees the rules and all texts returned for them; NULL is allowed. Games built from them stay
 * valid. */
MARELLE_API void marelle_rules_free(MarelleRules *rules);

/* Checks that the rules are a well-formed game as `marelle check` does: arities, safety of
 * variables, stratified negation, recursion, missing definitions and much more. What it finds is
 * added to the diagnostics, which are sorted by place. Returns the number of errors, those of
 * reading included. Checking is not needed to play. */
MARELLE_API size_t marelle_rules_check(MarelleRules *rules);

typedef enum { MARELLE_NOTE, MARELLE_WARNING, MARELLE_ERROR } MarelleSeverity;

/* One message. Its texts belong to the rules. */
typedef struct {
    MarelleSeverity severity;
    const char *code;      /* a few words with hyphens that never change: "unsafe-variable" */
    const char *file;      /* name of the file or text; "" if the message is not about a text */
    uint32_t line, column; /* from 1; columns count characters; 0 if it is not about a text */
    const char *message;   /* a sentence */
    const char *hint;      /* a suggestion; "" if there is none */
} MarelleDiagnostic;

/* The number of diagnostics that can be read; at most the first thousand are kept. */
MARELLE_API size_t marelle_diagnostic_count(const MarelleRules *rules);
/* The diagnostic with this number, which counts from 0; an empty one beyond the last. */
MARELLE_API MarelleDiagnostic marelle_diagnostic(const MarelleRules *rules, size_t number);

typedef enum {
    MARELLE_KIF,   /* prefix: (<= (goal ?x 100) (true (won ?x))) */
    MARELLE_INFIX, /* goal(X,100) :- true(won(X)) */
    MARELLE_ASP,   /* an answer set program, for gringo and clingo */
    MARELLE_PLAN   /* the same with a task for clingo: a line of so many turns to a goal */
} MarelleNotation;

/* Writes the rules as text. The notation they were written in gives the formatter, another one the
 * translator. Comments are kept, except in answer set programs. NULL for rules that could not be
 * read and for unknown notations. Free the text with marelle_text_free. */
MARELLE_API char *marelle_rules_write(const MarelleRules *rules, MarelleNotation notation);
MARELLE_API void marelle_text_free(char *text);

/* ---- Games ---------------------------------------------------------------------------------- */

/* Rules made ready to be played. A game does not change, and all threads may share it. */
typedef struct MarelleGame MarelleGame;

/* How a game is built. Zero in all fields gives the defaults. */
typedef struct {
    double build_seconds;  /* CPU time for grounding; 0: 60 seconds */
    size_t build_bytes;    /* memory for grounding; 0: 4 gigabytes */
    bool interpreter_only; /* build no circuit: ready in milliseconds, plays slowly */
    const char *kernel;    /* what evaluates gates: "interpreted", "sse2", "avx2", "avx512", "neon"
                              or "neon-sha3"; NULL: the fastest of this machine */
    const bool *stopped;  /* building ends soon after another thread sets this; NULL: nobody does */
    uint64_t reserved[4]; /* must be zero */
} MarelleGameOptions;

/* Builds a game: a circuit within the budget, or else an interpreter of the rules, which plays all
 * games. `options` may be NULL. MARELLE_BAD_ARGUMENT if an option is out of range, MARELLE_SPENT if
 * it was stopped. On failure *game is NULL and the diagnostics of the rules give the reason. The
 * rules are copied, so they may be freed before or after the game. */
MARELLE_API MarelleStatus marelle_game_build(MarelleRules *rules, const MarelleGameOptions *options,
                                             MarelleGame **game);
/* NULL is allowed. No thread may use the game any more. */
MARELLE_API void marelle_game_free(MarelleGame *game);

/* NULL if the game has a circuit; else a sentence that tells why it has none. */
MARELLE_API const char *marelle_game_why_interpreted(const MarelleGame *game);

/* Roles are numbered from 0 in the order of their declaration. */
MARELLE_API uint32_t marelle_game_role_count(const MarelleGame *game);
/* The name in lower case; belongs to the game. NULL if there is no such role. */
MARELLE_API const char *marelle_game_role_name(const MarelleGame *game, uint32_t role);

/* True if roles do not see the state, but percepts alone (GDL-II). */
MARELLE_API bool marelle_game_hides(const MarelleGame *game);
/* Moves of a role, and fluents, are numbered below these. Without a circuit they are those that
 * were met so far. */
MARELLE_API uint32_t marelle_game_move_count(const MarelleGame *game, uint32_t role);
MARELLE_API uint32_t marelle_game_fluent_count(const MarelleGame *game);

/* ---- Playing -------------------------------------------------------------------------------- */

/* The workspace of one thread that asks questions about states of a game. */
typedef struct MarellePlay MarellePlay;

MARELLE_API MarellePlay *marelle_play_create(MarelleGame *game);
MARELLE_API void marelle_play_free(MarellePlay *play);

/* A state: the set of fluents that are true. It belongs to the caller. States of one game are
 * meaningless in another, even in one built from the same rules. */
typedef struct MarelleState MarelleState;

/* Creates an empty state, which can receive results. */
MARELLE_API MarelleState *marelle_state_create(void);
MARELLE_API void marelle_state_free(MarelleState *state);
MARELLE_API void marelle_state_copy(MarelleState *to, const MarelleState *from);
MARELLE_API bool marelle_state_equal(const MarelleState *a, const MarelleState *b);
/* A hash of 64 bits; equal states have equal hashes. */
MARELLE_API uint64_t marelle_state_hash(const MarelleState *state);

/* Sets `state` to the initial state of a match. */
MARELLE_API void marelle_initial(MarellePlay *play, MarelleState *state);
/* True if the match is over in this state. */
MARELLE_API bool marelle_is_terminal(MarellePlay *play, const MarelleState *state);

/* The legal moves of a role in ascending order: returns their number and sets *moves to the list. A
 * move is a number that is meaningful only for its role. The list belongs to `play` and is valid
 * until the next call for the same role. A role that does not exist has 0 moves. */
MARELLE_API size_t marelle_legal(MarellePlay *play, const MarelleState *state, uint32_t role,
                                 const uint32_t **moves);

/* Makes one move of each role (moves[role]) in `state` and writes the result to `next`, which may
 * be the same state. Does not check that the moves are legal. MARELLE_BAD_ARGUMENT, with `next`
 * unchanged, if a number is no move. */
MARELLE_API MarelleStatus marelle_next(MarellePlay *play, const MarelleState *state,
                                       const uint32_t *moves, MarelleState *next);

/* The goal value of a role in this state, usually from 0 to 100, or one of the following values.
 * Most games define it only in terminal states. */
enum { MARELLE_GOAL_NONE = -1, MARELLE_GOAL_SEVERAL = -2 };
MARELLE_API int marelle_goal(MarellePlay *play, const MarelleState *state, uint32_t role);

/* The texts that the next functions return are in lower case with single blanks, in prefix
 * notation. They belong to `play` and are valid until the next text is asked for. */

/* The text of a move, such as "(mark 2 2)". NULL if there is no such role or move. */
MARELLE_API const char *marelle_move_text(MarellePlay *play, uint32_t role, uint32_t move);
/* The text of a fluent, such as "(cell 1 1 b)", by its number in observations of environments. NULL
 * if there is no such fluent. */
MARELLE_API const char *marelle_fluent_text(MarellePlay *play, uint32_t fluent);
/* All fluents of a state, sorted, with blanks between them: "(cell 1 1 b) (control xplayer)". */
MARELLE_API const char *marelle_state_text(MarellePlay *play, const MarelleState *state);
/* The percepts of a role when these moves are made (GDL-II), in the same form; "" if there are
 * none, NULL if a role or move does not exist. */
MARELLE_API const char *marelle_sees(MarellePlay *play, const MarelleState *state,
                                     const uint32_t *moves, uint32_t role);

/* A learnt evaluation; see models.h. */
typedef struct MarelleModel MarelleModel;

#define MARELLE_NO_MOVE UINT32_MAX
/* The move with this text, in upper or lower case; MARELLE_NO_MOVE if there is none. */
MARELLE_API uint32_t marelle_find_move(MarellePlay *play, uint32_t role, const char *text);

/* ---- Random play ---------------------------------------------------------------------------- */

/* Options of random play. One of `playouts` and `seconds` must be set. */
typedef struct {
    uint64_t playouts;   /* matches to play; 0: as many as time allows */
    double seconds;      /* wall-clock time after which no match begins; 0: no limit */
    uint64_t seed;       /* a seed gives the same result each time, unless time ends the play */
    uint32_t step_limit; /* turns after which a match is given up; 0: 10000 */
    const bool *stopped; /* the play ends soon after another thread sets this; NULL: nobody does */
    uint32_t threads;    /* threads that share the matches, at most 1024; 0: one. The seed and the
                            number of threads give the result. */
    bool gpu;            /* play on a GPU; the library must be built for one, and the game have a
                            circuit */
    const MarelleState *from; /* where matches begin; NULL: in the initial state. From other states
                                 they are played one at a time, and not on a GPU. */
    uint64_t reserved[2];     /* must be zero */
} MarellePlayoutOptions;

typedef struct {
    uint64_t playouts;    /* matches that ended in a terminal state */
    uint64_t stuck;       /* given up because a role had no legal move */
    uint64_t too_long;    /* given up at or soon after the step limit */
    uint64_t turns;       /* turns of all these matches */
    double cpu_seconds;   /* CPU time used */
    uint64_t reserved[4]; /* always zero */
} MarellePlayoutStatistics;

/* Plays random matches, 512 at a time if the game has a circuit. Every role chooses uniformly among
 * its legal moves. `mean_goals` is NULL or has room for one number per role: the mean of its goal
 * values at the ends of matches (NaN if there was none). When time is up, matches under way may
 * continue for a fifth of the time; then they are dropped. MARELLE_BAD_ARGUMENT if neither
 * `playouts` nor `seconds` is set, or an option is out of range; MARELLE_UNFIT if no GPU can play
 * the game. */
MARELLE_API MarelleStatus marelle_playouts(MarelleGame *game, const MarellePlayoutOptions *options,
                                           MarellePlayoutStatistics *statistics,
                                           double *mean_goals);

#ifdef __cplusplus
}
#endif

/* The other subjects. */
#include <marelle/analysis.h>
#include <marelle/boards.h>
#include <marelle/environments.h>
#include <marelle/gpu.h>
#include <marelle/learning.h>
#include <marelle/matches.h>
#include <marelle/models.h>
#include <marelle/networks.h>
#include <marelle/search.h>

#endif
