/* Successors of a state are worked out once, by the network of its turn or by the reasoner, and
 * kept. Recurses once a turn; the caller bounds their number. */
#include "scsp/belief_search.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"
#include "scsp/rational.h"

enum { CLOCK_EVERY = 64 };
static const uint64_t LARGEST_WEIGHT = UINT64_C(1) << 40;
static const uint64_t LARGEST_TOTAL = UINT64_C(1) << 62; /* of what may follow one belief */

/* A state with all that may happen in it, for each action of the player. */
typedef struct {
    bool is_terminal;
    int goal;
    uint32_t first_outcome; /* those of an action stand together */
    uint32_t action_count;
    uint32_t first_action; /* into action_ends: where its outcomes end; its move stands beside */
    uint32_t draws;        /* moves of chance, all equally likely */
} KnownState;

typedef struct {
    uint32_t state, percepts;
    uint32_t times; /* moves of chance that lead to it */
} Outcome;

typedef struct {
    uint32_t state;
    uint64_t weight;
} World;

typedef VECTOR(World) Worlds;

typedef struct {
    uint32_t turns_left, first_world, world_count;
    double value;
    uint32_t node;
} Known;

typedef struct {
    const Template *t;
    const BeliefSearchOptions *options;
    BeliefSearchResult *result;
    Micro *micro; /* NULL if the reasoner is asked */
    MicroResult solved;
    GameWork *work;
    U32Vector *legal; /* by role */
    uint32_t *joint;
    uint64_t *keys; /* of percepts, by role */
    Table state_table, belief_table, percept_table;
    VECTOR(uint16_t) values;   /* by state */
    VECTOR(uint64_t) percepts; /* by set of percepts: its bits, or the reasoner's number for it */
    VECTOR(KnownState) states;
    U32Vector is_expanded; /* by state */
    VECTOR(Outcome) outcomes;
    U32Vector action_ends, action_moves;
    VECTOR(Known) beliefs;
    Worlds worlds; /* of all beliefs that are kept */
    State state, next, image;
    uint16_t *scratch;
    bool is_over;
} Search;

typedef struct {
    double value;
    uint32_t node;
} Found;

