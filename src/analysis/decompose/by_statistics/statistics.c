/* Collects the counts. A transition is a short ascending list of effects. Effects that always occur
 * together are found by intersecting such lists. */
#include "analysis/decompose/by_statistics/statistics.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

Statistics *statistics_create(const Game *game) {
    const Circuit *c = game->circuit;
    Statistics *s = memory_zalloc(sizeof *s);
    s->fluent_count = c->fluent_count;
    s->move_count = c->move_count;
    s->role_count = c->role_count;
    size_t effects = 2 * (size_t)c->fluent_count + 1;
    s->of_effect = arena_zalloc(&s->arena, effects * sizeof *s->of_effect);
    s->first_count = arena_zalloc(&s->arena, effects * sizeof *s->first_count);
    s->is_played = arena_zalloc(&s->arena, c->move_count + 1);
    s->has_chosen = arena_zalloc(&s->arena, c->role_count + 1);
    s->wait = u32_none(c->role_count);
    s->alternates = c->role_count > 1;
    s->effects = memory_zalloc(LANES * sizeof *s->effects);
    return s;
}

void statistics_free(Statistics *s) {
    if (!s)
        return;
    for (size_t e = 0; e < 2 * (size_t)s->fluent_count; e++)
        vector_free(&s->of_effect[e].together);
    for (size_t i = 0; i < s->pairs.count; i++)
        vector_free(&s->pairs.items[i].companions.together);
    u32_free_lists(s->effects, LANES);
    vectors_free(&s->pairs, &s->joint_effects, &s->joint_pairs, &s->joint_moves, &s->joints);
    table_free(&s->pair_table);
    table_free(&s->joint_table);
    table_free(&s->joint_effect_table);
    arena_free(&s->arena);
    memory_free(s->wait, s);
}

static uint64_t hash_two(uint32_t a, uint32_t b) {
    return hash_finish(hash_mix(a, b));
}

EffectPair *statistics_pair(const Statistics *s, uint32_t move, Effect effect) {
    uint32_t id;
    for (TableProbe p = table_probe(&s->pair_table, hash_two(move, effect));
         table_next(&s->pair_table, &p, &id);)
        if (s->pairs.items[id].move == move && s->pairs.items[id].effect == effect)
            return &s->pairs.items[id];
    return NULL;
}

static uint32_t number_of_pair(Statistics *s, uint32_t move, Effect effect) {
    const EffectPair *pair = statistics_pair(s, move, effect);
    if (pair)
        return (uint32_t)(pair - s->pairs.items);
    table_insert(&s->pair_table, hash_two(move, effect), (uint32_t)s->pairs.count);
    vector_push(&s->pairs, ((EffectPair){.move = move, .effect = effect}));
    return (uint32_t)s->pairs.count - 1;
}

/* Returns the number of the joint move; a joint move never played before gets a new number. */
static uint32_t joint_of(Statistics *s, const uint32_t *moves) {
    uint64_t hash = s->role_count;
    for (uint32_t r = 0; r < s->role_count; r++)
        hash = hash_mix(hash, moves[r]);
    hash = hash_finish(hash);
    uint32_t id;
    for (TableProbe p = table_probe(&s->joint_table, hash); table_next(&s->joint_table, &p, &id);)
        if (memcmp(s->joint_moves.items + (size_t)id * s->role_count, moves,
                   s->role_count * sizeof *moves) == 0)
            return id;
    id = (uint32_t)s->joints.count;
    table_insert(&s->joint_table, hash, id);
    vector_push(&s->joints, ((Joint){0, UINT32_MAX, UINT32_MAX}));
    vector_append(&s->joint_moves, moves, s->role_count);
    return id;
}

static uint32_t find_joint_effect(const Statistics *s, uint32_t joint, Effect effect,
                                  uint32_t near) {
    enum {
        STEPS = 8 /* entries of the list that are tried before the table is searched (untuned) */
    };
    for (int i = 0; i < STEPS && near != UINT32_MAX; i++, near = s->joint_effects.items[near].next)
        if (s->joint_effects.items[near].effect == effect)
            return near;
    uint32_t id;
    for (TableProbe p = table_probe(&s->joint_effect_table, hash_two(joint, effect));
         table_next(&s->joint_effect_table, &p, &id);)
        if (s->joint_effects.items[id].joint == joint &&
            s->joint_effects.items[id].effect == effect)
            return id;
    return UINT32_MAX;
}

static uint32_t add_joint_effect(Statistics *s, uint32_t joint, Effect effect) {
    assert(joint < s->joints.count && effect < 2 * s->fluent_count);
    uint32_t id = (uint32_t)s->joint_effects.count, last = s->joints.items[joint].last;
    *(last == UINT32_MAX ? &s->joints.items[joint].first : &s->joint_effects.items[last].next) = id;
    s->joints.items[joint].last = id;
    table_insert(&s->joint_effect_table, hash_two(joint, effect), id);
    vector_push(&s->joint_effects, ((JointEffect){joint, effect, 0, UINT32_MAX}));
    const uint32_t *moves = s->joint_moves.items + (size_t)joint * s->role_count;
    for (uint32_t r = 0; r < s->role_count; r++)
        vector_push(&s->joint_pairs, number_of_pair(s, moves[r], effect));
    return id;
}

