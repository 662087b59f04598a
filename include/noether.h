/* Noether as a library: load a model, check it, read the verdicts.
 *
 *     char *error;
 *     noether_model *model = noether_load("german.m", NULL, &error);
 *     if (!model) { fputs(error, stderr); noether_free_text(error); return 2; }
 *     noether_result *result = noether_check(model, NULL);
 *     printf("%s\n", noether_verdict_name(noether_verdict_of(result)));
 *     noether_free_result(result);
 *     noether_free_model(model);
 *
 * A model may be checked many times, by several threads at once. The library prints nothing, installs no signal handler
 * and does not exit; it restores the caller's rounding mode. It reads and writes numbers with a point, whatever
 * setlocale was told, and leaves the caller's locale as it is. A result points into its model: free it first.
 *
 * Running out of memory ends a call, not the program. The call gives back all that it had, joins its threads and
 * releases its locks; the model, other results and the library can be used as before. What it returns then:
 *
 *     noether_load and the like    NULL, and an error that says "out of memory"
 *     noether_check, noether_check_with  a result: what was not found by then is unknown, noether_stop_of is
 * NOETHER_STOP_MEMORY; where there is no memory for that either, NULL and such an error noether_property_trace,
 * noether_represented, noether_json    NULL
 *
 * The same happens when a check wants more than `memory_bytes`: blocks that it asks for are counted, not stacks or
 * code. Not given back are what the C library keeps for itself, and, in a program that has set functions of GMP's own
 * (mp_set_memory_functions), the numbers that GMP held just then; where those functions end the program, they do.
 * (Without, the library sets GMP's and jansson's functions to some that may be mixed with those of the C library, and
 * it stays in memory after dlclose. It also defines nauty's alloc_error, which does what nauty's does for callers of
 * nauty outside this library.)
 *
 * Where the library itself is wrong, it calls abort.
 * Text that a function returns as `char *` is released with noether_free_text; `const char *` belongs to the
 * object that was passed. */
#ifndef NOETHER_H
#define NOETHER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NOETHER_API __attribute__((visibility("default")))
#else
#define NOETHER_API
#endif

typedef struct noether_model noether_model;
typedef struct noether_result noether_result;

typedef enum { NOETHER_HOLDS = 0, NOETHER_VIOLATED = 1, NOETHER_UNKNOWN = 3 } noether_verdict;
typedef enum { NOETHER_DEADLOCK_STUTTERING, NOETHER_DEADLOCK_STUCK, NOETHER_DEADLOCK_OFF } noether_deadlock;

/* Why a check, or the search for one property, ended early. The numbers never change; later versions may add more. */
typedef enum {
    NOETHER_STOP_NONE = 0,        /* it did not end early */
    NOETHER_STOP_INTERRUPTED = 1, /* `cancel` */
    NOETHER_STOP_TIME = 2,        /* the limits of noether_options */
    NOETHER_STOP_MEMORY = 3,
    NOETHER_STOP_STATES = 4,
    NOETHER_STOP_DEPTH = 5,
    NOETHER_STOP_WORK = 6,
    NOETHER_STOP_VIOLATION = 7,  /* the first violation ends the search, unless keep_going */
    NOETHER_STOP_DECIDED = 8,    /* every property is decided */
    NOETHER_STOP_FAULT = 9,      /* the model has a run-time error */
    NOETHER_STOP_REFUSED = 10,   /* the engine does not support the model, or the property */
    NOETHER_STOP_UNDECIDED = 11, /* the engine has no verdict, or its bounds are not tight enough */
    NOETHER_STOP_FAILED = 12     /* a file could not be used, or an internal error */
} noether_stop;

/* Start from noether_default_options, which also records the size of the structure: a program that was compiled with an
 * older header, with a shorter structure, works with a newer library. A limit of 0 means no limit. */
typedef struct {
    size_t struct_size; /* set by noether_default_options */
    int use_symmetry;
    int depth_first;
    int keep_going;
    noether_deadlock deadlock;
    uint64_t memory_bytes;
    uint64_t states;
    double seconds;
    uint32_t depth;
    uint32_t threads;   /* 0: one per processor */
    const char *engine; /* as --engine: "explicit", "symbolic", ...; NULL: chosen for the model, as auto */
    /* NULL, or a flag that another thread (atomically) or a signal handler sets to non-zero: the check then ends soon,
     * with the results so far. */
    const volatile int *cancel;
} noether_options;

