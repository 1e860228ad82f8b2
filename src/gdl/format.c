/* Text is laid out line by line. A line is a piece that is never broken (a fact, a conclusion, a
 * premise that fits), preceded by the connectives that open there: `(not (or (p ?x)`. A connective
 * that is too wide, or has comments between its operands, is broken into one operand per line.
 * Comments wait for the start of the next line: a comment at the end of a line stays there, others
 * get lines of their own before the next piece. Every choice depends only on the expressions and on
 * what keeps its place, so the layout is a fixpoint. */
#include "gdl/write.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"

/* Columns of a line, of a rule that stays on one line, and of the indent; nesting of broken
 * connectives. House style. */
enum { MAX_LINE_WIDTH = 100, MAX_SHORT_RULE_WIDTH = 70, RULE_INDENT = 4, MAX_BROKEN_DEPTH = 12 };
enum { ROOTS_BETWEEN_LOOKS = 64 }; /* roots written between two looks at the interrupts (untuned) */

/* A broken connective, or the rule itself, whose operands are being printed. */
typedef struct {
    uint32_t node;
    uint32_t indent;   /* columns before each operand except the first */
    uint32_t operands; /* operands printed so far; the conclusion of a rule does not count */
} Block;

typedef struct {
    Text *out;
    const Syntax *syntax;
    Notation notation;
    uint32_t *closes;  /* by node: the offset after its last byte */
    size_t comment;    /* index of the next comment to print */
    uint32_t at;       /* offset after the text printed last, to detect blank lines */
    size_t line_start; /* offset in the output */
    bool line_has_comment;
    bool line_takes_facts;
    Block blocks[MAX_BROKEN_DEPTH + 1];
    size_t depth;
} Formatter;

/* Finds the closing parentheses of KIF by one more pass over the text. */
static void find_kif_closes(Formatter *f) {
    const Syntax *syntax = f->syntax;
    const char *text = syntax->source->text;
    U32Vector open = {0};
    size_t comment = 0;
    uint32_t at = 0, length = (uint32_t)syntax->source->length;
    for (uint32_t i = 0; i <= syntax->nodes.count; i++) {
        uint32_t target = i < syntax->nodes.count ? syntax->nodes.items[i].offset : length;
        while (at < target) {
            bool in_comment =
                comment < syntax->comments.count && syntax->comments.items[comment].offset == at;
            if (!in_comment && text[at] == ')' && open.count)
                f->closes[vector_pop(&open)] = at + 1;
            at += in_comment ? syntax->comments.items[comment++].length : 1;
        }
        if (i == syntax->nodes.count)
            break;
        at += node_width(syntax, i);
        f->closes[i] = at;
        if (node_is_list(syntax, i))
            vector_push(&open, i);
    }
    vector_free(&open);
}

/* In infix notation an expression ends with its last atom. */
static void find_infix_closes(Formatter *f) {
    const Syntax *syntax = f->syntax;
    for (size_t i = syntax->nodes.count; i-- > 0;) {
        uint32_t last = node_end(syntax, (uint32_t)i) - 1;
        f->closes[i] = last == i ? syntax->nodes.items[i].offset + 1 : f->closes[last];
    }
}

static uint32_t start_of(const Formatter *f, uint32_t node) {
    return f->syntax->nodes.items[node].offset;
}

static uint32_t end_of_last_atom(const Formatter *f, uint32_t node) {
    return f->closes[node_end(f->syntax, node) - 1];
}

static bool has_line_end(const Formatter *f, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (f->syntax->source->text[i] == '\n' || f->syntax->source->text[i] == '\r')
            return true;
    return false;
}

static bool has_blank_line(const Formatter *f, uint32_t from, uint32_t to) {
    const char *text = f->syntax->source->text;
    bool line_is_blank = false;
    for (uint32_t i = from; i < to; i++) {
        bool line_end = text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
        if (line_end && line_is_blank)
            return true;
        if (line_end)
            line_is_blank = true;
        else if ((unsigned char)text[i] > ' ')
            line_is_blank = false;
    }
    return false;
}

