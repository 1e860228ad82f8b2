/* Reads and writes model files: lines of words. The first word of a line names its content, counts
 * precede lists, and numbers are checked against bounds, so that a damaged file is refused before
 * memory is allocated. Version 1 has features and a network, version 2 dense layers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "learn/play/model.h"

static const char TITLE[] = "marelle-model";

/* ---- writing ---- */

static void write_moves(const Features *f, const Feature *item, Text *out) {
    MoveGroup group = f->groups.items[item->first];
    text_printf(out, "moves %u %u", item->count, group.role);
    if (group.word != SYMBOL_NONE)
        text_printf(out, " %s", symbols_name(&f->words, group.word));
    text_add(out, "\n");
}

static void write_features(const Features *f, Text *out) {
    text_printf(out, "features %zu\n", f->items.count);
    for (size_t i = 0; i < f->items.count; i++) {
        const Feature *item = &f->items.items[i];
        if (item->kind == FEATURE_MOVES) {
            write_moves(f, item, out);
            continue;
        }
        text_printf(out, "%s %u", item->kind == FEATURE_ALL ? "all" : "share", item->count);
        for (uint32_t k = 0; k < item->count; k++) {
            FactLiteral literal = f->literals.items[item->first + k];
            text_printf(out, " %s%u", literal_is_absence(literal) ? "-" : "+",
                        literal_fact(literal));
        }
        text_add(out, "\n");
    }
}

static void write_network(const Network *n, Text *out) {
    text_printf(out, "nodes %zu\n", n->nodes.count);
    for (size_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        text_printf(out, "%s %.9g %u", activation_name(node->activation), (double)node->bias,
                    node->edge_count);
        for (uint32_t e = 0; e < node->edge_count; e++)
            text_printf(out, " %u %.9g", n->edges.items[node->first_edge + e].from,
                        (double)n->edges.items[node->first_edge + e].weight);
        text_add(out, "\n");
    }
    text_add(out, "outputs");
    for (size_t o = 0; o < n->outputs.count; o++)
        text_printf(out, " %u", n->outputs.items[o]);
    text_add(out, "\n");
}

static void write_names(const char *what, const Symbols *names, Text *out) {
    text_printf(out, "%s %zu\n", what, names->names.count);
    for (uint32_t i = 0; i < names->names.count; i++)
        text_printf(out, "%s\n", symbols_name(names, i));
}

static void write_numbers(const float *numbers, size_t count, Text *out) {
    for (size_t i = 0; i < count; i++)
        text_printf(out, "%s%.9g", i ? " " : "", (double)numbers[i]);
    text_add(out, "\n");
}

/* A line for each row of weights, and one for the biases after them. */
static void write_block(const float *parameters, uint32_t rows, uint32_t columns, uint32_t biases,
                        Text *out) {
    for (uint32_t i = 0; i < rows; i++)
        write_numbers(parameters + (size_t)i * columns, columns, out);
    write_numbers(parameters + (size_t)rows * columns, biases, out);
}

static void write_dense(const Dense *d, Text *out) {
    const DenseShape *s = &d->shape;
    text_printf(out, "layers %u %u\n", s->layers, s->units);
    for (uint32_t l = 0; l < s->layers; l++)
        write_block(d->parameters + dense_layer_weights(s, l), l ? s->units : s->inputs, s->units,
                    s->units, out);
    write_block(d->parameters + dense_output_weights(s), s->outputs, s->units, s->outputs, out);
}

static void write_acceptance(const Model *m, Text *out) {
    if (m->needs_acceptance && !m->acceptance.matches)
        text_add(out, "gate none\n");
    else
        text_printf(out, "gate %lu %lu %lu\n", (unsigned long)m->acceptance.matches,
                    (unsigned long)m->acceptance.wins, (unsigned long)m->acceptance.draws);
}

