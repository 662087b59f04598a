/* Private to reduce/: how a rule is translated.
 *
 * A *run* executes a rule (or a start state, or a formula) of the original system with elements that have names instead
 * of numbers: a parameter's element in a known location, the element a pointer holds. What depends on shared variables
 * or on counters is *residual*: an expression or statement of the reduced system. Two things may be open, and both are
 * settled by running again from the start:
 *
 *   questions   "where is the element of this parameter", "whom does this pointer hold": every answer gives a reduced
 *               rule of its own. The answers so far are applied before the run begins. (run_ask)
 *   branches    a residual condition decides what happens: both branches are run, and become an if statement.
 * (run_branch)
 *
 * So a run is straight-line: its scalar local values are all known at every moment, and when it ends it knows to which
 * location each named element has gone.
 *
 * The other elements are a *crowd*: a number for each location. A quantifier or loop over a family treats the named
 * elements one by one, and the crowd location by location: one element represents all that are there. */
#ifndef NOETHER_REDUCE_INNER_H
#define NOETHER_REDUCE_INNER_H

#include "base/watch.h"
#include "base/vec.h"
#include "ir/build.h"
#include "reduce/reduce.h"
#include "ir/iteration.h"

#define NONE UINT32_MAX

/* ---- the original state, cell by cell (families.c) ---- */

struct local_cell {
    uint32_t address; /* of the first element */
    uint32_t stride;  /* from one element to the next */
    const struct type *type;
};

/* Where a location is meant below, it is the one that stands for its class. */
struct location {
    int32_t *values; /* by local cell */
    bool is_reached; /* elements may be here between steps; else only before the start */
    uint32_t class;  /* the counter; NONE when not reached */
    uint64_t *live;  /* bits by local cell, see dead.c */
    uint64_t *read;
};

/* A step from one location to another: which cells it kept. */
struct passage {
    uint32_t from, to;
    uint64_t *kept;
};

struct reduce_family {
    const struct type *type; /* the index type in the original system */
    int32_t code;            /* of its first element */
    uint32_t size;
    struct local_cell *cells;
    uint32_t cell_count, words; /* words of a set of cells */
    VEC(struct location) locations;
    uint32_t *table, table_size; /* open addressing: location + 1 */
    uint32_t old_count;          /* locations found before this pass */
    VEC(struct passage) passages;
    VEC(uint32_t) classes;            /* by class: the location that stands for it */
    const struct type *location_type; /* in the reduced system: an enum of the classes */
    const struct variable *count;     /* array over it */
};

/* An id-sensitive shared variable. */
struct pointer {
    uint32_t address;
    const struct type *type;
    struct span span;
    const char *name;
    bool may_miss; /* it may hold no element: undefined, or another value */
    bool may_be_undefined;
    const struct variable **at;   /* by family: the location of its element (NULL: cannot hold one) */
    const struct variable *other; /* its other values, or NULL */
    const struct variable **same; /* by pointer: holds the same element; set for lower numbers only */
};

/* A part of the state that has nothing to do with families: a variable of the reduced system. */
struct object {
    uint32_t address;
    const struct type *type; /* original */
    const char *name;
    struct span span;
    const struct variable *variable; /* reduced */
};

enum { FAMILIES_MOST_POINTERS = 24 };

enum reduce_role { ROLE_SHARED, ROLE_LOCAL, ROLE_POINTER, ROLE_OTHER_ELEMENT };
struct cell_role {
    enum reduce_role role;
    uint32_t family, number; /* LOCAL: family and local cell; POINTER: its number */
};

/* ---- values ---- */

enum value_kind {
    VALUE_KNOWN,     /* code; may be UNDEFINED */
    VALUE_ELEMENT,   /* a named element */
    VALUE_ELSEWHERE, /* the element of pointer `number`, which is none of the named ones; its family is `family` */
    VALUE_RESIDUAL,  /* expr */
    VALUE_LOST       /* depends on the last iteration of a loop; not to be read */
};
struct reduce_value {
    enum value_kind kind;
    int64_t code;
    uint32_t number, family;
    struct expr *expr;
};

