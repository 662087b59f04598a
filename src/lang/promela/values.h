/* Which values a variable or a field of a message can have: an interval; of channels, which declarations.
 *
 * Found by going over all statements until nothing is added. Local variables are followed along the automata of their
 * proctypes, and conditions narrow them: a loop `i < N -> ...; i++` leaves i no larger than N. Global ones can be
 * anything that is ever assigned to them. Bounds that keep growing go to the next number that stands in the model, at
 * last to those of the type. So variables take few bits, and one that holds pids is no wider than they. */
#ifndef NOETHER_LANG_PROMELA_VALUES_H
#define NOETHER_LANG_PROMELA_VALUES_H

#include "lang/promela/channels.h"
#include "lang/promela/range.h"

struct pml_leaf {
    struct pml_type type;
    struct pml_range range; /* of a channel: its numbers */
    bool *channels;         /* of a channel: by declaration, can it be one of these? */
    bool can_be_none;       /* of a channel: 0 */
    bool is_written;        /* by a statement */
    bool is_read;           /* by an expression */
};

struct pml_values {
    VEC(struct pml_leaf) leaves; /* of variables, fields of records, fields of messages */
    bool mixes;                  /* a channel variable may hold another number */
    const struct pml_cast *cast;
    const struct pml_channels *channels;
    /* While a statement is looked at: what the locals of its proctype can be there; else NULL. */
    const struct pml_proctype *proctype;
    const struct pml_range *here; /* by local */
};

/* Sets the leaves of the model's variables. False: the time was over (reported). */
bool pml_values_find(struct pml_values *values, struct pml_model *model, const struct pml_flow *flows,
                     const struct pml_cast *cast, struct pml_channels *channels, struct diagnostics *diagnostics);
void pml_values_free(struct pml_values *values);
/* What the expression can be, as a number. */
struct pml_range pml_values_of(const struct pml_values *values, const struct pml_expr *expr);

#endif