void model_write(const Model *m, Text *out) {
    text_printf(out, "%s %d\nlearner %s\nroles %u\n", TITLE, m->dense ? 2 : 1, m->learner,
                m->role_count);
    for (uint32_t r = 0; r < m->role_count; r++)
        text_printf(out, "goals %.9g %.9g\n", m->ranges[r].lowest, m->ranges[r].highest);
    text_printf(out, "use %u %.9g %.9g %.9g\n", m->use.playout_turns, m->use.prior_visits,
                m->use.bias, m->use.leaf_share);
    write_acceptance(m, out);
    write_names("facts", &m->facts, out);
    if (m->dense) {
        for (uint32_t r = 0; r < m->role_count; r++)
            write_names("moves", &m->moves[r], out);
        write_dense(m->dense, out);
    } else {
        write_features(&m->features, out);
        write_network(&m->network, out);
    }
    text_add(out, "end\n");
}

/* ---- reading ---- */

typedef struct {
    const char *at, *end;
    uint32_t line; /* from 1 */
    bool is_good;
    const char *reason; /* reason of the error; NULL: the file is damaged */
} Words;

static void refuse_overflow(Words *w) {
    w->is_good = false;
    w->reason = "weights that make sums too large for a float";
}

/* Reads the next word of the line, which may be empty. A word that is too long is an error. */
static size_t take_word(Words *w, char word[64]) {
    size_t length = 0;
    while (w->at < w->end && *w->at == ' ')
        w->at++;
    for (; w->at < w->end && *w->at != ' ' && *w->at != '\n'; w->at++)
        if (length < 63)
            word[length++] = *w->at;
        else
            w->is_good = false;
    word[length] = '\0';
    return length;
}

static void take_line_end(Words *w) {
    w->is_good = w->is_good && w->at < w->end && *w->at == '\n';
    if (w->is_good) {
        w->at++;
        w->line++;
    }
}

static void expect(Words *w, const char *wanted) {
    char word[64];
    take_word(w, word);
    w->is_good = w->is_good && strcmp(word, wanted) == 0;
}

static uint32_t number_of(Words *w, const char *word, uint32_t most) {
    char *end;
    errno = 0;
    unsigned long number = strtoul(word, &end, 10);
    w->is_good = w->is_good && word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0 &&
                 number <= most;
    return w->is_good ? (uint32_t)number : 0;
}

static uint32_t take_number(Words *w, uint32_t most) {
    char word[64];
    take_word(w, word);
    return number_of(w, word, most);
}

static double take_real(Words *w) {
    char word[64], *end;
    size_t length = take_word(w, word);
    double real = strtod(word, &end);
    w->is_good = w->is_good && length > 0 && *end == '\0' && isfinite(real) && fabs(real) < 1e30;
    return w->is_good ? real : 0;
}

/* Reads a line with the length of the list that follows it. */
static uint32_t read_count(Words *w, const char *what, uint32_t least, uint32_t most) {
    expect(w, what);
    uint32_t count = take_number(w, most);
    w->is_good = w->is_good && count >= least;
    take_line_end(w);
    return count;
}

/* Reads texts, one per line, all of them different. */
static void read_names(Words *w, const char *what, uint32_t most, Symbols *names) {
    uint32_t count = read_count(w, what, 0, most);
    for (uint32_t f = 0; f < count && w->is_good; f++) {
        const char *end = memchr(w->at, '\n', (size_t)(w->end - w->at));
        w->is_good = end && end > w->at && !memchr(w->at, 0, (size_t)(end - w->at));
        if (!w->is_good)
            return;
        w->is_good = symbols_intern(names, w->at, (size_t)(end - w->at)) == f;
        w->at = end;
        take_line_end(w);
    }
}

/* The optional last word is the first word of the moves; without it all moves of the role count. */
static void read_moves(Words *w, Model *m) {
    char word[64];
    uint32_t most = take_number(w, INT32_MAX);
    uint32_t role = take_number(w, m->role_count - 1);
    take_word(w, word);
    w->is_good = w->is_good && most > 0 && m->features.groups.count < MODEL_MAX_GROUPS;
    take_line_end(w);
    if (w->is_good)
        features_add_moves(&m->features, role, word, most);
}

