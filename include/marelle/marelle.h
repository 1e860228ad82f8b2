/* Marelle as a library: read the rules of any game in GDL, check them, print them, and play.
 * This header is the manual; read it from top to bottom. A whole program first: it plays one match,
 * everybody taking the first legal move, then a thousand at random.
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     enum { MOST_ROLES = 16 };
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
 *         uint32_t roles = marelle_game_role_count(game), joint[MOST_ROLES];
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
 *         if (status == MARELLE_OK && marelle_game_role_count(game) <= MOST_ROLES) {
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
 * Compile it with `cc example.c $(pkg-config --cflags --libs marelle)`.
 *
 * The library never prints and never ends your program because of its input; only a machine
 * without memory makes it abort. It has no global state. */
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

/* What functions that can fail return. */
typedef enum {
    MARELLE_OK = 0,
    MARELLE_UNREADABLE,  /* the file cannot be read, or the text is larger than a gigabyte */
    MARELLE_MALFORMED,   /* the text is no list of rules */
    MARELLE_UNPLAYABLE,  /* no reasoner can play these rules: no role, say, or unsafe variables */
    MARELLE_BAD_ARGUMENT /* a role or move that does not exist, an unknown notation */
} MarelleStatus;

/* A few words for people: "malformed". */
MARELLE_API const char *marelle_status_text(MarelleStatus status);

/* ---- Rules ---------------------------------------------------------------------------------- */

/* A description of a game that has been read, and all that was said about it. Not to be used by two
 * threads at once. */
typedef struct MarelleRules MarelleRules;

/* Reads a file ("-": standard input) in prefix or infix notation, recognised by its content.
 * *rules is never NULL afterwards: where the reading failed it holds the diagnostics that tell
 * why, and nothing else. Free it in any case. */
MARELLE_API MarelleStatus marelle_rules_read_file(const char *path, MarelleRules **rules);
/* The same for a text in memory, which is copied; messages call it `name`. */
MARELLE_API MarelleStatus marelle_rules_read_text(const char *name, const char *text, size_t length,
                                                  MarelleRules **rules);
/* Frees the rules and all texts they handed out; NULL is fine. Games built from them live on. */
MARELLE_API void marelle_rules_free(MarelleRules *rules);

/* Checks that the rules are a well-formed game as `marelle check` does: arities, safety of
 * variables, stratified negation, recursion, missing definitions and much more. What it finds is
 * added to the diagnostics, which are sorted by place. Returns the number of errors, those of
 * reading included. Checking is not needed to play. */
MARELLE_API size_t marelle_rules_check(MarelleRules *rules);

typedef enum { MARELLE_NOTE, MARELLE_WARNING, MARELLE_ERROR } MarelleSeverity;

/* One message. The texts belong to the rules it is about. */
typedef struct {
    MarelleSeverity severity;
    const char *code;      /* a few words with hyphens that never change: "unsafe-variable" */
    const char *file;      /* or the name of the text; "" where no text is concerned */
    uint32_t line, column; /* from 1; columns count characters; 0 where no text is concerned */
    const char *message;   /* a sentence */
    const char *hint;      /* what might help; "" if there is no idea */
} MarelleDiagnostic;

/* How many diagnostics there are to look at (of thousands only the first thousand are kept). */
MARELLE_API size_t marelle_diagnostic_count(const MarelleRules *rules);
/* The diagnostic with this number, from 0; the number must be below the count. */
MARELLE_API MarelleDiagnostic marelle_diagnostic(const MarelleRules *rules, size_t number);

typedef enum {
    MARELLE_KIF,   /* prefix: (<= (goal ?x 100) (true (won ?x))) */
    MARELLE_INFIX, /* goal(X,100) :- true(won(X)) */
    MARELLE_ASP    /* an answer set program, for gringo and clingo */
} MarelleNotation;

/* The rules as text. In the notation they were written in this is the formatter, in another the
 * translator; comments are kept but for MARELLE_ASP. NULL for rules that could not be read and for
 * unknown notations. Free the text with marelle_text_free. */
MARELLE_API char *marelle_rules_write(const MarelleRules *rules, MarelleNotation notation);
MARELLE_API void marelle_text_free(char *text);

/* ---- Games ---------------------------------------------------------------------------------- */

/* Rules made ready to be played. A game does not change and may be shared by all threads. */
typedef struct MarelleGame MarelleGame;

/* How a game is built. Zero everywhere is a good choice. */
typedef struct {
    double build_seconds;  /* CPU time for grounding; 0: 60 seconds */
    size_t build_bytes;    /* memory for grounding; 0: 4 gigabytes */
    bool interpreter_only; /* build no circuit: ready in milliseconds, plays slowly */
    uint64_t reserved[4];  /* zero */
} MarelleGameOptions;

/* Builds a game: a circuit within the budget, or else an interpreter of the rules, which plays
 * everything. `options` may be NULL. On failure *game is NULL and the diagnostics of the rules tell
 * why. The rules are copied: free them before or after the game. */
MARELLE_API MarelleStatus marelle_game_build(MarelleRules *rules, const MarelleGameOptions *options,
                                             MarelleGame **game);
/* NULL is fine. Nobody may be playing any more. */
MARELLE_API void marelle_game_free(MarelleGame *game);

/* NULL if the game has a circuit, else the reason why it has none, in words. */
MARELLE_API const char *marelle_game_why_interpreted(const MarelleGame *game);

