/* A body written once and compiled for several instruction sets; which one runs is decided when the call is made.
 *
 * `VERSIONS(name, parameters, arguments)` compiles an INLINE function for each, `DISPATCH(name, limit, arguments)` calls the widest
 * there is, or a narrower one where a test sets a limit: 0 plain, 1 AVX2, 2 AVX-512. WIDTH, among the arguments, is the bytes of a
 * vector there. */
#ifndef ASSAY_INSTRUCTION_SETS_H
#define ASSAY_INSTRUCTION_SETS_H

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32) /* cross compilers lack the CPU check for Windows */
#include <cpuid.h>

#if defined(__clang__)
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,popcnt")))
#else
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,popcnt,prefer-vector-width=512")))
#endif
#define MIDDLE __attribute__((target("avx2,popcnt")))

/* What this processor and its operating system support. Asked of the processor itself: the compilers' own helper is missing from
 * some cross-compilers' run-time libraries. In a virtual machine the question is slow, so the answer is kept. */
static int instruction_set(void) {
    static _Atomic int known = -1;
    int set = known;
    if (set >= 0) return set;
    unsigned a, b, c, d;
    set = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 27)) && (c & (1u << 23))) { /* OSXSAVE, POPCNT */
        unsigned enabled, high;
        __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(enabled), "=d"(high) : "c"(0)); /* xgetbv */
        if ((enabled & 0x06) == 0x06 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 5))) { /* AVX2 */
            unsigned f_dq_bw_vl = (1u << 16) | (1u << 17) | (1u << 30) | (1u << 31);
            set = (enabled & 0xE6) == 0xE6 && (b & f_dq_bw_vl) == f_dq_bw_vl && (c & (1u << 14)) ? 2 : 1;
        }
    }
    known = set;
    return set;
}

#define DISPATCH(name, limit, arguments)                                                                                    \
    do {                                                                                                                    \
        int set = instruction_set();                                                                                        \
        if (set > (limit)) set = (limit);                                                                                   \
        if (set == 2) name##_wide arguments;                                                                                \
        else if (set == 1) name##_middle arguments;                                                                         \
        else name##_plain arguments;                                                                                        \
    } while (0)
#define VERSIONS(name, parameters, arguments)                                                                               \
    WIDE static void name##_wide parameters { enum { WIDTH = 64 }; name arguments; }                                        \
    MIDDLE static void name##_middle parameters { enum { WIDTH = 32 }; name arguments; }                                    \
    static void name##_plain parameters { enum { WIDTH = 16 }; name arguments; }
#else
#define DISPATCH(name, limit, arguments)                                                                                    \
    do {                                                                                                                    \
        (void)(limit);                                                                                                      \
        name##_plain arguments;                                                                                             \
    } while (0)
#define VERSIONS(name, parameters, arguments)                                                                               \
    static void name##_plain parameters { enum { WIDTH = 16 }; name arguments; }
#endif

#endif
