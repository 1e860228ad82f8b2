/* Tests definitions, right and wrong, and tournaments that are stopped and continued. */
#include "server/tournament/tournament.h"

#include <unistd.h>

#include "game/play.h"
#include "server/tournament/results.h"

TestSuite(tournament, .timeout = 600);

/* A new folder with cup.json and cup.db. */
typedef struct {
    char folder[40], file[60], database[60];
} CupPlace;

static CupPlace new_place(const char *text) {
    CupPlace place = {.folder = "/tmp/marelle-cup-XXXXXX"};
    cr_assert_not_null(mkdtemp(place.folder));
    snprintf(place.file, sizeof place.file, "%s/cup.json", place.folder);
    snprintf(place.database, sizeof place.database, "%s/cup.db", place.folder);
    FILE *file = fopen(place.file, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    return place;
}

static void remove_place(CupPlace *place) {
    unlink(place->file);
    unlink(place->database);
    cr_expect_eq(rmdir(place->folder), 0, "something was left in %s", place->folder);
}

static const char small_cup[] =
    "{\"format\": \"swiss\", \"rounds\": 4, \"matches\": 3, \"seed\": 9,\n"
    " \"games\": [\"tic_tac_toe\"], \"startclock\": 5, \"playclock\": 5,\n"
    " \"players\": [\"random\", \"legal\", {\"name\": \"other\", \"player\": \"random\"},\n"
    "               {\"name\": \"a & <b>\", \"player\": \"random\"},\n"
    "               {\"name\": \"say \\\"hi\\\"\", \"player\": \"legal\"}]}\n";

static void read_cup(Definition *d, const CupPlace *place) {
    Report report = {0};
    bool ok = definition_read(d, place->file, &report);
    cr_assert(ok, "%s", report.items.count ? report.items.items[0].message : "");
    for (size_t i = 0; i < d->games.count; i++)
        cr_assert(definition_set_game(d, i, game_named(d->games.items[i].name, NULL), &report));
    report_free(&report);
}

typedef struct {
    bool stopped;
    uint64_t limit; /* number of matches after which to stop */
} Stopper;

static void stop_after(void *context, uint64_t played, uint64_t total) {
    Stopper *stopper = context;
    cr_assert_leq(played, total);
    if (played >= stopper->limit)
        __atomic_store_n(&stopper->stopped, true, __ATOMIC_RELAXED);
}

static TournamentEnd play_cup(const CupPlace *place, unsigned parallel, uint64_t limit,
                              Jobs *jobs) {
    Definition d;
    Report report = {0};
    Stopper stopper = {.limit = limit};
    read_cup(&d, place);
    Store *store = store_open(place->database, &report);
    cr_assert_not_null(store);
    TournamentSetup setup = {.definition = &d,
                             .store = store,
                             .parallel = parallel,
                             .stopped = &stopper.stopped,
                             .on_progress = stop_after,
                             .context = &stopper};
    TournamentEnd end = tournament_play(&setup, jobs, &report);
    cr_expect(end == TOURNAMENT_OVER || end == TOURNAMENT_STOPPED, "%s",
              report.items.count ? report.items.items[0].message : "");
    store_close(store);
    definition_free(&d);
    report_free(&report);
    return end;
}

static void assert_same_jobs(const Jobs *a, const Jobs *b) {
    cr_assert_eq(a->items.count, b->items.count);
    for (size_t i = 0; i < a->items.count; i++) {
        const Job *x = &a->items.items[i], *y = &b->items.items[i];
        cr_expect(x->is_played && y->is_played);
        cr_expect(x->players[0] == y->players[0] && x->players[1] == y->players[1] &&
                  x->goals[0] == y->goals[0] && x->goals[1] == y->goals[1] && x->seed == y->seed);
    }
}

/* One match at a time, several at a time, or with interruptions: the tournament is the same. */
Test(tournament, stopping_changes_nothing) {
    CupPlace whole = new_place(small_cup), parallel = new_place(small_cup),
             pieces = new_place(small_cup);
    Jobs one = {0}, two = {0}, three = {0};
    cr_expect_eq(play_cup(&whole, 1, UINT64_MAX, &one), TOURNAMENT_OVER);
    cr_expect_eq(one.items.count, 4 * 2 * 3);
    cr_expect_eq(play_cup(&parallel, 3, UINT64_MAX, &two), TOURNAMENT_OVER);
    assert_same_jobs(&one, &two);
    unsigned starts = 1;
    while (play_cup(&pieces, 2, 2, &three) == TOURNAMENT_STOPPED) {
        jobs_free(&three);
        three = (Jobs){0};
        starts++;
    }
    cr_expect_gt(starts, 5);
    assert_same_jobs(&one, &three);
    jobs_free(&one);
    jobs_free(&two);
    jobs_free(&three);
    remove_place(&whole);
    remove_place(&parallel);
    remove_place(&pieces);
}

Test(tournament, what_is_over_stays_so) {
    CupPlace place = new_place(small_cup);
    Jobs one = {0}, two = {0};
    play_cup(&place, 1, UINT64_MAX, &one);
    cr_expect_eq(play_cup(&place, 1, 0, &two), TOURNAMENT_OVER);
    assert_same_jobs(&one, &two);
    jobs_free(&one);
    jobs_free(&two);
    remove_place(&place);
}

Test(tournament, results_are_escaped) {
    CupPlace place = new_place(small_cup);
    Definition d;
    Jobs jobs = {0};
    Standings standings;
    Text html = {0}, csv = {0}, table = {0};
    play_cup(&place, 1, UINT64_MAX, &jobs);
    read_cup(&d, &place);
    standings_compute(&standings, &d, &jobs);
    Results results = {&d, &jobs, &standings, true};
    results_html(&results, &html);
    results_csv(&results, &csv);
    results_table(&results, &table);
    cr_expect(strstr(html.items, "a &amp; &lt;b&gt;") && !strstr(html.items, "<b>"));
    cr_expect(strstr(html.items, "say &quot;hi&quot;"));
    cr_expect(strstr(csv.items, "\"say \"\"hi\"\"\","), "%s", csv.items);
    cr_expect(strstr(table.items, "a & <b>"));
    json_t *object = results_json(&results);
    cr_expect_eq(json_array_size(json_object_get(object, "standings")), 5);
    cr_expect(json_is_true(json_object_get(object, "complete")));
    json_decref(object);
    vector_free(&html);
    vector_free(&csv);
    vector_free(&table);
    standings_free(&standings);
    jobs_free(&jobs);
    definition_free(&d);
    remove_place(&place);
}

Test(tournament, another_definition_is_refused) {
    CupPlace place = new_place(small_cup);
    Jobs jobs = {0};
    Definition d;
    Report report = {0};
    play_cup(&place, 1, 1, &jobs);
    jobs_free(&jobs);
    jobs = (Jobs){0};
    read_cup(&d, &place);
    d.seed++;
    Store *store = store_open(place.database, &report);
    TournamentSetup setup = {.definition = &d, .store = store};
    cr_expect_eq(tournament_play(&setup, &jobs, &report), TOURNAMENT_REFUSED);
    cr_expect(report_failed(&report));
    cr_expect_eq(jobs.items.count, 0);
    store_close(store);
    definition_free(&d);
    jobs_free(&jobs);
    report_free(&report);
    remove_place(&place);
}

/* Each definition comes with a word that the error message must contain. */
Test(tournament, wrong_definitions) {
#define REST "\"games\": [\"g\"], \"players\": [\"random\", \"legal\"]}"
    static const char *const wrong[][2] = {
        {"{\"format\": \"duel\",", ""},
        {"[]", "must be an object"},
        {"{" REST, "format must be"},
        {"{\"format\": \"league\", " REST, "format must be"},
        {"{\"format\": \"duel\", \"format\": \"duel\", " REST, "duplicate"},
        {"{\"format\": \"duel\", \"player\": 1, " REST,
         "player is no known key; did you mean `players`?"},
        {"{\"format\": \"duel\", \"seed\": -1, " REST, "seed must be"},
        {"{\"format\": \"duel\", \"seed\": 1.5, " REST, "seed must be"},
        {"{\"format\": \"duel\", \"parallel\": 0, " REST, "parallel must be"},
        {"{\"format\": \"duel\", \"playclock\": 0, " REST, "playclock must be"},
        {"{\"format\": \"duel\", \"playclock\": \"5\", " REST, "playclock must be"},
        {"{\"format\": \"duel\", \"rounds\": 3, " REST, "rounds is for the format swiss"},
        {"{\"format\": \"swiss\", \"replays\": 3, " REST, "replays is for the format knockout"},
        {"{\"format\": \"duel\", \"name\": \"\", " REST, "name must be"},
        {"{\"format\": \"duel\", \"games\": [], \"players\": [\"random\", \"legal\"]}",
         "games must be"},
        {"{\"format\": \"duel\", \"games\": [\"g\", 5], \"players\": []}", "games[1] must be"},
        {"{\"format\": \"duel\", \"games\": [{\"matches\": 5}], \"players\": []}",
         "games[0].game is missing"},
        {"{\"format\": \"duel\", \"games\": [{\"game\": \"g\", \"matches\": 0}], \"players\": []}",
         "games[0].matches must be"},
        {"{\"format\": \"duel\", \"games\": [{\"game\": \"g\", \"clock\": 0}], \"players\": []}",
         "games[0].clock is no known key"},
        {"{\"format\": \"duel\", \"games\": [\"g\"], \"players\": [\"random\"]}",
         "list of 2 entries"},
        {"{\"format\": \"swiss\", \"games\": [\"g\"], \"players\": [\"random\"]}", "list of 2 to"},
        {"{\"format\": \"duel\", \"games\": [\"g\"], \"players\": [\"random\", \"random\"]}",
         "is the name of another"},
        {"{\"format\": \"duel\", \"games\": [\"g\"], \"players\": [\"random\", \"human\"]}",
         "a human"},
        {"{\"format\": \"duel\", \"games\": [\"g\"], \"players\": [\"random\", \"nobody\"]}",
         "players[1] `nobody`"},
        {"{\"format\": \"duel\", \"games\": [\"g\"], \"players\": [\"http://a:1\","
         " {\"name\": \"x\", \"player\": \"HTTP://a:1/\"}]}",
         "is another player already"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CupPlace place = new_place(wrong[i][0]);
        Definition d;
        Report report = {0};
        cr_expect(!definition_read(&d, place.file, &report), "%s", wrong[i][0]);
        cr_assert(report_failed(&report));
        cr_expect(strstr(report.items.items[0].message, wrong[i][1]), "%s: %s", wrong[i][0],
                  report.items.items[0].message);
        definition_free(&d);
        report_free(&report);
        remove_place(&place);
    }
}

Test(tournament, defaults) {
    CupPlace place =
        new_place("{\"format\": \"knockout\", \"matches\": 4, \"playclock\": 2,\n"
                  "\"games\": [\"tic_tac_toe\", {\"game\": \"maze\", \"matches\": 1,\n"
                  "\"startclock\": 0.5}], \"players\": [\"random\", \"legal\", \"uct\"]}");
    Definition d;
    read_cup(&d, &place);
    cr_expect_str_eq(d.name, "cup");
    cr_expect(d.parallel == 1 && d.rounds == 2 && d.replays == 2 && d.seed == 0);
    const DefinedGame *games = d.games.items;
    cr_expect(games[0].matches == 4 && games[0].startclock == 10 && games[0].playclock == 2);
    cr_expect(games[1].matches == 1 && games[1].startclock == 0.5 && games[1].seats == 1);
    definition_free(&d);
    remove_place(&place);
}

/* Whatever was changed in the database, nothing is read outside of arrays. */
Test(tournament, senseless_jobs_are_refused) {
    static const struct {
        uint32_t encounter, game, player;
    } wrong[] = {{5, 0, 0}, {0, 3, 0}, {0, 0, 99}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CupPlace place = new_place(small_cup);
        Definition d;
        Report report = {0};
        Jobs jobs = {0}, read = {0};
        read_cup(&d, &place);
        Store *store = store_open(place.database, &report);
        char *identity = definition_identity(&d);
        int64_t id = store_tournament(store, d.name, identity, &report);
        Job *job = jobs_add(&jobs, 2);
        job->encounter = wrong[i].encounter;
        job->game = wrong[i].game;
        job->players[0] = wrong[i].player;
        cr_assert(store_add_jobs(store, id, &jobs, 0, &report));
        TournamentSetup setup = {.definition = &d, .store = store};
        cr_expect_eq(tournament_play(&setup, &read, &report), TOURNAMENT_REFUSED);
        cr_expect(strstr(report.items.items[0].message, "no sense"));
        free(identity);
        jobs_free(&jobs);
        jobs_free(&read);
        store_close(store);
        definition_free(&d);
        report_free(&report);
        remove_place(&place);
    }
}
