/* Writes DOT into a pipe to graphviz's `dot`, which draws the picture. */
#include "cli/verbs/draw_decomposition.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"

enum { VERTICES_AT_MOST = 4000 };

static void write_label(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_vertex(FILE *out, uint32_t vertex, const char *text, const char *shape,
                         uint32_t subgame, size_t count) {
    fprintf(out, "  v%u [shape=%s, style=filled, label=", vertex, shape);
    write_label(out, text);
    if (subgame == SUBGAME_NONE)
        fprintf(out, ", fillcolor=white];\n");
    else
        fprintf(out, ", fillcolor=\"%.3f 0.4 1.0\"];\n", (double)subgame / (double)count);
}

static void write_vertices(FILE *out, const Game *game, const GameWork *work,
                           const Decomposition *d) {
    const Circuit *c = game->circuit;
    Text text = {0};
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        if (d->subgame_of[f] == SUBGAME_NONE)
            continue;
        text_clear(&text);
        game_fluent_text(work, f, &text);
        write_vertex(out, f, text_string(&text), "ellipse", d->subgame_of[f], d->subgames.count);
    }
    for (uint32_t id = 0; id < d->actions.count; id++) {
        const MetaAction *m = &d->actions.items[id];
        text_clear(&text);
        text_printf(&text, "%s ", game->roles[m->role]);
        game_move_text(work, m->role, m->moves.items[0] - c->first_move[m->role], &text);
        if (m->moves.count > 1)
            text_printf(&text, " +%zu", m->moves.count - 1);
        write_vertex(out, c->fluent_count + id, text_string(&text), "box", m->subgame,
                     d->subgames.count);
    }
    vector_free(&text);
}

static void write_dot(FILE *out, const Game *game, const GameWork *work, const Decomposition *d) {
    static const char *const styles[] = {
        [LINK_EFFECT] = "solid",   [LINK_CONTEXT] = "dashed", [LINK_CONDITION] = "dotted",
        [LINK_PREMISE] = "dashed", [LINK_GOAL] = "bold",      [LINK_CHOICE] = "bold"};
    uint32_t fluents = game->circuit->fluent_count;
    fprintf(out, "graph decomposition {\n  overlap=false;\n");
    write_vertices(out, game, work, d);
    for (size_t i = 0; i < d->links.count; i++) {
        const DependencyLink *link = &d->links.items[i];
        bool drawn = (link->a >= fluents || d->subgame_of[link->a] != SUBGAME_NONE) &&
                     (link->b >= fluents || d->subgame_of[link->b] != SUBGAME_NONE);
        if (drawn)
            fprintf(out, "  v%u -- v%u [style=%s%s];\n", link->a, link->b, styles[link->kind],
                    link->is_cut ? ", color=grey" : "");
    }
    fprintf(out, "}\n");
}

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
    if (!plain && game->circuit->fluent_count + d->actions.count > VERTICES_AT_MOST) {
        complain("the graph is too large to draw; a name that ends in .dot keeps it as text");
        return false;
    }
    FILE *out = plain ? fopen(path, "w") : start_dot(path, &pid);
    if (!out) {
        if (plain)
            complain("%s: %s", path, strerror(errno));
        else
            complain("graphviz's `dot` cannot be started; a name that ends in .dot needs none");
        return false;
    }
    write_dot(out, game, work, d);
    bool written = fclose(out) == 0;
    int status = 0;
    if (!plain)
        written = waitpid(pid, &status, 0) == pid && status == 0 && written;
    if (!written)
        complain("%s could not be written", path);
    return written;
}
