/* From the IR to bytecode: what the emitting files share.
 *
 * The emitter keeps a cell operand unread as long as it can (struct vm_operand), so that the instruction that uses it
 * reads it. An operand is put off only across operands that emit nothing, so faults come in the order of the text.
 *
 * `known` maps a scratch cell to the constant it holds where code is being emitted: the parameters of an instance
 * that has code of its own, the variable of an unrolled quantifier, a reference bound to a fixed place. */
#ifndef NOETHER_EXEC_VM_EMIT_H
#define NOETHER_EXEC_VM_EMIT_H

#include "exec/vm_code.h"
#include "ir/layout.h"

struct known {
    bool is_known;
    int32_t value;
};

/* What the analysis (vm_analyse.c) says about a scratch variable, by address. */
struct scratch_facts {
    bool is_sure;      /* set by loops, quantifiers and rules only: never undefined and within its type */
    uint32_t bindings; /* how many statements bind it */
    bool is_written;   /* assigned, or passed on by reference */
};

struct function_facts {
    bool is_pure; /* writes no state cell, discards no step */
    bool is_inlined;
    uint32_t size; /* nodes, those of inlined functions included */
};

enum { VM_LABEL_OPEN = -1 };

struct vm_label {
    int32_t target; /* VM_LABEL_OPEN until placed */
    VEC(uint32_t) uses;
};

struct vm_emitter {
    const struct system *system;
    const struct vm_tuning *tuning;
    struct vm_program *program;
    struct known *known;         /* by scratch cell */
    struct scratch_facts *facts; /* by scratch cell */
    struct function_facts *functions;
    struct vm_label *entries; /* of functions that are called, by id */
    uint32_t next_register;
    uint32_t last; /* position of the instruction emitted last */
    /* Where return goes in the code being emitted: NULL in a function of its own. */
    struct vm_label *exit;
    struct vm_label *disabled;                  /* where a requirement that fails goes */
    const struct function *function;            /* whose body is being emitted, or NULL */
    int64_t *clear_templates, *blank_templates; /* by type id: position in the templates, or -1 */
};

enum mode { MODE_CELL, MODE_ELEMENT, MODE_INDIRECT };

/* Cell base, base + memory[var] * stride, or base + register. */
struct address {
    enum mode mode;
    int32_t base, var, stride, reg;
};

enum operand_kind { OPERAND_CONST, OPERAND_REGISTER, OPERAND_SURE, OPERAND_CELL };

struct vm_operand {
    enum operand_kind kind;
    int64_t value;          /* CONST */
    int32_t reg;            /* REGISTER */
    struct address address; /* CELL: not read yet; SURE: base is the scratch cell */
    bool is_raw;            /* CELL: no fault when undefined */
    struct span span;       /* CELL: of the fault */
};

/* Does a constant fit in one word of code? */
static inline bool fits(int64_t value)
{
    return value >= INT32_MIN && value <= INT32_MAX;
}

/* May the value be UNDEFINED, to be stored as such? */
static inline bool expr_is_raw(const struct expr *expr)
{
    return expr->kind == EXPR_CONST || (expr->kind == EXPR_READ && expr->raw);
}

/* vm_emit.c: instructions, labels, registers */
void emit_op(struct vm_emitter *emitter, enum vm_op op, const int32_t *operands, uint32_t count);
#define EMIT(emitter, op, ...)                                                                                         \
    emit_op((emitter), (op), (const int32_t[]){__VA_ARGS__}, sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t))
/* An instruction that comes in the three modes; op_c is its C form. */
void emit_addressed(struct vm_emitter *emitter, enum vm_op op_c, const int32_t *before, uint32_t before_count,
                    const struct address *address, const int32_t *after, uint32_t after_count);
void emit_site(struct vm_emitter *emitter, uint32_t check, enum fault_kind kind, struct span span,
               const struct property *property, const struct type *type);
struct vm_label label_new(void);
void label_place(struct vm_emitter *emitter, struct vm_label *label);
/* The instruction emitted last jumps to the label: its last operand. */
void label_use(struct vm_emitter *emitter, struct vm_label *label);
void emit_jump(struct vm_emitter *emitter, struct vm_label *label);
int32_t register_new(struct vm_emitter *emitter);
int32_t emit_type_number(struct vm_emitter *emitter, const struct type *type);
uint32_t emit_temporary(struct vm_emitter *emitter, uint32_t cells);
struct known *emit_known(struct vm_emitter *emitter, const struct variable *variable);
struct scratch_facts *emit_facts(struct vm_emitter *emitter, const struct variable *variable);

/* vm_emit_place.c */
/* The address when no code is needed to find it. */
bool place_static(struct vm_emitter *emitter, const struct place *place, struct address *address);
/* The same of a slot (its flag, the element follows) that certainly exists. */
bool slot_static(struct vm_emitter *emitter, const struct place *multiset, const struct expr *slot,
                 struct address *address);
struct address emit_place(struct vm_emitter *emitter, const struct place *place);
int32_t emit_address(struct vm_emitter *emitter, const struct address *address);
int32_t emit_place_address(struct vm_emitter *emitter, const struct place *place);
/* The address of the value of an aggregate that stays what it is while what follows is evaluated. */
int32_t emit_aggregate(struct vm_emitter *emitter, const struct place *place, bool is_followed_by_call);
bool place_has_call(const struct place *place);
bool arguments_have_call(const struct expr *call, uint32_t from); /* those from this number on */
bool block_has_call(const struct block *block);

