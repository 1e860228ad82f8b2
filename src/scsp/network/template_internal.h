/* What the files of the translation share. */
#pragma once

#include "analysis/symmetry/canonical_rules.h"
#include "scsp/network/completion.h"
#include "scsp/network/template.h"

typedef struct {
    Template *t;
    const Grounding *g;
    const CanonicalRules *normal;
    CompletionLimits limits;
    ScspLiteral *literals; /* by atom: what it is; variable SCSP_NONE if nothing */
    U32Vector derived;     /* atoms with a variable of their own */
    Completion completion;
    uint32_t *memo_stamps; /* by atom: for which row its value is known */
    uint8_t *memo_values;
    uint32_t stamp;
} TemplateBuilder;

/* An atom that gives a value to the variable that is concluded. */
typedef struct {
    Atom atom;
    uint32_t value;
} TemplateHead;

enum { EXPANSION_MOST_COLUMNS = 16 };

/* The fluents, moves and the like that rules come down to when derived atoms are put in. */
typedef struct {
    uint32_t scope[EXPANSION_MOST_COLUMNS]; /* the concluded variable first, once it is known */
    uint32_t arity;
} TemplateExpansion;

/* Whether the completion of the heads is a small table when derived atoms are put in. */
bool template_expand(TemplateBuilder *builder, const U32Vector *heads, uint32_t head_size,
                     TemplateExpansion *expansion);
void template_add_expanded(TemplateBuilder *builder, TemplateExpansion *expansion,
                           uint32_t variable, ConstraintKind kind, bool is_choice,
                           const TemplateHead *heads, size_t count);
