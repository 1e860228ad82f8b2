/* Data sets for the public interface: calls into learn/data. */
#include <string.h>

#include "api/api_internal.h"
#include "learn/data/collect.h"
#include "learn/data/fluents.h"
#include "learn/data/puzzles.h"
#include "server/json/json.h"
#include "server/json/learning_json.h"

static MarelleData *wrap(DataSet *set) {
    MarelleData *data = memory_zalloc(sizeof *data);
    data->set = set;
    return data;
}

DataSet *data_of_game(const MarelleData *data, MarelleGame *game, MarelleProblem *problem) {
    Text why_not = {0};
    DataSet *own = dataset_of_game(data->set, game->game, &why_not);
    if (!own)
        refuse(problem, MARELLE_UNFIT, "the data is not about this game: %s",
               text_string(&why_not));
    vector_free(&why_not);
    return own;
}

/* ---- where data comes from ---- */

/* The number of a word in a list; the first one for NULL, -1 if it is not there. */
static int word_number(const char *word, const char *const *words) {
    int number = 0;
    while (word && words[number] && strcmp(words[number], word) != 0)
        number++;
    return !word || words[number] ? number : -1;
}

/* Reads the words of the options. False if one of them does not exist. */
static bool read_words(const MarelleCollectOptions *o, CollectOptions *own) {
    static const char *const sources[] = {"uct", "guided", "random", NULL};
    static const CollectSource source_of[] = {COLLECT_UCT, COLLECT_GUIDED, COLLECT_RANDOM};
    static const char *const states[] = {"before", "ends", "all", NULL};
    static const CollectStates states_of[] = {COLLECT_BEFORE_ENDS, COLLECT_ENDS, COLLECT_ALL};
    static const char *const targets[] = {"values", "final", "mixed", NULL};
    static const double shares[] = {-1, 0, 0.5};
    int source = word_number(o->source, sources), which = word_number(o->states, states),
        target = word_number(o->targets, targets);
    if (source < 0 || which < 0 || target < 0)
        return false;
    own->source = source_of[source];
    own->states = states_of[which];
    own->value_share = shares[target];
    return true;
}

static Deadline collecting_deadline(const MarelleCollectOptions *o) {
    bool is_limited = o->seconds > 0 || o->cpu_seconds > 0 || o->matches || o->rows || o->stopped;
    Deadline deadline = deadline_after(is_limited ? o->seconds : LEARNING_SECONDS);
    return o->cpu_seconds > 0 ? deadline_with_cpu(deadline, o->cpu_seconds) : deadline;
}

MarelleStatus marelle_data_collect(MarelleGame *game, const MarelleCollectOptions *options,
                                   MarelleData **data, MarelleProblem *problem) {
    static const MarelleCollectOptions defaults;
    const MarelleCollectOptions *o = options ? options : &defaults;
    CollectOptions own = {.matches = o->matches,
                          .rows = o->rows,
                          .stopped = o->stopped,
                          .seed = o->seed,
                          .playouts = o->playouts,
                          .merges = o->merges};
    *data = NULL;
    if (!is_time(o->seconds) || !is_time(o->cpu_seconds) || !is_zero(o->reserved) ||
        o->threads > MAX_API_THREADS || !read_words(o, &own))
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "an option is out of range or a word that does not exist");
    if (game->game->role_count > DATASET_MAX_ROLES)
        return refuse(problem, MARELLE_UNFIT, "there are more than %d roles", DATASET_MAX_ROLES);
    own.deadline = collecting_deadline(o);
    Pool *pool = pool_create(o->threads ? o->threads : 1);
    DataSet *set = collect(game->game, &own, pool);
    pool_free(pool);
    if (!set)
        return refuse(problem, MARELLE_SPENT, "no match came to an end with goals");
    *data = wrap(set);
    return succeed(problem);
}

MarelleStatus marelle_data_read(const char *name, const char *bytes, size_t length,
                                MarelleData **data, MarelleProblem *problem) {
    Report report = {0};
    *data = NULL;
    if (!dataset_recognise(bytes, length))
        return refuse(problem, MARELLE_MALFORMED, "this is no data set");
    Source *source = source_from_text(name, bytes, length, &report);
    DataSet *set = source ? dataset_read(source, &report) : NULL;
    if (!set)
        return refuse_by_report(problem, MARELLE_MALFORMED, &report);
    report_free(&report);
    *data = wrap(set);
    return succeed(problem);
}

