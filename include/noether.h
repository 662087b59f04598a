/* Noether as a library: load a model, check it, ask for the verdicts.
 *
 *     char *error;
 *     noether_model *model = noether_load("german.m", NULL, &error);
 *     if (!model) { fputs(error, stderr); noether_free_text(error); return 2; }
 *     noether_result *result = noether_check(model, NULL);
 *     printf("%s\n", noether_verdict_name(noether_verdict_of(result)));
 *     noether_free_result(result);
 *     noether_free_model(model);
 *
 * A model may be checked many times, by several threads at once. A result points into its model: free it first.
 * Text that a function returns as `char *` is released with noether_free_text; `const char *` belongs to the
 * object it was asked of. */
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

/* Start from noether_default_options; 0 is no limit. */
typedef struct {
    int use_symmetry;
    int depth_first;
    int keep_going;
    noether_deadlock deadlock;
    uint64_t memory_bytes;
    uint64_t states;
    double seconds;
    uint32_t depth;
} noether_options;

NOETHER_API const char *noether_version(void);
NOETHER_API void noether_default_options(noether_options *options);

/* `defines`: NULL, or "NAME=VALUE" texts ended by NULL. On failure NULL, and the diagnostics in *error. */
NOETHER_API noether_model *noether_load(const char *path, const char *const *defines, char **error);
NOETHER_API void noether_free_model(noether_model *model);

/* `options` NULL: the defaults. NULL when no engine supports the model. */
NOETHER_API noether_result *noether_check(const noether_model *model, const noether_options *options);
NOETHER_API void noether_free_result(noether_result *result);

/* Of the model as a whole: violated when some property is, unknown when some is and none is violated. */
NOETHER_API noether_verdict noether_verdict_of(const noether_result *result);
NOETHER_API const char *noether_verdict_name(noether_verdict verdict);

/* The properties that were checked, numbered from 0. */
NOETHER_API size_t noether_property_count(const noether_result *result);
NOETHER_API const char *noether_property_name(const noether_result *result, size_t property);
NOETHER_API const char *noether_property_kind(const noether_result *result, size_t property);
NOETHER_API noether_verdict noether_property_verdict(const noether_result *result, size_t property);
/* What happened, or why nothing is known; "" when there is nothing to say. */
NOETHER_API const char *noether_property_reason(const noether_result *result, size_t property);
/* The run that shows it, as `noether check` prints it; NULL when there is none. */
NOETHER_API char *noether_property_trace(const noether_result *result, size_t property);

/* UINT64_MAX: that many or more; noether_json has all digits. */
NOETHER_API uint64_t noether_states(const noether_result *result);
/* Concrete states represented by the stored ones, in decimal digits; NULL when nobody has counted them. */
NOETHER_API char *noether_represented(const noether_result *result);
/* The whole answer, as `noether check --json` writes it. */
NOETHER_API char *noether_json(const noether_result *result);

NOETHER_API void noether_free_text(char *text);

#ifdef __cplusplus
}
#endif

#endif
