/* The neural network of learn/networks/dense_layers.h on a GPU: evaluation of batches of rows, and
 * steps of training. Each thread computes a few numbers that no other thread writes, and adds them
 * up in a fixed order without synchronisation, so that results are reproducible. A thread keeps a
 * tile of rows and units in registers; neighbouring threads have the same rows and neighbouring
 * units. Without CUDA this file is C code that runs one thread after the other, for tests. */
typedef unsigned int word;
typedef unsigned long long wide;

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ __forceinline__
#define ALIGNED __align__(16)
#define UNROLLED _Pragma("unroll")
#define thread_number ((word)(blockIdx.x * blockDim.x + threadIdx.x))
#else
#include <math.h>
#define KERNEL void
#define DEVICE static inline
#define ALIGNED __attribute__((aligned(16)))
#define UNROLLED
word thread_number;
#endif

enum { TILE = 8 /* rows per thread; units are processed four at a time */ };

/* The argument of all kernels; gpu_dense.h declares the same struct. Starts are offsets into the
 * list that follows them, with one more item for the end. */
typedef struct {
    /* By parameter: the network, its gradient, and the two moments of Adam. */
    float *parameters, *gradient, *mean, *variance;
    /* The fields of DenseBatch, and the row of each wanted output. */
    const word *fact_starts, *facts, *group_starts, *outputs, *row_of;
    /* Inverted indexes: the rows of each input, the positions of each output in `outputs`. */
    const word *input_starts, *input_rows, *output_starts, *output_places;
    const float *targets; /* wanted values, parallel to `outputs` */
    /* By layer, row and unit: activations and their gradients. Parallel to `outputs`: sums before
     * sigmoid or softmax, which become gradients. By row: the loss. */
    float *activations, *deltas, *sums, *losses;
    word *ticket; /* receives `number` when all kernels before are done */
    wide stride;  /* floats between two layers of `said` and `blamed` */
    /* Sizes of the batch (place_count: wanted outputs) and of the network. */
    word rows, group_count, place_count;
    word inputs, output_count, layers, units, parameter_count;
    /* This launch: the hidden layer, the offsets of weights and biases, the number for the ticket.
     */
    word layer, weights, biases, number;
    /* Adam: step size, factor of weight decay, factor of the gradient, term of the divisor. */
    float rate, shrink, share, tiny;
} Task;

typedef struct ALIGNED {
    float a, b, c, d;
} Four;

DEVICE Four load(const float *from) {
    return *(const Four *)from;
}

DEVICE void store(float *to, Four value) {
    *(Four *)to = value;
}

DEVICE void add(Four *to, float by, Four value) {
    to->a += by * value.a;
    to->b += by * value.b;
    to->c += by * value.c;
    to->d += by * value.d;
}

DEVICE Four rectified(Four x) {
    Four y = {x.a > 0 ? x.a : 0, x.b > 0 ? x.b : 0, x.c > 0 ? x.c : 0, x.d > 0 ? x.d : 0};
    return y;
}

/* The derivative of the rectifier: the gradient passes where the unit was active. */
DEVICE Four masked(Four blame, Four activations) {
    Four y = {activations.a > 0 ? blame.a : 0, activations.b > 0 ? blame.b : 0, activations.c > 0 ? blame.c : 0,
              activations.d > 0 ? blame.d : 0};
    return y;
}

/* ---- forward ---- */

/* Each thread: one row, four units of the first layer. */
KERNEL dense_first(Task t) {
    word fours = t.units / 4, row = thread_number / fours, u = thread_number % fours * 4;
    if (row >= t.rows)
        return;
    Four sum = load(t.parameters + t.biases + u);
    for (word k = t.fact_starts[row]; k < t.fact_starts[row + 1]; k++)
        add(&sum, 1, load(t.parameters + (wide)t.facts[k] * t.units + u));
    store(t.activations + (wide)row * t.units + u, rectified(sum));
}