static uint32_t intern_state(Search *s, const uint16_t *values) {
    size_t groups = s->t->groups.count;
    uint64_t hash = hash_bytes(values, groups * sizeof *values);
    uint32_t id;
    for (TableProbe p = table_probe(&s->state_table, hash); table_next(&s->state_table, &p, &id);)
        if (memcmp(s->values.items + id * groups, values, groups * sizeof *values) == 0)
            return id;
    id = (uint32_t)s->states.count;
    table_insert(&s->state_table, hash, id);
    for (size_t i = 0; i < groups; i++)
        vector_push(&s->values, values[i]);
    vector_push(&s->states, (KnownState){0});
    vector_push(&s->is_expanded, 0);
    return id;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What the bits say, in the order in which referees write it. */
static char *percepts_text(const Search *s, const uint64_t *bits) {
    VECTOR(const char *) seen = {0};
    Text text = {0};
    for (size_t i = 0; i < s->t->percepts.count; i++)
        if (bitset_get(bits, i))
            vector_push(&seen, s->t->percepts.items[i].text);
    vector_sort(&seen, compare_texts);
    for (size_t i = 0; i < seen.count; i++) {
        text_add(&text, i ? " " : "");
        text_add(&text, seen.items[i]);
    }
    text_add(&text, "");
    vector_free(&seen);
    return text.items;
}

/* The number of the set of percepts that the player has of these. */
static uint32_t intern_percepts(Search *s, uint64_t *bits) {
    uint32_t words = s->micro->percept_words, id;
    for (size_t i = 0; i < s->t->percepts.count; i++)
        if (s->t->percepts.items[i].role != s->options->player)
            bitset_clear(bits, i);
    uint64_t hash = hash_bytes(bits, words * sizeof *bits);
    for (TableProbe p = table_probe(&s->percept_table, hash);
         table_next(&s->percept_table, &p, &id);)
        if (bitset_equal(s->percepts.items + (size_t)id * words, bits, words))
            return id;
    id = (uint32_t)s->result->percepts.count;
    table_insert(&s->percept_table, hash, id);
    for (uint32_t w = 0; w < words; w++)
        vector_push(&s->percepts, bits[w]);
    vector_push(&s->result->percepts, percepts_text(s, bits));
    return id;
}

/* The number of what the player perceives, for which the reasoner has a key. */
static uint32_t intern_percept_key(Search *s, const State *state, uint64_t key) {
    uint32_t id, player = s->options->player;
    for (TableProbe p = table_probe(&s->percept_table, key);
         table_next(&s->percept_table, &p, &id);)
        if (s->percepts.items[id] == key)
            return id;
    Text text = {0};
    id = (uint32_t)s->result->percepts.count;
    table_insert(&s->percept_table, key, id);
    vector_push(&s->percepts, key);
    game_sees(s->work, state, s->joint, player, &text);
    text_add(&text, "");
    vector_push(&s->result->percepts, text.items);
    return id;
}

static void begin_action(Search *s, uint32_t move) {
    vector_push(&s->action_moves, move);
    vector_push(&s->action_ends, (uint32_t)s->outcomes.count);
}

/* Of the action begun last. Moves of chance that make no difference become one outcome. */
static void add_outcome(Search *s, uint32_t first_outcome, uint32_t state, uint32_t percepts) {
    for (size_t i = first_outcome; i < s->outcomes.count; i++) {
        Outcome *o = &s->outcomes.items[i];
        if (o->state == state && o->percepts == percepts) {
            o->times++;
            return;
        }
    }
    Outcome outcome = {state, percepts, 1};
    vector_push(&s->outcomes, outcome);
    vector_last(&s->action_ends) = (uint32_t)s->outcomes.count;
}

static void ask_network(Search *s, uint32_t number, KnownState *known) {
    const Template *t = s->t;
    micro_solve(s->micro, s->values.items + number * t->groups.count, &s->solved);
    known->is_terminal = s->solved.is_terminal || s->solved.is_impossible;
    known->action_count = s->solved.action_count;
    if (s->solved.is_terminal)
        known->goal = s->solved.goals[s->options->player];
    size_t i = 0;
    for (uint32_t a = 0; a < known->action_count && !known->is_terminal; a++) {
        uint32_t first = (uint32_t)s->outcomes.count;
        begin_action(s, s->solved.actions.items[a * t->role_count + s->options->player]);
        known->draws = 0;
        for (; i < s->solved.outcomes.count && s->solved.outcomes.items[i].action == a; i++) {
            const MicroOutcome *o = &s->solved.outcomes.items[i];
            add_outcome(s, first, intern_state(s, s->solved.nexts.items + o->first_next),
                        intern_percepts(s, o->percepts));
            known->draws++;
        }
    }
}

static void look_at_clock(Search *s) {
    s->is_over = s->is_over ||
                 (s->options->deadline.at > 0 && deadline_passed(s->options->deadline)) ||
                 (s->options->stopped && __atomic_load_n(s->options->stopped, __ATOMIC_RELAXED));
}

/* All moves of the others after one of the player, as long as there is time. */
static void add_draws(Search *s, uint32_t move, uint32_t draws) {
    uint32_t player = s->options->player, first = (uint32_t)s->outcomes.count;
    begin_action(s, move);
    for (uint32_t draw = 0; draw < draws && !s->is_over; draw++) {
        uint32_t left = draw;
        for (uint32_t r = 0; r < s->t->role_count; r++) {
            s->joint[r] = r == player ? move : s->legal[r].items[left % s->legal[r].count];
            left /= r == player ? 1 : (uint32_t)s->legal[r].count;
        }
        game_next(s->work, &s->state, s->joint, &s->next);
        game_percept_keys(s->work, &s->state, s->joint, s->keys);
        template_read_state(s->t, &s->next, s->scratch);
        add_outcome(s, first, intern_state(s, s->scratch),
                    intern_percept_key(s, &s->state, s->keys[player]));
        if (draw % CLOCK_EVERY == CLOCK_EVERY - 1)
            look_at_clock(s);
    }
}

static void ask_reasoner(Search *s, uint32_t number, KnownState *known) {
    const Template *t = s->t;
    uint32_t player = s->options->player;
    template_write_state(t, s->values.items + number * t->groups.count, &s->state);
    known->is_terminal = game_is_terminal(s->work, &s->state);
    if (known->is_terminal) {
        known->goal = game_goal(s->work, &s->state, player);
        return;
    }
    known->draws = 1;
    for (uint32_t r = 0; r < t->role_count; r++) {
        game_legal(s->work, &s->state, r, &s->legal[r]);
        known->is_terminal |= s->legal[r].count == 0;
        known->draws *= r == player ? 1 : (uint32_t)s->legal[r].count;
    }
    known->action_count = known->is_terminal ? 0 : (uint32_t)s->legal[player].count;
    for (uint32_t a = 0; a < known->action_count; a++)
        add_draws(s, s->legal[player].items[a], known->draws);
}

static void expand(Search *s, uint32_t number) {
    if (s->is_expanded.items[number])
        return;
    s->is_expanded.items[number] = 1;
    KnownState known = {.first_outcome = (uint32_t)s->outcomes.count,
                        .first_action = (uint32_t)s->action_ends.count};
    if (s->micro)
        ask_network(s, number, &known);
    else
        ask_reasoner(s, number, &known);
    known.goal = known.goal < 0 ? 0 : known.goal;
    s->states.items[number] = known;
}

/* The outcomes of the move in the state; false if it is not legal there. */
static bool find_move(const Search *s, uint32_t state, uint32_t move, uint32_t *first,
                      uint32_t *end) {
    const KnownState *k = &s->states.items[state];
    for (uint32_t a = 0; a < k->action_count; a++)
        if (s->action_moves.items[k->first_action + a] == move) {
            *first = a ? s->action_ends.items[k->first_action + a - 1] : k->first_outcome;
            *end = s->action_ends.items[k->first_action + a];
            return true;
        }
    return false;
}

static int compare_worlds(const void *a, const void *b) {
    const World *x = a, *y = b;
    return x->state < y->state ? -1 : x->state > y->state;
}

/* Equal states become one, and weights as small as they can be. */
static void normalise(Search *s, Worlds *w) {
    size_t kept = 0;
    uint64_t common = 0, total = 0;
    vector_sort(w, compare_worlds);
    for (size_t i = 0; i < w->count; i++)
        if (kept && w->items[kept - 1].state == w->items[i].state)
            w->items[kept - 1].weight += w->items[i].weight;
        else
            w->items[kept++] = w->items[i];
    w->count = kept;
    for (size_t i = 0; i < kept; i++) {
        common = (uint64_t)rational_common_divisor(common, w->items[i].weight);
        total += w->items[i].weight;
    }
    for (size_t i = 0; i < kept && common > 1; i++)
        w->items[i].weight /= common;
    for (; total / (common ? common : 1) > LARGEST_WEIGHT; total /= 2) {
        s->result->is_inexact = true;
        for (size_t i = 0; i < kept; i++)
            w->items[i].weight = (w->items[i].weight + 1) / 2;
    }
}

static void map_worlds(Search *s, const GamePermutation *p, const Worlds *w, Worlds *image) {
    vector_clear(image);
    for (size_t i = 0; i < w->count; i++) {
        template_write_state(s->t, s->values.items + w->items[i].state * s->t->groups.count,
                             &s->state);
        symmetry_apply(p, s->t->fluent_count, &s->state, &s->image);
        template_read_state(s->t, &s->image, s->scratch);
        World world = {intern_state(s, s->scratch), w->items[i].weight};
        vector_push(image, world);
    }
    vector_sort(image, compare_worlds);
}

/* The least image under the group, by states and weights. */
static void make_canonical(Search *s, Worlds *w) {
    Worlds image = {0};
    Worlds best = {0};
    for (size_t i = 1; s->options->group && i < s->options->group->items.count; i++) {
        map_worlds(s, &s->options->group->items.items[i], w, &image);
        const Worlds *least = best.count ? &best : w;
        bool is_less = false, is_decided = false;
        for (size_t j = 0; j < image.count && !is_decided; j++) {
            const World *a = &image.items[j], *b = &least->items[j];
            is_decided = a->state != b->state || a->weight != b->weight;
            is_less = a->state != b->state ? a->state < b->state : a->weight < b->weight;
        }
        if (is_decided && is_less) {
            Worlds swap = best;
            best = image;
            image = swap;
        }
    }
    for (size_t j = 0; j < best.count; j++)
        w->items[j] = best.items[j];
    vector_free(&image);
    vector_free(&best);
}

static uint64_t hash_worlds(const Worlds *w, uint32_t turns_left) {
    uint64_t hash = turns_left;
    for (size_t i = 0; i < w->count; i++)
        hash = hash_mix(hash_mix(hash, w->items[i].state), w->items[i].weight);
    return hash_finish(hash);
}

static const Known *find_known(const Search *s, const Worlds *w, uint32_t turns_left,
                               uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&s->belief_table, hash);
         table_next(&s->belief_table, &p, &id);) {
        const Known *k = &s->beliefs.items[id];
        bool same = k->turns_left == turns_left && k->world_count == w->count;
        for (size_t i = 0; i < w->count && same; i++) {
            const World *a = &s->worlds.items[k->first_world + i], *b = &w->items[i];
            same = a->state == b->state && a->weight == b->weight;
        }
        if (same)
            return k;
    }
    return NULL;
}

