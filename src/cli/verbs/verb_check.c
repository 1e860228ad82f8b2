/* marelle check: diagnostics like those of a compiler, or one JSON object per file. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "cli/games.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/verbs/check_simulate.h"
#include "gdl/check/check.h"
#include "gdl/check/codes.h"

typedef struct {
    uint64_t matches;
    bool list_codes;
} VerbOptions;

static const Option options[] = {
    {"simulate", 0, OPTION_COUNT, "N", OWN(matches),
     "play N random matches as well and report what goes wrong"},
    {"list-codes", 0, OPTION_FLAG, NULL, OWN(list_codes), "list every code a diagnostic can have"},
};

typedef struct {
    size_t files, errors, warnings;
    int status;
} Totals;

static int list_codes(const CommonOptions *common) {
    json_t *array = json_array();
    for (int code = 0; code < CODE_COUNT; code++) {
        const CodeInfo *info = code_info((DiagnosticCode)code);
        const char *severity = severity_name(info->severity);
        if (!common->json)
            printf("%-22s %-8s %s\n", info->name, severity, info->summary);
        else
            array_push(array, json_pack("{s:s,s:s,s:s}", "code", info->name, "severity", severity,
                                        "summary", info->summary));
    }
    if (common->json)
        print_json(json_pack("{s:O}", "codes", array));
    json_decref(array);
    return STATUS_DONE;
}

static void print_result(const Command *command, const char *file, const Report *report,
                         bool is_readable) {
    const CommonOptions *common = &command->common;
    if (common->json) {
        print_json(object_of("file", text_json(file), "ok", json_boolean(!report_failed(report)),
                             "errors", count_json(report->counts[SEVERITY_ERROR]), "warnings",
                             count_json(report->counts[SEVERITY_WARNING]), "diagnostics",
                             diagnostics_json(report)));
    } else if (!is_readable) {
        print_failure(report);
    } else {
        report_print(report, stdout,
                     common->quiet     ? SEVERITY_ERROR
                     : common->verbose ? SEVERITY_NOTE
                                       : SEVERITY_WARNING);
    }
}

static void check_file(const Command *command, const char *file, Totals *totals) {
    const VerbOptions *own = command->options;
    Report report = {0};
    Syntax *syntax = game_read_syntax(file, &report);
    Rules *rules = syntax ? rules_lower(syntax, &report) : NULL;
    if (rules)
        rules_check(rules, &report);
    report_sort(&report);
    if (!syntax || work_must_end((Deadline){0}, NULL))
        totals->status = unreadable_status();
    if (rules && own->matches)
        check_simulate(rules, own->matches, &command->common, &report);
    if (syntax || !interrupt_requested()) {
        print_result(command, file, &report, syntax != NULL);
        totals->files++;
        totals->errors += report.counts[SEVERITY_ERROR];
        totals->warnings += report.counts[SEVERITY_WARNING];
    }
    rules_free(rules);
    report_free(&report);
}

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

static int run_check(const Command *command) {
    const VerbOptions *own = command->options;
    if (own->list_codes)
        return list_codes(&command->common);
    if (!command->argument_count)
        return wrong_usage("`check` needs a file: marelle check %s", verb_check.arguments);
    Totals totals = {0};
    for (size_t i = 0; i < command->argument_count && !interrupt_requested(); i++)
        check_file(command, command->arguments[i], &totals);
    if (!command->common.json && !command->common.quiet)
        printf("%zu file%s checked: %zu error%s, %zu warning%s\n", totals.files,
               plural(totals.files), totals.errors, plural(totals.errors), totals.warnings,
               plural(totals.warnings));
    return totals.status ? totals.status : totals.errors ? STATUS_NO : STATUS_DONE;
}

const Verb verb_check = {
    .name = "check",
    .arguments = "FILE... [--simulate N]",
    .summary = "find the mistakes in descriptions of games",
    .description =
        "Checks that each file is a well-formed game description and reports errors and\n"
        "warnings with line and column, with --verbose notes as well. Built-in games can\n"
        "be named too. Exit status 0 without errors, 1 with errors, 2 if a file cannot\n"
        "be read.",
    .example = "check tic_tac_toe --verbose",
    VERB_OPTIONS,
    .unused = "threads playouts kernel",
    .takes = {0, SIZE_MAX},
    .run = run_check,
};
