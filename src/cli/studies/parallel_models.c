/* For a distributed tree, messages are counted: from owner to owner on the path down, from the
 * owner of the leaf to the other owners during the backup, and from one machine to all others when
 * copies are synchronised. For nested searches, jobs have the durations measured on this
 * machine. */
#include "cli/studies/parallel_models.h"

#include "base/table.h"
#include "search/single/nested.h"
#include "search/uct/uct.h"

/* ---- a distributed tree ---- */

typedef struct {
    uint64_t key, passed; /* passed: simulations since the copies were synchronised */
} Copied;

typedef struct {
    const DistributedTree *tree;
    VECTOR(Copied) copies;
    Table table;
    uint64_t simulations, messages;
    bool *is_told; /* scratch, by machine: true if no message has to be sent to it */
} MessageCount;

static Copied *copy_of(MessageCount *c, uint64_t key) {
    uint32_t id;
    uint64_t hash = hash_finish(key);
    for (TableProbe p = table_probe(&c->table, hash); table_next(&c->table, &p, &id);)
        if (c->copies.items[id].key == key)
            return &c->copies.items[id];
    table_insert(&c->table, hash, (uint32_t)c->copies.count);
    vector_push(&c->copies, ((Copied){key, 0}));
    return &vector_last(&c->copies);
}

static void pass_copy(MessageCount *c, uint64_t key) {
    if (!c->tree->period)
        return;
    Copied *copy = copy_of(c, key);
    if (++copy->passed < c->tree->period)
        return;
    copy->passed = 0;
    c->messages += c->tree->machines - 1;
}

static uint32_t owner_of(const MessageCount *c, uint64_t key) {
    return (uint32_t)(hash_finish(key) % c->tree->machines);
}

/* Simulations start on the machines in turn. */
static void count_messages(void *context, const uint64_t *keys, const uint32_t *visits,
                           size_t count) {
    MessageCount *c = context;
    uint32_t machines = c->tree->machines, at = (uint32_t)(c->simulations++ % machines);
    for (uint32_t m = 0; m < machines; m++)
        c->is_told[m] = true;
    for (size_t i = 0; i < count; i++) {
        if (visits[i] >= c->tree->duplicated) {
            pass_copy(c, keys[i]);
            continue;
        }
        uint32_t owner = owner_of(c, keys[i]);
        c->messages += owner != at;
        at = owner;
        c->is_told[owner] = false;
    }
    c->is_told[at] = true; /* it ran the playout */
    for (uint32_t m = 0; m < machines; m++)
        c->messages += !c->is_told[m];
}

bool model_distributed_tree(Game *game, const DistributedTree *tree, uint64_t simulations,
                            Measured *measured) {
    MessageCount count = {.tree = tree,
                          .is_told = memory_zalloc(tree->machines * sizeof *count.is_told)};
    PathWatcher watcher = {count_messages, &count};
    UctOptions own = {.paths = &watcher};
    SearchOptions options = {.batch = 1, .leaf_playouts = 1, .own = &own};
    Report report = {0};
    State state = {0};
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Search *search = search_create(&uct_search, game, 0, &options, &report);
    if (search) {
        game_initial(work, &state);
        search_set_state(search, &state);
        search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = simulations});
        /* At the end all other machines send their values of the first moves to the first one. */
        measured->points = (double)(count.messages + tree->machines - 1);
        measured->matches = (double)count.simulations;
    }
    bool ok = search != NULL;
    search_free(search);
    state_free(&state);
    game_work_free(work);
    report_free(&report);
    vector_free(&count.copies);
    table_free(&count.table);
    free(count.is_told);
    return ok;
}

/* ---- nested searches ---- */

typedef struct {
    VECTOR(double) jobs; /* by job, over all steps: seconds */
    VECTOR(size_t) ends; /* by step: index after its last job */
} Median;

static void note_step(void *context, const double *seconds, size_t count) {
    Median *median = context;
    for (size_t i = 0; i < count; i++)
        vector_push(&median->jobs, seconds[i]);
    vector_push(&median->ends, median->jobs.count);
}

typedef struct {
    size_t step;
    double ready; /* time at which the jobs of the step are available, in seconds */
} Progress;

static unsigned first_free(const double *free_at, unsigned clients) {
    unsigned first = 0;
    for (unsigned c = 1; c < clients; c++)
        if (free_at[c] < free_at[first])
            first = c;
    return first;
}

/* Returns the median whose next step is ready first; the number of medians if all are done. */
static unsigned next_median(const Median *medians, const Progress *progress, unsigned count) {
    unsigned next = count;
    for (unsigned m = 0; m < count; m++)
        if (progress[m].step < medians[m].ends.count &&
            (next == count || progress[m].ready < progress[next].ready))
            next = m;
    return next;
}

/* Returns the time at which the last job ends, in seconds. There are as many medians as clients.
 * The jobs of a step become available together, and the next step begins when the last of them is
 * done. */
static double play_jobs(const Median *medians, unsigned clients, Dispatch dispatch) {
    double *free_at = memory_zalloc(clients * sizeof *free_at), end = 0;
    Progress *progress = memory_zalloc(clients * sizeof *progress);
    unsigned turn = 0;
    for (unsigned m; (m = next_median(medians, progress, clients)) < clients;) {
        size_t step = progress[m].step++;
        double ready = progress[m].ready;
        for (size_t j = step ? medians[m].ends.items[step - 1] : 0; j < medians[m].ends.items[step];
             j++) {
            unsigned c =
                dispatch == DISPATCH_ROUND_ROBIN ? turn++ % clients : first_free(free_at, clients);
            free_at[c] = (free_at[c] > ready ? free_at[c] : ready) + medians[m].jobs.items[j];
            if (free_at[c] > progress[m].ready)
                progress[m].ready = free_at[c];
        }
        end = progress[m].ready > end ? progress[m].ready : end;
    }
    free(free_at);
    free(progress);
    return end;
}

bool model_nested(Game *game, Dispatch dispatch, unsigned clients, double seconds,
                  Measured *measured) {
    if (game->role_count != 1 || !game_has_circuit(game))
        return false;
    Median *medians = memory_zalloc(clients * sizeof *medians);
    for (unsigned m = 0; m < clients; m++) {
        NestedWatcher watcher = {note_step, &medians[m]};
        NestedOptions options = {.level = 2, .seed = m + 1, .watcher = &watcher};
        NestedResult result;
        nested_search(game, NULL, &options, &(SearchBudget){.deadline = deadline_in(seconds)},
                      &result);
        nested_result_free(&result);
        for (size_t j = 0; j < medians[m].jobs.count; j++)
            measured->matches += medians[m].jobs.items[j];
    }
    measured->seconds = play_jobs(medians, clients, dispatch);
    for (unsigned m = 0; m < clients; m++) {
        vector_free(&medians[m].jobs);
        vector_free(&medians[m].ends);
    }
    free(medians);
    return true;
}
