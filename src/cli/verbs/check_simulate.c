/* Plays random matches with the interpreter, because it is ready at once. Findings are collected,
 * one per code and role, and reported after the last match. The declarations `base` and `input` are
 * evaluated by the interpreter as well: they are the initial state and the legal moves of a second
 * game, which has `init` for `base` and `legal` for `input`. */
#include "cli/verbs/check_simulate.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "cli/output.h"
#include "game/interpreter/interpreter.h"
#include "game/matches.h"
#include "gdl/check/codes.h"
#include "gdl/write.h"

typedef struct {
    Code code;
    uint32_t role;
    uint64_t matches;      /* number of matches with this finding */
    uint64_t match, steps; /* match and turn of the first occurrence */
    int value;             /* the goal value, for findings about goals */
} Finding;

typedef struct {
    Rules *rules;
    Interpreter *interpreter;
    FactSet fluents;
    FactSet *moves; /* by role: the declared moves */
    bool has_base, has_input;
} Declarations;

typedef struct {
    const Rules *rules;
    Interpreter *interpreter;
    InterpreterWork *work;
    Declarations declared;
    uint32_t roles;
    FactSet state, next, legal;
    uint32_t *joint;
    Random random;
    VECTOR(Finding) findings;
    /* By number (and role): nonzero once it was looked up. */
    VECTOR(uint8_t) seen_fluents, seen_moves;
    U32Vector odd_fluents; /* fluents that are not declared */
    U32Vector odd_moves;   /* pairs of role and move that are not declared */
    uint64_t match;
    bool give_up;
} Simulation;

static void found(Simulation *s, Code code, uint32_t role, uint64_t steps, int value) {
    for (size_t i = 0; i < s->findings.count; i++) {
        Finding *f = &s->findings.items[i];
        if (f->code == code && f->role == role) {
            f->matches++;
            return;
        }
    }
    Finding finding = {code, role, 1, s->match, steps, value};
    vector_push(&s->findings, finding);
}

static bool contains(const FactSet *set, uint32_t fact) {
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (set->items[middle] < fact)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->items[low] == fact;
}

/* Writes an atom with `base` and `input` in place of `init` and `legal`, which get other names. */
static void write_exchanged(Text *out, const Rules *rules, Term atom) {
    const Terms *terms = &rules->terms;
    Symbol symbol = term_symbol(terms, atom);
    const char *name = symbol == KEYWORD_BASE    ? "init"
                       : symbol == KEYWORD_INPUT ? "legal"
                       : symbol == KEYWORD_INIT  ? "init-of-the-game"
                       : symbol == KEYWORD_LEGAL ? "legal-in-the-game"
                                                 : NULL;
    if (!name) {
        write_term(out, terms, atom, NOTATION_KIF);
        return;
    }
    text_printf(out, "(%s", name);
    for (uint32_t i = 0; i < term_arity(terms, atom); i++) {
        text_add_char(out, ' ');
        write_term(out, terms, term_argument(terms, atom, i), NOTATION_KIF);
    }
    text_add_char(out, ')');
}

static void write_exchanged_clause(Text *out, const Rules *rules, const Clause *clause) {
    const Literal *literals = clause_literals(rules, clause);
    text_add(out, "(<= ");
    write_exchanged(out, rules, clause->head);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        bool negative = literals[i].kind == LITERAL_NEGATIVE;
        text_add(out, negative ? " (not " : " ");
        write_exchanged(out, rules, literals[i].atom);
        text_add(out, negative ? ")" : "");
    }
    text_add(out, ")\n");
}

/* Rules about moves are left out: no declaration may depend on them. */
static bool is_about_matches(Symbol symbol) {
    return symbol == KEYWORD_NEXT || symbol == KEYWORD_LEGAL || symbol == KEYWORD_GOAL ||
           symbol == KEYWORD_TERMINAL || symbol == KEYWORD_SEES;
}

