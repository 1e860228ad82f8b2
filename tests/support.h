/* Shared by the tests of several modules: reading rules from a string, and walking folders of
 * games. A test program is one file, so everything here is static. */
#ifndef MARELLE_TESTS_SUPPORT_H
#define MARELLE_TESTS_SUPPORT_H

#include <criterion/criterion.h>
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gdl/rules.h"
#include "gdl/write.h"

__attribute__((unused)) static Syntax *read_syntax(const char *text, size_t length,
                                                   Report *report) {
    Source *source = source_from_text("test", text, length, report);
    cr_assert_not_null(source);
    return syntax_read(source, report);
}

__attribute__((unused)) static Syntax *syntax_of(const char *text) {
    Report report = {0};
    Syntax *syntax = read_syntax(text, strlen(text), &report);
    cr_assert(!report_failed(&report), "`%.60s`: %s", text,
              report.items.count ? report.items.items[0].message : "");
    report_free(&report);
    return syntax;
}

__attribute__((unused)) static Rules *rules_of(const char *text) {
    Report report = {0};
    Rules *rules = rules_read_text("test", text, strlen(text), &report);
    cr_assert_not_null(rules, "`%.60s`: %s", text,
                       report.items.count ? report.items.items[0].message : "");
    report_free(&report);
    return rules;
}

/* Returns the first diagnostic as "code line:column", or "" if there is none. */
__attribute__((unused)) static const char *first_problem(const Report *report) {
    static char text[100];
    text[0] = '\0';
    if (report->items.count) {
        const Diagnostic *d = &report->items.items[0];
        snprintf(text, sizeof text, "%s %u:%u", d->code, d->line, d->column);
    }
    return text;
}

/* Returns the first diagnostic of reading and lowering a text. */
__attribute__((unused)) static const char *problem_of(const char *text) {
    Report report = {0};
    Rules *rules = rules_read_text("test", text, strlen(text), &report);
    const char *problem = first_problem(&report);
    cr_assert_eq(rules == NULL, report_failed(&report));
    rules_free(rules);
    report_free(&report);
    return problem;
}

/* Returns rules in which every word except keywords, variables and scores is replaced, in no
 * alphabetical order. The caller frees them. */
__attribute__((unused)) static char *scramble(const char *rules) {
    Symbols names = {0};
    Text out = {0};
    keywords_intern(&names);
    for (const char *c = rules; *c;) {
        if (*c == ';') {
            while (*c && *c != '\n')
                c++;
        } else if (isspace((unsigned char)*c) || *c == '(' || *c == ')') {
            text_add_char(&out, *c++);
        } else {
            size_t length = strcspn(c, " \t\r\n();");
            Symbol symbol = symbols_intern(&names, c, length);
            bool is_score = length > 1 && strspn(c, "0123456789") >= length;
            if (*c == '?' || symbol < KEYWORD_COUNT || is_score)
                text_add_bytes(&out, c, length);
            else
                text_printf(&out, "w%u", symbol * 7919 % 10007);
            c += length;
        }
    }
    symbols_free(&names);
    return out.items;
}

/* Returns all expressions of a tree in KIF, separated by blanks. The caller frees it. */
__attribute__((unused)) static char *tree_text(const Syntax *syntax) {
    Text text = {0};
    for (size_t i = 0; i < syntax->roots.count; i++) {
        if (i)
            text_add_char(&text, ' ');
        write_node(&text, syntax, syntax->roots.items[i], NOTATION_KIF, WRITE_EXPRESSION);
    }
    text_add(&text, "");
    return text.items;
}

__attribute__((unused)) static void assert_tree(const char *text, const char *expected) {
    Syntax *syntax = syntax_of(text);
    char *tree = tree_text(syntax);
    cr_assert_str_eq(tree, expected, "`%s` reads as `%s`, not `%s`", text, tree, expected);
    free(tree);
    syntax_free(syntax);
}

/* True if two trees have the same expressions; names are compared without case. */
__attribute__((unused)) static bool same_trees(const Syntax *a, const Syntax *b) {
    if (a->nodes.count != b->nodes.count || a->roots.count != b->roots.count)
        return false;
    for (size_t i = 0; i < a->nodes.count; i++) {
        const Node *x = &a->nodes.items[i], *y = &b->nodes.items[i];
        if (x->size != y->size || (x->symbol == SYMBOL_NONE) != (y->symbol == SYMBOL_NONE))
            return false;
        if (x->symbol != SYMBOL_NONE && strcasecmp(symbols_name(&a->symbols, x->symbol),
                                                   symbols_name(&b->symbols, y->symbol)) != 0)
            return false;
    }
    return true;
}

typedef void FileVisitor(const char *path);

/* Visits the files of a folder and of its sub-folders, in no special order. Returns their
 * number. */
__attribute__((unused)) static size_t visit_files(const char *folder, FileVisitor *visit) {
    DIR *directory = opendir(folder);
    size_t count = 0;
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        Text path = {0};
        text_printf(&path, "%s/%s", folder, entry->d_name);
        const char *dot = strrchr(entry->d_name, '.');
        if (entry->d_type == DT_DIR) {
            count += visit_files(path.items, visit);
        } else if (dot && !strstr(".csv .md .py .trace", dot)) {
            visit(path.items);
            count++;
        }
        vector_free(&path);
    }
    closedir(directory);
    return count;
}

/* Visits the games of the project, and those of the corpus if there is one. */
__attribute__((unused)) static void visit_games(FileVisitor *visit) {
    cr_assert_gt(visit_files(MARELLE_TESTS "/../games", visit), 0);
}

__attribute__((unused)) static void visit_corpus(FileVisitor *visit) {
    const char *shared = getenv("MARELLE_SHARED");
    Text folder = {0};
    text_printf(&folder, "%s/corpus", shared ? shared : "/nonexistent");
    size_t count = visit_files(folder.items, visit);
    vector_free(&folder);
    if (!count)
        cr_skip_test("no corpus");
}

#endif
