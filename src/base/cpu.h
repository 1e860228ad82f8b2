/* Code for newer processors in a program that runs on all of them. A hot function is written once
 * as ALWAYS_INLINE and wrapped once per instruction set; the target attribute of the wrapper
 * decides which instructions the compiler uses for the inlined body. CPU_DISPATCH writes the
 * wrappers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define CPU_TARGET_AVX2 __attribute__((target("avx2,popcnt,bmi")))
#define CPU_TARGET_AVX512                                                                          \
    __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,popcnt,bmi,bmi2")))
#else
#define CPU_TARGET_AVX2
#define CPU_TARGET_AVX512
#endif

static inline bool cpu_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("bmi");
#else
    return false;
#endif
}

static inline bool cpu_has_avx512(void) {
#if defined(__x86_64__)
    return cpu_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

static inline bool cpu_is_x86_64(void) {
#if defined(__x86_64__)
    return true;
#else
    return false;
#endif
}

static inline bool cpu_is_aarch64(void) {
#if defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

/* The extension SHA3 of AArch64, whose EOR3 and BCAX have three operands. */
static inline bool cpu_has_sha3(void) {
#if defined(__aarch64__)
    enum { BIT_OF_SHA3 = 1 << 17 }; /* HWCAP_SHA3 of <asm/hwcap.h> */
    return getauxval(AT_HWCAP) & BIT_OF_SHA3;
#else
    return false;
#endif
}

/* True if cpu_pack_64 may be called. */
static inline bool cpu_can_pack_64(void) {
    return cpu_has_avx512();
}

/* Packs the lowest bits of 64 values of 16 bytes into one word. A load takes four values, so the
 * tests leave their bits at the even positions. */
CPU_TARGET_AVX512 static inline uint64_t cpu_pack_64(const void *values) {
    uint64_t packed = 0;
#if defined(__x86_64__)
    const __m512i one = _mm512_set1_epi64(1);
    const char *v = values;
    for (unsigned i = 0; i < 64; i += 8) {
        unsigned low = _mm512_test_epi64_mask(_mm512_loadu_si512(v + 16 * i), one);
        unsigned high = _mm512_test_epi64_mask(_mm512_loadu_si512(v + 16 * (i + 4)), one);
        packed |= (uint64_t)_pext_u32(low | high << 8, 0x5555) << i;
    }
#else
    (void)values;
#endif
    return packed;
}

/* Defines `static type name parameters`. It calls name_generic, an ALWAYS_INLINE function, compiled
 * for the best instruction set of this processor. `arguments` is the list of parameter names in
 * parentheses. */
#define CPU_DISPATCH(type, name, parameters, arguments)                                            \
    CPU_TARGET_AVX512 static type name##_avx512 parameters {                                       \
        return name##_generic arguments;                                                           \
    }                                                                                              \
    CPU_TARGET_AVX2 static type name##_avx2 parameters {                                           \
        return name##_generic arguments;                                                           \
    }                                                                                              \
    static type name parameters {                                                                  \
        return cpu_has_avx512() ? name##_avx512 arguments                                          \
               : cpu_has_avx2() ? name##_avx2 arguments                                            \
                                : name##_generic arguments;                                        \
    }
