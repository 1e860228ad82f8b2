/* Tests arenas: alignment, growth, large requests, formatted strings. */
#include "base/memory.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "support.h"

Test(memory, nothing_is_never_null) {
    void *a = memory_alloc(0), *b = memory_zalloc(0);
    cr_assert_not_null(a);
    cr_assert_not_null(b);
    free(memory_realloc(a, 0));
    free(b);
}

Test(memory, zalloc_clears) {
    char *block = memory_zalloc(1000);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(block[i], 0);
    free(block);
}

Test(arena, blocks_are_aligned_and_apart) {
    Arena arena = {0};
    char *last = NULL;
    for (size_t i = 0; i < 10000; i++) {
        char *block = arena_alloc(&arena, i % 50);
        cr_assert_eq((uintptr_t)block % 16, 0);
        memset(block, 1, i % 50);
        cr_assert_neq(block, last);
        last = i % 50 ? block : last;
    }
    arena_free(&arena);
    cr_assert_null(arena.block);
    cr_assert_eq(arena.bytes, 0);
}

Test(arena, blocks_are_used_again) {
    enum { BYTES = 3 << 20, TIMES = 10 };
    Arena old = {0}, new = {0};
    for (int i = 0; i < TIMES; i++)
        memset(arena_alloc(&old, BYTES), 1, BYTES);
    size_t bytes = old.bytes;
    arena_recycle(&new, &old);
    cr_assert_null(old.block);
    cr_assert_eq(old.bytes, 0);
    cr_assert_eq(new.bytes, bytes);
    for (int i = 0; i < TIMES; i++)
        memset(arena_alloc(&new, BYTES), 2, BYTES);
    cr_assert_eq(new.bytes, bytes, "no memory is taken from the system");
    char *large = arena_zalloc(&new, bytes);
    cr_assert_gt(new.bytes, bytes);
    cr_assert_eq(large[bytes - 1], 0);
    arena_recycle(&old, &new);
    arena_free(&old);
}

Test(arena, a_request_larger_than_a_block) {
    Arena arena = {0};
    char *small = arena_copy(&arena, "small", 5);
    char *large = arena_alloc(&arena, 10 << 20);
    memset(large, 7, 10 << 20);
    char *after = arena_copy(&arena, "after", 5);
    cr_assert_str_eq(small, "small");
    cr_assert_str_eq(after, "after");
    cr_assert_geq(arena.bytes, 10u << 20);
    arena_free(&arena);
}

Test(arena, copies_end_with_nul_and_may_hold_some) {
    Arena arena = {0};
    char *copy = arena_copy(&arena, "a\0b", 3);
    cr_assert_arr_eq(copy, "a\0b", 4);
    cr_assert_str_eq(arena_copy(&arena, "xyz", 0), "");
    arena_free(&arena);
}

Test(arena, strings_are_packed_and_blocks_aligned_all_the_same) {
    Arena arena = {0};
    for (int i = 0; i < 1000; i++) {
        char *one = arena_copy(&arena, "ab", 2), *two = arena_copy(&arena, "cd", 2);
        cr_assert(two == one + 3 || two < one || two > one + 100, "packed, or in a new block");
        uint64_t *block = arena_alloc(&arena, sizeof *block);
        cr_assert_eq((uintptr_t)block % 16, 0);
        *block = 1;
        cr_assert_str_eq(one, "ab");
        cr_assert_str_eq(two, "cd");
    }
    arena_free(&arena);
}

Test(arena, printf) {
    Arena arena = {0};
    cr_assert_str_eq(arena_printf(&arena, "%d %s", 42, "words"), "42 words");
    char *wide = arena_printf(&arena, "%20000s|", "x");
    cr_assert_eq(strlen(wide), 20001);
    arena_free(&arena);
}

#ifndef MEMORY_SANITIZED /* sanitizers reserve terabytes of addresses */
static void no_last_words(void) {
    _exit(3);
}

/* Limits the address space to so many bytes more than are taken now. */
static void limit_addresses(size_t more) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    cr_assert(file && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    size_t bytes = pages * (size_t)sysconf(_SC_PAGESIZE) + more;
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
}

Test(memory, jobs_end_near_the_limit_and_new_ones_may_begin_afterwards) {
    enum { BLOCK = 2 << 20, BLOCKS = 1000 };
    void *blocks[BLOCKS];
    int count = 0;
    limit_addresses((size_t)400 << 20);
    cr_assert_lt(memory_limit(), (size_t)64 << 30);
    memory_guard(no_last_words);
    while (count < BLOCKS && !interrupt_lacks_memory())
        blocks[count++] = memory_alloc(BLOCK);
    cr_assert_lt(count, 220, "the flag rises before the limit");
    cr_assert_gt(count, 50, "but not long before");
    blocks[count++] = memory_alloc(BLOCK);
    cr_assert(memory_was_short());
    cr_assert_not(memory_recover(), "nothing was freed yet");
    while (count)
        free(blocks[--count]);
    cr_assert(memory_recover());
    cr_assert_not(interrupt_lacks_memory());
}

Test(memory, the_reserve_is_spent_before_the_program_ends, .exit_code = 3) {
    limit_addresses((size_t)300 << 20);
    memory_guard(no_last_words);
    for (;;)
        (void)memory_alloc(64 << 10);
}

/* The first request of each of two threads is refused, and neither goes on before both are. It
 * takes the place of the function of the C library. */
static bool refuses;
static pthread_barrier_t both_refused;

void *aligned_alloc(size_t alignment, size_t bytes) {
    static _Thread_local bool was_refused;
    void *block = NULL;
    if (refuses && !was_refused) {
        was_refused = true;
        pthread_barrier_wait(&both_refused);
        return NULL;
    }
    return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

static void *take_much(void *unused) {
    Arena arena = {0};
    (void)unused;
    memset(arena_alloc(&arena, 3 << 20), 1, 3 << 20);
    arena_free(&arena);
    return NULL;
}

Test(memory, the_reserve_is_for_all_threads_that_were_refused_memory) {
    pthread_t threads[2];
    memory_guard(no_last_words);
    pthread_barrier_init(&both_refused, NULL, 2);
    refuses = true;
    for (int t = 0; t < 2; t++)
        cr_assert_eq(pthread_create(&threads[t], NULL, take_much, NULL), 0);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], NULL);
    cr_assert(memory_was_short());
    cr_assert(memory_recover());
    pthread_barrier_destroy(&both_refused);
}
#endif

Test(memory, aligned_blocks_are_cleared) {
    for (size_t bytes = 64; bytes < 10000; bytes += 64) {
        char *block = memory_aligned_zalloc(64, bytes);
        cr_assert_eq((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < bytes; i++)
            cr_assert_eq(block[i], 0);
        memset(block, 1, bytes);
        free(block);
    }
}

Test(memory, a_share_is_no_more_than_wanted) {
    cr_assert_eq(memory_share(1000, 0.5), 1000);
    cr_assert_leq(memory_share(SIZE_MAX / 2, 0.5), memory_limit() / 2);
}
