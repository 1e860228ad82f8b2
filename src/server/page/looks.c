/* One list of errands, oldest first, and as many threads as looks may run, the first of which is
 * kept for games that somebody wants to open. An errand leaves the list when its findings are in
 * the store, or when nobody has asked for a while. */
#include "server/page/looks.h"

#include <string.h>

#include "base/monitor.h"
#include "base/table.h"
#include "server/json/json.h"
#include "server/page/worker.h"

enum {
    MAX_ERRANDS = 256, /* errands in the list, at most (untuned) */
    MAX_PLACES = 16
};
/* Seconds (untuned): of a look with the building of its game; after which a look that nobody asks
 * for ends; for which findings that are not final are kept. */
static const double longest = 30, patience = 6, keeping = 600;

typedef enum { ERRAND_WAITING, ERRAND_RUNNING, ERRAND_DONE } ErrandState;

typedef struct {
    uint64_t key;
    char *look, *rules;
    size_t length;
    ErrandState state;
    bool is_urgent, is_draft;
    bool is_opening;     /* nobody can play before it ends */
    bool is_unwanted;    /* it was stopped because nobody asks any more */
    unsigned waiters;    /* threads in looks_wait */
    double asked, begun; /* wall-clock times */
    Text found;          /* valid if done; not final */
} Errand;

struct Looks {
    LooksOptions options;
    Monitor monitor;
    VECTOR(Errand *) errands;
    pthread_t threads[MAX_PLACES];
    size_t thread_count;
    size_t started; /* threads that have begun to work */
    bool is_stopping;
};

static uint64_t key_of(const LookedAt *game, const char *look) {
    return hash_mix(game->hash, hash_bytes(look, strlen(look)));
}

static void errand_free(Errand *errand) {
    vector_free(&errand->found);
    memory_free(errand->look, errand->rules, errand);
}

static Errand *find(const Looks *looks, uint64_t key) {
    for (size_t i = 0; i < looks->errands.count; i++)
        if (looks->errands.items[i]->key == key)
            return looks->errands.items[i];
    return NULL;
}

static void remove_errand(Looks *looks, size_t index) {
    errand_free(looks->errands.items[index]);
    for (size_t i = index + 1; i < looks->errands.count; i++)
        looks->errands.items[i - 1] = looks->errands.items[i];
    looks->errands.count--;
}

static bool is_wanted(const Errand *errand) {
    double limit = errand->state == ERRAND_DONE ? keeping : patience;
    return errand->waiters || clock_wall_seconds() - errand->asked < limit;
}

/* Drops errands that nobody wants, except running ones, which end by themselves. */
static void tidy(Looks *looks) {
    for (size_t i = looks->errands.count; i-- > 0;)
        if (looks->errands.items[i]->state != ERRAND_RUNNING && !is_wanted(looks->errands.items[i]))
            remove_errand(looks, i);
}

/* ---- running ---- */

typedef struct {
    Looks *looks;
    Errand *errand;
} Running;

static bool goes_on(void *context) {
    Running *r = context;
    monitor_enter(&r->looks->monitor);
    bool ok = !r->looks->is_stopping && is_wanted(r->errand);
    monitor_leave(&r->looks->monitor);
    return ok;
}

/* Writes why there are no findings, as an object; the end of a process that had a limit is not the
 * last word about the game. */
static void explain(const Looks *looks, WorkerEnd end, Text *answer) {
    Text why = {0};
    if (end == WORKER_TIME)
        text_printf(&why, "it took longer than %.0f s", longest);
    else if (end == WORKER_MEMORY)
        text_printf(&why, "it needed more than %zu MB of memory", looks->options.bytes >> 20);
    else if (end == WORKER_REFUSED)
        text_add_bytes(&why, text_string(answer), answer->count);
    else
        text_add(&why, "it ended without an answer");
    text_clear(answer);
    write_json(answer, object_of("missing", take_text_json(&why), "final", json_boolean(false)));
}

static bool is_final(const Text *found) {
    json_t *object = json_loadb(text_string(found), found->count, 0, NULL);
    bool ok = object && !json_is_false(json_object_get(object, "final"));
    json_decref(object);
    return ok;
}

