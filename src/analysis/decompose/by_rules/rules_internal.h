/* What the parts of decomposition by rules (rules_method.h) share. */
#pragma once

#include "analysis/decompose/by_rules/rules_method.h"
#include "base/table.h"

/* Actions of one role with the same effect in the same circumstances. */
typedef struct {
    uint32_t role;
    uint64_t *actions; /* moves of the whole game */
    U32Vector effects; /* fluents */
    U32Vector context; /* literals beside the action in `next`, and those that `legal` of all
                          actions has in common */
} RulesMetaAction;

typedef struct {
    DnfLiteral literal;     /* what the late actions need; an auxiliary predicate */
    uint64_t *early, *late; /* actions; NULL if there is no pivot */
} RulesPivot;

typedef struct {
    uint32_t low, high; /* fluents */
    bool is_exclusive;  /* they never hold together */
} RulesPair;

typedef struct {
    const Grounding *g;
    DnfForms *forms;
    uint32_t fluent_count, move_count, role_count, move_words;
    const DnfFormula **next;  /* by fluent */
    const DnfFormula **legal; /* by move */
    uint64_t *responsible;    /* row of a fluent: the moves that may change it */
    bool *is_independent;     /* by fluent: no move may change it */
    bool *has_effect;         /* by move */
    uint8_t *waiting;         /* by move: whether a role that can do it can do nothing else, once
                                 somebody has asked */
    U32Vector *needs; /* by move: literals of its `legal` that moves can change; ascending */
    VECTOR(RulesMetaAction) meta_actions;
    Table meta_action_table;
    VECTOR(RulesPair) pairs; /* those somebody asked about */
    Table pair_table;
    RulesPivot pivot;
} RulesAnalysis;

static inline uint64_t *rules_responsible(const RulesAnalysis *analysis, uint32_t fluent) {
    return analysis->responsible + (size_t)fluent * analysis->move_words;
}

static inline bool rules_clause_has(const DnfClause *clause, DnfLiteral literal) {
    for (uint32_t i = 0; i < clause->count; i++)
        if (clause->literals[i] == literal)
            return true;
    return false;
}

/* The forms of all outputs; false if time or clauses ran out. */
bool rules_find_forms(RulesAnalysis *analysis);
/* Who may be responsible for what, and which fluents no move can change; false if time ran out. */
bool rules_find_effects(RulesAnalysis *analysis, const Deadline *deadline);
void rules_find_needs(RulesAnalysis *analysis);
void rules_find_meta_actions(RulesAnalysis *analysis);
/* The predicate that parts a serial game in two, if there is one. */
void rules_find_pivot(RulesAnalysis *analysis);

/* Calls for each fluent behind a literal that moves can change. */
typedef void RulesVisit(void *context, uint32_t fluent);
void rules_visit_fluents(const RulesAnalysis *analysis, DnfLiteral literal, RulesVisit *visit,
                         void *context);

#define PART_NONE UINT32_MAX

typedef struct {
    uint32_t role;
    U32Vector actions, effects, context; /* moves of the grounding; fluents; fluents */
    uint32_t part;
} RulesAction;

/* What was found, before it has labels. */
typedef struct {
    bool is_unreliable; /* effects are mostly implied */
    uint32_t part_count;
    uint32_t *part_of_fluent;    /* PART_NONE: connected with nothing */
    bool *is_independent;        /* by fluent: no action may change it */
    VECTOR(RulesAction) actions; /* meta-actions */
    U32Vector early, late; /* parts before and after the pivot of a serial game; empty without */
} RulesParts;

Decomposition *rules_label(const Game *game, const RulesParts *parts);
