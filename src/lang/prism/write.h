/* Private to write*.c: a system as PRISM text (prism_write of prism.h). */
#ifndef NOETHER_LANG_PRISM_WRITE_H
#define NOETHER_LANG_PRISM_WRITE_H

#include "ir/pctl.h"
#include "lang/prism/prism.h"

/* How tightly operators bind, the loosest first. */
enum prism_binding {
    BIND_COND,
    BIND_IMPLIES,
    BIND_OR,
    BIND_AND,
    BIND_NOT,
    BIND_EQUAL,
    BIND_COMPARE,
    BIND_ADD,
    BIND_MUL,
    BIND_ATOM
};

struct prism_writer {
    const struct system *system;
    struct text *out;
    const char **names;         /* by cell */
    const struct type **types;  /* by cell */
    const struct expr **values; /* by scratch cell: what it holds where it is read; NULL: it is called by its name */
    const char **reward_names, **label_names, **property_names; /* NULL: it has none */
    const char *why;                                            /* something cannot be written: what */
};

/* write_name.c: fills in those of rewards, labels and properties. */
void prism_name_parts(struct prism_writer *writer, struct arena *arena);

/* write_expr.c; `around`: what stands around it, in parentheses if that binds more tightly. */
void prism_write_expr(struct prism_writer *writer, const struct expr *expr, enum prism_binding around);
void prism_write_weight(struct prism_writer *writer, const struct weight *weight, enum prism_binding around);
bool prism_is_one(const struct weight *weight);
/* Of a scalar in the state. */
uint32_t prism_cell_of(const struct place *place);

/* lower_property.c: as in filter(NAME, ...) */
const char *prism_filter_name(enum pctl_filter filter);
/* write_property.c: false: writer->why says why it cannot be written. */
bool prism_write_property(struct prism_writer *writer, const struct property *property);

#endif
