/* Sub-goals of the rules: clauses in the normal forms of the goals, of terminal and of the
 * auxiliary predicates below them in which all literals are fluents. A line of Tictactoe is such a
 * clause. */
#include "analysis/decompose/by_rules/dnf.h"
#include "learn/data/features.h"

enum { MAX_LITERALS = 32 }; /* literals of a clause that becomes a feature, at most (untuned) */
/* Seconds for grounding, and as many for the normal forms (untuned). */
static const double SECONDS = 5;

typedef struct {
    DnfForms *forms;
    U32Vector open; /* atoms whose normal forms are still to be examined */
    uint8_t *seen;  /* by atom: nonzero once it was put on the list */
    Features *features;
    size_t left; /* features that may still be added */
} Gathering;

static void look_at_atom(Gathering *g, Atom atom) {
    if (atom == ATOM_NONE || g->seen[atom])
        return;
    g->seen[atom] = 1;
    vector_push(&g->open, atom);
}

static void look_at_clause(Gathering *g, const DnfClause *clause) {
    FactLiteral literals[MAX_LITERALS];
    size_t count = 0;
    bool is_of_fluents = clause->count > 1 && clause->count <= MAX_LITERALS;
    for (uint32_t k = 0; k < clause->count; k++) {
        DnfLiteral literal = clause->literals[k];
        if (dnf_is_moves(literal)) {
            is_of_fluents = false;
            continue;
        }
        uint32_t fluent = dnf_fluent(g->forms, dnf_subject(literal));
        if (fluent == UINT32_MAX) {
            look_at_atom(g, dnf_subject(literal));
            is_of_fluents = false;
        } else if (is_of_fluents) {
            literals[count++] = literal_of(fluent, dnf_is_negated(literal));
        }
    }
    if (!is_of_fluents || g->left < 2)
        return;
    features_add(g->features, FEATURE_ALL, literals, count);
    features_add(g->features, FEATURE_SHARE, literals, count);
    g->left -= 2;
}

static void gather(Features *features, const Grounding *grounding, size_t most) {
    Deadline deadline = deadline_in(SECONDS);
    Gathering g = {
        .forms = dnf_create(grounding, DNF_SHORT, &deadline), .features = features, .left = most};
    g.seen = memory_zalloc(grounding->atom_relations.count + 1);
    for (size_t i = 0; i < grounding->goals.count; i++)
        look_at_atom(&g, grounding->goals.items[i].atom);
    look_at_atom(&g, grounding->terminal);
    for (size_t i = 0; i < g.open.count && g.left >= 2; i++) {
        const DnfFormula *form = dnf_of(g.forms, g.open.items[i]);
        for (uint32_t c = 0; form && c < form->count; c++)
            look_at_clause(&g, &form->clauses[c]);
    }
    dnf_free(g.forms);
    vector_free(&g.open);
    free(g.seen);
}

void features_add_subgoals(Features *features, Game *game, size_t most) {
    const Grounding *grounding =
        game_has_circuit(game) ? game_ground_rules(game, (GroundBudget){.seconds = SECONDS}) : NULL;
    if (grounding)
        gather(features, grounding, most);
}
