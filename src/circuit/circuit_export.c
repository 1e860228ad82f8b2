/* AIGER demands an order: inputs, latches, then conjunctions after their operands. Our graph has
 * this order if moves are made before fluents. So the circuit is copied once with loops unrolled,
 * then only the part that outputs need is copied again, and node n is written as variable n. */
#include "circuit/circuit_export.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "gdl/write.h"

enum { UNROLLED_MAX_NODES = 50000000 }; /* most nodes of the graph after unrolling (untuned) */

/* A graph without loops: moves, then fluents, then gates. */
typedef struct {
    Aig aig;
    Signal *next;      /* by fluent */
    U32Vector outputs; /* terminal, legal of every move, goals, percepts */
} Unrolled;

static bool copy_gates(Aig *to, const Aig *from, const uint8_t *marks, Signal *map, uint32_t first,
                       uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        const AigNode *n = &from->nodes.items[i];
        if (marks[i] && n->a != SIGNAL_NONE)
            map[i] = aig_and(to, signal_mapped(map, n->a), signal_mapped(map, n->b));
        if (to->nodes.count > UNROLLED_MAX_NODES)
            return false;
    }
    return true;
}

/* Unrolls a loop, starting from false. Each layer makes at least one more variable true until the
 * fixpoint, so as many layers as variables are enough. Often the gates repeat themselves
 * earlier. */
static bool unroll_loop(Aig *to, const Aig *from, const AigLoop *loop, const uint8_t *marks,
                        Signal *map) {
    size_t count = loop->variables.count;
    Signal *updates = memory_alloc((count + 1) * sizeof *updates);
    bool fits = true;
    for (size_t v = 0; v < count; v++)
        map[loop->variables.items[v]] = SIGNAL_FALSE;
    for (size_t layer = 0; layer <= count && fits; layer++) {
        fits = copy_gates(to, from, marks, map, loop->first_node, loop->end_node);
        bool stable = true;
        for (size_t v = 0; v < count && fits; v++) {
            uint32_t variable = loop->variables.items[v];
            updates[v] = marks[variable] ? signal_mapped(map, loop->updates.items[v]) : 0;
            stable &= updates[v] == map[variable];
        }
        if (stable || layer == count || !fits)
            break;
        for (size_t v = 0; v < count; v++)
            map[loop->variables.items[v]] = updates[v];
    }
    free(updates);
    return fits;
}

static bool unroll_all(Aig *to, const Aig *from, const uint8_t *marks, Signal *map) {
    uint32_t at = 1;
    bool fits = true;
    for (size_t i = 0; i < from->loops.count && fits; i++) {
        const AigLoop *loop = &from->loops.items[i];
        fits = copy_gates(to, from, marks, map, at, loop->first_node) &&
               unroll_loop(to, from, loop, marks, map);
        at = loop->end_node;
    }
    return fits && copy_gates(to, from, marks, map, at, (uint32_t)from->nodes.count);
}

static void list_outputs(const Circuit *c, U32Vector *outputs) {
    vector_push(outputs, c->terminal);
    vector_append(outputs, c->legal, c->move_count);
    circuit_goal_signals(c, outputs);
    for (size_t i = 0; i < c->percepts.count; i++)
        vector_push(outputs, c->percepts.items[i].signal);
}

static void unrolled_init(Unrolled *u, const Circuit *c) {
    *u = (Unrolled){.next = memory_alloc((c->fluent_count + 1) * sizeof *u->next)};
    aig_init(&u->aig);
    for (uint32_t i = 0; i < c->move_count + c->fluent_count; i++)
        aig_input(&u->aig);
}

static void unrolled_free(Unrolled *u) {
    aig_free(&u->aig);
    free(u->next);
    vector_free(&u->outputs);
}

static Signal move_input(uint32_t move) {
    return (1 + move) << 1;
}

static Signal fluent_latch(const Circuit *c, uint32_t fluent) {
    return (1 + c->move_count + fluent) << 1;
}