MarelleData *marelle_data_puzzle(const char *name, uint64_t seed, uint64_t rows) {
    static const struct {
        const char *name;
        DataSet *(*make)(void);
    } puzzles[] = {{"exclusive_or", puzzle_exclusive_or},
                   {"paire", puzzle_paire},
                   {"nim", puzzle_nim},
                   {"lines_27", puzzle_lines_27},
                   {"tictactoe", puzzle_tictactoe}};
    enum { MAX_ROWS = 1 << 24 };
    for (size_t i = 0; i < sizeof puzzles / sizeof *puzzles; i++)
        if (strcmp(puzzles[i].name, name) == 0)
            return wrap(puzzles[i].make());
    if (rows > MAX_ROWS)
        return NULL;
    if (strcmp(name, "roshambo") == 0)
        return wrap(puzzle_roshambo(seed, rows));
    return strcmp(name, "point_grab") == 0 ? wrap(puzzle_point_grab(seed, rows)) : NULL;
}

void marelle_data_free(MarelleData *data) {
    if (!data)
        return;
    dataset_free(data->set);
    free(data);
}

/* ---- what is in it ---- */

char *marelle_data_write(const MarelleData *data, const char *format, size_t *length) {
    Text text = {0};
    bool is_text = strcmp(format, "text") == 0;
    *length = 0;
    if (!is_text && strcmp(format, "compact") != 0)
        return NULL;
    if (is_text)
        dataset_write_text(data->set, &text);
    else
        dataset_write_compact(data->set, &text);
    *length = text.count;
    return give_text(&text);
}

MarelleDataFacts marelle_data_facts(const MarelleData *data) {
    return (MarelleDataFacts){.rows = dataset_rows(data->set),
                              .facts = dataset_fact_count(data->set),
                              .roles = data->set->role_count};
}

MarelleDataRow marelle_data_row(const MarelleData *data, uint64_t row) {
    const DataSet *set = data->set;
    if (row >= dataset_rows(set))
        return (MarelleDataRow){0};
    return (MarelleDataRow){.facts = dataset_facts(set, row),
                            .fact_count = dataset_size(set, row),
                            .scores = dataset_scores(set, row),
                            .count = set->counts.items[row],
                            .match = set->matches.items[row],
                            .is_end = set->ends.items[row]};
}

const char *marelle_data_fact_text(const MarelleData *data, uint32_t fact) {
    return fact < dataset_fact_count(data->set) ? symbols_name(&data->set->facts, fact) : NULL;
}

/* ---- other sets ---- */

MarelleData *marelle_data_distinct(const MarelleData *data) {
    return wrap(dataset_distinct(data->set));
}

MarelleData *marelle_data_select(const MarelleData *data, const bool *keep) {
    return wrap(dataset_select(data->set, keep));
}

MarelleData *marelle_data_of_role(const MarelleData *data, uint32_t role) {
    return role < data->set->role_count ? wrap(dataset_of_role(data->set, role)) : NULL;
}

MarelleData *marelle_data_without(const MarelleData *data, const char *relation) {
    return wrap(dataset_without_relation(data->set, relation));
}

MarelleStatus marelle_data_split(const MarelleData *data, double share, uint64_t seed,
                                 MarelleData **train, MarelleData **test) {
    DataSet *parts[2];
    *train = *test = NULL;
    if (!(share >= 0 && share <= 1))
        return MARELLE_BAD_ARGUMENT;
    dataset_split(data->set, share, seed, &parts[0], &parts[1]);
    *train = wrap(parts[0]);
    *test = wrap(parts[1]);
    return MARELLE_OK;
}

char *marelle_data_audit(const MarelleData *data, bool alike) {
    Audit audit;
    DataSet *flat = NULL;
    if (alike) { /* each row occurred once */
        bool *all = memory_alloc(dataset_rows(data->set) + 1);
        memset(all, true, dataset_rows(data->set));
        flat = dataset_select(data->set, all);
        free(all);
        for (size_t i = 0; i < dataset_rows(flat); i++)
            flat->counts.items[i] = 1;
    }
    audit_create(flat ? flat : data->set, &audit);
    char *json = dump_json(audit_json(&audit, NULL));
    audit_free(&audit);
    dataset_free(flat);
    return json;
}
