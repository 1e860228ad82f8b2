/* A block of rows goes through the whole network while its values are in the nearest cache. Sums
 * and activations are plain loops over the block, which compilers turn into wide instructions; the
 * exponential is a polynomial for the same reason. Every processor level rounds alike, since no
 * product is fused with a sum. */
#include "learn/network.h"

#include <string.h>

#include "base/cpu.h"

const char *activation_name(Activation activation) {
    static const char *const names[] = {"identity", "clamp", "sigmoid", "tanh"};
    return names[activation];
}

void network_free(Network *n) {
    vector_free(&n->nodes);
    vector_free(&n->edges);
    vector_free(&n->outputs);
}

void network_clear(Network *n, uint32_t input_count) {
    n->input_count = input_count;
    vector_clear(&n->nodes);
    vector_clear(&n->edges);
    vector_clear(&n->outputs);
}

void network_copy(Network *to, const Network *from) {
    network_clear(to, from->input_count);
    for (size_t i = 0; i < from->nodes.count; i++)
        vector_push(&to->nodes, from->nodes.items[i]);
    for (size_t i = 0; i < from->edges.count; i++)
        vector_push(&to->edges, from->edges.items[i]);
    for (size_t i = 0; i < from->outputs.count; i++)
        vector_push(&to->outputs, from->outputs.items[i]);
}

uint32_t network_add_node(Network *n, Activation activation, float bias) {
    NetworkNode node = {activation, bias, (uint32_t)n->edges.count, 0};
    vector_push(&n->nodes, node);
    return (uint32_t)n->nodes.count - 1;
}

void network_add_edge(Network *n, uint32_t from, float weight) {
    NetworkEdge edge = {from, weight};
    vector_push(&n->edges, edge);
    vector_last(&n->nodes).edge_count++;
}

uint32_t network_hidden(const Network *n) {
    return (uint32_t)(n->nodes.count - n->outputs.count);
}

bool network_is_sound(const Network *n) {
    for (size_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        if (node->activation >= ACTIVATION_COUNT || !isfinite(node->bias) ||
            node->first_edge > n->edges.count ||
            node->edge_count > n->edges.count - node->first_edge)
            return false;
        for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
            if (n->edges.items[e].from >= n->input_count + i || !isfinite(n->edges.items[e].weight))
                return false;
    }
    for (size_t o = 0; o < n->outputs.count; o++)
        if (n->outputs.items[o] >= n->nodes.count)
            return false;
    return true;
}

/* 2^x for x in -126..126, to a few units of the last place: the whole part goes into the exponent,
 * the rest into Taylor's series of 2^r around 0. */
ALWAYS_INLINE float power_of_two(float x) {
    float whole = (float)(int32_t)(x + (x < 0 ? -0.5F : 0.5F));
    float r = x - whole, sum = 1.5403530e-4F;
    float p = sum * r;
    p = (p + 1.3333558e-3F) * r;
    p = (p + 9.6181291e-3F) * r;
    p = (p + 5.5504109e-2F) * r;
    p = (p + 2.4022651e-1F) * r;
    p = (p + 6.9314718e-1F) * r;
    p = p + 1.0F;
    union {
        int32_t bits;
        float value;
    } scale = {.bits = ((int32_t)whole + 127) << 23};
    return p * scale.value;
}

ALWAYS_INLINE float sigmoid(float x) {
    float y = x * -1.44269504F;
    y = y < -126 ? -126 : y;
    y = y > 126 ? 126 : y;
    return 1 / (1 + power_of_two(y));
}

