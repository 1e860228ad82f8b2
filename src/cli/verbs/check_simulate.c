/* Plays random matches with the interpreter, because it is ready at once. Findings are collected,
 * one per code and role, and reported after the last match. The declarations `base` and `input` are
 * evaluated by the interpreter as well: they are the initial state and the legal moves of a second
 * game, which has `init` for `base` and `legal` for `input`. */
#include "cli/verbs/check_simulate.h"

#include <stdlib.h>

#include "base/progress.h"
#include "base/random.h"
#include "cli/output.h"
#include "game/interpreter/interpreter.h"
#include "game/matches.h"
#include "gdl/check/codes.h"
#include "gdl/write.h"

typedef struct {
    DiagnosticCode code;
    uint32_t role;
    uint64_t matches;      /* number of matches with this finding */
    uint64_t match, steps; /* match and turn of the first occurrence */
    int value;             /* the goal value, for findings about goals */
} Finding;

/* The fluents or moves that occur in matches, compared with those that the rules declare. */
typedef struct {
    DiagnosticCode code;
    Keyword keyword;
    const char *declares, *occurs; /* words for the message */
    bool is_declared;
    NumberSet *declared;  /* by role; fluents have role 0 */
    VECTOR(uint8_t) seen; /* by number and role: nonzero once it was looked up */
    U32Vector odd;        /* pairs of role and number that are not declared */
    void (*write)(const Interpreter *interpreter, uint32_t fact, Text *out);
    uint32_t (*find)(Interpreter *interpreter, const char *text, size_t length);
} Facts;

typedef struct {
    const Rules *rules;
    Interpreter *interpreter;
    InterpreterWork *work;
    Rules *declarations;
    Interpreter *declaring; /* interpreter of the declarations */
    Facts fluents, moves;
    uint32_t roles;
    NumberSet state, next, legal;
    uint32_t *joint;
    Random random;
    VECTOR(Finding) findings;
    uint64_t match;
    bool give_up;
} Simulation;

static void found(Simulation *s, DiagnosticCode code, uint32_t role, uint64_t steps, int value) {
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

static void write_declarations(Text *out, Simulation *s) {
    const Rules *rules = s->rules;
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        Symbol symbol = term_symbol(&rules->terms, clause->head);
        s->fluents.is_declared |= symbol == KEYWORD_BASE;
        s->moves.is_declared |= symbol == KEYWORD_INPUT;
        if (symbol == KEYWORD_ROLE) {
            write_term(out, &rules->terms, clause->head, NOTATION_KIF);
            text_add_char(out, '\n');
        } else if (!is_about_matches(symbol)) {
            write_exchanged_clause(out, rules, clause);
        }
    }
}

/* If the declarations cannot be evaluated, nothing counts as declared and no warning is given. */
static void find_declarations(Simulation *s) {
    Text text = {0};
    Report report = {0};
    write_declarations(&text, s);
    s->fluents.declared = memory_zalloc(sizeof *s->fluents.declared);
    s->moves.declared = memory_zalloc((s->roles + 1) * sizeof *s->moves.declared);
    if (s->fluents.is_declared || s->moves.is_declared)
        s->declarations = rules_read_text("declarations", text_string(&text), text.count, &report);
    if (s->declarations)
        s->declaring = interpreter_create(s->declarations, &report);
    if (s->declaring && interpreter_role_count(s->declaring) == s->roles) {
        InterpreterWork *work = interpreter_work(s->declaring);
        const NumberSet empty = {0};
        interpreter_initial(work, s->fluents.declared);
        s->fluents.is_declared &= !interpreter_failed(work);
        for (uint32_t r = 0; r < s->roles; r++) {
            interpreter_legal(work, &empty, r, &s->moves.declared[r]);
            s->moves.is_declared &= !interpreter_failed(work);
        }
        interpreter_work_free(work);
    } else {
        s->fluents.is_declared = s->moves.is_declared = false;
    }
    vector_free(&text);
    report_free(&report);
}

