/* Roles and goals: constants used as roles that nobody declared, roles that never move or never get
 * a goal, and goal values that are no numbers from 0 to 100. */
#include <stdlib.h>
#include <string.h>

#include "gdl/check/check_internal.h"
#include "gdl/check/suggest.h"

typedef struct {
    Check *check;
    bool *is_role;   /* by term */
    bool *has[2];    /* by term: a rule of `legal`, of `goal` has this role */
    bool has_any[2]; /* a rule has a variable as its role */
} Roles;

static bool is_integer(const char *name) {
    name += *name == '-' || *name == '+';
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '\0';
}

static void check_goal(Check *check, Term atom, uint32_t node) {
    Term value = term_argument(check->terms, atom, 1);
    uint32_t place = check_argument_node(check, node, 1);
    if (term_is_variable(check->terms, value))
        return;
    const char *name = symbols_name(&check->syntax->symbols, term_symbol(check->terms, value));
    if (term_arity(check->terms, value) || !is_integer(name)) {
        if (check_say(check, CODE_GOAL_VALUE, place, "the goal value `%s` is not an integer",
                      check_term(check, value)))
            report_hint(check->report, "goal values are the integers from 0 to 100");
        return;
    }
    long number = strtol(name, NULL, 10);
    if (number < 0 || number > 100)
        check_say(check, CODE_GOAL_RANGE, place, "the goal value `%s` lies outside 0..100",
                  check_term(check, value));
}

void check_goals(Check *check) {
    for (size_t i = 0; i < check->rules->clauses.count; i++) {
        const Clause *clause = &check->rules->clauses.items[i];
        if (check_is_keyword(check, clause->head, KEYWORD_GOAL))
            check_goal(check, clause->head, check_head_node(check, clause->root));
    }
}

static void report_unknown_role(Roles *r, Term role, uint32_t atom) {
    Check *check = r->check;
    uint32_t node = check_argument_node(check, atom, 0);
    if (!check_say(check, CODE_UNKNOWN_ROLE, node, "`%s` is not a role", check_term(check, role)) ||
        !check->suggestions)
        return;
    check->suggestions--;
    const Symbols *symbols = &check->syntax->symbols;
    const U32Vector *roles = &check->rules->roles;
    Suggestion suggestion = suggestion_for(symbols_name(symbols, term_symbol(check->terms, role)));
    for (size_t i = 0; i < roles->count; i++)
        suggestion_offer(&suggestion,
                         symbols_name(symbols, term_symbol(check->terms, roles->items[i])));
    if (suggestion.best)
        report_hint(check->report, "did you mean `%s`?", suggestion.best);
    else if (roles->count <= 8 && term_symbol(check->terms, role) == KEYWORD_RANDOM)
        report_hint(check->report, "chance is a role like others: `(role random)`");
}

static void check_role_argument(Roles *r, Term atom, uint32_t node) {
    Check *check = r->check;
    Symbol keyword = term_symbol(check->terms, atom);
    bool has_role = keyword == KEYWORD_LEGAL || keyword == KEYWORD_DOES ||
                    keyword == KEYWORD_GOAL || keyword == KEYWORD_SEES ||
                    keyword == KEYWORD_INPUT || keyword == KEYWORD_ROLE;
    if (!has_role || !check_is_keyword(check, atom, keyword))
        return;
    Term role = term_argument(check->terms, atom, 0);
    if (term_is_ground(check->terms, role) && !r->is_role[role])
        report_unknown_role(r, role, node);
}

static void note_head(Roles *r, Term head) {
    bool is_goal = check_is_keyword(r->check, head, KEYWORD_GOAL);
    if (!is_goal && !check_is_keyword(r->check, head, KEYWORD_LEGAL))
        return;
    Term role = term_argument(r->check->terms, head, 0);
    bool is_open = !term_is_ground(r->check->terms, role);
    *(is_open ? &r->has_any[is_goal] : &r->has[is_goal][role]) = true;
}

static void check_clause(Roles *r, const Clause *clause) {
    const Literal *literals = clause_literals(r->check->rules, clause);
    note_head(r, clause->head);
    if (!r->check->rules->roles.count)
        return;
    if (!check_is_keyword(r->check, clause->head, KEYWORD_ROLE))
        check_role_argument(r, clause->head, check_head_node(r->check, clause->root));
    for (uint32_t i = 0; i < clause->literal_count; i++)
        check_role_argument(r, literals[i].atom, literals[i].node);
}

/* If `legal` or `goal` is missing altogether, another check reports it. */
static void check_declaration(Roles *r, const Clause *clause) {
    Check *check = r->check;
    Term role = term_argument(check->terms, clause->head, 0);
    uint32_t node = check_argument_node(check, clause->root, 0);
    bool is_random = term_symbol(check->terms, role) == KEYWORD_RANDOM;
    for (int g = 0; g < (is_random ? 1 : 2); g++)
        if (!r->has_any[g] && !r->has[g][role])
            check_say(check, g ? CODE_ROLE_WITHOUT_GOAL : CODE_ROLE_WITHOUT_LEGAL, node,
                      "no rule gives the role `%s` a %s", check_term(check, role),
                      g ? "goal value" : "legal move");
}

static bool is_declaration(const Check *check, const Clause *clause) {
    return clause->literal_count == 0 && check_is_keyword(check, clause->head, KEYWORD_ROLE) &&
           term_is_ground(check->terms, clause->head);
}

static void check_declarations(Roles *r) {
    Check *check = r->check;
    uint32_t *declared = check_zalloc(check, check->terms->cells.count, sizeof *declared);
    for (size_t i = 0; i < check->rules->clauses.count; i++) {
        const Clause *clause = &check->rules->clauses.items[i];
        if (!is_declaration(check, clause))
            continue;
        Term role = term_argument(check->terms, clause->head, 0);
        if (declared[role])
            check_say(check, CODE_DUPLICATE_ROLE, check_argument_node(check, clause->root, 0),
                      "the role `%s` is declared at line %u already", check_term(check, role),
                      check_line(check, declared[role] - 1));
        else
            check_declaration(r, clause);
        declared[role] = clause->root + 1;
    }
}

void check_roles(Check *check) {
    size_t terms = check->terms->cells.count;
    Roles r = {.check = check,
               .is_role = check_zalloc(check, terms, sizeof(bool)),
               .has = {check_zalloc(check, terms, sizeof(bool)),
                       check_zalloc(check, terms, sizeof(bool))}};
    for (size_t i = 0; i < check->rules->roles.count; i++)
        r.is_role[check->rules->roles.items[i]] = true;
    for (size_t i = 0; i < check->rules->clauses.count; i++)
        check_clause(&r, &check->rules->clauses.items[i]);
    for (int g = 0; g < 2; g++)
        r.has_any[g] |= predicates_find(&check->predicates, g ? KEYWORD_GOAL : KEYWORD_LEGAL, 2) ==
                        PREDICATE_NONE;
    check_declarations(&r);
}
