/* Both players move at once, each in a part of its own. The parts are independent of each other if
 * goals are sums over the parts, no player can choose to pass, and the match ends with the last
 * part. This is checked for every combination of what the whole game sees of the parts. */
#include <assert.h>

#include "search/sums/sums_internal.h"

enum {
    MAX_COMBINATIONS = 100000, /* combinations to check (untuned) */
    MAX_VALUES = 20000000      /* values to store, one per class and phase (untuned) */
};

/* A bit for each turn at which the class has options. */
static uint32_t turns_with_options(const Sums *s, uint32_t class) {
    uint32_t turns = 0;
    for (uint32_t t = 0; t < s->parts.turns.count; t++)
        turns |= (uint32_t)(sums_option_count(s, class, t) > 0) << t;
    return turns;
}

static bool is_final(const Sums *s, uint32_t class) {
    return !turns_with_options(s, class);
}

/* The kind of a class is all that matters of it to the whole game: its view, and the turns at which
 * it has options. True if the kind was not met before. */
static bool is_new_kind(const Sums *s, KeyTable *kinds, uint32_t class) {
    size_t known = kinds->keys.count;
    uint32_t key[2] = {sums_view(s, class), turns_with_options(s, class)};
    return key_table_list(kinds, key, 2) == known;
}

/* Lists a class of each kind, by part, final ones first. False if too many, or if time is up. */
static bool list_kinds(Sums *s, U32Vector *kinds) {
    KeyTable known = {0};
    uint64_t combinations = s->parts.phases.count;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = 0; c < s->classes.count && combinations <= MAX_COMBINATIONS &&
                             !sums_are_out_of_time(s, s->parts.turns.count);
             c++) {
            U32Vector *own = &kinds[s->classes.items[c].key[0]];
            if (is_final(s, c) != (pass == 0) || !is_new_kind(s, &known, c))
                continue;
            if (own->count)
                combinations = combinations / own->count * (own->count + 1);
            vector_push(own, c);
        }
    key_table_free(&known);
    return combinations <= MAX_COMBINATIONS && !s->is_out_of_time;
}

/* True if roles pass exactly where they have no options, and the match ends with the last part. */
static bool keeps_step(Sums *s, const uint32_t *position, bool are_all_final) {
    const SumOutlook outlook = *sums_outlook(s, position);
    uint32_t turn = s->parts.phases.items[position[0]].turn;
    bool has_options[2] = {false, false};
    for (uint32_t k = 0; k < s->parts.count; k++) {
        uint32_t actor = sumparts_driver(&s->parts, k, turn);
        if (actor != SUMPARTS_NOBODY && sums_option_count(s, position[k + 1], turn))
            has_options[actor] = true;
    }
    if (are_all_final)
        return outlook.is_terminal && sums_have_goals(s, &outlook);
    return !outlook.is_terminal && outlook.can_pass[0] != has_options[0] &&
           outlook.can_pass[1] != has_options[1];
}

/* Sets the value of every final class: what it adds to the first role's goal where all other parts
 * are of their first kind. False if time is up. */
static bool value_ends(Sums *s, uint32_t *position, const U32Vector *kinds) {
    s->base_goal = sums_outlook(s, position)->goals[0];
    for (uint32_t c = 0; c < s->classes.count; c++) {
        uint32_t part = s->classes.items[c].key[0];
        if (sums_are_out_of_time(s, s->parts.turns.count))
            return false;
        if (!is_final(s, c))
            continue;
        s->work += s->parts.count + s->parts.phases.count;
        position[part + 1] = c;
        int goal = sums_outlook(s, position)->goals[0];
        for (uint32_t p = 0; p < s->parts.phases.count; p++)
            s->part_values.items[(size_t)c * s->parts.phases.count + p] = goal - s->base_goal;
        position[part + 1] = kinds[part].items[0];
    }
    return true;
}

