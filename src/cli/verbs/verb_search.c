/* marelle search: the best move of a role in a position, and the values of all other moves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bitset.h"
#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/position.h"
#include "cli/verbs.h"
#include "cluster/collective.h"
#include "gpu/leaves.h"
#include "search/choice/search_choice.h"
#include "strategy/strategy.h"

enum {
    DEFAULT_SECONDS = 1,
    LINE_SHOWN = 12,
    MERGES = 8 /* exchanges of root statistics between processes */
};

typedef struct {
    const char *moves, *role, *algo, *reasoner;
    /* Options of the strategy, as given. */
    const char *batch, *leaf_playouts, *megabytes, *parallel, *merge;
    bool explain, ignore_steppers;
    double start;
} VerbOptions;

static const Option options[] = {
    {"moves", 0, OPTION_TEXT, "MOVES", OWN(moves),
     "joint moves made before, one move per role: \"a noop; noop b\""},
    {"role", 0, OPTION_TEXT, "ROLE", OWN(role),
     "who moves (default: the first role that has a choice)"},
    {"algo", 0, OPTION_TEXT, "SEARCH", OWN(algo),
     "NAME[:key=value,...] (default auto); `marelle help searches` lists them"},
    {"batch", 0, OPTION_TEXT, "N", OWN(batch), "leaves gathered for one pass of playouts"},
    {"leaf-playouts", 0, OPTION_TEXT, "N", OWN(leaf_playouts), "playouts per visit of a leaf"},
    {"memory", 0, OPTION_TEXT, "MB", OWN(megabytes), "memory for the tree (default 1024)"},
    {"parallel", 0, OPTION_CHOICE, "auto|leaf|tree|root", OWN(parallel),
     "what --threads share: playouts, one tree, or roots (default auto)"},
    {"merge", 0, OPTION_CHOICE, "sum|sum10|best|raw|vote", OWN(merge),
     "how the roots of several trees agree on a move (default sum)"},
    {"reasoner", 0, OPTION_CHOICE, "auto|gpu", OWN(reasoner),
     "gpu: playouts on a GPU, the tree here (uct, uct-relevant)"},
    {"ignore-steppers", 0, OPTION_FLAG, NULL, OWN(ignore_steppers),
     "merge positions that differ in step counters alone (uct, grave, mast)"},
    {"start", 0, OPTION_SECONDS, "S", OWN(start),
     "start clock in which auto finds out how to play; playouts beside --playouts"},
    {"explain", 0, OPTION_FLAG, NULL, OWN(explain), "say in words why this move"},
};

/* Returns the first role with a choice that is not chance; else the first that is not chance. */
static uint32_t role_to_move(const Game *game, MatchPosition *position) {
    U32Vector legal = {0};
    uint32_t found = MOVE_NONE, player = MOVE_NONE;
    for (uint32_t r = 0; r < game->role_count && found == MOVE_NONE; r++) {
        if (game_is_chance(game, r))
            continue;
        game_legal(position->work, &position->state, r, &legal);
        player = player == MOVE_NONE ? r : player;
        found = legal.count > 1 ? r : MOVE_NONE;
    }
    vector_free(&legal);
    return found != MOVE_NONE ? found : player != MOVE_NONE ? player : 0;
}

typedef struct {
    const Game *game;
    const GameWork *work;
    uint32_t role;
    const SearchResult *result;
    const Strategy *strategy;
    const Belief *belief;       /* NULL if nothing is hidden */
    const SearchChoice *choice; /* NULL without a start clock, or if the search does not choose */
} Answer;

/* Returns the text of a move, which is valid until the arena is freed. */
static const char *move_text(const Answer *a, uint32_t role, uint32_t move, Arena *arena) {
    Text text = {0};
    game_move_text(a->work, role, move, &text);
    const char *copy = arena_copy(arena, text.items, text.count);
    vector_free(&text);
    return copy;
}

static double playout_rate(const SearchResult *r) {
    return r->cpu_seconds > 0 ? (double)r->playouts / r->cpu_seconds : 0;
}