static void write_declarations(Text *out, Declarations *d, const Rules *rules) {
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        Symbol symbol = term_symbol(&rules->terms, clause->head);
        d->has_base |= symbol == KEYWORD_BASE;
        d->has_input |= symbol == KEYWORD_INPUT;
        if (symbol == KEYWORD_ROLE) {
            write_term(out, &rules->terms, clause->head, NOTATION_KIF);
            text_add_char(out, '\n');
        } else if (!is_about_matches(symbol)) {
            write_exchanged_clause(out, rules, clause);
        }
    }
}

/* If the declarations cannot be evaluated, nothing counts as declared and no warning is given. */
static void find_declarations(Declarations *d, const Rules *rules, uint32_t roles) {
    Text text = {0};
    Report report = {0};
    write_declarations(&text, d, rules);
    d->moves = memory_zalloc((roles + 1) * sizeof *d->moves);
    if (d->has_base || d->has_input)
        d->rules = rules_read_text("declarations", text_string(&text), text.count, &report);
    if (d->rules)
        d->interpreter = interpreter_create(d->rules, &report);
    if (d->interpreter && interpreter_role_count(d->interpreter) == roles) {
        InterpreterWork *work = interpreter_work(d->interpreter);
        const FactSet empty = {0};
        interpreter_initial(work, &d->fluents);
        d->has_base &= !interpreter_failed(work);
        for (uint32_t r = 0; r < roles; r++) {
            interpreter_legal(work, &empty, r, &d->moves[r]);
            d->has_input &= !interpreter_failed(work);
        }
        interpreter_work_free(work);
    } else {
        d->has_base = d->has_input = false;
    }
    vector_free(&text);
    report_free(&report);
}

static void declarations_free(Declarations *d, uint32_t roles) {
    for (uint32_t r = 0; d->moves && r < roles; r++)
        vector_free(&d->moves[r]);
    free(d->moves);
    vector_free(&d->fluents);
    interpreter_free(d->interpreter);
    rules_free(d->rules);
}

/* True the first time that a number occurs. */
#define is_new(seen, number)                                                                       \
    ({                                                                                             \
        while ((seen)->count <= (number))                                                          \
            vector_push((seen), 0);                                                                \
        bool was_seen = (seen)->items[number];                                                     \
        (seen)->items[number] = 1;                                                                 \
        !was_seen;                                                                                 \
    })

static void look_at_state(Simulation *s) {
    Text text = {0};
    for (size_t i = 0; s->declared.has_base && i < s->state.count; i++) {
        uint32_t fluent = s->state.items[i];
        if (!is_new(&s->seen_fluents, fluent))
            continue;
        text_clear(&text);
        interpreter_fluent_text(s->interpreter, fluent, &text);
        uint32_t same =
            interpreter_find_fluent(s->declared.interpreter, text_string(&text), text.count);
        if (same == INTERPRETER_NONE || !contains(&s->declared.fluents, same))
            vector_push(&s->odd_fluents, fluent);
    }
    vector_free(&text);
}

static void look_at_moves(Simulation *s, uint32_t role) {
    Text text = {0};
    for (size_t i = 0; s->declared.has_input && i < s->legal.count; i++) {
        uint32_t move = s->legal.items[i];
        if (!is_new(&s->seen_moves, (size_t)move * s->roles + role))
            continue;
        text_clear(&text);
        interpreter_move_text(s->interpreter, move, &text);
        uint32_t same =
            interpreter_find_move(s->declared.interpreter, text_string(&text), text.count);
        if (same == INTERPRETER_NONE || !contains(&s->declared.moves[role], same)) {
            vector_push(&s->odd_moves, role);
            vector_push(&s->odd_moves, move);
        }
    }
    vector_free(&text);
}

static void look_at_goals(Simulation *s, uint64_t steps) {
    for (uint32_t r = 0; r < s->roles; r++) {
        int value = interpreter_goal(s->work, &s->state, r);
        if (value == GOAL_NONE)
            found(s, CODE_NO_GOAL, r, steps, value);
        else if (value == GOAL_SEVERAL)
            found(s, CODE_SEVERAL_GOALS, r, steps, value);
        else if (value > 100)
            found(s, CODE_GOAL_RANGE, r, steps, value);
    }
}

