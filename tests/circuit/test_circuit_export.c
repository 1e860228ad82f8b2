/* Tests exports of circuits: AIGER files are read back and simulated beside the circuit; DOT files
 * are checked for their parts. */
#include "circuit/circuit_export.h"

#include <unistd.h>

#include "build_support.h"
#include "random_aig.h"

typedef struct {
    uint32_t variables, inputs, latches, outputs, gates;
    uint32_t *next, *output, (*gate)[2];
    int *reset;
    char *rest; /* symbols and comment */
} Aiger;

static char *read_all(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    Text text = {0};
    for (int c; (c = getc(file)) != EOF;)
        text_add_char(&text, (char)c);
    fclose(file);
    text_add(&text, "");
    *length = text.count;
    return text.items;
}

static uint32_t read_number(const char **at) {
    char *end;
    uint32_t value = (uint32_t)strtoul(*at, &end, 10);
    cr_assert_neq(end, *at);
    *at = end + 1;
    return value;
}

static uint32_t read_delta(const char **at) {
    uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = (uint8_t) * (*at)++;
        value |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static void read_gates(Aiger *a, const char **at, bool binary) {
    for (uint32_t i = 0; i < a->gates; i++) {
        uint32_t lhs = 2 * (1 + a->inputs + a->latches + i);
        if (binary) {
            a->gate[i][0] = lhs - read_delta(at);
            a->gate[i][1] = a->gate[i][0] - read_delta(at);
        } else {
            cr_assert_eq(read_number(at), lhs);
            a->gate[i][0] = read_number(at);
            a->gate[i][1] = read_number(at);
        }
        cr_assert(lhs > a->gate[i][0] && a->gate[i][0] >= a->gate[i][1]);
    }
}

static Aiger read_aiger(const char *path) {
    size_t length;
    char *text = read_all(path, &length);
    bool binary = strncmp(text, "aig ", 4) == 0;
    cr_assert(binary || strncmp(text, "aag ", 4) == 0);
    const char *at = text + 4;
    Aiger a = {.variables = read_number(&at)};
    a.inputs = read_number(&at);
    a.latches = read_number(&at);
    a.outputs = read_number(&at);
    a.gates = read_number(&at);
    cr_assert_eq(a.variables, a.inputs + a.latches + a.gates);
    a.next = memory_alloc((a.latches + 1) * sizeof *a.next);
    a.reset = memory_alloc((a.latches + 1) * sizeof *a.reset);
    a.output = memory_alloc((a.outputs + 1) * sizeof *a.output);
    a.gate = memory_alloc((a.gates + 1) * sizeof *a.gate);
    for (uint32_t i = 0; i < a.inputs && !binary; i++)
        cr_assert_eq(read_number(&at), 2 * (1 + i));
    for (uint32_t i = 0; i < a.latches; i++) {
        if (!binary)
            cr_assert_eq(read_number(&at), 2 * (1 + a.inputs + i));
        a.next[i] = read_number(&at);
        a.reset[i] = (int)read_number(&at);
    }
    for (uint32_t i = 0; i < a.outputs; i++)
        a.output[i] = read_number(&at);
    read_gates(&a, &at, binary);
    a.rest = memory_strdup(at);
    free(text);
    return a;
}

static void aiger_free(Aiger *a) {
    free(a->next);
    free(a->reset);
    free(a->output);
    free(a->gate);
    free(a->rest);
}

static void simulate(const Aiger *a, uint8_t *values) {
    for (uint32_t i = 0; i < a->gates; i++)
        values[1 + a->inputs + a->latches + i] =
            value_of(values, a->gate[i][0]) && value_of(values, a->gate[i][1]);
}

static void write_to(const Built *b, const char *path) {
    Report report = {0};
    cr_assert(circuit_write_aiger(b->circuit, b->grounding, path, &report), "%s",
              first_problem(&report));
    report_free(&report);
}

/* Asserts that next states and outputs of the file equal those of the circuit for random states and
 * moves. */
static void check_behaviour(const Built *b, const Aiger *a) {
    const Circuit *c = b->circuit;
    uint8_t *ours = memory_zalloc(c->aig.nodes.count), *theirs = memory_zalloc(a->variables + 1);
    Random random;
    random_seed(&random, 9);
    cr_assert_eq(a->inputs, c->move_count);
    cr_assert_eq(a->latches, c->fluent_count);
    cr_assert_eq(a->outputs, 1 + c->move_count + c->goals.count + c->percepts.count);
    for (unsigned trial = 0; trial < 500; trial++) {
        for (uint32_t m = 0; m < c->move_count; m++)
            ours[signal_node(c->moves[m])] = theirs[1 + m] = (uint8_t)random_below(&random, 2);
        for (uint32_t f = 0; f < c->fluent_count; f++)
            ours[signal_node(c->fluents[f])] = theirs[1 + c->move_count + f] =
                (uint8_t)random_below(&random, 2);
        evaluate_plainly(&c->aig, ours);
        simulate(a, theirs);
        for (uint32_t f = 0; f < c->fluent_count; f++)
            cr_assert_eq(value_of(ours, c->next[f]), value_of(theirs, a->next[f]));
        cr_assert_eq(value_of(ours, c->terminal), value_of(theirs, a->output[0]));
        for (uint32_t m = 0; m < c->move_count; m++)
            cr_assert_eq(value_of(ours, c->legal[m]), value_of(theirs, a->output[1 + m]));
        for (size_t i = 0; i < c->goals.count; i++)
            cr_assert_eq(value_of(ours, c->goals.items[i].signal),
                         value_of(theirs, a->output[1 + c->move_count + i]));
    }
    for (uint32_t f = 0; f < c->fluent_count; f++)
        cr_assert_eq(a->reset[f], c->initial[f]);
    free(ours);
    free(theirs);
}

static void check_format(const char *suffix) {
    char path[100] = "/tmp/marelle-export-XXXXXX";
    close(mkstemp(path));
    unlink(path);
    strcat(path, suffix);
    for (int factor = 0; factor < 2; factor++) {
        Built b = build(switch_game, factor, factor); /* this game has a loop */
        cr_assert_gt(b.circuit->aig.loops.count, 0);
        write_to(&b, path);
        Aiger a = read_aiger(path);
        check_behaviour(&b, &a);
        cr_assert_not_null(strstr(a.rest, "(does a (go 1))\n"));
        cr_assert_not_null(strstr(a.rest, "(true never_changes)\n"));
        cr_assert_not_null(strstr(a.rest, "o0 terminal\n"));
        cr_assert_not_null(strstr(a.rest, "(goal b 100)\n"));
        aiger_free(&a);
        built_free(&b);
    }
    unlink(path);
}

Test(export, ascii_says_what_the_circuit_says) {
    check_format(".aag");
}

Test(export, binary_says_what_the_circuit_says) {
    check_format(".aig");
}

Test(export, percepts_are_outputs) {
    Built b = build("(role a) (role random) (init f) (legal a m) (legal random r)"
                    "(<= (sees a (saw ?f)) (true ?f) (does random r))",
                    true, true);
    char path[] = "/tmp/marelle-export-XXXXXX";
    close(mkstemp(path));
    write_to(&b, path);
    Aiger a = read_aiger(path);
    cr_assert_not_null(strstr(a.rest, "(sees a (saw f))\n"));
    aiger_free(&a);
    unlink(path);
    built_free(&b);
}

Test(export, unwritable_files_are_reported) {
    static const char *const paths[] = {"/nonexistent/folder/file.aig", "/dev/full", "/"};
    Built b = build(switch_game, true, true);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        Report report = {0};
        cr_assert(!circuit_write_aiger(b.circuit, b.grounding, paths[i], &report));
        cr_assert_str_eq(report.items.items[0].code, "unwritable");
        cr_assert(!circuit_write_dot(b.circuit, b.grounding, paths[i], &report));
        cr_assert_eq(report.items.count, 2);
        report_free(&report);
    }
    built_free(&b);
}

