/* Code for newer processors in a program that runs on all of them. A hot function is written once
 * as ALWAYS_INLINE and wrapped once per instruction set; the target attribute of the wrapper
 * decides which instructions the compiler uses for the inlined body. CPU_DISPATCH writes the
 * wrappers. */
#pragma once

#include <stdbool.h>

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
