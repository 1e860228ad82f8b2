/* Searching and solving for the public interface. A search keeps its own copy of the state, or its
 * belief where something is hidden, so that a caller cannot bring it into a position that no legal
 * move leads to. */
#include <math.h>

#include "api/api_internal.h"
#include "search/exact/exact.h"
#include "strategy/strategy.h"

struct MarelleSearch {
    Game *game;
    GameWork *work;
    uint32_t role;
    Strategy strategy;
    Search *inner;        /* NULL if it could not be created */
    BeliefFilter *filter; /* NULL if nothing is hidden */
    State state, next;    /* state: unused where something is hidden */
    U32Vector legal;
    SearchResult found;
    VECTOR(MarelleSearchMove) moves;
    MarelleSearchResult result;
    Text problem;
};

static bool is_empty(const MarelleBudget *b) {
    return (!(b->seconds > 0) && !b->playouts && !b->stopped && !b->bytes) || !is_zero(b->reserved);
}

static Deadline deadline_of(const MarelleBudget *b) {
    return deadline_in(b->seconds > 0 ? b->seconds : INFINITY);
}

static MarelleStatus refuse(MarelleSearch *s, const char *problem) {
    text_clear(&s->problem);
    text_add(&s->problem, problem);
    return MARELLE_BAD_ARGUMENT;
}

static MarelleStatus succeed(MarelleSearch *s) {
    text_clear(&s->problem);
    return MARELLE_OK;
}

static bool create_search(MarelleSearch *s, const char *method, Report *report) {
    SearchOptions options;
    if (!strategy_read(&s->strategy, method, report))
        return false;
    if (s->strategy.wants_gpu)
        return report_error(report, "unfit-search", "the library has no GPU");
    if (!strategy_search_options(&s->strategy, s->game, &options, report))
        return false;
    s->inner = strategy_search(&s->strategy, s->game, s->role, &options, report);
    if (s->inner && game_hides(s->game) && !s->inner->method->set_belief)
        return report_error(report, "unfit-search", "`%s` needs to know the state",
                            s->inner->method->name);
    return s->inner;
}

static void begin(MarelleSearch *s) {
    s->work = game_work(s->game, REASONER_AUTO);
    if (game_hides(s->game)) {
        s->filter = belief_create(s->game, s->role, NULL, s->strategy.search.seed);
        search_set_belief(s->inner, &s->filter->belief);
    } else {
        game_initial(s->work, &s->state);
        search_set_state(s->inner, &s->state);
    }
}

MarelleStatus marelle_search_create(MarelleGame *game, uint32_t role, const char *method,
                                    MarelleSearch **search) {
    MarelleSearch *s = *search = memory_zalloc(sizeof **search);
    s->game = game->game;
    s->role = role;
    if (role >= s->game->role_count || game_is_chance(s->game, role))
        return refuse(s, "there is no such player");
    Report report = {0};
    bool is_made = create_search(s, method, &report);
    if (is_made)
        begin(s);
    else
        refuse(s, report.items.count ? report.items.items[0].message : "the search is unfit");
    report_free(&report);
    if (is_made)
        return MARELLE_OK;
    search_free(s->inner);
    s->inner = NULL;
    return MARELLE_BAD_ARGUMENT;
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
    vector_free(&s->problem);
    free(s);
}

const char *marelle_search_problem(const MarelleSearch *s) {
    return s->problem.count ? s->problem.items : "";
}

/* Why the search has no open state to go on from; NULL if it has one. */
static const char *why_closed(const MarelleSearch *s) {
    return !s->inner   ? "the search was not created"
           : s->filter ? "the game has hidden information, so the search knows no states"
                       : NULL;
}

MarelleStatus marelle_search_set_state(MarelleSearch *s, const MarelleState *state) {
    if (why_closed(s))
        return refuse(s, why_closed(s));
    if (game_is_terminal(s->work, &state->state))
        return refuse(s, "the match is over in this state");
    state_copy(&s->state, &state->state);
    search_set_state(s->inner, &s->state);
    return succeed(s);
}

