/* Dense layers on the GPU against the processor: the same sums, losses and weights, and how fast.
 *
 *     build/tests/dense_check [--steps N]
 *
 * Shapes of several sizes are asked about random rows and trained on them side by side. Sums are
 * compared before every step; the exit status is 1 if anything is off by more than floats
 * explain. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "gpu/gpu_dense.h"

typedef struct {
    DenseShape shape;
    uint32_t roles, facts; /* facts that hold in a row */
    uint32_t legal;        /* moves of a row */
    uint32_t rows;
} Case;

static void make_rows(const Case *c, Random *random, DenseBatch *b, FloatVector *targets) {
    uint32_t moves = c->shape.outputs - c->roles;
    dense_batch_clear(b, 1 + c->roles);
    vector_clear(targets);
    for (uint32_t row = 0; row < c->rows; row++) {
        for (uint32_t f = 0; f < c->facts; f++)
            vector_push(&b->facts, (uint32_t)random_below(random, c->shape.inputs));
        for (uint32_t r = 0; r < c->roles; r++) {
            vector_push(&b->outputs, r);
            vector_push(targets, (float)random_double(random));
        }
        dense_batch_end_group(b);
        for (uint32_t r = 0; r < c->roles; r++) {
            uint32_t count = r == row % c->roles ? c->legal : 0;
            for (uint32_t m = 0; m < count; m++) {
                vector_push(&b->outputs, c->roles + (uint32_t)random_below(random, moves));
                vector_push(targets, 1 / (float)count);
            }
            dense_batch_end_group(b);
        }
        dense_batch_end_row(b);
    }
}

static double farthest(const float *a, const float *b, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double apart = fabs((double)a[i] - (double)b[i]);
        most = apart > most || isnan(apart) ? apart : most;
    }
    return most;
}

/* On average: Adam's steps are equally long however small the gradient, so that single weights
 * whose gradient is next to nothing go either way. */
static double mean_apart(const float *a, const float *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs((double)a[i] - (double)b[i]);
    return sum / (double)count;
}

/* Both slots at once, on the GPU; once on the processor. */
static double compare_sums(const DenseEngine *gpu, const DenseEngine *here, const DenseBatch *b) {
    size_t count = b->outputs.count;
    float *sums = memory_zalloc(3 * (count + 1) * sizeof *sums);
    float *there[2] = {sums, sums + count + 1}, *expected = sums + 2 * (count + 1);
    bool ok = true;
    for (unsigned slot = 0; slot < 2; slot++)
        ok = ok && gpu->start(gpu->context, slot, b, there[slot]);
    for (unsigned slot = 0; slot < 2; slot++)
        ok = ok && gpu->finish(gpu->context, slot);
    here->start(here->context, 0, b, expected);
    double first = farthest(there[0], expected, count);
    double second = farthest(there[1], expected, count);
    free(sums);
    return ok ? first > second ? first : second : INFINITY;
}

static double seconds_of_batches(const DenseEngine *e, const DenseBatch *b, int batches) {
    float *sums = memory_zalloc(2 * (b->outputs.count + 1) * sizeof *sums);
    double started = clock_wall_seconds();
    for (int i = 0; i < batches; i++) {
        unsigned slot = (unsigned)i % 2;
        if (i > 1)
            e->finish(e->context, slot);
        e->start(e->context, slot, b, sums + slot * (b->outputs.count + 1));
    }
    for (unsigned slot = 0; slot < 2; slot++)
        e->finish(e->context, slot);
    double seconds = clock_wall_seconds() - started;
    free(sums);
    return seconds / batches;
}

static double seconds_of_steps(const DenseEngine *e, const DenseBatch *b, const float *targets,
                               Dense *scratch, int steps) {
    DenseStep step = {.rate = 1e-4, .decay = 0.01};
    double loss, started = clock_wall_seconds();
    for (int i = 0; i < steps; i++)
        e->train(e->context, b, targets, &step, &loss);
    e->fetch(e->context, scratch);
    return (clock_wall_seconds() - started) / steps;
}

