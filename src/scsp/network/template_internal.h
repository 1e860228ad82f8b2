/* State and functions shared by the files that translate a game to a template. */
#pragma once

#include "analysis/symmetry/canonical_rules.h"
#include "scsp/network/completion.h"
#include "scsp/network/template.h"

typedef struct {
    Template *t;
    const Grounding *g;
    const CanonicalRules *normal;
    CompletionLimits limits;
    ScspLiteral *literals; /* by atom: its literal; variable SCSP_NONE if it has none */
    U32Vector derived;     /* atoms with a variable of their own */
    Completion completion;
    uint32_t *memo_stamps; /* by atom: the stamp for which memo_values is valid */
    uint8_t *memo_values;
    uint32_t stamp;
} TemplateBuilder;

/* An atom that gives a value to the defined variable. */
typedef struct {
    Atom atom;
    uint32_t value;
} TemplateHead;

typedef VECTOR(TemplateHead) TemplateHeads;

enum { EXPANSION_MAX_COLUMNS = 16 };

/* The fluents and moves that rules depend on after substituting derived atoms. */
typedef struct {
    /* Variables of the table; the defined variable comes first, once it is known. */
    uint32_t scope[EXPANSION_MAX_COLUMNS];
    uint32_t arity;
} TemplateExpansion;

/* True if the completion of the heads, with derived atoms substituted, is a small table. */
bool template_expand(TemplateBuilder *builder, const TemplateHeads *heads, uint32_t head_size,
                     TemplateExpansion *expansion);
void template_add_expanded(TemplateBuilder *builder, TemplateExpansion *expansion,
                           uint32_t variable, ConstraintKind kind, bool is_choice,
                           const TemplateHeads *heads);