/* A place, as far as it is known. */
struct reduce_spot {
    const struct type *type; /* original */
    uint32_t address;        /* in the original memory, with first elements for families; not when residual */
    uint32_t element;        /* the named element whose cell it is, or NONE */
    struct place *residual;  /* in the reduced system, or NULL */
};

/* ---- questions ---- */

enum question_kind { QUESTION_PARAMETER, QUESTION_POINTER, QUESTION_PLACE, QUESTION_SAME, QUESTION_ONLY };
struct reduce_question {
    enum question_kind kind;
    uint32_t subject, other; /* parameter or pointer; SAME: pointer, named element; ONLY: a family of one element */
};
struct answer {
    struct reduce_question question;
    struct reduce_value
        value;         /* PARAMETER, POINTER: a new element is ELEMENT with number NONE, family and code = location */
    uint32_t location; /* PLACE, and of a new element */
    bool yes;          /* SAME */
};

/* ---- a run ---- */

enum reduce_go {
    GO_OK,
    GO_RETURN,
    GO_STOP,  /* the guard or a requirement is false, or an assumption; no effect */
    GO_FAULT, /* something goes wrong for certain: run->fault_* */
    GO_SKIP,  /* a pending condition is false: back to where it was made */
    GO_ASK,   /* run->question */
    GO_REFUSE
};

struct element {
    uint32_t family, location; /* at the beginning */
    int32_t *values;           /* now */
    uint64_t *written;         /* cells whose first value is gone */
    bool is_crowd;             /* one of a crowd, inside a loop or quantifier */
};

enum event_kind { EVENT_STMT, EVENT_BRANCH };
struct reduce_event {
    enum event_kind kind;
    struct stmt *stmt;
    struct expr *condition;
    bool taken;
};

/* A condition under which the run goes on; looked at only when that makes a difference. */
struct pending {
    struct expr *condition; /* NULL: that there is an element in the location; made when it is needed */
    uint32_t family, location;
    int32_t offset;
    enum { PENDING_OPEN, PENDING_TRUE, PENDING_FALSE } state;
};

struct reduce_undo {
    uint32_t cell;
    struct reduce_value value;
};

enum run_mode { RUN_RULE, RUN_START, RUN_FORMULA };

struct reduce_run {
    struct reducer *reducer;
    struct system *out;
    enum run_mode mode;
    const struct rule *rule;
    bool is_body;  /* a rule's body: statements may be emitted; else a guard or formula */
    uint32_t pure; /* > 0: in a guard, formula or function; the state may not be changed */
    VEC(struct element) elements;
    struct reduce_value *parameters; /* by parameter; kind RESIDUAL with expr NULL: not asked yet */
    bool *asked;
    struct reduce_value *holds, *held; /* by pointer: what it held at the beginning, and holds now */
    bool *is_decided, *is_set;         /* by pointer: `holds` is known; assigned to in this run */
    uint32_t *parted;                  /* by pointer that is ELSEWHERE: it holds none of so many elements */
    struct reduce_value *memory;       /* scratch cells, by address - state_cells */
    struct reduce_spot *bound;         /* scratch references */
    VEC(struct reduce_undo) log;       /* writes to scratch cells */
    VEC(int32_t) * offsets; /* by family, location: crowd there = counter + offset; in start states: the crowd */
    VEC(struct reduce_event) events;
    VEC(bool) choices;
    size_t next_choice;
    VEC(struct pending) pending;
    uint32_t crowd_depth; /* loops over crowds around here */
    bool is_plain;        /* in an if statement that is translated whole, or not at all (plain.c) */
    /* What the iteration over a crowd read before it wrote it, and what it wrote, as keys; it began at these. */
    VEC(uint64_t) crowd_reads, crowd_writes;
    size_t first_read, first_write, outer_write; /* outer: of the iteration over a crowd around it */
    struct reduce_question question;
    struct span fault_span;
    const char *fault_what;
    const struct property *fault_property; /* original */
    uint64_t steps;
    VEC(const struct function *) frames; /* whose bodies run, the innermost last */
    /* Of the innermost call in an expression, and the outermost one in a body: the frames around it. */
    size_t around_call, around_calls;
    uint32_t calls;             /* in expressions, around here */
    VEC(struct expr *) facts;   /* conditions decided by branches since the last statement */
    VEC(struct expr *) touched; /* evaluated for their faults since then, see touch.c */
    bool has_moved;             /* a crowd, in this run */
    VEC(uint32_t) sums;         /* scratch cells that the iteration over a crowd adds to */
    VEC(size_t) sum_events;     /* and statements that do */
};

