/* The text of a description as a tree of expressions, the same for both notations. Nodes stand in
 * the order of the text, a list before its elements, so a subtree is a contiguous run and walking
 * it needs no recursion: the next sibling of node i is i + size. An atom is a node with a symbol
 * (variables keep their leading `?`); a list has SYMBOL_NONE. Connectives read as their KIF form:
 * the infix `p :- q & ~r` is the list (<= p q (not r)). */
#pragma once

#include <assert.h>

#include "base/report.h"
#include "base/symbols.h"
#include "base/text.h"
#include "gdl/keywords.h"

typedef struct {
    uint32_t offset; /* position of its first byte in the source */
    Symbol symbol;
    uint32_t size; /* number of nodes of the subtree, itself included */
} Node;

typedef struct {
    uint32_t offset, length; /* from its first mark to the end of the line, exclusive */
    bool own_line;           /* only blanks precede it on its line */
} Comment;

typedef enum { NOTATION_KIF, NOTATION_INFIX } Notation;

typedef struct {
    Source *source;  /* owned */
    Symbols symbols; /* owned */
    Notation notation;
    VECTOR(Node) nodes;
    U32Vector roots; /* expressions at top level */
    VECTOR(Comment) comments;
} Syntax;

/* Reads a text in either notation, recognised by its content. Takes the source over. Always returns
 * a tree; if the report has errors, a tree of the parts that could be read. */
Syntax *syntax_read(Source *source, Report *report);
/* Read a text whose notation is known. With `is_message`, expressions may contain whole rules, as
 * the START message of the game protocol does. */
Syntax *syntax_read_kif(Source *source, bool is_message, Report *report);
Syntax *syntax_read_infix(Source *source, Report *report);
/* Reads one expression in KIF, such as a fluent or a move. NULL if the text is anything else. */
Syntax *syntax_read_term(const char *text, size_t length);
void syntax_free(Syntax *syntax);

static inline bool node_is_list(const Syntax *syntax, uint32_t node) {
    assert(node < syntax->nodes.count);
    return syntax->nodes.items[node].symbol == SYMBOL_NONE;
}

static inline bool symbol_is_variable(const Symbols *symbols, Symbol symbol) {
    assert(symbol < symbols->names.count);
    return symbols->names.items[symbol].name[0] == '?';
}

static inline bool node_is_variable(const Syntax *syntax, uint32_t node) {
    return !node_is_list(syntax, node) &&
           symbol_is_variable(&syntax->symbols, syntax->nodes.items[node].symbol);
}

/* Each `_` of the infix notation is a new variable, whose name starts with this prefix. */
#define ANONYMOUS_PREFIX "?_#"
bool symbol_is_anonymous(const Symbols *symbols, Symbol symbol);

static inline uint32_t node_end(const Syntax *syntax, uint32_t node) {
    return node + syntax->nodes.items[node].size;
}

static inline uint32_t node_next(const Syntax *syntax, uint32_t node) {
    return node_end(syntax, node);
}

/* The symbol that names an expression: the atom itself, or the first element of a list if that is
 * an atom; SYMBOL_NONE otherwise. */
Symbol node_head(const Syntax *syntax, uint32_t node);
/* The symbol that names a list; SYMBOL_NONE for an atom. */
static inline Symbol list_head(const Syntax *syntax, uint32_t node) {
    return node_is_list(syntax, node) ? node_head(syntax, node) : SYMBOL_NONE;
}

/* True for a connective that joins premises: (not p), (or p q ...), (and p q ...). */
bool node_is_block(const Syntax *syntax, uint32_t node);
/* Number of elements of a list; 0 for an atom. */
uint32_t node_children(const Syntax *syntax, uint32_t node);
/* Length of the atom's spelling in bytes; 1 for a list (its parenthesis). */
uint32_t node_width(const Syntax *syntax, uint32_t node);
/* Depth of the deepest list inside, 0 for an atom. */
uint32_t node_depth(const Syntax *syntax, uint32_t node);

/* Appends the first comment that has more than marks, without its marks. */
void syntax_title(const Syntax *syntax, Text *title);

/* For the readers: false, now and then, if an interrupt cuts the reading short. */
bool syntax_may_go_on(const Syntax *syntax, uint32_t steps, Report *report);
/* For the readers: an empty tree that owns the source. */
Syntax *syntax_new(Source *source, Notation notation);
/* For the readers: the width of a no-break space or byte order mark at this place; 0 if there is
 * none. Editors leave them behind, and they count as blanks. */
uint32_t odd_blank_width(const char *at);
/* For the readers: records a comment from start to end, without blanks at its end. */
void syntax_note_comment(Syntax *syntax, uint32_t start, uint32_t end);
/* For the readers: records a comment from start to the end of its line and returns that end. */
uint32_t syntax_read_comment(Syntax *syntax, uint32_t start);
