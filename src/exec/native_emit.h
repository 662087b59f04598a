/* From the IR to C: what the writing files share.
 *
 * A scalar local variable that nothing refers to by address, and that only one rule, function or property mentions, is
 * a variable of C; everything else lives in memory `m`. An expression of the IR becomes one of C: checks that can fail
 * are macros of native_runtime.h that return from within it. C leaves the order of operands open, so where two of them
 * can fault or call something, the macros fix it.
 *
 * What is known about variables and functions comes from the VM's analysis (vm_analyse.c). */
#ifndef NOETHER_EXEC_NATIVE_EMIT_H
#define NOETHER_EXEC_NATIVE_EMIT_H

#include "exec/native_runtime.h"
#include "exec/native_source.h"
#include "exec/rule_plan.h"
#include "ir/definite.h"

/* Where a scratch variable lives. */
enum home { HOME_MEMORY, HOME_LOCAL, HOME_KNOWN };

struct scratch_home {
    enum home home;
    bool is_addressed;         /* something may refer to it */
    uint32_t owner;            /* what mentions it: a number for each rule, function and property; 0: nothing yet */
    bool is_shared;            /* more than one does */
    const char *name;          /* once it was written */
    const struct place *known; /* KNOWN: a reference to this place, found without a check from rule parameters */
};

struct name_set {
    struct arena *arena;
    VEC(const char *) names;
};

enum { NO_PARAMETER = UINT32_MAX };

/* A test `cell = value` that a rule's guard begins with: of the elements of an array, by one of the rule's parameters,
 * or of one cell. */
struct selection {
    uint32_t rule, parameter;
    uint32_t first, stride, count; /* cells */
    int32_t value;
    bool is_bound;  /* while something is held, only the holder's element counts */
    bool is_masked; /* the loader leaves it to the rule's mask (native_mask.c) */
    bool is_open;   /* no test: everywhere else all positions are selected */
    int32_t who;    /* the holder whose element is the first */
};

/* Where a cell is, with a parameter at its first value. */
struct aim {
    int64_t cell;
    uint32_t stride, parameter; /* cells from one value of the parameter to the next; NO_PARAMETER: always the same */
};

enum { NO_WORD = UINT32_MAX };

/* The instances of a rule that may fire, by what its guard begins with (native_mask.c). */
struct mask {
    uint32_t rule;
    int64_t selection; /* that gets the positions; -1: the rule has no parameter */
    uint32_t t, u;     /* variables of the loader, by number; NO_WORD: it would be 0 */
};

/* A variable of the loader: of the positions whose cell has one of these packed values, a bit. */
struct mask_word {
    uint32_t cell, stride, count, number;
    uint64_t values;
};

/* Elements of an array, and sets of packed values: which elements are in which of them is found together. */
struct mask_field {
    uint32_t first, stride, count; /* cells */
    VEC(uint64_t) lanes;
};

struct native_emitter {
    struct vm_emitter facts; /* for its analysis */
    struct vm_program nothing;
    const struct system *system;
    struct layout *layout;
    struct native_source *source;
    struct arena *arena;
    struct text *out;                               /* where code goes */
    struct text addresses, offsets, codes, helpers; /* parts that come before, written on demand */
    struct scratch_home *homes;                     /* by scratch cell */
    const bool *is_definite;                        /* by cell of the state (ir/definite.h) */
    struct name_set names;
    const char **address_names;                /* by cell: of the variable that begins there */
    const char ***field_names;                 /* by type id, field */
    const char ***label_names;                 /* by type id, position */
    bool *has_ordinal, *has_clear, *has_blank; /* by type id: helpers written */
    int indent;
    int32_t level; /* in a rule: parameters chosen; -1: in a function or property */
    const struct rule *rule;
    bool is_start;      /* that is a start state */
    bool has_return;    /* the rule's body has one */
    bool has_call;      /* it calls a function, if only of the C library */
    bool needs_scratch; /* what is being written calls a function or has variables in memory */
    const struct function *function;
    VEC(const struct variable *) locals; /* of C, of what is being written */
    VEC(struct selection) selections;
    size_t first_selection;    /* of the rule that is being written */
    enum native_answer answer; /* of that rule, */
    VEC(uint8_t) answers;      /* and of each so far */
    VEC(struct mask) masks;
    VEC(struct mask_field) fields;
    struct text mask_tables, mask_code; /* of the loader */
    uint32_t mask_words;
    uint64_t mask_effort;        /* that was made for them */
    VEC(struct mask_word) words; /* those that may be met again */
    int64_t mask;                /* of the rule that is being written: -1: it has none; */
    size_t masked_items;         /* so many items of its plan are in it; */
    bool is_bulk;        /* it is the whole guard, by one parameter: instances asleep are passed over together; */
    struct text effects; /* of rules that are split, those that stand in one function */
    bool has_split;      /* some rule so far was split */
    bool mask_is_exact;  /* where it cannot tell, the guard faults */
};

