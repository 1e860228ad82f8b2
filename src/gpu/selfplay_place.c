/* Opens one of the two engines and remembers what has to be closed. */
#include "gpu/selfplay_place.h"

bool selfplay_open(SelfplayPlace *p, Model *model, bool on_gpu, Pool *pool) {
    *p = (SelfplayPlace){0};
    if (!on_gpu) {
        p->processor = dense_trainer_create(model->dense, pool);
        p->engine = dense_processor_engine(p->processor);
        return true;
    }
    p->gpu = gpu_open(&p->report);
    p->dense = p->gpu ? gpu_dense_create(p->gpu, model->dense, &p->report) : NULL;
    if (p->dense)
        p->engine = gpu_dense_engine(p->dense);
    return p->dense != NULL;
}

void selfplay_close(SelfplayPlace *p) {
    dense_trainer_free(p->processor);
    gpu_dense_free(p->dense);
    gpu_close(p->gpu);
    report_free(&p->report);
}