static size_t column(const Formatter *f) {
    return f->out->count - f->line_start;
}

static void start_line(Formatter *f, uint32_t indent) {
    if (f->out->count)
        text_add_char(f->out, '\n');
    f->line_start = f->out->count;
    f->line_has_comment = f->line_takes_facts = false;
    text_add_spaces(f->out, indent);
}

/* Starts a line at top level. Keeps a blank line if the text has one before that offset. */
static void start_item(Formatter *f, uint32_t offset) {
    if (f->out->count && has_blank_line(f, f->at, offset))
        start_line(f, 0);
    start_line(f, 0);
}

static bool is_mark(const Formatter *f, char c) {
    return c == (f->syntax->notation == NOTATION_KIF ? ';' : '%');
}

/* Replaces the comment marks by those of the notation that is written. The lines of a block comment
 * become line comments. */
static void print_comment_text(Formatter *f, const Comment *comment) {
    const char *c = f->syntax->source->text + comment->offset, *end = c + comment->length;
    char mark = f->notation == NOTATION_KIF ? ';' : '%';
    if (c < end && is_mark(f, *c)) {
        for (; c < end && is_mark(f, *c); c++)
            text_add_char(f->out, mark);
    } else {
        while (c < end && (unsigned char)*c <= ' ')
            c++;
        c += end - c >= 2 && c[0] == '/' && c[1] == '*' ? 2 : 0;
        end -= end - c >= 2 && end[-2] == '*' && end[-1] == '/' ? 2 : 0;
        while (c < end && (unsigned char)*c <= ' ')
            c++;
        while (c < end && (unsigned char)end[-1] <= ' ')
            end--;
        text_add_char(f->out, mark);
        if (c < end)
            text_add_char(f->out, ' ');
    }
    text_add_bytes(f->out, c, (size_t)(end - c));
}

/* True for the first or last line of a block comment that has nothing but its marks. */
static bool is_only_block_marks(const Formatter *f, const Comment *comment) {
    const char *c = f->syntax->source->text + comment->offset, *end = c + comment->length;
    while (c < end && (unsigned char)*c <= ' ')
        c++;
    return f->syntax->notation == NOTATION_INFIX && end - c == 2 &&
           (memcmp(c, "/*", 2) == 0 || memcmp(c, "*/", 2) == 0);
}

static bool has_comment_before(const Formatter *f, uint32_t offset) {
    return f->comment < f->syntax->comments.count &&
           f->syntax->comments.items[f->comment].offset < offset;
}

/* Prints the comments up to an offset before a line starts there. Those from the offset `inside` on
 * come from inside the next piece. */
static void print_comments(Formatter *f, uint32_t before, uint32_t inside, uint32_t indent) {
    for (; has_comment_before(f, before); f->comment++) {
        const Comment *comment = &f->syntax->comments.items[f->comment];
        bool is_inside = comment->offset >= inside;
        bool ends_line = !comment->own_line && !is_inside && f->out->count && !f->line_has_comment;
        if (!is_only_block_marks(f, comment)) {
            if (ends_line)
                text_add_char(f->out, ' ');
            else if (f->depth == 0)
                start_item(f, is_inside ? inside : comment->offset);
            else
                start_line(f, indent);
            print_comment_text(f, comment);
            f->line_has_comment = true;
        }
        f->at = comment->offset + comment->length;
    }
}