static bool is_additive(Sums *s, const uint32_t *position) {
    int sum = s->base_goal;
    for (uint32_t k = 0; k < s->parts.count; k++)
        sum += s->part_values.items[(size_t)position[k + 1] * s->parts.phases.count];
    return sums_outlook(s, position)->goals[0] == sum;
}

/* Checks all combinations of kinds in all phases. False if one does not fit or time is up. */
static bool check_combinations(Sums *s, const U32Vector *kinds) {
    uint32_t parts = s->parts.count;
    uint32_t *at = memory_zalloc((parts + 1) * sizeof *at);
    uint32_t *position = memory_zalloc((parts + 1) * sizeof *position);
    bool ok = true, is_valued = false;
    for (bool goes_on = true; goes_on && ok;) {
        bool are_all_final = true;
        for (uint32_t k = 0; k < parts; k++) {
            position[k + 1] = kinds[k].items[at[k]];
            are_all_final = are_all_final && is_final(s, position[k + 1]);
        }
        s->work += (uint64_t)parts * s->parts.turns.count;
        for (uint32_t p = 0; p < s->parts.phases.count && ok; p++) {
            position[0] = p;
            ok = !sums_are_out_of_time(s, 2 * parts) && keeps_step(s, position, are_all_final);
            if (ok && !is_valued) /* the first combination consists of final classes */
                ok = value_ends(s, position, kinds);
            is_valued = true;
            ok = ok && (!are_all_final || is_additive(s, position));
        }
        uint32_t digit = 0;
        while (digit < parts && ++at[digit] == kinds[digit].count)
            at[digit++] = 0;
        goes_on = digit < parts;
    }
    memory_free(at, position);
    return ok;
}

/* The best value that the role to move can reach from a class, from the values of its options. */
static int value_of_class(Sums *s, uint32_t class, uint32_t phase) {
    uint32_t turn = s->parts.phases.items[phase].turn;
    for (uint32_t waits = 0; !sums_option_count(s, class, turn); waits++) {
        assert(waits < s->parts.phases.count);
        phase = s->parts.phases.items[phase].next;
        turn = s->parts.phases.items[phase].turn;
        s->work++;
    }
    uint32_t actor = sumparts_driver(&s->parts, s->classes.items[class].key[0], turn);
    uint32_t next = s->parts.phases.items[phase].next;
    const uint32_t *options = sums_options(s, class, turn);
    int best = 0;
    s->work += sums_option_count(s, class, turn);
    for (uint32_t i = 0; i < sums_option_count(s, class, turn); i++) {
        int value = s->part_values.items[(size_t)options[i] * s->parts.phases.count + next];
        if (!i || (actor == 0 ? value > best : value < best))
            best = value;
    }
    return best;
}

/* True if the phases form a cycle, so that each turn comes again. */
static bool have_circular_phases(const Sums *s) {
    return vector_last(&s->parts.phases).next == 0;
}

/* Sets the values of all other classes, in order of their numbers. False if time is up. */
static bool value_classes(Sums *s) {
    uint32_t phases = s->parts.phases.count;
    for (uint32_t c = 0; c < s->classes.count; c++)
        for (uint32_t p = 0; p < phases && !is_final(s, c); p++) {
            if (sums_are_out_of_time(s, s->parts.turns.count))
                return false;
            s->part_values.items[(size_t)c * phases + p] = value_of_class(s, c, p);
        }
    return true;
}

bool sums_solve_in_step(Sums *s) {
    size_t values = s->classes.count * s->parts.phases.count;
    U32Vector *kinds = memory_zalloc((s->parts.count + 1) * sizeof *kinds);
    bool ok = have_circular_phases(s) && values <= MAX_VALUES && list_kinds(s, kinds) &&
              !sums_are_too_large(s, values * sizeof *s->part_values.items);
    if (ok) {
        vector_clear(&s->part_values);
        (void)vector_extend(&s->part_values, values);
        ok = check_combinations(s, kinds) && value_classes(s);
    }
    for (uint32_t k = 0; k < s->parts.count; k++)
        vector_free(&kinds[k]);
    free(kinds);
    return ok;
}
