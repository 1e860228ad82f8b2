/* A helper of test_clingo.py: dump_match GAME SEED STATES plays at random and prints the facts of
 * each state, one per line: true, terminal, legal, goal; then the moves as does, and their
 * consequences: next and sees. A line "state" begins each state. */
#include <stdio.h>
#include <stdlib.h>

#include "game/game.h"

typedef struct {
    Game *game;
    GameWork *work;
    Random random;
    uint32_t roles, *joint;
    U32Vector legal;
} Dump;

static void print_role(const Dump *d, const char *keyword, uint32_t role, const char *rest) {
    printf("%s %s %s\n", keyword, d->game->roles[role], rest);
}

static void print_fluents(const Dump *d, const char *keyword, const State *state) {
    Text text = {0};
    game_state_text(d->work, state, &text);
    printf("%s %s\n", keyword, text_string(&text));
    vector_free(&text);
}

/* Prints the legal moves and chooses one. False if there is none. */
static bool print_legal(Dump *d, const State *state, uint32_t role) {
    game_legal(d->work, state, role, &d->legal);
    for (size_t i = 0; i < d->legal.count; i++) {
        Text move = {0};
        game_move_text(d->work, role, d->legal.items[i], &move);
        print_role(d, "legal", role, text_string(&move));
        vector_free(&move);
    }
    if (d->legal.count)
        d->joint[role] = d->legal.items[random_below(&d->random, d->legal.count)];
    return d->legal.count > 0;
}

static void print_goal(const Dump *d, const State *state, uint32_t role) {
    char value[20];
    int goal = game_goal(d->work, state, role);
    snprintf(value, sizeof value, "%d", goal);
    print_role(d, "goal", role,
               goal == GOAL_NONE      ? "none"
               : goal == GOAL_SEVERAL ? "several"
                                      : value);
}

static void print_step(const Dump *d, const State *state, State *next) {
    for (uint32_t r = 0; r < d->roles; r++) {
        Text text = {0};
        game_move_text(d->work, r, d->joint[r], &text);
        print_role(d, "does", r, text_string(&text));
        text_clear(&text);
        game_sees(d->work, state, d->joint, r, &text);
        print_role(d, "sees", r, text_string(&text));
        vector_free(&text);
    }
    game_next(d->work, state, d->joint, next);
    print_fluents(d, "next", next);
}

static void dump(Dump *d, uint32_t states) {
    State state = {0}, next = {0};
    game_initial(d->work, &state);
    for (uint32_t s = 0; s < states; s++) {
        bool terminal = game_is_terminal(d->work, &state), stuck = false;
        printf("state\n");
        print_fluents(d, "true", &state);
        printf("terminal %d\n", terminal);
        for (uint32_t r = 0; r < d->roles; r++) {
            stuck |= !print_legal(d, &state, r);
            print_goal(d, &state, r);
        }
        if (terminal || stuck)
            break;
        print_step(d, &state, &next);
        state_copy(&state, &next);
    }
    state_free(&state);
    state_free(&next);
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: %s GAME SEED STATES\n", arguments[0]);
        return 2;
    }
    Report report = {0};
    Game *game = game_open(arguments[1], NULL, &report);
    report_print(&report, stderr, SEVERITY_ERROR);
    report_free(&report);
    if (!game)
        return 1;
    Dump d = {
        .game = game, .work = game_work_create(game, REASONER_AUTO), .roles = game->role_count};
    d.joint = memory_zalloc((d.roles + 1) * sizeof *d.joint);
    random_seed(&d.random, strtoull(arguments[2], NULL, 10));
    dump(&d, (uint32_t)strtoul(arguments[3], NULL, 10));
    free(d.joint);
    vector_free(&d.legal);
    game_work_free(d.work);
    game_free(game);
    return 0;
}