/* Each thread: eight rows, four units of a further hidden layer. */
KERNEL dense_layer(Task t) {
    word fours = t.units / 4, first = thread_number / fours * TILE, u = thread_number % fours * 4;
    if (first >= t.rows)
        return;
    const float *from = t.activations + (t.layer - 1) * t.stride + (wide)first * t.units;
    const float *weights = t.parameters + t.weights + u;
    Four sums[TILE];
    UNROLLED
    for (int r = 0; r < TILE; r++)
        sums[r] = load(t.parameters + t.biases + u);
    for (word i = 0; i < t.units; i += 4) {
        Four w0 = load(weights + (wide)i * t.units), w1 = load(weights + (wide)(i + 1) * t.units);
        Four w2 = load(weights + (wide)(i + 2) * t.units);
        Four w3 = load(weights + (wide)(i + 3) * t.units);
        UNROLLED
        for (int r = 0; r < TILE; r++) {
            Four x = load(from + (wide)r * t.units + i);
            add(&sums[r], x.a, w0);
            add(&sums[r], x.b, w1);
            add(&sums[r], x.c, w2);
            add(&sums[r], x.d, w3);
        }
    }
    UNROLLED
    for (int r = 0; r < TILE; r++)
        store(t.activations + t.layer * t.stride + (wide)(first + r) * t.units + u, rectified(sums[r]));
}

/* Each thread: one wanted output. */
KERNEL dense_outputs(Task t) {
    word k = thread_number;
    if (k >= t.place_count)
        return;
    word output = t.outputs[k];
    const float *top = t.activations + (t.layers - 1) * t.stride + (wide)t.row_of[k] * t.units;
    const float *weights = t.parameters + t.weights + (wide)output * t.units;
    Four sum = {0, 0, 0, 0};
    for (word i = 0; i < t.units; i += 4) {
        Four x = load(top + i), w = load(weights + i);
        sum.a += x.a * w.a;
        sum.b += x.b * w.b;
        sum.c += x.c * w.c;
        sum.d += x.d * w.d;
    }
    t.sums[k] = t.parameters[t.biases + output] + ((sum.a + sum.b) + (sum.c + sum.d));
}

/* ---- backward ---- */

DEVICE float surprise(float share) {
    return -logf(share > 1e-12f ? share : 1e-12f);
}

/* Each thread: the loss of a row. Replaces the sums of its outputs by their gradients. */
KERNEL dense_loss(Task t) {
    word row = thread_number;
    if (row >= t.rows)
        return;
    const word *starts = t.group_starts + (wide)row * t.group_count;
    float loss = 0;
    for (word k = starts[0]; k < starts[1]; k++) {
        float value = 1 / (1 + expf(-t.sums[k])), target = t.targets[k];
        loss += target * surprise(value) + (1 - target) * surprise(1 - value);
        t.sums[k] = value - target;
    }
    for (word g = 1; g < t.group_count; g++) {
        float most = -3e38f, all = 0;
        for (word k = starts[g]; k < starts[g + 1]; k++)
            most = t.sums[k] > most ? t.sums[k] : most;
        for (word k = starts[g]; k < starts[g + 1]; k++)
            all += expf(t.sums[k] - most);
        for (word k = starts[g]; k < starts[g + 1]; k++) {
            float share = expf(t.sums[k] - most) / all, target = t.targets[k];
            loss += target > 0 ? target * surprise(share) : 0;
            t.sums[k] = share - target;
        }
    }
    t.losses[row] = loss;
}

/* Each thread: the gradients of one row, four units of the last hidden layer. */
KERNEL dense_delta_top(Task t) {
    word fours = t.units / 4, row = thread_number / fours, u = thread_number % fours * 4;
    if (row >= t.rows)
        return;
    wide place = (t.layers - 1) * t.stride + (wide)row * t.units + u;
    Four sum = {0, 0, 0, 0};
    for (word k = t.group_starts[(wide)row * t.group_count];
         k < t.group_starts[(wide)(row + 1) * t.group_count]; k++)
        add(&sum, t.sums[k], load(t.parameters + t.weights + (wide)t.outputs[k] * t.units + u));
    store(t.deltas + place, masked(sum, load(t.activations + place)));
}

/* Each thread: the gradients of eight rows, one unit of the layer below. They come through the
 * weights that leave the unit. */
