/* A block of rows passes the whole network while its values are in the nearest cache, sixteen rows
 * per vector. The exponential is a polynomial, so that it is vectorised as well. All levels of
 * processors round alike, because no product is fused with a sum. */
#include "learn/networks/neural_network.h"

#include <string.h>

#include "base/cpu.h"

const char *activation_name(Activation activation) {
    static const char *const names[] = {"identity", "clamp", "sigmoid", "tanh"};
    assert(activation < ACTIVATION_COUNT);
    return names[activation];
}

void network_free(Network *n) {
    vectors_free(&n->nodes, &n->edges, &n->outputs);
}

void network_clear(Network *n, uint32_t input_count) {
    n->input_count = input_count;
    vector_clear(&n->nodes);
    vector_clear(&n->edges);
    vector_clear(&n->outputs);
}

void network_copy(Network *to, const Network *from) {
    network_clear(to, from->input_count);
    vector_append(&to->nodes, from->nodes.items, from->nodes.count);
    vector_append(&to->edges, from->edges.items, from->edges.count);
    vector_append(&to->outputs, from->outputs.items, from->outputs.count);
}

uint32_t network_add_node(Network *n, Activation activation, float bias) {
    vector_push(&n->nodes, ((NetworkNode){activation, bias, (uint32_t)n->edges.count, 0}));
    return (uint32_t)n->nodes.count - 1;
}

void network_add_edge(Network *n, uint32_t from, float weight) {
    assert(n->nodes.count > 0);
    vector_push(&n->edges, ((NetworkEdge){from, weight}));
    vector_last(&n->nodes).edge_count++;
}

uint32_t network_hidden(const Network *n) {
    assert(n->outputs.count <= n->nodes.count);
    return (uint32_t)(n->nodes.count - n->outputs.count);
}

/* Returns the largest possible absolute value of a node's sum. `values` has the largest absolute
 * values of inputs, then of nodes. INFINITY if the node is not sound. */
static double most_of_sum(const Network *n, uint32_t number, const double *values) {
    const NetworkNode *node = &n->nodes.items[number];
    double sum = fabs((double)node->bias);
    if (node->activation >= ACTIVATION_COUNT || node->first_edge > n->edges.count ||
        node->edge_count > n->edges.count - node->first_edge)
        return INFINITY;
    for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        NetworkEdge edge = n->edges.items[e];
        if (edge.from >= n->input_count + number)
            return INFINITY;
        sum += fabs((double)edge.weight) * values[edge.from];
    }
    return sum;
}

uint32_t network_find_unsound(const Network *n, const double *most) {
    uint32_t node = 0;
    double *values = memory_alloc((n->input_count + n->nodes.count + 1) * sizeof *values);
    for (uint32_t i = 0; i < n->input_count; i++)
        values[i] = most ? most[i] : 1;
    for (; node < n->nodes.count; node++) {
        double sum = most_of_sum(n, node, values);
        if (!(sum < NETWORK_MAX_SUM))
            break;
        values[n->input_count + node] =
            n->nodes.items[node].activation == ACTIVATION_IDENTITY ? sum : 1;
    }
    free(values);
    return node;
}

bool network_is_sound(const Network *n) {
    for (size_t o = 0; o < n->outputs.count; o++)
        if (n->outputs.items[o] >= n->nodes.count)
            return false;
    return network_find_unsound(n, NULL) == n->nodes.count;
}

/* Sixteen floats at any address; without wide registers the compiler uses several. */
enum { WIDE = 16, PARTS = MATRIX_BLOCK / WIDE };
typedef float Wide __attribute__((vector_size(WIDE * sizeof(float)), aligned(4)));
typedef int32_t WideInts __attribute__((vector_size(WIDE * sizeof(int32_t)), aligned(4)));

/* Adding and subtracting this number rounds a float to a whole number, in its last bits. */
#define ROUNDER 12582912.0F