/* vm_emit_expr.c */
struct vm_operand emit_operand(struct vm_emitter *emitter, const struct expr *expr);
int32_t emit_register(struct vm_emitter *emitter, const struct vm_operand *operand);
int32_t emit_value(struct vm_emitter *emitter, const struct expr *expr);
/* Values the expression can have (undefined apart). */
void expr_bounds(struct vm_emitter *emitter, const struct expr *expr, int64_t *low, int64_t *high);
bool expr_static_value(struct vm_emitter *emitter, const struct expr *expr, int64_t *value);
/* Is its operand found without emitting anything? */
bool expr_is_leaf(struct vm_emitter *emitter, const struct expr *expr);

/* vm_emit_truth.c */
/* Goes to `label` when the expression is `sense`, else falls through. */
void emit_branch(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label);

/* vm_emit_stmt.c */
void emit_block(struct vm_emitter *emitter, const struct block *block);
void emit_stmt(struct vm_emitter *emitter, const struct stmt *stmt);
/* Stores `operand`, the value of `value`, in a cell of the type, checked. */
void emit_store(struct vm_emitter *emitter, const struct expr *value, const struct vm_operand *operand,
                const struct address *address, const struct type *type);
/* A constant that needs no check at run time. */
bool operand_is_storable(const struct expr *value, const struct vm_operand *operand, const struct type *type);
/* Is every value the expression can have (undefined apart) in the type? */
bool value_is_inside(struct vm_emitter *emitter, const struct expr *value, const struct type *type);

/* vm_emit_loop.c: code between begin and end runs for every value; it may jump to `next` */
struct loop {
    struct vm_label top, next, out;
    const struct variable *variable;
    const struct type *type; /* the values; NULL: consecutive ones up to `last`, or a progression */
    int64_t last;
    bool is_counted; /* in `cell`, else in registers */
    int32_t cell, counter, step;
};
void emit_loop_begin(struct vm_emitter *emitter, struct loop *loop, const struct variable *variable,
                     const struct domain *domain, struct span span);
void emit_loop_end(struct vm_emitter *emitter, struct loop *loop);
/* Values that are known and few, for a body of that many nodes to be emitted once for each. */
struct unrolled {
    const struct type *type; /* NULL: consecutive values */
    int64_t from;
    uint32_t count;
};
bool loop_is_unrolled(struct vm_emitter *emitter, const struct variable *variable, const struct domain *domain,
                      uint32_t body_nodes, struct unrolled *unrolled);
/* From here on the variable is known to have value number `i`; count: nothing is known any more. */
void emit_unrolled_value(struct vm_emitter *emitter, const struct variable *variable, const struct unrolled *unrolled,
                         uint32_t i);
/* The taken slots of the multiset whose address is in `base`. */
struct slot_loop {
    struct vm_label top, next;
    int32_t cell;
    const struct type *multiset;
};
void emit_slots_begin(struct vm_emitter *emitter, struct slot_loop *loop, const struct variable *variable,
                      const struct type *multiset, int32_t base);
void emit_slots_end(struct vm_emitter *emitter, struct slot_loop *loop);
/* The cell that counts for a variable: its own, or a hidden one when the body may write it. */
int32_t emit_counting_cell(struct vm_emitter *emitter, const struct variable *variable);
void emit_check(struct vm_emitter *emitter, int32_t value, const struct type *type, bool is_raw, struct span span);
/* Steps `cell` through the codes of a type: back to `top` for the next one. */
void emit_next_code(struct vm_emitter *emitter, int32_t cell, const struct type *type, struct vm_label *top);

/* vm_emit_multiset.c */
void emit_multiset_add(struct vm_emitter *emitter, const struct stmt *stmt);
void emit_multiset_remove(struct vm_emitter *emitter, const struct stmt *stmt);
void emit_multiset_remove_if(struct vm_emitter *emitter, const struct stmt *stmt);
/* Undefines, or clears, the value of a type at the address in a register. */
void emit_fill(struct vm_emitter *emitter, int32_t address, const struct type *type, bool is_clear);

/* vm_emit_call.c */
/* Evaluates the arguments and runs the function; its result, if any, is in function->result. */
void emit_call(struct vm_emitter *emitter, const struct expr *call);
void emit_function(struct vm_emitter *emitter, const struct function *function);

/* vm_analyse.c */
void vm_analyse(struct vm_emitter *emitter);
/* No state cell written and no step discarded by a function it calls? */
bool expr_is_pure(struct vm_emitter *emitter, const struct expr *expr);
/* Nodes, with those of the functions inlined and the loops unrolled. */
uint32_t rule_size(struct vm_emitter *emitter, const struct rule *rule);
uint32_t block_size(struct vm_emitter *emitter, const struct block *block);
uint32_t expr_size(struct vm_emitter *emitter, const struct expr *expr);

/* vm_compile.c */
void emitter_open(struct vm_emitter *emitter, struct vm_program *program, const struct system *system,
                  const struct vm_tuning *tuning);
void emitter_close(struct vm_emitter *emitter);
void vm_compile(struct vm_program *program, const struct system *system, const struct vm_tuning *tuning);

/* vm_emit_rule.c */
/* All instances of a rule, in order of number; `number` is its position in program->rules. */
void emit_rule(struct vm_emitter *emitter, const struct rule *rule, uint32_t number);

#endif
