/* Reads a list of terms. A term that is not a legal move of the next role, but has as many items as
 * there are roles, is read as a joint move in parentheses. The whole match may be in parentheses as
 * well. */
#include "cli/position.h"

#include <ctype.h>
#include <string.h>

#include "cli/output.h"

void position_init(MatchPosition *p, Game *game) {
    *p = (MatchPosition){.game = game, .work = game_work_create(game, REASONER_AUTO)};
    p->joint = memory_zalloc((game->role_count + 1) * sizeof *p->joint);
    game_initial(p->work, &p->state);
}

void position_free(MatchPosition *p) {
    game_work_free(p->work);
    state_free(&p->state);
    vector_free(&p->moves);
    free(p->joint);
}

BeliefFilter *position_belief(const MatchPosition *p, uint32_t role, uint64_t seed) {
    BeliefFilter *filter = belief_create(p->game, role, NULL, seed);
    State state = {0};
    Text move = {0}, seen = {0};
    game_initial(p->work, &state);
    for (size_t i = 0; i < p->moves.count; i += p->game->role_count) {
        const uint32_t *joint = p->moves.items + i;
        text_clear(&move);
        text_clear(&seen);
        game_move_text(p->work, role, joint[role], &move);
        game_sees(p->work, &state, joint, role, &seen);
        game_next(p->work, &state, joint, &state);
        belief_observe(filter, text_string(&move), text_string(&seen),
                       !game_is_terminal(p->work, &state), NULL, deadline_never());
    }
    vectors_free(&move, &seen);
    state_free(&state);
    return filter;
}

typedef struct {
    const char *start;
    size_t length;
} Span;

static bool is_separator(char c) {
    return isspace((unsigned char)c) || c == ';';
}

/* Finds the next term before `end`. Returns false if there is none, or if parentheses do not
 * match. */
static bool next_term(const char **at, const char *end, Span *term) {
    int depth = 0;
    while (*at < end && is_separator(**at))
        ++*at;
    term->start = *at;
    for (; *at < end && (depth || !is_separator(**at)); ++*at) {
        if (**at == '(' && !depth && *at > term->start)
            break;
        depth += (**at == '(') - (**at == ')');
        if (depth <= 0 && **at == ')') {
            ++*at;
            break;
        }
    }
    term->length = (size_t)(*at - term->start);
    return term->length && !depth;
}

/* Takes the term as the move of the next role if it is a legal one. */
static bool take_move(MatchPosition *p, Span term) {
    U32Vector legal = {0};
    game_legal(p->work, &p->state, p->filled, &legal); /* gives interpreted moves their numbers */
    uint32_t move = game_find_move(p->work, p->filled, term.start, term.length);
    bool is_legal = move != MOVE_NONE && u32_contains(&legal, move);
    vector_free(&legal);
    if (!is_legal)
        return false;
    p->joint[p->filled++] = move;
    if (p->filled == p->game->role_count) {
        game_next(p->work, &p->state, p->joint, &p->state);
        memcpy(vector_extend(&p->moves, p->filled), p->joint, p->filled * sizeof *p->joint);
        p->filled = 0;
        p->turns++;
    }
    return true;
}

static size_t count_terms(const char *at, const char *end) {
    size_t count = 0;
    for (Span term; next_term(&at, end, &term);)
        count++;
    return count;
}

static bool is_list_of_moves(const MatchPosition *p, Span term) {
    if (p->filled || term.start[0] != '(' || term.length < 3)
        return false;
    return term.start[1] == '(' ||
           count_terms(term.start + 1, term.start + term.length - 1) == p->game->role_count;
}

static bool complain_of_move(const MatchPosition *p, Span term) {
    return complain("`%.*s` is no legal move of %s in turn %u", (int)term.length, term.start,
                    p->game->roles[p->filled], p->turns + 1);
}

/* `lists` bounds the nesting of lists: the match, and a joint move inside it. */
static bool play_terms(MatchPosition *p, const char *at, const char *end, int lists) {
    Span term;
    while (next_term(&at, end, &term)) {
        if (game_is_terminal(p->work, &p->state))
            return complain("the match is over after %u turns, before `%.*s`", p->turns,
                            (int)term.length, term.start);
        if (take_move(p, term))
            continue;
        if (!lists || !is_list_of_moves(p, term))
            return complain_of_move(p, term);
        if (!play_terms(p, term.start + 1, term.start + term.length - 1, lists - 1))
            return false;
    }
    if (at < end || term.length)
        return complain("the parentheses of the moves do not match");
    return true;
}

bool position_play(MatchPosition *p, const char *text) {
    if (!play_terms(p, text, text + strlen(text), 2))
        return false;
    if (p->filled)
        complain("turn %u has moves for %u of %u roles", p->turns + 1, p->filled,
                 p->game->role_count);
    return !p->filled;
}
