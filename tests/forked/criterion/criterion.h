/* The part of Criterion that our tests use, for machines on which Criterion itself cannot run. It
 * starts the test program anew for every test, which fails in an emulator of user programs. Here
 * each test runs in a child of fork. Time limits of single tests are left to meson. The results go
 * to standard output as TAP. */
#pragma once

#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKED_FAILED = 1, FORKED_SKIPPED = 77, FORKED_MAX_TESTS = 200 };

typedef struct {
    double timeout; /* ignored */
    int signal;     /* the signal that must end the test; 0 if none */
    void (*init)(void), (*fini)(void);
} ForkedOptions;

typedef struct {
    const char *suite, *name;
    void (*run)(void);
    ForkedOptions options;
} ForkedTest;

static ForkedTest forked_tests[FORKED_MAX_TESTS];
static size_t forked_count;
static volatile bool forked_has_failed; /* in a child: an expectation failed */
static FILE *forked_notes;              /* messages of a child, which its parent prints */

static inline void forked_add(ForkedTest test) {
    assert(forked_count < FORKED_MAX_TESTS);
    forked_tests[forked_count++] = test;
}

__attribute__((noreturn)) static inline void forked_leave(int status) {
    fflush(NULL);
    _exit(status);
}

/* Prints why a check failed, and ends the test if `is_fatal`. */
__attribute__((format(printf, 5, 6))) static inline void
forked_fail(bool is_fatal, const char *file, int line, const char *check, const char *format, ...) {
    va_list arguments;
    fprintf(forked_notes, "# %s:%d: %s", file, line, check);
    va_start(arguments, format);
    vfprintf(forked_notes, format, arguments);
    va_end(arguments);
    fputs("\n", forked_notes);
    forked_has_failed = true;
    if (is_fatal)
        forked_leave(FORKED_FAILED);
}

__attribute__((noreturn)) static inline void forked_run_here(const ForkedTest *test) {
    if (test->options.init)
        test->options.init();
    test->run();
    if (test->options.fini)
        test->options.fini();
    forked_leave(forked_has_failed ? FORKED_FAILED : 0);
}

/* Prints and clears the notes of a child. */
static inline void forked_print_notes(void) {
    char line[1000];
    rewind(forked_notes);
    while (fgets(line, sizeof line, forked_notes))
        fputs(line, stdout);
    rewind(forked_notes);
    if (ftruncate(fileno(forked_notes), 0) != 0)
        abort();
}

int main(void) {
    bool all_passed = true;
    forked_notes = tmpfile();
    if (!forked_notes)
        return 2;
    setvbuf(forked_notes, NULL, _IOLBF, BUFSIZ); /* a test may crash */
    printf("1..%zu\n", forked_count);
    for (size_t i = 0; i < forked_count; i++) {
        const ForkedTest *test = &forked_tests[i];
        int status = 0, wanted = test->options.signal;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            forked_run_here(test);
        bool has_ended = child > 0 && waitpid(child, &status, 0) == child;
        bool is_skipped = has_ended && WIFEXITED(status) && WEXITSTATUS(status) == FORKED_SKIPPED;
        bool has_passed =
            is_skipped || (has_ended && (wanted ? WIFSIGNALED(status) && WTERMSIG(status) == wanted
                                                : status == 0));
        all_passed &= has_passed;
        printf("%sok %zu - %s::%s%s\n", has_passed ? "" : "not ", i + 1, test->suite, test->name,
               is_skipped ? " # SKIP" : "");
        if (has_ended && !has_passed && WIFSIGNALED(status))
            printf("# ended by signal %d\n", WTERMSIG(status));
        forked_print_notes();
    }
    return all_passed ? 0 : 1;
}

#define Test(suite_, name_, ...)                                                                   \
    static void suite_##_##name_##_test(void);                                                     \
    __attribute__((constructor)) static void suite_##_##name_##_add(void) {                        \
        forked_add((ForkedTest){#suite_, #name_, suite_##_##name_##_test, {__VA_ARGS__}});         \
    }                                                                                              \
    static void suite_##_##name_##_test(void)
#define TestSuite(name_, ...) _Static_assert(1, #name_)

#define FORKED_CHECK(is_fatal, is_true, text, ...)                                                 \
    ((is_true) ? (void)0 : forked_fail(is_fatal, __FILE__, __LINE__, text, " " __VA_ARGS__))
#define FORKED_COMPARE(is_fatal, a, relation, b, ...)                                              \
    FORKED_CHECK(is_fatal, (a)relation(b), #a " " #relation " " #b, __VA_ARGS__)
#define FORKED_STRINGS(is_fatal, a, relation, b, ...)                                              \
    FORKED_CHECK(is_fatal, strcmp((a), (b)) relation 0, #a " " #relation " " #b, __VA_ARGS__)
#define FORKED_FLOATS(is_fatal, a, b, epsilon, ...)                                                \
    FORKED_CHECK(is_fatal, fabs((double)(a) - (double)(b)) <= (epsilon), #a " is near " #b,        \
                 __VA_ARGS__)
#define FORKED_BYTES(is_fatal, a, b, size, ...)                                                    \
    FORKED_CHECK(is_fatal, memcmp((a), (b), (size)) == 0, #a " has the bytes of " #b, __VA_ARGS__)

#define cr_log_info(...)                                                                           \
    ((void)(fprintf(forked_notes, "# " __VA_ARGS__), fputs("\n", forked_notes)))
#define cr_skip_test(...) (cr_log_info(__VA_ARGS__), forked_leave(FORKED_SKIPPED))
#define cr_assert_fail(...) FORKED_CHECK(true, false, "failed", __VA_ARGS__)

#define cr_assert(a, ...) FORKED_CHECK(true, a, #a, __VA_ARGS__)
#define cr_assert_not(a, ...) FORKED_CHECK(true, !(a), "not " #a, __VA_ARGS__)
#define cr_assert_null(a, ...) FORKED_COMPARE(true, a, ==, NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...) FORKED_COMPARE(true, a, !=, NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...) FORKED_COMPARE(true, a, ==, b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...) FORKED_COMPARE(true, a, !=, b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) FORKED_COMPARE(true, a, <, b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) FORKED_COMPARE(true, a, <=, b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...) FORKED_COMPARE(true, a, >, b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) FORKED_COMPARE(true, a, >=, b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) FORKED_STRINGS(true, a, ==, b, __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...) FORKED_STRINGS(true, a, !=, b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, e, ...) FORKED_FLOATS(true, a, b, e, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) FORKED_BYTES(true, a, b, size, __VA_ARGS__)

#define cr_expect(a, ...) FORKED_CHECK(false, a, #a, __VA_ARGS__)
#define cr_expect_not(a, ...) FORKED_CHECK(false, !(a), "not " #a, __VA_ARGS__)
#define cr_expect_null(a, ...) FORKED_COMPARE(false, a, ==, NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...) FORKED_COMPARE(false, a, !=, NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) FORKED_COMPARE(false, a, ==, b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...) FORKED_COMPARE(false, a, !=, b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...) FORKED_COMPARE(false, a, <, b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) FORKED_COMPARE(false, a, <=, b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...) FORKED_COMPARE(false, a, >, b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...) FORKED_COMPARE(false, a, >=, b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) FORKED_STRINGS(false, a, ==, b, __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...) FORKED_STRINGS(false, a, !=, b, __VA_ARGS__)
#define cr_expect_float_eq(a, b, e, ...) FORKED_FLOATS(false, a, b, e, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) FORKED_BYTES(false, a, b, size, __VA_ARGS__)
