/* A description prepared for bottom-up evaluation. Atoms are flat: `(true (cell 1 ?y b))` becomes a
 * relation of its own with the columns 1, ?y, b, which can be indexed; moves inside `does` are
 * treated in the same way. For a term that stays whole, `(true ?f)`, the *whole* relation of that
 * keyword contains the terms themselves. Clauses that no output needs are removed, and variables
 * that occur only under a negation are projected away (`not p(X,_)` means: no instance). Bodies may
 * be split (split.c), and relations evaluated on demand (demand.c). */
#pragma once

#include <assert.h>

#include "gdl/predicates.h"
#include "gdl/rules.h"

typedef uint32_t RelationId;
#define RELATION_NONE UINT32_MAX

typedef struct {
    Symbol keyword; /* KEYWORD_TRUE, _NEXT, _DOES, _LEGAL, _INIT..., or SYMBOL_NONE */
    Symbol name;    /* functor or predicate; SYMBOL_NONE if it is whole or auxiliary */
    uint32_t arity; /* columns; moves have their role in column 0 */
    bool is_whole;
    bool is_static; /* no state and no move can change it */
    bool is_chosen; /* its clauses are to be rewritten: alternatives merged, bodies split harder */
    bool was_rewritten;
    bool is_on_demand; /* only instances that other clauses ask for are evaluated (demand.h) */
    bool asks_little;  /* its questions follow from the question before without any join */
    bool is_question;  /* a question relation made by demand.c; no ground rule mentions it */
    ColumnSet must_be_asked; /* columns that its own clauses do not bind */
    RelationId question; /* its question relation, or RELATION_NONE; for a question, its relation */
    ColumnSet asked_columns; /* the columns that the question has */
} FlatRelation;

typedef struct {
    LiteralKind kind;
    RelationId relation;                 /* RELATION_NONE for distinct */
    uint32_t first_column, column_count; /* into FlatProgram.columns: terms, maybe with variables */
} Premise;

typedef struct {
    RelationId head;
    uint32_t first_column;
    uint32_t first_premise, premise_count;
    uint32_t source_clause; /* number of the clause in Rules, for messages */
    bool is_unsafe;         /* some variable is bound by no positive premise */
} ProgramClause;

typedef struct {
    const Rules *rules; /* not owned */
    Terms *terms;       /* owned; starts as a copy of the rules' terms */
    VECTOR(FlatRelation) relations;
    Table relation_table;
    VECTOR(ProgramClause) clauses;
    VECTOR(Premise) premises;
    U32Vector columns;
    uint32_t auxiliary_count;
} FlatProgram;

/* NULL and an error if a clause that some output needs is unsafe. With `split`, bodies are split
 * along their variables. The rules must outlive the program. */
FlatProgram *flat_create(const Rules *rules, bool split, Report *report);
void flat_free(FlatProgram *program);

RelationId flat_relation_for(FlatProgram *program, Symbol keyword, Symbol name, uint32_t arity,
                             bool is_whole);
RelationId flat_find_relation(const FlatProgram *program, Symbol keyword, Symbol name,
                              uint32_t arity, bool is_whole);
RelationId flat_auxiliary(FlatProgram *program, uint32_t arity);
/* Adds a clause with this head. Its premises are then added one by one at the end. */
void flat_add_clause(FlatProgram *program, RelationId head, const Term *columns, uint32_t source);
void flat_add_premise(FlatProgram *program, const Premise *premise);

/* Flattens the term of a keyword relation: a fluent (role TERM_NONE) or a move. Returns the flat
 * relation and writes its columns; the vector is cleared first. */
RelationId flat_flatten(FlatProgram *program, Symbol keyword, Term role, Term term,
                        U32Vector *columns);

static inline const Term *premise_columns(const FlatProgram *program, const Premise *premise) {
    assert(premise->first_column + premise->column_count <= program->columns.count);
    return program->columns.items + premise->first_column;
}

static inline const Premise *clause_premise(const FlatProgram *program, const ProgramClause *clause,
                                            uint32_t index) {
    assert(index < clause->premise_count);
    return &program->premises.items[clause->first_premise + index];
}

/* Appends the variables of some columns that are not in the list yet. */
void flat_columns_variables(const FlatProgram *program, uint32_t first, uint32_t count,
                            U32Vector *variables);
/* Appends columns in a form that does not depend on the names of variables: equal keys mean equal
 * columns up to renaming. `names` lists the variables met so far. */
void flat_append_key(const Terms *terms, const Term *columns, size_t count, U32Vector *names,
                     U32Vector *key);

FlatProgram *flat_copy(const FlatProgram *program);
/* Closes a set of relations, one flag per relation: adds the premises of clauses whose head is in
 * it, or else the heads of clauses with a premise in it. */
void flat_close(const FlatProgram *program, bool *set, bool to_premises);
/* Finds the relations that no move can change, except those on demand, which are asked later. */
void flat_mark_static(FlatProgram *program);

/* split.c: replaces clauses by equivalent ones with fewer variables each. */
void flat_split(FlatProgram *program);
/* Splits the chosen relations harder: unbound columns make auxiliary relations on demand. */
void flat_split_harder(FlatProgram *program);
/* alternatives.c: merges clauses of the chosen relations that differ in one premise only. */
void flat_merge_alternatives(FlatProgram *program);
