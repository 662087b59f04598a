/* Private to model_*.c: terms, the vertices made of them, and the builder. See model_graph.h. */
#ifndef NOETHER_DETECT_MODEL_TERM_H
#define NOETHER_DETECT_MODEL_TERM_H

#include "base/vec.h"
#include "base/words.h"
#include "detect/model_graph.h"
#include "group/nauty.h"

enum term_tag {
    TERM_EMPTY,
    TERM_HOLE,
    TERM_VALUE,
    TERM_SEQUENCE,
    TERM_SET,
    TERM_CONVERT,
    TERM_TABLE,
    TERM_GLOBAL,
    TERM_LOCAL,
    TERM_PLACE,
    TERM_EXPR,
    TERM_STMT,
    TERM_DOMAIN,
    TERM_RULE,
    TERM_FUNCTION,
    TERM_PROPERTY,
    TERM_TYPE,
    TERM_BAG,
    TERM_TIMES,
    TERM_WEIGHT,
    TERM_UPDATE,
    TERM_CHOICE,
    TERM_START,
    TERM_REWARD,
    TERM_FORMULA,
    /* colours of vertices that are no terms */
    COLOUR_ELEMENT,
    COLOUR_PART,
    COLOUR_TABLE,
    COLOUR_ENTRY,
    COLOUR_RESULT,
    COLOUR_PORT,
    COLOUR_TERM,
    COLOUR_SET,
    COLOUR_BAG,
    COLOUR_COPY,
    COLOUR_ACTION
};

/* A skeleton with its holes filled: holes are a run of sketch->holes. */
struct model_term {
    uint32_t skeleton;
    size_t first, count;
};

struct sketch {
    const struct carriers *carriers;
    const struct system *system;
    const struct model_graph_options *options;
    struct model_graph *graph;
    struct words skeletons;  /* also colours */
    struct words known;      /* what vertices were made of: colour, holes */
    VEC(uint32_t) vertex_of; /* by number in `known` */
    VEC(uint32_t) colours;   /* by vertex */
    VEC(struct nauty_edge) edges;
    VEC(uint32_t) holes;
    VEC(uint32_t) scratch; /* for vectors being put together */
    VEC(struct model_break) breaks;
    VEC(struct model_part) parts; /* listed where claims are examined */
    struct pairs part_of;         /* by vertex */
    uint32_t *type_skeleton;      /* by type id; made when first asked for */
    bool *is_known;               /* by address: a parameter, loop variable or (in chains) cell whose value is known */
    int64_t *values;              /* by address */
    uint32_t *local_number;       /* by address: in order of first use in the rule; 0: not met */
    VEC(uint32_t) locals;         /* addresses that were */
    bool *is_called;              /* by function: its body matters, because a call of it is not a table */
    const struct function *function; /* whose body this is */
    const struct place **stands_for; /* chains, by address of a scratch variable: the place that is meant; else NULL */
    const bool *is_definite;         /* by cell: it always has a value; NULL: not asked */
    bool is_start;                   /* a start state is looked at: cells need not have values yet */
    uint32_t budget_used;
    uint64_t tabled; /* entries of large tables so far */
};

/* Carriers that are in the graph. */
static inline bool sketch_has(const struct sketch *s, uint32_t carrier)
{
    return carrier != NO_CARRIER && s->graph->first[carrier] != NO_CARRIER;
}
static inline uint32_t sketch_carrier(const struct sketch *s, const struct type *type)
{
    uint32_t carrier = carriers_of_type(s->carriers, type);
    return sketch_has(s, carrier) ? carrier : NO_CARRIER;
}
static inline uint32_t sketch_carrier_of(const struct sketch *s, const struct expr *expr)
{
    uint32_t carrier = carriers_of_expr(s->carriers, expr);
    return sketch_has(s, carrier) ? carrier : NO_CARRIER;
}

/* --- model_term.c --- */
struct model_term term_make(struct sketch *s, enum term_tag tag, const uint32_t *words, uint32_t word_count,
                            const struct model_term *parts, uint32_t part_count);
struct model_term term_empty(struct sketch *s);
struct model_term term_vertex(struct sketch *s, uint32_t vertex); /* a hole */
struct model_term term_element(struct sketch *s, uint32_t carrier,
                               int64_t code); /* outside the carrier: a plain value */