KERNEL dense_delta(Task t) {
    word first = thread_number / t.units * TILE, i = thread_number % t.units;
    if (first >= t.rows)
        return;
    const float *from = t.deltas + t.layer * t.stride + (wide)first * t.units;
    const float *weights = t.parameters + t.weights + (wide)i * t.units;
    wide below = (t.layer - 1) * t.stride + (wide)first * t.units + i;
    Four sums[TILE];
    UNROLLED
    for (int r = 0; r < TILE; r++) {
        Four none = {0, 0, 0, 0};
        sums[r] = none;
    }
    for (word u = 0; u < t.units; u += 4) {
        Four w = load(weights + u);
        UNROLLED
        for (int r = 0; r < TILE; r++) {
            Four x = load(from + (wide)r * t.units + u);
            sums[r].a += x.a * w.a;
            sums[r].b += x.b * w.b;
            sums[r].c += x.c * w.c;
            sums[r].d += x.d * w.d;
        }
    }
    UNROLLED
    for (int r = 0; r < TILE; r++) {
        float sum = (sums[r].a + sums[r].b) + (sums[r].c + sums[r].d);
        t.deltas[below + (wide)r * t.units] = t.activations[below + (wide)r * t.units] > 0 ? sum : 0;
    }
}

/* Each thread: the gradient of four weights of an input, summed over the rows that have the
 * input. */
KERNEL dense_gradient_inputs(Task t) {
    word fours = t.units / 4, input = thread_number / fours, u = thread_number % fours * 4;
    if (input >= t.inputs)
        return;
    Four sum = {0, 0, 0, 0};
    for (word k = t.input_starts[input]; k < t.input_starts[input + 1]; k++)
        add(&sum, 1, load(t.deltas + (wide)t.input_rows[k] * t.units + u));
    store(t.gradient + (wide)input * t.units + u, sum);
}

/* Each thread: the gradient of four weights of an output, summed over all places where it is
 * wanted. */
KERNEL dense_gradient_outputs(Task t) {
    word fours = t.units / 4, output = thread_number / fours, u = thread_number % fours * 4;
    if (output >= t.output_count)
        return;
    const float *top = t.activations + (t.layers - 1) * t.stride + u;
    Four sum = {0, 0, 0, 0};
    float bias = 0;
    for (word k = t.output_starts[output]; k < t.output_starts[output + 1]; k++) {
        word place = t.output_places[k];
        float blame = t.sums[place];
        add(&sum, blame, load(top + (wide)t.row_of[place] * t.units));
        bias += blame;
    }
    store(t.gradient + t.weights + (wide)output * t.units + u, sum);
    if (u == 0)
        t.gradient[t.biases + output] = bias;
}

/* Each thread: the gradient of the weights from four units to four units of a hidden layer, summed
 * over all rows. */
KERNEL dense_gradient_layer(Task t) {
    word fours = t.units / 4, source = thread_number / fours * 4, u = thread_number % fours * 4;
    if (source >= t.units)
        return;
    const float *activations = t.activations + (t.layer - 1) * t.stride + source;
    const float *deltas = t.deltas + t.layer * t.stride + u;
    Four sums[4];
    UNROLLED
    for (int i = 0; i < 4; i++) {
        Four none = {0, 0, 0, 0};
        sums[i] = none;
    }
    for (word row = 0; row < t.rows; row++) {
        Four x = load(activations + (wide)row * t.units), blame = load(deltas + (wide)row * t.units);
        add(&sums[0], x.a, blame);
        add(&sums[1], x.b, blame);
        add(&sums[2], x.c, blame);
        add(&sums[3], x.d, blame);
    }
    UNROLLED
    for (int i = 0; i < 4; i++)
        store(t.gradient + t.weights + (wide)(source + i) * t.units + u, sums[i]);
}

/* Each thread: the gradient of four biases of a hidden layer. */
KERNEL dense_gradient_biases(Task t) {
    word u = thread_number * 4;
    if (u >= t.units)
        return;
    Four sum = {0, 0, 0, 0};
    for (word row = 0; row < t.rows; row++)
        add(&sum, 1, load(t.deltas + t.layer * t.stride + (wide)row * t.units + u));
    store(t.gradient + t.biases + u, sum);
}

KERNEL dense_adam(Task t) {
    word i = thread_number;
    if (i >= t.parameter_count)
        return;
    float g = t.gradient[i] * t.share;
    float mean = 0.9f * t.mean[i] + (1 - 0.9f) * g;
    float variance = 0.999f * t.variance[i] + (1 - 0.999f) * (g * g);
    t.mean[i] = mean;
    t.variance[i] = variance;
    t.parameters[i] = t.shrink * t.parameters[i] - t.rate * mean / (sqrtf(variance) + t.tiny);
}

/* The kernels of a stream run in order, so the ticket tells the processor that all before are
 * done. */
KERNEL dense_sign(Task t) {
    if (thread_number == 0)
        *t.ticket = t.number;
}
