/* Environments as a user sees them, against single states of the same game: every state, mask,
 * percept, end and reward of a step must be explained by a legal joint move. */
#include <stdlib.h>

#include "api_games.h"

enum { MAX_ROLES = 8 };

/* One game played twice: by environments, and state by state. */
typedef struct {
    MarelleGame *game;
    MarellePlay *play;
    MarelleEnvironments *environments;
    MarelleEnvironmentOptions options;
    MarelleEnvironmentShape shape;
    MarelleEnvironmentOutputs out;
    MarelleState **states; /* by match, as the last step left them */
    MarelleState *initial, *next, *got;
    uint32_t *moves, chance; /* chance: role, or MARELLE_NO_MOVE */
    uint64_t random[4];
} Pair;

static void *zeros(size_t count, size_t size) {
    void *found = calloc(count + 1, size);
    cr_assert(found);
    return found;
}

static MarelleEnvironmentOutputs outputs_for(const MarelleEnvironmentShape *s) {
    size_t rows = (size_t)s->count * s->roles, views = (size_t)s->count * s->views;
    return (MarelleEnvironmentOutputs){
        .ends = zeros(s->count, 1),
        .rewards = zeros(rows, sizeof(int32_t)),
        .turns = zeros(s->count, sizeof(int32_t)),
        .illegal = zeros(s->count, 1),
        .masks = zeros(rows * s->mask_words, sizeof(uint64_t)),
        .mask_bytes = zeros(rows * s->moves, 1),
        .observations = zeros(views * s->fact_words, sizeof(uint64_t)),
        .observation_bytes = zeros(views * s->facts, 1),
        .planes = zeros((size_t)s->count * s->channels * s->height * s->width, 1)};
}

