/* The graph of dependencies for graphviz: fluents are ellipses, meta-actions boxes, and each
 * subgame has a colour. */
#include "analysis/decompose/decompose.h"

static void write_label(Text *out, const char *text) {
    text_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            text_add_char(out, '\\');
        text_add_char(out, *text);
    }
    text_add_char(out, '"');
}

static void write_vertex(Text *out, uint32_t vertex, const char *text, const char *shape,
                         uint32_t subgame, size_t count) {
    text_printf(out, "  v%u [shape=%s, style=filled, label=", vertex, shape);
    write_label(out, text);
    if (subgame == SUBGAME_NONE)
        text_printf(out, ", fillcolor=white];\n");
    else
        text_printf(out, ", fillcolor=\"%.3f 0.4 1.0\"];\n", (double)subgame / (double)count);
}

static void write_vertices(Text *out, const Game *game, const GameWork *work,
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

void decomposition_write_dot(const Game *game, const GameWork *work, const Decomposition *d,
                             Text *out) {
    static const char *const styles[] = {
        [LINK_EFFECT] = "solid",   [LINK_CONTEXT] = "dashed", [LINK_CONDITION] = "dotted",
        [LINK_PREMISE] = "dashed", [LINK_GOAL] = "bold",      [LINK_CHOICE] = "bold"};
    uint32_t fluents = game->circuit->fluent_count;
    text_printf(out, "graph decomposition {\n  overlap=false;\n");
    write_vertices(out, game, work, d);
    for (size_t i = 0; i < d->links.count; i++) {
        const DependencyLink *link = &d->links.items[i];
        bool drawn = (link->a >= fluents || d->subgame_of[link->a] != SUBGAME_NONE) &&
                     (link->b >= fluents || d->subgame_of[link->b] != SUBGAME_NONE);
        if (drawn)
            text_printf(out, "  v%u -- v%u [style=%s%s];\n", link->a, link->b, styles[link->kind],
                        link->is_cut ? ", color=grey" : "");
    }
    text_printf(out, "}\n");
}