/* Returns false if the match cannot go on. */
static bool choose_moves(Simulation *s, uint64_t steps) {
    bool stuck = false;
    for (uint32_t r = 0; r < s->roles; r++) {
        interpreter_legal(s->work, &s->state, r, &s->legal);
        look_at_moves(s, r);
        if (s->legal.count == 0 && !interpreter_failed(s->work))
            found(s, CODE_NO_LEGAL_MOVE, r, steps, 0);
        stuck |= s->legal.count == 0;
        if (s->legal.count)
            s->joint[r] = s->legal.items[random_below(&s->random, s->legal.count)];
    }
    return !stuck;
}

static void play_match(Simulation *s, Deadline deadline) {
    interpreter_initial(s->work, &s->state);
    for (uint64_t steps = 0;; steps++) {
        if (interrupt_requested() || deadline_passed(deadline)) {
            s->give_up = true;
            return;
        }
        look_at_state(s);
        bool terminal = interpreter_is_terminal(s->work, &s->state);
        if (terminal)
            look_at_goals(s, steps);
        bool goes_on = !terminal && steps < STEP_LIMIT && choose_moves(s, steps);
        if (interpreter_failed(s->work)) {
            found(s, CODE_HEAVY_STATE, 0, steps, 0);
            s->give_up = true;
            return;
        }
        if (!terminal && steps >= STEP_LIMIT) {
            found(s, CODE_LONG_MATCH, 0, steps, 0);
            s->give_up = true; /* the other matches are unlikely to end sooner */
        }
        if (!goes_on)
            return;
        interpreter_next(s->work, &s->state, s->joint, &s->next);
        FactSet swap = s->state;
        s->state = s->next;
        s->next = swap;
    }
}

/* Finds the first clause that concludes the keyword for this role; without a role, for any. */
static uint32_t node_of(const Simulation *s, Keyword keyword, Term role) {
    const Rules *rules = s->rules;
    for (size_t i = 0; i < rules->clauses.count; i++) {
        Term head = rules->clauses.items[i].head;
        bool is_it = term_symbol(&rules->terms, head) == (Symbol)keyword;
        if (is_it && (role == TERM_NONE || (term_arity(&rules->terms, head) > 0 &&
                                            term_argument(&rules->terms, head, 0) == role)))
            return rules->clauses.items[i].root;
    }
    return role == TERM_NONE ? 0
                             : node_of(s, KEYWORD_ROLE, keyword == KEYWORD_ROLE ? TERM_NONE : role);
}

static uint32_t node_of_finding(const Simulation *s, const Finding *f) {
    Term role = s->rules->roles.items[f->role];
    switch (f->code) {
    case CODE_NO_LEGAL_MOVE:
        return node_of(s, KEYWORD_ROLE, role);
    case CODE_NO_GOAL:
    case CODE_SEVERAL_GOALS:
    case CODE_GOAL_RANGE:
        return node_of(s, KEYWORD_GOAL, role);
    default:
        return node_of(s, KEYWORD_TERMINAL, TERM_NONE);
    }
}

static void describe(const Simulation *s, const Finding *f, Text *out) {
    Text role = {0};
    interpreter_role_text(s->interpreter, f->role, &role);
    switch (f->code) {
    case CODE_NO_LEGAL_MOVE:
        text_printf(out, "`%s` has no legal move in a state that is not terminal", role.items);
        break;
    case CODE_NO_GOAL:
        text_printf(out, "`%s` has no goal value in a terminal state", role.items);
        break;
    case CODE_SEVERAL_GOALS:
        text_printf(out, "`%s` has several goal values in a terminal state", role.items);
        break;
    case CODE_GOAL_RANGE:
        text_printf(out, "`%s` gets the goal value %d, outside 0..100", role.items, f->value);
        break;
    case CODE_HEAVY_STATE:
        text_add(out, "a state takes more work than the interpreter allows");
        break;
    default:
        text_printf(out, "a random match did not end within %d turns", STEP_LIMIT);
        break;
    }
    vector_free(&role);
}

