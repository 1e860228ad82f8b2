/* Draws states on a terminal, which is asked for its width once, when drawing starts. */
#include "cli/drawing.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Standard output may be a guarded stream, which has no number of its own. */
static int file_of(FILE *out) {
    return out == stdout ? STDOUT_FILENO : fileno(out);
}

/* Upper bound on the seconds spent recognising a board, so that nobody waits for a picture
 * (untuned). */
static const double recognition_seconds = 5;

const GameOptions picture_build = {.build_seconds = 5};

static uint32_t terminal_width(FILE *out) {
    struct winsize size;
    if (!isatty(file_of(out)) || ioctl(file_of(out), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

void drawing_start(Drawing *drawing, Game *game, FILE *out, bool ascii, uint64_t width) {
    bool is_terminal = isatty(file_of(out)) && !getenv("NO_COLOR");
    *drawing =
        (Drawing){.board = board_recognise(game, &(BoardOptions){.seconds = recognition_seconds})};
    drawing->options.ascii = ascii;
    drawing->options.colour = is_terminal;
    drawing->options.width =
        width ? (uint32_t)(width < 10000 ? width : 10000) : terminal_width(out);
}

void drawing_end(Drawing *drawing) {
    board_free(drawing->board);
}

bool drawing_print(const Drawing *drawing, const char *state, FILE *out, Report *report) {
    BoardView *view = board_view(drawing->board, state, report);
    if (!view)
        return false;
    Text text = {0};
    picture_draw(drawing->board, view, &drawing->options, &text);
    fputs(text_string(&text), out);
    vector_free(&text);
    board_view_free(view);
    return true;
}
