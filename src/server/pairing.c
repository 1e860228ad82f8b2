/* Round robin and duel plan everything at once. Swiss and knock-out plan round by round, from what
 * the encounters of the earlier rounds came to. */
#include "server/pairing.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"
#include "server/matching.h"

/* What two players scored against each other. */
typedef struct {
    uint32_t round;
    uint32_t players[2];
    long goals[2]; /* sums; a match without an end counts nothing */
    bool is_open;  /* some match has not been played */
} Encounter;

typedef VECTOR(Encounter) Encounters;

/* Matches. */

static uint64_t job_seed(const Definition *d, uint32_t number) {
    uint64_t hash = hash_finish(hash_mix(hash_mix(0, d->seed), number));
    return hash & 0xffffffffffff;
}

static Job *add_job(const Definition *d, Jobs *jobs, const Job *like, uint32_t seats) {
    Job *job = jobs_add(jobs, seats);
    job->round = like->round;
    job->encounter = like->encounter;
    job->game = like->game;
    job->board = like->board;
    job->seed = job_seed(d, job->number);
    return job;
}

/* The boards of one encounter in one game; the first member has seat `offset` at first. */
static void add_boards(const Definition *d, Jobs *jobs, Job like, const uint32_t *members,
                       uint32_t count, uint32_t offset) {
    const DefinedGame *game = &d->games.items[like.game];
    uint32_t seats = game->seats;
    assert(seats == 1 || count <= seats);
    for (like.board = 0; like.board < game->matches; like.board++) {
        if (seats == 1) {
            for (uint32_t m = 0; m < count; m++)
                add_job(d, jobs, &like, 1)->players[0] = members[m];
        } else {
            Job *job = add_job(d, jobs, &like, seats);
            for (uint32_t m = 0; m < count; m++)
                job->players[(m + offset + like.board) % seats] = members[m];
        }
    }
}

static uint32_t encounter_count(const Jobs *jobs) {
    return jobs->items.count ? vector_last(&jobs->items).encounter + 1 : 0;
}

/* How often the player had the first seat. */
static size_t first_seats(const Jobs *jobs, uint32_t player) {
    size_t count = 0;
    for (size_t i = 0; i < jobs->items.count; i++) {
        const Job *job = &jobs->items.items[i];
        count += job->seat_count > 1 && job->players[0] == player;
    }
    return count;
}

/* Two players, all games. Who had the first seat less often has it now. */
static void add_pair(const Definition *d, Jobs *jobs, uint32_t round, uint32_t a, uint32_t b) {
    bool swaps = first_seats(jobs, b) < first_seats(jobs, a);
    uint32_t members[2] = {swaps ? b : a, swaps ? a : b};
    Job like = {.round = round, .encounter = encounter_count(jobs)};
    for (like.game = 0; like.game < d->games.count; like.game++)
        add_boards(d, jobs, like, members, 2, 0);
}

/* Round robin. */

/* Pairs in games for two, in an order in which nobody has to wait long: the circle method. */
static void add_all_pairs(const Definition *d, Jobs *jobs) {
    uint32_t n = (uint32_t)d->players.count, even = n + n % 2, turn = even - 1;
    for (uint32_t round = 0; round < turn; round++)
        for (uint32_t i = 0; i < even / 2; i++) {
            uint32_t a = i ? (round + i) % turn : turn, b = (round + turn - i) % turn;
            if (a >= n || b >= n)
                continue;
            uint32_t members[2] = {a < b ? a : b, a < b ? b : a};
            Job like = {.encounter = encounter_count(jobs)};
            for (like.game = 0; like.game < d->games.count; like.game++)
                if (d->games.items[like.game].seats == 2)
                    add_boards(d, jobs, like, members, 2, (a + b + 1) % 2);
        }
}

/* Everybody in one encounter: games for one, and games with a seat for everybody. */
static void add_everybody(const Definition *d, Jobs *jobs, uint32_t game) {
    U32Vector members = {0};
    for (uint32_t p = 0; p < d->players.count; p++)
        vector_push(&members, p);
    add_boards(d, jobs, (Job){.encounter = encounter_count(jobs), .game = game}, members.items,
               (uint32_t)members.count, 0);
    vector_free(&members);
}

