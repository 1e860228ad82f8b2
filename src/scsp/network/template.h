/* The template: one turn of a game as a constraint network, translated from GDL once and used for
 * every state. Fluents that are proven mutually exclusive are the values of one variable, with 0
 * for none of them; the moves of a role are the values of one variable, too. The completion of the
 * rules (Clark 1978) constrains each variable: it has a value if and only if a rule for that value
 * fires. A move is possible if some rule makes it legal. Small completions become tables, large
 * ones clauses with a variable for each body. Atoms that depend on themselves become functions. */
#pragma once

#include "analysis/certainty.h"
#include "game/game.h"
#include "scsp/network/constraint_network.h"

typedef struct {
    U32Vector fluents;  /* fluents of the values 1, 2, ...; the value 0 stands for none of them */
    bool is_never_none; /* it is proven that one of them is always true */
} FluentGroup;

typedef VECTOR(FluentGroup) FluentGroups;

typedef struct {
    uint32_t role;
    int value;
    uint32_t variable; /* variable that is 1 if this is the goal of the role */
} TemplateScore;

typedef struct {
    uint32_t role;
    uint32_t variable; /* variable that is 1 if the role perceives it */
    const char *text;
} TemplatePercept;

/* Variables of the network come in the order fluents, terminal, scores, actions, chance, derived
 * atoms, fluents of the next state, percepts, bodies. The defined variable comes first in every
 * constraint. Roles are numbered as in the game, and so are moves. */
typedef struct {
    Game *game; /* not owned */
    Scsp network;
    /* `chance` is the role of chance; SCSP_NONE if there is none. */
    uint32_t fluent_count, role_count, chance;
    FluentGroups groups;
    /* By fluent: its group, and its value there; SCSP_NONE if it never changes. */
    uint32_t *group_of, *value_of;
    uint64_t *always;           /* bitset of the fluents that are true in all states */
    uint16_t *initial;          /* by group: its value in the initial state */
    uint32_t *currents, *nexts; /* by group: its variable in the current and in the next state */
    uint32_t *actions; /* by role, including chance: its variable; SCSP_NONE if it has none */
    uint32_t terminal;
    VECTOR(TemplateScore) scores;
    VECTOR(TemplatePercept) percepts;
    VECTOR(const char *)
    atoms;               /* by `index_in_kind` of auxiliary variables: the derived atom as text */
    uint32_t body_count; /* number of auxiliary variables that are bodies of rules */
    double cpu_seconds;
} Template;

typedef struct {
    double seconds; /* CPU seconds; 0 stands for 10 */
    /* Greatest number of columns of a table, including the defined variable; 0 stands for 8. */
    uint32_t max_variables;
    uint32_t max_rows; /* greatest number of rows of a table; 0 stands for 20,000 */
} TemplateOptions;

/* Returns NULL, with a reason in the report, without a circuit or if the rules take too long. */
Template *template_create(Game *game, const TemplateOptions *options, Report *report);
void template_free(Template *template);

/* Converts a state to values by group, and values back to a state. */
void template_read_state(const Template *template, const State *state, uint16_t *values);
void template_write_state(const Template *template, const uint16_t *values, State *state);

/* Write variables and values for people, without the level: "control = random". */
void template_write_variable(const Template *t, const ScspVariable *variable, Text *out);
void template_write_value(const Template *t, const ScspVariable *variable, uint32_t value,
                          Text *out);
