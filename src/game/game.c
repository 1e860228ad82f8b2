/* Builds games, makes networks on first use, and implements the operations on states. */
#include "game/game.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "circuit/decisive.h"
#include "game/goal.h"
#include "game/incremental.h"
#include "game/lanes.h"
#include "game/scalar.h"

enum {
    DEFAULT_SECONDS = 60, /* CPU time for grounding and the circuit (untuned) */
    MAX_CIRCUIT_GATES =
        8000000 /* gates of a circuit, at most; larger games are interpreted (untuned) */
};
/* Bytes for grounding (untuned). */
static const size_t DEFAULT_BYTES = (size_t)4 << 30;
/* Ground rules of at most so many bytes stay in memory after building (untuned: 96 of 100 games of
 * the corpus fit; amazons takes 100 MB, chess several hundred). */
static const size_t KEPT_RULES_BYTES = (size_t)32 << 20;

static const char *const reasoner_names[] = {"auto",        "interpreter", "scalar",
                                             "incremental", "sliced",      "gpu"};

const char *reasoner_name(Reasoner reasoner) {
    assert((size_t)reasoner < sizeof reasoner_names / sizeof *reasoner_names);
    return reasoner_names[reasoner];
}

bool reasoner_from_name(const char *name, Reasoner *reasoner) {
    for (size_t i = 0; i < sizeof reasoner_names / sizeof *reasoner_names; i++)
        if (strcmp(name, reasoner_names[i]) == 0) {
            *reasoner = (Reasoner)i;
            return true;
        }
    return false;
}

static void build_circuit(Game *game, const GameOptions *options) {
    GroundBudget budget = {
        .seconds = options->build_seconds > 0 ? options->build_seconds : DEFAULT_SECONDS,
        .until = options->build_until,
        .bytes = options->build_bytes ? options->build_bytes : memory_share(DEFAULT_BYTES, 0.5),
        .stopped = options->stopped,
        .rewrite_threshold = options->rewrite_threshold};
    CircuitOptions circuit_options = {.factors = true,
                                      .finds_constants = true,
                                      .max_gates = MAX_CIRCUIT_GATES,
                                      .stopped = options->stopped,
                                      .until = options->build_until};
    Report report = {0};
    double started = clock_thread_cpu_seconds();
    game->grounding = ground_rules(game->rules, &budget, &report);
    if (game->grounding) {
        double left = budget.seconds - (clock_thread_cpu_seconds() - started);
        circuit_options.seconds = left > 0.001 ? left : 0.001;
        game->circuit = circuit_build(game->grounding, &circuit_options, &report);
    }
    if (game->circuit) {
        if (game->grounding->bytes <= KEPT_RULES_BYTES)
            game->ground_rules = game->grounding;
        else
            grounding_forget_rules(game->grounding);
        game->scalar = scalar_create(game->circuit, options->kernel, options->stopped);
    } else {
        grounding_free(game->grounding);
        game->grounding = NULL;
        /* The game is interpreted, so the reason is kept and not reported as an error. */
        const char *why = report.items.count ? report.items.items[0].message : "unknown reason";
        game->why_interpreted = arena_copy(&game->arena, why, strlen(why));
    }
    report_free(&report);
}

static void name_roles(Game *game) {
    Text name = {0};
    game->role_count = interpreter_role_count(game->interpreter);
    game->roles = arena_alloc(&game->arena, game->role_count * sizeof *game->roles);
    for (uint32_t r = 0; r < game->role_count; r++) {
        text_clear(&name);
        interpreter_role_text(game->interpreter, r, &name);
        game->roles[r] = arena_copy(&game->arena, text_string(&name), name.count);
    }
    game->chance_role = 0;
    while (game->chance_role < game->role_count &&
           strcmp(game->roles[game->chance_role], "random") != 0)
        game->chance_role++;
    vector_free(&name);
}

Game *game_create(Rules *rules, const GameOptions *options, Report *report) {
    static const GameOptions defaults = {0};
    if (!options)
        options = &defaults;
    assert(rules && report);
    Game *game = memory_zalloc(sizeof *game);
    pthread_mutex_init(&game->lock, NULL);
    pthread_mutex_init(&game->ground_lock, NULL);
    game->rules = rules;
    game->kernel = options->kernel;
    game->stopped = options->stopped;
    game->rewrite_threshold = options->rewrite_threshold;
    if (rules->roles.count == 0)
        report_error(report, "missing-role", "the description declares no role");
    else
        game->interpreter = interpreter_create(rules, report);
    if (!game->interpreter) {
        game_free(game);
        return NULL;
    }
    name_roles(game);
    double started = clock_thread_cpu_seconds();
    if (options->interpreter_only)
        game->why_interpreted = "asked for";
    else
        build_circuit(game, options);
    game->build_cpu_seconds = clock_thread_cpu_seconds() - started;
    return game;
}

