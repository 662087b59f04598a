/* The reads and writes of the iterations of a loop over an index type, so that loops.c can decide whether they commute.
 *
 * effects_walk_* follows a rule or a formula as it would run, calls entered with their arguments in place (there
 * is no recursion), both branches of a conditional taken, and gives every loop and quantifier over an index type the
 * list of accesses of one iteration. */
#ifndef NOETHER_SYMMETRY_EFFECTS_H
#define NOETHER_SYMMETRY_EFFECTS_H

#include "base/vec.h"
#include "symmetry/symmetry.h"

/* What is known of a scalar value. */
enum meaning_kind {
    MEANS_UNKNOWN,
    MEANS_CONST,    /* code */
    MEANS_CLEARED,  /* the first code of the cell's type */
    MEANS_VARIABLE, /* the value of a loop, quantified or rule variable, which nothing assigns to */
    MEANS_PLACE     /* what stands at the path */
};

struct effects_path;

struct meaning {
    enum meaning_kind kind;
    int64_t code;
    const struct variable *variable;
    const struct effects_path *path;
};

struct path_step {
    const struct field *field; /* NULL: an index */
    struct meaning index;
    uint32_t key; /* not 0: the elements of a multiset whose cell key - 1 is the index (effects_key.c) */
};

/* Some cells: a variable, and the way from it to a part of it. */
struct effects_path {
    const struct variable *root; /* NULL: could be anything */
    const struct path_step *steps;
    uint32_t count;
    bool is_direct; /* not through a reference: the variable belongs to the rule or call being followed */
    bool is_slot;   /* in a slot of the multiset `root` that was chosen by its number */
};

enum access_mode {
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_RAISE, /* x := x + e with e >= 0 */
    ACCESS_LOWER, /* x := x - e with e >= 0 */
    ACCESS_WRAP,  /* x := x + e or x - e modulo a power of two, which x has room for; the value is what that is */
    ACCESS_AND,   /* x := x & e */
    ACCESS_OR,
    ACCESS_INSERT, /* into a multiset */
    ACCESS_CHANGE  /* what is there is looked at and changed */
};

/* On the way to an access a condition held that says: this loop variable has that value. */
struct guard {
    const struct guard *next;
    const struct variable *variable;
    struct meaning value;
};

/* Parts of local variables, see effects_units.c: those that a path goes to or through. */
struct units {
    uint32_t first, count; /* count 0: not a local variable */
    bool is_exact;         /* they are all of what the path goes to, and nothing else */
};

struct access {
    enum access_mode mode;
    bool is_private; /* all of it was written before in this iteration, or is now */
    const struct effects_path *path;
    struct units units;   /* a read: the part that this iteration may not have written before */
    struct meaning value; /* WRITE: what is written */
    const struct guard *guards;
};

/* What is known before something that may run many times, and when that was. */
struct repetition {
    uint64_t clock;
    struct meaning *held; /* NULL: nothing */
};

struct effects_loop {
    struct effects_loop *outer;
    uint32_t depth; /* 1 for the outermost */
    uint32_t frame; /* of the call it stands in */
    const struct type *domain;
    const struct variable *variable;
    struct span span;
    bool is_quantifier;
    const struct stmt *stmt; /* NULL: not a loop */
    VEC(struct access) accesses;
    uint8_t *fresh; /* by unit: written as a whole in this iteration */
    struct repetition repetition;
    bool may_fault;
    bool has_return, has_mixed_returns;
    struct meaning returned;
    bool has_discard; /* an assume or cover statement in the body */
};

/* A unit that holds what the last iteration left there. */
struct stale {
    const struct type *domain;
    struct span span;
};

/* The multiset whose slots a variable numbers. Slots are in the order of their codes: the number means the same element
 * for every numbering only there, and only as long as the slot is not filled anew. */
struct effect_home {
    const struct place *place; /* NULL: no slot variable */
    const struct effects_path *path;
    const struct effects_path *own; /* of a predicate: the elements that it is about */
};

struct effects {
    const struct symmetry *symmetry;
    struct arena *arena;
    uint32_t variable_count;
    uint32_t *numbers;                 /* by address: number of the variable */
    bool *is_assigned;                 /* by number: something stores into it, or may through a reference */
    const struct effects_path **bound; /* by number: what a reference stands for */
    struct meaning *values;            /* by number: what a by-value parameter was given, or a binder's own value */
    uint32_t *bound_depth;             /* by number: loops around the binder */
    bool *has_removed;                 /* by number: a slot was freed in this run */
    bool *is_unordered;                /* by number: after that, slots were filled */
    struct effect_home *homes;         /* by number: the multiset a variable is a slot of */
    uint32_t unit_count;
    uint32_t *type_units; /* by type: how many units a variable of it has */
    uint32_t *first_unit; /* by number of a local variable */
    struct stale *stale;  /* by unit; domain NULL: not stale */
    bool has_stale;       /* some unit is, or was in this run */
    struct meaning *held; /* by unit: a constant or the variable of a loop around here; only known inside loops */
    uint64_t *written;    /* by unit: when it was last written */
    uint64_t clock;
    struct effects_loop *loop; /* innermost */
    const struct guard *guards;
    const struct function *function; /* the call being followed, or NULL */
    struct stale *at_return;         /* by unit: what is stale before the call or at a return from it; NULL: nothing */
    uint32_t frame, frames;
    uint64_t visited;
    const struct place *last_read; /* the place that was read last, and its path */
    const struct effects_path *last_path;
    bool gave_up;
    uint8_t *plainness;                   /* by function: see effects_plain.c */
    bool *is_definite;                    /* by cell of the state: it never is undefined after the start (definite.h) */
    bool is_start;                        /* what is followed is a start state, so no cell is definite */
    uint64_t proof_work;                  /* left for commute.h */
    struct commute_proof *proofs, *proof; /* all, and that being made: commute_proof.c */
    /* Told of every loop at its end, and of every use of what the order of a loop decided (domain NULL: of any
     * loop). */
    void (*on_loop)(struct effects *effects, struct effects_loop *loop);
    void (*on_stale)(struct effects *effects, const struct type *domain, struct span loop, struct span use);
    void *user;
};

