/* Searching for the public interface. A search keeps its own copy of the state, or its
 * belief where something is hidden, so that a caller cannot bring it into a position that no legal
 * move leads to. */
#include "api/api_internal.h"
#include "gpu/leaves.h"
#include "search/choice/search_choice.h"
#include "server/json/json.h"
#include "server/json/searches_json.h"

struct MarelleSearch {
    Game *game;
    GameWork *work;
    uint32_t role;
    Strategy strategy;
    Search *inner;
    BeliefFilter *filter; /* NULL if nothing is hidden */
    State state, next;    /* state: unused where something is hidden */
    U32Vector legal;
    SearchResult found;
    VECTOR(MarelleSearchMove) moves;
    MarelleSearchResult result;
    Text text; /* the last answer */
    Gpu *gpu;  /* NULL if it does not use one */
    LeafDevice device;
};

static MarelleStatus refuse_argument(MarelleProblem *problem, const char *why) {
    return refuse(problem, MARELLE_BAD_ARGUMENT, "%s", why);
}

/* The GPU is opened for this search alone. */
static bool open_gpu(MarelleSearch *s, SearchOptions *options, Report *report) {
    if (!s->strategy.wants_gpu)
        return true;
    s->gpu = gpu_open(report);
    if (s->gpu) {
        s->device = gpu_leaf_device(s->gpu);
        options->device = &s->device;
    }
    return s->gpu;
}

static bool create_search(MarelleSearch *s, const char *method, const MarelleModel *model,
                          Report *report) {
    SearchOptions options;
    if (!strategy_read(&s->strategy, method, report) ||
        (model && !strategy_use_model(&s->strategy, model_copy(model->model), report)) ||
        !strategy_search_options(&s->strategy, s->game, &options, report) ||
        !open_gpu(s, &options, report))
        return false;
    s->inner = strategy_create_search(&s->strategy, s->game, s->role, &options, report);
    if (s->inner && game_hides(s->game) && !s->inner->method->set_belief)
        return report_error(report, "unfit-search", "`%s` needs to know the state",
                            s->inner->method->name);
    return s->inner;
}

static void begin(MarelleSearch *s) {
    s->work = game_work_create(s->game, REASONER_AUTO);
    if (game_hides(s->game)) {
        s->filter = belief_create(s->game, s->role, NULL, s->strategy.search.seed);
        search_set_belief(s->inner, &s->filter->belief);
    } else {
        game_initial(s->work, &s->state);
        search_set_state(s->inner, &s->state);
    }
}

MarelleStatus marelle_search_create(MarelleGame *game, uint32_t role, const char *method,
                                    const MarelleModel *model, MarelleSearch **search,
                                    MarelleProblem *problem) {
    *search = NULL;
    if (role >= game->game->role_count || game_is_chance(game->game, role))
        return refuse_argument(problem, "there is no such player");
    MarelleSearch *s = memory_zalloc(sizeof *s);
    Report report = {0};
    s->game = game->game;
    s->role = role;
    if (!create_search(s, method, model, &report)) {
        marelle_search_free(s);
        return refuse_by_report(problem, MARELLE_BAD_ARGUMENT, &report);
    }
    report_free(&report);
    begin(s);
    *search = s;
    return succeed(problem);
}

void marelle_search_free(MarelleSearch *s) {
    if (!s)
        return;
    search_free(s->inner);
    strategy_free(&s->strategy);
    belief_free(s->filter);
    game_work_free(s->work);
    state_free(&s->state);
    state_free(&s->next);
    search_result_free(&s->found);
    vector_free(&s->legal);
    vector_free(&s->moves);
    vector_free(&s->text);
    gpu_close(s->gpu);
    free(s);
}

char *marelle_search_methods(void) {
    return dump_json(searches_json());
}

static const char hidden_states[] =
    "the game has hidden information, so the search knows no states";
static const char match_is_over[] = "the match is over in this state";

MarelleStatus marelle_search_set_state(MarelleSearch *s, const MarelleState *state,
                                       MarelleProblem *problem) {
    if (s->filter)
        return refuse_argument(problem, hidden_states);
    if (game_is_terminal(s->work, &state->state))
        return refuse_argument(problem, match_is_over);
    state_copy(&s->state, &state->state);
    search_set_state(s->inner, &s->state);
    return succeed(problem);
}

static bool is_legal(MarelleSearch *s, uint32_t role, uint32_t move) {
    game_legal(s->work, &s->state, role, &s->legal);
    return u32_contains(&s->legal, move);
}

