/* Tests numbers of legal moves as features: they equal the interpreter's, do not depend on names,
 * and work in model files and with every learner. */
#include "../../game/play.h"
#include "../material.h"
#include "learn/data/mobility.h"
#include "learn/learners/learner.h"
#include "learn/play/evaluator.h"

TestSuite(mobility, .timeout = 600);

/* Returns the states of random matches, cut off after some turns; scores do not matter here. */
static DataSet *random_states(Game *game, uint32_t matches) {
    enum { TURNS = 60 };
    GameWork *work = game_work_create(game, REASONER_AUTO);
    DataSet *set = dataset_create(game->role_count);
    double *scores = memory_zalloc(game->role_count * sizeof *scores);
    uint32_t *joint = memory_zalloc(game->role_count * sizeof *joint);
    State state = {0};
    Text text = {0};
    U32Vector facts = {0};
    Random random;
    random_seed(&random, 1);
    for (uint32_t f = 0; f < game->circuit->fluent_count; f++) {
        text_clear(&text);
        game_fluent_text(work, f, &text);
        symbols_intern(&set->facts, text_string(&text), text.count);
    }
    for (uint32_t match = 0; match < matches; match++) {
        game_initial(work, &state);
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            bool is_end = game_is_terminal(work, &state);
            vector_clear(&facts);
            for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
                if (f / 64 < state.word_count && state.words[f / 64] >> f % 64 & 1)
                    vector_push(&facts, f);
            scores[0] = (double)(turn % 3) * 50;
            dataset_add(set, &(DataRow){facts.items, facts.count, scores, 1, match, is_end});
            if (is_end || !random_moves(game, work, &state, &random, joint))
                break;
            game_next(work, &state, joint, &state);
        }
    }
    vector_free(&facts);
    vector_free(&text);
    state_free(&state);
    free(scores);
    free(joint);
    game_work_free(work);
    return set;
}

/* Sets the state of a row in the reasoner's numbers of fluents. */
static void set_state(const DataSet *set, size_t row, GameWork *work, State *state) {
    for (uint32_t w = 0; w < state->word_count; w++)
        state->words[w] = 0;
    for (uint32_t k = 0; k < dataset_size(set, row); k++) {
        uint32_t fact = dataset_facts(set, row)[k];
        uint32_t fluent = game_find_fluent(work, symbols_name(&set->facts, fact),
                                           symbols_length(&set->facts, fact));
        cr_assert_neq(fluent, MOVE_NONE);
        state_set(state, fluent);
    }
}

static float value_of(const Examples *examples, size_t row, uint32_t input) {
    for (uint32_t k = examples->starts.items[row]; k < examples->starts.items[row + 1]; k++)
        if (examples->entries.items[k].input == input)
            return examples->entries.items[k].value;
    return 0;
}

static bool begins_with(const char *move, const char *word) {
    size_t length = strlen(word);
    move += move[0] == '(';
    return strncmp(move, word, length) == 0 && strchr(" )", move[length]);
}

/* Counts the legal moves of a group one by one, by their texts. */
static uint32_t count_by_hand(GameWork *work, const State *state, const Features *f,
                              MoveGroup group) {
    U32Vector legal = {0};
    Text text = {0};
    uint32_t count = 0;
    game_legal(work, state, group.role, &legal);
    for (size_t i = 0; i < legal.count; i++) {
        text_clear(&text);
        game_move_text(work, group.role, legal.items[i], &text);
        count += group.word == SYMBOL_NONE ||
                 begins_with(text_string(&text), symbols_name(&f->words, group.word));
    }
    vector_free(&text);
    vector_free(&legal);
    return count;
}

/* The games have alternating and simultaneous moves, several kinds of moves, passes and chance. */
Test(mobility, numbers_are_those_of_the_interpreter) {
    static const struct {
        const char *name;
        uint32_t matches;
        size_t least_groups;
        bool has_words;
    } games[] = {{"tic_tac_toe", 5, 2, false},    {"checkers", 1, 4, true},
                 {"reversi", 1, 2, false},        {"backgammon", 1, 2, false},
                 {"sheep_and_wolf", 2, 2, false}, {"tic_tac_toe_parallel", 3, 2, false}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Game *game = game_named(games[i].name, NULL);
        GameWork *work = game_work_create(game, REASONER_INTERPRETER);
        DataSet *set = random_states(game, games[i].matches);
        Features f = {0};
        State state = {0};
        features_add_mobility(&f, game, set);
        cr_assert_geq(f.groups.count, games[i].least_groups, "%s", games[i].name);
        cr_assert_eq(f.words.names.count > 0, games[i].has_words, "%s", games[i].name);
        Examples *examples = examples_of_features(&f, game, set, NULL, WEIGH_ALIKE);
        for (size_t row = 0; row < dataset_rows(set); row++) {
            set_state(set, row, work, &state);
            for (uint32_t k = 0; k < f.items.count; k++) {
                const Feature *item = &f.items.items[k];
                cr_assert_eq(item->kind, FEATURE_MOVES);
                uint32_t count = count_by_hand(work, &state, &f, f.groups.items[item->first]);
                cr_assert_leq(count, item->count);
                cr_assert_float_eq(value_of(examples, row, k), (float)count / (float)item->count,
                                   1e-6);
            }
        }
        state_free(&state);
        examples_free(examples);
        features_free(&f);
        dataset_free(set);
        game_work_free(work);
        game_free(game);
    }
}

