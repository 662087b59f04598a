/* Memory that will be needed soon is asked for now, to be written.
 *
 * The address is computed first, in a register of its own: some processors (Neoverse V1) pass over a prefetch whose
 * address is the sum of two registers. And a function of ours that does nothing but prefetch is no function without
 * effects, which a compiler could leave out. */
#ifndef NOETHER_BASE_PREFETCH_H
#define NOETHER_BASE_PREFETCH_H

static inline void prefetch(const volatile void *address)
{
    __asm__ volatile("" : "+r"(address));
#ifdef __x86_64__ /* compilers ask for reading there, and the write waits for the other processors once more */
    __asm__ volatile("prefetchw (%0)" : : "r"(address));
#else
    __builtin_prefetch((const void *)address, 1);
#endif
}

#endif