/* More players than seats: groups of neighbours around a table. Each player is once the first of a
 * group, once the second and so on, so that all have every seat equally often. */
static void add_neighbours(const Definition *d, Jobs *jobs, uint32_t game) {
    uint32_t seats = d->games.items[game].seats, n = (uint32_t)d->players.count;
    U32Vector members = {0};
    for (uint32_t first = 0; first < n; first++) {
        vector_clear(&members);
        for (uint32_t s = 0; s < seats; s++)
            vector_push(&members, (first + s) % n);
        add_boards(d, jobs, (Job){.encounter = encounter_count(jobs), .game = game}, members.items,
                   seats, 0);
    }
    vector_free(&members);
}

static bool next_round_robin(const Definition *d, Jobs *jobs) {
    if (jobs->items.count)
        return false;
    add_all_pairs(d, jobs);
    for (uint32_t g = 0; g < d->games.count; g++) {
        uint32_t seats = d->games.items[g].seats;
        if (seats == 1 || (seats > 2 && seats >= d->players.count))
            add_everybody(d, jobs, g);
        else if (seats > 2)
            add_neighbours(d, jobs, g);
    }
    return true;
}

static bool next_duel(const Definition *d, Jobs *jobs) {
    if (jobs->items.count)
        return false;
    add_pair(d, jobs, 0, 0, 1);
    return true;
}

/* What encounters of two came to. */

static void add_goals(Encounter *encounter, const Job *job) {
    for (uint32_t s = 0; s < job->seat_count; s++) {
        uint32_t player = job->players[s];
        if (player == JOB_NOBODY)
            continue;
        if (encounter->players[0] == JOB_NOBODY)
            encounter->players[0] = player;
        else if (encounter->players[0] != player)
            encounter->players[1] = player;
        if (job->is_completed && job->goals[s] > 0)
            encounter->goals[encounter->players[0] != player] += job->goals[s];
    }
}

/* In the order of their numbers. */
static void collect_encounters(const Jobs *jobs, Encounters *encounters) {
    for (size_t i = 0; i < jobs->items.count; i++) {
        const Job *job = &jobs->items.items[i];
        if (job->encounter >= encounters->count)
            vector_push(encounters,
                        ((Encounter){.round = job->round, .players = {JOB_NOBODY, JOB_NOBODY}}));
        Encounter *encounter = &encounters->items[job->encounter];
        encounter->is_open = encounter->is_open || !job->is_played;
        add_goals(encounter, job);
    }
}

/* 1, 0.5 or 0 points for the first of them. */
static double encounter_points(const Encounter *e) {
    return e->goals[0] > e->goals[1] ? 1 : e->goals[0] == e->goals[1] ? 0.5 : 0;
}

/* Swiss. */

typedef struct {
    uint32_t n, vertices; /* players, and one vertex for the bye if they are odd */
    uint32_t round;
    double *points, *goals;
    uint32_t *met;   /* vertices * vertices: how often; the bye counts as an opponent */
    uint32_t *order; /* players, best first */
} Swiss;

static void note_meeting(Swiss *s, uint32_t a, uint32_t b) {
    s->met[a * s->vertices + b]++;
    s->met[b * s->vertices + a]++;
}

static bool goes_before(const Swiss *s, uint32_t a, uint32_t b) {
    if (s->points[a] != s->points[b])
        return s->points[a] > s->points[b];
    if (s->goals[a] != s->goals[b])
        return s->goals[a] > s->goals[b];
    return a < b;
}

static void note_encounters(Swiss *s, const Encounters *encounters, bool *had_bye) {
    for (size_t i = 0; i < encounters->count; i++) {
        const Encounter *e = &encounters->items[i];
        uint32_t a = e->players[0], b = e->players[1];
        s->points[a] += e->is_open ? 0 : encounter_points(e);
        s->points[b] += e->is_open ? 0 : 1 - encounter_points(e);
        s->goals[a] += (double)e->goals[0];
        s->goals[b] += (double)e->goals[1];
        note_meeting(s, a, b);
        had_bye[e->round * s->n + a] = had_bye[e->round * s->n + b] = false;
    }
}