static void free_outputs(MarelleEnvironmentOutputs *o) {
    void *all[] = {o->ends,  o->rewards,    o->turns,        o->illegal,
                   o->masks, o->mask_bytes, o->observations, o->observation_bytes,
                   o->planes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void pair_start(Pair *p, MarelleGame *game, const MarelleEnvironmentOptions *options) {
    *p = (Pair){.game = game, .options = *options, .chance = MARELLE_NO_MOVE};
    cr_assert_eq(marelle_environments_create(game, options, &p->environments, NULL), MARELLE_OK);
    p->play = marelle_play_create(game);
    p->shape = marelle_environments_shape(p->environments);
    cr_assert_leq(p->shape.roles, MAX_ROLES);
    cr_assert_eq(p->shape.roles, marelle_game_role_count(game));
    p->out = outputs_for(&p->shape);
    p->states = zeros(p->shape.count, sizeof *p->states);
    p->initial = marelle_state_create();
    p->next = marelle_state_create();
    p->got = marelle_state_create();
    p->moves = zeros((size_t)p->shape.count * p->shape.roles, sizeof *p->moves);
    marelle_initial(p->play, p->initial);
    for (uint32_t i = 0; i < p->shape.count; i++) {
        p->states[i] = marelle_state_create();
        marelle_state_copy(p->states[i], p->initial);
    }
    for (uint32_t r = 0; r < p->shape.roles; r++)
        if (!strcmp(marelle_game_role_name(game, r), "random"))
            p->chance = r;
    marelle_random_seed(5, p->random);
    marelle_environments_reset(p->environments, NULL, &p->out);
}

static void pair_end(Pair *p) {
    for (uint32_t i = 0; i < p->shape.count; i++)
        marelle_state_free(p->states[i]);
    marelle_state_free(p->initial);
    marelle_state_free(p->next);
    marelle_state_free(p->got);
    free(p->states);
    free(p->moves);
    free_outputs(&p->out);
    marelle_environments_free(p->environments);
    marelle_play_free(p->play);
    marelle_game_free(p->game);
}

static const uint64_t *mask_of(const Pair *p, uint32_t match, uint32_t role) {
    return p->out.masks + ((size_t)match * p->shape.roles + role) * p->shape.mask_words;
}

static bool bit_of(const uint64_t *words, uint32_t bit) {
    return words[bit / 64] >> bit % 64 & 1;
}

/* True if the masks and the turn of the match are those of the state. */
static bool has_moves_of(const Pair *p, uint32_t match, const MarelleState *state, bool is_over) {
    int32_t turn = MARELLE_TURN_NOBODY;
    for (uint32_t r = 0; r < p->shape.roles; r++) {
        const uint32_t *legal;
        size_t count = is_over || r == p->chance ? 0 : marelle_legal(p->play, state, r, &legal);
        size_t bits = 0;
        const uint8_t *bytes =
            p->out.mask_bytes + ((size_t)match * p->shape.roles + r) * p->shape.moves;
        for (uint32_t m = 0; m < p->shape.moves; m++) {
            bits += bit_of(mask_of(p, match, r), m);
            if (bit_of(mask_of(p, match, r), m) != bytes[m])
                return false;
        }
        for (size_t i = 0; i < count; i++)
            if (!bit_of(mask_of(p, match, r), legal[i]))
                return false;
        if (bits != count)
            return false;
        if (count > 1)
            turn = turn == MARELLE_TURN_NOBODY ? (int32_t)r : MARELLE_TURN_SEVERAL;
    }
    return p->out.turns[match] == turn;
}

/* True if the bits of the view are the items of the text, which is a list of terms. */
static bool shows(const Pair *p, uint32_t match, uint32_t view, const char *text) {
    size_t place = (size_t)match * p->shape.views + view, length = 0;
    const uint64_t *words = p->out.observations + place * p->shape.fact_words;
    char *list = strdup(text);
    bool is_equal = true;
    for (uint32_t i = 0; i < p->shape.facts; i++) {
        is_equal =
            is_equal && bit_of(words, i) == p->out.observation_bytes[place * p->shape.facts + i];
        if (!bit_of(words, i))
            continue;
        const char *item = p->shape.views == 1
                               ? marelle_fluent_text(p->play, i)
                               : marelle_environments_percept_text(p->environments, view, i);
        is_equal = is_equal && item && strstr(list, item);
        length += item ? strlen(item) + 1 : 0;
    }
    is_equal = is_equal && length == (*list ? strlen(list) + 1 : 0);
    free(list);
    return is_equal;
}

static bool can_all_move(const Pair *p, const MarelleState *state) {
    const uint32_t *legal;
    for (uint32_t r = 0; r < p->shape.roles; r++)
        if (!marelle_legal(p->play, state, r, &legal))
            return false;
    return true;
}

static bool has_rewards(const Pair *p, uint32_t match, bool is_terminal) {
    for (uint32_t r = 0; r < p->shape.roles; r++) {
        int goal = is_terminal ? marelle_goal(p->play, p->next, r) : 0;
        if (p->out.rewards[match * p->shape.roles + r] != (goal > 0 ? goal : 0))
            return false;
    }
    return true;
}

/* True if this joint move leads from the last state to all that the step has shown. */
static bool explains(Pair *p, uint32_t match, const uint32_t *joint) {
    if (marelle_next(p->play, p->states[match], joint, p->next) != MARELLE_OK)
        return false;
    bool is_terminal = marelle_is_terminal(p->play, p->next);
    int end = is_terminal                 ? MARELLE_END_TERMINAL
              : !can_all_move(p, p->next) ? MARELLE_END_STUCK
                                          : MARELLE_END_NONE;
    if (p->out.ends[match] != end || !has_rewards(p, match, is_terminal))
        return false;
    bool begins = end && !p->options.keeps_ended;
    const MarelleState *now = begins ? p->initial : p->next;
    marelle_environments_state(p->environments, match, p->got);
    if (!marelle_state_equal(p->got, now) || !has_moves_of(p, match, now, end && !begins))
        return false;
    if (p->shape.views == 1)
        return shows(p, match, 0, marelle_state_text(p->play, now));
    for (uint32_t r = 0; r < p->shape.roles; r++)
        if (!shows(p, match, r, begins ? "" : marelle_sees(p->play, p->states[match], joint, r)))
            return false;
    return true;
}

/* True if the step of this match is what some move of chance makes of the moves that were given. */
static bool is_explained(Pair *p, uint32_t match) {
    uint32_t joint[MAX_ROLES];
    memcpy(joint, p->moves + (size_t)match * p->shape.roles, p->shape.roles * sizeof *joint);
    if (p->chance == MARELLE_NO_MOVE)
        return explains(p, match, joint);
    const uint32_t *legal;
    size_t count = marelle_legal(p->play, p->states[match], p->chance, &legal);
    uint32_t *all = zeros(count, sizeof *all);
    memcpy(all, legal, count * sizeof *all);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        joint[p->chance] = all[i];
        found = explains(p, match, joint);
    }
    free(all);
    return found;
}

static void pair_step(Pair *p) {
    uint8_t *over = zeros(p->shape.count, 1);
    memcpy(over, p->out.ends, p->shape.count);
    marelle_masks_draw(p->out.masks, (size_t)p->shape.count * p->shape.roles, p->shape.mask_words,
                       p->random, p->moves);
    marelle_environments_step(p->environments, p->moves, &p->out);
    for (uint32_t i = 0; i < p->shape.count; i++) {
        if (p->options.keeps_ended && over[i])
            cr_assert_eq(p->out.ends[i], over[i]);
        else
            cr_assert(is_explained(p, i), "match %u", i);
        cr_assert_eq(p->out.illegal[i], 0);
        marelle_environments_state(p->environments, i, p->states[i]);
    }
    free(over);
}

static void compare(const char *path, const MarelleEnvironmentOptions *options,
                    bool interpreter_only, int steps) {
    Pair p;
    pair_start(&p, game_from_file(path, interpreter_only), options);
    uint64_t ended = 0;
    for (int i = 0; i < steps; i++) {
        pair_step(&p);
        for (uint32_t m = 0; m < p.shape.count; m++)
            ended += p.out.ends[m] == MARELLE_END_TERMINAL;
    }
    cr_assert_gt(ended, 0);
    cr_assert_eq(marelle_environments_illegal_moves(p.environments), 0);
    cr_assert_eq(marelle_environments_lost(p.environments), 0);
    pair_end(&p);
}

Test(environments, a_game_of_turns) {
    compare(GAME("tic_tac_toe"), &(MarelleEnvironmentOptions){.count = 600}, false, 20);
    compare(GAME("tic_tac_toe"), &(MarelleEnvironmentOptions){.count = 7, .keeps_ended = true},
            false, 12);
}

Test(environments, a_mask_of_several_words) {
    compare(GAME("breakthrough"), &(MarelleEnvironmentOptions){.count = 20}, false, 90);
}

Test(environments, a_role_that_may_have_to_pass) {
    compare(GAME("reversi"), &(MarelleEnvironmentOptions){.count = 20}, false, 130);
}

Test(environments, moves_at_the_same_time) {
    compare(GAME("rock_paper_scissors"), &(MarelleEnvironmentOptions){.count = 65}, false, 20);
}

Test(environments, one_role) {
    compare(GAME("buttons_and_lights"), &(MarelleEnvironmentOptions){.count = 65}, false, 20);
}

Test(environments, chance) {
    compare(GAME("cant_stop"), &(MarelleEnvironmentOptions){.count = 20}, false, 400);
}

Test(environments, hidden_information) {
    compare(GAME("kuhn_poker"), &(MarelleEnvironmentOptions){.count = 100}, false, 20);
    compare(GAME("monty_hall"), &(MarelleEnvironmentOptions){.count = 65, .keeps_ended = true},
            false, 8);
}

Test(environments, without_a_circuit) {
    compare(GAME("tic_tac_toe"), &(MarelleEnvironmentOptions){.count = 30}, true, 20);
    compare(GAME("kuhn_poker"), &(MarelleEnvironmentOptions){.count = 30}, true, 20);
    compare(GAME("monty_hall"), &(MarelleEnvironmentOptions){.count = 20, .keeps_ended = true},
            true, 8);
}

/* Plays some steps, copies every third match into the matches of other environments, and goes on
 * there. */
static void compare_after_copy(const char *path, const MarelleEnvironmentOptions *options,
                               bool interpreter_only, int steps) {
    Pair p;
    pair_start(&p, game_from_file(path, interpreter_only), options);
    for (int i = 0; i < steps; i++)
        pair_step(&p);
    MarelleEnvironments *from = p.environments;
    MarelleState **states = zeros(p.shape.count, sizeof *states);
    uint32_t *sources = zeros(p.shape.count, sizeof *sources);
    uint8_t *ends = zeros(p.shape.count, 1);
    memcpy(ends, p.out.ends, p.shape.count);
    memcpy(states, p.states, p.shape.count * sizeof *states);
    cr_assert_eq(marelle_environments_create(p.game, options, &p.environments, NULL), MARELLE_OK);
    for (uint32_t i = 0; i < p.shape.count; i++) {
        sources[i] = i * 3 % p.shape.count;
        p.states[i] = marelle_state_create();
        marelle_state_copy(p.states[i], i ? states[sources[i]] : p.initial);
    }
    cr_assert_eq(marelle_environments_copy(p.environments, 1, p.shape.count - 1, from, sources + 1,
                                           &p.out, NULL),
                 MARELLE_OK);
    for (uint32_t i = 0; i < p.shape.count; i++) {
        bool is_over = options->keeps_ended && i && ends[sources[i]];
        marelle_environments_state(p.environments, i, p.got);
        cr_assert(marelle_state_equal(p.got, p.states[i]), "match %u", i);
        cr_assert(has_moves_of(&p, i, p.states[i], is_over), "match %u", i);
        cr_assert_eq(p.out.ends[i], is_over ? ends[sources[i]] : MARELLE_END_NONE);
        cr_assert_eq(p.out.rewards[(size_t)i * p.shape.roles], 0);
        if (p.shape.views == 1)
            cr_assert(shows(&p, i, 0, marelle_state_text(p.play, p.states[i])));
        marelle_state_free(states[i]);
    }
    free(states);
    free(sources);
    free(ends);
    marelle_environments_free(from);
    for (int i = 0; i < steps; i++)
        pair_step(&p);
    pair_end(&p);
}

Test(environments, copied_matches_go_on) {
    compare_after_copy(GAME("connect_four"),
                       &(MarelleEnvironmentOptions){.count = 1100, .threads = 2}, false, 12);
    compare_after_copy(GAME("tic_tac_toe"),
                       &(MarelleEnvironmentOptions){.count = 70, .keeps_ended = true}, false, 6);
    compare_after_copy(GAME("cant_stop"), &(MarelleEnvironmentOptions){.count = 20}, false, 30);
    compare_after_copy(GAME("monty_hall"), &(MarelleEnvironmentOptions){.count = 65}, false, 2);
    compare_after_copy(GAME("tic_tac_toe"),
                       &(MarelleEnvironmentOptions){.count = 30, .keeps_ended = true}, true, 6);
}

/* A hash of all that steps with moves drawn at random have shown; `illegal`: how often one of the
 * moves is not drawn but given as it is. */
static uint64_t hash_of_play(const char *path, const MarelleEnvironmentOptions *options,
                             uint32_t illegal) {
    Pair p;
    pair_start(&p, game_from_file(path, false), options);
    uint64_t hash = 0;
    for (int step = 0; step < 40; step++) {
        marelle_masks_draw(p.out.masks, (size_t)p.shape.count * p.shape.roles, p.shape.mask_words,
                           p.random, p.moves);
        for (uint32_t i = 0; i < illegal; i++)
            p.moves[(size_t)i * 3 % p.shape.count * p.shape.roles] = 1u << i % 32;
        marelle_environments_step(p.environments, p.moves, &p.out);
        for (uint32_t i = 0; i < p.shape.count; i++) {
            marelle_environments_state(p.environments, i, p.got);
            hash = hash * 31 + marelle_state_hash(p.got) + p.out.ends[i] + p.out.illegal[i];
        }
    }
    pair_end(&p);
    return hash;
}

Test(environments, a_seed_gives_one_result_whatever_the_threads) {
    MarelleEnvironmentOptions options = {.count = 2000, .seed = 3, .replaces_illegal = true};
    uint64_t one = hash_of_play(GAME("cant_stop"), &options, 100);
    options.threads = 3;
    cr_assert_eq(hash_of_play(GAME("cant_stop"), &options, 100), one);
    options.seed = 4;
    cr_assert_neq(hash_of_play(GAME("cant_stop"), &options, 100), one);
}

Test(environments, illegal_moves_are_refused_and_counted) {
    Pair p;
    pair_start(&p, game_from_file(GAME("tic_tac_toe"), false),
               &(MarelleEnvironmentOptions){.count = 2});
    uint32_t moves[4] = {UINT32_MAX, 12345, 0, 0};
    marelle_masks_draw(p.out.masks + 2 * p.shape.mask_words, 2, p.shape.mask_words, p.random,
                       moves + 2);
    marelle_environments_step(p.environments, moves, &p.out);
    cr_assert_eq(p.out.illegal[0], 1);
    cr_assert_eq(p.out.illegal[1], 0);
    cr_assert_eq(marelle_environments_illegal_moves(p.environments), 2);
    marelle_environments_state(p.environments, 0, p.got);
    cr_assert(marelle_state_equal(p.got, p.initial));
    marelle_environments_state(p.environments, 1, p.got);
    cr_assert(!marelle_state_equal(p.got, p.initial));
    pair_end(&p);
}

Test(environments, illegal_moves_are_replaced) {
    Pair p;
    pair_start(&p, game_from_file(GAME("tic_tac_toe"), false),
               &(MarelleEnvironmentOptions){.count = 1, .replaces_illegal = true});
    marelle_environments_step(p.environments, (uint32_t[]){UINT32_MAX, UINT32_MAX}, &p.out);
    cr_assert_eq(p.out.illegal[0], 1);
    marelle_environments_state(p.environments, 0, p.got);
    cr_assert(!marelle_state_equal(p.got, p.initial));
    pair_end(&p);
}

Test(environments, the_step_limit_ends_a_match) {
    for (int interpreted = 0; interpreted < 2; interpreted++) {
        Pair p;
        pair_start(&p, game_from_file(GAME("tic_tac_toe"), interpreted),
                   &(MarelleEnvironmentOptions){.count = 3, .step_limit = 2});
        for (int step = 1; step <= 4; step++) {
            marelle_masks_draw(p.out.masks, 6, p.shape.mask_words, p.random, p.moves);
            marelle_environments_step(p.environments, p.moves, &p.out);
            cr_assert_eq(p.out.ends[1], step % 2 ? MARELLE_END_NONE : MARELLE_END_TOO_LONG);
        }
        pair_end(&p);
    }
}

Test(environments, a_copied_match_has_its_turns) {
    Pair p;
    MarelleEnvironments *copy;
    const MarelleEnvironmentOptions options = {.count = 1, .step_limit = 4};
    for (int interpreted = 0; interpreted < 2; interpreted++) {
        pair_start(&p, game_from_file(GAME("tic_tac_toe"), interpreted), &options);
        cr_assert_eq(marelle_environments_create(p.game, &options, &copy, NULL), MARELLE_OK);
        for (int step = 1; step <= 4; step++) {
            marelle_masks_draw(p.out.masks, p.shape.roles, p.shape.mask_words, p.random, p.moves);
            marelle_environments_step(step > 2 ? copy : p.environments, p.moves, &p.out);
            cr_assert_eq(p.out.ends[0], step == 4 ? MARELLE_END_TOO_LONG : MARELLE_END_NONE);
            if (step == 2)
                cr_assert_eq(marelle_environments_copy(copy, 0, 1, p.environments, (uint32_t[]){0},
                                                       NULL, NULL),
                             MARELLE_OK);
        }
        marelle_environments_free(copy);
        pair_end(&p);
    }
}

Test(environments, wrong_copies_are_refused) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleGame *other_game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleEnvironments *to, *from[4];
    MarelleProblem problem;
    const MarelleEnvironmentOptions plain = {.count = 3}, limited = {.count = 3, .step_limit = 9},
                                    keeping = {.count = 3, .keeps_ended = true};
    marelle_environments_create(game, &limited, &to, NULL);
    marelle_environments_create(other_game, &limited, &from[0], NULL);
    marelle_environments_create(game, &plain, &from[1], NULL);
    marelle_environments_create(game, &keeping, &from[2], NULL);
    marelle_environments_create(game, &limited, &from[3], NULL);
    const uint32_t sources[] = {0, 1, 3};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(marelle_environments_copy(to, 0, 2, from[i], sources, NULL, &problem),
                     MARELLE_BAD_ARGUMENT);
        cr_assert(strstr(problem.text, "same game"), "%s", problem.text);
    }
    const struct {
        uint32_t first, count;
        const uint32_t *sources;
        MarelleStatus status;
    } cases[] = {{0, 2, sources, MARELLE_OK},
                 {1, 2, sources, MARELLE_OK},
                 {3, 0, NULL, MARELLE_OK},
                 {2, 2, sources, MARELLE_BAD_ARGUMENT},
                 {4, 0, sources, MARELLE_BAD_ARGUMENT},
                 {2, UINT32_MAX, sources, MARELLE_BAD_ARGUMENT},
                 {0, 1, NULL, MARELLE_BAD_ARGUMENT},
                 {0, 3, sources, MARELLE_BAD_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(marelle_environments_copy(to, cases[i].first, cases[i].count, from[3],
                                               cases[i].sources, NULL, NULL),
                     cases[i].status, "case %zu", i);
    cr_assert_eq(marelle_environments_copy(to, 0, 1, to, sources, NULL, NULL),
                 MARELLE_BAD_ARGUMENT);
    marelle_environments_free(to);
    for (int i = 0; i < 4; i++)
        marelle_environments_free(from[i]);
    marelle_game_free(game);
    marelle_game_free(other_game);
}

Test(environments, matches_are_reset_one_by_one) {
    Pair p;
    pair_start(&p, game_from_file(GAME("tic_tac_toe"), false),
               &(MarelleEnvironmentOptions){.count = 2, .keeps_ended = true});
    for (int step = 0; step < 9; step++)
        pair_step(&p);
    cr_assert_eq(p.out.ends[0], MARELLE_END_TERMINAL);
    marelle_environments_reset(p.environments, (uint8_t[]){1, 0}, &p.out);
    cr_assert_eq(p.out.ends[0], MARELLE_END_NONE);
    cr_assert_eq(p.out.ends[1], MARELLE_END_TERMINAL);
    marelle_environments_state(p.environments, 0, p.got);
    cr_assert(marelle_state_equal(p.got, p.initial));
    cr_assert(has_moves_of(&p, 0, p.initial, false));
    cr_assert_eq(p.out.turns[1], MARELLE_TURN_NOBODY);
    pair_end(&p);
}

Test(environments, planes_show_the_board) {
    Pair p;
    pair_start(&p, game_from_file(GAME("tic_tac_toe"), false),
               &(MarelleEnvironmentOptions){.count = 5, .planes = true});
    cr_assert_eq(p.shape.height, 3);
    cr_assert_eq(p.shape.width, 3);
    cr_assert_geq(p.shape.channels, 4); /* x, o, and whose turn it is */
    size_t square = 9, all = p.shape.channels * square;
    for (int step = 1; step <= 4; step++) {
        pair_step(&p);
        for (uint32_t m = 0; m < p.shape.count; m++) {
            const uint8_t *planes = p.out.planes + m * all;
            const uint8_t *roles = planes + all - 2 * square;
            int pieces = 0;
            for (size_t i = 0; i < all - 2 * square; i++)
                pieces += planes[i];
            cr_assert(pieces == step || pieces == (int)square, "%d pieces", pieces);
            cr_assert_eq(roles[0], p.out.turns[m] == 0);
            cr_assert_eq(roles[square + 4], p.out.turns[m] == 1);
        }
    }
    pair_end(&p);
}

Test(environments, a_game_that_cannot_begin_stays) {
    Pair p;
    pair_start(&p,
               game_of(rules_of("(role a) (init (x 1)) (<= (legal a go) (true (x 2)))\n"
                                "(<= (next (x 1)) (does a go)) (<= (next (x 2)) (true (x 3)))\n"
                                "(<= terminal (true (x 2))) (goal a 50)"),
                       false),
               &(MarelleEnvironmentOptions){.count = 1, .replaces_illegal = true});
    for (int step = 0; step < 3; step++)
        marelle_environments_step(p.environments, (uint32_t[]){0}, &p.out);
    marelle_environments_state(p.environments, 0, p.got);
    cr_assert(marelle_state_equal(p.got, p.initial));
    pair_end(&p);
}

Test(environments, wrong_arguments_are_refused) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleEnvironments *e;
    const MarelleEnvironmentOptions wrong[] = {{.count = 0},
                                               {.count = UINT32_MAX},
                                               {.count = 1, .threads = 5000},
                                               {.count = 1, .room = UINT32_MAX},
                                               {.count = 1, .reserved = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(marelle_environments_create(game, &wrong[i], &e, NULL), MARELLE_BAD_ARGUMENT);
        cr_assert_null(e);
    }
    cr_assert_eq(
        marelle_environments_create(game, &(MarelleEnvironmentOptions){.count = 1}, &e, NULL),
        MARELLE_OK);
    MarelleState *state = marelle_state_create();
    cr_assert_eq(marelle_environments_state(e, 1, state), MARELLE_BAD_ARGUMENT);
    cr_assert_null(marelle_environments_percept_text(e, 0, 0));
    marelle_state_free(state);
    marelle_environments_free(e);
    marelle_environments_free(NULL);
    marelle_game_free(game);
}

/* On a GPU, if this machine has one: a hundred steps with moves drawn there, none of them illegal.
 * Without one, a sentence says so. */
Test(environments, on_a_gpu) {
    enum { MATCHES = 1500, STEPS = 100 };
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleGpuEnvironments *e;
    MarelleProblem problem = {0};
    const MarelleEnvironmentOptions none = {0}, options = {.count = MATCHES, .planes = true};
    cr_assert_eq(marelle_gpu_environments_create(game, &none, &e, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_null(e);
    MarelleStatus status = marelle_gpu_environments_create(game, &options, &e, &problem);
    cr_assert_eq(e == NULL, status != MARELLE_OK);
    if (!e) {
        cr_assert_eq(status, MARELLE_UNFIT);
        cr_assert_str_not_empty(problem.text);
        marelle_game_free(game);
        cr_skip_test("%s", problem.text);
    }
    MarelleEnvironmentShape shape = marelle_gpu_environments_shape(e);
    size_t rows = (size_t)MATCHES * shape.roles;
    uint64_t *masks = marelle_gpu_alloc(e, rows * shape.mask_words * sizeof *masks), illegal = 1;
    uint32_t *moves = marelle_gpu_alloc(e, rows * sizeof *moves);
    MarelleEnvironmentOutputs outputs = {.masks = masks};
    MarelleState *state = marelle_state_create();
    MarellePlay *play = marelle_play_create(game);
    cr_assert_eq(marelle_gpu_environments_reset(e, NULL, &outputs, NULL, &problem), MARELLE_OK);
    for (uint64_t step = 0; step < STEPS; step++) {
        cr_assert_eq(marelle_gpu_masks_draw(e, masks, rows, step, moves, NULL, &problem),
                     MARELLE_OK);
        cr_assert_eq(marelle_gpu_environments_step(e, moves, &outputs, NULL, &problem), MARELLE_OK);
    }
    cr_assert_eq(marelle_gpu_environments_illegal_moves(e, &illegal, &problem), MARELLE_OK);
    cr_assert_eq(illegal, 0);
    MarelleGpuEnvironments *copy;
    MarelleState *copied = marelle_state_create();
    uint32_t sources[MATCHES];
    for (uint32_t i = 0; i < MATCHES; i++)
        sources[i] = i ? i * 7 % MATCHES : MATCHES;
    cr_assert_eq(marelle_gpu_environments_create(game, &options, &copy, &problem), MARELLE_OK);
    cr_assert_eq(marelle_gpu_write(e, moves, sources, sizeof sources, &problem), MARELLE_OK);
    cr_assert_eq(
        marelle_gpu_environments_copy(copy, 0, MATCHES, e, moves, &outputs, NULL, &problem),
        MARELLE_OK);
    for (uint32_t i = 0; i < MATCHES; i += 13) {
        marelle_gpu_environments_state(copy, i, copied, &problem);
        if (i)
            marelle_gpu_environments_state(e, sources[i], state, &problem);
        else
            marelle_initial(play, state);
        cr_assert(marelle_state_equal(copied, state), "match %u", i);
    }
    cr_assert_eq(marelle_gpu_environments_copy(copy, 1, MATCHES, e, moves, NULL, NULL, &problem),
                 MARELLE_BAD_ARGUMENT);
    marelle_state_free(copied);
    marelle_play_free(play);
    marelle_gpu_environments_free(copy);
    cr_assert_eq(marelle_gpu_environments_state(e, MATCHES, state, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_eq(marelle_gpu_environments_state(e, 7, state, &problem), MARELLE_OK);
    marelle_state_free(state);
    marelle_gpu_free(e, masks);
    marelle_gpu_free(e, moves);
    marelle_gpu_environments_free(e);
    marelle_game_free(game);
}