static void read_feature(Words *w, Model *m) {
    char word[64];
    Feature feature = {.first = (uint32_t)m->features.literals.count};
    take_word(w, word);
    if (strcmp(word, "moves") == 0) {
        read_moves(w, m);
        return;
    }
    bool is_all = strcmp(word, "all") == 0;
    w->is_good = w->is_good && (is_all || strcmp(word, "share") == 0);
    feature.kind = is_all ? FEATURE_ALL : FEATURE_SHARE;
    feature.count = take_number(w, MODEL_MAX_LITERALS);
    w->is_good = w->is_good && feature.count > 0;
    for (uint32_t k = 0; k < feature.count && w->is_good; k++) {
        take_word(w, word);
        w->is_good = (word[0] == '+' || word[0] == '-') && m->facts.names.count > 0 &&
                     m->features.literals.count < MODEL_MAX_LITERALS;
        uint32_t fact = number_of(w, word + 1, (uint32_t)m->facts.names.count - 1);
        vector_push(&m->features.literals, literal_of(fact, word[0] == '-'));
    }
    vector_push(&m->features.items, feature);
    take_line_end(w);
}

static void read_features(Words *w, Model *m) {
    uint32_t count = read_count(w, "features", 0, MODEL_MAX_FEATURES);
    for (uint32_t i = 0; i < count && w->is_good; i++)
        read_feature(w, m);
}

static Activation take_activation(Words *w) {
    char word[64];
    take_word(w, word);
    for (int a = 0; a < ACTIVATION_COUNT; a++)
        if (strcmp(word, activation_name((Activation)a)) == 0)
            return (Activation)a;
    w->is_good = false;
    return ACTIVATION_IDENTITY;
}

static void read_node(Words *w, Network *n) {
    Activation activation = take_activation(w);
    float bias = (float)take_real(w);
    uint32_t edges = take_number(w, MODEL_MAX_EDGES);
    network_add_node(n, activation, bias);
    for (uint32_t e = 0; e < edges && w->is_good && n->edges.count < MODEL_MAX_EDGES; e++) {
        /* Inputs and earlier nodes. */
        uint32_t sources = n->input_count + (uint32_t)n->nodes.count - 1;
        uint32_t from = take_number(w, MODEL_MAX_FEATURES + MODEL_MAX_NODES);
        w->is_good = w->is_good && from < sources;
        network_add_edge(n, from, (float)take_real(w));
    }
    take_line_end(w);
}

/* Refuses weights whose sums could overflow. Features of facts are 1 at most; numbers of moves are
 * bounded by INT32_MAX over their divisor. */
static void check_overflow(Words *w, const Model *m, uint32_t line_of_nodes) {
    const Features *f = &m->features;
    double *most = memory_alloc((f->items.count + 1) * sizeof *most);
    for (size_t i = 0; i < f->items.count; i++)
        most[i] = f->items.items[i].kind == FEATURE_MOVES
                      ? (double)INT32_MAX / (double)f->items.items[i].count
                      : 1;
    uint32_t unsound = network_find_unsound(&m->network, most);
    free(most);
    if (unsound == m->network.nodes.count)
        return;
    w->line = line_of_nodes + unsound;
    refuse_overflow(w);
}

static void read_network(Words *w, Model *m) {
    network_clear(&m->network, (uint32_t)m->features.items.count);
    uint32_t nodes = read_count(w, "nodes", 0, MODEL_MAX_NODES), line_of_nodes = w->line;
    for (uint32_t i = 0; i < nodes && w->is_good; i++)
        read_node(w, &m->network);
    if (w->is_good)
        check_overflow(w, m, line_of_nodes);
    expect(w, "outputs");
    for (uint32_t r = 0; r < m->role_count && w->is_good; r++)
        vector_push(&m->network.outputs, take_number(w, MODEL_MAX_NODES));
    take_line_end(w);
    w->is_good = w->is_good && network_is_sound(&m->network);
}

/* True if the rest of the file is long enough for that many numbers of at least two bytes each. */
static bool may_hold(const Words *w, size_t numbers) {
    return (size_t)(w->end - w->at) / 2 >= numbers;
}

static void read_numbers(Words *w, float *numbers, size_t count) {
    for (size_t i = 0; i < count && w->is_good; i++)
        numbers[i] = (float)take_real(w);
    take_line_end(w);
}

