/* Tests the gradient, and tasks that learners by gradient must solve: Roshambo and Point Grab by
 * one sum, unseen ends of Tictactoe, the eight lines of Lines-27, Paire by a cascade. */
#include <math.h>

#include "../material.h"
#include "learn/data/mining.h"
#include "learn/learners/gradient.h"
#include "learn/learners/learner.h"

TestSuite(gradient, .timeout = 600);

static double mean_loss(const Network *network, const Matrix *matrix, Loss loss) {
    Errors errors = network_errors(network, matrix);
    double mean = loss == LOSS_ABSOLUTE ? errors.absolute
                  : loss == LOSS_SQUARE ? errors.squared
                                        : errors.cross_entropy;
    return mean * (double)matrix->output_count;
}

/* The first step of Adam goes against the sign of every slope, which is measured by differences. */
Test(gradient, first_steps_go_downhill) {
    DataSet *rows = puzzle_roshambo(3, 60), *set = dataset_distinct(rows);
    Examples *examples = examples_of_facts(set, NULL, WEIGH_BY_COUNT);
    Matrix *matrix = matrix_create(examples);
    for (int loss = LOSS_CROSS_ENTROPY; loss <= LOSS_ABSOLUTE; loss++) {
        Network network = {0}, stepped = {0};
        network_make_layers(&network, examples->input_count, 3, 2, true, 5);
        network_copy(&stepped, &network);
        gradient_train(&stepped, examples,
                       &(GradientOptions){.loss = (Loss)loss, .rate = 1e-3, .passes = 1});
        for (size_t e = 0; e < network.edges.count; e++) {
            float kept = network.edges.items[e].weight;
            network.edges.items[e].weight = kept + 0.01F;
            double up = mean_loss(&network, matrix, (Loss)loss);
            network.edges.items[e].weight = kept - 0.01F;
            double down = mean_loss(&network, matrix, (Loss)loss);
            network.edges.items[e].weight = kept;
            double slope = (up - down) / 0.02, step = stepped.edges.items[e].weight - kept;
            cr_assert(fabs(slope) < 2e-4 || step * slope < 0, "edge %zu: slope %g, step %g", e,
                      slope, step);
        }
        network_free(&network);
        network_free(&stepped);
    }
    matrix_free(matrix);
    examples_free(examples);
    dataset_free(set);
    dataset_free(rows);
}

static Errors learn(const char *learner, const DataSet *set, const DataSet *test, uint64_t seed) {
    Examples *examples = examples_of_facts(set, NULL, WEIGH_ALIKE);
    Matrix *matrix = matrix_of(test ? test : set, WEIGH_ALIKE);
    Pool *pool = pool_create(1);
    LearnOptions options = {.seed = seed, .pool = pool};
    Network network = {0};
    learner_train(learner_find(learner), examples, &options, &network);
    Errors errors = network_errors(&network, matrix);
    network_free(&network);
    pool_free(pool);
    matrix_free(matrix);
    examples_free(examples);
    return errors;
}

Test(gradient, paire_needs_more_than_a_sum) {
    DataSet *set = puzzle_paire();
    for (uint64_t seed = 0; seed < 10; seed++) {
        Errors mlp = learn("mlp", set, NULL, seed), cascade = learn("cascade", set, NULL, seed);
        cr_assert_geq(errors_neat_fitness(&mlp), 99);
        cr_assert_geq(errors_neat_fitness(&cascade), 99);
        cr_assert_gt(mlp.close, 1 - 1e-9);
    }
    Errors linear = learn("linear", set, NULL, 1);
    cr_assert_lt(errors_fitness(&linear), 83.5);
    dataset_free(set);
}

Test(gradient, sums_are_enough_for_roshambo_and_point_grab) {
    DataSet *rows = puzzle_roshambo(1, 3000), *roshambo = dataset_distinct(rows);
    DataSet *more = puzzle_point_grab(1, 3000), *grab = dataset_distinct(more);
    Errors a = learn("linear", roshambo, NULL, 1), b = learn("linear", grab, NULL, 1);
    cr_assert_geq(errors_fitness(&a), 99.999);
    cr_assert_geq(errors_fitness(&b), 99.999);
    dataset_free(rows);
    dataset_free(more);
    dataset_free(roshambo);
    dataset_free(grab);
}

static DataSet *without_turn(const DataSet *set) {
    uint64_t dropped = 0;
    for (uint32_t f = 0; f < dataset_fact_count(set); f++)
        if (strstr(symbols_name(&set->facts, f), "control"))
            dropped |= UINT64_C(1) << f;
    return dataset_without(set, &dropped);
}