static uint64_t all_visits(const SearchResult *r) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->moves.count; i++)
        sum += r->moves.items[i].visits;
    return sum;
}

static void explain_rest(const Answer *a, Text *out, Arena *arena) {
    const SearchResult *r = a->result;
    const SearchMove *best = &r->moves.items[0], *second = &r->moves.items[1];
    size_t proven = 0;
    for (size_t i = 0; i < r->moves.count; i++)
        proven += r->moves.items[i].is_proven;
    text_printf(out, " The next of %zu moves is %s with %.1f%s, %.1f %s.", r->moves.count,
                move_text(a, a->role, second->move, arena), second->value,
                second->is_proven ? " (proven)" : "", fabs(best->value - second->value),
                second->value > best->value ? "more: too close to tell which is better" : "less");
    if (proven)
        text_printf(out, " %zu of the moves %s solved.", proven, proven == 1 ? "is" : "are");
}

/* Explains why the best move is the best. A mean of goals 0..100 has a standard error of at most 50
 * / sqrt(n); twice that is printed. */
static void explain(const Answer *a, Text *out, Arena *arena) {
    const SearchResult *r = a->result;
    const SearchMove *best = &r->moves.items[0];
    const char *name = move_text(a, a->role, best->move, arena);
    uint64_t visits = all_visits(r);
    if (r->moves.count == 1)
        text_printf(out, "%s is the only legal move.", name);
    else if (best->is_proven)
        text_printf(out, "%s is proven to end with a goal of %.4g if everyone plays for the best.",
                    name, best->value);
    else if (!visits)
        text_printf(out, "%s was taken without search.", name);
    else
        text_printf(out,
                    "%s drew %.0f %% of %lu visits, since the matches below it end with a goal of "
                    "%.1f on average, give or take %.1f.",
                    name, 100.0 * (double)best->visits / (double)visits, (unsigned long)visits,
                    best->value, 100 / sqrt((double)best->visits + 1));
    if (r->moves.count > 1 && visits)
        explain_rest(a, out, arena);
    if (r->depth)
        text_printf(out, " The tree has %lu positions and looks up to %u turns ahead.",
                    (unsigned long)r->nodes, r->depth);
    if (a->strategy->method == &auto_search) {
        AutoChoice chosen = auto_choose(a->game);
        text_printf(out, " The method is %s: %s.", chosen.method->name, chosen.reason);
    }
    if (a->choice) {
        text_add(out, " In the start clock: ");
        search_choice_write(a->choice, out);
        text_add_char(out, '.');
    }
}

static json_t *line_json(const Answer *a) {
    json_t *line = json_array();
    uint32_t roles = a->game->role_count;
    for (size_t i = 0; i < a->result->line.count; i += roles) {
        json_t *joint = json_array();
        for (uint32_t r = 0; r < roles; r++)
            array_push(joint, move_json(a->work, r, a->result->line.items[i + r]));
        array_push(line, joint);
    }
    return line;
}

static json_t *moves_json(const Answer *a) {
    json_t *moves = json_array();
    for (size_t i = 0; i < a->result->moves.count; i++) {
        const SearchMove *m = &a->result->moves.items[i];
        array_push(moves, object_of("move", move_json(a->work, a->role, m->move), "value",
                                    json_real(m->value), "visits", count_json(m->visits), "proven",
                                    json_boolean(m->is_proven)));
    }
    return moves;
}

static json_t *choice_json(const SearchChoice *choice) {
    json_t *list = json_array();
    for (size_t i = 0; i < choice->count; i++) {
        const SearchChallenger *c = &choice->challengers[i];
        array_push(list, json_pack("{s:s,s:s,s:I,s:I,s:I,s:f}", "rival", c->name, "verdict",
                                   challenger_verdict_text(c->verdict), "won", (json_int_t)c->won,
                                   "drawn", (json_int_t)c->drawn, "lost", (json_int_t)c->lost,
                                   "lead", 100 * c->lead));
    }
    return json_pack("{s:s,s:f,s:I,s:o}", "picked", choice->picked, "seconds_a_move",
                     choice->seconds, "playouts_a_move", (json_int_t)choice->playouts, "rivals",
                     list);
}

