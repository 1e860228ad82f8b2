/* Shared by the plan and the page of the study of constraint searches: its games, players and kinds
 * of jobs. */
#pragma once

#include "cli/studies/experiment.h"

/* Kinds of jobs: matches between two players; of one player alone; of teams of one kind; against
 * `baseline-uct` with other shares of the time; against itself with a rule left out; and
 * measurements of symmetries. PART_BASELINE is used only in the plan: matches among baselines,
 * which no target names, are recorded as duels, solos or teams. */
typedef enum {
    PART_DUEL,
    PART_SOLO,
    PART_TEAM,
    PART_SHARE,
    PART_ABLATION,
    PART_STRUCTURE,
    PART_BASELINE,
    PARTS
} Part;
extern const char *const scsp_parts[PARTS + 1];

/* Numbers of the players, and the pairs that meet. */
enum { SYM, MAC, UCT, CFR, GRAVE, CHANCE, PLAYERS };
extern const char *const scsp_players[PLAYERS];
typedef struct {
    int first, second;
} StudyPair;
enum { PAIRS = 8 };
extern const StudyPair scsp_pairs[PAIRS];

/* A game with the figures that the authors of the method report: the share of the tree that
 * symmetries save; and the percentage of matches that mac-ucb-sym wins against mac-ucb, uct, cfr
 * and grave, or in group 3 the percentage that each of the five solves alone; 0 if there is no
 * figure. Games of group 1 are files of the corpus. */
typedef struct {
    int group;
    Part part;
    const char *name;
    bool is_named; /* true if tier 2 plays it */
    bool is_swept; /* true if shares are varied and rules left out on it */
    double best;   /* highest possible percentage, if it is known */
    double saved;
    double reported[5];
} StudyGame;
enum { GAMES = 35 };
extern const StudyGame scsp_games[GAMES];

/* Two versions of one search that differ in one rule. */
typedef struct {
    const char *first, *second, *what;
} StudyAblation;
enum { ABLATIONS = 5 };
extern const StudyAblation scsp_ablations[ABLATIONS];
/* One search playing alone with different beliefs, the usual ones first. There is no second
 * side. */
enum { BELIEFS = 3 };
extern const StudyAblation scsp_beliefs[BELIEFS];

/* Tier 1: number of matches of each meeting that targets name, and the value of the key
 * `budget`. */
enum { SCSP_TIER_ONE_MATCHES = 100 };
#define SCSP_TIER_ONE_BUDGET "1 CPU s"

bool scsp_can_play(const char *player);
/* True if the player is a constraint search. */
bool scsp_is_constraint_search(int player);
/* Number of pairs of the game, or of players alone or in a team, that targets name. */
uint64_t scsp_named_meetings(const StudyGame *game);
/* Defined in study_scsp_page.c. */
void scsp_write_page(ExperimentWork *work, const ResultRows *runs, Text *page);
