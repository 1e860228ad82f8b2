/* What the plan and the page of the study of constraint searches share: its games, players and
 * kinds of runs. */
#pragma once

#include "cli/studies/experiment.h"

/* Kinds of runs: matches of two, of one alone, of teams of one kind; matches against `baseline-uct`
 * with other shares of the time; against itself with something left out; what symmetries there are.
 * The last one is a part of the plan alone: matches that no target names, of baselines among
 * themselves, are noted as what they are, matches of two, of one alone or of teams. */
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

/* Players by number, and who meets whom. */
enum { SYM, MAC, UCT, CFR, GRAVE, CHANCE, PLAYERS };
extern const char *const scsp_players[PLAYERS];
typedef struct {
    int first, second;
} StudyPair;
enum { PAIRS = 8 };
extern const StudyPair scsp_pairs[PAIRS];

/* A game, and what the authors of the method report of it: the share of the tree that symmetries
 * save; percentages of won matches of mac-ucb-sym against mac-ucb, uct, cfr and grave, or of what
 * each of the five solves alone in group 3; 0 where they have none. Games of group 1 are files of
 * the corpus. */
typedef struct {
    int group;
    Part part;
    const char *name;
    bool is_named; /* one of those that tier 2 plays */
    bool is_swept; /* one of those on which shares are varied and things left out */
    double best;   /* percentage that nobody can exceed, where it is known */
    double saved;
    double reported[5];
} StudyGame;
enum { GAMES = 35 };
extern const StudyGame scsp_games[GAMES];

/* Two versions of one search: the second with something changed. */
typedef struct {
    const char *first, *second, *what;
} StudyAblation;
enum { ABLATIONS = 5 };
extern const StudyAblation scsp_ablations[ABLATIONS];
/* The same search alone with other beliefs, the usual ones first: there is no second. */
enum { BELIEFS = 3 };
extern const StudyAblation scsp_beliefs[BELIEFS];

/* Of tier 1: matches of whatever targets name, and what `budget` says of them. */
enum { SCSP_TIER_ONE_MATCHES = 100 };
#define SCSP_TIER_ONE_BUDGET "1 CPU s"

bool scsp_can_play(const char *player);
/* Whether the player is one of those that the study is about. */
bool scsp_is_constraint_search(int player);
/* How many pairs, or players alone or in a team, targets name of the game. */
uint64_t scsp_named_meetings(const StudyGame *game);
/* study_scsp_page.c */
void scsp_write_page(ExperimentWork *work, const Records *runs, Text *page);
