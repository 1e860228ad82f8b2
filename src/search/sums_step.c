/* Both players move at once, each in a part of its own. Then nothing that is done in one part
 * matters to another if the goals are sums of what the parts bring, nobody can choose to pass, and
 * the match ends with the last part. All of that is checked for every combination of what is seen
 * of parts. */
#include <assert.h>

#include "search/sums_internal.h"

enum { MOST_COMBINATIONS = 100000 };

static bool is_final(const Sums *s, uint32_t class) {
    for (uint32_t t = 0; t < s->parts.turns.count; t++)
        if (sums_option_count(s, class, t))
            return false;
    return true;
}

/* What matters of a class to the whole: what is seen of it, and at which turns it has options. */
static bool is_same_kind(const Sums *s, uint32_t a, uint32_t b) {
    bool is_same = sums_view(s, a) == sums_view(s, b);
    for (uint32_t t = 0; t < s->parts.turns.count && is_same; t++)
        is_same = !sums_option_count(s, a, t) == !sums_option_count(s, b, t);
    return is_same;
}

/* One class of each kind, by part, the final ones first. */
static void list_kinds(const Sums *s, uint32_t part, U32Vector *kinds) {
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = 0; c < s->classes.count && kinds->count < MOST_COMBINATIONS; c++) {
            bool is_new = s->classes.items[c].key[0] == part && is_final(s, c) == (pass == 0);
            for (size_t i = 0; i < kinds->count && is_new; i++)
                is_new = !is_same_kind(s, kinds->items[i], c);
            if (is_new)
                vector_push(kinds, c);
        }
}

/* Who has options in its part must not pass, who has none must be able to; the match ends with
 * all parts and not before. */
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

/* Sets the value of every final class: what it adds to the goal of the first role where all other
 * parts are of their first kind. */
static void value_ends(Sums *s, uint32_t *position, const U32Vector *kinds) {
    s->base_goal = sums_outlook(s, position)->goals[0];
    for (uint32_t c = 0; c < s->classes.count; c++) {
        uint32_t part = s->classes.items[c].key[0];
        if (!is_final(s, c))
            continue;
        position[part + 1] = c;
        int goal = sums_outlook(s, position)->goals[0];
        for (uint32_t p = 0; p < s->parts.phases.count; p++)
            s->part_values.items[(size_t)c * s->parts.phases.count + p] = goal - s->base_goal;
        position[part + 1] = kinds[part].items[0];
    }
}

static bool is_additive(Sums *s, const uint32_t *position) {
    int sum = s->base_goal;
    for (uint32_t k = 0; k < s->parts.count; k++)
        sum += s->part_values.items[(size_t)position[k + 1] * s->parts.phases.count];
    return sums_outlook(s, position)->goals[0] == sum;
}

/* Goes through all combinations of kinds in all phases. */
static bool check_combinations(Sums *s, const U32Vector *kinds) {
    uint32_t parts = s->parts.count;
    uint32_t *at = memory_zalloc((parts + 1) * sizeof *at);
    uint32_t *position = memory_zalloc((parts + 1) * sizeof *position);
    bool well = true, is_valued = false;
    for (bool goes_on = true; goes_on && well;) {
        bool are_all_final = true;
        for (uint32_t k = 0; k < parts; k++) {
            position[k + 1] = kinds[k].items[at[k]];
            are_all_final = are_all_final && is_final(s, position[k + 1]);
        }
        for (uint32_t p = 0; p < s->parts.phases.count && well; p++) {
            position[0] = p;
            well = keeps_step(s, position, are_all_final);
            if (well && !is_valued) /* the first combination is one of ends */
                value_ends(s, position, kinds);
            is_valued = true;
            well = well && (!are_all_final || is_additive(s, position));
        }
        uint32_t digit = 0;
        while (digit < parts && ++at[digit] == kinds[digit].count)
            at[digit++] = 0;
        goes_on = digit < parts;
    }
    free(at);
    free(position);
    return well;
}

/* The best that the one to move can make of a class; classes that it leads to are valued. */
static int value_of_class(const Sums *s, uint32_t class, uint32_t phase) {
    uint32_t turn = s->parts.phases.items[phase].turn;
    for (uint32_t waits = 0; !sums_option_count(s, class, turn); waits++) {
        assert(waits < s->parts.phases.count);
        phase = s->parts.phases.items[phase].next;
        turn = s->parts.phases.items[phase].turn;
    }
    uint32_t actor = sumparts_driver(&s->parts, s->classes.items[class].key[0], turn);
    uint32_t next = s->parts.phases.items[phase].next;
    const uint32_t *options = sums_options(s, class, turn);
    int best = 0;
    for (uint32_t i = 0; i < sums_option_count(s, class, turn); i++) {
        int value = s->part_values.items[(size_t)options[i] * s->parts.phases.count + next];
        if (!i || (actor == 0 ? value > best : value < best))
            best = value;
    }
    return best;
}

/* The phases are a circle, so that each turn comes again. */
static bool have_circular_phases(const Sums *s) {
    return vector_last(&s->parts.phases).next == 0;
}

bool sums_solve_in_step(Sums *s) {
    uint64_t combinations = s->parts.phases.count;
    bool well = have_circular_phases(s);
    U32Vector *kinds = memory_zalloc((s->parts.count + 1) * sizeof *kinds);
    for (uint32_t k = 0; k < s->parts.count && well; k++) {
        list_kinds(s, k, &kinds[k]);
        combinations *= kinds[k].count;
        well = combinations <= MOST_COMBINATIONS;
    }
    if (well) {
        (void)vector_extend(&s->part_values, s->classes.count * s->parts.phases.count);
        well = check_combinations(s, kinds);
    }
    for (uint32_t c = 0; c < s->classes.count && well; c++)
        for (uint32_t p = 0; p < s->parts.phases.count && !is_final(s, c); p++)
            s->part_values.items[(size_t)c * s->parts.phases.count + p] = value_of_class(s, c, p);
    for (uint32_t k = 0; k < s->parts.count; k++)
        vector_free(&kinds[k]);
    free(kinds);
    return well;
}
