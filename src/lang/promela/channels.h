/* The channels of a model, and how they are stored.
 *
 * A channel that is only ever operated on under the name it is declared with is stored by itself: by its index in its
 * array, by the pid of its process. Channels that are used as values (passed, sent, assigned, compared) have numbers
 * from 1; those of one capacity and one kind of messages are a pool, have consecutive numbers and are stored together.
 * 0 is no channel. Where numbers are used as channels, or are compared with them, the numbers are those of SPIN: in the
 * order of declaration. */
#ifndef NOETHER_LANG_PROMELA_CHANNELS_H
#define NOETHER_LANG_PROMELA_CHANNELS_H

#include "lang/promela/cast.h"

#define PML_NO_DECLARATION UINT32_MAX

/* A variable that is declared with channels. */
struct pml_declaration {
    const struct pml_variable *variable;
    uint32_t pool;
    uint32_t first;     /* the number of its first channel */
    uint32_t processes; /* of a local one: so many pids can have it; else 1 */
    uint32_t length;    /* channels for each: elements of its array, or 1 */
    bool is_value;      /* used as a value */
};

struct pml_pool {
    uint32_t capacity;
    struct pml_type *fields; /* records written out; which mtype only where it is the same for all channels */
    uint32_t field_count;
    uint32_t first, count;       /* numbers of its channels; 0: it is of one declaration only, never used as a value */
    uint32_t declaration;        /* that one; or the first */
    uint32_t first_leaf;         /* its fields' values (values.h) */
    const struct variable *home; /* set by the lowering: where they are stored; NULL: capacity 0 */
};

struct pml_channels {
    VEC(struct pml_declaration) declarations;
    VEC(struct pml_pool) pools;
    uint32_t last;    /* the highest number of a channel */
    bool is_in_order; /* of declaration */
};

struct pml_channels pml_channels_find(struct pml_model *model, const struct pml_cast *cast,
                                      struct diagnostics *diagnostics);
/* Numbers them in the order of declaration. */
void pml_channels_order(struct pml_channels *channels);
void pml_channels_free(struct pml_channels *channels);
/* Of the variable; PML_NO_DECLARATION: it has none. */
uint32_t pml_channels_declaration(const struct pml_channels *channels, const struct pml_variable *variable);
/* The arguments of a message with records written out, in the arena. */
struct pml_argument *pml_flatten(struct arena *arena, const struct pml_argument *arguments, uint32_t *count);
/* SPIN stores bits in arrays and messages as bytes, and keeps what does not fit into a bit there. */
struct pml_type pml_stored_type(struct pml_type type, bool is_part);
/* The last part of a place: what it is. */
const struct pml_variable *pml_place_end(const struct pml_place *place);

#endif
