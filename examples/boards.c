/* The example of include/marelle/boards.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

static void draw(MarelleGame *game) {
    MarelleBoard *board = marelle_board_recognise(game, 0);
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    marelle_initial(play, state);
    char *picture = marelle_board_text(board, play, state, NULL);
    fputs(picture, stdout);
    marelle_text_free(picture);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_board_free(board);
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        draw(game);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