/* Returns the number of the joint move's effect; a new effect gets a new number. Most joint moves
 * have the same effects every time, so the search begins behind the effect found last. */
static uint32_t joint_effect_of(Statistics *s, uint32_t joint, Effect effect, uint32_t *behind) {
    uint32_t id = find_joint_effect(s, joint, effect, *behind);
    if (id == UINT32_MAX)
        id = add_joint_effect(s, joint, effect);
    *behind = s->joint_effects.items[id].next;
    return id;
}

static void add_companions(Companions *c, const U32Vector *effects) {
    if (c->count++ == 0) {
        u32_append(&c->together, effects);
        return;
    }
    if (c->together.count > 1) /* a single entry would be the effect itself */
        u32_intersect(&c->together, effects);
}

static void list_effects(Statistics *s, const ObservedTurn *turn) {
    for (size_t lane = 0; lane < LANES; lane++)
        vector_clear(&s->effects[lane]);
    for (uint32_t f = 0; f < s->fluent_count; f++) {
        Lanes difference = turn->state[f] ^ turn->next[f];
        LaneMask changed = mask_of(&difference);
        changed = mask_and(&changed, &turn->playing);
        bitset_each(lane, changed.words, LANE_WORDS)
            vector_push(&s->effects[lane],
                        effect_of(f, bitset_get((const uint64_t *)&turn->next[f], lane)));
    }
}

/* Records which roles have a choice and with which move each role waits. */
static void watch_choices(Statistics *s, const uint32_t *moves, const uint32_t *options) {
    uint32_t choosers = 0;
    for (uint32_t r = 0; r < s->role_count; r++) {
        s->is_played[moves[r]] = true;
        choosers += options[r] > 1;
        s->has_chosen[r] |= options[r] > 1;
    }
    s->alternates &= choosers <= 1;
    for (uint32_t r = 0; r < s->role_count && choosers == 1; r++) {
        if (options[r] > 1) {
            s->alternates &= s->wait[r] != moves[r];
            continue;
        }
        s->alternates &= s->wait[r] == UINT32_MAX || s->wait[r] == moves[r];
        s->wait[r] = moves[r];
    }
}

static void record_transition(Statistics *s, const uint32_t *moves, const U32Vector *effects,
                              bool is_first) {
    uint32_t joint = joint_of(s, moves), behind = s->joints.items[joint].first;
    s->joints.items[joint].count++;
    s->transitions++;
    s->first_transitions += is_first;
    for (size_t i = 0; i < effects->count; i++) {
        Effect x = effects->items[i];
        s->first_count[x] += is_first;
        uint32_t id = joint_effect_of(s, joint, x, &behind);
        s->joint_effects.items[id].count++;
        add_companions(&s->of_effect[x], effects);
        const uint32_t *pairs = s->joint_pairs.items + (size_t)id * s->role_count;
        for (uint32_t r = 0; r < s->role_count; r++)
            add_companions(&s->pairs.items[pairs[r]].companions, effects);
    }
}

static void visit_turn(void *context, Observer *observer, const ObservedTurn *turn) {
    Statistics *s = context;
    (void)observer;
    list_effects(s, turn);
    bitset_each(lane, turn->playing.words, LANE_WORDS) {
        if (deadline_passed(s->deadline)) /* thousands of effects of one turn take long */
            return;
        watch_choices(s, turn->moves + lane * s->role_count, turn->options + lane * s->role_count);
        record_transition(s, turn->moves + lane * s->role_count, &s->effects[lane],
                          turn->turn == 0);
    }
}

void statistics_collect(Statistics *s, Observer *observer, const State *start, uint64_t matches,
                        Deadline deadline) {
    Visitor visitor = {visit_turn, s};
    s->deadline = deadline;
    while (matches && !deadline_passed(deadline)) {
        uint32_t round = matches < LANES ? (uint32_t)matches : LANES;
        observer_play(observer, start, round, 0, deadline, &visitor, &s->counts);
        matches -= round;
    }
}

bool statistics_alternates(const Statistics *s) {
    bool alternates = s->alternates;
    for (uint32_t r = 0; r < s->role_count; r++)
        alternates &= s->has_chosen[r] && s->wait[r] != UINT32_MAX;
    return alternates;
}

void statistics_weigh(Statistics *s) {
    uint32_t *joints = memory_zalloc((s->move_count + 1) * sizeof *joints);
    for (size_t i = 0; i < s->joint_moves.count; i++)
        joints[s->joint_moves.items[i]]++;
    for (size_t i = 0; i < s->pairs.count; i++)
        s->pairs.items[i].probability = 0;
    for (size_t i = 0; i < s->joint_effects.count; i++) {
        const JointEffect *e = &s->joint_effects.items[i];
        const uint32_t *moves = s->joint_moves.items + (size_t)e->joint * s->role_count;
        double share = (double)e->count / (double)s->joints.items[e->joint].count;
        for (uint32_t r = 0; r < s->role_count; r++)
            s->pairs.items[s->joint_pairs.items[i * s->role_count + r]].probability +=
                share / (double)joints[moves[r]];
    }
    free(joints);
}