enum { EFFECTS_LIMIT = 20 * 1000 * 1000 };

struct effects *effects_create(const struct symmetry *symmetry);
void effects_destroy(struct effects *effects);
void effects_walk_rule(struct effects *effects, const struct rule *rule);
void effects_walk_formula(struct effects *effects, const struct expr *formula);
/* Its free variables are bound by quantifiers around. */
void effects_walk_proposition(struct effects *effects, const struct proposition *proposition);

uint32_t effects_number(const struct effects *effects, const struct variable *variable);
/* Is the value the same in all iterations of the loop (if nothing in the loop writes what it stands on)? */
bool effects_is_invariant(const struct effects *effects, const struct meaning *meaning,
                          const struct effects_loop *loop);
bool path_same_field(const struct field *a, const struct field *b);
bool meaning_equal(const struct meaning *a, const struct meaning *b);
bool path_equal(const struct effects_path *a, const struct effects_path *b); /* the same cells for sure */
/* Does the order of this domain depend on the numbering of an index type with more than one element? */
bool effects_is_unordered(const struct domain *domain);

/* effects_path.c */
const struct effects_path *effects_refer(struct effects *effects,
                                         const struct effects_path *path); /* what a reference is bound to */
const struct effects_path *effects_path(struct effects *effects,
                                        const struct place *place); /* walks indices and calls */
const struct effects_path *effects_root(struct effects *effects, const struct variable *root);
struct meaning effects_meaning(struct effects *effects, const struct expr *expr);
const struct effects_path *effects_extend(struct effects *effects, const struct effects_path *base,
                                          struct path_step step);
void effects_give_home(struct effects *effects, const struct variable *slot, struct effect_home home);
/* The slot number is used on a multiset: is it the one that it is a slot of? If not, it is reported. */
void effects_use_slot(struct effects *effects, const struct expr *slot, const struct place *place,
                      const struct effects_path *path);
void effects_access(struct effects *effects, enum access_mode mode, const struct effects_path *path,
                    struct meaning value, struct span span);
void effects_may_fault(struct effects *effects);
/* effects_expr.c */
void effects_expr(struct effects *effects, const struct expr *expr);
void effects_call(struct effects *effects, const struct expr *call);
void effects_domain(struct effects *effects, const struct domain *domain);
/* Units surely written so far, for every loop; put back after what may not happen. */
uint8_t *effects_save_fresh(struct effects *effects);
void effects_restore_fresh(struct effects *effects, uint8_t *saved);
void effects_enter_loop(struct effects *effects, struct effects_loop *loop);
void effects_leave_loop(struct effects *effects, struct effects_loop *loop);
void effects_bind(struct effects *effects, const struct variable *variable);
/* effects_units.c */
void effects_number_units(struct effects *effects);
struct units effects_units(const struct effects *effects, const struct effects_path *path);
/* The unit in which a cell of a local variable is. */
uint32_t effects_unit(const struct effects *effects, const struct variable *variable, uint32_t cell);
struct meaning effects_held(const struct effects *effects, const struct effects_path *path);
void effects_hold(struct effects *effects, struct units units, struct meaning value);
void effects_hold_any(struct effects *effects); /* anything may have been written */
/* An aggregate is copied: what its parts hold when it is read, and when that is written. NULL: nothing is known. */
struct meaning *effects_take_held(struct effects *effects, const struct effects_path *path);
void effects_give_held(struct effects *effects, const struct effects_path *path, const struct effects_path *from,
                       const struct meaning *values);
/* What was written since then was perhaps not. */
void effects_forget_since(struct effects *effects, uint64_t clock);
/* NULL: outside loops, where nothing is known. */
struct meaning *effects_copy_held(const struct effects *effects);
void effects_restore_held(struct effects *effects, struct meaning *held); /* freed */
void effects_join_held(struct effects *effects, struct meaning *other);   /* of the other branch; freed */
struct repetition effects_begin_repetition(struct effects *effects);
void effects_end_repetition(struct effects *effects, struct repetition *repetition);
void effects_make_stale(struct effects *effects, uint32_t unit, const struct effects_loop *loop);
/* NULL: nothing is stale. */
struct stale *effects_copy_stale(const struct effects *effects);
void effects_restore_stale(struct effects *effects, struct stale *stale); /* freed */
void effects_join_stale(struct effects *effects, struct stale *other);    /* of the other branch; freed */
void effects_note_return(struct effects *effects);
void effects_renew(struct effects *effects, struct units units); /* they were written as a whole */
/* effects_key.c: the elements of the multiset, at `path`, that the predicate is about: some, or all */
const struct effects_path *effects_key(struct effects *effects, const struct place *multiset,
                                       const struct effects_path *path, const struct variable *slot,
                                       const struct expr *predicate);
/* effects_plain.c: no loop whose order could matter, and no multiset, in the function or in what it calls */
bool effects_is_plain(struct effects *effects, const struct function *function);
/* effects_stmt.c */
/* The same place in the same words, free of calls: the same cells when evaluated twice in a row. */
bool effects_same_place(const struct place *a, const struct place *b);
void effects_block(struct effects *effects, const struct block *block);

#endif
