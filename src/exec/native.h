/* Native code: the transition function as generated C (native_source.h), compiled by the system's C compiler, loaded.
 *
 * A `struct native` is made once for a system and shared by all threads. The library comes from the cache or is
 * compiled by a child process, in the background: native_poll looks whether it is ready. Native code is optional:
 * without a compiler, or if anything fails, the reason is kept and the VM continues. */
#ifndef NOETHER_EXEC_NATIVE_H
#define NOETHER_EXEC_NATIVE_H

#include "exec/native_source.h"
#include "exec/stepper.h"

enum native_state {
    NATIVE_UNTRIED, /* not in the cache, and compilation was not requested */
    NATIVE_COMPILING,
    NATIVE_READY,
    NATIVE_FAILED /* see native_reason */
};

struct native;
struct native_program;

/* Writes the program and looks for it in the cache. The layout must outlive it. */
struct native *native_create(const struct layout *layout);
/* Stops the compiler if it runs. No stepper made of it may be left. */
void native_destroy(struct native *native);

/* Starts the compiler, if the library is not there yet. */
void native_begin(struct native *native);
/* What has become of it; cheap, may be called by any thread. */
enum native_state native_poll(struct native *native);
/* The same when the compiler has finished. */
enum native_state native_wait(struct native *native);
/* FAILED: why; else NULL. */
const char *native_reason(const struct native *native);
/* How long the compiler is expected to take, in seconds. */
double native_estimate(const struct native *native);

/* What a search has yet to do, as far as it can tell, as a part of what it has done; 0: not known. By any thread. */
void native_foresee(struct native *native, double left);
double native_left(const struct native *native);

/* The state must be READY. */
struct stepper *native_stepper(const struct native *native);
/* Enumerates successors by one rule only. */
struct stepper *native_stepper_of_rule(const struct native *native, uint32_t rule);
/* Begins with the VM; goes on with native code from the first state on at which it is ready. Starts the compiler when
 * that is worth it. */
struct stepper *native_stepper_auto(struct native *native);
const struct layout *native_layout(const struct native *native);

/* For native.c: a stepper over a loaded library, by `count` rules from `first` on. */
struct stepper *native_stepper_over(const struct layout *layout, const struct native_program *program,
                                    const struct native_source *source, uint32_t first, uint32_t count);

#endif
