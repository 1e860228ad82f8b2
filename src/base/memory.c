/* Arenas grow by blocks that double up to some megabytes; a request larger than a block gets its
 * own. Large blocks ask for huge pages, because a tree of a million nodes is visited at random and
 * address translation dominates the cost. */
#include "base/memory.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/interrupt.h"

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

/* The guard. Near the limit, or when the system refuses memory, the reserve is given up, the flag
 * of base/interrupt.h rises, and the jobs end on what the reserve leaves them. */
enum {
    LEAST_RESERVE = 8 << 20, /* bytes (untuned) */
    MOST_RESERVE = 64 << 20, /* bytes (untuned) */
    RESERVE_PART = 8,        /* the part of the limit that is kept in reserve (untuned) */
    LOOK_BYTES = 1 << 20 /* bytes that a thread takes between two looks at the limit (untuned) */
};

static struct {
    size_t limit, reserve; /* bytes; a limit of 0: there is no guard */
    bool counts_addresses; /* the limit is one of the address space */
    void (*last_words)(void);
    void *block; /* the reserve, or NULL while memory is short */
    bool was_short;
    unsigned releases; /* how often the reserve was given up */
    pthread_mutex_t mutex;
} guard = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local size_t taken_since_look;
static _Thread_local unsigned releases_tried; /* releases after which this thread has tried again */

static size_t address_limit(void) {
    struct rlimit limit;
    bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return is_limited ? (size_t)limit.rlim_cur : SIZE_MAX;
}

static size_t number_in_file(const char *path) {
    unsigned long number = 0;
    FILE *file = fopen(path, "r");
    bool is_read = file && fscanf(file, "%lu", &number) == 1;
    if (file)
        fclose(file);
    return is_read && number ? (size_t)number : SIZE_MAX;
}

