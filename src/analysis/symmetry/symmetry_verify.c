/* Tests a symmetry: plays a random match and its image, and compares them turn by turn. */
#include <assert.h>
#include <string.h>

#include "analysis/symmetry/symmetry.h"

enum {
    MATCHES = 5,    /* matches per symmetry (untuned) */
    MAX_TURNS = 100 /* compared turns per match (untuned) */
};

typedef struct {
    GameWork *work;
    const Circuit *c;
    const GamePermutation *p;
    State state, image, expected;
    U32Vector legal, legal_image;
    uint32_t *moves, *move_images; /* by role: its move in the match and in the image */
} Trial;

/* Returns the image of a role's move, numbered within the image of the role. */
static uint32_t image_of_move(const Trial *t, uint32_t role, uint32_t move) {
    uint32_t image = t->p->moves[t->c->first_move[role] + move];
    assert(image >= t->c->first_move[t->p->roles[role]]);
    return image - t->c->first_move[t->p->roles[role]];
}

/* Compares the role's legal moves and chooses one and its image. False if they differ. */
static bool role_agrees(Trial *t, uint32_t role, Random *random) {
    uint32_t other = t->p->roles[role];
    game_legal(t->work, &t->state, role, &t->legal);
    game_legal(t->work, &t->image, other, &t->legal_image);
    if (t->legal.count != t->legal_image.count || t->legal.count == 0)
        return t->legal.count == t->legal_image.count;
    t->moves[role] = t->legal.items[random_below(random, t->legal.count)];
    t->move_images[other] = image_of_move(t, role, t->moves[role]);
    for (size_t i = 0; i < t->legal.count; i++)
        t->legal.items[i] = image_of_move(t, role, t->legal.items[i]);
    vector_sort(&t->legal, u32_compare);
    return memcmp(t->legal.items, t->legal_image.items, t->legal.count * sizeof(uint32_t)) == 0;
}

static bool goals_agree(Trial *t) {
    for (uint32_t r = 0; r < t->c->role_count; r++)
        if (game_goal(t->work, &t->state, r) != game_goal(t->work, &t->image, t->p->roles[r]))
            return false;
    return true;
}

static bool match_agrees(Trial *t, Random *random) {
    game_initial(t->work, &t->state);
    symmetry_apply(t->p, t->c->fluent_count, &t->state, &t->image);
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        bool ended = game_is_terminal(t->work, &t->state);
        if (ended != game_is_terminal(t->work, &t->image) || !goals_agree(t))
            return false;
        if (ended)
            return true;
        for (uint32_t r = 0; r < t->c->role_count; r++) {
            if (!role_agrees(t, r, random))
                return false;
            if (!t->legal.count)
                return true;
        }
        game_next(t->work, &t->state, t->moves, &t->state);
        game_next(t->work, &t->image, t->move_images, &t->image);
        symmetry_apply(t->p, t->c->fluent_count, &t->state, &t->expected);
        if (!state_equal(&t->expected, &t->image))
            return false;
    }
    return true;
}

bool symmetry_holds_in_play(Game *game, const GamePermutation *p, uint64_t seed, CpuBudget budget) {
    Trial t = {.work = game_work_create(game, REASONER_SCALAR), .c = game->circuit, .p = p};
    t.moves = memory_zalloc((game->role_count + 1) * sizeof *t.moves);
    t.move_images = memory_zalloc((game->role_count + 1) * sizeof *t.move_images);
    Random random;
    random_seed(&random, seed);
    bool agrees = true;
    for (int match = 0; match < MATCHES && agrees; match++) {
        agrees = match_agrees(&t, &random);
        if (cpu_budget_spent(budget))
            break;
    }
    state_free(&t.state);
    state_free(&t.image);
    state_free(&t.expected);
    vectors_free(&t.legal, &t.legal_image);
    memory_free(t.moves, t.move_images);
    game_work_free(t.work);
    return agrees;
}
