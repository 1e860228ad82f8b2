/* Messages of the general game playing protocol, from a manager to a player.
 *
 *     (INFO)  (PREVIEW rules clock)  (START match role rules startclock playclock)
 *     (PLAY match moves)  (STOP match moves)  (ABORT match) */
#pragma once

#include "base/report.h"
#include "base/text.h"

/* `moves` is the last joint move, one for each role in the order of the rules, or NIL before the
 * first. Games with hidden information use (PLAY match turn move percepts) instead: the player's
 * own last move and its percepts. Words may be in any case and on any number of lines. */

enum { PROTOCOL_MAX_MESSAGE_BYTES = 20 << 20 }; /* bytes; longer ones are refused unread */

typedef enum {
    MESSAGE_INFO,
    MESSAGE_PREVIEW,
    MESSAGE_START,
    MESSAGE_PLAY,
    MESSAGE_STOP,
    MESSAGE_ABORT,
    MESSAGE_KINDS
} MessageKind;

typedef VECTOR(char *) MessageTexts;

/* The message owns its texts. All but match and rules are in lower case with single blanks. */
typedef struct {
    MessageKind kind;
    char *match;
    char *role;
    Text rules;                   /* one rule per line */
    double startclock, playclock; /* seconds; START and PREVIEW */
    bool has_moves;               /* true if a joint move was sent, and not NIL */
    MessageTexts moves;           /* by role */
    /* True for the form with hidden information, which has the following fields. */
    bool has_turn;
    uint32_t turn;  /* number of joint moves made */
    char *own_move; /* NULL for NIL */
    MessageTexts percepts;
} Message;

/* Reads one message. False with errors and their places in the report. Call message_free in both
 * cases. */
bool message_read(Message *message, const char *bytes, size_t length, Report *report);
void message_free(Message *message);

/* The word of a kind, such as "INFO". */
const char *message_name(MessageKind kind);

/* Writes START. `rules` may have comments and line ends. The functions below write the two forms of
 * PLAY and STOP. */
void message_write_start(Text *out, const char *match, const char *role, const char *rules,
                         double startclock, double playclock);
/* `moves` by role, or NULL for NIL. */
void message_write_moves(Text *out, MessageKind kind, const char *match, char *const *moves,
                         size_t count);
/* `own_move` may be NULL for NIL; percepts are separated by blanks. */
void message_write_turn(Text *out, MessageKind kind, const char *match, uint32_t turn,
                        const char *own_move, const char *percepts);

/* Reads the move in an answer, in lower case with single blanks. False if it is not a single
 * term. */
bool answer_read_move(const char *bytes, size_t length, Text *move);
