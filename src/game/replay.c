/* States and moves of a trace are texts. Sets are compared as sorted texts, the form that
 * recordings use. */
#include "game/replay.h"

#include <stdlib.h>
#include <string.h>

#include "game/lanes.h"

typedef struct {
    Game *game;
    GameWork *work;
    const Trace *trace;
    Replay *result;
    Text ours, theirs, names;
    U32Vector moves;
} Comparison;

static void recorded_set(Comparison *c, TraceSpan span) {
    text_clear(&c->names);
    for (uint32_t i = 0; i < span.count; i++) {
        text_add(&c->names, trace_text(c->trace, span, i));
        text_add_char(&c->names, '\0');
    }
    text_clear(&c->theirs);
    text_add_sorted(&c->theirs, &c->names);
}

static bool differ(Comparison *c, const char *what, const char *detail) {
    if (strcmp(text_string(&c->ours), text_string(&c->theirs)) == 0)
        return false;
    text_printf(&c->result->difference, "%s%s: recorded [%s], ours [%s]", what, detail,
                text_string(&c->theirs), text_string(&c->ours));
    return true;
}

static bool state_differs(Comparison *c, const State *state, const TraceStep *step) {
    text_clear(&c->ours);
    game_state_text(c->work, state, &c->ours);
    recorded_set(c, step->state);
    return differ(c, "state", "");
}

static void our_moves(Comparison *c, uint32_t role) {
    text_clear(&c->names);
    for (size_t i = 0; i < c->moves.count; i++) {
        game_move_text(c->work, role, c->moves.items[i], &c->names);
        text_add_char(&c->names, '\0');
    }
    text_clear(&c->ours);
    text_add_sorted(&c->ours, &c->names);
}

static bool legal_differs(Comparison *c, const State *state, const TraceStep *step) {
    for (uint32_t r = 0; step->first_legal != TRACE_NONE && r < c->game->role_count; r++) {
        game_legal(c->work, state, r, &c->moves);
        our_moves(c, r);
        recorded_set(c, trace_legal(c->trace, step, r));
        if (differ(c, "legal moves of ", trace_text(c->trace, c->trace->roles, r)))
            return true;
    }
    return false;
}

static bool terminal_differs(Comparison *c, const State *state, bool recorded) {
    text_clear(&c->ours);
    text_clear(&c->theirs);
    text_add(&c->ours, game_is_terminal(c->work, state) ? "yes" : "no");
    text_add(&c->theirs, recorded ? "yes" : "no");
    return differ(c, "terminal", "");
}

static void write_goal(Text *out, int goal) {
    text_clear(out);
    if (goal < 0)
        text_add(out, "undefined");
    else
        text_printf(out, "%d", goal);
}

static bool goals_differ(Comparison *c, const State *state, const TraceMatch *match) {
    for (uint32_t r = 0; r < c->game->role_count; r++) {
        int recorded = c->trace->goals.items[match->first_goal + r];
        int ours = game_goal(c->work, state, r);
        write_goal(&c->ours, ours);
        write_goal(&c->theirs, recorded);
        if (differ(c, "goal of ", trace_text(c->trace, c->trace->roles, r)))
            return true;
    }
    return false;
}

/* Finds the numbers of the moves that a step records; false if one is unknown. */
static bool find_moves(Comparison *c, const TraceStep *step, uint32_t *joint) {
    for (uint32_t r = 0; r < c->game->role_count; r++) {
        const char *text = trace_text(c->trace, step->does, r);
        joint[r] = game_find_move(c->work, r, text, strlen(text));
        if (joint[r] == MOVE_NONE) {
            text_printf(&c->result->difference, "move %s of role %u does not exist", text, r);
            return false;
        }
    }
    return true;
}

static bool match_differs(Comparison *c, const TraceMatch *match) {
    uint32_t *joint = memory_alloc((c->game->role_count + 1) * sizeof *joint);
    State state = {0};
    bool differs = false;
    game_initial(c->work, &state);
    for (uint32_t i = 0; i < match->step_count && !differs; i++) {
        const TraceStep *step = &c->trace->steps.items[match->first_step + i];
        bool is_last = i + 1 == match->step_count;
        bool is_terminal = is_last && match->end == TRACE_TERMINAL;
        c->result->match = match->number;
        c->result->line = step->line;
        c->result->steps++;
        differs = state_differs(c, &state, step) || terminal_differs(c, &state, is_terminal) ||
                  (!is_terminal && legal_differs(c, &state, step)) ||
                  (is_terminal && goals_differ(c, &state, match));
        if (!differs && step->does.count == c->game->role_count) {
            differs = !find_moves(c, step, joint);
            if (!differs)
                game_next(c->work, &state, joint, &state);
        }
    }
    free(joint);
    state_free(&state);
    return differs;
}

/* Evaluates recorded states in the lanes of the sliced kernels and compares every lane with the
 * scalar answers, which the caller has compared with the recording before. */
static bool lanes_differ(Comparison *c, LaneBatch *batch, const TraceMatch *match) {
    uint32_t roles = c->game->role_count;
    uint32_t *joint = memory_alloc((roles + 1) * sizeof *joint);
    State state = {0}, next = {0};
    bool differs = false;
    lane_batch_clear(batch);
    game_initial(c->work, &state);
    for (uint32_t lane = 0, i = 0; lane < LANES; lane++, i = (i + 1) % match->step_count) {
        const TraceStep *step = &c->trace->steps.items[match->first_step + i];
        if (i == 0)
            game_initial(c->work, &state);
        bool has_moves = step->does.count == roles && find_moves(c, step, joint);
        lane_batch_set(batch, lane, &state, has_moves ? joint : NULL);
        if (has_moves) {
            game_next(c->work, &state, joint, &next);
            state_copy(&state, &next);
        }
    }
    lane_batch_evaluate(batch);
    for (uint32_t lane = 0; lane < LANES && !differs; lane++) {
        differs = !lane_batch_agree(batch, lane, c->work);
        if (differs)
            text_printf(&c->result->difference, "lane %u differs from the scalar reasoner", lane);
    }
    free(joint);
    state_free(&state);
    state_free(&next);
    return differs;
}

static bool roles_differ(Comparison *c) {
    if (c->trace->roles.count == c->game->role_count)
        return false;
    text_printf(&c->result->difference, "recorded %u roles, the rules have %u",
                c->trace->roles.count, c->game->role_count);
    return true;
}

bool replay_trace(Game *game, const Trace *trace, Reasoner reasoner, Replay *result,
                  Report *report) {
    *result = (Replay){.is_equal = true};
    Comparison c = {.game = game, .trace = trace, .result = result};
    c.work = game_work_create(game, reasoner);
    if (!c.work) {
        report_error(report, "no-circuit", "the %s reasoner needs a circuit: %s",
                     reasoner_name(reasoner), game->why_interpreted);
        return false;
    }
    bool sliced = reasoner == REASONER_SLICED && game_has_circuit(game);
    LaneBatch *batch = sliced ? lane_batch_create(game) : NULL;
    bool differs = roles_differ(&c);
    for (size_t m = 0; m < trace->matches.count && !differs; m++) {
        const TraceMatch *match = &trace->matches.items[m];
        differs = match_differs(&c, match);
        if (!differs && batch && match->step_count)
            differs = lanes_differ(&c, batch, match);
        result->matches++;
    }
    result->is_equal = !differs;
    lane_batch_free(batch);
    game_work_free(c.work);
    vectors_free(&c.ours, &c.theirs, &c.names, &c.moves);
    return true;
}
