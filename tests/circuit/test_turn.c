/* Tests one turn of random play in lanes: frame axioms, phases, and that each lane moves as the
 * rules allow. */
#include "circuit/turn.h"

#include "base/random.h"
#include "build_support.h"
#include "random_aig.h"

static bool is_kept(const TurnNetworks *turn, uint32_t fluent) {
    for (size_t i = 0; i < turn->kept.count; i++)
        if (turn->kept.items[i] == fluent)
            return true;
    return false;
}

Test(turn, keeps_what_matters) {
    Built b = build("(role a) (init p) (init trace) (legal a m) (<= (legal a n) (true p))"
                    "(<= (next p) (does a n)) (<= (next trace) (does a m) (true p))"
                    "(<= terminal (not (true p)))",
                    true, true);
    TurnOptions options = {.kernel = KERNEL_INTERPRETED};
    TurnNetworks *turn = turn_create(b.circuit, &options);
    cr_assert(is_kept(turn, fluent_named(&b, "p")));
    cr_assert(!is_kept(turn, fluent_named(&b, "trace")));
    turn_free(turn);
    options.keep_all_fluents = true;
    turn = turn_create(b.circuit, &options);
    cr_assert(is_kept(turn, fluent_named(&b, "trace")));
    turn_free(turn);
    built_free(&b);
}

Test(turn, one_network_a_phase) {
    Built b = build(switch_game, true, true);
    TurnOptions options = {0};
    TurnNetworks *turn = turn_create(b.circuit, &options);
    cr_assert_eq(turn->phases.count, 3);
    cr_assert(!is_kept(turn, fluent_named(&b, "(turn 1)")));
    options.keep_all_fluents = true;
    TurnNetworks *whole = turn_create(b.circuit, &options);
    cr_assert_eq(whole->phases.count, 1);
    cr_assert_eq(whole->kept.count, b.circuit->fluent_count);
    turn_free(turn);
    turn_free(whole);
    built_free(&b);
}

/* True if the lane's next state is that of the circuit for the lane's state and some legal joint
 * move. */
static bool reaches(const Circuit *c, uint8_t *values, const Lanes *next, uint32_t lane) {
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (value_of(values, c->next[f]) != (next[f][lane / 64] >> (lane % 64) & 1))
            return false;
    return true;
}

static bool some_joint_move_reaches(const Circuit *c, uint8_t *values, const Lanes *next,
                                    uint32_t lane) {
    evaluate_plainly(&c->aig, values);
    U32Vector legal[2] = {0};
    for (uint32_t r = 0; r < 2; r++)
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            if (value_of(values, c->legal[m]))
                vector_push(&legal[r], m);
    bool found = false;
    for (size_t i = 0; i < legal[0].count && !found; i++)
        for (size_t j = 0; j < legal[1].count && !found; j++) {
            values[signal_node(c->moves[legal[0].items[i]])] = 1;
            values[signal_node(c->moves[legal[1].items[j]])] = 1;
            evaluate_plainly(&c->aig, values);
            found = reaches(c, values, next, lane);
            values[signal_node(c->moves[legal[0].items[i]])] = 0;
            values[signal_node(c->moves[legal[1].items[j]])] = 0;
        }
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    return found;
}

Test(turn, lanes_move_to_successors) {
    Built b = build(switch_game, true, true);
    const Circuit *c = b.circuit;
    uint8_t *values = memory_zalloc(c->aig.nodes.count);
    for (unsigned k = KERNEL_INTERPRETED; k < KERNEL_KINDS; k++) {
        if (!kernel_kind_available((KernelKind)k))
            continue;
        TurnOptions options = {.kernel = (KernelKind)k, .keep_all_fluents = true};
        TurnNetworks *turn = turn_create(c, &options);
        uint32_t area = turn->max_inputs > turn->max_outputs ? turn->max_inputs : turn->max_outputs;
        Lanes *state = lanes_alloc(area), *next = lanes_alloc(area);
        Lanes *scratch = lanes_alloc(turn->scratch_lanes);
        RandomWide random;
        random_wide_seed(&random, k);
        for (uint32_t f = 0; f < c->fluent_count; f++)
            memset(&state[f], c->initial[f] ? 0xff : 0, sizeof *state);
        for (unsigned step = 0; step < 12; step++) {
            random_wide_fill(&random, (uint64_t *)(state + c->fluent_count),
                             turn->by_phase[0].random_bits * LANE_WORDS);
            kernel_run(turn->by_phase[0].step, state, next, scratch);
            for (uint32_t lane = step; lane < LANES; lane += 17) {
                for (uint32_t f = 0; f < c->fluent_count; f++)
                    values[signal_node(c->fluents[f])] = state[f][lane / 64] >> (lane % 64) & 1;
                cr_assert(some_joint_move_reaches(c, values, next, lane));
            }
            memcpy(state, next, c->fluent_count * sizeof *state);
        }
        free(state);
        free(next);
        free(scratch);
        turn_free(turn);
    }
    free(values);
    built_free(&b);
}

Test(turn, a_role_without_legal_moves_is_flagged) {
    Built b = build("(role a) (role b) (init p) (legal a m) (<= (legal b m) (true q))"
                    "(<= (next q) (does a m))",
                    true, true);
    TurnOptions options = {.keep_all_fluents = true};
    TurnNetworks *turn = turn_create(b.circuit, &options);
    Lanes *state = lanes_alloc(turn->max_inputs + 8), *next = lanes_alloc(turn->max_outputs + 8);
    Lanes *scratch = lanes_alloc(turn->scratch_lanes);
    uint32_t q = fluent_named(&b, "q");
    for (size_t i = 0; i < turn->kept.count; i++)
        if (turn->kept.items[i] == q)
            state[i][0] = 5;
    kernel_run(turn->by_phase[0].step, state, next, scratch);
    size_t kept = turn->kept.count;
    cr_assert_eq(next[kept + 1][0], 0);
    cr_assert_eq(next[kept + 2][0], ~(uint64_t)5);
    free(state);
    free(next);
    free(scratch);
    turn_free(turn);
    built_free(&b);
}
