/* marelle info: the contents of a description, such as its roles, relations and sizes. */
#include <stdio.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "gdl/info.h"
#include "gdl/write.h"
#include "ground/ground.h"

static const char *notation_name(Notation notation) {
    return notation == NOTATION_KIF ? "kif" : "infix";
}

static json_t *roles_json(const Rules *rules) {
    json_t *roles = json_array();
    for (size_t i = 0; i < rules->roles.count; i++) {
        Text name = {0};
        write_term_lower(&name, &rules->terms, rules->roles.items[i]);
        array_push(roles, take_text_json(&name));
    }
    return roles;
}

static json_t *predicates_json(const Info *info, const Rules *rules) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < info->predicates.items.count; i++) {
        const Predicate *p = &info->predicates.items.items[i];
        const char *name = symbols_name(&rules->syntax->symbols, p->symbol);
        array_push(array, json_pack("{s:o,s:i,s:I,s:b,s:b}", "name", text_json(name), "arity",
                                    (int)p->arity, "clauses", (json_int_t)p->clauses.count,
                                    "dynamic", predicate_is_dynamic(p), "recursive",
                                    predicate_is_recursive(&info->predicates, i)));
    }
    return array;
}

/* Sizes that only the grounder knows. `known` is true if it finished within its budget. */
typedef struct {
    bool known;
    size_t fluents, moves;
} GroundCounts;

static GroundCounts count_ground(const Rules *rules) {
    enum { SECONDS = 5 };
    const GroundBudget budget = {
        .seconds = SECONDS, .bytes = (size_t)1 << 30, .cancelled = interrupt_flag()};
    Report report = {0};
    Grounding *g = ground_rules(rules, &budget, &report);
    GroundCounts counts = {.known = g != NULL};
    if (g) {
        counts.fluents = g->fluents.count;
        counts.moves = g->moves.count;
    }
    grounding_free(g);
    report_free(&report);
    return counts;
}

static json_t *known_json(bool known, size_t count) {
    return known ? json_integer((json_int_t)count) : json_null();
}

static void print_info_json(const char *game, const Info *info, const Rules *rules) {
    GroundCounts ground = count_ground(rules);
    print_json(object_of(
        "file", text_json(game), "roles", roles_json(rules), "gdl",
        text_json(rules_use_gdl2(rules) ? "II" : "I"), "rules", count_json(info->rules), "facts",
        count_json(info->facts), "clauses", count_json(info->clauses), "fluents",
        known_json(ground.known, ground.fluents), "moves", known_json(ground.known, ground.moves),
        "notation", text_json(notation_name(rules->syntax->notation)), "lines",
        count_json(info->lines), "bytes", count_json(info->bytes), "nesting",
        json_integer(info->deepest_nesting), "recursion",
        object_of("longest_chain", json_integer(info->longest_chain), "predicates",
                  json_integer(info->recursive_predicates), "largest_component",
                  json_integer(info->largest_recursive_component)),
        "predicates", predicates_json(info, rules)));
}

static void print_predicate(const Info *info, const Rules *rules, uint32_t index) {
    const Predicate *p = &info->predicates.items.items[index];
    char name[40];
    snprintf(name, sizeof name, "%.30s/%u", symbols_name(&rules->syntax->symbols, p->symbol),
             p->arity);
    printf("  %-24s %7zu %s%s\n", name, p->clauses.count,
           predicate_is_dynamic(p) ? "dynamic" : "static",
           predicate_is_recursive(&info->predicates, index) ? ", recursive" : "");
}

static void print_info(const Info *info, const Rules *rules, bool all_predicates) {
    fputs("roles        ", stdout);
    Text roles = {0};
    for (size_t i = 0; i < rules->roles.count; i++) {
        text_add(&roles, i ? " " : "");
        write_term_lower(&roles, &rules->terms, rules->roles.items[i]);
    }
    puts(roles.count ? roles.items : "none");
    vector_free(&roles);
    printf("language     GDL-%s, %s notation\n", rules_use_gdl2(rules) ? "II" : "I",
           notation_name(rules->syntax->notation));
    printf("size         %zu bytes, %zu lines, nesting %u\n", info->bytes, info->lines,
           info->deepest_nesting);
    printf("rules        %zu\nfacts        %zu\nclauses      %zu\n", info->rules, info->facts,
           info->clauses);
    GroundCounts ground = count_ground(rules);
    if (ground.known)
        printf("fluents      %zu\nmoves        %zu\n", ground.fluents, ground.moves);
    else
        puts("fluents      unknown\nmoves        unknown");
    printf("predicates   %zu, in chains of up to %u\n", info->predicates.items.count,
           info->longest_chain);
    printf("recursive    %u, at most %u together\n", info->recursive_predicates,
           info->largest_recursive_component);
    if (!all_predicates)
        return;
    printf("\n  %-24s %7s\n", "predicate", "clauses");
    for (uint32_t i = 0; i < info->predicates.items.count; i++)
        print_predicate(info, rules, i);
}

static int inform(const Command *command, const Rules *rules) {
    Info info;
    info_collect(&info, rules);
    if (command->common.json)
        print_info_json(command->arguments[0], &info, rules);
    else
        print_info(&info, rules, !command->common.quiet);
    info_free(&info);
    return STATUS_DONE;
}

const Verb verb_info = {
    .name = "info",
    .arguments = "GAME",
    .summary = "say what a description consists of",
    .description = "Prints the roles of the game, its version of GDL, sizes, and a table of its\n"
                   "predicates: clauses, whether moves can change them, whether they recurse.\n"
                   "--quiet leaves the table out. Fluents and moves (of all roles together) are\n"
                   "unknown where counting them takes over 5 seconds.",
    .example = "info connect_four --json",
    .unused = "seed threads playouts verbose",
    .takes = {1, 1},
    .read = inform,
};
