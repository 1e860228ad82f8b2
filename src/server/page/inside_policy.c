/* The best policy of a small game. The limit on turns is doubled until one more turn changes
 * nothing or the time is used up. The policy for the largest limit that was solved is shown. */
#include "base/bitset.h"
#include "scsp/exact/expectimax.h"
#include "scsp/network/preprocess.h"
#include "scsp/network/unfold.h"
#include "server/json/inside_json.h"
#include "server/json/json.h"
#include "server/page/inside.h"

/* Limits on the turns of a match, the elements of the symmetry group and the nodes of a policy that
 * is shown (untuned). */
enum { MAX_TURNS = 64, MAX_ELEMENTS = 1000, MAX_NODES = 3000 };
static const double template_seconds = 3, policy_seconds = 5, symmetry_seconds = 1;

typedef struct {
    uint32_t turns;      /* limit on turns; 0: no limit was tried */
    const char *failure; /* why it was not solved; NULL if it was */
    uint64_t work;       /* number of nodes searched; of beliefs with hidden information */
    double value;        /* expected goal */
    bool is_exact;
    bool is_whole; /* one more turn changes nothing: no match is longer */
    Scsp network;  /* used with `open`, for games without hidden information */
    ExpectimaxResult open;
    BeliefSearchResult hidden; /* used for games with hidden information */
} Attempt;

typedef struct {
    Game *game;
    Template *template;
    uint32_t player, players;
    SymmetryGroup *group; /* symmetries, for games with hidden information; may be NULL */
    Deadline deadline;
} Seeker;

static void attempt_free(Attempt *a) {
    policy_free(&a->open.policy);
    belief_search_free(&a->hidden);
    scsp_free(&a->network);
}

static void solve_open(const Seeker *s, Attempt *a) {
    static const char *const failures[] = {
        [EXPECTIMAX_INFEASIBLE] = "no policy keeps all constraints",
        [EXPECTIMAX_SIMULTANEOUS] = "several roles choose at the same time",
        [EXPECTIMAX_STOPPED] = "the game is too large for it"};
    Scsp whole;
    unfold(&whole, s->template, a->turns, NULL);
    bool is_feasible = preprocess(&a->network, &whole);
    scsp_free(&whole);
    a->open.policy.root = POLICY_NONE;
    a->failure = failures[EXPECTIMAX_INFEASIBLE];
    if (!is_feasible)
        return;
    expectimax_solve(
        &a->network,
        &(ExpectimaxOptions){
            .rule = RULE_MAXN, .player = s->player, .caches = true, .deadline = s->deadline},
        &a->open);
    a->failure = failures[a->open.end];
    a->work = a->open.nodes;
    a->value = a->open.value;
    a->is_exact = true;
}

static void solve_hidden(const Seeker *s, Attempt *a) {
    belief_search(
        s->template,
        &(BeliefSearchOptions){
            .player = s->player, .turns = a->turns, .group = s->group, .deadline = s->deadline},
        &a->hidden);
    a->failure = a->hidden.is_solved ? NULL : "the game is too large for it";
    a->work = a->hidden.beliefs;
    a->value = a->hidden.value;
    a->is_exact = !a->hidden.is_inexact;
}

static void solve(const Seeker *s, Attempt *a) {
    if (!game_hides(s->game))
        solve_open(s, a);
    else if (s->players == 1)
        solve_hidden(s, a);
    else
        a->failure = "several players know different things";
}

/* True if one more turn changes nothing, so that no match is longer. */
static bool is_whole(const Seeker *s, const Attempt *a) {
    Attempt next = {.turns = a->turns + 1};
    solve(s, &next);
    bool is_same = !next.failure && next.work == a->work && next.value == a->value;
    attempt_free(&next);
    return is_same;
}

/* Returns the attempt with the largest limit that was solved; the first attempt if none was. */
static Attempt solve_longest(const Seeker *s) {
    Attempt best = {0};
    for (uint32_t turns = 1; turns <= MAX_TURNS && !best.is_whole; turns *= 2) {
        Attempt next = {.turns = turns};
        solve(s, &next);
        if (next.failure && best.turns) {
            attempt_free(&next);
            break;
        }
        attempt_free(&best);
        best = next;
        if (next.failure)
            break;
        best.is_whole = is_whole(s, &best);
    }
    return best;
}

static json_t *exact_json(const PolicyView *view) {
    Rational value = policy_value(view->policy, view->player);
    if (!rational_is_exact(value))
        return json_null();
    Text text = {0};
    rational_write(value, &text);
    return take_text_json(&text);
}

static size_t count_nodes(const PolicyView *view) {
    uint64_t *reached = policy_reached(view);
    size_t nodes = bitset_count(reached, bitset_words(view->policy->root + 1));
    free(reached);
    return nodes;
}

static json_t *attempt_json(const Seeker *s, const Attempt *a) {
    bool is_hidden = game_hides(s->game);
    PolicyView view = {s->template, is_hidden ? NULL : &a->network,
                       is_hidden ? &a->hidden.policy : &a->open.policy, a->hidden.percepts.items,
                       s->player};
    if (a->failure || view.policy->root == POLICY_NONE)
        return object_add(inside_missing(a->failure ? a->failure : "there is no policy"), "final",
                          json_boolean(!deadline_passed(s->deadline)));
    size_t nodes = count_nodes(&view);
    return object_of("role", role_json(s->game, s->player), "turns", json_integer(a->turns),
                     "value", a->is_exact ? exact_json(&view) : json_null(), "value_decimal",
                     json_real(a->value), "work", count_json(a->work), "nodes", count_json(nodes),
                     "policy", nodes <= MAX_NODES ? policy_json(&view) : json_null(), "whole",
                     json_boolean(a->is_whole), "final",
                     json_boolean(a->is_whole || !deadline_passed(s->deadline)));
}

static void choose_player(Seeker *s) {
    s->player = s->game->role_count;
    for (uint32_t r = 0; r < s->game->role_count; r++)
        if (!game_is_chance(s->game, r)) {
            s->players++;
            s->player = r < s->player ? r : s->player;
        }
}

json_t *inside_policy(Game *game) {
    Report report = {0};
    Seeker s = {.game = game};
    choose_player(&s);
    if (!s.players)
        return inside_missing("nobody but chance plays");
    s.template = template_create(game, &(TemplateOptions){.seconds = template_seconds}, &report);
    if (!s.template) {
        json_t *missing = inside_missing(report.items.count ? report.items.items[0].message : "");
        report_free(&report);
        return missing;
    }
    Symmetries *symmetries =
        game_hides(game) ? symmetry_find(game, &(SymmetryOptions){.seconds = symmetry_seconds})
                         : NULL;
    s.group = symmetries ? symmetry_elements(symmetries, MAX_ELEMENTS) : NULL;
    s.deadline = deadline_in(policy_seconds);
    Attempt best = solve_longest(&s);
    json_t *object = attempt_json(&s, &best);
    attempt_free(&best);
    symmetry_group_free(s.group);
    symmetry_free(symmetries);
    template_free(s.template);
    report_free(&report);
    return object;
}
