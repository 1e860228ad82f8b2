/* A message is one expression, parsed by the reader of rules. The first word is checked before
 * that, so that megabytes of anything else cost nothing. */
#include "player/protocol.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "gdl/rules.h"
#include "gdl/write.h"

static const char *const names[MESSAGE_KINDS] = {"INFO", "PREVIEW", "START",
                                                 "PLAY", "STOP",    "ABORT"};

const char *message_name(MessageKind kind) {
    assert(kind < MESSAGE_KINDS);
    return names[kind];
}

static bool is_kind(const char *word, size_t length, MessageKind *kind) {
    for (int k = 0; k < MESSAGE_KINDS; k++)
        if (strlen(names[k]) == length && strncasecmp(names[k], word, length) == 0) {
            *kind = (MessageKind)k;
            return true;
        }
    return false;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

/* True if the text begins like a message. The rest is not read. */
static bool begins_well(const char *bytes, size_t length, MessageKind *kind) {
    size_t at = 0, end;
    while (at < length && is_blank(bytes[at]))
        at++;
    if (at < length && bytes[at] == '(')
        at++;
    while (at < length && is_blank(bytes[at]))
        at++;
    for (end = at; end < length && end - at < 16 && isalpha((unsigned char)bytes[end]);)
        end++;
    return is_kind(bytes + at, end - at, kind);
}

/* Lists the elements of a list; for an atom, as in a bare INFO, the atom itself. */
static void list_elements(const Syntax *syntax, uint32_t list, U32Vector *elements) {
    if (!node_is_list(syntax, list)) {
        vector_push(elements, list);
        return;
    }
    for (uint32_t n = list + 1; n < node_end(syntax, list); n = node_next(syntax, n))
        vector_push(elements, n);
}

static void lower(Text *text) {
    for (size_t i = 0; i < text->count; i++)
        text->items[i] = (char)tolower((unsigned char)text->items[i]);
}

static char *node_text(const Syntax *syntax, uint32_t node, bool lowered) {
    Text text = {0};
    write_node(&text, syntax, node, NOTATION_KIF, WRITE_TERM);
    if (lowered)
        lower(&text);
    return text.items ? text.items : memory_strdup("");
}

static const char *atom_name(const Syntax *syntax, uint32_t node) {
    return symbols_name(&syntax->symbols, syntax->nodes.items[node].symbol);
}

static bool is_nil(const Syntax *syntax, uint32_t node) {
    return node_is_list(syntax, node) ? node_children(syntax, node) == 0
                                      : strcasecmp(atom_name(syntax, node), "nil") == 0;
}

static bool read_number(const Syntax *syntax, uint32_t node, double largest, double *number,
                        Report *report) {
    char *end = "x";
    if (!node_is_list(syntax, node))
        *number = strtod(atom_name(syntax, node), &end);
    if (*end == '\0' && isfinite(*number) && *number >= 0 && *number <= largest)
        return true;
    return report_node(report, SEVERITY_ERROR, "bad-message", syntax, node,
                       "a number from 0 to %.0f has to stand here", largest);
}

/* Limits in seconds and in turns (untuned). */
enum { MAX_CLOCK_SECONDS = 1000000, MAX_TURNS = 1000000000 };

typedef struct {
    Message *message;
    const Syntax *syntax;
    U32Vector parts; /* syntax nodes of the message's elements, its name first */
    Report *report;
} Reader;

static void read_rules(Reader *r, uint32_t list) {
    for (uint32_t n = list + 1; n < node_end(r->syntax, list); n = node_next(r->syntax, n)) {
        write_node(&r->message->rules, r->syntax, n, NOTATION_KIF, WRITE_EXPRESSION);
        text_add_char(&r->message->rules, '\n');
    }
}

static bool is_name(Reader *r, uint32_t part, const char *what) {
    if (!node_is_list(r->syntax, r->parts.items[part]))
        return true;
    return report_node(r->report, SEVERITY_ERROR, "bad-message", r->syntax, r->parts.items[part],
                       "%s has to be a name", what);
}

static bool has_rules(Reader *r, uint32_t part) {
    if (node_is_list(r->syntax, r->parts.items[part]))
        return true;
    return report_node(r->report, SEVERITY_ERROR, "bad-message", r->syntax, r->parts.items[part],
                       "the list of rules has to stand here");
}

static bool read_start(Reader *r) {
    Message *m = r->message;
    const uint32_t *part = r->parts.items;
    if (!is_name(r, 2, "a role") || !has_rules(r, 3) ||
        !read_number(r->syntax, part[4], MAX_CLOCK_SECONDS, &m->startclock, r->report) ||
        !read_number(r->syntax, part[5], MAX_CLOCK_SECONDS, &m->playclock, r->report))
        return false;
    m->role = node_text(r->syntax, part[2], true);
    read_rules(r, part[3]);
    return true;
}

static bool read_preview(Reader *r) {
    if (!has_rules(r, 1) || !read_number(r->syntax, r->parts.items[2], MAX_CLOCK_SECONDS,
                                         &r->message->startclock, r->report))
        return false;
    read_rules(r, r->parts.items[1]);
    return true;
}

/* Reads the texts of a list; none for NIL. */
static void read_texts(Reader *r, uint32_t list, MessageTexts *texts) {
    U32Vector nodes = {0};
    if (!is_nil(r->syntax, list))
        list_elements(r->syntax, list, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        vector_push(texts, node_text(r->syntax, nodes.items[i], true));
    vector_free(&nodes);
}

static bool read_joint(Reader *r) {
    read_texts(r, r->parts.items[2], &r->message->moves);
    r->message->has_moves = r->message->moves.count > 0;
    return true;
}

static bool read_turn(Reader *r) {
    Message *m = r->message;
    const uint32_t *part = r->parts.items;
    double turn;
    if (!read_number(r->syntax, part[2], MAX_TURNS, &turn, r->report))
        return false;
    m->has_turn = true;
    m->turn = (uint32_t)turn;
    if (!is_nil(r->syntax, part[3]))
        m->own_move = node_text(r->syntax, part[3], true);
    read_texts(r, part[4], &m->percepts);
    return true;
}

/* Checks the number of elements, including the name. */
static bool has_right_size(const Reader *r, uint32_t root) {
    static const struct {
        uint32_t least, most;
    } sizes[MESSAGE_KINDS] = {{1, 1}, {3, 3}, {6, 6}, {3, 5}, {3, 5}, {2, 2}};
    MessageKind kind = r->message->kind;
    size_t count = r->parts.count;
    if (count >= sizes[kind].least && count <= sizes[kind].most &&
        !(sizes[kind].most == 5 && count == 4))
        return true;
    return report_node(r->report, SEVERITY_ERROR, "bad-message", r->syntax, root,
                       "%s has %u parts after its name, not %zu", names[kind],
                       sizes[kind].least - 1, count ? count - 1 : 0);
}

static bool read_parts(Reader *r, uint32_t root) {
    MessageKind kind;
    Message *m = r->message;
    if (node_is_list(r->syntax, root) && !is_name(r, 0, "the kind of message"))
        return false;
    const char *name = atom_name(r->syntax, r->parts.items[0]);
    if (!is_kind(name, strlen(name), &kind))
        return report_node(r->report, SEVERITY_ERROR, "bad-message", r->syntax, r->parts.items[0],
                           "`%.40s` is no kind of message", name);
    m->kind = kind;
    if (!has_right_size(r, root))
        return false;
    if (kind == MESSAGE_PREVIEW)
        return read_preview(r);
    if (kind == MESSAGE_INFO)
        return true;
    if (!is_name(r, 1, "a match"))
        return false;
    m->match = node_text(r->syntax, r->parts.items[1], false);
    if (kind == MESSAGE_START)
        return read_start(r);
    if (kind == MESSAGE_ABORT)
        return true;
    return r->parts.count == 5 ? read_turn(r) : read_joint(r);
}

bool message_read(Message *message, const char *bytes, size_t length, Report *report) {
    *message = (Message){0};
    if (length > PROTOCOL_MAX_MESSAGE_BYTES)
        return report_error(report, "large-message", "the message has %zu bytes; %d are allowed",
                            length, PROTOCOL_MAX_MESSAGE_BYTES);
    Source *source = source_from_text("message", bytes, length, report);
    if (!begins_well(bytes, length, &message->kind)) {
        report_at(report, SEVERITY_ERROR, "bad-message", source, 0, 1,
                  "this begins like no message of the game protocol");
        source_free(source);
        return false;
    }
    Syntax *syntax = syntax_read_kif(source, true, report);
    bool ok = !report_failed(report);
    if (ok && syntax->roots.count != 1) {
        report_at(report, SEVERITY_ERROR, "bad-message", source, 0, 1,
                  "a message is one expression, not %zu", syntax->roots.count);
        ok = false;
    }
    if (ok) {
        Reader reader = {.message = message, .syntax = syntax, .report = report};
        list_elements(syntax, syntax->roots.items[0], &reader.parts);
        ok = reader.parts.count > 0 && read_parts(&reader, syntax->roots.items[0]);
        vector_free(&reader.parts);
    }
    syntax_free(syntax);
    return ok;
}

static void texts_free(MessageTexts *texts) {
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    vector_free(texts);
}

void message_free(Message *message) {
    memory_free(message->match, message->role, message->own_move);
    vector_free(&message->rules);
    texts_free(&message->moves);
    texts_free(&message->percepts);
    *message = (Message){0};
}

void message_write_start(Text *out, const char *match, const char *role, const char *rules,
                         double startclock, double playclock) {
    text_printf(out, "(START %s %s (\n%s\n) %g %g)", match, role, rules, startclock, playclock);
}

void message_write_moves(Text *out, MessageKind kind, const char *match, char *const *moves,
                         size_t count) {
    assert(kind == MESSAGE_PLAY || kind == MESSAGE_STOP);
    text_printf(out, "(%s %s ", names[kind], match);
    if (moves) {
        for (size_t i = 0; i < count; i++)
            text_printf(out, "%s%s", i ? " " : "(", moves[i]);
        text_add(out, "))");
    } else {
        text_add(out, "NIL)");
    }
}

void message_write_turn(Text *out, MessageKind kind, const char *match, uint32_t turn,
                        const char *own_move, const char *percepts) {
    assert(kind == MESSAGE_PLAY || kind == MESSAGE_STOP);
    text_printf(out, "(%s %s %u %s (%s))", names[kind], match, turn, own_move ? own_move : "NIL",
                percepts);
}

bool answer_read_move(const char *bytes, size_t length, Text *move) {
    enum { MAX_ANSWER_LENGTH = 1 << 16 }; /* bytes of an answer, at most (untuned) */
    if (length > MAX_ANSWER_LENGTH)
        return false;
    Report report = {0};
    Syntax *syntax =
        syntax_read_kif(source_from_text("answer", bytes, length, &report), true, &report);
    bool ok = !report_failed(&report) && syntax->roots.count == 1;
    if (ok) {
        text_clear(move);
        write_node(move, syntax, syntax->roots.items[0], NOTATION_KIF, WRITE_TERM);
        lower(move);
    }
    syntax_free(syntax);
    report_free(&report);
    return ok;
}