static bool is_legal(MarelleSearch *s, uint32_t role, uint32_t move) {
    game_legal(s->work, &s->state, role, &s->legal);
    for (size_t i = 0; i < s->legal.count; i++)
        if (s->legal.items[i] == move)
            return true;
    return false;
}

MarelleStatus marelle_search_advance(MarelleSearch *s, const uint32_t *moves) {
    if (why_closed(s))
        return refuse(s, why_closed(s));
    for (uint32_t r = 0; r < s->game->role_count; r++)
        if (!is_legal(s, r, moves[r]))
            return refuse(s, "a move is illegal");
    game_next(s->work, &s->state, moves, &s->next);
    if (game_is_terminal(s->work, &s->next))
        return refuse(s, "the match is over after this move");
    state_copy(&s->state, &s->next);
    search_advance(s->inner, moves, &s->state);
    return succeed(s);
}

MarelleStatus marelle_search_observe(MarelleSearch *s, uint32_t move, const char *percepts,
                                     const MarelleBudget *budget) {
    if (!s->filter)
        return refuse(s, s->inner ? "nothing is hidden in this game" : why_closed(s));
    if (!game_is_move(s->game, s->role, move))
        return refuse(s, "there is no such move");
    if (is_empty(budget))
        return refuse(s, "the budget is empty");
    Text text = {0};
    game_move_text(s->work, s->role, move, &text);
    BeliefModel model = search_model(s->inner);
    belief_observe(s->filter, text_string(&text), percepts, true, model.probability ? &model : NULL,
                   deadline_of(budget));
    vector_free(&text);
    search_set_belief(s->inner, &s->filter->belief);
    return succeed(s);
}

MarelleStatus marelle_search_run(MarelleSearch *s, const MarelleBudget *budget) {
    if (!s->inner)
        return refuse(s, why_closed(s));
    if (is_empty(budget) || (budget->bytes && !(budget->seconds > 0) && !budget->playouts))
        return refuse(s, "the budget is empty");
    if (s->filter && !s->filter->belief.states.count)
        return refuse(s, "no state was found that explains the percepts");
    if (!s->filter && game_is_terminal(s->work, &s->state))
        return refuse(s, "the match is over in this state");
    search_run(s->inner, &(SearchBudget){.deadline = deadline_of(budget),
                                         .playouts = budget->playouts,
                                         .stopped = budget->stopped});
    return succeed(s);
}

const MarelleSearchResult *marelle_search_result(MarelleSearch *s) {
    s->result = (MarelleSearchResult){.best = MARELLE_NO_MOVE};
    if (!s->inner || (s->filter && !s->filter->belief.states.count))
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

/* A solution with what its texts and lists belong to. */
typedef struct {
    MarelleSolution solution;
    ExactResult exact;
} Solution;

MarelleStatus marelle_solve(MarelleGame *game, const MarelleState *from,
                            const MarelleBudget *budget, MarelleSolution **solution) {
    *solution = NULL;
    if (is_empty(budget))
        return MARELLE_BAD_ARGUMENT;
    Solution *s = memory_zalloc(sizeof *s);
    ExactResult *e = &s->exact;
    exact_solve(game->game, from ? &from->state : NULL,
                &(ExactBudget){.deadline = deadline_of(budget),
                               .bytes = budget->bytes,
                               .stopped = budget->stopped},
                e);
    s->solution = (MarelleSolution){.is_solved = e->end == EXACT_SOLVED,
                                    .reason = e->end == EXACT_SOLVED ? "" : exact_end_text(e->end),
                                    .method = e->method ? e->method : "",
                                    .value_count = e->has_values ? game->game->role_count : 0,
                                    .values = e->has_values ? e->values : NULL,
                                    .line_turns = e->line.count / game->game->role_count,
                                    .line = e->line.items,
                                    .states = e->states,
                                    .cpu_seconds = e->cpu_seconds};
    *solution = &s->solution;
    return MARELLE_OK;
}

void marelle_solution_free(MarelleSolution *solution) {
    if (!solution)
        return;
    Solution *s = (Solution *)solution;
    exact_result_free(&s->exact);
    free(s);
}