Game *game_open(const char *path, const GameOptions *options, Report *report) {
    Rules *rules = rules_read(path, report);
    return rules ? game_create(rules, options, report) : NULL;
}

typedef struct GameNote {
    const void *owner;
    void *note;
    void (*release)(void *note);
    struct GameNote *before;
} GameNote;

void game_keep_note(Game *game, const void *owner, void *note, void (*release)(void *note)) {
    assert(owner && note && release);
    GameNote *kept = memory_alloc(sizeof *kept);
    pthread_mutex_lock(&game->lock);
    *kept = (GameNote){owner, note, release, game->notes};
    game->notes = kept;
    pthread_mutex_unlock(&game->lock);
}

const void *game_note(Game *game, const void *owner) {
    pthread_mutex_lock(&game->lock);
    const GameNote *kept = game->notes;
    while (kept && kept->owner != owner)
        kept = kept->before;
    pthread_mutex_unlock(&game->lock);
    return kept ? kept->note : NULL;
}

static void free_notes(Game *game) {
    while (game->notes) {
        GameNote *kept = game->notes;
        game->notes = kept->before;
        kept->release(kept->note);
        free(kept);
    }
}

void game_free(Game *game) {
    if (!game)
        return;
    free_notes(game);
    turn_free(game->turn);
    turn_free(game->plain_turn);
    turn_free(game->shown_turn);
    turn_free(game->decisive_turn);
    incremental_free(game->incremental);
    lane_kernels_free(game->lane_kernels);
    scalar_free(game->scalar);
    circuit_free(game->circuit);
    if (game->ground_rules != game->grounding)
        grounding_free(game->ground_rules);
    grounding_free(game->grounding);
    interpreter_free(game->interpreter);
    rules_free(game->rules);
    arena_free(&game->arena);
    pthread_mutex_destroy(&game->ground_lock);
    pthread_mutex_destroy(&game->lock);
    free(game);
}

void game_ignore_stopping(Game *game) {
    game->stopped = NULL;
}

/* Grounding within another budget may find other fluents. Such a result is dropped, because callers
 * number fluents and moves as the circuit does. */
static Grounding *ground_again(const Game *game, GroundBudget budget) {
    Report report = {0};
    budget.rewrite_threshold = game->rewrite_threshold;
    Grounding *grounding = ground_rules(game->rules, &budget, &report);
    report_free(&report);
    if (!grounding || (grounding->fluents.count == game->circuit->fluent_count &&
                       grounding->moves.count == game->circuit->move_count))
        return grounding;
    grounding_free(grounding);
    return NULL;
}

const Grounding *game_ground_rules(Game *game, GroundBudget budget) {
    assert(game_has_circuit(game));
    pthread_mutex_lock(&game->ground_lock);
    if (!game->ground_rules)
        game->ground_rules = ground_again(game, budget);
    const Grounding *grounding = game->ground_rules;
    pthread_mutex_unlock(&game->ground_lock);
    return grounding;
}

/* What is made once serves all later calls, so the stop flag of this one does not cut it short. The
 * caller passes the flag on to end_making. */
static const bool *begin_making(Game *game) {
    const bool *flag = interrupt_thread_by(NULL);
    pthread_mutex_lock(&game->lock);
    return flag;
}

static void end_making(Game *game, const bool *flag) {
    pthread_mutex_unlock(&game->lock);
    interrupt_thread_by(flag);
}

static const TurnNetworks *turn_made_once(Game *game, TurnNetworks **turn, TurnOptions options) {
    options.kernel = game->kernel;
    options.stopped = game->stopped;
    const bool *flag = begin_making(game);
    if (!*turn && game->circuit)
        *turn = turn_create(game->circuit, &options);
    end_making(game, flag);
    return *turn;
}

const TurnNetworks *game_turn_networks(Game *game) {
    return turn_made_once(game, &game->turn, (TurnOptions){0});
}

const TurnNetworks *game_shown_turn(Game *game) {
    return turn_made_once(game, &game->shown_turn, (TurnOptions){.show_moves = true});
}

/* By role: the number of its best goal in the circuit. Chance has none. */
static uint32_t *best_goals(const Game *game) {
    uint32_t *best = u32_none(game->role_count);
    for (size_t g = 0; g < game->circuit->goals.count; g++) {
        uint32_t role = game->circuit->goals.items[g].role;
        if (!game_is_chance(game, role) &&
            (best[role] == DECISIVE_NONE ||
             game_goal_value(game, g) > game_goal_value(game, best[role])))
            best[role] = (uint32_t)g;
    }
    return best;
}

