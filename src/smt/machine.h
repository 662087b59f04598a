/* Runs the statements of a system on first-order formulas, for every size of its index types at once.
 *
 * The memory is a set of *leaves*: the scalars of all variables, where an array over an index type is one leaf with a
 * *dimension*, and an array over another type is a leaf for each element. A leaf has *contents*: the symbols of the
 * state, or updates of what was there before. A scalar value is a list of cases: codes, and elements of index types,
 * each with the formula for it, and the formula for "undefined"; exactly one of them is true.
 *
 * What a rule does is exact, or more than it can do: where a statement cannot be followed exactly (a loop whose
 * iterations depend on each other), the leaves it writes get contents that nothing is known of. For every real step
 * there are values of these that make the formulas what really happens. So what is proved of the formulas is true of
 * the system, and `inexact` names the first such place. What cannot be followed at all is refused with its place.
 *
 * Where a step fails (`gone`), nothing that comes after it matters. */
#ifndef NOETHER_SMT_MACHINE_H
#define NOETHER_SMT_MACHINE_H

#include "ir/system.h"
#include "smt/term.h"

struct smt_case {
    uint32_t sort; /* 0: a code of a type that is no index type */
    int64_t code;
    term element;
    term when;
};

struct smt_value {
    term undefined;
    uint32_t count;
    struct smt_case cases[];
};

struct smt_leaf {
    const struct variable *variable;
    const struct type *type;        /* a scalar */
    const struct type *const *dims; /* index types */
    uint32_t dim_count;
    const char *name; /* "Cache[].State" */
};

struct leaf_symbols;
/* What a leaf has: for all elements of its dimensions. Immutable, in the arena of the terms. */
struct content {
    const struct content *below; /* NULL: `symbols`, or nothing is defined */
    const struct leaf_symbols *symbols;
    /* An update: where `when` holds and the arguments are these; `bound` are variables that stand for any element. */
    const term *arguments;
    const term *bound;
    uint32_t bound_count;
    term when;
    const struct smt_value *value;
    bool is_unknown; /* the symbols stand for what could not be followed */
    struct span span;
};

/* What goes wrong, and where. */
struct smt_event {
    const struct property *property;
    struct span span;
    term when;
};
typedef VEC(struct smt_event) smt_event_list;

/* Some elements of leaves: the leaves of a value of a type, from `leaf` on. */
struct smt_spot {
    uint32_t leaf;
    uint32_t count;
    const term *arguments;
    term when;
};
struct smt_spots {
    struct smt_spot *items; /* in the arena */
    uint32_t count;
};

struct smt_access {
    uint32_t leaf;
    uint32_t count;
    const term *arguments;
};

struct smt_machine {
    const struct system *system;
    struct fol_store *terms;
    uint32_t *sorts; /* by type id: of index types */
    VEC(struct smt_leaf) leaves;
    uint32_t *first;                   /* by address of a variable: its first leaf */
    const struct leaf_symbols **state; /* by leaf, of global variables: the symbols of the state */
    const struct content **contents;   /* by leaf */
    struct smt_spots *references;      /* by address of the reference */
    VEC(term) binders;                 /* variables of loops and quantifiers that are open */
    VEC(term) paths;                   /* conditions of the branches that are open; the last implies the others */
    VEC(struct smt_access) reads;      /* while a loop is open */
    term returned, gone, disabled;
    const struct function *function;
    smt_event_list events;
    uint32_t loops;       /* that are open */
    uint32_t quantifiers; /* over index types, that are open */
    uint32_t unknown;     /* so many symbols were made for what could not be followed */
    uint32_t steps;       /* so much work was done */
    bool is_inexact;
    struct span inexact; /* first place */
    bool is_refused;
    struct span refused;
    struct text refusal;
};