static bool check(Gpu *gpu, const Case *c, int steps, Report *report) {
    Random random;
    random_seed(&random, c->rows);
    Dense *dense = dense_create(&c->shape, 1), *there = dense_copy(dense);
    Pool *pool = pool_create(0);
    DenseTrainer *processor = dense_trainer_create(dense, pool);
    DenseEngine here = dense_processor_engine(processor);
    GpuDense *device = gpu_dense_create(gpu, dense, report);
    DenseBatch b = {0};
    FloatVector targets = {0};
    bool ok = device != NULL;
    double apart = 0, losses = 0, weights = 0;
    if (ok) {
        DenseEngine e = gpu_dense_engine(device);
        DenseStep step = {.rate = 0.001, .decay = 0.01};
        for (int i = 0; ok && i < steps; i++) {
            double here_loss, gpu_loss;
            make_rows(c, &random, &b, &targets);
            double sums = compare_sums(&e, &here, &b);
            ok = e.train(e.context, &b, targets.items, &step, &gpu_loss);
            here.train(here.context, &b, targets.items, &step, &here_loss);
            apart = sums > apart ? sums : apart;
            losses = i == 0 ? fabs(gpu_loss - here_loss) : losses;
        }
        ok = ok && e.fetch(e.context, there);
        weights =
            mean_apart(there->parameters, dense->parameters, dense_parameter_count(&c->shape));
        double asked = seconds_of_batches(&e, &b, 200),
               asked_here = seconds_of_batches(&here, &b, 8);
        double trained = seconds_of_steps(&e, &b, targets.items, there, 100);
        double trained_here = seconds_of_steps(&here, &b, targets.items, there, 5);
        ok = ok && apart < 0.02 && losses < 1e-3 && weights < 1e-4;
        printf("%4u facts %4u outputs %u x %4u units %5u rows: sums %.1e loss %.1e weights %.1e "
               "apart; a batch %.3f ms (processor %.3f), a step %.3f ms (%.3f) %s\n",
               c->shape.inputs, c->shape.outputs, c->shape.layers, c->shape.units, c->rows, apart,
               losses, weights, 1e3 * asked, 1e3 * asked_here, 1e3 * trained, 1e3 * trained_here,
               ok ? "ok" : "NOT OK");
    }
    gpu_dense_free(device);
    dense_trainer_free(processor);
    pool_free(pool);
    dense_free(dense);
    dense_free(there);
    dense_batch_free(&b);
    vector_free(&targets);
    return ok;
}

int main(int argc, char **argv) {
    static const Case cases[] = {
        {{.inputs = 40, .outputs = 11, .layers = 1, .units = 32}, 1, 9, 5, 17},
        {{.inputs = 130, .outputs = 18, .layers = 2, .units = 256}, 2, 43, 7, 512},
        {{.inputs = 130, .outputs = 18, .layers = 2, .units = 256}, 2, 43, 7, 1024},
        {{.inputs = 200, .outputs = 312, .layers = 2, .units = 256}, 2, 35, 25, 1024},
        {{.inputs = 500, .outputs = 4001, .layers = 3, .units = 512}, 3, 70, 60, 1001},
    };
    int steps = argc > 2 && strcmp(argv[1], "--steps") == 0 ? atoi(argv[2]) : 10;
    Report report = {0};
    bool ok = true;
    Gpu *gpu = gpu_open(&report);
    if (gpu)
        printf("%s, %u processors\n", gpu_properties(gpu)->name, gpu_properties(gpu)->processors);
    for (size_t i = 0; gpu && i < sizeof cases / sizeof *cases; i++)
        ok = check(gpu, &cases[i], steps, &report) && ok;
    if (report_failed(&report))
        fprintf(stderr, "dense_check: %s\n", report.items.items[0].message);
    ok = ok && gpu && !report_failed(&report);
    gpu_close(gpu);
    report_free(&report);
    return ok ? 0 : 1;
}
