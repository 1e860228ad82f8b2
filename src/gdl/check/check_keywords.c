/* Keywords of GDL: their arities, which of them may be conclusions or premises, and which version
 * of GDL they need. Works on the text, so that each place is visited once. */
#include <assert.h>

#include "gdl/check/check_internal.h"
#include "gdl/write.h"

static const char *const wanted[KEYWORD_COUNT] = {
    [KEYWORD_ROLE] = "one argument, a role",
    [KEYWORD_BASE] = "one argument, a fluent",
    [KEYWORD_INPUT] = "two arguments, a role and a move",
    [KEYWORD_INIT] = "one argument, a fluent",
    [KEYWORD_TRUE] = "one argument, a fluent",
    [KEYWORD_DOES] = "two arguments, a role and a move",
    [KEYWORD_NEXT] = "one argument, a fluent",
    [KEYWORD_LEGAL] = "two arguments, a role and a move",
    [KEYWORD_GOAL] = "two arguments, a role and a value",
    [KEYWORD_TERMINAL] = "no argument",
    [KEYWORD_SEES] = "two arguments, a role and what it sees",
};

static uint32_t argument_count(const Check *check, uint32_t atom) {
    return node_is_list(check->syntax, atom) ? node_children(check->syntax, atom) - 1 : 0;
}

/* `(true cell 1 1 b)`: only a pair of parentheses is missing. */
static void hint_parentheses(Check *check, uint32_t atom, Symbol keyword) {
    uint32_t role_count = keyword_arity(keyword) == 2 ? 1 : 0;
    uint32_t name = check_argument_node(check, atom, role_count);
    if (check_content_index(keyword) < 0 || name == atom || node_is_list(check->syntax, name) ||
        node_is_variable(check->syntax, name))
        return;
    Text text = {0};
    for (uint32_t n = name; n < node_end(check->syntax, atom); n = node_next(check->syntax, n)) {
        text_add(&text, n == name ? "(" : " ");
        write_node(&text, check->syntax, n, NOTATION_KIF, WRITE_TERM);
        if (text.count > 60)
            break;
    }
    bool fits = text.count <= 60 && check->syntax->notation == NOTATION_KIF;
    if (fits)
        report_hint(check->report, "did you forget parentheses around `%s)`?", text_string(&text));
    vector_free(&text);
}

static void check_arity(Check *check, uint32_t atom, Symbol keyword) {
    assert(is_keyword_relation(keyword));
    uint32_t count = argument_count(check, atom);
    int arity = keyword_arity(keyword);
    if ((int)count == arity)
        return;
    if (check_say(check, CODE_KEYWORD_ARITY, check_name_node(check, atom),
                  "`%s` takes %s, but here it has %u", check_name(check, keyword), wanted[keyword],
                  count) &&
        (int)count > arity)
        hint_parentheses(check, atom, keyword);
}

static void check_head(Check *check, const AtomWalk *walk, Symbol keyword) {
    uint32_t name = check_name_node(check, walk->atom);
    const char *text = check_name(check, keyword);
    if (keyword == KEYWORD_TRUE &&
        check_say(check, CODE_KEYWORD_HEAD, name, "`true` cannot be concluded"))
        report_hint(check->report, "`init` says what holds at the start, `next` what will hold");
    if (keyword == KEYWORD_DOES &&
        check_say(check, CODE_KEYWORD_HEAD, name, "`does` cannot be concluded"))
        report_hint(check->report, "the players decide what they do; `legal` says what they may");
    bool has_body = node_end(check->syntax, walk->root) > node_end(check->syntax, walk->atom);
    if (keyword == KEYWORD_ROLE && has_body &&
        check_say(check, CODE_ROLE_RULE, name, "`%s` is concluded by a rule", text))
        report_hint(check->report, "state each role as a fact, so that their order is known");
}

static void check_premise(Check *check, uint32_t atom, Symbol keyword) {
    bool only_concluded = keyword == KEYWORD_INIT || keyword == KEYWORD_NEXT ||
                          keyword == KEYWORD_SEES || keyword == KEYWORD_BASE ||
                          keyword == KEYWORD_INPUT;
    if (!only_concluded || !check_say(check, CODE_KEYWORD_BODY, check_name_node(check, atom),
                                      "`%s` is meant to be concluded, not to be a premise",
                                      check_name(check, keyword)))
        return;
    if (keyword == KEYWORD_INIT || keyword == KEYWORD_BASE)
        report_hint(check->report, "what holds in the present state is `true`");
    else
        report_hint(check->report, "name what both rules share, and use that in both");
}

/* Each keyword is reported only once, because generated files may nest it a thousand times. */
static void check_inside(Check *check, uint32_t atom, bool *reported) {
    for (uint32_t n = atom + 1; n < node_end(check->syntax, atom); n++) {
        Symbol head = list_head(check->syntax, n);
        if ((!is_keyword_relation(head) && !is_connective(head)) || reported[head])
            continue;
        reported[head] = true;
        check_say(check, CODE_KEYWORD_AS_FUNCTION, n + 1,
                  "`%s` stands inside a term, where it has no meaning of its own",
                  check_name(check, head));
    }
}

void check_keywords(Check *check) {
    bool reported[KEYWORD_COUNT] = {false};
    for (AtomWalk walk = {0}; check_next_atom(check, &walk);) {
        Symbol keyword = node_head(check->syntax, walk.atom);
        if (node_is_list(check->syntax, walk.atom))
            check_inside(check, walk.atom, reported);
        if (!is_keyword_relation(keyword))
            continue;
        check_arity(check, walk.atom, keyword);
        if (walk.is_head)
            check_head(check, &walk, keyword);
        else
            check_premise(check, walk.atom, keyword);
    }
}

void check_keyword_premises(Check *check) {
    for (AtomWalk walk = {0}; check_next_atom(check, &walk);) {
        Symbol keyword = node_head(check->syntax, walk.atom);
        bool listed =
            keyword == KEYWORD_LEGAL || keyword == KEYWORD_GOAL || keyword == KEYWORD_TERMINAL;
        if (listed && !walk.is_head)
            check_say(check, CODE_KEYWORD_PREMISE, check_name_node(check, walk.atom),
                      "`%s` as a premise is allowed, but some players do not expect it",
                      check_name(check, keyword));
    }
}

static void note_or(Check *check) {
    for (uint32_t n = 0; n + 1 < check->syntax->nodes.count; n++) {
        if (list_head(check->syntax, n) != KEYWORD_OR)
            continue;
        check_say(check, CODE_OR_DROPPED, n, "`or` was dropped from GDL in its second version");
        report_hint(check->report, "write one rule for each alternative");
        return;
    }
}

void check_versions(Check *check) {
    const Rules *rules = check->rules;
    note_or(check);
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        bool sees = check_is_keyword(check, clause->head, KEYWORD_SEES);
        bool random = check_is_keyword(check, clause->head, KEYWORD_ROLE) &&
                      term_symbol(check->terms, term_argument(check->terms, clause->head, 0)) ==
                          KEYWORD_RANDOM;
        if (!sees && !random)
            continue;
        check_say(check, CODE_GDL_II, check_name_node(check, check_head_node(check, clause->root)),
                  "this is a GDL-II game: it has %s", sees ? "hidden information" : "chance moves");
        return;
    }
}
