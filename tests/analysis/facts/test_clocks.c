/* Tests that counters and turn markers are recognised in all notations that games use. */
#include "analysis/facts/clocks.h"

#include "../games.h"
#include "base/bitset.h"

typedef struct {
    Game *game;
    Samples *samples;
    Clocks *clocks;
} Found;

static Found find(const char *text) {
    Found f = {.game = game_of_text(text)};
    SampleOptions options = {.matches = 50, .seed = 3, .budget = cpu_budget_in(10)};
    f.samples = samples_take(f.game, &options);
    f.clocks = clocks_find(f.samples, cpu_budget_in(10));
    return f;
}

static void found_free(Found *f) {
    clocks_free(f->clocks);
    samples_free(f->samples);
    game_free(f->game);
}

/* Two roles, each with two moves in its turn; the test adds the rest. */
#define TWO_PLAYERS                                                                                \
    "(role a) (role b) (init (turn a)) (init (light off))"                                         \
    "(<= (legal ?r on) (true (turn ?r))) (<= (legal ?r off) (true (turn ?r)))"                     \
    "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))"                                        \
    "(<= (next (light ?x)) (does ?r ?x) (distinct ?x wait))"                                       \
    "(<= (goal ?r 100) (role ?r) (true (light on))) (<= (goal ?r 0) (role ?r) (true (light off)))"

#define PLAIN_TURNS "(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))"

Test(clocks, one_fluent_a_value) {
    Found f = find(TWO_PLAYERS PLAIN_TURNS
                   "(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
                   "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
                   "(<= terminal (true (step 5)))");
    cr_assert_eq(f.clocks->certainty, CERTAINTY_PROVED);
    cr_assert_eq(f.clocks->items.count, 2);
    cr_assert(f.clocks->is_bounded);
    cr_assert_eq(f.clocks->times, 6);
    cr_assert(f.clocks->takes_turns);
    cr_assert(!bitset_get(f.clocks->fluents, fluent_of(f.samples->work, "(light on)")));
    found_free(&f);
}

/* Three bits count to eight; no fluent stands for a value. */
Test(clocks, binary_counter) {
    Found f = find(TWO_PLAYERS PLAIN_TURNS "(<= (next one) (not (true one)))"
                                           "(<= (next two) (true two) (not (true one)))"
                                           "(<= (next two) (not (true two)) (true one))"
                                           "(<= carry (true one) (true two))"
                                           "(<= (next four) (true four)) (<= (next four) carry)"
                                           "(<= terminal (true four) carry)");
    cr_assert_eq(f.clocks->certainty, CERTAINTY_PROVED);
    cr_assert_eq(bitset_count(f.clocks->fluents, f.clocks->words), 5);
    cr_assert(f.clocks->is_bounded);
    cr_assert_eq(f.clocks->times, 8);
    size_t steppers = 0;
    for (size_t i = 0; i < f.clocks->items.count; i++)
        steppers += f.clocks->items.items[i].kind == CLOCK_STEPPER &&
                    f.clocks->items.items[i].fluents.count == 3;
    cr_assert_eq(steppers, 1);
    found_free(&f);
}

/* The turn passes to the role that waited. The rules contain moves, but no role has a choice that
 * changes the turn. */
Test(clocks, turns_driven_by_waiting) {
    Found f = find(TWO_PLAYERS "(<= (next (turn ?r)) (does ?r wait))"
                               "(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"
                               "(succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)"
                               "(<= (next (step ?y)) (does ?r wait) (true (step ?x)) (succ ?x ?y))"
                               "(<= terminal (true (step 9)))");
    cr_assert_eq(f.clocks->certainty, CERTAINTY_PROVED);
    cr_assert_eq(bitset_count(f.clocks->fluents, f.clocks->words), 12);
    cr_assert_eq(f.clocks->items.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const Clock *c = &f.clocks->items.items[i];
        cr_assert_eq(c->kind, c->fluents.count == 2 ? CLOCK_CONTROL : CLOCK_STEPPER);
    }
    found_free(&f);
}

/* A role that switches a light on moves again, so neither the turn nor the counter of changes is a
 * clock. */
Test(clocks, turns_that_depend_on_moves_are_none) {
    Found f = find(TWO_PLAYERS "(<= (next (turn ?r)) (does ?r on))"
                               "(<= (next (turn ?r)) (does ?r wait) (does ?q off))"
                               "(<= terminal (true (light on)) (true (turn b)))");
    cr_assert_eq(bitset_count(f.clocks->fluents, f.clocks->words), 0);
    found_free(&f);
}

Test(clocks, history_repeats_beyond_its_end) {
    Found f = find(TWO_PLAYERS PLAIN_TURNS "(<= terminal (true (light on)) (true (turn a)))");
    uint32_t a = fluent_of(f.samples->work, "(turn a)");
    cr_assert(!f.clocks->is_bounded);
    for (uint32_t t = 0; t < 1000; t++)
        cr_assert_eq(bitset_get(clocks_at(f.clocks, t), a), t % 2 == 0);
    found_free(&f);
}