Test(export, dot_names_everything) {
    Built b = build(switch_game, true, true);
    char path[] = "/tmp/marelle-export-XXXXXX";
    close(mkstemp(path));
    Report report = {0};
    cr_assert(circuit_write_dot(b.circuit, b.grounding, path, &report));
    size_t length;
    char *text = read_all(path, &length);
    static const char *const parts[] = {"digraph circuit {",   "\"(true (cell 1))\"",
                                        "\"(does b (go 2))\"", "\"(next (open 3))\"",
                                        "\"terminal\"",        "loop 1",
                                        "style=dashed",        "cluster_moves"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_assert_not_null(strstr(text, parts[i]), "no %s", parts[i]);
    free(text);
    unlink(path);
    built_free(&b);
}

Test(export, dot_refuses_what_nobody_can_read) {
    Text game = {0};
    text_add(&game, "(role a) (init f) (<= (legal a (m ?x ?y)) (n ?x) (n ?y))");
    for (int i = 0; i < 80; i++)
        text_printf(&game, "(n %d)", i);
    Built b = build(game.items, true, true);
    Report report = {0};
    cr_assert(!circuit_write_dot(b.circuit, b.grounding, "/nonexistent/x", &report));
    cr_assert_str_eq(report.items.items[0].code, "too-large");
    report_free(&report);
    built_free(&b);
    vector_free(&game);
}