/* native_names.c */
const char *name_claim(struct name_set *set, const char *wish);
const char *name_address(struct native_emitter *emitter, const struct variable *variable);
const char *name_field(struct native_emitter *emitter, const struct type *record, const struct field *field);
const char *name_local(struct native_emitter *emitter, const struct variable *variable);
void write_code(struct native_emitter *emitter, const struct type *type, int64_t code);
/* What follows the name in a comment or in an identifier: no surprises. */
void write_comment(struct text *out, const char *chars);
void write_identifier(struct text *out, const char *chars, size_t most);

/* native_homes.c */
struct scratch_home *home_of(struct native_emitter *emitter, const struct variable *variable);
void homes_find(struct native_emitter *emitter);
/* A reference bound in the prelude of this rule. */
void homes_plan_binding(struct native_emitter *emitter, const struct rule *rule, const struct item *item);

/* native_write.c */
void write_line(struct native_emitter *emitter, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_indent(struct native_emitter *emitter);
/* So many cells are to be copied to the stack. */
void write_copy_limit(struct native_emitter *emitter, uint32_t cells);
uint32_t write_site(struct native_emitter *emitter, enum fault_kind kind, struct span span,
                    const struct property *property, const struct type *type);

/* native_place.c: a place is written as its address, an expression of type int */
void write_address(struct native_emitter *emitter, const struct place *place);
/* Its scalar cell: a variable of C, or of memory. */
void write_cell(struct native_emitter *emitter, const struct place *place);
/* Can it be found without a check or a call? */
bool place_is_plain(struct native_emitter *emitter, const struct place *place);
/* Has it a value whenever what is being written runs? */
bool place_is_definite(const struct native_emitter *emitter, const struct place *place);
bool place_is_local(struct native_emitter *emitter, const struct place *place);
/* Can a store there change the state? */
bool place_may_be_state(const struct place *place);

/* native_expr.c */
void write_expr(struct native_emitter *emitter, const struct expr *expr);
/* Neither faults nor calls, and what it reads changes under no call. */
bool expr_is_plain(struct native_emitter *emitter, const struct expr *expr);

/* native_store.c */
bool value_needs_check(struct native_emitter *emitter, const struct expr *value, const struct type *type);
/* The value, as it may be stored in a cell of the type: checked if it needs to be. */
void write_storable(struct native_emitter *emitter, const struct expr *value, const struct type *type);
/* The same with a check in any case, of a value that the variable `name` has already (NULL: evaluate it). */
void write_checked(struct native_emitter *emitter, const char *name, const struct expr *value, const struct type *type);

/* native_loop.c: code between begin and end runs for every value; break leaves it */
/* Loops of fewer iterations do not poll the time limit: that would slow down the inner loops of a search. */
enum { NATIVE_LONG_LOOP = 16 };
void write_loop_begin(struct native_emitter *emitter, const struct variable *variable, const struct domain *domain,
                      struct span span);
void write_loop_end(struct native_emitter *emitter);
/* The taken slots of the multiset at address base_. */
void write_slots_begin(struct native_emitter *emitter, const struct variable *variable, const struct type *multiset);
void write_slots_end(struct native_emitter *emitter);
void write_quantifier(struct native_emitter *emitter, const struct expr *expr);
void write_count(struct native_emitter *emitter, const struct expr *expr);

/* native_type.c: helpers written once for each type */
const char *type_ordinal_helper(struct native_emitter *emitter, const struct type *type);
/* Statements that clear or undefine the value whose address is `at`. */
void write_fill(struct native_emitter *emitter, const char *at, const struct type *type, bool is_clear);

/* native_stmt.c */
void write_block(struct native_emitter *emitter, const struct block *block);
void write_stmt(struct native_emitter *emitter, const struct stmt *stmt);

/* native_call.c */
void write_call(struct native_emitter *emitter, const struct expr *call);
void write_function_head(struct native_emitter *emitter, const struct function *function);
void write_function(struct native_emitter *emitter, const struct function *function);

/* native_body.c: a function of C is written to a text of its own first, since its variables are known only then */
struct body {
    struct text text, *outer;
    size_t names;
};
void body_begin(struct native_emitter *emitter, struct body *body);
/* Writes a comment (kind, name, position), then head { declarations, text }. */
void body_end(struct native_emitter *emitter, struct body *body, const char *kind, const char *name, struct span span,
              const char *head);

/* native_split.c */
/* Can the rule be split (native_source.h)? */
bool split_is_possible(const struct native_emitter *emitter, const struct rule_plan *plan);
void split_note(struct native_emitter *emitter, const struct rule *rule, bool is_split);
/* The function's text: a test, where one is needed, and the effect. */
void write_split(struct native_emitter *emitter, const struct rule_plan *plan);
/* It becomes a function, or a part of that which holds several. */
void split_end(struct native_emitter *emitter, struct body *body, const struct rule *rule);
/* Behind all rules: that function, and the table of effects. */
void write_effects(struct native_emitter *emitter);

/* native_rule.c */
/* The parameter is given the value at its position. */
void write_set_parameter(struct native_emitter *emitter, uint32_t p);
void write_rule(struct native_emitter *emitter, const struct rule *rule, bool is_start);

/* native_select.c */
/* By one of the parameters, all of whose values lie inside, at most. */
bool aim_at(struct native_emitter *emitter, const struct parameter *parameters, uint32_t count,
            const struct place *place, struct aim *aim);
/* An item of a guard or prelude that neither faults nor reads the state. */
bool item_is_plain(struct native_emitter *emitter, const struct item *item);
void select_instances(struct native_emitter *emitter, const struct rule_plan *plan);
/* What the rule being written can be asked while another one's step goes on (native_follow.h). */
enum native_answer select_answer(const struct native_emitter *emitter, const struct rule_plan *plan);
/* The number of the selection, in the rule being written, by that parameter; -1: none. */
int64_t selection_of(const struct native_emitter *emitter, uint32_t parameter);
/* The tables; how many selectors there are. */
size_t write_selectors(struct native_emitter *emitter);
/* The rule that is called for its sake; UINT32_MAX: it is called, or not, for another one. */
uint32_t select_caller(const struct selection *selection);

/* native_load.c: behind the selectors. Its name, or 0. */
const char *write_loader(struct native_emitter *emitter);
/* Might there be one? */
bool loader_is_possible(const struct native_emitter *emitter);
/* Is every state loaded by it? Then nothing else needs to know what a state selects. */
bool loader_is_alone(const struct native_emitter *emitter);
/* The greatest number in the bits of a cell; and how these are read: the same for most cells of an array. */
uint64_t cell_most(const struct layout *layout, uint32_t cell);
bool cells_are_alike(const struct layout *layout, uint32_t a, uint32_t b);

/* native_mask.c */
/* Behind select_instances. */
void mask_instances(struct native_emitter *emitter, const struct rule_plan *plan);
/* What the loader needs before it, and what it does with the packed values v of the cells. */
void write_mask_tables(struct native_emitter *emitter);
void write_masks(struct native_emitter *emitter);

/* native_find.c */
void write_finders(struct native_emitter *emitter);

#endif
