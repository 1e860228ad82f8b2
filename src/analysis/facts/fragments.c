/* Decides to which fragments of GDL-II a game belongs. Syntactic tests examine the rules. Semantic
 * tests examine all states, or random matches and other joint moves in their states. */
#include "analysis/facts/fragments.h"

#include <assert.h>
#include <string.h>

#include "analysis/facts/fragments_states.h"
#include "base/bitset.h"
#include "base/table.h"
#include "game/belief.h"
#include "gdl/keywords.h"
#include "gdl/predicates.h"
#include "gdl/write.h"

/* Sampled states in which percepts of roles are compared (untuned). */
enum { MAX_PERCEPT_SAMPLES = 2000 };

const char *oblivious_name(Oblivious oblivious) {
    static const char *const names[] = {"no chance", "syn", "sem", "weak", "no"};
    assert(oblivious < sizeof names / sizeof *names);
    return names[oblivious];
}

const char *sees_name(Sees sees) {
    static const char *const names[] = {"none",       "solo",       "shared-SH1",
                                        "shared-SH2", "shared-sem", "private"};
    assert(sees < sizeof names / sizeof *names);
    return names[sees];
}

static bool is_role_term(const Game *game, Term term, bool random) {
    const Rules *rules = game->rules;
    for (uint32_t r = 0; r < rules->roles.count; r++)
        if (rules->roles.items[r] == term && game_is_chance(game, r) == random)
            return true;
    return false;
}

/* True if no rule for the legality of chance moves depends on the state or on moves. */
static bool chance_is_static(const Game *game) {
    const Rules *rules = game->rules;
    const Terms *terms = &rules->terms;
    Predicates predicates = {0};
    predicates_collect(&predicates, rules);
    bool is_static = true;
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        if (term_symbol(terms, clause->head) != KEYWORD_LEGAL ||
            is_role_term(game, term_argument(terms, clause->head, 0), false))
            continue;
        const Literal *literals = clause_literals(rules, clause);
        for (uint32_t l = 0; l < clause->literal_count; l++) {
            Symbol symbol = term_symbol(terms, literals[l].atom);
            uint32_t p = predicate_of_atom(&predicates, terms, literals[l].atom);
            is_static &= symbol != KEYWORD_TRUE && symbol != KEYWORD_DOES;
            if (p != PREDICATE_NONE)
                is_static &= !predicates.items.items[p].depends_on_true &&
                             !predicates.items.items[p].depends_on_does;
        }
    }
    predicates_free(&predicates);
    return is_static;
}

static StateFragments sampled_chance(const Samples *s) {
    StateFragments found = fragments_of_nothing();
    uint32_t chance = s->game->chance_role;
    U32Vector first = {0};
    for (size_t i = 0; i < s->items.count && chance < s->role_count; i++)
        if (!s->items.items[i].is_terminal)
            fragments_add_chance(&found, &first, samples_legal(s, i, chance),
                                 samples_choices(s, i, chance));
    vector_free(&first);
    return found;
}

/* True if the role is a variable that only role(?p) and distinct(?p, random) contain besides. */
static bool is_about_any_role(const Rules *rules, const Clause *clause) {
    const Terms *terms = &rules->terms;
    Term role = term_argument(terms, clause->head, 0);
    if (!term_is_variable(terms, role) ||
        term_contains(terms, term_argument(terms, clause->head, 1), role))
        return false;
    const Literal *literals = clause_literals(rules, clause);
    for (uint32_t l = 0; l < clause->literal_count; l++) {
        if (!term_contains(terms, literals[l].atom, role))
            continue;
        Symbol symbol = term_symbol(terms, literals[l].atom);
        Term a = term_argument(terms, literals[l].atom, 0);
        bool is_role = literals[l].kind == LITERAL_POSITIVE && symbol == KEYWORD_ROLE;
        bool is_distinct = false;
        if (literals[l].kind == LITERAL_DISTINCT) {
            Term b = term_argument(terms, literals[l].atom, 1);
            Term other = a == role ? b : a;
            is_distinct = term_symbol(terms, other) == KEYWORD_RANDOM;
        }
        if (!is_role && !is_distinct)
            return false;
    }
    return true;
}

