/* An experiment: the same properties for several values of constants. A table, and its forms: text, CSV, JSON, and a
 * page with a plot.
 *
 * A row belongs to one choice of values. Its cells are those of the properties that are written in the model or its
 * properties file, in order; the columns are fixed by the first row. */
#ifndef NOETHER_REPORT_EXPERIMENT_H
#define NOETHER_REPORT_EXPERIMENT_H

#include "report/report.h"
#include "result/expected.h"

struct experiment_cell {
    enum verdict verdict;
    bool has_value; /* it is a number between these */
    double lower, upper;
    char *shown;    /* "0.25", "true", "unknown" */
    char *exact;    /* the fraction, however long; or NULL */
    char *expected; /* what its comment says for these values; or NULL */
    enum agreement agreement;
};

struct experiment_row {
    char **values; /* by constant */
    struct experiment_cell *cells;
    uint64_t states;
    char *fault;         /* a deadlock or a run-time error: what is wrong with the model for these values; or NULL */
    struct json *answer; /* as report_json has it; NULL: the model has errors for these values */
};

struct experiment_names {
    char **items;
    size_t count, capacity;
};

struct experiment {
    const char *model, *properties; /* paths, as the user wrote them */
    const char *const *constants;   /* those that have several values */
    size_t constant_count;
    struct experiment_names names; /* of the properties */
    VEC(struct experiment_row) rows;
    struct text warnings;     /* of all rows, a line each, once */
    bool warnings_are_errors; /* they are why the exit status is 1 */
    bool compares_results;    /* with what is expected */
    uint64_t asked;           /* how many rows there are to be */
    struct stop stop;         /* why there are fewer */
    /* Around what makes a new row visible, where nothing is allocated: another thread may read the rows so far. */
    void (*lock)(void), (*unlock)(void);
};

/* Once, after the members above are set. */
void experiment_begin(struct experiment *experiment);
/* report NULL: the model has errors for these values. Those are copied. */
void experiment_add(struct experiment *experiment, const char *const *values, const struct report *report);
void experiment_free(struct experiment *experiment);

/* Nothing, if the model has errors for all values. */
void experiment_text(const struct experiment *experiment, const struct report_style *style, struct text *out);
/* A line of names, then the rows: the constants, and for each property its value and the bounds (docs/json.md). */
void experiment_csv(const struct experiment *experiment, const char *line_end, struct text *out);
/* Moves the answers of the rows. */
struct json *experiment_json(struct experiment *experiment);
/* experiment_page.c; command: what a shell would run again, for the foot. */
void experiment_page(const struct experiment *experiment, const char *command, struct text *out);

#endif
