/* Duplicates: rules that are equal up to the names of variables, premises that repeat or contradict
 * each other, and comparisons with constant results. */
#include <string.h>

#include "gdl/check/check_internal.h"
#include "gdl/unify.h"

typedef struct {
    Check *check;
    uint32_t *number; /* by symbol: its index among the variables of the expression */
    uint32_t *owner;  /* by symbol: the expression (root + 1) that numbered it */
} Renaming;

/* A variable is encoded by its order of first occurrence, everything else by its symbol. */
static uint64_t word_at(Renaming *r, uint32_t root, uint32_t node, uint32_t *next) {
    const Node *n = &r->check->syntax->nodes.items[node];
    if (n->symbol == SYMBOL_NONE)
        return (uint64_t)n->size << 2 | 1;
    if (!symbol_is_variable(&r->check->syntax->symbols, n->symbol))
        return (uint64_t)n->symbol << 2;
    if (r->owner[n->symbol] != root + 1) {
        r->owner[n->symbol] = root + 1;
        r->number[n->symbol] = (*next)++;
    }
    return (uint64_t)r->number[n->symbol] << 2 | 2;
}

static void words_of(Renaming *r, uint32_t root, uint64_t *words) {
    uint32_t next = 0, size = r->check->syntax->nodes.items[root].size;
    for (uint32_t i = 0; i < size; i++)
        words[i] = word_at(r, root, root + i, &next);
}

typedef struct {
    uint64_t *words;
    uint32_t size, root;
} Normal;

static void report_duplicate(Check *check, uint32_t root, uint32_t earlier) {
    bool is_rule = check_head_node(check, root) != root;
    uint32_t head = check_head_node(check, root);
    if (!is_rule && node_head(check->syntax, root) == KEYWORD_ROLE)
        return; /* reported as duplicate-role */
    check_say(check, CODE_DUPLICATE_RULE, check_name_node(check, head),
              is_rule ? "this rule for `%s` stands at line %u already"
                      : "the fact `%s` is stated at line %u already",
              is_rule ? check_name(check, node_head(check->syntax, head)) : check_node(check, root),
              check_line(check, earlier));
}

typedef struct {
    Table table;
    VECTOR(Normal) items;
} Normals;

/* The equal rule met before. If there is none, stores this one and returns NULL. */
static const Normal *find_or_keep(Normals *normals, const Normal *new) {
    size_t bytes = new->size * sizeof(uint64_t);
    uint64_t hash = hash_bytes(new->words, bytes);
    uint32_t id;
    for (TableProbe p = table_probe(&normals->table, hash); table_next(&normals->table, &p, &id);) {
        const Normal *old = &normals->items.items[id];
        if (old->size == new->size && memcmp(old->words, new->words, bytes) == 0)
            return old;
    }
    table_insert(&normals->table, hash, (uint32_t)normals->items.count);
    vector_push(&normals->items, *new);
    return NULL;
}

void check_duplicates(Check *check) {
    size_t symbols = check->syntax->symbols.names.count;
    Renaming r = {.check = check,
                  .number = check_zalloc(check, symbols, sizeof(uint32_t)),
                  .owner = check_zalloc(check, symbols, sizeof(uint32_t))};
    Normals normals = {0};
    for (size_t i = 0; i < check->syntax->roots.count; i++) {
        uint32_t root = check->syntax->roots.items[i];
        Normal new = {.size = check->syntax->nodes.items[root].size, .root = root};
        new.words = check_zalloc(check, new.size, sizeof(uint64_t));
        words_of(&r, root, new.words);
        const Normal *old = find_or_keep(&normals, &new);
        if (old)
            report_duplicate(check, root, old->root);
    }
    table_free(&normals.table);
    vector_free(&normals.items);
}

/* By term: 1 + the number of the clause that has it as a premise, and where. */
typedef struct {
    uint32_t *clause, *node;
} Premises;

typedef struct {
    Check *check;
    Premises asserted, negated;
} Bodies;

static void check_premise(Bodies *b, uint32_t index, const Literal *literal) {
    Check *check = b->check;
    bool negative = literal->kind == LITERAL_NEGATIVE;
    const Premises *same = negative ? &b->negated : &b->asserted;
    const Premises *opposite = negative ? &b->asserted : &b->negated;
    Term atom = literal->atom;
    uint32_t node =
        literal->kind == LITERAL_DISTINCT ? literal->node : check_name_node(check, literal->node);
    if (same->clause[atom] == index + 1)
        check_say(check, CODE_DUPLICATE_PREMISE, node,
                  "this rule has the premise `%s` at line %u already", check_term(check, atom),
                  check_line(check, same->node[atom]));
    else if (opposite->clause[atom] == index + 1)
        check_say(check, CODE_CONTRADICTION, node,
                  "this rule needs `%s` and its negation (line %u): it never fires",
                  check_term(check, atom), check_line(check, opposite->node[atom]));
    same->clause[atom] = index + 1;
    same->node[atom] = node;
}

/* Inside `or`, a premise may repeat or contradict one outside, because the author did not write the
 * multiplied clauses. So only rules that became one clause unchanged are checked. */
static bool is_plain(const Check *check, uint32_t root) {
    uint32_t n = node_next(check->syntax, check_head_node(check, root));
    for (; n < node_end(check->syntax, root); n = node_next(check->syntax, n)) {
        Symbol head = list_head(check->syntax, n);
        Symbol inner = head == KEYWORD_NOT ? node_head(check->syntax, n + 2) : SYMBOL_NONE;
        if (head == KEYWORD_OR || head == KEYWORD_AND || is_connective(inner))
            return false;
    }
    return true;
}

static void check_premises(Bodies *b) {
    const Rules *rules = b->check->rules;
    for (uint32_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        bool is_first = i == 0 || clause[-1].root != clause->root;
        if (!is_first || !is_plain(b->check, clause->root))
            continue;
        for (uint32_t j = 0; j < clause->literal_count; j++)
            check_premise(b, i, &clause_literals(rules, clause)[j]);
    }
}

static void check_comparisons(Check *check) {
    const Syntax *syntax = check->syntax;
    Terms terms = {.symbols = &check->rules->syntax->symbols};
    for (AtomWalk walk = {0}; check_next_atom(check, &walk);) {
        if (list_head(syntax, walk.atom) != KEYWORD_DISTINCT)
            continue;
        uint32_t a = check_argument_node(check, walk.atom, 0);
        uint32_t b = check_argument_node(check, walk.atom, 1);
        Term x = terms_from_node(&terms, syntax, a), y = terms_from_node(&terms, syntax, b);
        if (x == y)
            check_say(check, CODE_CONSTANT_DISTINCT, walk.atom,
                      "`%s` is never distinct from itself", check_node(check, a));
        else if (!terms_may_match(&terms, x, y))
            check_say(check, CODE_IDLE_DISTINCT, walk.atom, "`%s` and `%s` are always distinct",
                      check_node(check, a), check_node(check, b));
    }
    terms_free(&terms);
}

static Premises premises_new(Check *check) {
    size_t terms = check->terms->cells.count;
    return (Premises){check_zalloc(check, terms, sizeof(uint32_t)),
                      check_zalloc(check, terms, sizeof(uint32_t))};
}

void check_bodies(Check *check) {
    Bodies b = {check, premises_new(check), premises_new(check)};
    check_premises(&b);
    check_comparisons(check);
}
