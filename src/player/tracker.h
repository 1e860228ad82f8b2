/* Where a match stands, as one player knows it: the game, the state, and how both follow what the
 * manager reports. The manager is right: its joint move counts, whatever the player answered. With
 * hidden information there is a belief, and the state is one of those that it holds possible; or a
 * guess, if it has lost track. */
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
    uint32_t turns; /* joint moves made */
    Random random;
    U32Vector joint;      /* the last one */
    char *last_message;   /* the joint move as it was reported */
    BeliefFilter *filter; /* NULL if the game hides nothing */
    char *answer;         /* the player's last one; NULL before the first */
    Log *log;
} Tracker;

/* Ready to play at once, with the interpreter. NULL with the reasons in the report. */
Tracker *tracker_create(const Text *rules, const char *role, uint64_t seed, Log *log,
                        Report *report);
void tracker_free(Tracker *tracker);

/* Goes on with another game of the same rules and takes it over. The game it had, for the caller to
 * free; NULL, and nothing changes, if the other one cannot express the state. */
Game *tracker_upgrade(Tracker *tracker, Game *better);

typedef enum {
    FOLLOW_STAYED,   /* nothing to follow, or the same message again */
    FOLLOW_ADVANCED, /* by `joint` */
    FOLLOW_JUMPED    /* to a state that need not be a successor */
} Followed;

/* Follows the moves or percepts of a PLAY or STOP message. The model says how the others play;
 * beliefs are sampled until the deadline. */
Followed tracker_follow(Tracker *tracker, const Message *message, const BeliefModel *model,
                        Deadline deadline);
/* Whether a message can be what comes next, or was followed already. */
bool tracker_expects(Tracker *tracker, const Message *message);
/* The player answers with this move. */
void tracker_note_answer(Tracker *tracker, const char *move);

/* A random legal move; MOVE_NONE if there is none. */
uint32_t tracker_some_move(Tracker *tracker);
/* Whether the player has more than one legal move. */
bool tracker_has_choice(Tracker *tracker);
/* For the player, as far as it knows. */
bool tracker_is_legal(Tracker *tracker, uint32_t move);
