/* The graph is DOT in a pipe to graphviz's `dot`, which draws the picture. For the board each
 * fluent is viewed as a state in which only this fluent holds, which gives its square; the numbers
 * of the subgames are then drawn like pieces. */
#include "cli/verbs/draw_decomposition.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/drawing.h"
#include "cli/output.h"

enum { MAX_VERTICES = 4000 };

/* Starts `dot` and returns a stream to its standard input, or NULL if it cannot be started. */
static FILE *start_dot(const char *path, pid_t *pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    char *arguments[] = {"dot", "-Ksfdp", "-Tsvg", "-o", (char *)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    int failure = posix_spawnp(pid, "dot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    FILE *out = failure ? NULL : fdopen(ends[1], "w");
    if (!out)
        close(ends[1]);
    return out;
}

static bool ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

bool draw_decomposition(const Game *game, const GameWork *work, const Decomposition *d,
                        const char *path) {
    pid_t pid = 0;
    bool plain = ends_with(path, ".dot");
    if (!plain && game->circuit->fluent_count + d->actions.count > MAX_VERTICES)
        return complain(
            "the graph is too large to draw; a name that ends in .dot keeps it as text");
    FILE *out = plain ? fopen(path, "w") : start_dot(path, &pid);
    if (!out) {
        if (plain)
            complain("%s: %s", path, strerror(errno));
        else
            complain("graphviz's `dot` cannot be started; a name that ends in .dot needs none");
        return false;
    }
    Text dot = {0};
    decomposition_write_dot(game, work, d, &dot);
    bool written = fputs(text_string(&dot), out) != EOF;
    written = fclose(out) == 0 && written;
    vector_free(&dot);
    int status = 0;
    if (!plain)
        written = waitpid(pid, &status, 0) == pid && status == 0 && written;
    if (!written)
        complain("%s could not be written", path);
    return written;
}

/* ---- the board ---- */

#define NO_SUBGAME UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

typedef struct {
    const Decomposition *d;
    const Board *board;
    uint32_t **numbers; /* by grid, plane and square: number of the subgame */
    BoardPiece *pieces; /* by subgame; the last one stands for several subgames */
} Numbered;

static size_t place_count(const BoardGrid *grid) {
    size_t planes = grid->planes.values.count ? grid->planes.values.count : 1;
    return planes * grid_width(grid) * grid_height(grid);
}

static size_t place_of(const BoardGrid *grid, const PlacedPiece *p) {
    return ((size_t)p->plane * grid_height(grid) + p->y) * grid_width(grid) + p->x;
}

static void number_fluent(Numbered *n, GameWork *work, uint32_t f) {
    Text text = {0};
    Report report = {0};
    uint32_t subgame = n->d->subgame_of[f];
    game_fluent_text(work, f, &text);
    BoardView *view = board_view_facts(n->board, text_string(&text), &report);
    for (size_t i = 0; view && i < view->pieces.count; i++) {
        const PlacedPiece *p = &view->pieces.items[i];
        uint32_t *number = &n->numbers[p->grid][place_of(&n->board->grids.items[p->grid], p)];
        *number = *number == NO_SUBGAME || *number == subgame ? subgame : SEVERAL;
    }
    board_view_free(view);
    report_free(&report);
    vector_free(&text);
}

static void place_numbers(const Numbered *n, BoardView *view) {
    for (uint32_t g = 0; g < n->board->grids.count; g++) {
        const BoardGrid *grid = &n->board->grids.items[g];
        uint32_t width = grid_width(grid), height = grid_height(grid);
        for (size_t at = 0; at < place_count(grid); at++) {
            uint32_t number = n->numbers[g][at];
            if (number == NO_SUBGAME)
                continue;
            if (number == SEVERAL)
                number = (uint32_t)n->d->subgames.count;
            const BoardPiece *piece = &n->pieces[number];
            vector_push(&view->pieces,
                        ((PlacedPiece){.grid = g,
                                       .plane = (uint32_t)(at / ((size_t)width * height)),
                                       .x = (uint32_t)(at % width),
                                       .y = (uint32_t)(at / width % height),
                                       .text = piece->mark,
                                       .piece = piece}));
        }
    }
}

static void numbered_open(Numbered *n, const Decomposition *d, const Board *board) {
    *n = (Numbered){.d = d, .board = board};
    n->numbers = memory_zalloc((board->grids.count + 1) * sizeof *n->numbers);
    for (size_t g = 0; g < board->grids.count; g++) {
        size_t count = place_count(&board->grids.items[g]);
        n->numbers[g] = memory_alloc((count + 1) * sizeof **n->numbers);
        memset(n->numbers[g], 0xff, count * sizeof **n->numbers);
    }
    n->pieces = memory_zalloc((d->subgames.count + 1) * sizeof *n->pieces);
    for (size_t i = 0; i <= d->subgames.count; i++)
        snprintf(n->pieces[i].mark, sizeof n->pieces[i].mark, "%zu", (i + 1) % 10000000);
    strcpy(n->pieces[d->subgames.count].mark, "*");
}

static void numbered_close(Numbered *n) {
    for (size_t g = 0; g < n->board->grids.count; g++)
        free(n->numbers[g]);
    memory_free(n->numbers, n->pieces);
}

bool draw_subgames(Game *game, GameWork *work, const Decomposition *d, FILE *out) {
    Drawing drawing;
    drawing_start(&drawing, game, out, false, 0);
    bool has_board = drawing.board->grids.count > 0;
    if (has_board) {
        Numbered n;
        BoardView view = {0};
        Text text = {0};
        numbered_open(&n, d, drawing.board);
        for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
            if (d->subgame_of[f] != SUBGAME_NONE)
                number_fluent(&n, work, f);
        place_numbers(&n, &view);
        drawing.options.no_legend = true;
        picture_draw(drawing.board, &view, &drawing.options, &text);
        fputs(text_string(&text), out);
        vectors_free(&text, &view.pieces);
        numbered_close(&n);
    }
    drawing_end(&drawing);
    return has_board;
}
