/* Arenas grow by blocks that double up to some megabytes; a request larger than a block gets its
 * own. Large blocks ask for huge pages, because a tree of a million nodes is visited at random and
 * address translation dominates the cost. */
#include "base/memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    ARENA_ALIGN = 16,            /* bytes */
    ARENA_FIRST_BLOCK = 1 << 12, /* bytes (untuned) */
    ARENA_MAX_BLOCK = 4 << 20,   /* bytes (untuned) */
    HUGE_PAGE = 2 << 20          /* bytes, of x86-64 */
};

struct ArenaBlock {
    ArenaBlock *previous;
    size_t bytes;
};

static void *or_die(void *block) {
    if (!block) {
        fputs("marelle: out of memory\n", stderr);
        abort();
    }
    return block;
}

void *memory_alloc(size_t bytes) {
    return or_die(malloc(bytes ? bytes : 1));
}

void *memory_zalloc(size_t bytes) {
    return or_die(calloc(1, bytes ? bytes : 1));
}

void *memory_realloc(void *block, size_t bytes) {
    return or_die(realloc(block, bytes ? bytes : 1));
}

char *memory_strdup(const char *text) {
    return or_die(strdup(text));
}

void memory_free_blocks(void *const *blocks, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
}

void memory_share_heap(void) {
#ifdef __GLIBC__
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        mallopt(M_ARENA_MAX, 1);
#endif
}

void memory_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static size_t header_bytes(void) {
    return (sizeof(ArenaBlock) + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
}

static void *alloc_block(size_t bytes) {
    if (bytes < HUGE_PAGE)
        return memory_alloc(bytes);
    void *block = or_die(aligned_alloc(HUGE_PAGE, bytes));
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE); /* only advice: may fail */
#endif
    return block;
}

static void add_block(Arena *arena, size_t at_least) {
    size_t bytes = arena->block ? 2 * arena->block->bytes : ARENA_FIRST_BLOCK;
    if (bytes > ARENA_MAX_BLOCK)
        bytes = ARENA_MAX_BLOCK;
    if (bytes < at_least + header_bytes())
        bytes = at_least + header_bytes();
    if (bytes > HUGE_PAGE)
        bytes = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    ArenaBlock *block = alloc_block(bytes);
    block->previous = arena->block;
    block->bytes = bytes;
    arena->block = block;
    arena->free = (char *)block + header_bytes();
    arena->end = (char *)block + bytes;
    arena->bytes += bytes;
}

/* Takes so many bytes at an alignment, a power of two up to ARENA_ALIGN. */
static void *take(Arena *arena, size_t bytes, size_t alignment) {
    assert(alignment <= ARENA_ALIGN && (alignment & (alignment - 1)) == 0);
    size_t skip = -(uintptr_t)arena->free & (alignment - 1);
    if (!arena->block || (size_t)(arena->end - arena->free) < bytes + skip) {
        add_block(arena, bytes);
        skip = 0;
    }
    char *result = arena->free + skip;
    arena->free = result + bytes;
    return result;
}

void *arena_alloc(Arena *arena, size_t bytes) {
    return take(arena, bytes, ARENA_ALIGN);
}

void *arena_zalloc(Arena *arena, size_t bytes) {
    return memset(arena_alloc(arena, bytes), 0, bytes);
}

/* Strings are not aligned, because a description has very many short names. */
char *arena_copy(Arena *arena, const char *text, size_t length) {
    char *copy = take(arena, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = take(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

void arena_free(Arena *arena) {
    for (ArenaBlock *block = arena->block; block;) {
        ArenaBlock *previous = block->previous;
        free(block);
        block = previous;
    }
    *arena = (Arena){0};
}