ALWAYS_INLINE float activate(Activation activation, float sum) {
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

float activation_apply(Activation activation, float sum) {
    return activate(activation, sum);
}

ALWAYS_INLINE void activate_block(Activation activation, float *values) {
    switch (activation) {
    case ACTIVATION_CLAMP:
        for (int i = 0; i < MATRIX_BLOCK; i++)
            values[i] = activate(ACTIVATION_CLAMP, values[i]);
        break;
    case ACTIVATION_SIGMOID:
        for (int i = 0; i < MATRIX_BLOCK; i++)
            values[i] = activate(ACTIVATION_SIGMOID, values[i]);
        break;
    case ACTIVATION_TANH:
        for (int i = 0; i < MATRIX_BLOCK; i++)
            values[i] = activate(ACTIVATION_TANH, values[i]);
        break;
    case ACTIVATION_IDENTITY:
    case ACTIVATION_COUNT:
        break;
    }
}

/* Values of all nodes for the block of rows that starts at `row`. */
ALWAYS_INLINE void run_block(const Network *n, const Matrix *m, size_t row, float *values) {
    for (size_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        float sums[MATRIX_BLOCK];
        for (int k = 0; k < MATRIX_BLOCK; k++)
            sums[k] = node->bias;
        for (uint32_t e = 0; e < node->edge_count; e++) {
            NetworkEdge edge = n->edges.items[node->first_edge + e];
            const float *from = edge.from < n->input_count
                                    ? m->columns + edge.from * m->stride + row
                                    : values + (edge.from - n->input_count) * MATRIX_BLOCK;
            for (int k = 0; k < MATRIX_BLOCK; k++) {
                float product = edge.weight * from[k];
                sums[k] += product;
            }
        }
        activate_block(node->activation, sums);
        memcpy(values + i * MATRIX_BLOCK, sums, sizeof sums);
    }
}

ALWAYS_INLINE void predict(const Network *n, const Matrix *m, float *predictions) {
    float *values = memory_alloc((n->nodes.count + 1) * MATRIX_BLOCK * sizeof *values);
    for (size_t row = 0; row < m->stride; row += MATRIX_BLOCK) {
        run_block(n, m, row, values);
        for (size_t o = 0; o < n->outputs.count; o++)
            memcpy(predictions + o * m->stride + row, values + n->outputs.items[o] * MATRIX_BLOCK,
                   MATRIX_BLOCK * sizeof *values);
    }
    free(values);
}

CPU_TARGET_AVX512 static void predict_avx512(const Network *n, const Matrix *m, float *to) {
    predict(n, m, to);
}

CPU_TARGET_AVX2 static void predict_avx2(const Network *n, const Matrix *m, float *to) {
    predict(n, m, to);
}

void network_predict(const Network *n, const Matrix *m, float *predictions) {
    assert(n->input_count == m->input_count);
    if (cpu_has_avx512())
        predict_avx512(n, m, predictions);
    else if (cpu_has_avx2())
        predict_avx2(n, m, predictions);
    else
        predict(n, m, predictions);
}

ALWAYS_INLINE double absolute_error(const Network *n, const Matrix *m, bool *is_right) {
    float *values = memory_alloc((n->nodes.count + 1) * MATRIX_BLOCK * sizeof *values);
    double sum = 0;
    int32_t wrong = 0;
    for (size_t row = 0; row < m->stride; row += MATRIX_BLOCK) {
        float off[MATRIX_BLOCK] = {0}, part[8] = {0};
        const float *weights = m->weights + row;
        run_block(n, m, row, values);
        for (size_t o = 0; o < n->outputs.count; o++) {
            const float *own = values + n->outputs.items[o] * MATRIX_BLOCK;
            const float *targets = m->targets + o * m->stride + row;
            for (int k = 0; k < MATRIX_BLOCK; k++) {
                off[k] += fabsf(own[k] - targets[k]);
                wrong += ((own[k] > 0.5F) != (targets[k] > 0.5F)) & (weights[k] > 0);
            }
        }
        for (int k = 0; k < MATRIX_BLOCK; k++) {
            float product = off[k] * weights[k];
            part[k % 8] += product;
        }
        for (int k = 0; k < 8; k++)
            sum += (double)part[k];
    }
    free(values);
    *is_right = wrong == 0;
    return m->weight > 0 ? sum / m->weight / (double)m->output_count : 0;
}

CPU_TARGET_AVX512 static double absolute_error_avx512(const Network *n, const Matrix *m,
                                                      bool *is_right) {
    return absolute_error(n, m, is_right);
}

CPU_TARGET_AVX2 static double absolute_error_avx2(const Network *n, const Matrix *m,
                                                  bool *is_right) {
    return absolute_error(n, m, is_right);
}

double network_absolute_error(const Network *n, const Matrix *m, bool *is_right) {
    assert(n->input_count == m->input_count);
    return cpu_has_avx512() ? absolute_error_avx512(n, m, is_right)
           : cpu_has_avx2() ? absolute_error_avx2(n, m, is_right)
                            : absolute_error(n, m, is_right);
}

void network_step(const Network *n, const float *inputs, float *values) {
    for (size_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        float sum = node->bias;
        for (uint32_t e = 0; e < node->edge_count; e++) {
            NetworkEdge edge = n->edges.items[node->first_edge + e];
            float from =
                edge.from < n->input_count ? inputs[edge.from] : values[edge.from - n->input_count];
            float product = edge.weight * from;
            sum += product;
        }
        values[i] = activate(node->activation, sum);
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
            double p = (double)predictions[o * m->stride + i];
            double off = fabs(t - p), q = p < 1e-6 ? 1e-6 : p > 1 - 1e-6 ? 1 - 1e-6 : p;
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