static void swiss_start(Swiss *s, const Definition *d, const Jobs *jobs) {
    uint32_t n = (uint32_t)d->players.count;
    *s = (Swiss){.n = n, .vertices = n + n % 2};
    s->round = jobs->items.count ? vector_last(&jobs->items).round + 1 : 0;
    s->points = memory_zalloc(n * sizeof *s->points);
    s->goals = memory_zalloc(n * sizeof *s->goals);
    s->met = memory_zalloc((size_t)s->vertices * s->vertices * sizeof *s->met);
    s->order = memory_zalloc(n * sizeof *s->order);
    bool *had_bye = memory_alloc((size_t)s->round * n + 1);
    memset(had_bye, true, (size_t)s->round * n + 1);
    Encounters encounters = {0};
    collect_encounters(jobs, &encounters);
    note_encounters(s, &encounters, had_bye);
    for (uint32_t i = 0; i < s->round * n; i++)
        if (had_bye[i] && n % 2) {
            s->points[i % n] += 1;
            note_meeting(s, i % n, n);
        }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = i;
        for (; place && goes_before(s, i, s->order[place - 1]); place--)
            s->order[place] = s->order[place - 1];
        s->order[place] = i;
    }
    free(had_bye);
    vector_free(&encounters);
}

static void swiss_free(Swiss *s) {
    free(s->points);
    free(s->goals);
    free(s->met);
    free(s->order);
}

/* Nobody meets anybody again before everybody can only meet those again. */
static void match_those_who_met_least(const Swiss *s, Matching *matching) {
    for (uint32_t most = 0;; most++) {
        for (uint32_t a = 0; a < s->vertices; a++)
            for (uint32_t b = 0; b < a; b++)
                if (s->met[a * s->vertices + b] <= most)
                    matching_set_edge(matching, a, b, true);
        if (matching_complete(matching))
            return;
    }
}

/* The bye for the last who can have it; then, from the first on, each meets the nearest. */
static bool next_swiss(const Definition *d, Jobs *jobs) {
    Swiss s;
    swiss_start(&s, d, jobs);
    bool goes_on = s.round < d->rounds;
    if (goes_on) {
        Matching matching;
        bool *is_paired = memory_zalloc(s.vertices * sizeof *is_paired);
        matching_start(&matching, s.vertices);
        match_those_who_met_least(&s, &matching);
        for (uint32_t i = s.n; s.n % 2 && i-- > 0;)
            if (matching_fix(&matching, s.n, s.order[i])) {
                is_paired[s.order[i]] = true;
                break;
            }
        for (uint32_t i = 0; i < s.n; i++)
            for (uint32_t k = i + 1; k < s.n && !is_paired[s.order[i]]; k++)
                if (!is_paired[s.order[k]] && matching_fix(&matching, s.order[i], s.order[k])) {
                    is_paired[s.order[i]] = is_paired[s.order[k]] = true;
                    add_pair(d, jobs, s.round, s.order[i], s.order[k]);
                }
        matching_free(&matching);
        free(is_paired);
    }
    swiss_free(&s);
    return goes_on;
}

/* Knock-out. */

/* The first against the last and so on, such that the best can meet in the final only; places
 * without a player are byes. */
static void draw_bracket(size_t players, U32Vector *bracket) {
    vector_push(bracket, 0);
    while (bracket->count < players) {
        U32Vector larger = {0};
        uint32_t sum = (uint32_t)bracket->count * 2 - 1;
        for (size_t i = 0; i < bracket->count; i++) {
            vector_push(&larger, bracket->items[i]);
            vector_push(&larger, sum - bracket->items[i]);
        }
        vector_free(bracket);
        *bracket = larger;
    }
    for (size_t i = 0; i < bracket->count; i++)
        if (bracket->items[i] >= players)
            bracket->items[i] = JOB_NOBODY;
}

/* The winner of all encounters between two; JOB_NOBODY if they have to play (again). Whoever stands
 * first in the file survives the last drawn replay. */