/* 1 / (1 + 2^x) for x in -126..126: the whole part of x goes into the exponent, the rest r into the
 * Taylor series of 2^r around 0. Used for floats and for vectors with the same rounding. */
#define SIGMOID_OF(Type, Ints, x, result)                                                          \
    do {                                                                                           \
        Type shifted = (x) + ROUNDER, r = (x) - (shifted - ROUNDER), p = r * 1.5403530e-4F;        \
        Ints bits;                                                                                 \
        Type power;                                                                                \
        p = (p + 1.3333558e-3F) * r;                                                               \
        p = (p + 9.6181291e-3F) * r;                                                               \
        p = (p + 5.5504109e-2F) * r;                                                               \
        p = (p + 2.4022651e-1F) * r;                                                               \
        p = (p + 6.9314718e-1F) * r;                                                               \
        p = p + 1.0F;                                                                              \
        memcpy(&bits, &shifted, sizeof bits);                                                      \
        bits = (bits - 0x4b400000 + 127) << 23;                                                    \
        memcpy(&power, &bits, sizeof power);                                                       \
        (result) = 1.0F / (1.0F + p * power);                                                      \
    } while (0)

static const float EXPONENT = -1.44269504F, MAX_EXPONENT = 126;
/* Distance that cross-entropy keeps from 0 and 1: 2^-20, so that both bounds are exact floats. */
static const float CERTAIN = 9.5367431640625e-7F;

static float sigmoid(float x) {
    float y = x * EXPONENT, result;
    y = y < -MAX_EXPONENT ? -MAX_EXPONENT : y;
    y = y > MAX_EXPONENT ? MAX_EXPONENT : y;
    SIGMOID_OF(float, int32_t, y, result);
    return result;
}

float activation_apply(Activation activation, float sum) {
    switch (activation) {
    case ACTIVATION_CLAMP: {
        float value = (sum + 1) * 0.5F;
        value = value < 0 ? 0 : value;
        return value > 1 ? 1 : value;
    }
    case ACTIVATION_SIGMOID:
        return sigmoid(sum);
    case ACTIVATION_TANH: {
        float twice = 2 * sigmoid(2 * sum);
        return twice - 1;
    }
    case ACTIVATION_IDENTITY:
    case ACTIVATION_COUNT:
        break;
    }
    return sum;
}

/* Limits each element to low..high. */
ALWAYS_INLINE void limit_wide(Wide *x, float low, float high) {
    Wide lows = (Wide){0} + low, highs = (Wide){0} + high;
    WideInts below = *x<lows, above = *x> highs, bits, low_bits, high_bits;
    memcpy(&bits, x, sizeof bits);
    memcpy(&low_bits, &lows, sizeof bits);
    memcpy(&high_bits, &highs, sizeof bits);
    bits = (bits & ~below & ~above) | (low_bits & below) | (high_bits & above);
    memcpy(x, &bits, sizeof bits);
}

ALWAYS_INLINE void sigmoid_wide(Wide *x, float scale) {
    Wide y = *x * (scale * EXPONENT);
    limit_wide(&y, -MAX_EXPONENT, MAX_EXPONENT);
    SIGMOID_OF(Wide, WideInts, y, *x);
}

ALWAYS_INLINE void activate_wide(Activation activation, Wide *x) {
    if (activation == ACTIVATION_CLAMP) {
        *x = (*x + 1.0F) * 0.5F;
        limit_wide(x, 0, 1);
    } else if (activation == ACTIVATION_SIGMOID) {
        sigmoid_wide(x, 1);
    } else if (activation == ACTIVATION_TANH) {
        sigmoid_wide(x, 2);
        *x = *x * 2.0F - 1.0F;
    }
}

ALWAYS_INLINE void activate_all_generic(Activation activation, float *sums, size_t count) {
    for (size_t i = 0; i < count; i += WIDE) {
        Wide x;
        memcpy(&x, sums + i, sizeof x);
        activate_wide(activation, &x);
        memcpy(sums + i, &x, sizeof x);
    }
}