MarelleStatus marelle_search_advance(MarelleSearch *s, const uint32_t *moves,
                                     MarelleProblem *problem) {
    if (s->filter)
        return refuse_argument(problem, hidden_states);
    for (uint32_t r = 0; r < s->game->role_count; r++)
        if (!is_legal(s, r, moves[r]))
            return refuse_argument(problem, "a move is illegal");
    game_next(s->work, &s->state, moves, &s->next);
    if (game_is_terminal(s->work, &s->next))
        return refuse_argument(problem, "the match is over after this move");
    state_copy(&s->state, &s->next);
    search_advance(s->inner, moves, &s->state);
    return succeed(problem);
}

MarelleStatus marelle_search_observe(MarelleSearch *s, uint32_t move, const char *percepts,
                                     const MarelleBudget *budget, MarelleProblem *problem) {
    if (!s->filter)
        return refuse_argument(problem, "nothing is hidden in this game");
    if (move >= move_count(s->game, s->role))
        return refuse_argument(problem, "there is no such move");
    if (is_empty_budget(budget, true))
        return refuse_argument(problem, EMPTY_BUDGET);
    Text text = {0};
    game_move_text(s->work, s->role, move, &text);
    BeliefModel model = search_model(s->inner);
    belief_observe(s->filter, text_string(&text), percepts, true, model.probability ? &model : NULL,
                   budget_deadline(budget));
    vector_free(&text);
    search_set_belief(s->inner, &s->filter->belief);
    return succeed(problem);
}

/* Why the search cannot run; NULL if it can. */
static const char *why_not_now(MarelleSearch *s, const MarelleBudget *budget) {
    if (is_empty_budget(budget, true))
        return EMPTY_BUDGET;
    if (s->filter && !s->filter->belief.states.count)
        return "no state was found that explains the percepts";
    return !s->filter && game_is_terminal(s->work, &s->state) ? match_is_over : NULL;
}

/* Runs for the CPU time of the budget, if it has one. */
static void run_search(MarelleSearch *s, const SearchBudget *own, const MarelleBudget *budget) {
    if (budget->cpu_seconds > 0)
        search_think(s->inner, own, budget->cpu_seconds, &s->found);
    else
        search_run(s->inner, own);
}

static SearchBudget own_budget(const MarelleBudget *budget) {
    return (SearchBudget){.deadline = deadline_after(budget->seconds),
                          .playouts = budget->playouts,
                          .stopped = budget->stopped};
}

MarelleStatus marelle_search_run(MarelleSearch *s, const MarelleBudget *budget,
                                 MarelleProblem *problem) {
    const char *why = why_not_now(s, budget);
    if (why)
        return refuse_argument(problem, why);
    SearchBudget own = own_budget(budget);
    run_search(s, &own, budget);
    return succeed(problem);
}

MarelleStatus marelle_search_prepare(MarelleSearch *s, const MarelleBudget *budget,
                                     MarelleProblem *problem) {
    const char *why = why_not_now(s, budget);
    if (why)
        return refuse_argument(problem, why);
    SearchBudget own = own_budget(budget);
    own.start_clock = budget->seconds > 0       ? budget->seconds
                      : budget->cpu_seconds > 0 ? budget->cpu_seconds
                                                : (double)budget->playouts;
    run_search(s, &own, budget);
    return succeed(problem);
}

const char *marelle_search_choice(MarelleSearch *s) {
    SearchChoice choice;
    text_clear(&s->text);
    if (search_describe(s->inner, &choice))
        search_choice_write(&choice, &s->text);
    return text_string(&s->text);
}

const MarelleSearchResult *marelle_search_result(MarelleSearch *s) {
    s->result = (MarelleSearchResult){.best = MARELLE_NO_MOVE};
    if (s->filter && !s->filter->belief.states.count)
        return &s->result;
    search_result(s->inner, &s->found);
    const SearchResult *f = &s->found;
    s->moves.count = 0;
    for (size_t i = 0; i < f->moves.count; i++) {
        const SearchMove *m = &f->moves.items[i];
        vector_push(&s->moves, ((MarelleSearchMove){.move = m->move,
                                                    .is_proven = m->is_proven,
                                                    .value = m->value,
                                                    .visits = m->visits}));
    }
    s->result = (MarelleSearchResult){
        .best = f->best,
        .is_decided = f->is_decided,
        .depth = f->depth,
        .move_count = s->moves.count,
        .moves = s->moves.items,
        .line_turns = f->line.count / s->game->role_count,
        .line = f->line.items,
        .playouts = f->playouts,
        .nodes = f->nodes,
        .cpu_seconds = f->cpu_seconds,
        .belief_states = s->filter ? s->filter->belief.states.count : 1,
        .is_belief_exact = !s->filter || s->filter->belief.kind == BELIEF_EXACT};
    return &s->result;
}