/* The term as a vertex of its own; NO_CARRIER when it has no holes. */
uint32_t term_freeze(struct sketch *s, struct model_term term);
/* Parts in no order; equal ones count once. */
struct model_term term_set(struct sketch *s, uint32_t kind, const struct model_term *parts, uint32_t part_count);
/* Parts in no order; how often one is there counts. */
struct model_term term_bag(struct sketch *s, uint32_t kind, const struct model_term *parts, uint32_t part_count);
/* One more of them: a vertex of its own for each call. Returns the vertex of the term, or NO_CARRIER. */
uint32_t sketch_count(struct sketch *s, struct model_term term);
uint32_t sketch_new_vertex(struct sketch *s, uint32_t colour);
uint32_t sketch_vertex(struct sketch *s, uint32_t colour, const uint32_t *neighbours, uint32_t count);
uint32_t sketch_colour(struct sketch *s, enum term_tag tag, const uint32_t *words, uint32_t count);
void sketch_join(struct sketch *s, uint32_t from, uint32_t to);
struct model_term term_type(struct sketch *s, const struct type *type);
/* Records a break; false: it is healed. */
bool sketch_break(struct sketch *s, uint32_t carrier, struct span span, const char *message);
/* The same of a whole part of a chain, in which every copy of a module is named: it is looked at as one. */
bool sketch_blame(struct sketch *s, struct span span, const char *message);

/* --- model_value.c --- */
/* Does the value follow from constants and known variables? */
bool sketch_fold(struct sketch *s, const struct expr *expr, int64_t *value);

/* --- model_table.c --- */
/* An expression whose value follows from constants, known variables and at most two carriers' values: a table, when
 * something in it distinguishes elements. */
bool term_table(struct sketch *s, const struct expr *expr, uint32_t want, struct model_term *term);
/* The table that distinguishes all elements of a carrier. */
struct model_term term_identity(struct sketch *s, uint32_t carrier);

/* --- model_expr.c --- */
struct model_term term_expr(struct sketch *s, const struct expr *expr, uint32_t want);
struct model_term term_place(struct sketch *s, const struct place *place);
struct model_term term_variable(struct sketch *s, const struct variable *variable);
struct model_term term_domain(struct sketch *s, const struct domain *domain, const struct variable *variable,
                              struct span span);
/* Is the body looked at for each element by itself? */
bool sketch_unrolls(const struct sketch *s, const struct domain *domain, const struct variable *variable);
void sketch_know(struct sketch *s, const struct variable *variable, int64_t value);
void sketch_forget(struct sketch *s, const struct variable *variable);
bool sketch_is_spent(struct sketch *s);

/* --- model_commute.c --- */
/* Is there an operation of a chain in it whose operands may stand in any order, several of which vary? It is no table:
 * that would have an order. */
bool sketch_commutes(const struct sketch *s, const struct expr *expr);
/* Can nothing go wrong when it is evaluated (in a chain)? */
bool sketch_is_sure(struct sketch *s, const struct expr *expr);
/* Such an operation as a term; false: it is none. */
bool term_commuting(struct sketch *s, const struct expr *expr, struct model_term *term);

/* --- model_stmt.c --- */
struct model_term term_block(struct sketch *s, const struct block *block);
/* The cell of the memory that a place is, when all its indices are known. */
bool sketch_cell(struct sketch *s, const struct place *place, uint32_t *cell);

/* --- model_graph.c --- */
/* What is known of locals holds up to here. */
void sketch_close(struct sketch *s);
/* The term is a part of the model of its own; `vertex` NO_CARRIER: it is the same under every permutation. */
void sketch_part(struct sketch *s, uint32_t vertex, struct model_part part);
bool sketch_leaves_out(const struct sketch *s, const struct property *property);
void sketch_rule(struct sketch *s, const struct rule *rule, bool is_start);

/* --- model_update.c --- */
/* Simultaneous assignments, as a set; false: the result depends on the order of the statements. */
bool term_updates(struct sketch *s, const struct block *block, struct model_term *term);
/* Start states chosen by their values: a condition on the places that get them; false: it is no such rule. */
bool term_chosen_start(struct sketch *s, const struct rule *start, struct model_term *term);

/* --- model_image.c --- */
/* graph->images, for the claims of the options. */
void sketch_examine(struct sketch *s);

/* --- model_chain.c --- */
void sketch_chain(struct sketch *s);

#endif
