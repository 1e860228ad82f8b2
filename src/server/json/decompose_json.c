/* A decomposition as JSON. Fluents and moves are written by name; everything else is copied field
 * by field. */
#include <assert.h>

#include "server/json/inside_json.h"
#include "server/json/json.h"

typedef struct {
    const Game *game;
    const GameWork *work;
    const Decomposition *d;
} Naming;

/* Writes a move of the role, given by its number in the circuit. */
static json_t *circuit_move_json(const Naming *s, uint32_t role, uint32_t move) {
    assert(move >= s->game->circuit->first_move[role]);
    return move_json(s->work, role, move - s->game->circuit->first_move[role]);
}

static json_t *actions_json(const Naming *s, const U32Vector *numbers) {
    json_t *array = json_array();
    for (size_t i = 0; i < numbers->count; i++) {
        const MetaAction *m = &s->d->actions.items[numbers->items[i]];
        json_t *moves = json_array();
        for (size_t k = 0; k < m->moves.count; k++)
            array_push(moves, circuit_move_json(s, m->role, m->moves.items[k]));
        array_push(array, object_of("role", role_json(s->game, m->role), "moves", moves));
    }
    return array;
}

static json_t *subgoals_json(const Naming *s, uint32_t subgame) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->d->subgoals.count; i++) {
        const SubGoal *goal = &s->d->subgoals.items[i];
        if (goal->subgame == subgame)
            array_push(array,
                       object_of("kind", text_json(goal->is_victory ? "victory" : "sub-goal"),
                                 "fluents", fluents_json(s->work, &goal->fluents)));
    }
    return array;
}

static json_t *subgame_json(const Naming *s, uint32_t number) {
    const Subgame *g = &s->d->subgames.items[number];
    return object_of("label", text_json(g->has_actions ? "AD" : "AI"), "useful",
                     json_boolean(g->is_useful), "terminal", json_boolean(g->is_terminal),
                     "scoring", json_boolean(g->is_scoring), "control", json_boolean(g->is_control),
                     "stepper", json_boolean(g->is_stepper), "synchronous",
                     json_boolean(g->is_synchronous), "order", json_integer(g->order), "fluents",
                     fluents_json(s->work, &g->fluents), "actions", actions_json(s, &g->actions),
                     "subgoals", subgoals_json(s, number));
}

static json_t *crossings_json(const Naming *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->d->crossings.count; i++) {
        const U32Vector *literals = &s->d->crossings.items[i];
        json_t *crossing = json_array();
        for (size_t k = 0; k < literals->count; k++) {
            bool holds = literals->items[k] & 1;
            Text text = {0};
            text_add(&text, holds ? "" : "(not ");
            game_fluent_text(s->work, literals->items[k] / 2, &text);
            text_add(&text, holds ? "" : ")");
            array_push(crossing, take_text_json(&text));
        }
        array_push(array, crossing);
    }
    return array;
}

static json_t *traits_json(const Decomposition *d) {
    const struct {
        bool holds;
        const char *name;
    } traits[] = {{d->is_compound, "compound"},
                  {d->is_multiple, "multiple"},
                  {d->has_stepper, "stepper"},
                  {d->is_impartial, "impartial"}};
    json_t *array = json_array();
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (traits[i].holds)
            array_push(array, text_json(traits[i].name));
    return array;
}

static json_t *counts_json(DecompositionCounts c) {
    return object_of("ad", json_integer(c.with_actions), "uad",
                     json_integer(c.useless_with_actions), "ai", json_integer(c.autonomous), "uai",
                     json_integer(c.useless_autonomous));
}

static json_t *kept_together_json(const Naming *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->d->kept_together.count; i++) {
        const U32Vector *groups = &s->d->kept_together.items[i];
        json_t *fluents = json_array();
        for (size_t k = 0; k < groups->count; k++)
            array_push(fluents, fluent_json(s->work, groups->items[k]));
        array_push(array, fluents);
    }
    return array;
}

static json_t *attempts_json(const Decomposition *d) {
    json_t *array = json_array();
    for (size_t i = 0; i < d->attempts.count; i++)
        array_push(array, object_of("playouts", count_json(d->attempts.items[i].playouts), "counts",
                                    counts_json(d->attempts.items[i].counts)));
    return array;
}

json_t *decomposition_json(const Game *game, const GameWork *work, const Decomposition *d,
                           Composition composition) {
    Naming naming = {game, work, d}, *s = &naming;
    json_t *subgames = json_array(), *steps = json_object();
    for (uint32_t i = 0; i < d->subgames.count; i++)
        array_push(subgames, subgame_json(s, i));
    for (int i = 0; i < STEP_COUNT; i++)
        object_add(steps, decompose_step_name(i), json_real(d->step_seconds[i]));
    return object_of("counts", counts_json(decomposition_counts(d)), "class",
                     text_json(composition_name(composition)), "traits", traits_json(d), "subgames",
                     subgames, "crossings", d->crossings.count ? crossings_json(s) : NULL,
                     "impartial", json_boolean(d->is_impartial), "imperfect",
                     json_boolean(d->is_imperfect), "unseen", count_json(d->unseen_count),
                     "kept_together", d->kept_together.count ? kept_together_json(s) : NULL,
                     "attempts", d->attempts.count ? attempts_json(d) : NULL, "steps", steps,
                     "playouts", count_json(d->playouts), "cpu_seconds", json_real(d->cpu_seconds),
                     "confidence", json_real(d->confidence));
}

/* The graph of dependencies for a drawing. Vertices are the fluents, then the meta-actions. */
json_t *decomposition_graph_json(const Game *game, const GameWork *work, const Decomposition *d) {
    const Naming naming = {game, work, d}, *s = &naming;
    static const char *const kinds[] = {
        [LINK_EFFECT] = "effect",   [LINK_CONTEXT] = "context", [LINK_CONDITION] = "condition",
        [LINK_PREMISE] = "premise", [LINK_GOAL] = "goal",       [LINK_CHOICE] = "choice"};
    uint32_t fluents = s->game->circuit->fluent_count;
    json_t *vertices = json_array(), *links = json_array();
    for (uint32_t v = 0; v < fluents + s->d->actions.count; v++) {
        const MetaAction *m = v < fluents ? NULL : &s->d->actions.items[v - fluents];
        uint32_t subgame = m ? m->subgame : s->d->subgame_of[v];
        array_push(vertices,
                   json_pack("[o,o,b]",
                             m ? circuit_move_json(s, m->role, m->moves.items[0])
                               : fluent_json(s->work, v),
                             subgame == SUBGAME_NONE ? json_null() : json_integer(subgame),
                             m != NULL));
    }
    for (size_t i = 0; i < s->d->links.count; i++) {
        const DependencyLink *link = &s->d->links.items[i];
        array_push(links, json_pack("[i,i,s,b]", (int)link->a, (int)link->b, kinds[link->kind],
                                    link->is_cut));
    }
    return json_pack("{s:o,s:o}", "vertices", vertices, "links", links);
}