static void keep(Search *s, const Worlds *w, uint32_t turns_left, uint64_t hash, Found found) {
    Known known = {turns_left, (uint32_t)s->worlds.count, (uint32_t)w->count, found.value,
                   found.node};
    for (size_t i = 0; i < w->count; i++)
        vector_push(&s->worlds, w->items[i]);
    table_insert(&s->belief_table, hash, (uint32_t)s->beliefs.count);
    vector_push(&s->beliefs, known);
}

static bool is_over(Search *s) {
    if (++s->result->beliefs % CLOCK_EVERY == 0)
        look_at_clock(s);
    return s->is_over;
}

static Found search(Search *s, Worlds *w, uint32_t turns_left);

/* An outcome with its weight, before outcomes are sorted by what is perceived. */
typedef struct {
    uint32_t key; /* percepts, or END_KEY + goal where the match is over */
    World world;
} Draw;

typedef VECTOR(Draw) Draws;

#define END_KEY (UINT32_MAX - 200)

static int compare_draws(const void *a, const void *b) {
    const Draw *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->world.state < y->world.state ? -1 : x->world.state > y->world.state;
}

/* The moves of chance of all worlds divide it, so that equal parts of them are whole numbers; if
 * that, times the weights, would be too large for a number, it is the most that is not. */