static void read_block(Words *w, float *parameters, uint32_t rows, uint32_t columns,
                       uint32_t biases) {
    for (uint32_t i = 0; i < rows && w->is_good; i++)
        read_numbers(w, parameters + (size_t)i * columns, columns);
    read_numbers(w, parameters + (size_t)rows * columns, biases);
}

static void read_dense(Words *w, Model *m) {
    size_t outputs = m->role_count;
    for (uint32_t r = 0; r < m->role_count && w->is_good; r++) {
        read_names(w, "moves", DENSE_MAX_OUTPUTS, &m->moves[r]);
        outputs += m->moves[r].names.count;
    }
    expect(w, "layers");
    DenseShape shape = {.inputs = (uint32_t)m->facts.names.count, .outputs = (uint32_t)outputs};
    shape.layers = take_number(w, DENSE_MAX_LAYERS);
    shape.units = take_number(w, DENSE_MAX_UNITS);
    take_line_end(w);
    w->is_good =
        w->is_good && dense_is_possible(&shape) && may_hold(w, dense_parameter_count(&shape));
    if (!w->is_good)
        return;
    m->dense = dense_create(&shape, 0);
    float *parameters = m->dense->parameters;
    for (uint32_t l = 0; l < shape.layers && w->is_good; l++)
        read_block(w, parameters + dense_layer_weights(&shape, l), l ? shape.units : shape.inputs,
                   shape.units, shape.units);
    read_block(w, parameters + dense_output_weights(&shape), shape.outputs, shape.units,
               shape.outputs);
    if (w->is_good && !dense_is_sound(m->dense))
        refuse_overflow(w);
}

/* `none` means that no match was played; zero matches mean that the model needs no acceptance. */
static void read_acceptance(Words *w, Model *m) {
    char word[64];
    expect(w, "gate");
    take_word(w, word);
    m->needs_acceptance = true;
    if (strcmp(word, "none") != 0) {
        m->acceptance.matches = number_of(w, word, UINT32_MAX);
        m->acceptance.wins = take_number(w, (uint32_t)m->acceptance.matches);
        m->acceptance.draws =
            take_number(w, (uint32_t)(m->acceptance.matches - m->acceptance.wins));
        m->needs_acceptance = m->acceptance.matches > 0;
    }
    take_line_end(w);
}

static void read_head(Words *w, Model *m) {
    char word[64];
    expect(w, "learner");
    w->is_good = take_word(w, word) > 0 && w->is_good;
    m->learner = memory_strdup(word);
    take_line_end(w);
    m->role_count = read_count(w, "roles", 1, DATASET_MAX_ROLES);
    for (uint32_t r = 0; r < m->role_count && w->is_good; r++) {
        expect(w, "goals");
        m->ranges[r].lowest = take_real(w);
        m->ranges[r].highest = take_real(w);
        take_line_end(w);
    }
    expect(w, "use");
    m->use.playout_turns = take_number(w, UINT32_MAX);
    m->use.prior_visits = take_real(w);
    m->use.bias = take_real(w);
    m->use.leaf_share = take_real(w);
    w->is_good = w->is_good && m->use.prior_visits >= 0 && m->use.bias >= 0 &&
                 m->use.leaf_share >= 0 && m->use.leaf_share <= 1;
    take_line_end(w);
    read_acceptance(w, m);
}

Model *model_read(Source *source, Report *report) {
    Words words = {source->text, source->text + source->length, 1, true, NULL};
    Model *m = memory_zalloc(sizeof *m);
    uint32_t version = read_count(&words, TITLE, 1, 2);
    read_head(&words, m);
    if (words.is_good)
        read_names(&words, "facts", DATASET_MAX_FACTS, &m->facts);
    if (words.is_good && version == 2)
        read_dense(&words, m);
    if (words.is_good && version == 1)
        read_features(&words, m);
    if (words.is_good && version == 1)
        read_network(&words, m);
    expect(&words, "end");
    if (!words.is_good) {
        report_error(report, "bad-model", "%s:%u: %s", source->name, words.line,
                     words.reason ? words.reason : "no model, or one that is damaged");
        model_free(m);
        m = NULL;
    }
    source_free(source);
    return m;
}