static size_t first_comment_from(const Formatter *f, uint32_t offset) {
    size_t low = 0, high = f->syntax->comments.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->syntax->comments.items[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* True if the block contains comments that stay inside: after its first piece, unless it is a
 * single comment at the end of the last line. */
static bool keeps_comments(const Formatter *f, uint32_t node, uint32_t first_piece_end) {
    const Comment *comments = f->syntax->comments.items;
    size_t count = f->syntax->comments.count, first = first_comment_from(f, first_piece_end);
    if (first == count || comments[first].offset >= f->closes[node])
        return false;
    bool is_last = first + 1 == count || comments[first + 1].offset >= f->closes[node];
    bool after_last_piece = comments[first].offset >= end_of_last_atom(f, node);
    return !(is_last && after_last_piece && !comments[first].own_line);
}

static const char *block_opening(const Formatter *f, uint32_t node) {
    Symbol head = node_head(f->syntax, node);
    if (f->notation == NOTATION_INFIX)
        return head == KEYWORD_NOT ? "~" : "(";
    return head == KEYWORD_NOT ? "(not " : head == KEYWORD_AND ? "(and " : "(or ";
}

static const char *block_closing(const Formatter *f, uint32_t node) {
    Symbol head = node_head(f->syntax, node);
    bool nothing = head == KEYWORD_NOT || head == KEYWORD_IMPLIES;
    return f->notation == NOTATION_INFIX && nothing ? "" : ")";
}

static bool is_too_wide(const Formatter *f, uint32_t node, uint32_t indent) {
    size_t limit = MAX_LINE_WIDTH + 1 - (indent < MAX_LINE_WIDTH ? indent : MAX_LINE_WIDTH);
    return node_written_length(f->syntax, node, f->notation, WRITE_PREMISE, limit) >= limit;
}

/* Finds the blocks to break, outermost first, on the line that starts with a premise. Whether a
 * block has comments of its own depends on where the first piece ends, so the blocks are visited
 * from the inside out. */
static size_t find_broken(const Formatter *f, uint32_t premise, uint32_t indent, Block *broken) {
    size_t most = MAX_BROKEN_DEPTH - f->depth, count = 0;
    uint32_t node = premise;
    for (; count < most && node_is_block(f->syntax, node); node += 2) {
        indent += (uint32_t)strlen(block_opening(f, node));
        broken[count++] = (Block){node, indent, 0};
    }
    uint32_t piece_end = end_of_last_atom(f, node);
    size_t kept = 0;
    for (size_t i = count; i-- > 0;) {
        uint32_t start = broken[i].indent - (uint32_t)strlen(block_opening(f, broken[i].node));
        bool breaks =
            is_too_wide(f, broken[i].node, start) || keeps_comments(f, broken[i].node, piece_end);
        if (breaks && kept == 0)
            kept = i + 1;
        if (!breaks)
            kept = 0, piece_end = end_of_last_atom(f, broken[i].node);
    }
    return kept;
}

/* One line with a premise or its first piece; returns the node after that. */
static uint32_t print_premise_line(Formatter *f, uint32_t premise) {
    assert(f->depth > 0 && f->depth <= MAX_BROKEN_DEPTH + 1);
    Block *top = &f->blocks[f->depth - 1];
    if (f->notation == NOTATION_INFIX && top->operands > 0) {
        if (f->line_has_comment)
            start_line(f, top->indent);
        text_add(f->out, node_head(f->syntax, top->node) == KEYWORD_OR ? " |" : " &");
    }
    top->operands++;
    size_t count = find_broken(f, premise, top->indent, top + 1);
    uint32_t piece = premise + 2 * (uint32_t)count;
    print_comments(f, end_of_last_atom(f, piece), start_of(f, premise), top->indent);
    start_line(f, top->indent);
    for (size_t i = 0; i < count; i++) {
        text_add(f->out, block_opening(f, top[1 + i].node));
        top[1 + i].operands = 1;
    }
    f->depth += count;
    write_node(f->out, f->syntax, piece, f->notation, WRITE_PREMISE);
    return node_next(f->syntax, piece);
}

/* A comment at the end of the last operand's line goes after the parenthesis; with other comments
 * the parenthesis gets a line of its own. */
static void close_block(Formatter *f) {
    assert(f->depth > 0);
    const Block *top = &f->blocks[f->depth - 1];
    uint32_t close = f->closes[top->node];
    const Comment *comments = f->syntax->comments.items;
    size_t next = f->comment;
    bool is_last = next + 1 >= f->syntax->comments.count || comments[next + 1].offset >= close;
    if (has_comment_before(f, close) && (comments[next].own_line || !is_last)) {
        const char *closing = block_closing(f, top->node);
        print_comments(f, close, close, *closing ? top->indent : 0);
        if (*closing)
            start_line(f, top->indent);
    }
    text_add(f->out, block_closing(f, top->node));
    f->at = close;
    f->depth--;
}

static bool is_rule(const Formatter *f, uint32_t root) {
    const Syntax *syntax = f->syntax;
    return list_head(syntax, root) == KEYWORD_IMPLIES && node_end(syntax, root) - root > 3 &&
           node_next(syntax, root + 2) < node_end(syntax, root);
}

/* A rule with one short premise stays on one line if it was written on one. */
static bool stays_on_one_line(const Formatter *f, uint32_t root) {
    uint32_t premise = node_next(f->syntax, root + 2);
    return node_next(f->syntax, premise) == node_end(f->syntax, root) &&
           !has_line_end(f, start_of(f, root), start_of(f, premise)) &&
           !keeps_comments(f, root, end_of_last_atom(f, root + 2)) &&
           node_written_length(f->syntax, root, f->notation, WRITE_EXPRESSION,
                               MAX_SHORT_RULE_WIDTH + 1) <= MAX_SHORT_RULE_WIDTH;
}

static void format_rule(Formatter *f, uint32_t root) {
    uint32_t head = root + 2;
    print_comments(f, end_of_last_atom(f, head), start_of(f, root), 0);
    start_item(f, start_of(f, root));
    if (f->notation == NOTATION_KIF)
        text_add(f->out, "(<= ");
    write_node(f->out, f->syntax, head, f->notation, WRITE_TERM);
    if (f->notation == NOTATION_INFIX)
        text_add(f->out, " :-");
    f->blocks[f->depth++] = (Block){root, RULE_INDENT, 0};
    uint32_t next = node_next(f->syntax, head);
    while (f->depth > 0) {
        if (next < node_end(f->syntax, f->blocks[f->depth - 1].node))
            next = print_premise_line(f, next);
        else
            close_block(f);
    }
}

/* Writes a fact, or a rule that stays on one line. Facts that shared a line share one again. */
static void format_on_one_line(Formatter *f, uint32_t root) {
    bool is_fact = !is_rule(f, root);
    uint32_t piece_end = end_of_last_atom(f, is_fact ? root : root + 2);
    bool takes_facts = is_fact && f->line_takes_facts && f->notation == NOTATION_KIF &&
                       !has_comment_before(f, piece_end) &&
                       !has_line_end(f, f->at, start_of(f, root));
    size_t room =
        takes_facts && column(f) + 1 < MAX_LINE_WIDTH ? MAX_LINE_WIDTH - column(f) - 1 : 0;
    print_comments(f, piece_end, start_of(f, root), 0);
    if (room &&
        node_written_length(f->syntax, root, f->notation, WRITE_EXPRESSION, room + 1) <= room)
        text_add_char(f->out, ' ');
    else
        start_item(f, start_of(f, root));
    write_node(f->out, f->syntax, root, f->notation, WRITE_EXPRESSION);
    f->line_takes_facts = is_fact;
    f->at = f->closes[root];
}

void rules_format(Text *out, const Syntax *syntax, Notation notation) {
    Formatter f = {.out = out, .syntax = syntax, .notation = notation};
    f.closes = memory_zalloc(syntax->nodes.count * sizeof *f.closes);
    if (syntax->notation == NOTATION_KIF)
        find_kif_closes(&f);
    else
        find_infix_closes(&f);
    for (size_t i = 0; i < syntax->roots.count; i++) {
        if (i % ROOTS_BETWEEN_LOOKS == 0 && work_must_end((Deadline){0}, NULL))
            break;
        uint32_t root = syntax->roots.items[i];
        if (is_rule(&f, root) && !stays_on_one_line(&f, root))
            format_rule(&f, root);
        else
            format_on_one_line(&f, root);
    }
    print_comments(&f, UINT32_MAX, UINT32_MAX, 0);
    if (out->count)
        text_add_char(out, '\n');
    free(f.closes);
}