/* -- machine.c -- */
/* False: it is refused. Close it in any case. The terms must be open. */
bool smt_open(struct smt_machine *machine, const struct system *system, struct fol_store *terms);
void smt_close(struct smt_machine *machine);
/* The state as it is now (symbols), or nothing defined (before a start). */
void smt_reset(struct smt_machine *machine, bool is_start);
void smt_refuse(struct smt_machine *machine, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* False: it is refused, for the size or the time it takes at the latest. */
bool smt_goes_on(struct smt_machine *machine, struct span span);
void smt_note_inexact(struct smt_machine *machine, struct span span);
/* That every scalar has one value: for all states. */
term smt_axioms(struct smt_machine *machine);
/* The condition under which the statement that is executed now is reached. */
term smt_active(struct smt_machine *machine);
void smt_push_path(struct smt_machine *machine, term condition);
void smt_fault(struct smt_machine *machine, const struct property *property, struct span span, term when);
/* Inside a binder nothing has gone wrong yet; afterwards: for some element. */
struct smt_binder {
    term variable, gone;
    size_t events;
};
struct smt_binder smt_bind(struct smt_machine *machine, uint32_t sort);
void smt_unbind(struct smt_machine *machine, const struct smt_binder *binder);

/* Runs a rule with parameters, one value each: prelude, guard, body. After it, fires is where it ends well. */
term smt_fire(struct smt_machine *machine, const struct rule *rule, const struct smt_value *const *parameters);
/* Where the formula is true, and can be evaluated, in the memory as it is. */
term smt_holds(struct smt_machine *machine, const struct expr *formula);
/* Some scalar of the state differs from the state before. */
term smt_alters(struct smt_machine *machine);

/* -- leaf.c -- */
uint32_t leaf_count_of(const struct type *type);
bool leaves_make(struct smt_machine *machine);
/* In the order of codes: those that are no elements of index types come one by one. */
uint32_t leaf_position(const struct type *index, int64_t code);
uint32_t leaf_position_of_sort(const struct smt_machine *machine, const struct type *index, uint32_t sort);
const struct leaf_symbols *leaf_symbols_make(struct smt_machine *machine, const struct smt_leaf *leaf,
                                             const char *suffix);
term leaf_axiom(struct smt_machine *machine, uint32_t leaf);
/* The leaf of the state whose elements of index types the function gives; NULL: none. */
const struct smt_leaf *leaf_of_symbol(const struct smt_machine *machine, uint32_t symbol);

/* -- leaf.c, contents -- */
const struct content *content_unknown(struct smt_machine *machine, uint32_t leaf, struct span span);
const struct content *content_undefined(struct smt_machine *machine);
const struct content *content_of(struct smt_machine *machine, const struct leaf_symbols *symbols);
const struct smt_value *content_read(struct smt_machine *machine, const struct content *content, uint32_t leaf,
                                     const term *arguments);
void content_write(struct smt_machine *machine, uint32_t leaf, const term *arguments, const term *bound,
                   uint32_t bound_count, term when, const struct smt_value *value);

/* -- value.c -- */
const struct smt_value *smt_code(struct smt_machine *machine, int64_t code);
const struct smt_value *smt_element(struct smt_machine *machine, uint32_t sort, term element);
const struct smt_value *smt_boolean(struct smt_machine *machine, term truth);
const struct smt_value *smt_undefined(struct smt_machine *machine);
const struct smt_value *smt_select(struct smt_machine *machine, term condition, const struct smt_value *a,
                                   const struct smt_value *b);
const struct smt_value *smt_substitute(struct smt_machine *machine, const struct smt_value *value, term variable,
                                       term by);
term smt_truth(struct smt_machine *machine, const struct smt_value *value);
/* Both are defined, and equal. */
term smt_equal(struct smt_machine *machine, const struct smt_value *a, const struct smt_value *b);
/* ... or both undefined. */
term smt_same(struct smt_machine *machine, const struct smt_value *a, const struct smt_value *b);
struct smt_cases {
    VEC(struct smt_case) list;
    term undefined;
};
void cases_add(struct smt_machine *machine, struct smt_cases *cases, const struct smt_case *one);
const struct smt_value *cases_take(struct smt_machine *machine, struct smt_cases *cases);

/* -- place.c -- */
struct smt_spots smt_place(struct smt_machine *machine, const struct place *place);
const struct smt_value *smt_load(struct smt_machine *machine, const struct smt_spots *spots, uint32_t offset,
                                 const term *extra, uint32_t extra_count);
/* Variables for the dimensions of the leaf that the spot leaves open. */
uint32_t spot_open(struct smt_machine *machine, const struct smt_spot *spot, uint32_t offset, term *variables);
void smt_store(struct smt_machine *machine, const struct smt_spots *spots, uint32_t offset, const term *extra,
               uint32_t extra_count, const struct smt_value *value);
/* One value for all scalars. */
void smt_fill(struct smt_machine *machine, const struct smt_spots *spots, const struct type *type,
              const struct smt_value *value);

enum { SMT_MOST_DIMENSIONS = 16, SMT_MOST_CODES = 64, SMT_MOST_ITERATIONS = 256, SMT_MOST_STEPS = 2000000 };

/* -- expr.c -- */
const struct smt_value *smt_expr(struct smt_machine *machine, const struct expr *expr);
term smt_condition(struct smt_machine *machine, const struct expr *expr);
/* What of the value may be stored; the rest is a fault. */
const struct smt_value *smt_storable(struct smt_machine *machine, const struct smt_value *value,
                                     const struct type *type, struct span span);
void smt_set_variable(struct smt_machine *machine, const struct variable *variable, const struct smt_value *value);

/* -- call.c -- */
void smt_call(struct smt_machine *machine, const struct expr *call);

/* -- stmt.c -- */
void smt_block(struct smt_machine *machine, const struct block *block);

/* -- loop.c -- */
void smt_for(struct smt_machine *machine, const struct stmt *stmt);
const struct smt_value *smt_quantifier(struct smt_machine *machine, const struct expr *expr);

#endif