static void print_as_json(const Command *command, const Answer *a, Arena *arena) {
    const VerbOptions *own = command->options;
    const SearchResult *r = a->result;
    json_t *belief = NULL, *explanation = NULL;
    if (a->belief)
        belief = object_of("states", count_json(a->belief->states.count), "exact",
                           json_boolean(a->belief->kind == BELIEF_EXACT));
    if (own->explain) {
        Text text = {0};
        explain(a, &text, arena);
        explanation = take_text_json(&text);
    }
    print_json(object_of(
        "game", text_json(command->arguments[0]), "role", role_json(a->game, a->role), "algo",
        text_json(a->strategy->text), "best", move_json(a->work, a->role, r->best), "moves",
        moves_json(a), "line", line_json(a), "playouts", count_json(r->playouts), "cpu_seconds",
        json_real(r->cpu_seconds), "playouts_per_cpu_second", json_real(playout_rate(r)), "threads",
        count_json(command->common.threads ? command->common.threads : 1), "nodes",
        count_json(r->nodes), "depth", json_integer(r->depth), "belief", belief, "choice",
        a->choice ? choice_json(a->choice) : NULL, "explanation", explanation, "interrupted",
        json_boolean(interrupt_requested())));
}

static void print_moves(const Answer *a, Arena *arena) {
    size_t width = strlen("move");
    for (size_t i = 0; i < a->result->moves.count; i++) {
        size_t length = strlen(move_text(a, a->role, a->result->moves.items[i].move, arena));
        width = length > width ? length : width;
    }
    printf("%-*s %8s %12s\n", (int)width, "move", "value", "visits");
    for (size_t i = 0; i < a->result->moves.count; i++) {
        const SearchMove *m = &a->result->moves.items[i];
        printf("%-*s %8.2f %12lu%s\n", (int)width, move_text(a, a->role, m->move, arena), m->value,
               (unsigned long)m->visits, m->is_proven ? "  proven" : "");
    }
}

static void print_line(const Answer *a, Arena *arena) {
    const U32Vector *line = &a->result->line;
    uint32_t roles = a->game->role_count;
    if (!line->count)
        return;
    printf("line      ");
    for (size_t i = 0; i < line->count && i / roles < LINE_SHOWN; i++)
        printf("%s%s", i && i % roles == 0 ? "; " : " ",
               move_text(a, (uint32_t)(i % roles), line->items[i], arena));
    puts(line->count / roles > LINE_SHOWN ? "; ..." : "");
}

static void print_as_text(const Command *command, const Answer *a, Arena *arena) {
    const VerbOptions *own = command->options;
    const SearchResult *r = a->result;
    Text text = {0};
    print_moves(a, arena);
    printf("\nbest       %s, for %s\n", move_text(a, a->role, r->best, arena),
           a->game->roles[a->role]);
    if (a->belief)
        printf("belief     %s%zu state%s explain%s what the role has seen\n",
               a->belief->kind == BELIEF_EXACT ? "" : "a sample of ", a->belief->states.count,
               a->belief->states.count == 1 ? "" : "s", a->belief->states.count == 1 ? "s" : "");
    print_line(a, arena);
    printf("playouts  %lu in %.3f CPU seconds, %.0f a second\n", (unsigned long)r->playouts,
           r->cpu_seconds, playout_rate(r));
    printf("tree       %lu positions, depth %u\n", (unsigned long)r->nodes, r->depth);
    if (a->choice) {
        text_clear(&text);
        search_choice_write(a->choice, &text);
        printf("choice     %s\n", text.items);
    }
    if (own->explain) {
        text_clear(&text);
        explain(a, &text, arena);
        printf("\n%s\n", text.items);
    }
    vector_free(&text);
}