static bool unroll(const Circuit *c, Unrolled *u) {
    size_t nodes = c->aig.nodes.count;
    Signal *map = memory_zalloc(nodes * sizeof *map);
    uint8_t *marks = memory_zalloc(nodes);
    U32Vector needed = {0};
    circuit_outputs(c, &needed);
    aig_mark_cone(&c->aig, needed.items, needed.count, marks);
    vector_free(&needed);
    unrolled_init(u, c);
    for (uint32_t m = 0; m < c->move_count; m++)
        map[signal_node(c->moves[m])] = move_input(m);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        map[signal_node(c->fluents[f])] = fluent_latch(c, f);
    bool fits = unroll_all(&u->aig, &c->aig, marks, map);
    for (uint32_t f = 0; f < c->fluent_count && fits; f++)
        u->next[f] = signal_mapped(map, c->next[f]);
    list_outputs(c, &u->outputs);
    for (size_t i = 0; i < u->outputs.count && fits; i++)
        u->outputs.items[i] = signal_mapped(map, u->outputs.items[i]);
    memory_free(map, marks);
    return fits;
}

/* Copies the graph without the gates that nothing reads. */
static Unrolled without_dead_gates(const Circuit *c, const Unrolled *from) {
    size_t nodes = from->aig.nodes.count;
    Unrolled swept;
    unrolled_init(&swept, c);
    uint8_t *marks = memory_zalloc(nodes);
    Signal *map = memory_zalloc(nodes * sizeof *map);
    aig_mark_cone(&from->aig, from->next, c->fluent_count, marks);
    aig_mark_cone(&from->aig, from->outputs.items, from->outputs.count, marks);
    for (uint32_t i = 0; i <= c->move_count + c->fluent_count; i++)
        map[i] = i << 1;
    copy_gates(&swept.aig, &from->aig, marks, map, 1, (uint32_t)nodes);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        swept.next[f] = signal_mapped(map, from->next[f]);
    for (size_t i = 0; i < from->outputs.count; i++)
        vector_push(&swept.outputs, signal_mapped(map, from->outputs.items[i]));
    memory_free(marks, map);
    return swept;
}

/* Writes a number in groups of seven bits, the lowest first; the high bit tells that more
 * follow. */
static void write_delta(FILE *out, uint32_t delta) {
    for (; delta >= 128; delta >>= 7)
        putc((int)(128 | (delta & 127)), out);
    putc((int)delta, out);
}

static void write_gates(FILE *out, const Unrolled *u, uint32_t first, bool binary) {
    for (uint32_t i = first; i < u->aig.nodes.count; i++) {
        const AigNode *n = &u->aig.nodes.items[i];
        if (binary) {
            write_delta(out, 2 * i - n->b);
            write_delta(out, n->b - n->a);
        } else {
            fprintf(out, "%u %u %u\n", 2 * i, n->b, n->a);
        }
    }
}

static void write_numbers(FILE *out, const Circuit *c, const Unrolled *u, bool binary) {
    uint32_t inputs = c->move_count + c->fluent_count;
    uint32_t variables = (uint32_t)u->aig.nodes.count - 1;
    fprintf(out, "%s %u %u %u %zu %u\n", binary ? "aig" : "aag", variables, c->move_count,
            c->fluent_count, u->outputs.count, variables - inputs);
    for (uint32_t m = 0; m < c->move_count && !binary; m++)
        fprintf(out, "%u\n", move_input(m));
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        if (!binary)
            fprintf(out, "%u ", fluent_latch(c, f));
        fprintf(out, "%u %d\n", u->next[f], c->initial[f]);
    }
    for (size_t i = 0; i < u->outputs.count; i++)
        fprintf(out, "%u\n", u->outputs.items[i]);
    write_gates(out, u, 1 + inputs, binary);
}

static void name_fluent(Text *out, const Grounding *g, uint32_t fluent) {
    assert(fluent < g->fluents.count);
    text_add(out, "(true ");
    write_term(out, grounding_terms(g), g->fluents.items[fluent].term, NOTATION_KIF);
    text_add_char(out, ')');
}

/* (KEYWORD ROLE TERM) */
static void name_of_role(Text *out, const Grounding *g, const char *keyword, uint32_t role,
                         Term term) {
    assert(role < g->roles.count);
    text_printf(out, "(%s ", keyword);
    write_term(out, grounding_terms(g), g->roles.items[role], NOTATION_KIF);
    text_add_char(out, ' ');
    write_term(out, grounding_terms(g), term, NOTATION_KIF);
    text_add_char(out, ')');
}

