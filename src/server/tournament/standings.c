/* One pass over the boards counts results per player and compares all pairs. The comparisons of a
 * board with m players have weight 1 / (m - 1), so that each player has the same weight in every
 * match. */
#include "server/tournament/standings.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Weight of a drawn match against an average player, see rating.h (untuned). */
static const double rating_prior = 1;

typedef struct {
    uint32_t player;
    int goal;
} Result;

typedef VECTOR(Result) BoardResults;

void wilson_interval(double share, double count, double *low, double *high) {
    const double z = 1.959964; /* the 97.5 % quantile of the normal distribution */
    assert(share >= 0 && share <= 1);
    *low = 0;
    *high = 1;
    if (count <= 0)
        return;
    double middle = share + z * z / (2 * count);
    double half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    *low = fmax(0, (middle - half) / (1 + z * z / count));
    *high = fmin(1, (middle + half) / (1 + z * z / count));
}

/* Counts a match for its players. Of a match that did not end, only the errors count. */
static void count_job(Standings *s, const Job *job, BoardResults *results) {
    for (uint32_t seat = 0; seat < job->seat_count; seat++) {
        uint32_t player = job->players[seat];
        if (player == JOB_NOBODY)
            continue;
        assert(player < s->player_count && job->game < s->game_count);
        s->items[player].errors += job->errors[seat];
        if (!job->is_completed)
            continue;
        int goal = job->goals[seat] > 0 ? job->goals[seat] : 0;
        s->items[player].matches++;
        s->items[player].score += goal;
        s->in_game[player * s->game_count + job->game].matches++;
        s->in_game[player * s->game_count + job->game].score += goal;
        vector_push(results, ((Result){player, goal}));
    }
}

static void count_outcomes(Standings *s, const BoardResults *results) {
    int best = 0;
    size_t shared = 0;
    for (size_t i = 0; i < results->count; i++) {
        int goal = results->items[i].goal;
        shared = goal > best ? 1 : shared + (goal == best);
        best = goal > best ? goal : best;
    }
    for (size_t i = 0; i < results->count; i++) {
        Standing *standing = &s->items[results->items[i].player];
        if (results->items[i].goal < best)
            standing->losses++;
        else if (shared > 1)
            standing->draws++;
        else
            standing->wins++;
    }
}

static void compare_all(Standings *s, const BoardResults *results, RatingResults *comparisons) {
    double weight = 1.0 / (double)(results->count - 1);
    for (size_t i = 0; i < results->count; i++)
        for (size_t k = 0; k < i; k++) {
            Result a = results->items[i], b = results->items[k];
            double score = a.goal > b.goal ? 1 : a.goal == b.goal ? 0.5 : 0;
            StandingCell *ab = &s->against[a.player * s->player_count + b.player];
            StandingCell *ba = &s->against[b.player * s->player_count + a.player];
            ab->matches++;
            ba->matches++;
            ab->score += score;
            ba->score += 1 - score;
            rating_add(comparisons, a.player, b.player, score, weight);
        }
}

static bool is_same_board(const Job *a, const Job *b) {
    return a->encounter == b->encounter && a->game == b->game && a->board == b->board;
}

static void count_boards(Standings *s, const Jobs *jobs, RatingResults *comparisons) {
    BoardResults results = {0};
    for (size_t i = 0; i < jobs->items.count;) {
        const Job *first = &jobs->items.items[i];
        vector_clear(&results);
        for (; i < jobs->items.count && is_same_board(first, &jobs->items.items[i]); i++) {
            const Job *job = &jobs->items.items[i];
            if (!job->is_played)
                continue;
            s->played++;
            s->void_matches += !job->is_completed;
            count_job(s, job, &results);
        }
        if (results.count < 2)
            continue;
        count_outcomes(s, &results);
        compare_all(s, &results, comparisons);
    }
    vector_free(&results);
}

static void finish_players(Standings *s, const Definition *definition, const Jobs *jobs,
                           const Rating *ratings) {
    double *points = memory_zalloc(s->player_count * sizeof *points);
    pairing_points(definition, jobs, points);
    bool by_rounds = definition->format == FORMAT_SWISS || definition->format == FORMAT_KNOCKOUT;
    for (size_t p = 0; p < s->player_count; p++) {
        Standing *standing = &s->items[p];
        double count = standing->matches;
        standing->mean = count > 0 ? standing->score / count : 0;
        wilson_interval(standing->mean / 100, count, &standing->low, &standing->high);
        standing->low *= 100;
        standing->high *= 100;
        standing->points = by_rounds ? points[p] : standing->wins + standing->draws / 2.0;
        standing->rating = ratings[p];
    }
    free(points);
}

/* Returns a negative number if a ranks before b. */
static int compare_standings(const Standing *a, const Standing *b, bool by_rounds) {
    if (by_rounds && a->points != b->points)
        return a->points > b->points ? -1 : 1;
    if (a->mean != b->mean)
        return a->mean > b->mean ? -1 : 1;
    return 0;
}

static void sort_standings(Standings *s, bool by_rounds) {
    for (size_t i = 1; i < s->player_count; i++) {
        Standing moved = s->items[i];
        size_t place = i;
        for (; place && compare_standings(&moved, &s->items[place - 1], by_rounds) < 0; place--)
            s->items[place] = s->items[place - 1];
        s->items[place] = moved;
    }
    for (size_t i = 0; i < s->player_count; i++) {
        bool shared = i && compare_standings(&s->items[i], &s->items[i - 1], by_rounds) == 0;
        s->items[i].place = shared ? s->items[i - 1].place : (uint32_t)i + 1;
    }
}

void standings_compute(Standings *standings, const Definition *definition, const Jobs *jobs) {
    size_t n = definition->players.count, games = definition->games.count;
    RatingResults comparisons;
    Rating *ratings = memory_zalloc(n * sizeof *ratings);
    *standings = (Standings){.player_count = n, .game_count = games};
    standings->items = memory_zalloc(n * sizeof *standings->items);
    standings->against = memory_zalloc(n * n * sizeof *standings->against);
    standings->in_game = memory_zalloc(n * games * sizeof *standings->in_game);
    for (uint32_t p = 0; p < n; p++)
        standings->items[p].player = p;
    rating_start(&comparisons, n, rating_prior);
    count_boards(standings, jobs, &comparisons);
    rating_compute(&comparisons, ratings);
    finish_players(standings, definition, jobs, ratings);
    sort_standings(standings,
                   definition->format == FORMAT_SWISS || definition->format == FORMAT_KNOCKOUT);
    rating_free(&comparisons);
    free(ratings);
}

void standings_free(Standings *standings) {
    memory_free(standings->items, standings->against, standings->in_game);
    *standings = (Standings){0};
}
