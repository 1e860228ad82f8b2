/* marelle show: one state of a game as a picture. */
#include <stdio.h>
#include <string.h>

#include "analysis/board/board_svg.h"
#include "cli/drawing.h"
#include "cli/output.h"
#include "cli/position.h"
#include "cli/verbs.h"
#include "server/json/inside_json.h"
#include "server/referee/played.h"

typedef struct {
    const char *moves, *record;
    bool ascii, legal, svg;
    uint64_t width, match, step;
} VerbOptions;

static const Option options[] = {
    {"moves", 'm', OPTION_TEXT, "MOVES", OWN(moves), "joint moves that lead to the state"},
    {"record", 0, OPTION_TEXT, "FILE", OWN(record), "play the moves of a recorded match instead"},
    {"match", 0, OPTION_COUNT, "N", OWN(match), "the Nth match of the record (default 1)"},
    {"step", 0, OPTION_COUNT, "N", OWN(step),
     "stop after N turns of the record (default: its end)"},
    {"legal", 0, OPTION_FLAG, NULL, OWN(legal), "list the legal moves as well"},
    {"svg", 0, OPTION_FLAG, NULL, OWN(svg), "write an SVG document instead of text"},
    {"ascii", 0, OPTION_FLAG, NULL, OWN(ascii), "draw with plain ASCII"},
    {"width", 0, OPTION_COUNT, "N", OWN(width),
     "characters in a line (default: the terminal's, else 80)"},
};

static void print_as_json(const Command *command, MatchPosition *p, const Drawing *drawing) {
    print_json_about(command->arguments[0],
                     object_add(position_json(p->game, drawing->board, p->work, &p->state, true),
                                "turns", json_integer(p->turns), "board",
                                boards_json(drawing->board)));
}

static void print_legal(MatchPosition *p) {
    U32Vector legal = {0};
    Text move = {0};
    for (uint32_t r = 0; r < p->game->role_count; r++) {
        game_legal(p->work, &p->state, r, &legal);
        for (size_t i = 0; i < legal.count; i++) {
            text_clear(&move);
            game_move_text(p->work, r, legal.items[i], &move);
            printf("  %s %s\n", p->game->roles[r], text_string(&move));
        }
    }
    vectors_free(&legal, &move);
}

static bool print_as_svg(const Drawing *drawing, const char *state, Report *report) {
    BoardView *view = board_view(drawing->board, state, report);
    if (!view)
        return false;
    Text text = {0};
    board_svg(drawing->board, view, NULL, &text);
    fputs(text_string(&text), stdout);
    vector_free(&text);
    board_view_free(view);
    return true;
}

static bool print_as_picture(const Command *command, MatchPosition *p, const Drawing *drawing,
                             const char *state, Report *report) {
    const VerbOptions *own = command->options;
    if (!drawing_print(drawing, state, stdout, report))
        return false;
    if (game_is_terminal(p->work, &p->state)) {
        printf("  over:");
        for (uint32_t r = 0; r < p->game->role_count; r++) {
            int goal = game_goal(p->work, &p->state, r);
            printf(goal >= 0 ? " %s %d" : " %s -", p->game->roles[r], goal);
        }
        puts("");
    } else if (own->legal) {
        print_legal(p);
    }
    return true;
}

static int show_position(const Command *command, MatchPosition *p) {
    const VerbOptions *own = command->options;
    Report report = {0};
    Drawing drawing;
    Text state = {0};
    drawing_start(&drawing, p->game, stdout, own->ascii, own->width);
    game_state_text(p->work, &p->state, &state);
    bool ok = true;
    if (command->common.json)
        print_as_json(command, p, &drawing);
    else if (own->svg)
        ok = print_as_svg(&drawing, text_string(&state), &report);
    else
        ok = print_as_picture(command, p, &drawing, text_string(&state), &report);
    if (!ok)
        print_failure(&report);
    vector_free(&state);
    drawing_end(&drawing);
    report_free(&report);
    return ok ? STATUS_DONE : STATUS_USAGE;
}

/* Plays the moves of the record up to the turn asked for. Returns false after complaining. */
static bool play_record(const VerbOptions *own, MatchPosition *p) {
    Report report = {0};
    Text moves = {0};
    uint64_t number = own->match ? own->match : 1;
    Played *played = played_read(own->record, &report);
    bool ok = played && number <= played->matches.count;
    if (!played)
        print_failure(&report);
    else if (!ok)
        complain("%s has %zu matches", own->record, played->matches.count);
    const PlayedMatch *match = ok ? &played->matches.items[number - 1] : NULL;
    if (match && own->step > match->moves.count) {
        complain("the match has %zu turns", match->moves.count);
        ok = false;
    }
    if (match && match->role_count != p->game->role_count) {
        complain("the match has %u roles, the game %u", match->role_count, p->game->role_count);
        ok = false;
    }
    if (ok) {
        size_t turns = own->step ? own->step : match->moves.count;
        for (size_t t = 0; t < turns; t++)
            for (uint32_t r = 0; r < match->role_count; r++)
                text_printf(&moves, "%s ", match->moves.items[t][r]);
        ok = position_play(p, text_string(&moves));
    }
    vector_free(&moves);
    played_free(played);
    report_free(&report);
    return ok;
}

static int show(const Command *command, Game *game) {
    const VerbOptions *own = command->options;
    MatchPosition position;
    position_init(&position, game);
    bool ok = true;
    if (own->record)
        ok = play_record(own, &position);
    if (ok && own->moves)
        ok = position_play(&position, own->moves);
    int status = ok ? show_position(command, &position) : STATUS_USAGE;
    position_free(&position);
    return status;
}

const Verb verb_show = {
    .name = "show",
    .arguments = "GAME",
    .summary = "draw a state: the board as recognised from the rules",
    .description =
        "Draws the initial state, or the one that --moves or a --record lead to. What is a board, "
        "in which\n"
        "order its coordinates come and what stands on it is found from the structure of the\n"
        "rules (docs/how-it-works/boards.md). A dot is an empty square. --json: the recognised "
        "board,\n"
        "the cells of the state and the squares that each legal move points at.",
    .example = "show tic_tac_toe --moves \"(mark 1 1) noop; noop (mark 2 2)\"",
    VERB_OPTIONS,
    .unused = "seed threads playouts verbose",
    .takes = {1, 1},
    .play = show,
    .build = &picture_build,
};