static void name_move(Text *out, const Grounding *g, const char *keyword, uint32_t move) {
    assert(move < g->moves.count);
    name_of_role(out, g, keyword, g->moves.items[move].role, g->moves.items[move].term);
}

/* Names an output; the order is that of list_outputs. */
static void name_output(Text *out, const Circuit *c, const Grounding *g, size_t output) {
    if (output == 0) {
        text_add(out, "terminal");
    } else if (output <= c->move_count) {
        name_move(out, g, "legal", (uint32_t)output - 1);
    } else if (output <= c->move_count + c->goals.count) {
        const CircuitOutput *goal = &c->goals.items[output - 1 - c->move_count];
        name_of_role(out, g, "goal", goal->role, goal->term);
    } else {
        size_t percept = output - 1 - c->move_count - c->goals.count;
        assert(percept < c->percepts.count);
        const CircuitOutput *sees = &c->percepts.items[percept];
        name_of_role(out, g, "sees", sees->role, sees->term);
    }
}

static void write_symbols(FILE *out, const Circuit *c, const Grounding *g, size_t outputs) {
    Text name = {0};
    for (uint32_t m = 0; m < c->move_count; m++) {
        text_clear(&name);
        name_move(&name, g, "does", m);
        fprintf(out, "i%u %s\n", m, text_string(&name));
    }
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        text_clear(&name);
        name_fluent(&name, g, f);
        fprintf(out, "l%u %s\n", f, text_string(&name));
    }
    for (size_t i = 0; i < outputs; i++) {
        text_clear(&name);
        name_output(&name, c, g, i);
        fprintf(out, "o%zu %s\n", i, text_string(&name));
    }
    fprintf(out, "c\nWritten by marelle %s. In play exactly one move of each role is done.\n",
            MARELLE_VERSION);
    vector_free(&name);
}

static bool is_standard_output(const char *path) {
    return strcmp(path, "-") == 0;
}

static void report_unwritable(Report *report, const char *path, int reason) {
    report_error(report, "unwritable", "cannot write '%s': %s",
                 is_standard_output(path) ? "standard output" : path, strerror(reason));
}

static FILE *open_for_writing(const char *path, Report *report) {
    FILE *out = is_standard_output(path) ? stdout : fopen(path, "wb");
    if (!out)
        report_unwritable(report, path, errno);
    return out;
}

/* Errors such as a full disk often show only when the file is closed. */
static bool close_written(FILE *out, const char *path, Report *report) {
    errno = 0;
    bool failed = fflush(out) != 0 || ferror(out);
    int reason = errno;
    if (out != stdout && fclose(out) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (failed)
        report_unwritable(report, path, reason ? reason : EIO);
    return !failed;
}

static bool ends_in(const char *path, const char *end) {
    size_t length = strlen(path), end_length = strlen(end);
    return length >= end_length && strcmp(path + length - end_length, end) == 0;
}

bool circuit_write_aiger(const Circuit *circuit, const Grounding *grounding, const char *path,
                         Report *report) {
    Unrolled all;
    if (!unroll(circuit, &all)) {
        report_error(report, "too-large",
                     "the recursive rules unroll to more than %d million gates",
                     UNROLLED_MAX_NODES / 1000000);
        unrolled_free(&all);
        return false;
    }
    Unrolled u = without_dead_gates(circuit, &all);
    unrolled_free(&all);
    FILE *out = open_for_writing(path, report);
    bool ok = out != NULL;
    if (ok) {
        write_numbers(out, circuit, &u, ends_in(path, ".aig"));
        write_symbols(out, circuit, grounding, u.outputs.count);
        ok = close_written(out, path, report);
    }
    unrolled_free(&u);
    return ok;
}

static void write_quoted(FILE *out, const Text *text) {
    putc('"', out);
    for (const char *c = text_string(text); *c; c++) {
        if (*c == '"' || *c == '\\')
            putc('\\', out);
        putc(*c, out);
    }
    putc('"', out);
}

static void write_edge(FILE *out, Signal from, const char *to, uint32_t number, const char *style) {
    fprintf(out, "  n%u -> %s%u [style=%s%s];\n", signal_node(from), to, number, style,
            signal_is_complemented(from) ? ", arrowhead=odot" : "");
}

static void write_dot_inputs(FILE *out, const Circuit *c, const Grounding *g) {
    Text name = {0};
    fputs("  subgraph cluster_fluents { label=\"fluents\"; style=rounded;\n", out);
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        text_clear(&name);
        name_fluent(&name, g, f);
        fprintf(out, "    n%u [shape=box, style=filled, fillcolor=\"%s\", label=",
                signal_node(c->fluents[f]), c->initial[f] ? "#ffe9a8" : "#ffffff");
        write_quoted(out, &name);
        fputs("];\n", out);
    }
    fputs("  }\n  subgraph cluster_moves { label=\"moves\"; style=rounded;\n", out);
    for (uint32_t m = 0; m < c->move_count; m++) {
        text_clear(&name);
        name_move(&name, g, "does", m);
        fprintf(out, "    n%u [shape=cds, label=", signal_node(c->moves[m]));
        write_quoted(out, &name);
        fputs("];\n", out);
    }
    fputs("  }\n", out);
    vector_free(&name);
}