struct reduced_rule {
    const struct rule *rule; /* original */
    struct reduce_value
        *parameters; /* original parameters: KNOWN, ELEMENT, or RESIDUAL with number = parameter of reduced */
    struct {
        uint32_t family, class;
        uint32_t pointer; /* one that holds it, or NONE */
    } * elements;
    uint32_t element_count;
    bool *decided; /* by pointer: known not to hold any of the elements that no pointer holds */
    bool is_exchange;
};

struct reduction {
    struct arena *arena;
    const struct system *system;
    struct system *out;
    struct reduce_family *families;
    uint32_t family_count;
    struct pointer *pointers;
    uint32_t pointer_count;
    struct object *objects;
    uint32_t object_count;
    struct cell_role *roles; /* by cell of the original state */
    VEC(struct reduced_rule) rules, starts;
    VEC(const struct property *) properties; /* by property of `out` */
    const char **left_out;                   /* by original property: why, or NULL */
    struct diagnostics warnings;             /* the same */
    const char *remark;
};

/* A variable of the reduced system that a run writes once, before it reads it. */
struct temporary {
    const struct variable *variable;
    bool is_used; /* in this run */
};

struct reducer {
    struct reduction *reduction;
    const struct system *system;
    struct system *out;
    const struct reduce_options *options;
    struct diagnostics *diagnostics;
    bool is_analysis;               /* nothing is kept but locations */
    bool is_thorough;               /* analysis: also what cannot lead to new locations, to see what is read */
    bool found;                     /* a new location, in this pass */
    bool has_missed;                /* a pointer that was thought to hold an element always may not: begin again */
    bool *looks_around;             /* by rule: it asks for more than the location of one element */
    const struct type **types;      /* by type of the original: in `out` */
    struct variable **mirrors;      /* by scratch address: variable in `out` */
    struct property **property_of;  /* by original property: in `out` */
    const struct variable *counter; /* analysis: an array that stands for all counters */
    bool is_broken;                 /* an internal error: something that the analysis has missed */
    VEC(struct temporary) temporaries;
    const struct type *moved_type;     /* numbers of elements that move */
    const struct variable **variables; /* by scratch cell: the variable it belongs to */
    const struct function **owners;    /* and the function whose variable that is; NULL: a rule's */
    bool *is_reserved;                 /* by type of the original */
    VEC(const char *) names;
    bool has_exchange;
    uint64_t rule_count, path_count, work;
    uint64_t refreshed; /* analysis: the paths when `out` was made */
};

/* families.c: false with a diagnostic when the state is outside the class */
bool families_find(struct reducer *reducer);
uint32_t families_of_code(const struct reduction *reduction, int64_t code); /* NONE: no element */
const struct object *families_object(const struct reduction *reduction, uint32_t address, const struct type *type);
bool families_mentions(const struct type *type); /* does it hold or range over elements? */

/* location.c */
uint32_t location_intern(struct reducer *reducer, uint32_t family, const int32_t *values);
uint32_t location_find(const struct reduce_family *family, const int32_t *values); /* NONE */
void location_reach(struct reducer *reducer, uint32_t family, uint32_t location);
void location_name(const struct reduction *reduction, const struct reduce_family *family, uint32_t location,
                   struct text *out);