static SearchBudget budget_of(const Command *command, const Strategy *strategy) {
    const CommonOptions *common = &command->common;
    const VerbOptions *own = command->options;
    uint64_t playouts = common->playouts ? common->playouts : strategy->playouts;
    double left = own->start > 0 ? common->seconds : command_seconds_left(command);
    double seconds = common->seconds > 0     ? left
                     : strategy->seconds > 0 ? strategy->seconds
                     : playouts              ? INFINITY
                                             : DEFAULT_SECONDS;
    return (SearchBudget){
        .deadline = deadline_in(seconds), .playouts = playouts, .stopped = interrupt_flag()};
}

/* Runs the start clock, if there is one. False if the search does not choose how to play. */
static bool use_start_clock(const Command *command, Search *search, SearchChoice *choice) {
    const VerbOptions *own = command->options;
    bool counts = command->common.playouts > 0;
    if (own->start <= 0)
        return false;
    Deadline end = deadline_in(counts ? INFINITY : own->start);
    Ticker *ticker = ticker_start(!command->common.quiet, "start clock", end);
    search_run(search, &(SearchBudget){.deadline = end,
                                       .playouts = counts ? (uint64_t)fmax(1, own->start) : 0,
                                       .stopped = interrupt_flag(),
                                       .start_clock = own->start});
    ticker_stop(ticker);
    return search_describe(search, choice);
}

/* Marks all fluents as possibly irrelevant; the search itself finds out which ones it may
 * ignore. */
static void ignore_all(const Game *game, SearchOptions *options, Arena *arena) {
    size_t fluents = game_has_circuit(game) ? game->circuit->fluent_count : 0;
    uint64_t *set = arena_alloc(arena, (bitset_words(fluents) + 1) * sizeof *set);
    memset(set, 0, (bitset_words(fluents) + 1) * sizeof *set);
    for (size_t f = 0; f < fluents; f++)
        bitset_set(set, f);
    options->ignored = set;
    options->ignored_words = (uint32_t)bitset_words(fluents);
}

static bool read_strategy(const Command *command, Strategy *strategy, Report *report) {
    const VerbOptions *own = command->options;
    const struct {
        const char *key, *value;
    } given[] = {{"batch", own->batch},
                 {"leaf", own->leaf_playouts},
                 {"memory", own->megabytes},
                 {"parallel", own->parallel},
                 {"merge", own->merge}};
    if (!strategy_read(strategy, own->algo ? own->algo : "auto", report))
        return false;
    if (!strategy->has_seed)
        strategy->search.seed = cluster_seed(command->cluster, command->common.seed);
    if (command->common.threads)
        strategy->search.threads = (uint32_t)command->common.threads;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value && !strategy_set(strategy, given[i].key, given[i].value, report))
            return false;
    return true;
}

static void search_and_print(const Command *command, Search *search, Answer *answer, Arena *arena) {
    SearchResult result = {0};
    SearchChoice choice;
    if (use_start_clock(command, search, &choice))
        answer->choice = &choice;
    SearchBudget budget = budget_of(command, answer->strategy);
    Ticker *ticker = ticker_start(!command->common.quiet, "searching", budget.deadline);
    cluster_search(command->cluster, search, &budget, MERGES, &result);
    ticker_stop(ticker);
    answer->result = &result;
    if (command->common.json)
        print_as_json(command, answer, arena);
    else
        print_as_text(command, answer, arena);
    search_result_free(&result);
}

static Search *create_search(const Command *command, const Strategy *strategy, Game *game,
                             uint32_t role, const LeafDevice *device, Arena *arena,
                             Report *report) {
    const VerbOptions *own = command->options;
    SearchOptions options;
    if (!strategy_search_options(strategy, game, &options, report))
        return NULL;
    options.device = device;
    if (own->ignore_steppers)
        ignore_all(game, &options, arena);
    return strategy_create_search(strategy, game, role, &options, report);
}