static void write_dot_output(FILE *out, const char *kind, uint32_t number, const Text *name) {
    fprintf(out, "    %s%u [shape=box, style=rounded, label=", kind, number);
    write_quoted(out, name);
    fputs("];\n", out);
}

static void write_dot_outputs(FILE *out, const Circuit *c, const Grounding *g) {
    Text name = {0};
    U32Vector outputs = {0};
    list_outputs(c, &outputs);
    fputs("  subgraph cluster_outputs { label=\"outputs\"; style=rounded;\n", out);
    for (uint32_t i = 0; i < outputs.count; i++) {
        text_clear(&name);
        name_output(&name, c, g, i);
        write_dot_output(out, "o", i, &name);
    }
    fputs("  }\n  subgraph cluster_next { label=\"next\"; style=rounded;\n", out);
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        text_clear(&name);
        text_add(&name, "(next ");
        write_term(&name, grounding_terms(g), g->fluents.items[f].term, NOTATION_KIF);
        text_add_char(&name, ')');
        write_dot_output(out, "x", f, &name);
    }
    fputs("  }\n", out);
    for (uint32_t i = 0; i < outputs.count; i++)
        write_edge(out, outputs.items[i], "o", i, "solid");
    for (uint32_t f = 0; f < c->fluent_count; f++)
        write_edge(out, c->next[f], "x", f, "solid");
    vectors_free(&outputs, &name);
}

static void write_dot_gates(FILE *out, const Circuit *c) {
    const Aig *aig = &c->aig;
    fputs("  n0 [shape=plaintext, label=\"false\"];\n", out);
    for (uint32_t i = 1; i < aig->nodes.count; i++) {
        if (!aig_is_and(aig, i))
            continue;
        fprintf(out, "  n%u [shape=circle, label=\"&\"];\n", i);
        write_edge(out, aig->nodes.items[i].a, "n", i, "solid");
        write_edge(out, aig->nodes.items[i].b, "n", i, "solid");
    }
    for (size_t l = 0; l < aig->loops.count; l++) {
        const AigLoop *loop = &aig->loops.items[l];
        for (size_t v = 0; v < loop->variables.count; v++) {
            fprintf(out, "  n%u [shape=diamond, label=\"loop %zu\"];\n", loop->variables.items[v],
                    l + 1);
            write_edge(out, loop->updates.items[v], "n", loop->variables.items[v], "dashed");
        }
    }
}

bool circuit_write_dot(const Circuit *circuit, const Grounding *grounding, const char *path,
                       Report *report) {
    if (circuit->aig.nodes.count > DOT_MAX_NODES) {
        report_error(report, "too-large", "a drawing of %zu nodes could not be read",
                     circuit->aig.nodes.count);
        report_hint(report, "up to %d are drawn; AIGER has no such limit", DOT_MAX_NODES);
        return false;
    }
    FILE *out = open_for_writing(path, report);
    if (!out)
        return false;
    fputs("// Dots on arrows negate; filled fluents hold at the start; dashed arrows feed the next "
          "iteration of a loop.\n"
          "digraph circuit {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=10];\n",
          out);
    write_dot_inputs(out, circuit, grounding);
    write_dot_gates(out, circuit);
    write_dot_outputs(out, circuit, grounding);
    fputs("}\n", out);
    return close_written(out, path, report);
}
