/* The file of runs is read, truncated to its last complete line, locked and appended to. Lines of
 * jobs that are not planned this time stay, and count in the tables. */
#include "cli/studies/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/table.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cluster/farm.h"

struct ExperimentWork {
    const Experiment *experiment;
    const ExperimentSetup *setup;
    Game *game; /* the game last asked for */
    char *game_name;
    ResultRows runs;
    Table done; /* indices of rows of `runs`, by the hash of their keys */
    uint32_t key_count;
    FILE *file; /* runs.csv, positioned at its end */
    bool has_failed;
};

bool experiment_has_part(const ExperimentSetup *setup, const char *part) {
    size_t length = strlen(part);
    const char *at = setup->parts;
    while (at && (strncmp(at, part, length) != 0 || (at[length] && at[length] != ','))) {
        const char *comma = strchr(at, ',');
        at = comma ? comma + 1 : NULL;
    }
    return !setup->parts || at;
}

const ExperimentSetup *experiment_setup(const ExperimentWork *work) {
    return work->setup;
}

Game *experiment_game(ExperimentWork *work, const char *name) {
    int status;
    if (work->game && strcmp(work->game_name, name) == 0)
        return work->game;
    game_free(work->game);
    free(work->game_name);
    work->game_name = memory_strdup(name);
    work->game = open_game(NULL, name, NULL, &status);
    return work->game;
}

const char *experiment_short_name(const char *game) {
    const char *slash = strrchr(game, '/');
    return slash ? slash + 1 : game;
}

/* ---- files ---- */

static char *path_of(const ExperimentWork *work, const char *name) {
    Text path = {0};
    text_printf(&path, "%s/%s", work->setup->folder, name);
    return path.items;
}

bool experiment_save(ExperimentWork *work, const char *name, const Text *text) {
    char *path = path_of(work, name);
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(text_string(text), 1, text->count, file) == text->count;
    ok = file && fclose(file) == 0 && ok;
    if (!ok) {
        complain("cannot write %s: %s", path, strerror(errno));
        work->has_failed = true;
    }
    free(path);
    return ok;
}

void experiment_add_plot(ExperimentWork *work, Text *page, const char *name, Plot *plot) {
    Text svg = {0}, file = {0};
    text_printf(&file, "%s.svg", name);
    plot_write_svg(plot, &svg);
    if (experiment_save(work, text_string(&file), &svg))
        text_printf(page, "![%s](%s)\n\n", plot->title ? plot->title : name, text_string(&file));
    vector_free(&svg);
    vector_free(&file);
    plot_free(plot);
}

void experiment_add_table(ExperimentWork *work, Text *page, const char *name, ResultRows *table) {
    Text csv = {0}, file = {0};
    text_printf(&file, "%s.csv", name);
    result_rows_write_csv(table, &csv);
    experiment_save(work, text_string(&file), &csv);
    result_rows_write_markdown(table, page);
    text_add_char(page, '\n');
    vector_free(&csv);
    vector_free(&file);
    result_rows_free(table);
}

void experiment_add_mean(ResultRows *table, const Summary *summary, int decimals) {
    if (summary->count == 0)
        result_rows_add_cell(table, "-");
    else if (summary->count == 1)
        result_rows_add_cell(table, "%.*f", decimals, summary->mean);
    else
        result_rows_add_cell(table, "%.*f ± %.*f", decimals, summary->mean, decimals,
                             summary_deviation(summary));
}

/* ---- earlier measurements ---- */

static uint64_t hash_keys(const ExperimentWork *work, const char *const *keys) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < work->key_count; i++)
        hash = hash_mix(hash, hash_bytes(keys[i], strlen(keys[i])));
    return hash_finish(hash);
}

static bool is_done(const ExperimentWork *work, const char *const *keys) {
    uint32_t row;
    for (TableProbe p = table_probe(&work->done, hash_keys(work, keys));
         table_next(&work->done, &p, &row);) {
        const char **known = work->runs.rows.items[row];
        uint32_t i = 0;
        while (i < work->key_count && strcmp(known[i], keys[i]) == 0)
            i++;
        if (i == work->key_count)
            return true;
    }
    return false;
}