static uint32_t knockout_winner(const Definition *d, const Encounters *encounters, uint32_t a,
                                uint32_t b) {
    uint32_t drawn = 0;
    if (a == JOB_NOBODY || b == JOB_NOBODY)
        return a == JOB_NOBODY ? b : a;
    for (size_t i = 0; i < encounters->count; i++) {
        const Encounter *e = &encounters->items[i];
        bool is_theirs = (e->players[0] == a && e->players[1] == b) ||
                         (e->players[0] == b && e->players[1] == a);
        if (!is_theirs)
            continue;
        if (e->is_open)
            return JOB_NOBODY;
        if (e->goals[0] != e->goals[1])
            return e->players[e->goals[1] > e->goals[0]];
        drawn++;
    }
    if (drawn <= d->replays)
        return JOB_NOBODY;
    return a < b ? a : b;
}

/* Goes through the rounds until one is not decided, whose open pairs it leaves in `pairs`; points
 * may be NULL. */
static void follow_bracket(const Definition *d, const Jobs *jobs, U32Vector *pairs,
                           double *points) {
    U32Vector alive = {0};
    Encounters encounters = {0};
    collect_encounters(jobs, &encounters);
    draw_bracket(d->players.count, &alive);
    while (alive.count > 1 && !pairs->count) {
        for (size_t i = 0; i < alive.count; i += 2) {
            uint32_t a = alive.items[i], b = alive.items[i + 1];
            uint32_t winner = knockout_winner(d, &encounters, a, b);
            alive.items[i / 2] = winner;
            if (winner == JOB_NOBODY) {
                vector_push(pairs, a);
                vector_push(pairs, b);
            } else if (points) {
                points[winner]++;
            }
        }
        alive.count /= 2;
    }
    vector_free(&alive);
    vector_free(&encounters);
}

static bool next_knockout(const Definition *d, Jobs *jobs) {
    U32Vector pairs = {0};
    uint32_t round = jobs->items.count ? vector_last(&jobs->items).round + 1 : 0;
    follow_bracket(d, jobs, &pairs, NULL);
    bool goes_on = pairs.count > 0;
    for (size_t i = 0; i < pairs.count; i += 2)
        add_pair(d, jobs, round, pairs.items[i], pairs.items[i + 1]);
    vector_free(&pairs);
    return goes_on;
}

bool pairing_next(const Definition *definition, Jobs *jobs) {
    switch (definition->format) {
    case FORMAT_ROUND_ROBIN:
        return next_round_robin(definition, jobs);
    case FORMAT_SWISS:
        return next_swiss(definition, jobs);
    case FORMAT_KNOCKOUT:
        return next_knockout(definition, jobs);
    case FORMAT_DUEL:
        return next_duel(definition, jobs);
    }
    return false;
}

/* Matches of one game among everybody. */
static uint64_t round_robin_matches(const DefinedGame *game, uint64_t n) {
    if (game->seats == 1 || (game->seats > 2 && game->seats < n))
        return n * game->matches;
    return (game->seats == 2 ? n * (n - 1) / 2 : 1) * game->matches;
}

uint64_t pairing_total(const Definition *definition) {
    uint64_t n = definition->players.count, everybody = 0, pair = 0;
    for (size_t i = 0; i < definition->games.count; i++) {
        const DefinedGame *game = &definition->games.items[i];
        everybody += round_robin_matches(game, n);
        pair += (uint64_t)game->matches * (game->seats == 1 ? 2 : 1);
    }
    switch (definition->format) {
    case FORMAT_ROUND_ROBIN:
        return everybody;
    case FORMAT_SWISS:
        return definition->rounds * (n / 2) * pair;
    case FORMAT_KNOCKOUT:
        return (n - 1) * pair;
    case FORMAT_DUEL:
        return pair;
    }
    return 0;
}

void pairing_points(const Definition *definition, const Jobs *jobs, double *points) {
    memset(points, 0, definition->players.count * sizeof *points);
    if (definition->format == FORMAT_SWISS) {
        Swiss s;
        swiss_start(&s, definition, jobs);
        memcpy(points, s.points, s.n * sizeof *points);
        swiss_free(&s);
    } else if (definition->format == FORMAT_KNOCKOUT) {
        U32Vector open = {0};
        follow_bracket(definition, jobs, &open, points);
        vector_free(&open);
    }
}