/* Runs the errand, outside the monitor. */
static void run(Looks *looks, Errand *errand) {
    Running running = {looks, errand};
    Report report = {0};
    WorkerTask task = {.program = looks->options.program,
                       .look = errand->look,
                       .rules = errand->rules,
                       .length = errand->length,
                       .seconds = longest,
                       .bytes = looks->options.bytes,
                       .is_awaited = errand->is_opening};
    text_clear(&errand->found);
    WorkerEnd end = worker_run(&task, goes_on, &running, &errand->found);
    errand->is_unwanted = end == WORKER_STOPPED;
    if (end != WORKER_DONE)
        explain(looks, end, &errand->found);
    if (end == WORKER_DONE && !errand->is_draft && is_final(&errand->found))
        store_set_facts(looks->options.store, errand->key, text_string(&errand->found), &report);
    report_free(&report);
}

/* 2 for an opening that somebody waits for, 1 for another look, 0 if nobody waits. */
static unsigned rank(const Errand *errand) {
    return errand->is_urgent ? 1 + errand->is_opening : 0;
}

/* The first errand of the highest rank, which must not be less than this one. */
static Errand *next_errand(const Looks *looks, unsigned least) {
    Errand *found = NULL;
    for (size_t i = 0; i < looks->errands.count; i++) {
        Errand *errand = looks->errands.items[i];
        if (errand->state == ERRAND_WAITING && rank(errand) >= least &&
            (!found || rank(errand) > rank(found)))
            found = errand;
    }
    return found;
}

/* An errand that was stopped leaves the list, unless somebody has asked again meanwhile. */
static void conclude(Looks *looks, Errand *errand) {
    errand->state = errand->is_unwanted ? ERRAND_WAITING : ERRAND_DONE;
    monitor_announce(&looks->monitor);
}

static void *work(void *context) {
    Looks *looks = context;
    monitor_enter(&looks->monitor);
    const unsigned least = looks->started++ ? 0 : 2;
    while (!looks->is_stopping) {
        tidy(looks);
        Errand *errand = next_errand(looks, least);
        if (!errand) {
            monitor_wait(&looks->monitor, deadline_never());
            continue;
        }
        errand->state = ERRAND_RUNNING;
        errand->begun = clock_wall_seconds();
        monitor_leave(&looks->monitor);
        run(looks, errand);
        monitor_enter(&looks->monitor);
        conclude(looks, errand);
    }
    monitor_leave(&looks->monitor);
    return NULL;
}

/* ---- asking ---- */

/* Drops the oldest findings that are not final; false if there are none. */
static bool drop_oldest(Looks *looks) {
    for (size_t i = 0; i < looks->errands.count; i++)
        if (looks->errands.items[i]->state == ERRAND_DONE && !looks->errands.items[i]->waiters) {
            remove_errand(looks, i);
            return true;
        }
    return false;
}

static Errand *add_errand(Looks *looks, const LookedAt *game, const char *look, Report *report) {
    if (looks->errands.count >= MAX_ERRANDS && !drop_oldest(looks)) {
        report_error(report, "busy", "too many people look inside games; try again in a minute");
        return NULL;
    }
    Errand *errand = memory_zalloc(sizeof *errand);
    errand->key = key_of(game, look);
    errand->look = memory_strdup(look);
    errand->is_opening = strcmp(look, "opening") == 0;
    errand->rules = memory_alloc(game->length + 1);
    memcpy(errand->rules, game->rules, game->length);
    errand->length = game->length;
    errand->is_draft = game->is_draft;
    errand->asked = clock_wall_seconds();
    vector_push(&looks->errands, errand);
    monitor_announce(&looks->monitor);
    return errand;
}

static size_t place_of(const Looks *looks, const Errand *errand) {
    size_t place = 1;
    for (size_t i = 0; looks->errands.items[i] != errand; i++)
        place += looks->errands.items[i]->state == ERRAND_WAITING;
    return place;
}

static void write_state(const Looks *looks, const Errand *errand, Text *json) {
    if (!errand)
        text_add(json, "{\"state\":\"none\"}");
    else if (errand->state == ERRAND_WAITING)
        text_printf(json, "{\"state\":\"waiting\",\"place\":%zu}", place_of(looks, errand));
    else if (errand->state == ERRAND_RUNNING)
        text_printf(json, "{\"state\":\"running\",\"seconds\":%.1f,\"limit\":%.0f}",
                    clock_wall_seconds() - errand->begun, longest);
    else
        text_printf(json, "{\"state\":\"done\",\"found\":%s}", text_string(&errand->found));
}

