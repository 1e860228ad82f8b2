/* Environments of the public interface: calls into game/environments.h, and the planes of a
 * recognised board. */
#include "api/api_internal.h"

struct MarelleEnvironments {
    Environments *inner;
    uint32_t channels, height, width;
    Text text; /* the last answer */
};

enum { MAX_MATCHES = 1 << 24, MAX_ROOM = 1 << 20 };

bool environment_planes(Game *game, BoardPlanes *planes) {
    *planes = (BoardPlanes){0};
    if (!game_has_circuit(game) || game_hides(game))
        return false;
    Board *board = board_recognise(game, NULL);
    bool found = board_find_planes(board, game, planes);
    board_free(board);
    return found;
}

static void set_up_planes(MarelleEnvironments *e, Game *game) {
    BoardPlanes planes;
    if (environment_planes(game, &planes)) {
        environments_set_planes(e->inner, planes.cells, (uint32_t)board_planes_size(&planes));
        e->channels = planes.channels;
        e->height = planes.height;
        e->width = planes.width;
    }
    free(planes.cells);
}

MarelleStatus environment_options(const MarelleEnvironmentOptions *options, EnvironmentOptions *own,
                                  MarelleProblem *problem) {
    if (options->count == 0 || options->count > MAX_MATCHES || options->threads > MAX_API_THREADS ||
        options->room > MAX_ROOM || !is_zero(options->reserved))
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "there are 1 to %d matches, at most %d threads and %d bits of room, and "
                      "reserved fields are zero",
                      MAX_MATCHES, MAX_API_THREADS, MAX_ROOM);
    *own = (EnvironmentOptions){.count = options->count,
                                .threads = options->threads,
                                .seed = options->seed,
                                .step_limit = options->step_limit,
                                .keeps_ended = options->keeps_ended,
                                .replaces_illegal = options->replaces_illegal,
                                .room = options->room};
    return succeed(problem);
}

MarelleStatus marelle_environments_create(MarelleGame *game,
                                          const MarelleEnvironmentOptions *options,
                                          MarelleEnvironments **environments,
                                          MarelleProblem *problem) {
    EnvironmentOptions own;
    *environments = NULL;
    MarelleStatus status = environment_options(options, &own, problem);
    if (status != MARELLE_OK)
        return status;
    *environments = memory_zalloc(sizeof **environments);
    (*environments)->inner = environments_create(game->game, &own);
    if (options->planes)
        set_up_planes(*environments, game->game);
    return MARELLE_OK;
}

void marelle_environments_free(MarelleEnvironments *e) {
    if (!e)
        return;
    environments_free(e->inner);
    vector_free(&e->text);
    free(e);
}

MarelleEnvironmentShape marelle_environments_shape(const MarelleEnvironments *e) {
    MarelleEnvironmentShape shape = environment_public_shape(environments_shape(e->inner));
    shape.channels = e->channels;
    shape.height = e->height;
    shape.width = e->width;
    return shape;
}

MarelleEnvironmentShape environment_public_shape(const EnvironmentShape *s) {
    return (MarelleEnvironmentShape){.count = s->count,
                                     .roles = s->roles,
                                     .moves = s->moves,
                                     .mask_words = s->mask_words,
                                     .views = s->views,
                                     .facts = s->facts,
                                     .fact_words = s->fact_words};
}

EnvironmentOutputs environment_outputs(const MarelleEnvironmentOutputs *o) {
    _Static_assert(
        (int)MARELLE_END_TERMINAL == END_TERMINAL && (int)MARELLE_END_STUCK == END_STUCK &&
            (int)MARELLE_END_TOO_LONG == END_TOO_LONG && (int)MARELLE_TURN_NOBODY == TURN_NOBODY &&
            (int)MARELLE_TURN_SEVERAL == TURN_SEVERAL,
        "the public names stand for our own");
    return (EnvironmentOutputs){.ends = o->ends,
                                .rewards = o->rewards,
                                .turns = o->turns,
                                .illegal = o->illegal,
                                .masks = o->masks,
                                .mask_bytes = o->mask_bytes,
                                .observations = o->observations,
                                .observation_bytes = o->observation_bytes,
                                .planes = o->planes};
}

void marelle_environments_reset(MarelleEnvironments *e, const uint8_t *which,
                                const MarelleEnvironmentOutputs *outputs) {
    EnvironmentOutputs own = environment_outputs(outputs);
    environments_reset(e->inner, which, &own);
}

void marelle_environments_step(MarelleEnvironments *e, const uint32_t *moves,
                               const MarelleEnvironmentOutputs *outputs) {
    EnvironmentOutputs own = environment_outputs(outputs);
    environments_step(e->inner, moves, &own);
}

MarelleStatus environment_copy_check(bool can_copy, const EnvironmentShape *to, uint32_t first,
                                     uint32_t count, MarelleProblem *problem) {
    if (!can_copy)
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "matches are copied from other environments of the same game and room, which "
                      "have a step limit if these have one, and keep ended matches only if these "
                      "do");
    if (first > to->count || count > to->count - first)
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "matches %u to %llu cannot be replaced: there are %u", first,
                      (unsigned long long)first + count - 1, to->count);
    return succeed(problem);
}

MarelleStatus marelle_environments_copy(MarelleEnvironments *e, uint32_t first, uint32_t count,
                                        const MarelleEnvironments *from, const uint32_t *sources,
                                        const MarelleEnvironmentOutputs *outputs,
                                        MarelleProblem *problem) {
    uint32_t there = environments_shape(from->inner)->count;
    MarelleStatus status =
        environment_copy_check(environments_can_copy(e->inner, from->inner),
                               environments_shape(e->inner), first, count, problem);
    if (status != MARELLE_OK)
        return status;
    if (count && !sources)
        return refuse(problem, MARELLE_BAD_ARGUMENT, "a copy needs sources");
    for (uint32_t i = 0; i < count; i++)
        if (sources[i] >= there)
            return refuse(problem, MARELLE_BAD_ARGUMENT, "there is no match %u to copy",
                          sources[i]);
    EnvironmentOutputs own = {0};
    if (outputs)
        own = environment_outputs(outputs);
    environments_copy(e->inner, first, count, from->inner, sources, outputs ? &own : NULL);
    return MARELLE_OK;
}

uint64_t marelle_environments_illegal_moves(const MarelleEnvironments *e) {
    return environments_illegal_moves(e->inner);
}

uint64_t marelle_environments_lost(const MarelleEnvironments *e) {
    return environments_lost(e->inner);
}

MarelleStatus marelle_environments_state(MarelleEnvironments *e, uint32_t match,
                                         MarelleState *state) {
    if (match >= environments_shape(e->inner)->count)
        return MARELLE_BAD_ARGUMENT;
    environments_state(e->inner, match, &state->state);
    return MARELLE_OK;
}

const char *marelle_environments_percept_text(MarelleEnvironments *e, uint32_t role, uint32_t bit) {
    text_clear(&e->text);
    return environments_percept_text(e->inner, role, bit, &e->text) ? text_string(&e->text) : NULL;
}

void marelle_random_seed(uint64_t seed, uint64_t random[4]) {
    Random own;
    random_seed(&own, seed);
    memcpy(random, own.state, sizeof own.state);
}

void marelle_masks_draw(const uint64_t *masks, size_t count, uint32_t words, uint64_t random[4],
                        uint32_t *moves) {
    Random own;
    memcpy(own.state, random, sizeof own.state);
    masks_draw(masks, count, words, &own, moves);
    memcpy(random, own.state, sizeof own.state);
}