void location_note_read(struct reduce_run *run, const struct element *element, uint32_t cell);
void location_note_passage(struct reduce_run *run, const struct element *element, uint32_t to);
/* dead.c */
void dead_classify(struct reducer *reducer); /* sets the classes */

/* make.c: the reduced system */
bool make_system(struct reducer *reducer); /* types, variables, properties */
const struct type *make_type(struct reducer *reducer, const struct type *type);
const struct variable *make_mirror(struct reducer *reducer, const struct variable *variable);
const struct variable *make_temporary(struct reduce_run *run, const struct type *type); /* of the reduced system */
struct expr *make_const(struct reduce_run *run, const struct type *type, int64_t code, struct span span);
struct expr *make_count(struct reduce_run *run, uint32_t family, uint32_t location);
struct expr *make_same(struct reduce_run *run, uint32_t high,
                       uint32_t low); /* do these pointers hold the same element? */
struct place *make_count_place(struct reduce_run *run, uint32_t family, uint32_t location);
struct expr *make_location(struct reduce_run *run, uint32_t family, uint32_t location);
struct expr *make_number(struct reduce_run *run, int64_t number);
struct expr *make_read(struct reduce_run *run, const struct variable *variable);
struct expr *make_and(struct reduce_run *run, struct expr *left, struct expr *right); /* NULL is true */
struct expr *make_crowd(struct reduce_run *run, uint32_t family, uint32_t location); /* how many; not in start states */
/* Is there one? With the crowd's offset as it was. */
struct expr *make_presence(struct reduce_run *run, uint32_t family, uint32_t location, int32_t offset);
struct stmt *make_assign(struct reduce_run *run, struct place *place, struct expr *value);
struct place *make_place(struct reduce_run *run, const struct variable *variable);
struct expr *make_binary(struct reduce_run *run, enum operator op, struct expr *left, struct expr *right);

