/* marelle info: the contents of a description, such as its roles, relations and sizes. */
#include <stdio.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "gdl/info.h"
#include "gdl/write.h"
#include "server/json/rules_json.h"

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
    GroundCounts ground = rules_count_ground(rules, interrupt_flag());
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
    if (command->common.json) {
        print_json(object_add(rules_info_json(rules, interrupt_flag()), "file",
                              text_json(command->arguments[0])));
        return STATUS_DONE;
    }
    info_collect(&info, rules);
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
    .unused = "seed threads playouts verbose kernel",
    .takes = {1, 1},
    .read = inform,
};