typedef VECTOR(char *) Lines;

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void lines_free(Lines *lines) {
    for (size_t i = 0; i < lines->count; i++)
        free(lines->items[i]);
    vector_free(lines);
}

/* Writes the term with its variables numbered by first occurrence in the clause. */
static void write_canonical(const Terms *terms, Term term, U32Vector *variables, Text *out) {
    if (term_is_variable(terms, term)) {
        text_printf(out, "?%u", u32_place(variables, term));
        return;
    }
    text_printf(out, "(%u", term_symbol(terms, term));
    for (uint32_t i = 0; i < term_arity(terms, term); i++) {
        text_add_char(out, ' ');
        write_canonical(terms, term_argument(terms, term, i), variables, out);
    }
    text_add_char(out, ')');
}

/* Writes a clause for `sees` as text without the role of its head. Premises are sorted by their
 * shapes, so that neither their order nor the names of variables matter. */
static char *canonical_clause(const Rules *rules, const Clause *clause) {
    const Terms *terms = &rules->terms;
    const Literal *literals = clause_literals(rules, clause);
    Lines shapes = {0};
    for (uint32_t l = 0; l < clause->literal_count; l++) {
        U32Vector own = {0};
        Text shape = {0};
        text_printf(&shape, "%d", (int)literals[l].kind);
        write_canonical(terms, literals[l].atom, &own, &shape);
        text_printf(&shape, "#%u", l);
        vector_push(&shapes, shape.items);
        vector_free(&own);
    }
    vector_sort(&shapes, compare_lines);
    U32Vector variables = {0};
    Text text = {0};
    write_canonical(terms, term_argument(terms, clause->head, 1), &variables, &text);
    for (size_t i = 0; i < shapes.count; i++) {
        uint32_t l = (uint32_t)strtoul(strrchr(shapes.items[i], '#') + 1, NULL, 10);
        text_printf(&text, " %d", (int)literals[l].kind);
        write_canonical(terms, literals[l].atom, &variables, &text);
    }
    lines_free(&shapes);
    vector_free(&variables);
    return text.items;
}

/* True if exchanging the players in the heads maps the rules for `sees` onto themselves. */
static bool is_closed_under_exchange(const Game *game) {
    const Rules *rules = game->rules;
    Text first = {0}, own = {0};
    bool closed = true, any = false;
    for (uint32_t r = 0; r < rules->roles.count && closed; r++) {
        if (game_is_chance(game, r))
            continue;
        Lines lines = {0};
        for (size_t i = 0; i < rules->clauses.count; i++) {
            const Clause *clause = &rules->clauses.items[i];
            if (term_symbol(&rules->terms, clause->head) != KEYWORD_SEES)
                continue;
            Term role = term_argument(&rules->terms, clause->head, 0);
            closed &= !term_is_variable(&rules->terms, role) || is_about_any_role(rules, clause);
            if (role == rules->roles.items[r])
                vector_push(&lines, canonical_clause(rules, clause));
        }
        vector_sort(&lines, compare_lines);
        text_clear(&own);
        for (size_t i = 0; i < lines.count; i++)
            text_printf(any ? &own : &first, "%s\n", lines.items[i]);
        closed &= !any || strcmp(text_string(&first), text_string(&own)) == 0;
        any = true;
        lines_free(&lines);
    }
    vectors_free(&first, &own);
    return closed;
}

static bool all_rules_about_any_role(const Game *game) {
    const Rules *rules = game->rules;
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        if (term_symbol(&rules->terms, clause->head) == KEYWORD_SEES &&
            !is_about_any_role(rules, clause))
            return false;
    }
    return true;
}

static bool players_perceive_the_same(const Samples *s, CpuBudget budget) {
    uint64_t *keys = memory_zalloc((s->role_count + 1) * sizeof *keys);
    bool same = true;
    size_t stride = s->items.count / MAX_PERCEPT_SAMPLES + 1;
    for (size_t i = 0; i < s->items.count && same && !cpu_budget_spent(budget); i += stride) {
        if (!s->items.items[i].has_next)
            continue;
        game_percept_keys(s->work, &s->items.items[i].state, s->moves.items + i * s->role_count,
                          keys);
        same = fragments_same_percepts(s->game, keys);
    }
    free(keys);
    return same;
}