/* Writes what the store knows; false if that is nothing. */
static bool write_kept(const Looks *looks, uint64_t key, Text *json) {
    Text found = {0};
    Report report = {0};
    bool ok = store_get_facts(looks->options.store, key, &found, &report);
    if (ok)
        text_printf(json, "{\"state\":\"done\",\"found\":%s}", text_string(&found));
    vector_free(&found);
    report_free(&report);
    return ok;
}

bool looks_ask(Looks *looks, const LookedAt *game, const char *look, LookWish wish, Text *json,
               Report *report) {
    uint64_t key = key_of(game, look);
    bool ok = true;
    if (write_kept(looks, key, json))
        return true;
    monitor_enter(&looks->monitor);
    tidy(looks);
    Errand *errand = find(looks, key);
    if (!errand && wish != LOOK_ASK) {
        errand = add_errand(looks, game, look, report);
        ok = errand != NULL;
    } else if (errand && errand->state == ERRAND_DONE && wish == LOOK_AGAIN) {
        errand->state = ERRAND_WAITING;
        monitor_announce(&looks->monitor);
    }
    if (errand) {
        errand->asked = clock_wall_seconds();
        errand->is_urgent = true;
    }
    if (ok)
        write_state(looks, errand, json);
    monitor_leave(&looks->monitor);
    return ok;
}

bool looks_wait(Looks *looks, const LookedAt *game, const char *look, bool is_urgent, Text *found) {
    uint64_t key = key_of(game, look);
    Report report = {0};
    bool ok = store_get_facts(looks->options.store, key, found, &report);
    if (ok) {
        report_free(&report);
        return true;
    }
    monitor_enter(&looks->monitor);
    Errand *errand = find(looks, key);
    if (!errand && !looks->is_stopping)
        errand = add_errand(looks, game, look, &report);
    if (errand) {
        errand->waiters++;
        errand->is_urgent = errand->is_urgent || is_urgent;
        while (errand->state != ERRAND_DONE && !looks->is_stopping)
            monitor_wait(&looks->monitor, deadline_never());
        errand->waiters--;
        ok = errand->state == ERRAND_DONE;
        if (ok)
            text_add_bytes(found, text_string(&errand->found), errand->found.count);
        errand->asked = clock_wall_seconds();
    }
    monitor_leave(&looks->monitor);
    report_free(&report);
    return ok;
}

LooksLoad looks_load(Looks *looks) {
    LooksLoad load = {.places = looks->options.places};
    monitor_enter(&looks->monitor);
    for (size_t i = 0; i < looks->errands.count; i++) {
        load.busy += looks->errands.items[i]->state == ERRAND_RUNNING;
        load.waiting += looks->errands.items[i]->state == ERRAND_WAITING;
    }
    monitor_leave(&looks->monitor);
    return load;
}

/* ---- creation and destruction ---- */

Looks *looks_create(const LooksOptions *options) {
    Looks *looks = memory_zalloc(sizeof *looks);
    looks->options = *options;
    monitor_init(&looks->monitor);
    while (looks->thread_count < options->places + 1 && looks->thread_count < MAX_PLACES &&
           pthread_create(&looks->threads[looks->thread_count], NULL, work, looks) == 0)
        looks->thread_count++;
    if (looks->thread_count)
        return looks;
    looks_free(looks);
    return NULL;
}

void looks_stop(Looks *looks) {
    monitor_enter(&looks->monitor);
    looks->is_stopping = true;
    monitor_announce(&looks->monitor);
    monitor_leave(&looks->monitor);
}

void looks_free(Looks *looks) {
    if (!looks)
        return;
    looks_stop(looks);
    for (size_t i = 0; i < looks->thread_count; i++)
        pthread_join(looks->threads[i], NULL);
    for (size_t i = 0; i < looks->errands.count; i++)
        errand_free(looks->errands.items[i]);
    vector_free(&looks->errands);
    monitor_free(&looks->monitor);
    free(looks);
}