CPU_DISPATCH(void, activate_all, (Activation activation, float *sums, size_t count),
             (activation, sums, count))

void activation_apply_all(Activation activation, float *sums, size_t count) {
    assert(activation < ACTIVATION_COUNT);
    activate_all(activation, sums, count);
}

/* Computes the values of all nodes for the block of rows that starts at `row`. */
ALWAYS_INLINE void run_block(const Network *n, const Matrix *m, size_t row, float *values) {
    for (size_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        Wide sums[PARTS];
        for (int k = 0; k < PARTS; k++)
            sums[k] = (Wide){0} + node->bias;
        for (uint32_t e = 0; e < node->edge_count; e++) {
            NetworkEdge edge = n->edges.items[node->first_edge + e];
            const Wide *from =
                (const Wide *)(edge.from < n->input_count
                                   ? m->columns + edge.from * m->stride + row
                                   : values + (edge.from - n->input_count) * MATRIX_BLOCK);
            for (int k = 0; k < PARTS; k++)
                sums[k] += from[k] * edge.weight;
        }
        for (int k = 0; k < PARTS; k++)
            activate_wide(node->activation, &sums[k]);
        memcpy(values + i * MATRIX_BLOCK, sums, sizeof sums);
    }
}

ALWAYS_INLINE void predict_generic(const Network *n, const Matrix *m, float *predictions) {
    float *values = memory_alloc((n->nodes.count + 1) * MATRIX_BLOCK * sizeof *values);
    for (size_t row = 0; row < m->stride; row += MATRIX_BLOCK) {
        run_block(n, m, row, values);
        for (size_t o = 0; o < n->outputs.count; o++)
            memcpy(predictions + o * m->stride + row, values + n->outputs.items[o] * MATRIX_BLOCK,
                   MATRIX_BLOCK * sizeof *values);
    }
    free(values);
}

CPU_DISPATCH(void, predict, (const Network *n, const Matrix *m, float *to), (n, m, to))

void network_predict(const Network *n, const Matrix *m, float *predictions) {
    assert(n->input_count == m->input_count);
    predict(n, m, predictions);
}

/* Natural logarithms of positive numbers. A number is split into a power of two and a factor
 * between the square roots of 1/2 and 2, for which the series in (x - 1) / (x + 1) is short. */
ALWAYS_INLINE void log_wide(Wide *x) {
    enum { ROOT_OF_HALF = 0x3f3504f3, FRACTION_BITS = 23 };
    WideInts bits, exponents;
    memcpy(&bits, x, sizeof bits);
    exponents = (bits - ROOT_OF_HALF) >> FRACTION_BITS;
    bits -= exponents << FRACTION_BITS;
    memcpy(x, &bits, sizeof bits);
    Wide ratio = (*x - 1.0F) / (*x + 1.0F), square = ratio * ratio, series = square * (2.0F / 7);
    series = (series + 2.0F / 5) * square;
    series = (series + 2.0F / 3) * square;
    series = (series + 2.0F) * ratio;
    *x = __builtin_convertvector(exponents, Wide) * 0.69314718F + series;
}

ALWAYS_INLINE void add_distance(Wide *sum, const Wide *own, const Wide *targets) {
    Wide difference = *own - *targets, negative = -difference;
    limit_wide(&difference, 0, 2);
    limit_wide(&negative, 0, 2);
    *sum += difference + negative;
}

ALWAYS_INLINE void add_cross_entropy(Wide *sum, const Wide *own, const Wide *targets) {
    Wide likely = *own, unlikely;
    limit_wide(&likely, CERTAIN, 1 - CERTAIN);
    unlikely = 1.0F - likely;
    log_wide(&likely);
    log_wide(&unlikely);
    *sum -= *targets * likely + (1.0F - *targets) * unlikely;
}

/* Returns the weighted mean absolute error or cross-entropy. *is_right, unless NULL, becomes true
 * if all predictions are on the right side of 0.5. */
