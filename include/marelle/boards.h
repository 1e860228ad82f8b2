/* Boards: what is a board, a heap or a counter is recognised from the rules alone, and a state is
 * described or drawn with it. Included by <marelle/marelle.h>. A whole program, which draws the
 * initial state:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     static void draw(MarelleGame *game) {
 *         MarelleBoard *board = marelle_board_recognise(game, 0);
 *         MarellePlay *play = marelle_play_create(game);
 *         MarelleState *state = marelle_state_create();
 *         marelle_initial(play, state);
 *         char *picture = marelle_board_text(board, play, state, NULL);
 *         fputs(picture, stdout);
 *         marelle_text_free(picture);
 *         marelle_state_free(state);
 *         marelle_play_free(play);
 *         marelle_board_free(board);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             draw(game);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 */
#ifndef MARELLE_BOARDS_H
#define MARELLE_BOARDS_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What was recognised. Nobody changes it, so threads may share it; it does not need the game. */
typedef struct MarelleBoard MarelleBoard;

/* Recognises the board from the rules and random matches with this seed. It never fails: at worst
 * all fluents are facts without a place. */
MARELLE_API MarelleBoard *marelle_board_recognise(MarelleGame *game, uint64_t seed);
typedef struct {
    uint64_t seed;
    double cpu_seconds;   /* for random matches; 0: no limit */
    const bool *stopped;  /* the call ends soon after another thread sets this; NULL: nobody does */
    uint64_t reserved[4]; /* must be zero */
} MarelleBoardOptions;

/* The same with limits. MARELLE_SPENT, with *board NULL, if it was stopped, MARELLE_BAD_ARGUMENT if
 * an option is out of range. */
MARELLE_API MarelleStatus marelle_board_create(MarelleGame *game,
                                               const MarelleBoardOptions *options,
                                               MarelleBoard **board, MarelleProblem *problem);
/* NULL is allowed. */
MARELLE_API void marelle_board_free(MarelleBoard *board);

/* What does not change during a match: grids with labels and pieces, and the meaning of fluents and
 * moves; the key `board` of `marelle show --json`. */
MARELLE_API char *marelle_board_json(const MarelleBoard *board);

/* A state: text, end, goals, cells, counters, and if asked for the legal moves with the squares
 * they point at; the keys of `marelle show --json`. */
MARELLE_API char *marelle_board_state_json(const MarelleBoard *board, MarellePlay *play,
                                           const MarelleState *state, bool with_legal);

typedef struct {
    bool ascii;           /* no characters that draw boxes */
    bool colour;          /* escape sequences of terminals */
    bool no_legend;       /* the marks are not explained */
    uint32_t width;       /* characters in a line; 0: 80 */
    uint64_t reserved[4]; /* must be zero */
} MarellePictureOptions;

/* A state as lines of text. `options` may be NULL. */
MARELLE_API char *marelle_board_text(const MarelleBoard *board, MarellePlay *play,
                                     const MarelleState *state,
                                     const MarellePictureOptions *options);

/* A state as an SVG document, which needs nothing from outside; `turned`: seen from the other side.
 */
MARELLE_API char *marelle_board_svg(const MarelleBoard *board, MarellePlay *play,
                                    const MarelleState *state, bool turned);

#ifdef __cplusplus
}
#endif

#endif