static uint64_t common_multiple(Search *s, const Worlds *w) {
    uint64_t multiple = 1, sum = 0;
    for (size_t i = 0; i < w->count; i++)
        sum += w->items[i].weight;
    for (size_t i = 0; i < w->count; i++) {
        uint64_t draws = s->states.items[w->items[i].state].draws;
        RationalPart next = multiple / rational_common_divisor(multiple, draws) * draws;
        if (next > LARGEST_TOTAL / sum) {
            s->result->is_inexact = true;
            return LARGEST_TOTAL / sum;
        }
        multiple = (uint64_t)next;
    }
    return multiple;
}

/* The weight of one of the moves of chance in the world. */
static uint64_t weight_of_draw(const World *world, uint64_t multiple, uint64_t draws) {
    RationalPart weight = ((RationalPart)world->weight * multiple + draws / 2) / draws;
    return weight ? (uint64_t)weight : 1;
}

/* All that may happen after the move; false if it is not legal everywhere. */
static bool draw_outcomes(Search *s, const Worlds *w, uint32_t move, Draws *draws,
                          uint64_t *total) {
    uint32_t first, end;
    *total = 0;
    vector_clear(draws);
    for (size_t i = 0; i < w->count; i++)
        if (!find_move(s, w->items[i].state, move, &first, &end))
            return false;
    uint64_t multiple = common_multiple(s, w);
    for (size_t i = 0; i < w->count; i++) {
        find_move(s, w->items[i].state, move, &first, &end);
        uint64_t unit =
            weight_of_draw(&w->items[i], multiple, s->states.items[w->items[i].state].draws);
        for (uint32_t o = first; o < end; o++) {
            Outcome outcome = s->outcomes.items[o];
            uint64_t weight = unit * outcome.times;
            expand(s, outcome.state);
            const KnownState *k = &s->states.items[outcome.state];
            Draw draw = {k->is_terminal ? END_KEY + (uint32_t)k->goal : outcome.percepts,
                         {outcome.state, weight}};
            vector_push(draws, draw);
            *total += weight;
        }
    }
    vector_sort(draws, compare_draws);
    return true;
}

static uint32_t leaf(Search *s, int goal) {
    int32_t amounts[64] = {0};
    amounts[s->options->player] = goal;
    return policy_add_leaf(&s->result->policy, amounts);
}

/* The value of a move, or less than `enough` if it cannot be reached. */
static Found try_move(Search *s, const Worlds *w, uint32_t move, uint32_t turns_left,
                      double enough) {
    Draws draws = {0};
    Worlds child = {0};
    VECTOR(PolicyBranch) branches = {0};
    uint64_t total, done = 0;
    Found found = {-1, POLICY_NONE};
    bool goes_on = draw_outcomes(s, w, move, &draws, &total);
    double sum = 0;
    for (size_t i = 0; goes_on && i < draws.count;) {
        PolicyBranch branch = {0, draws.items[i].key, POLICY_NONE};
        uint32_t key = draws.items[i].key;
        vector_clear(&child);
        for (; i < draws.count && draws.items[i].key == key; i++) {
            branch.weight += draws.items[i].world.weight;
            vector_push(&child, draws.items[i].world);
        }
        Found below = {0};
        if (key >= END_KEY) {
            below.value = (double)(key - END_KEY) / 100;
            below.node = leaf(s, (int)(key - END_KEY));
            branch.value = POLICY_END;
        } else {
            normalise(s, &child);
            below = search(s, &child, turns_left - 1);
        }
        branch.node = below.node;
        vector_push(&branches, branch);
        done += branch.weight;
        sum += (double)branch.weight / (double)total * below.value;
        goes_on = !s->is_over && sum + (double)(total - done) / (double)total > enough;
    }
    if (goes_on) {
        found.value = sum;
        found.node = policy_add_chance(&s->result->policy, POLICY_PERCEPTS, branches.items,
                                       (uint32_t)branches.count);
    }
    vector_free(&draws);
    vector_free(&child);
    vector_free(&branches);
    return found;
}

