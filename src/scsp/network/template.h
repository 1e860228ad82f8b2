/* The template: one turn of a game as a constraint network, translated from GDL once and used for
 * every state. Fluents that are proven mutually exclusive are the values of one variable, with 0
 * for none of them; the moves of a role are the values of one variable, too. The completion of the
 * rules (Clark 1978) constrains each variable: it has a value if and only if a rule for that value
 * fires. A move is possible if some rule makes it legal. Small completions become tables, large
 * ones clauses with a variable for each body. Atoms that depend on themselves become functions.
 *
 * Variables come in the order fluents, terminal, scores, actions, chance, derived atoms, fluents of
 * the next state, percepts, bodies. The defined variable comes first in every constraint. Roles
 * have the numbers of the game, and a move is its own value. */
#pragma once

#include "analysis/certainty.h"
#include "game/game.h"
#include "scsp/network/constraint_network.h"

typedef struct {
    U32Vector fluents;  /* by value, from 1 on */
    bool is_never_none; /* proven that one of them always holds */
} FluentGroup;

typedef VECTOR(FluentGroup) FluentGroups;

typedef struct {
    uint32_t role;
    int value;
    uint32_t variable; /* 1 if this is the goal of the role */
} TemplateScore;

typedef struct {
    uint32_t role;
    uint32_t variable; /* 1 if the role perceives it */
    char *text;        /* owned */
} TemplatePercept;

typedef struct {
    Game *game; /* not owned */
    Scsp network;
    uint32_t fluent_count, role_count, chance; /* SCSP_NONE without a chance role */
    FluentGroups groups;
    uint32_t *group_of, *value_of; /* by fluent; SCSP_NONE for those that never change */
    uint64_t *always;              /* bitset: fluents that hold in all states */
    uint16_t *initial;             /* by group: its value in the initial state */
    uint32_t *currents, *nexts;    /* variables, by group */
    uint32_t *actions;             /* variables, by role, chance included; SCSP_NONE: none */
    uint32_t terminal;
    VECTOR(TemplateScore) scores;
    VECTOR(TemplatePercept) percepts;
    VECTOR(char *) atoms; /* texts of derived atoms, by `thing` of auxiliary variables; owned */
    uint32_t body_count;  /* auxiliary variables that are bodies of rules */
    double cpu_seconds;
} Template;

typedef struct {
    double seconds;          /* CPU time; 0: the default of 10 */
    uint32_t most_variables; /* of a table, with the defined one; 0: 8 */
    uint32_t most_rows;      /* of a table; 0: 20,000 */
} TemplateOptions;

/* NULL with a reason in the report if the game has no circuit, or its rules take too long. */
Template *template_create(Game *game, const TemplateOptions *options, Report *report);
void template_free(Template *template);

/* Converts a state to values by group, and back. */
void template_read_state(const Template *template, const State *state, uint16_t *values);
void template_write_state(const Template *template, const uint16_t *values, State *state);

/* groups.c: fluents in groups of which at most one is ever true, as far as that can be proven; the
 * others one by one. `constants` has a Ternary for each fluent. */
void groups_find(FluentGroups *groups, Game *game, const Grounding *grounding,
                 const uint8_t *constants, CpuBudget budget);
void groups_free(FluentGroups *groups);

/* Write variables and values for people, without the level: "control = random". */
void template_write_variable(const Template *t, const ScspVariable *variable, Text *out);
void template_write_value(const Template *t, const ScspVariable *variable, uint32_t value,
                          Text *out);