const TurnNetworks *game_decisive_networks(Game *game) {
    if (!game->circuit)
        return NULL;
    uint32_t *best = best_goals(game);
    const TurnNetworks *turn =
        turn_made_once(game, &game->decisive_turn, (TurnOptions){.best_goals = best});
    free(best);
    return turn;
}

const TurnNetworks *game_plain_networks(Game *game) {
    return turn_made_once(game, &game->plain_turn, (TurnOptions){.one_phase = true});
}

Incremental *game_incremental(Game *game) {
    const bool *flag = begin_making(game);
    if (!game->incremental && game->circuit)
        game->incremental = incremental_create(game->circuit, game->stopped);
    end_making(game, flag);
    return game->incremental;
}

const LaneKernels *game_lane_kernels(Game *game) {
    const bool *flag = begin_making(game);
    if (!game->lane_kernels && game->circuit)
        game->lane_kernels = lane_kernels_create(game->circuit, game->kernel, game->stopped);
    end_making(game, flag);
    return game->lane_kernels;
}

void state_free(State *state) {
    free(state->words);
    *state = (State){0};
}

void states_free_all(State *const *states, size_t count) {
    for (size_t i = 0; i < count; i++)
        state_free(states[i]);
}

void state_clear(State *state) {
    if (state->word_count)
        memset(state->words, 0, state->word_count * sizeof *state->words);
}

static void state_resize(State *state, uint32_t words) {
    if (words <= state->word_count)
        return;
    state->words = memory_realloc(state->words, words * sizeof *state->words);
    memset(state->words + state->word_count, 0, (words - state->word_count) * sizeof *state->words);
    state->word_count = words;
}

void state_copy(State *to, const State *from) {
    state_resize(to, from->word_count);
    if (from->word_count)
        memcpy(to->words, from->words, from->word_count * sizeof *to->words);
    if (to->word_count > from->word_count)
        memset(to->words + from->word_count, 0,
               (to->word_count - from->word_count) * sizeof *to->words);
}

bool state_equal(const State *a, const State *b) {
    if (a->word_count > b->word_count)
        return state_equal(b, a);
    for (uint32_t w = 0; w < b->word_count; w++)
        if (b->words[w] != (w < a->word_count ? a->words[w] : 0))
            return false;
    return true;
}

uint64_t state_hash(const State *state) {
    uint32_t count = state->word_count;
    while (count && !state->words[count - 1])
        count--;
    return hash_bytes(state->words, count * sizeof *state->words);
}

void state_set(State *state, uint32_t fluent) {
    state_resize(state, fluent / 64 + 1);
    bitset_set(state->words, fluent);
}

int game_goal_value(const Game *game, size_t goal) {
    assert(game_has_circuit(game) && goal < game->circuit->goals.count);
    return goal_join(GOAL_NONE, grounding_terms(game->grounding),
                     game->circuit->goals.items[goal].term);
}

int *game_goal_values(const Game *game) {
    size_t count = game->circuit->goals.count;
    int *values = memory_zalloc((count + 1) * sizeof *values);
    for (size_t g = 0; g < count; g++)
        values[g] = game_goal_value(game, g);
    return values;
}

uint32_t game_find_role(const Game *game, const char *name) {
    for (uint32_t r = 0; r < game->role_count; r++)
        if (strcasecmp(game->roles[r], name) == 0)
            return r;
    return ROLE_NONE;
}

bool game_find_kernel(const char *name, KernelKind *kind, Report *report) {
    *kind = KERNEL_AUTO;
    bool is_known = !name;
    for (int k = KERNEL_AUTO; name && k < KERNEL_KINDS; k++)
        if (strcmp(kernel_kind_name((KernelKind)k), name) == 0) {
            *kind = (KernelKind)k;
            is_known = true;
        }
    if (is_known && kernel_kind_available(*kind))
        return true;
    Text list = {0};
    for (int k = KERNEL_AUTO; k < KERNEL_KINDS; k++)
        if (kernel_kind_available((KernelKind)k))
            text_printf(&list, "%s%s", k == KERNEL_AUTO ? "" : ", ",
                        kernel_kind_name((KernelKind)k));
    if (is_known)
        report_error(report, "unfit-machine", "this machine cannot run the kernel `%s`; it has %s",
                     name, list.items);
    else
        report_error(report, "no-kernel", "there is no kernel `%s`; this machine has %s", name,
                     list.items);
    vector_free(&list);
    return false;
}