static void report_finding(const Simulation *s, const Finding *f, uint64_t played, Report *report) {
    const CodeInfo *info = code_info(f->code);
    Text text = {0};
    describe(s, f, &text);
    report_node(report, info->severity, info->name, s->rules->syntax, node_of_finding(s, f), "%s",
                text.items);
    report_hint(report, "in %lu of %lu random matches, first in match %lu after %lu turns",
                (unsigned long)f->matches, (unsigned long)played, (unsigned long)f->match,
                (unsigned long)f->steps);
    vector_free(&text);
}

static void report_undeclared(const Simulation *s, Code code, Keyword keyword, Report *report) {
    enum { MOST_NAMED = 5 };
    bool is_move = code == CODE_UNDECLARED_MOVE;
    const U32Vector *odd = is_move ? &s->odd_moves : &s->odd_fluents;
    size_t stride = is_move ? 2 : 1, count = odd->count / stride;
    if (!count)
        return;
    const CodeInfo *info = code_info(code);
    Text names = {0};
    for (size_t i = 0; i < count && i < MOST_NAMED; i++) {
        text_add(&names, i ? ", `" : "`");
        if (is_move) {
            interpreter_role_text(s->interpreter, odd->items[2 * i], &names);
            text_add_char(&names, ' ');
            interpreter_move_text(s->interpreter, odd->items[2 * i + 1], &names);
        } else {
            interpreter_fluent_text(s->interpreter, odd->items[i], &names);
        }
        text_add_char(&names, '`');
    }
    if (count > MOST_NAMED)
        text_printf(&names, " and %zu more", count - MOST_NAMED);
    report_node(report, info->severity, info->name, s->rules->syntax,
                node_of(s, keyword, TERM_NONE),
                "`%s` does not declare what %s in random matches: %s", is_move ? "input" : "base",
                is_move ? "is legal" : "holds", names.items);
    vector_free(&names);
}

static void simulation_free(Simulation *s) {
    declarations_free(&s->declared, s->roles);
    interpreter_work_free(s->work);
    interpreter_free(s->interpreter);
    vector_free(&s->state);
    vector_free(&s->next);
    vector_free(&s->legal);
    vector_free(&s->findings);
    vector_free(&s->seen_fluents);
    vector_free(&s->seen_moves);
    vector_free(&s->odd_fluents);
    vector_free(&s->odd_moves);
    free(s->joint);
}

bool check_simulate(const Rules *rules, uint64_t matches, const CommonOptions *options,
                    Report *report) {
    if (report_failed(report))
        return true; /* a description with errors is not played */
    Simulation s = {.rules = rules, .interpreter = interpreter_create(rules, report)};
    if (!s.interpreter)
        return true;
    s.roles = interpreter_role_count(s.interpreter);
    s.work = interpreter_work(s.interpreter);
    s.joint = memory_zalloc((s.roles + 1) * sizeof *s.joint);
    random_seed(&s.random, options->seed);
    find_declarations(&s.declared, rules, s.roles);
    Deadline deadline = options->seconds > 0 ? deadline_in(options->seconds) : deadline_never();
    while (s.match < matches && !s.give_up) {
        s.match++;
        play_match(&s, deadline);
    }
    for (size_t i = 0; i < s.findings.count; i++)
        report_finding(&s, &s.findings.items[i], s.match, report);
    report_undeclared(&s, CODE_UNDECLARED_FLUENT, KEYWORD_BASE, report);
    report_undeclared(&s, CODE_UNDECLARED_MOVE, KEYWORD_INPUT, report);
    report_sort(report);
    simulation_free(&s);
    return true;
}