typedef struct {
    uint64_t *knowledge, *keys; /* by role: hash of all it knows, key of its percepts */
    bool is_whole;              /* the match was followed from its first state */
} Followed;

static void follow_knowledge(const Samples *s, size_t sample, Followed *f, KnowledgeVector *known) {
    const Sample *item = &s->items.items[sample];
    f->is_whole |= item->time == 0;
    for (uint32_t r = 0; r < s->role_count; r++) {
        f->knowledge[r] = item->time == 0 ? r : f->knowledge[r];
        if (game_is_chance(s->game, r) || item->is_terminal || !f->is_whole)
            continue;
        size_t bytes = samples_choices(s, sample, r) * sizeof(uint32_t);
        vector_push(known,
                    ((Knowledge){f->knowledge[r], hash_bytes(samples_legal(s, sample, r), bytes)}));
    }
    f->is_whole &= item->has_next;
    if (!f->is_whole)
        return;
    const uint32_t *moves = s->moves.items + sample * s->role_count;
    game_percept_keys(s->work, &item->state, moves, f->keys);
    for (uint32_t r = 0; r < s->role_count; r++)
        f->knowledge[r] = belief_knowledge(f->knowledge[r], moves[r], f->keys[r]);
}

/* True if the same moves and percepts of a player always came with the same legal moves. */
static bool legal_moves_are_known(const Samples *s, CpuBudget budget) {
    Followed f = {memory_zalloc((s->role_count + 1) * sizeof *f.knowledge),
                  memory_zalloc((s->role_count + 1) * sizeof *f.keys), false};
    KnowledgeVector known = {0};
    for (size_t i = 0; i < s->items.count && !cpu_budget_spent(budget); i++)
        follow_knowledge(s, i, &f, &known);
    bool is_known = knowledge_decides(&known);
    vector_free(&known);
    memory_free(f.knowledge, f.keys);
    return is_known;
}

static void find_chance(Fragments *f, const Samples *s, const StateFragments *all) {
    StateFragments found = all ? *all : sampled_chance(s);
    if (s->game->chance_role == s->role_count)
        f->oblivious = OBLIVIOUS_NO_CHANCE;
    else
        f->oblivious = chance_is_static(s->game) ? OBLIVIOUS_SYNTACTIC : found.oblivious;
    f->twin_moves = found.twin_moves;
}

static void find_sees(Fragments *f, const Samples *s, const StateFragments *all, CpuBudget budget) {
    uint32_t players = game_count_players(s->game);
    f->moves_public = f->legal_known = true;
    if (!s->game->rules->has_sees) {
        f->sees = SEES_NONE;
        return;
    }
    f->legal_known = legal_moves_are_known(s, budget);
    if (players <= 1) {
        f->sees = SEES_SOLO;
        return;
    }
    if (all_rules_about_any_role(s->game))
        f->sees = SEES_SHARED_SH1;
    else if (is_closed_under_exchange(s->game))
        f->sees = SEES_SHARED_SH2;
    else if (all ? all->perceive_the_same : players_perceive_the_same(s, budget))
        f->sees = SEES_SHARED_SEM;
    else
        f->sees = SEES_PRIVATE;
    f->moves_public = all ? all->moves_public : fragments_show_moves(s, budget);
}

void fragments_find(Fragments *f, const Samples *s, CpuBudget budget) {
    assert(s->items.count > 0);
    StateFragments all;
    bool has_chance = s->game->chance_role < s->role_count;
    bool is_complete =
        (has_chance || s->game->rules->has_sees) && fragments_of_all_states(s->game, budget, &all);
    *f = (Fragments){.all_states = is_complete ? all.states : 0};
    find_chance(f, s, is_complete ? &all : NULL);
    find_sees(f, s, is_complete ? &all : NULL, budget);
}