static Found decide(Search *s, const Worlds *w, uint32_t turns_left) {
    const KnownState *first = &s->states.items[w->items[0].state];
    uint32_t from = first->first_action, count = first->action_count, choice = 0;
    Found best = {-1, POLICY_NONE};
    for (uint32_t a = 0; a < count && best.value < 1 && !is_over(s); a++) {
        uint32_t move = s->action_moves.items[from + a];
        Found found = try_move(s, w, move, turns_left, best.value);
        if (found.node != POLICY_NONE && found.value > best.value) {
            best = found;
            choice = move;
        }
    }
    if (best.node == POLICY_NONE)
        return (Found){0, leaf(s, 0)};
    best.node = policy_add_decision(&s->result->policy, s->t->actions[s->options->player], choice,
                                    best.node);
    return best;
}

static Found search(Search *s, Worlds *w, uint32_t turns_left) {
    if (turns_left == 0)
        return (Found){0, leaf(s, 0)};
    make_canonical(s, w);
    uint64_t hash = hash_worlds(w, turns_left);
    const Known *known = find_known(s, w, turns_left, hash);
    if (known)
        return (Found){known->value, known->node};
    for (size_t i = 0; i < w->count; i++)
        expand(s, w->items[i].state);
    Found found = decide(s, w, turns_left);
    if (!s->is_over)
        keep(s, w, turns_left, hash, found);
    return found;
}

static void open_search(Search *s) {
    uint32_t roles = s->t->role_count;
    if (s->options->by_network)
        s->micro = micro_create(s->t);
    s->work = game_work(s->t->game, REASONER_AUTO);
    s->legal = memory_zalloc(roles * sizeof *s->legal);
    s->joint = memory_zalloc(roles * sizeof *s->joint);
    s->keys = memory_zalloc(roles * sizeof *s->keys);
    s->scratch = memory_zalloc((s->t->groups.count + 1) * sizeof *s->scratch);
}

static void close_search(Search *s) {
    micro_result_free(&s->solved);
    micro_free(s->micro);
    game_work_free(s->work);
    for (uint32_t r = 0; r < s->t->role_count; r++)
        vector_free(&s->legal[r]);
    free(s->legal);
    free(s->joint);
    free(s->keys);
    table_free(&s->state_table);
    table_free(&s->belief_table);
    table_free(&s->percept_table);
    vector_free(&s->values);
    vector_free(&s->percepts);
    vector_free(&s->states);
    vector_free(&s->is_expanded);
    vector_free(&s->outcomes);
    vector_free(&s->action_ends);
    vector_free(&s->action_moves);
    vector_free(&s->beliefs);
    vector_free(&s->worlds);
    state_free(&s->state);
    state_free(&s->next);
    state_free(&s->image);
    free(s->scratch);
}

void belief_search(const Template *t, const BeliefSearchOptions *options,
                   BeliefSearchResult *result) {
    *result = (BeliefSearchResult){
        .policy = {.root = POLICY_NONE, .player_count = t->role_count, .unit = 100}};
    Search s = {.t = t, .options = options, .result = result};
    Worlds start = {0};
    open_search(&s);
    World world = {intern_state(&s, t->initial), 1};
    vector_push(&start, world);
    expand(&s, world.state);
    Found found = {0};
    const KnownState *first = &s.states.items[world.state];
    if (first->is_terminal)
        found = (Found){first->goal / 100.0, leaf(&s, first->goal)};
    else
        found = search(&s, &start, options->turns);
    result->is_solved = !s.is_over;
    result->value = found.value;
    result->policy.root = found.node;
    vector_free(&start);
    close_search(&s);
}

void belief_search_free(BeliefSearchResult *result) {
    for (size_t i = 0; i < result->percepts.count; i++)
        free(result->percepts.items[i]);
    vector_free(&result->percepts);
    policy_free(&result->policy);
}
