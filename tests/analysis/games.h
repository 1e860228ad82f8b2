/* Games of the project for tests of analyses, as they are and disguised: ground, with a new word
 * for every fluent, move and auxiliary atom, and with shuffled rules, so that names tell
 * nothing. */
#ifndef MARELLE_TESTS_ANALYSIS_GAMES_H
#define MARELLE_TESTS_ANALYSIS_GAMES_H

#include "base/random.h"
#include "game/game.h"
#include "support.h"

__attribute__((unused)) static Rules *rules_named(const char *name) {
    Report report = {0};
    Text path = {0};
    text_printf(&path, MARELLE_TESTS "/../games/%s.kif", name);
    Rules *rules = rules_read(path.items, &report);
    cr_assert_not_null(rules, "%s: %s", name, first_problem(&report));
    vector_free(&path);
    report_free(&report);
    return rules;
}

__attribute__((unused)) static Game *game_of_rules(Rules *rules, bool interpreted) {
    Report report = {0};
    GameOptions options = {.interpreter_only = interpreted};
    Game *game = game_create(rules, &options, &report);
    cr_assert_not_null(game, "%s", first_problem(&report));
    report_free(&report);
    return game;
}

__attribute__((unused)) static Game *game_named(const char *name) {
    return game_of_rules(rules_named(name), false);
}

__attribute__((unused)) static Game *game_of_text(const char *text) {
    return game_of_rules(rules_of(text), false);
}

static void shuffle(uint32_t *numbers, uint32_t count, Random *random) {
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)random_below(random, i), swap = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = swap;
    }
}

typedef struct {
    char **names; /* by atom; NULL for auxiliary atoms */
    const Grounding *g;
    uint32_t *fluents, *moves; /* their new words */
} Disguise;

static void name_atom(Disguise *d, Atom atom, const char *format, uint32_t a, uint32_t b) {
    Text text = {0};
    if (atom == ATOM_NONE)
        return;
    text_printf(&text, format, a, b);
    free(d->names[atom]);
    d->names[atom] = text.items;
}

static void name_atoms(Disguise *d) {
    const Grounding *g = d->g;
    for (uint32_t f = 0; f < g->fluents.count; f++) {
        name_atom(d, g->fluents.items[f].current, "(true f%u)", d->fluents[f], 0);
        name_atom(d, g->fluents.items[f].next, "(next f%u)", d->fluents[f], 0);
    }
    for (uint32_t m = 0; m < g->moves.count; m++) {
        name_atom(d, g->moves.items[m].legal, "(legal r%u m%u)", g->moves.items[m].role,
                  d->moves[m]);
        name_atom(d, g->moves.items[m].does, "(does r%u m%u)", g->moves.items[m].role, d->moves[m]);
    }
    for (size_t i = 0; i < g->goals.count; i++) {
        Text value = {0}, format = {0};
        write_term(&value, grounding_terms(g), g->goals.items[i].term, NOTATION_KIF);
        text_printf(&format, "(goal r%%u %s)", text_string(&value));
        name_atom(d, g->goals.items[i].atom, format.items, g->goals.items[i].role, 0);
        vector_free(&value);
        vector_free(&format);
    }
    name_atom(d, g->terminal, "terminal", 0, 0);
}

static void write_disguised_atom(const Disguise *d, Atom atom, Text *out) {
    if (d->names[atom])
        text_add(out, d->names[atom]);
    else
        text_printf(out, "p%u", atom);
}

static void write_disguised_rule(const Disguise *d, const GroundRule *rule, Text *out) {
    text_add(out, "(<= ");
    write_disguised_atom(d, rule->head, out);
    for (uint32_t i = 0; i < rule->literal_count; i++) {
        GroundLiteral literal = d->g->literals.items[rule->first_literal + i];
        text_add(out, literal & 1 ? " (not " : " ");
        write_disguised_atom(d, literal >> 1, out);
        text_add(out, literal & 1 ? ")" : "");
    }
    text_add(out, ")\n");
}

/* Returns the rules as text with new names, for games without chance and percepts. */
__attribute__((unused)) static char *disguised(const Rules *rules, uint64_t seed) {
    Report report = {0};
    GroundBudget budget = {0};
    Grounding *g = ground_rules(rules, &budget, &report);
    cr_assert_not_null(g);
    Random random;
    random_seed(&random, seed);
    Disguise d = {.g = g, .names = memory_zalloc(g->atom_relations.count * sizeof *d.names)};
    d.fluents = memory_alloc((g->fluents.count + 1) * sizeof *d.fluents);
    d.moves = memory_alloc((g->moves.count + 1) * sizeof *d.moves);
    uint32_t *order = memory_alloc((g->rules.count + 1) * sizeof *order);
    shuffle(d.fluents, (uint32_t)g->fluents.count, &random);
    shuffle(d.moves, (uint32_t)g->moves.count, &random);
    shuffle(order, (uint32_t)g->rules.count, &random);
    name_atoms(&d);
    Text text = {0};
    for (uint32_t r = 0; r < g->roles.count; r++)
        text_printf(&text, "(role r%u)\n", r);
    for (uint32_t f = 0; f < g->fluents.count; f++)
        if (g->fluents.items[f].initial)
            text_printf(&text, "(init f%u)\n", d.fluents[f]);
    for (uint32_t i = 0; i < g->rules.count; i++)
        write_disguised_rule(&d, &g->rules.items[order[i]], &text);
    for (size_t a = 0; a < g->atom_relations.count; a++)
        free(d.names[a]);
    free(d.names);
    free(d.fluents);
    free(d.moves);
    free(order);
    grounding_free(g);
    report_free(&report);
    return text.items;
}

__attribute__((unused)) static uint32_t fluent_of(GameWork *work, const char *text) {
    uint32_t fluent = game_find_fluent(work, text, strlen(text));
    cr_assert_neq(fluent, MOVE_NONE, "no fluent %s", text);
    return fluent;
}

#endif