static size_t physical_limit(void) {
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t second = number_in_file("/sys/fs/cgroup/memory.max");
    size_t first = number_in_file("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    size_t group = first < second ? first : second;
    return machine < group ? machine : group;
}

size_t memory_limit(void) {
    size_t addresses = address_limit(), physical = physical_limit();
    return addresses < physical ? addresses : physical;
}

size_t memory_share(size_t wanted, double share) {
    double most = share * (double)memory_limit();
    return (double)wanted < most ? wanted : (size_t)most;
}

/* Bytes of the process: addresses, or resident pages. */
static size_t bytes_of_process(bool addresses_count) {
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    char *end = text;
    unsigned long addresses = strtoul(text, &end, 10), resident = strtoul(end, NULL, 10);
    return (addresses_count ? addresses : resident) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Bytes that count against the limit. */
static size_t bytes_in_use(void) {
    return bytes_of_process(guard.counts_addresses);
}

size_t memory_free_addresses(void) {
    size_t limit = address_limit(), taken = limit < SIZE_MAX ? bytes_of_process(true) : 0;
    return limit == SIZE_MAX ? SIZE_MAX : limit > taken ? limit - taken : 0;
}

static void *map_reserve(void) {
    void *block =
        mmap(NULL, guard.reserve, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

/* Gives the reserve up, if there is one. Called with the mutex locked. */
static bool release_reserve(void) {
    bool had_reserve = guard.limit && guard.block;
    if (had_reserve) {
        munmap(guard.block, guard.reserve);
        guard.block = NULL;
        guard.was_short = true;
        guard.releases++;
        interrupt_for_memory(true);
    }
    return had_reserve;
}

static void end_program(void) {
    if (guard.last_words)
        guard.last_words();
    fputs("marelle: out of memory\n", stderr);
    abort();
}

/* True if it is worth trying again, after the system refused memory: after each release of the
 * reserve, whichever thread it was, every thread tries once more. Else the program ends, with the
 * mutex locked, so that one thread alone has the last word. */
static bool may_try_again(void) {
    pthread_mutex_lock(&guard.mutex);
    if (releases_tried == guard.releases && !release_reserve())
        end_program();
    releases_tried = guard.releases;
    pthread_mutex_unlock(&guard.mutex);
    return true;
}

/* Looks at the limit, now and then, before that many bytes are taken. */
static void look_at_limit(size_t bytes) {
    taken_since_look += bytes;
    if (taken_since_look < LOOK_BYTES || !guard.limit)
        return;
    taken_since_look = 0;
    size_t kept = guard.counts_addresses ? 0 : guard.reserve; /* else it is mapped, and counts */
    if (!interrupt_lacks_memory() && bytes_in_use() + bytes + kept > guard.limit) {
        pthread_mutex_lock(&guard.mutex);
        release_reserve();
        pthread_mutex_unlock(&guard.mutex);
    }
}

/* std::set_new_handler, for what the SAT solver allocates; NULL without the library of C++. */
extern void *_ZSt15set_new_handlerPFvvE(void (*handler)(void)) __attribute__((weak));

static void on_failure_of_new(void) {
    (void)may_try_again();
}

void memory_guard(void (*last_words)(void)) {
    size_t limit = memory_limit(), part = limit / RESERVE_PART, held = guard.reserve;
    guard.counts_addresses = address_limit() == limit;
    guard.reserve = part < LEAST_RESERVE  ? LEAST_RESERVE
                    : part > MOST_RESERVE ? MOST_RESERVE
                                          : part;
    guard.last_words = last_words ? last_words : guard.last_words;
    if (guard.block)
        munmap(guard.block, held);
    guard.block = map_reserve();
    guard.limit = guard.block ? limit : 0;
    if (_ZSt15set_new_handlerPFvvE)
        _ZSt15set_new_handlerPFvvE(on_failure_of_new);
}

bool memory_recover(void) {
    memory_trim();
    pthread_mutex_lock(&guard.mutex);
    if (guard.limit && !guard.block && bytes_in_use() + 2 * guard.reserve < guard.limit)
        guard.block = map_reserve();
    bool is_recovered = !guard.limit || guard.block;
    if (is_recovered)
        interrupt_for_memory(false);
    pthread_mutex_unlock(&guard.mutex);
    return is_recovered;
}

bool memory_was_short(void) {
    return guard.was_short;
}

void *memory_alloc(size_t bytes) {
    look_at_limit(bytes);
    void *block;
    while (!(block = malloc(bytes ? bytes : 1)) && may_try_again())
        continue;
    return block;
}

void *memory_zalloc(size_t bytes) {
    look_at_limit(bytes);
    void *block;
    while (!(block = calloc(1, bytes ? bytes : 1)) && may_try_again())
        continue;
    return block;
}

void *memory_realloc(void *block, size_t bytes) {
    look_at_limit(bytes);
    void *moved;
    while (!(moved = realloc(block, bytes ? bytes : 1)) && may_try_again())
        continue;
    return moved;
}

void *memory_aligned_zalloc(size_t alignment, size_t bytes) {
    assert(bytes % alignment == 0);
    look_at_limit(bytes);
    void *block;
    while (!(block = aligned_alloc(alignment, bytes)) && may_try_again())
        continue;
    return memset(block, 0, bytes);
}

char *memory_strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(memory_alloc(bytes), text, bytes);
}

void memory_free_blocks(void *const *blocks, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
}

void memory_share_heap(void) {
#ifdef __GLIBC__
    if (address_limit() < SIZE_MAX)
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
    look_at_limit(bytes);
    void *block;
    while (!(block = aligned_alloc(HUGE_PAGE, bytes)) && may_try_again())
        continue;
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE); /* only advice: may fail */
#endif
    return block;
}

/* Takes a spare block with so many bytes; NULL if there is none. */
static ArenaBlock *take_spare(Arena *arena, size_t bytes) {
    for (ArenaBlock **at = &arena->spare; *at; at = &(*at)->previous)
        if ((*at)->bytes >= bytes) {
            ArenaBlock *block = *at;
            *at = block->previous;
            return block;
        }
    return NULL;
}

static void use_block(Arena *arena, ArenaBlock *block) {
    block->previous = arena->block;
    arena->block = block;
    arena->free = (char *)block + header_bytes();
    arena->end = (char *)block + block->bytes;
}

static void add_block(Arena *arena, size_t at_least) {
    ArenaBlock *spare = take_spare(arena, at_least + header_bytes());
    if (spare) {
        use_block(arena, spare);
        return;
    }
    size_t bytes = arena->block ? 2 * arena->block->bytes : ARENA_FIRST_BLOCK;
    if (bytes > ARENA_MAX_BLOCK)
        bytes = ARENA_MAX_BLOCK;
    if (bytes < at_least + header_bytes())
        bytes = at_least + header_bytes();
    if (bytes > HUGE_PAGE)
        bytes = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    ArenaBlock *block = alloc_block(bytes);
    block->bytes = bytes;
    use_block(arena, block);
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

static void free_blocks(ArenaBlock *block) {
    while (block) {
        ArenaBlock *previous = block->previous;
        free(block);
        block = previous;
    }
}

void arena_free(Arena *arena) {
    free_blocks(arena->block);
    free_blocks(arena->spare);
    *arena = (Arena){0};
}

static void add_spare(Arena *arena, ArenaBlock *block) {
    while (block) {
        ArenaBlock *previous = block->previous;
        block->previous = arena->spare;
        arena->spare = block;
        block = previous;
    }
}

void arena_recycle(Arena *to, Arena *from) {
    assert(to != from);
    add_spare(to, from->block);
    add_spare(to, from->spare);
    to->bytes += from->bytes;
    *from = (Arena){0};
}