ALWAYS_INLINE double mean_error_generic(const Network *n, const Matrix *m, bool is_entropy,
                                        bool *is_right) {
    assert(n->input_count == m->input_count && n->outputs.count == m->output_count);
    float *values = memory_alloc((n->nodes.count + 1) * MATRIX_BLOCK * sizeof *values);
    double sum = 0, part[WIDE] = {0};
    WideInts wrong = {0};
    bool is_wrong = false;
    for (size_t row = 0; row < m->stride; row += MATRIX_BLOCK) {
        run_block(n, m, row, values);
        for (int k = 0; k < PARTS; k++) {
            const Wide *weights = (const Wide *)(m->weights + row) + k;
            Wide off = {0};
            for (size_t o = 0; o < n->outputs.count; o++) {
                const Wide *own = (const Wide *)(values + n->outputs.items[o] * MATRIX_BLOCK) + k;
                const Wide *targets = (const Wide *)(m->targets + o * m->stride + row) + k;
                if (is_entropy)
                    add_cross_entropy(&off, own, targets);
                else
                    add_distance(&off, own, targets);
                wrong |= ((*own > 0.5F) ^ (*targets > 0.5F)) & (*weights > 0.0F);
            }
            off *= *weights;
            for (int lane = 0; lane < WIDE; lane++)
                part[lane] += (double)off[lane];
        }
    }
    for (int lane = 0; lane < WIDE; lane++) {
        sum += part[lane];
        is_wrong = is_wrong || wrong[lane];
    }
    free(values);
    if (is_right)
        *is_right = !is_wrong;
    return m->weight > 0 ? sum / m->weight / (double)m->output_count : 0;
}

CPU_DISPATCH(double, mean_error,
             (const Network *n, const Matrix *m, bool is_entropy, bool *is_right),
             (n, m, is_entropy, is_right))

double network_absolute_error(const Network *n, const Matrix *m, bool *is_right) {
    return mean_error(n, m, false, is_right);
}

double network_cross_entropy(const Network *n, const Matrix *m) {
    return mean_error(n, m, true, NULL);
}

void network_step(const Network *n, const float *inputs, const float *before, float *after) {
    for (size_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        float sum = node->bias;
        for (uint32_t e = 0; e < node->edge_count; e++) {
            NetworkEdge edge = n->edges.items[node->first_edge + e];
            float from =
                edge.from < n->input_count ? inputs[edge.from] : before[edge.from - n->input_count];
            float product = edge.weight * from;
            sum += product;
        }
        after[i] = activation_apply(node->activation, sum);
    }
}

Errors errors_of(const Matrix *m, const float *predictions) {
    Errors e = {0};
    double weight = m->weight > 0 ? m->weight : 1, each = weight * (double)m->output_count;
    for (size_t i = 0; i < m->rows; i++) {
        bool is_close = true, is_right = true;
        double w = (double)m->weights[i];
        for (uint32_t o = 0; o < m->output_count; o++) {
            double t = (double)m->targets[o * m->stride + i];
            double p = (double)predictions[o * m->stride + i], low = (double)CERTAIN;
            double off = fabs(t - p), q = p < low ? low : p > 1 - low ? 1 - low : p;
            e.absolute += w * off / each;
            e.squared += w * off * off / each;
            e.cross_entropy -= w * (t * log(q) + (1 - t) * log(1 - q)) / each;
            is_close = is_close && off <= 0.25;
            is_right = is_right && (t > 0.5) == (p > 0.5);
        }
        e.close += is_close ? w / weight : 0;
        e.right += is_right ? w / weight : 0;
    }
    return e;
}

Errors network_errors(const Network *n, const Matrix *m) {
    float *predictions = memory_zalloc((m->stride * n->outputs.count + 1) * sizeof *predictions);
    network_predict(n, m, predictions);
    Errors errors = errors_of(m, predictions);
    free(predictions);
    return errors;
}