/* There are more rows than 512 lanes, and numbers of facts differ from those of fluents. */
Test(mobility, numbers_of_facts_do_not_matter) {
    Game *game = game_named("connect_four", NULL);
    DataSet *set = random_states(game, 50);
    Symbols reversed = {0};
    Features f = {0};
    for (uint32_t k = dataset_fact_count(set); k-- > 0;)
        symbols_intern(&reversed, symbols_name(&set->facts, k), symbols_length(&set->facts, k));
    DataSet *other = dataset_renumbered(set, &reversed);
    features_add_mobility(&f, game, set);
    uint32_t *one = mobility_of_rows(&f, game, set), *two = mobility_of_rows(&f, game, other);
    cr_assert_gt(dataset_rows(set), 512);
    cr_assert_eq(memcmp(one, two, dataset_rows(set) * f.groups.count * sizeof *one), 0);
    free(one);
    free(two);
    features_free(&f);
    symbols_free(&reversed);
    dataset_free(other);
    dataset_free(set);
    game_free(game);
}

/* The same matches under other names have the same groups and numbers, in the same order. */
Test(mobility, names_do_not_matter) {
    static const char *const games[] = {"checkers", "sheep_and_wolf", "breakthrough"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char *text = text_of_game(games[i]), *scrambled = scramble(text);
        Game *plain = game_of_text(text, NULL), *other = game_of_text(scrambled, NULL);
        DataSet *sets[2] = {random_states(plain, 1), random_states(other, 1)};
        Features features[2] = {0};
        features_add_mobility(&features[0], plain, sets[0]);
        features_add_mobility(&features[1], other, sets[1]);
        size_t groups = features[0].groups.count, rows = dataset_rows(sets[0]);
        cr_assert_eq(groups, features[1].groups.count);
        cr_assert_eq(rows, dataset_rows(sets[1]));
        uint32_t *one = mobility_of_rows(&features[0], plain, sets[0]);
        uint32_t *two = mobility_of_rows(&features[1], other, sets[1]);
        cr_assert_eq(memcmp(one, two, rows * groups * sizeof *one), 0, "%s", games[i]);
        for (size_t k = 0; k < groups; k++)
            cr_assert_eq(features[0].items.items[k].count, features[1].items.items[k].count);
        free(one);
        free(two);
        for (size_t k = 0; k < 2; k++) {
            features_free(&features[k]);
            dataset_free(sets[k]);
        }
        game_free(plain);
        game_free(other);
        free(text);
        free(scrambled);
    }
}

static Model *train(Game *game, const DataSet *set, const char *learner, uint32_t effort) {
    Model *model = model_create(learner, set);
    Pool *pool = pool_create(1);
    LearnOptions options = {.seed = 1, .effort = effort, .hidden = 4, .pool = pool};
    features_add_facts(&model->features, set, NULL);
    features_add_mobility(&model->features, game, set);
    Examples *examples =
        examples_of_features(&model->features, game, set, model->ranges, WEIGH_ALIKE);
    learner_train(learner_find(learner), examples, &options, &model->network);
    examples_free(examples);
    pool_free(pool);
    return model;
}

/* For every learner, the search gets the value that the network gives the rows, and it is the same,
 * bit for bit, after the model was written and read. */
Test(mobility, every_learner_every_file) {
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *questions = game_work_create(game, REASONER_AUTO);
    DataSet *set = random_states(game, 6);
    State state = {0};
    for (const Learner *const *learner = learners; *learner; learner++) {
        Model *model = train(game, set, (*learner)->name, 2);
        Text text = {0};
        Report report = {0};
        model_write(model, &text);
        Model *again =
            model_read(source_from_text("file", text.items, text.count, &report), &report);
        cr_assert_not_null(again);
        cr_assert_eq(again->features.groups.count, 2);
        Evaluator *one = evaluator_create(model), *two = evaluator_create(again);
        cr_assert(evaluator_fits(two, game));
        EvaluatorWork *work = evaluator_work(one, game), *other = evaluator_work(two, game);
        Examples *examples = model_examples(again, game, set, WEIGH_ALIKE);
        Matrix *matrix = matrix_create(examples);
        float *predictions = memory_zalloc(matrix->stride * 2 * sizeof *predictions);
        network_predict(&again->network, matrix, predictions);
        for (size_t i = 0; i < dataset_rows(set); i++) {
            double goals[2], same[2];
            set_state(set, i, questions, &state);
            evaluator_evaluate(work, &state, goals);
            evaluator_evaluate(other, &state, same);
            for (uint32_t r = 0; r < 2; r++) {
                double predicted = (double)predictions[r * matrix->stride + i];
                cr_assert_eq(goals[r], same[r]);
                cr_assert_float_eq(goals[r], 100 * predicted, 0.02, "%s", (*learner)->name);
            }
        }
        free(predictions);
        matrix_free(matrix);
        examples_free(examples);
        evaluator_work_free(work);
        evaluator_work_free(other);
        evaluator_free(one);
        evaluator_free(two);
        model_free(again);
        model_free(model);
        vector_free(&text);
    }
    state_free(&state);
    game_work_free(questions);
    dataset_free(set);
    game_free(game);
}

