/* What a player answers when its start clock was short:
 *
 *     first_moves [--start SECONDS] GAME-FILE...
 *
 * Each game is started with that start clock (1) and a play clock of a tenth of a second, in the
 * first role that has a choice. Prints a line for each: when the answer to START came, the move,
 * whether it is legal, and whether it is rash: whether the match can be over for nothing before the
 * role has a choice again, though another move would not allow that. The last line adds up. Status
 * 1 if a move is not legal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/goal.h"
#include "player/player.h"

enum { MAX_JOINT_MOVES = 100000 /* tried to say whether a move is rash */ };

typedef struct {
    Game *game;
    GameWork *work;
    State first;
    uint32_t role, move;
    U32Vector legal; /* of the role in the first state */
    uint64_t tried;
} Asked;

static bool open_game(Asked *t, const char *path) {
    Report report = {0};
    *t = (Asked){.game = game_open(path, NULL, &report)};
    report_free(&report);
    if (!t->game)
        return false;
    t->work = game_work_create(t->game, REASONER_AUTO);
    game_initial(t->work, &t->first);
    for (t->role = 0; t->role < t->game->role_count; t->role++) {
        game_legal(t->work, &t->first, t->role, &t->legal);
        if (t->legal.count > 1)
            return true;
    }
    t->role = 0;
    game_legal(t->work, &t->first, 0, &t->legal);
    return t->legal.count > 0;
}

static void close_game(Asked *t) {
    vector_free(&t->legal);
    state_free(&t->first);
    if (t->work)
        game_work_free(t->work);
    if (t->game)
        game_free(t->game);
}

/* ---- the player ---- */

static char *read_file(const char *path) {
    Text text = {0};
    FILE *file = fopen(path, "r");
    for (int c; file && (c = getc(file)) != EOF;)
        vector_push(&text, (char)c);
    vector_push(&text, '\0');
    if (file)
        fclose(file);
    return text.items;
}

/* The move that the answer names; false if it is none of the legal ones. */
static bool find_move(Asked *t, const char *answer) {
    Text name = {0};
    bool found = false;
    for (size_t i = 0; i < t->legal.count && !found; i++) {
        text_clear(&name);
        game_move_text(t->work, t->role, t->legal.items[i], &name);
        found = strcasecmp(text_string(&name), answer) == 0;
        t->move = t->legal.items[i];
    }
    vector_free(&name);
    return found;
}

/* Seconds until the answer to START. */
static double ask_player(const Asked *t, const char *path, double start, Text *answer) {
    Report report = {0};
    Player *player = player_create(&(PlayerOptions){0}, &report);
    Text message = {0};
    char *rules = read_file(path);
    text_printf(&message, "(START m %s (%s\n) %g 0.1)", t->game->roles[t->role], rules, start);
    double began = clock_wall_seconds();
    player_handle(player, message.items, message.count, 0, answer);
    double took = clock_wall_seconds() - began;
    text_clear(answer);
    static const char play[] = "(PLAY m NIL)";
    player_handle(player, play, strlen(play), 0, answer);
    player_free(player);
    vector_free(&message);
    report_free(&report);
    free(rules);
    return took;
}

/* ---- rash moves ---- */

static bool can_lose(Asked *t, const State *state, const uint32_t *fixed);

/* Whether some joint move with those of the roles from `role` on still to be chosen can lose. */
static bool some_answer_loses(Asked *t, const State *state, const uint32_t *fixed, uint32_t *joint,
                              uint32_t role) {
    if (role < t->game->role_count) {
        U32Vector legal = {0};
        bool loses = false;
        game_legal(t->work, state, role, &legal);
        bool is_fixed = fixed && role == t->role;
        for (size_t i = 0; i < (is_fixed ? 1 : legal.count) && !loses; i++) {
            joint[role] = is_fixed ? *fixed : legal.items[i];
            loses = some_answer_loses(t, state, fixed, joint, role + 1);
        }
        vector_free(&legal);
        return loses;
    }
    if (++t->tried > MAX_JOINT_MOVES)
        return false;
    State next = {0};
    game_next(t->work, state, joint, &next);
    bool loses = can_lose(t, &next, NULL);
    state_free(&next);
    return loses;
}

/* Whether the match can be over for nothing before the role has a choice. */
static bool can_lose(Asked *t, const State *state, const uint32_t *fixed) {
    U32Vector legal = {0};
    uint32_t *joint = memory_zalloc((t->game->role_count + 1) * sizeof *joint);
    bool loses = false;
    if (game_is_terminal(t->work, state)) {
        loses = game_goal(t->work, state, t->role) == 0;
    } else {
        game_legal(t->work, state, t->role, &legal);
        bool others_choose = legal.count == 1 && t->game->role_count > 1;
        if (fixed || others_choose)
            loses = some_answer_loses(t, state, fixed, joint, 0);
    }
    vector_free(&legal);
    free(joint);
    return loses;
}

static bool is_rash(Asked *t) {
    if (!can_lose(t, &t->first, &t->move))
        return false;
    for (size_t i = 0; i < t->legal.count; i++)
        if (!can_lose(t, &t->first, &t->legal.items[i]) && t->tried <= MAX_JOINT_MOVES)
            return true;
    return false;
}

int main(int argc, char **argv) {
    double start = 1, latest = 0;
    int first = 1, games = 0, legal = 0, rash = 0, unknown = 0;
    if (argc > 2 && strcmp(argv[1], "--start") == 0) {
        start = strtod(argv[2], NULL);
        first = 3;
    }
    for (int i = first; i < argc; i++) {
        Asked t;
        Text answer = {0};
        if (!open_game(&t, argv[i])) {
            printf("%s: cannot be read\n", argv[i]);
            close_game(&t);
            continue;
        }
        double seconds = ask_player(&t, argv[i], start, &answer);
        bool is_legal = find_move(&t, text_string(&answer));
        bool is_open = !t.game->rules->has_random && !game_hides(t.game);
        bool rashly = is_legal && is_open && is_rash(&t);
        bool is_unknown = !is_open || t.tried > MAX_JOINT_MOVES;
        const char *name = strrchr(argv[i], '/');
        printf("%s: %s of %zu after %.2f s: %s%s\n", name ? name + 1 : argv[i],
               text_string(&answer), t.legal.count, seconds, is_legal ? "legal" : "NOT LEGAL",
               rashly       ? ", rash"
               : is_unknown ? ", not looked at closely"
                            : "");
        fflush(stdout);
        games++;
        legal += is_legal;
        rash += rashly;
        unknown += is_unknown && !rashly;
        latest = seconds > latest ? seconds : latest;
        vector_free(&answer);
        close_game(&t);
    }
    printf("%d games: %d legal moves, %d rash, %d not looked at closely; the last answer to START "
           "after %.2f s\n",
           games, legal, rash, unknown, latest);
    return legal < games;
}