/* Looks up the facts that occur for the first time. */
static void look_at(Simulation *s, Facts *f, const NumberSet *facts, uint32_t role) {
    Text text = {0};
    for (size_t i = 0; f->is_declared && i < facts->count; i++) {
        size_t number = (size_t)facts->items[i] * s->roles + role;
        while (f->seen.count <= number)
            vector_push(&f->seen, 0);
        if (f->seen.items[number])
            continue;
        f->seen.items[number] = 1;
        text_clear(&text);
        f->write(s->interpreter, facts->items[i], &text);
        uint32_t same = f->find(s->declaring, text_string(&text), text.count);
        if (same == INTERPRETER_NONE || !u32_sorted_contains(&f->declared[role], same)) {
            vector_push(&f->odd, role);
            vector_push(&f->odd, facts->items[i]);
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
        look_at(s, &s->moves, &s->legal, r);
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
        if (deadline_passed(deadline)) {
            s->give_up = true;
            return;
        }
        look_at(s, &s->fluents, &s->state, 0);
        bool terminal = interpreter_is_terminal(s->work, &s->state);
        if (terminal)
            look_at_goals(s, steps);
        bool goes_on = !terminal && steps < DEFAULT_STEP_LIMIT && choose_moves(s, steps);
        if (interpreter_failed(s->work)) {
            if (!deadline_passed(deadline)) /* else it was cut short */
                found(s, CODE_HEAVY_STATE, 0, steps, 0);
            s->give_up = true;
            return;
        }
        if (!terminal && steps >= DEFAULT_STEP_LIMIT) {
            found(s, CODE_LONG_MATCH, 0, steps, DEFAULT_STEP_LIMIT);
            s->give_up = true; /* the other matches are unlikely to end sooner */
        }
        if (!goes_on)
            return;
        interpreter_next(s->work, &s->state, s->joint, &s->next);
        NumberSet swap = s->state;
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

/* By code: the keyword whose rule is to blame, for findings about a role the rule for that role,
 * and the message, which follows the role and may contain the value of the finding. */
static const struct {
    Keyword keyword;
    bool is_about_role;
    const char *message;
} causes[CODE_COUNT] = {
    [CODE_NO_LEGAL_MOVE] = {KEYWORD_ROLE, true,
                            "has no legal move in a state that is not terminal"},
    [CODE_NO_GOAL] = {KEYWORD_GOAL, true, "has no goal value in a terminal state"},
    [CODE_SEVERAL_GOALS] = {KEYWORD_GOAL, true, "has several goal values in a terminal state"},
    [CODE_GOAL_RANGE] = {KEYWORD_GOAL, true, "gets the goal value %d, outside 0..100"},
    [CODE_HEAVY_STATE] = {KEYWORD_TERMINAL, false,
                          "a state takes more work than the interpreter allows"},
    [CODE_LONG_MATCH] = {KEYWORD_TERMINAL, false, "a random match did not end within %d turns"},
};

static void report_finding(const Simulation *s, const Finding *f, uint64_t played, Report *report) {
    const CodeInfo *info = code_info(f->code);
    bool is_about_role = causes[f->code].is_about_role;
    Text text = {0};
    if (is_about_role) {
        text_add_char(&text, '`');
        interpreter_role_text(s->interpreter, f->role, &text);
        text_add(&text, "` ");
    }
    text_printf(&text, causes[f->code].message, f->value);
    Term role = is_about_role ? s->rules->roles.items[f->role] : TERM_NONE;
    report_node(report, info->severity, info->name, s->rules->syntax,
                node_of(s, causes[f->code].keyword, role), "%s", text.items);
    report_hint(report, "in %lu of %lu random matches, first in match %lu after %lu turns",
                (unsigned long)f->matches, (unsigned long)played, (unsigned long)f->match,
                (unsigned long)f->steps);
    vector_free(&text);
}

static void report_undeclared(const Simulation *s, const Facts *f, Report *report) {
    enum { MAX_NAMED = 5 };
    const CodeInfo *info = code_info(f->code);
    size_t count = f->odd.count / 2;
    Text names = {0};
    if (!count)
        return;
    for (size_t i = 0; i < count && i < MAX_NAMED; i++) {
        text_add(&names, i ? ", `" : "`");
        if (f == &s->moves) {
            interpreter_role_text(s->interpreter, f->odd.items[2 * i], &names);
            text_add_char(&names, ' ');
        }
        f->write(s->interpreter, f->odd.items[2 * i + 1], &names);
        text_add_char(&names, '`');
    }
    if (count > MAX_NAMED)
        text_printf(&names, " and %zu more", count - MAX_NAMED);
    report_node(
        report, info->severity, info->name, s->rules->syntax, node_of(s, f->keyword, TERM_NONE),
        "`%s` does not declare what %s in random matches: %s", f->declares, f->occurs, names.items);
    vector_free(&names);
}

static void facts_free(Facts *f, uint32_t roles) {
    for (uint32_t r = 0; r < roles; r++)
        vector_free(&f->declared[r]);
    free(f->declared);
    vectors_free(&f->seen, &f->odd);
}

static void simulation_free(Simulation *s) {
    facts_free(&s->fluents, 1);
    facts_free(&s->moves, s->roles);
    interpreter_free(s->declaring);
    rules_free(s->declarations);
    interpreter_work_free(s->work);
    interpreter_free(s->interpreter);
    vectors_free(&s->state, &s->next, &s->legal, &s->findings);
    free(s->joint);
}

void check_simulate(const Rules *rules, uint64_t matches, const CommonOptions *options,
                    Report *report) {
    if (report_failed(report))
        return; /* a description with errors is not played */
    Simulation s = {
        .rules = rules,
        .interpreter = interpreter_create(rules, report),
        .fluents = {.code = CODE_UNDECLARED_FLUENT,
                    .keyword = KEYWORD_BASE,
                    .declares = "base",
                    .occurs = "holds",
                    .write = interpreter_fluent_text,
                    .find = interpreter_find_fluent},
        .moves = {.code = CODE_UNDECLARED_MOVE,
                  .keyword = KEYWORD_INPUT,
                  .declares = "input",
                  .occurs = "is legal",
                  .write = interpreter_move_text,
                  .find = interpreter_find_move},
    };
    if (!s.interpreter)
        return;
    s.roles = interpreter_role_count(s.interpreter);
    s.work = interpreter_work(s.interpreter);
    s.joint = memory_zalloc((s.roles + 1) * sizeof *s.joint);
    random_seed(&s.random, options->seed);
    find_declarations(&s);
    Deadline deadline = options->seconds > 0 ? deadline_in(options->seconds) : deadline_never();
    Ticker *ticker = ticker_start(!options->quiet, "random matches", deadline);
    while (s.match < matches && !s.give_up) {
        s.match++;
        play_match(&s, deadline);
    }
    ticker_stop(ticker);
    for (size_t i = 0; i < s.findings.count; i++)
        report_finding(&s, &s.findings.items[i], s.match, report);
    report_undeclared(&s, &s.fluents, report);
    report_undeclared(&s, &s.moves, report);
    report_sort(report);
    simulation_free(&s);
}
