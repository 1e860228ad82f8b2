/* Memory for the whole program: wrappers of malloc that never return NULL, and arenas, which are
 * chains of blocks freed at once by their one owner. Whatever input can make large has a budget
 * (memory_share). A program that called memory_guard ends its jobs in good order when memory gets
 * short all the same: the flag of base/interrupt.h rises while a reserve is left for what follows.
 * Only if that is not enough does the program end. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* GCC says by a macro that it instruments the program, Clang by a feature. Sanitizers make programs
 * slow and reserve far more addresses than any limit allows. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_SANITIZED 1
#endif
#endif

void *memory_alloc(size_t bytes);
void *memory_zalloc(size_t bytes);
void *memory_realloc(void *block, size_t bytes);
/* Cleared, at a multiple of `alignment`, of which `bytes` is a multiple, too. */
void *memory_aligned_zalloc(size_t alignment, size_t bytes);
char *memory_strdup(const char *text);
/* Frees several blocks, each of which may be NULL: memory_free(a, b, c). The pointers are read
 * before the first block is freed, so a struct may follow what it owns. */
#define memory_free(...)                                                                           \
    memory_free_blocks((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void memory_free_blocks(void *const *blocks, size_t count);
/* Call it before the first thread starts. If the address space is limited (ulimit -v), all threads
 * share one heap: the C library would reserve 64 MB of it for each. */
void memory_share_heap(void);
/* Call it once, before the first thread starts. Until the next call of memory_recover, memory is
 * short once the process comes near memory_limit; `last_words` ends the program (it does not
 * return) when not even the reserve is enough. Call it again, with NULL, when the limit was
 * lowered. */
void memory_guard(void (*last_words)(void));
/* After the jobs that took the memory have ended and freed it: lets new ones begin. False if memory
 * is still short. Servers and players call it now and then. */
bool memory_recover(void);
/* True if memory was ever short. */
bool memory_was_short(void);
/* Bytes that the process may take: the least of `ulimit -v`, the limit of its control group and the
 * memory of the machine. */
size_t memory_limit(void);
/* Addresses that the process may still take under `ulimit -v`, or SIZE_MAX. */
size_t memory_free_addresses(void);
/* A budget: `wanted` bytes, but at most that share (0..1) of memory_limit. */
size_t memory_share(size_t wanted, double share);
/* Returns freed memory to the system, if the C library can. Call it after a large job. */
void memory_trim(void);

typedef struct ArenaBlock ArenaBlock;

/* An arena. Zero-initialise to use. Everything allocated from it lives until arena_free. */
typedef struct {
    ArenaBlock *block;
    char *free;        /* next free byte of the newest block */
    char *end;         /* one past its last byte */
    size_t bytes;      /* bytes allocated from the system */
    ArenaBlock *spare; /* blocks of another arena, for use before the system is asked for more */
} Arena;

/* The memory is aligned to 16 bytes and not cleared. */
void *arena_alloc(Arena *arena, size_t bytes);
/* Like arena_alloc, but the memory is cleared. */
void *arena_zalloc(Arena *arena, size_t bytes);
char *arena_copy(Arena *arena, const char *text, size_t length);
char *arena_vprintf(Arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_free(Arena *arena);
/* Ends the arena `from`, and lets `to` use its blocks: the system clears pages before it gives them
 * to a program, which takes longer than to use them once. */
void arena_recycle(Arena *to, Arena *from);