/* Trains on two thirds of the terminal states, among them all draws, and tests on the others. */
Test(gradient, tictactoe_with_and_without_the_turn) {
    DataSet *all = puzzle_tictactoe();
    bool *is_train = memory_zalloc(dataset_rows(all)), *is_test = memory_zalloc(dataset_rows(all));
    for (size_t i = 0; i < dataset_rows(all); i++) {
        bool is_draw = dataset_scores(all, i)[0] > 0 && dataset_scores(all, i)[1] > 0;
        is_train[i] = is_draw || i % 3 > 0;
        is_test[i] = !is_train[i];
    }
    DataSet *train = dataset_select(all, is_train), *test = dataset_select(all, is_test);
    DataSet *blind = without_turn(train), *blind_test = without_turn(test);
    Errors with = learn("mlp", train, NULL, 1), unseen = learn("mlp", train, test, 1);
    Errors without = learn("mlp", blind, NULL, 1);
    Errors without_unseen = learn("mlp", blind, blind_test, 1);
    cr_assert_geq(errors_neat_fitness(&with), 99.5);
    cr_assert_geq(errors_neat_fitness(&without), 99.5);
    cr_assert_geq(unseen.close, 0.99);
    cr_assert_geq(without_unseen.close, 0.99);
    dataset_free(all);
    dataset_free(train);
    dataset_free(test);
    dataset_free(blind);
    dataset_free(blind_test);
    free(is_train);
    free(is_test);
}

static bool has_row(const DataSet *set, const DataSet *from, size_t row) {
    bool found = false;
    for (size_t i = 0; i < dataset_rows(set) && !found; i++)
        found = dataset_size(set, i) == dataset_size(from, row) &&
                memcmp(dataset_facts(set, i), dataset_facts(from, row),
                       dataset_size(set, i) * sizeof(uint32_t)) == 0;
    return found;
}

/* Trains on the 625 terminal states of the published file, among them all draws, and tests on the
 * other 333. */
Test(gradient, published_ends_of_tictactoe_tell_the_others) {
    DataSet *rows = published("tictactoe_P1"), *distinct = dataset_distinct(rows);
    DataSet *all = puzzle_tictactoe(), *train = dataset_renumbered(distinct, &all->facts);
    bool *is_unseen = memory_zalloc(dataset_rows(all));
    for (size_t i = 0; i < dataset_rows(all); i++)
        is_unseen[i] = !has_row(train, all, i);
    DataSet *test = dataset_select(all, is_unseen);
    DataSet *blind = without_turn(train), *blind_test = without_turn(test);
    cr_assert_eq(dataset_rows(train), 625);
    cr_assert_eq(dataset_rows(test), 333);
    Errors seen = learn("mlp", train, NULL, 1), unseen = learn("mlp", train, test, 1);
    Errors blind_seen = learn("mlp", blind, NULL, 1);
    Errors blind_unseen = learn("mlp", blind, blind_test, 1);
    cr_log_info("fitness %.3f and without the turn %.3f, unseen within 0.25: %.4f and %.4f",
                errors_neat_fitness(&seen), errors_neat_fitness(&blind_seen), unseen.close,
                blind_unseen.close);
    cr_assert_geq(errors_neat_fitness(&seen), 99.5);
    cr_assert_geq(errors_neat_fitness(&blind_seen), 99.5);
    cr_assert_geq(unseen.close, 0.99);
    cr_assert_geq(blind_unseen.close, 0.99);
    dataset_free(rows);
    dataset_free(distinct);
    dataset_free(all);
    dataset_free(train);
    dataset_free(test);
    dataset_free(blind);
    dataset_free(blind_test);
    free(is_unseen);
}

/* 3,000 boards show which triples decide: the eight lines, which then decide all 19,683 boards. */
Test(gradient, counting_finds_the_eight_lines) {
    DataSet *all = puzzle_lines_27();
    bool *is_train = memory_zalloc(dataset_rows(all));
    Random random;
    Features features = {0};
    random_seed(&random, 1);
    for (size_t picked = 0; picked < 3000;) {
        size_t i = random_below(&random, dataset_rows(all));
        picked += !is_train[i];
        is_train[i] = true;
    }
    DataSet *train = dataset_select(all, is_train);
    mine_conjunctions(train, 0, &(ScoreRange){0, 100}, &(MiningOptions){.only_pure = true},
                      &features);
    cr_assert_eq(features.items.count, 8);
    Examples *examples = examples_of_features(&features, NULL, train, NULL, WEIGH_ALIKE);
    Examples *tests = examples_of_features(&features, NULL, all, NULL, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(tests);
    LearnOptions options = {.seed = 1};
    Network network = {0};
    learner_train(learner_find("logistic"), examples, &options, &network);
    cr_assert_gt(network_errors(&network, matrix).right, 1 - 1e-9);
    network_free(&network);
    matrix_free(matrix);
    examples_free(examples);
    examples_free(tests);
    features_free(&features);
    Errors mlp = learn("mlp", train, all, 1);
    cr_assert_geq(mlp.right, 0.995, "%g", mlp.right);
    dataset_free(train);
    dataset_free(all);
    free(is_train);
}
