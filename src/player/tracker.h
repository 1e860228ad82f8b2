/* The position of a match as one player knows it. It follows the reports of the manager, which are
 * always right: the reported joint move counts, whatever the player answered. With hidden
 * information there is a belief, and the state is drawn from it, or guessed if no state explains
 * the percepts. */
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "game/belief.h"
#include "player/protocol.h"

typedef struct {
    Game *game; /* owned */
    GameWork *work;
    State state;
    uint32_t role;
    uint32_t turns; /* number of joint moves made */
    Random random;
    U32Vector joint;      /* the last joint move, by role */
    U32Vector legal;      /* scratch: the moves listed last */
    char *last_report;    /* text of the last joint move, as it was reported */
    BeliefFilter *filter; /* NULL without hidden information */
    char *answer;         /* text of the player's last answer; NULL before the first */
    Log *log;
} Tracker;

/* Creates a tracker that is ready at once, with the interpreter. NULL with the reasons in the
 * report. */
Tracker *tracker_create(const Text *rules, const char *role, uint64_t seed, Log *log,
                        Report *report);
void tracker_free(Tracker *tracker);

/* Continues with another game of the same rules and takes ownership of it. Returns the old game,
 * which the caller frees. If the new game cannot express the state, it returns NULL and nothing
 * changes. */
Game *tracker_upgrade(Tracker *tracker, Game *better);

typedef enum {
    FOLLOW_STAYED,   /* there was nothing to follow, or the message was a repetition */
    FOLLOW_ADVANCED, /* the state advanced by `joint` */
    FOLLOW_JUMPED    /* the state need not be a successor of the last one */
} Followed;

/* Follows the moves or percepts of a PLAY or STOP message. The model predicts the moves of the
 * other roles; beliefs are sampled until the deadline. */
Followed tracker_follow(Tracker *tracker, const Message *message, const BeliefModel *model,
                        Deadline deadline);
/* True if the message fits the position, or was followed before. */
bool tracker_expects(Tracker *tracker, const Message *message);
/* Remembers the player's answer, for a turn whose report is missing. */
void tracker_note_answer(Tracker *tracker, const char *move);

/* Returns a random legal move of the player; MOVE_NONE if there is none. */
uint32_t tracker_random_move(Tracker *tracker);
/* True if the player has more than one legal move. */
bool tracker_has_choice(Tracker *tracker);
/* True if the move is legal for the player, as far as it knows. */
bool tracker_is_legal(Tracker *tracker, uint32_t move);