static int search_position(const Command *command, const Strategy *strategy, Game *game,
                           MatchPosition *position, uint32_t role, const LeafDevice *device) {
    Report report = {0};
    Arena arena = {0};
    Search *search = create_search(command, strategy, game, role, device, &arena, &report);
    if (search) {
        BeliefFilter *filter =
            game_hides(game) ? position_belief(position, role, command->common.seed) : NULL;
        if (filter)
            search_set_belief(search, &filter->belief);
        else
            search_set_state(search, &position->state);
        Answer answer = {.game = game,
                         .work = position->work,
                         .role = role,
                         .strategy = strategy,
                         .belief = filter ? &filter->belief : NULL};
        search_and_print(command, search, &answer, &arena);
        belief_free(filter);
    } else {
        print_failure(&report);
    }
    int status = search ? STATUS_DONE : STATUS_USAGE;
    search_free(search);
    arena_free(&arena);
    report_free(&report);
    return status;
}

static int search_by_strategy(const Command *command, Game *game, MatchPosition *position,
                              uint32_t role) {
    const VerbOptions *own = command->options;
    Strategy strategy;
    Report report = {0};
    bool is_read = read_strategy(command, &strategy, &report);
    bool wants_gpu = is_read && (strategy.wants_gpu || choice_index("gpu", own->reasoner, -1) == 0);
    Gpu *gpu = wants_gpu ? gpu_open(&report) : NULL;
    LeafDevice device = gpu ? gpu_leaf_device(gpu) : (LeafDevice){0};
    int status = wants_gpu ? STATUS_EXHAUSTED : STATUS_USAGE;
    if (is_read && (gpu || !wants_gpu))
        status = search_position(command, &strategy, game, position, role, gpu ? &device : NULL);
    else
        print_failure(&report);
    gpu_close(gpu);
    strategy_free(&strategy);
    report_free(&report);
    return status;
}

static int answer(const Command *command, Game *game, MatchPosition *position) {
    const VerbOptions *own = command->options;
    if (!position_play(position, own->moves ? own->moves : ""))
        return STATUS_USAGE;
    uint32_t role = own->role ? game_find_role(game, own->role) : role_to_move(game, position);
    if (role == ROLE_NONE)
        return wrong_usage("the game has no role `%s`", own->role);
    U32Vector legal = {0};
    game_legal(position->work, &position->state, role, &legal);
    bool can_move = legal.count > 0;
    vector_free(&legal);
    bool is_over = game_is_terminal(position->work, &position->state);
    if (!is_over && can_move)
        return search_by_strategy(command, game, position, role);
    if (!is_over && work_must_end((Deadline){0}, NULL)) {
        complain("%s: cut short before the search began", command->arguments[0]);
        return STATUS_EXHAUSTED;
    }
    complain(is_over ? "the match is over: there is nothing to search"
                     : "the role has no legal move here");
    return STATUS_NO;
}

static int search(const Command *command, Game *game) {
    const VerbOptions *own = command->options;
    if (own->start > 0 && cluster_size(command->cluster) > 1)
        return wrong_usage("--start is for one process: several would choose differently");
    if (own->start > 0 && command->common.seconds > 0) /* the start clock comes on top of it */
        end_command_in(own->start + command->common.seconds);
    MatchPosition position;
    position_init(&position, game);
    int status = answer(command, game, &position);
    position_free(&position);
    return status;
}

const Verb verb_search = {
    .name = "search",
    .arguments = "GAME [--moves MOVES]",
    .summary = "find the best move in a position",
    .description =
        "Searches for a move of a role in the initial position, or in the one that the\n"
        "joint moves of --moves lead to: one move for each role, in the order of the\n"
        "roles; joint moves may stand in parentheses or be separated by semicolons.\n"
        "Prints for every legal move the goal to expect and the visits, whether that is\n"
        "proven, and the line expected. In a game with hidden information the role knows\n"
        "only its own moves and what it saw. Searches for one second unless --time or\n"
        "--playouts says something else. Exit status 1 if the match is over there.",
    .example = "search tic_tac_toe --moves \"(mark 2 2) noop; noop (mark 1 2)\" --time 0.5",
    VERB_OPTIONS,
    .unused = "verbose",
    .takes = {1, 1},
    .is_distributed = true,
    .play = search,
};
