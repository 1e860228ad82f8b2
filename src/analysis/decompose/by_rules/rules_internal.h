/* State and functions shared by the files of the decomposition by rules (rules_method.h). */
#pragma once

#include <assert.h>

#include "analysis/decompose/by_rules/rules_method.h"
#include "base/table.h"

/* Actions of one role with the same effect in the same context. */
typedef struct {
    uint32_t role;
    uint64_t *actions; /* bitset of moves of the grounding; in RulesAnalysis.arena */
    U32Vector effects; /* fluents, ascending */
    U32Vector context; /* literals beside the actions or needed by all; ascending */
} RulesMetaAction;

typedef struct {
    DnfLiteral literal;   /* an auxiliary predicate that the late actions need */
    const uint64_t *late; /* bitset of the actions after the pivot; NULL if there is no pivot */
} RulesPivot;

typedef struct {
    uint32_t low, high; /* fluents */
    bool is_exclusive;  /* the two are never true together */
} RulesPair;

typedef struct {
    const Grounding *g;
    DnfForms *forms;
    DnfForms *short_forms; /* those in which sub-goals are found: predicates stay in them */
    uint32_t fluent_count, move_count, role_count, move_words;
    const DnfFormula **next;  /* by fluent */
    const DnfFormula **legal; /* by move */
    uint64_t *responsible;    /* by fluent: bitset of the moves that may change it */
    bool *is_independent;     /* by fluent: no move may change it */
    bool *has_effect;         /* by move: it has a potential effect */
    uint8_t *waiting;         /* by move: a Waiting */
    U32Vector *needs; /* by move: literals of its `legal` that moves can change; ascending */
    VECTOR(RulesMetaAction) meta_actions;
    Table meta_action_table; /* maps a set of actions to its meta-action */
    VECTOR(RulesPair) pairs; /* pairs of fluents whose mutual exclusion was examined */
    Table pair_table;        /* maps two fluents to their pair */
    RulesPivot pivot;
    U32Vector listed; /* result of rules_list_fluents */
    Arena arena;      /* owns the arrays and bitsets */
} RulesAnalysis;

static inline uint64_t *rules_responsible(const RulesAnalysis *analysis, uint32_t fluent) {
    assert(fluent < analysis->fluent_count);
    return analysis->responsible + (size_t)fluent * analysis->move_words;
}

static inline bool rules_clause_has(const DnfClause *clause, DnfLiteral literal) {
    for (uint32_t i = 0; i < clause->count; i++)
        if (clause->literals[i] == literal)
            return true;
    return false;
}

/* Computes the normal forms of next and legal. False if time ran out or a form is too large. */
bool rules_find_forms(RulesAnalysis *analysis);
/* Finds the moves that may change each fluent. False if time ran out. */
bool rules_find_effects(RulesAnalysis *analysis, const Deadline *deadline);
/* Finds the literals that the legality of each move needs. */
void rules_find_needs(RulesAnalysis *analysis);
void rules_find_meta_actions(RulesAnalysis *analysis);
/* Finds the predicate that divides a serial game in two, if there is one. */
void rules_find_pivot(RulesAnalysis *analysis);

/* Lists the fluents under the literal that moves can change. Valid until the next call. */
const U32Vector *rules_list_fluents(RulesAnalysis *analysis, DnfLiteral literal);

#define PART_NONE UINT32_MAX

/* The result without labels. A part is a connected set of fluents and meta-actions. */
typedef struct {
    bool is_unreliable; /* most effects are only implied by the rules */
    uint32_t part_count;
    uint32_t *part_of_fluent; /* by fluent: its part; PART_NONE if it is connected with nothing */
    uint32_t *part_of_action; /* by meta-action of the analysis: its part */
    U32Vector early, late;    /* parts before and after the pivot; empty if there is none */
} RulesParts;

/* Makes subgames with labels from the parts. */
Decomposition *rules_label(const Game *game, RulesAnalysis *analysis, const RulesParts *parts);