NOETHER_API const char *noether_version(void);
/* For languages other than C: noether_default_options for a structure of `struct_size` bytes. */
NOETHER_API void noether_init_options(noether_options *options, size_t struct_size);
static inline void noether_default_options(noether_options *options)
{
    noether_init_options(options, sizeof *options);
}

/* `defines`: NULL, or "NAME=VALUE" texts ended by NULL. On failure it returns NULL, with the diagnostics in *error. */
NOETHER_API noether_model *noether_load(const char *path, const char *const *defines, char **error);
/* With more properties: from a file (as `noether check MODEL FILE`) and from a text (as --property); each may be NULL.
 */
NOETHER_API noether_model *noether_load_with(const char *path, const char *const *defines, const char *properties_path,
                                             const char *properties, char **error);
/* Within the limits `seconds` and `memory_bytes` of the options, and until `cancel` is set (NULL: the defaults); the
 * functions above have none of these limits. At a limit it returns NULL, with the reason in *error ("time limit (2
 * s)"), and in *stop (unless `stop` is NULL) its kind; NOETHER_STOP_NONE: the model is loaded, or has errors. */
NOETHER_API noether_model *noether_load_within(const char *path, const char *const *defines,
                                               const char *properties_path, const char *properties,
                                               const noether_options *options, char **error, noether_stop *stop);
NOETHER_API void noether_free_model(noether_model *model);

/* `options` NULL: the defaults. Returns NULL if the engine does not support the model; then *error (unless `error` is
 * NULL) says why. */
NOETHER_API noether_result *noether_check_with(const noether_model *model, const noether_options *options,
                                               char **error);
NOETHER_API noether_result *noether_check(const noether_model *model, const noether_options *options);
NOETHER_API void noether_free_result(noether_result *result);

/* The verdict on the whole model: violated if some property is violated; otherwise unknown if some property is unknown.
 */
NOETHER_API noether_verdict noether_verdict_of(const noether_result *result);
NOETHER_API const char *noether_verdict_name(noether_verdict verdict);
/* Why the search ended before it was complete, and the same in words; "" if it is complete. */
NOETHER_API noether_stop noether_stop_of(const noether_result *result);
NOETHER_API const char *noether_stop_reason(const noether_result *result);

/* The properties that were checked, numbered from 0. */
NOETHER_API size_t noether_property_count(const noether_result *result);
NOETHER_API const char *noether_property_name(const noether_result *result, size_t property);
NOETHER_API const char *noether_property_kind(const noether_result *result, size_t property);
NOETHER_API noether_verdict noether_property_verdict(const noether_result *result, size_t property);
/* How the property is violated, or why it is unknown; "" if there is no reason to give. */
NOETHER_API const char *noether_property_reason(const noether_result *result, size_t property);
/* The kind of the reason, if the verdict is unknown and the kind is known; else NOETHER_STOP_NONE. */
NOETHER_API noether_stop noether_property_stop(const noether_result *result, size_t property);
/* The bounds of a property that asks for a number. Returns 0 if it does not ask for one, or no bounds are known. */
NOETHER_API int noether_property_value(const noether_result *result, size_t property, double *lower, double *upper);
/* The run that shows it, as `noether check` prints it; NULL when there is none, or no memory. */
NOETHER_API char *noether_property_trace(const noether_result *result, size_t property);

/* States stored. UINT64_MAX: that many or more; noether_json has all digits. */
NOETHER_API uint64_t noether_states(const noether_result *result);
/* Concrete states represented by the stored ones, in decimal digits; NULL when nobody has counted them, or there is no
 * memory. */
NOETHER_API char *noether_represented(const noether_result *result);
/* The whole answer, as `noether check --json` writes it; NULL when there is no memory. */
NOETHER_API char *noether_json(const noether_result *result);

NOETHER_API void noether_free_text(char *text);

#ifdef __cplusplus
}
#endif

#endif