static Model *read_with_line(const char *line, Report *report) {
    Text text = {0};
    text_printf(&text,
                "marelle-model 1\nlearner x\nroles 2\ngoals 0 100\ngoals 0 100\nuse 0 10 0 0\n"
                "gate 0 0 0\nfacts 1\n(control x)\nfeatures 2\nall 1 +0\n%s\nnodes 1\n"
                "sigmoid 0 1 1 2\noutputs 0 0\nend\n",
                line);
    Model *model = model_read(source_from_text("file", text.items, text.count, report), report);
    vector_free(&text);
    return model;
}

Test(mobility, bad_lines_are_refused_where_they_are) {
    static const char *const good[] = {"moves 9 0", "moves 9 1 mark", "moves 2147483647 1"};
    static const char *const bad[] = {
        "moves",         "moves 9",     "moves 0 0", "moves 9 2",          "moves -1 0",
        "moves 9 0 a b", "moves 1.5 0", "moves x 0", "moves 2147483648 0", "moves 9 0 mark +0"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        Report report = {0};
        Model *model = read_with_line(good[i], &report);
        cr_assert_not_null(model, "%s", good[i]);
        model_free(model);
        report_free(&report);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Report report = {0};
        cr_assert_null(read_with_line(bad[i], &report), "%s", bad[i]);
        cr_assert_not_null(strstr(report.items.items[0].message, "file:12:"), "%s: %s", bad[i],
                           report.items.items[0].message);
        report_free(&report);
    }
    Report report = {0};
    Text longest = {0};
    text_add(&longest, "moves 9 0 ");
    for (int i = 0; i < 64; i++)
        text_add_char(&longest, 'a');
    cr_assert_null(read_with_line(text_string(&longest), &report));
    vector_free(&longest);
    report_free(&report);
}

/* Facts that a model does not use still make moves legal. */
Test(mobility, facts_that_are_not_looked_at) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = random_states(game, 6), *few = dataset_create(game->role_count);
    symbols_intern(&few->facts, "(control x)", 11);
    Examples *examples[2];
    for (int i = 0; i < 2; i++) {
        Model *model = model_create("linear", i ? few : set);
        features_add_moves(&model->features, 0, "mark", 9);
        examples[i] = model_examples(model, game, set, WEIGH_ALIKE);
        model_free(model);
    }
    cr_assert_gt(examples[0]->entries.count, 0);
    cr_assert_eq(examples[0]->entries.count, examples[1]->entries.count);
    for (size_t i = 0; i < examples[0]->entries.count; i++)
        cr_assert_eq(examples[0]->entries.items[i].value, examples[1]->entries.items[i].value);
    examples_free(examples[0]);
    examples_free(examples[1]);
    dataset_free(set);
    dataset_free(few);
    game_free(game);
}

/* There are at most as many groups as a model file may have. */
Test(mobility, groups_have_a_limit) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = random_states(game, 6);
    Features f = {0};
    features_add_mobility(&f, game, set);
    cr_assert_eq(f.groups.count, 2);
    while (f.groups.count + 1 < MODEL_MAX_GROUPS)
        features_add_moves(&f, 0, "", 9);
    features_add_mobility(&f, game, set);
    cr_expect_eq(f.groups.count, MODEL_MAX_GROUPS);
    features_free(&f);
    dataset_free(set);
    game_free(game);
}

/* A model that counts moves of a kind that the game does not have was made for another game. */
Test(mobility, strange_moves_do_not_fit) {
    Game *game = game_named("tic_tac_toe", NULL);
    static const struct {
        const char *line;
        bool fits;
    } lines[] = {{"moves 9 0 mark", true}, {"moves 9 1", true}, {"moves 9 0 drop", false}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Report report = {0};
        Model *model = read_with_line(lines[i].line, &report);
        cr_assert_not_null(model);
        Evaluator *evaluator = evaluator_create(model);
        cr_assert_eq(evaluator_fits(evaluator, game), lines[i].fits, "%s", lines[i].line);
        evaluator_free(evaluator);
        model_free(model);
        report_free(&report);
    }
    game_free(game);
}

Test(mobility, features_have_names) {
    Features f = {0};
    Text text = {0};
    Symbols none = {0};
    features_add_moves(&f, 0, "", 9);
    features_add_moves(&f, 1, "jump", 3);
    features_write(&f, 0, &none, &text);
    text_add(&text, "; ");
    features_write(&f, 1, &none, &text);
    cr_assert_str_eq(text_string(&text), "legal moves of role 1; legal jump moves of role 2");
    vector_free(&text);
    features_free(&f);
    symbols_free(&none);
}