/* Roles are numbered from 0 in the order of their declaration. */
MARELLE_API uint32_t marelle_game_role_count(const MarelleGame *game);
/* In lower case; belongs to the game. NULL if there is no such role. */
MARELLE_API const char *marelle_game_role_name(const MarelleGame *game, uint32_t role);

/* ---- Playing -------------------------------------------------------------------------------- */

/* The memory one thread needs to ask about states of a game. */
typedef struct MarellePlay MarellePlay;

MARELLE_API MarellePlay *marelle_play_create(MarelleGame *game);
MARELLE_API void marelle_play_free(MarellePlay *play);

/* A state: the set of fluents that hold. It belongs to you; keep as many as you like. States of one
 * game mean nothing in another, even in one built from the same rules. */
typedef struct MarelleState MarelleState;

/* The empty state: a place to put an answer. */
MARELLE_API MarelleState *marelle_state_create(void);
MARELLE_API void marelle_state_free(MarelleState *state);
MARELLE_API void marelle_state_copy(MarelleState *to, const MarelleState *from);
MARELLE_API bool marelle_state_equal(const MarelleState *a, const MarelleState *b);
/* 64 bits, equal for equal states: for your hash tables. */
MARELLE_API uint64_t marelle_state_hash(const MarelleState *state);

/* Puts the state in which a match starts into `state`. */
MARELLE_API void marelle_initial(MarellePlay *play, MarelleState *state);
/* Whether a match is over in this state. */
MARELLE_API bool marelle_is_terminal(MarellePlay *play, const MarelleState *state);

/* The legal moves of a role, in ascending order: their number is returned, *moves is the list. A
 * move is a number that has a meaning for its role alone. The list belongs to `play` and lasts
 * until it is asked for the same role again. 0 moves for roles that do not exist. */
MARELLE_API size_t marelle_legal(MarellePlay *play, const MarelleState *state, uint32_t role,
                                 const uint32_t **moves);

/* Makes one move of each role (moves[role]) in `state` and puts what results into `next`, which may
 * be the same state. Whether the moves are legal is not looked at. MARELLE_BAD_ARGUMENT, and `next`
 * as it was, if a number stands for no move. */
MARELLE_API MarelleStatus marelle_next(MarellePlay *play, const MarelleState *state,
                                       const uint32_t *moves, MarelleState *next);

/* What a role scores in this state, as a rule from 0 to 100; most games tell it only where they
 * end. Or one of these: */
enum { MARELLE_GOAL_NONE = -1, MARELLE_GOAL_SEVERAL = -2 };
MARELLE_API int marelle_goal(MarellePlay *play, const MarelleState *state, uint32_t role);

/* The texts that the next functions return are in lower case with single blanks, in prefix
 * notation. They belong to `play` and last until it is asked for another one. */

/* "(mark 2 2)". NULL if there is no such role or move. */
MARELLE_API const char *marelle_move_text(MarellePlay *play, uint32_t role, uint32_t move);
/* All fluents of a state, sorted, with blanks between them: "(cell 1 1 b) (control xplayer)". */
MARELLE_API const char *marelle_state_text(MarellePlay *play, const MarelleState *state);
/* What a role perceives when these moves are made (GDL-II), in the same form; "" for nothing, NULL
 * if a role or move does not exist. */
MARELLE_API const char *marelle_sees(MarellePlay *play, const MarelleState *state,
                                     const uint32_t *moves, uint32_t role);

#define MARELLE_NO_MOVE UINT32_MAX
/* The move with this text, in any case; MARELLE_NO_MOVE if there is none. */
MARELLE_API uint32_t marelle_find_move(MarellePlay *play, uint32_t role, const char *text);

/* ---- Random play ---------------------------------------------------------------------------- */

/* What to play. One of `playouts` and `seconds` must be set. */
typedef struct {
    uint64_t playouts;    /* matches to play; 0: as many as time allows */
    double seconds;       /* of wall-clock time, after which none begins; 0: no limit */
    uint64_t seed;        /* one seed gives one result, if no clock ends the play */
    uint32_t step_limit;  /* turns after which a match is given up; 0: 10000 */
    uint64_t reserved[4]; /* zero */
} MarellePlayoutOptions;

typedef struct {
    uint64_t playouts;    /* matches that came to their end */
    uint64_t stuck;       /* given up because a role had no legal move */
    uint64_t too_long;    /* given up at the step limit, or a little later */
    uint64_t turns;       /* played in all of them */
    double cpu_seconds;   /* that the playing took */
    uint64_t reserved[4]; /* zero */
} MarellePlayoutStatistics;

/* Plays random matches from the initial state, every role choosing uniformly among its legal moves,
 * 512 at a time where the game has a circuit, on the calling thread. `mean_goals` is NULL or has
 * room for one number a role: the mean of its goal values at the ends of matches (NaN if there was
 * none). A match under way when time is up may end a fifth of the time late; then it is dropped.
 * MARELLE_BAD_ARGUMENT if neither `playouts` nor `seconds` is set. */
MARELLE_API MarelleStatus marelle_playouts(MarelleGame *game, const MarellePlayoutOptions *options,
                                           MarellePlayoutStatistics *statistics,
                                           double *mean_goals);

#ifdef __cplusplus
}
#endif

#endif