static void note_as_done(ExperimentWork *work, size_t row) {
    table_insert(&work->done, hash_keys(work, work->runs.rows.items[row]), (uint32_t)row);
}

/* Reads the rows of an existing file and prepares it for appending. A new file gets its heading. */
static bool take_over(ExperimentWork *work, int fd, const char *path) {
    Text text = {0};
    bool ok = text_add_file(&text, fd);
    size_t length = text.count ? result_rows_read_csv(&work->runs, text.items, text.count) : 0;
    if (!ok) {
        complain("cannot read %s: %s", path, strerror(errno));
    } else if (text.count && !length) {
        complain("%s has other columns: it belongs to another study or version", path);
        ok = false;
    } else if (ftruncate(fd, (off_t)length) != 0 || lseek(fd, (off_t)length, SEEK_SET) < 0) {
        complain("cannot write %s: %s", path, strerror(errno));
        ok = false;
    }
    vector_free(&text);
    work->file = ok ? fdopen(fd, "wb") : NULL;
    if (work->file && !length) {
        Text heading = {0};
        result_rows_write_csv_line(&work->runs, work->runs.columns, &heading);
        fputs(text_string(&heading), work->file);
        ok = fflush(work->file) == 0;
        vector_free(&heading);
    }
    return ok && work->file;
}

static bool open_runs(ExperimentWork *work) {
    if (mkdir(work->setup->folder, 0777) != 0 && errno != EEXIST) {
        complain("cannot make %s: %s", work->setup->folder, strerror(errno));
        return false;
    }
    char *path = path_of(work, "runs.csv");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool ok = fd >= 0;
    if (!ok) {
        complain("cannot open %s: %s", path, strerror(errno));
    } else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        complain("another experiment is at work in %s", work->setup->folder);
        ok = false;
    }
    ok = ok && take_over(work, fd, path);
    if (!ok && !work->file && fd >= 0)
        close(fd);
    free(path);
    for (size_t i = 0; i < work->runs.rows.count; i++)
        note_as_done(work, i);
    return ok;
}

/* ---- running ---- */

typedef struct {
    ExperimentWork *work;
    const ResultRows *jobs;
    size_t next;
    Deadline deadline;
    Progress progress;
    ExperimentCounts *counts;
} Running;

static FarmNext next_job(void *context, uint64_t *job) {
    Running *r = context;
    while (r->next < r->jobs->rows.count && is_done(r->work, r->jobs->rows.items[r->next]))
        r->next++;
    progress_update(&r->progress, r->counts->done);
    if (r->next == r->jobs->rows.count || deadline_passed(r->deadline) || interrupt_requested())
        return FARM_NONE;
    *job = r->next++;
    return FARM_JOB;
}

/* Runs a job. The result consists of the cells of its row, each with its terminating zero. */
static bool run_job(void *context, uint64_t job, const Text *order, Text *result) {
    const Running *r = context;
    (void)order;
    ResultRows values;
    result_rows_init(&values, r->work->experiment->values);
    result_rows_add_row(&values);
    bool ok = r->work->experiment->run(r->work, r->jobs->rows.items[job], &values);
    for (uint32_t i = 0; ok && i < values.column_count; i++)
        text_add_bytes(result, values.rows.items[0][i], strlen(values.rows.items[0][i]) + 1);
    result_rows_free(&values);
    return ok;
}

static bool write_last_row(ExperimentWork *work) {
    Text line = {0};
    result_rows_write_csv_line(&work->runs, vector_last(&work->runs.rows), &line);
    bool ok = fputs(text_string(&line), work->file) >= 0 && fflush(work->file) == 0;
    if (!ok)
        complain("cannot write runs.csv: %s", strerror(errno));
    vector_free(&line);
    return ok;
}

static void keep_job(void *context, uint64_t job, bool is_ok, const Text *result) {
    Running *r = context;
    ExperimentWork *work = r->work;
    if (is_ok) {
        result_rows_add_row(&work->runs);
        for (uint32_t i = 0; i < work->key_count; i++)
            result_rows_add_cell(&work->runs, "%s", r->jobs->rows.items[job][i]);
        for (size_t at = 0; at < result->count; at += strlen(result->items + at) + 1)
            result_rows_add_cell(&work->runs, "%s", result->items + at);
        note_as_done(work, work->runs.rows.count - 1);
        is_ok = write_last_row(work);
    }
    r->counts->done += is_ok;
    r->counts->ran += is_ok;
    work->has_failed |= !is_ok && !interrupt_requested();
}

