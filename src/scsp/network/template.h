/* One turn of a game as a constraint network, made once and used for every state: the translation
 * of GDL into constraints. Fluents that are proven to exclude each other are the values of one
 * variable, with 0 for none of them; so are the moves of a role. Every variable that rules conclude
 * is tied to them by their completion (Clark 1978): it has a value if and only if a rule for that
 * value fires, whereas moves may be made if some rule allows them. Small completions become tables,
 * large ones clauses with a variable for each body; atoms that depend on themselves become
 * functions.
 *
 * Variables stand in the order fluents, terminal, scores, actions, chance, derived atoms, fluents
 * of the next state, percepts, bodies. In all constraints the variable that is concluded comes
 * first. Roles are numbered as in the game, and a move is its own value. */
#pragma once

#include "analysis/certainty.h"
#include "game/game.h"
#include "scsp/network/constraint_network.h"

typedef struct {
    U32Vector fluents; /* the values 1, 2, ... */
    bool is_never_none;
} FluentGroup;

typedef VECTOR(FluentGroup) FluentGroups;

typedef struct {
    uint32_t role;
    int value;
    uint32_t variable; /* 1: this is the role's goal */
} TemplateScore;

typedef struct {
    uint32_t role;
    uint32_t variable; /* 1: it is perceived */
    char *text;        /* owned */
} TemplatePercept;

typedef struct {
    Game *game; /* not owned */
    Scsp network;
    uint32_t fluent_count, role_count, chance; /* SCSP_NONE without a chance role */
    FluentGroups groups;
    uint32_t *group_of, *value_of; /* by fluent; SCSP_NONE for those that never change */
    uint64_t *always;              /* bitset: fluents that hold in all states */
    uint16_t *initial;             /* by group: its value at the start */
    uint32_t *currents, *nexts;    /* variables, by group */
    uint32_t *actions;             /* by role, that of chance too */
    uint32_t terminal;
    VECTOR(TemplateScore) scores;
    VECTOR(TemplatePercept) percepts;
    VECTOR(char *) atoms; /* texts of derived atoms, by `thing` of auxiliary variables; owned */
    uint32_t body_count;  /* auxiliary variables that are bodies of rules */
    double cpu_seconds;
} Template;

typedef struct {
    double seconds;          /* CPU time; 0: the default of 10 */
    uint32_t most_variables; /* of a table, with the one concluded; 0: the default of 8 */
    uint32_t most_rows;      /* 0: the default */
} TemplateOptions;

/* NULL with a reason in the report if the game has no circuit, or its rules take too long. */
Template *template_create(Game *game, const TemplateOptions *options, Report *report);
void template_free(Template *template);

/* Values of the groups of a state, and back. */
void template_read_state(const Template *template, const State *state, uint16_t *values);
void template_write_state(const Template *template, const uint16_t *values, State *state);

/* groups.c: fluents in groups of which at most one is ever true, as far as that can be proven; the
 * others one by one. `constants` has a Ternary for each fluent. */
void groups_find(FluentGroups *groups, Game *game, const Grounding *grounding,
                 const uint8_t *constants, CpuBudget budget);
void groups_free(FluentGroups *groups);

/* "control = random", as people read it; the level is left out. */
void template_write_variable(const Template *t, const ScspVariable *variable, Text *out);
void template_write_value(const Template *t, const ScspVariable *variable, uint32_t value,
                          Text *out);
