/* Seeding, jumping and the eight-lane generator.
 *
 * The state is stored by words: one array of eight lanes for each of its four words. So a step is
 * straight-line code on vectors of eight words, which suits any vector instruction set. */
#include "base/random.h"

#include "base/cpu.h"

#include <string.h>

/* Spreads a seed over the state, as the authors of xoshiro advise (splitmix64, Steele et al. 2014).
 */
static uint64_t splitmix_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void random_seed(Random *random, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix_next(&seed);
}

void random_jump(Random *random) {
    /* x^(2^128) modulo the characteristic polynomial of one step, lowest coefficient first. */
    static const uint64_t jump[4] = {UINT64_C(0x180ec6d33cfd0aba), UINT64_C(0xd5a61266f0c9392c),
                                     UINT64_C(0xa9582618e03fc9aa), UINT64_C(0x39abdc4529b1661c)};
    Random sum = {{0, 0, 0, 0}};
    for (int power = 0; power < 256; power++) {
        if (jump[power / 64] >> (power % 64) & 1)
            for (int i = 0; i < 4; i++)
                sum.state[i] ^= random->state[i];
        random_next(random);
    }
    *random = sum;
}

void random_wide_seed(RandomWide *wide, uint64_t seed) {
    Random source;
    random_seed(&source, seed);
    random_wide_split(wide, &source);
}

void random_wide_split(RandomWide *wide, Random *source) {
    for (int lane = 0; lane < RANDOM_LANES; lane++) {
        for (int i = 0; i < 4; i++)
            wide->state[i][lane] = source->state[i];
        random_jump(source);
    }
}

/* A vector type is used instead of a loop, because GCC 12 and Clang 14 unroll the loop at -O3
 * before they could vectorise it. Compilers split vectors of 32 bytes well for smaller registers,
 * but GCC splits larger ones badly: hence one size for AVX-512 and one for all others. The local
 * copy of the state stays in registers from step to step. */
#define DEFINE_FILL(NAME, BYTES)                                                                   \
    typedef uint64_t NAME##Part __attribute__((vector_size(BYTES)));                               \
    enum { NAME##_PARTS = RANDOM_LANES * sizeof(uint64_t) / (BYTES) };                             \
    ALWAYS_INLINE void NAME##_step(NAME##Part state[4][NAME##_PARTS], uint64_t *out) {             \
        for (int i = 0; i < NAME##_PARTS; i++) {                                                   \
            NAME##Part s0 = state[0][i], s1 = state[1][i];                                         \
            NAME##Part s2 = state[2][i] ^ s0, s3 = state[3][i] ^ s1;                               \
            NAME##Part sum = s0 + state[3][i];                                                     \
            NAME##Part result = (sum << 23 | sum >> 41) + s0;                                      \
            memcpy(out + (size_t)i * RANDOM_LANES / NAME##_PARTS, &result, sizeof result);         \
            state[0][i] = s0 ^ s3;                                                                 \
            state[1][i] = s1 ^ s2;                                                                 \
            state[2][i] = s2 ^ s1 << 17;                                                           \
            state[3][i] = s3 << 45 | s3 >> 19;                                                     \
        }                                                                                          \
    }                                                                                              \
    ALWAYS_INLINE void NAME(RandomWide *wide, uint64_t *out, size_t words) {                       \
        NAME##Part state[4][NAME##_PARTS];                                                         \
        memcpy(state, wide->state, sizeof state);                                                  \
        for (; words >= RANDOM_LANES; words -= RANDOM_LANES, out += RANDOM_LANES)                  \
            NAME##_step(state, out);                                                               \
        if (words > 0) {                                                                           \
            uint64_t last[RANDOM_LANES];                                                           \
            NAME##_step(state, last);                                                              \
            memcpy(out, last, words * sizeof *out);                                                \
        }                                                                                          \
        memcpy(wide->state, state, sizeof state);                                                  \
    }

DEFINE_FILL(fill, 32)
DEFINE_FILL(fill_large, 64)

CPU_TARGET_AVX512 static void fill_avx512(RandomWide *wide, uint64_t *out, size_t words) {
    fill_large(wide, out, words);
}

CPU_TARGET_AVX2 static void fill_avx2(RandomWide *wide, uint64_t *out, size_t words) {
    fill(wide, out, words);
}

void random_wide_fill(RandomWide *wide, uint64_t *out, size_t words) {
    if (cpu_has_avx512())
        fill_avx512(wide, out, words);
    else if (cpu_has_avx2())
        fill_avx2(wide, out, words);
    else
        fill(wide, out, words);
}