static void run_jobs(ExperimentWork *work, const ResultRows *jobs, Deadline deadline, bool is_quiet,
                     Cluster *cluster, ExperimentCounts *counts) {
    Running running = {.work = work, .jobs = jobs, .deadline = deadline, .counts = counts};
    for (size_t i = 0; i < jobs->rows.count; i++)
        counts->done += is_done(work, jobs->rows.items[i]);
    counts->planned = jobs->rows.count;
    progress_start(&running.progress, is_quiet ? NULL : stderr, work->experiment->name,
                   counts->planned);
    farm_run(cluster, &(Farm){next_job, NULL, run_job, keep_job, &running});
    progress_finish(&running.progress);
}

/* Adds FOLDER/notes.md, if there is one: remarks about the runs by a person, such as which build
 * they are from. */
static void add_notes(const ExperimentWork *work, Text *page) {
    Text path = {0};
    char part[4096];
    size_t length;
    text_printf(&path, "%s/notes.md", work->setup->folder);
    FILE *file = fopen(text_string(&path), "r");
    if (file) {
        text_add(page, "\n");
        while ((length = fread(part, 1, sizeof part, file)) > 0)
            text_printf(page, "%.*s", (int)length, part);
        fclose(file);
    }
    vector_free(&path);
}

/* Wraps long lines of prose, but not tables, headings, pictures or code. */
static void add_filled(Text *out, const Text *page) {
    enum { WIDTH = 120 };
    for (const char *line = text_string(page), *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        while (end - line > WIDTH && !strchr("|#! ", *line)) {
            const char *cut = line + WIDTH;
            while (cut > line && *cut != ' ')
                cut--;
            if (cut == line)
                break;
            text_printf(out, "%.*s\n", (int)(cut - line), line);
            line = cut + 1;
        }
        text_printf(out, "%.*s\n", (int)(end - line), line);
    }
}

static void write_page(ExperimentWork *work, const ExperimentCounts *counts) {
    Text page = {0}, filled = {0};
    work->experiment->report(work, &work->runs, &page);
    if (counts->done < counts->planned)
        text_printf(&page, "%lu of %lu planned runs are still missing.\n",
                    (unsigned long)(counts->planned - counts->done),
                    (unsigned long)counts->planned);
    add_notes(work, &page);
    add_filled(&filled, &page);
    experiment_save(work, "README.md", &filled);
    vector_free(&filled);
    vector_free(&page);
}

/* The columns of runs.csv are the keys and then the values. */
static void init_runs(ExperimentWork *work) {
    VECTOR(const char *) columns = {0};
    for (const char *const *key = work->experiment->keys; *key; key++, work->key_count++)
        vector_push(&columns, *key);
    for (const char *const *value = work->experiment->values; *value; value++)
        vector_push(&columns, *value);
    vector_push(&columns, NULL);
    result_rows_init(&work->runs, columns.items);
    vector_free(&columns);
}

bool experiment_run(const Experiment *experiment, const ExperimentSetup *setup, Deadline deadline,
                    bool is_quiet, Cluster *cluster, ExperimentCounts *counts) {
    ExperimentWork work = {.experiment = experiment, .setup = setup};
    *counts = (ExperimentCounts){0};
    init_runs(&work);
    bool keeps_files = cluster_rank(cluster) == 0, is_open = !keeps_files || open_runs(&work);
    ResultRows jobs;
    result_rows_init(&jobs, experiment->keys);
    if (is_open) /* if it cannot be opened, the other processes have nothing to do either */
        experiment->plan(setup, &jobs);
    run_jobs(&work, &jobs, deadline, is_quiet, cluster, counts);
    if (is_open && keeps_files)
        write_page(&work, counts);
    result_rows_free(&jobs);
    if (work.file && fclose(work.file) != 0)
        work.has_failed = true;
    counts->has_failed = work.has_failed;
    game_free(work.game);
    free(work.game_name);
    table_free(&work.done);
    result_rows_free(&work.runs);
    return is_open;
}