/* run.c */
void run_create(struct reduce_run *run, struct reducer *reducer, enum run_mode mode, const struct rule *rule);
void run_destroy(struct reduce_run *run);
void run_begin(struct reduce_run *run, const struct answer *answers, size_t count);
/* Has an iteration added to the scratch cell, one of those from the `first` sum on? */
bool run_is_sum(const struct reduce_run *run, size_t first, uint32_t cell);
bool run_next_path(struct reduce_run *run); /* the next way through the branches; false: all were taken */
enum reduce_go run_branch(struct reduce_run *run, struct expr *condition, bool *taken);
struct expr *run_presence(struct reduce_run *run, struct pending *pending); /* its condition */
enum reduce_go run_settle(struct reduce_run *run);                          /* looks at pending conditions */
enum reduce_go run_check(struct reduce_run *run); /* nothing that the analysis has missed has turned up */
enum reduce_go run_spend(struct reduce_run *run, struct span span); /* one more step of work, while there is any left */
enum reduce_go run_ask(struct reduce_run *run, enum question_kind kind, uint32_t subject, uint32_t other);
enum reduce_go run_fault(struct reduce_run *run, struct span span, const char *what);
enum reduce_go run_refuse(struct reduce_run *run, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum reduce_go run_emit(struct reduce_run *run, struct stmt *stmt); /* changes the shared state */
void run_push_event(struct reduce_run *run, struct stmt *stmt);
int32_t *run_offset(struct reduce_run *run, uint32_t family, uint32_t location);
uint32_t run_add_element(struct reduce_run *run, uint32_t family, uint32_t location);
void run_drop_element(struct reduce_run *run);                                      /* the last one */
uint32_t run_settle_element(struct reduce_run *run, const struct element *element); /* its location now */
/* ask.c */
enum reduce_go ask_parameter(struct reduce_run *run, uint32_t parameter);
enum reduce_go ask_all_parameters(struct reduce_run *run);
enum reduce_go ask_pointer(struct reduce_run *run, uint32_t pointer);
enum reduce_go ask_name(struct reduce_run *run, struct reduce_value *value); /* ELSEWHERE becomes ELEMENT */
/* A constant. The only element of a family has a number that may be written, and is asked for. */
enum reduce_go ask_constant(struct reduce_run *run, const struct type *type, int64_t code, struct span span,
                            struct reduce_value *value);
void ask_apply(struct reduce_run *run, const struct answer *answer);
/* Does an element that was named later raise a question about pointers that are elsewhere? */
enum reduce_go ask_complete(struct reduce_run *run);
uint32_t ask_parameter_at(const struct reduce_run *run,
                          uint32_t address); /* the parameter with this address, or NONE */
/* All answers to the question, in order: number i; false: there are no more. */
bool ask_option(struct reduce_run *run, struct reduce_question question, uint32_t number, struct answer *answer);
/* The condition in the reduced system under which the answers hold; NULL: always. */
struct expr *ask_condition(struct reduce_run *run);

/* value.c */
static inline struct reduce_value value_known(int64_t code)
{
    return (struct reduce_value){.kind = VALUE_KNOWN, .code = code};
}
static inline struct reduce_value value_residual(struct expr *expr)
{
    return (struct reduce_value){.kind = VALUE_RESIDUAL, .expr = expr};
}
struct reduce_value value_of(struct expr *expr); /* a constant is KNOWN */
/* The same as an expression; elements have none. */
struct expr *value_expr(struct reduce_run *run, const struct reduce_value *value, const struct type *type,
                        struct span span);
/* Makes a residual value known, by branches over the codes of the (original) type; UNDEFINED too when `place` (what is
 * read) may be. A value outside the type faults. */
enum reduce_go value_force(struct reduce_run *run, struct reduce_value *value, const struct type *type,
                           struct span span, const char *what);
enum reduce_go value_equal(struct reduce_run *run, struct reduce_value left, struct reduce_value right,
                           const struct type *type, struct span span, struct reduce_value *result);

/* place.c */
enum reduce_go place_resolve(struct reduce_run *run, const struct place *place, struct reduce_spot *spot);
enum reduce_go spot_step_index(struct reduce_run *run, struct reduce_spot *spot, struct reduce_value index,
                               struct span span);
void spot_step_field(struct reduce_run *run, struct reduce_spot *spot, const struct field *field, struct span span);
enum reduce_go spot_read(struct reduce_run *run, const struct reduce_spot *spot, bool raw, struct span span,
                         struct reduce_value *value);
enum reduce_go spot_write(struct reduce_run *run, const struct reduce_spot *spot, struct reduce_value value,
                          struct span span);
enum reduce_go spot_fill(struct reduce_run *run, const struct reduce_spot *spot, bool is_cleared, struct span span);
enum reduce_go spot_copy(struct reduce_run *run, const struct reduce_spot *to, const struct reduce_spot *from,
                         struct span span);
enum reduce_go spot_equal(struct reduce_run *run, const struct reduce_spot *a, const struct reduce_spot *b,
                          struct span span, struct reduce_value *value);
enum reduce_go spot_is_undefined(struct reduce_run *run, const struct reduce_spot *spot, struct span span,
                                 struct reduce_value *value);
/* is_kept: what the value depends on may change before it is read. */
enum reduce_go scratch_write(struct reduce_run *run, uint32_t address, struct reduce_value value, bool is_kept,
                             struct span span);
/* The parts of a local record or array that depend on shared variables, before these are changed one by one. */
enum reduce_go scratch_keep(struct reduce_run *run, const struct reduce_spot *spot);
void scratch_list(struct reducer *reducer); /* the variables and their owners */
/* touch.c */
bool touch_may_fault(const struct reduce_run *run, const struct expr *expr);
void touch_value(struct reduce_run *run, const struct reduce_value *value); /* evaluates it here, for its faults */
void touch_place(struct reduce_run *run, struct place *place);
void touch_keep(struct reduce_run *run,
                struct reduce_spot *spot); /* the place is these cells, whatever happens to its indices */
/* The value in a temporary of the type (reduced), where it faults unless it is in it. NULL: that cannot be written
 * here. `otherwise`: what stands there where no element gets here; NULL: any value. */
struct expr *touch_take(struct reduce_run *run, struct expr *expr, const struct type *type, struct expr *otherwise);
bool touch_is_temporary(const struct reduce_run *run, const struct variable *variable);

/* eval.c */
enum reduce_go eval_expr(struct reduce_run *run, const struct expr *expr, struct reduce_value *value);
enum reduce_go eval_condition(struct reduce_run *run, const struct expr *expr, bool *holds); /* by branches */
enum reduce_go eval_call_in_expr(struct reduce_run *run, const struct expr *call); /* which may not change the state */
/* Joins values by AND or OR. Both were evaluated, left first; is_exhaustive: the right one even where the left decides.
 */
struct reduce_value eval_join(struct reduce_run *run, enum operator op, struct reduce_value left,
                              struct reduce_value right, bool is_exhaustive);
void eval_set_variable(struct reduce_run *run, const struct variable *variable, struct reduce_value value);
/* What an ordered domain runs over: GO_OK and the next value, or *is_over. */
enum reduce_go eval_iteration(struct reduce_run *run, const struct domain *domain, struct span span,
                              struct iteration *iteration);
bool eval_is_unordered(const struct domain *domain);
/* A value has been evaluated: its faults come before those of a function that is called next. */
void eval_before(struct reduce_run *run, const struct reduce_value *value, const struct argument *next);
/* The local record or array `spot` has been evaluated: may what is evaluated next change it, before it is copied? */
bool eval_disturbs(const struct reduce_run *run, const struct reduce_spot *spot, const struct argument *next);
/* follow.c */
enum reduce_go run_block(struct reduce_run *run, const struct block *block);
/* plain.c: emits the statement whole, if that can be done. */
bool plain_if(struct reduce_run *run, const struct stmt *stmt, struct expr *condition);
/* crowd.c */
enum reduce_go crowd_quantifier(struct reduce_run *run, const struct expr *expr, struct reduce_value *value);
enum reduce_go crowd_loop(struct reduce_run *run, const struct stmt *stmt);
/* x := x + e and the like in an iteration over a crowd. False: not of that kind. */
bool crowd_accumulates(struct reduce_run *run, const struct stmt *stmt, enum reduce_go *go);
/* Fills the cell for every element of the family. */
enum reduce_go crowd_fill(struct reduce_run *run, uint32_t family, uint32_t address, const struct type *type,
                          bool is_cleared, struct span span);
/* finish.c: what a rule's run leaves behind: counters, pointers. What it does to the state, as far as elements go: */
enum reduce_change {
    CHANGE_NONE,    /* nothing but what the reduced state shows, too */
    CHANGE_SHOWN,   /* the counters change for certain */
    CHANGE_EXCHANGE /* the state changes for certain, the reduced state perhaps not */
};
enum reduce_go finish_run(struct reduce_run *run, enum reduce_change *change);
/* tree.c: paths to statements and expressions */
struct path {
    struct reduce_event *events;
    size_t count;
    enum reduce_go end;
    struct expr *value; /* of a formula */
    struct span span;   /* of a fault */
    const char *what;
    const struct property *property;
};
struct block tree_block(struct system *system, const struct path *paths, size_t count);
/* The formula: false where it faults. */
struct expr *tree_expr(struct system *system, const struct path *paths, size_t count);
/* Where it faults in this way. */
struct expr *tree_fault(struct system *system, const struct path *paths, size_t count, const struct path *way);
bool tree_same_fault(const struct path *a, const struct path *b);
/* rules.c */
bool rules_reduce(struct reducer *reducer, const struct rule *rule, bool is_start);
/* The formula in the reduced system. NULL: refused, or only an analysis. Where it cannot be evaluated for certain it is
 * false (an invariant), or refused. */
struct expr *rules_reduce_formula(struct reducer *reducer, const struct expr *formula, struct span span,
                                  bool is_invariant);
/* properties.c */
void properties_make(struct reducer *reducer); /* without their formulas */
bool properties_reduce(struct reducer *reducer, const struct property *property);

#endif
