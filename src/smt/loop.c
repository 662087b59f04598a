/* Loops and quantifiers.
 *
 * Over an index type the body runs once, for a variable that stands for any element. That is exact for a loop if the
 * iterations do not depend on each other: what one of them writes has its own element as an argument, and no other one
 * reads it. A leaf that is written in another way has contents that nothing is known of, at the start of each iteration
 * and afterwards; unless all iterations that write it write the same value, and none reads it. */
#include <stdlib.h>
#include <string.h>

#include "ir/iteration.h"
#include "smt/machine.h"

/* -- Over an index type -- */

struct smt_loop {
    struct smt_machine *machine;
    const struct stmt *stmt;
    uint32_t sort;
    const struct content **entry; /* by leaf: before the loop */
    bool *is_unknown;             /* by leaf */
    term variable;
    size_t reads;
};

static bool is_update_since(const struct content *content, const struct content *entry)
{
    return content != entry && content->value;
}

/* Where the loop's variable stands in the arguments; UINT32_MAX: nowhere. */
static uint32_t own_position(const struct smt_loop *loop, const term *arguments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (arguments[i] == loop->variable)
            return i;
    return UINT32_MAX;
}

/* Does each iteration write and read only its own elements of the leaf? */
static bool leaf_is_own(const struct smt_loop *loop, uint32_t leaf)
{
    const struct smt_machine *machine = loop->machine;
    uint32_t count = machine->leaves.items[leaf].dim_count, position = UINT32_MAX;
    const struct content *content = machine->contents[leaf];
    for (; is_update_since(content, loop->entry[leaf]); content = content->below) {
        uint32_t here = own_position(loop, content->arguments, count);
        if (here == UINT32_MAX || (position != UINT32_MAX && here != position))
            return false;
        position = here;
    }
    if (position == UINT32_MAX || content != loop->entry[leaf])
        return false;
    for (size_t r = loop->reads; r < machine->reads.count; r++)
        if (machine->reads.items[r].leaf == leaf && machine->reads.items[r].arguments[position] != loop->variable)
            return false;
    return true;
}

/* One update, with a value and arguments that do not depend on the iteration, and no read. */
static bool leaf_is_constant(const struct smt_loop *loop, uint32_t leaf)
{
    const struct smt_machine *machine = loop->machine;
    const struct content *content = machine->contents[leaf];
    uint32_t count = machine->leaves.items[leaf].dim_count;
    if (content->below != loop->entry[leaf] || content->bound_count ||
        fol_has_free(machine->terms, content->value->undefined, loop->variable))
        return false;
    for (uint32_t i = 0; i < content->value->count; i++)
        if (fol_has_free(machine->terms, content->value->cases[i].when, loop->variable) ||
            (content->value->cases[i].sort &&
             fol_has_free(machine->terms, content->value->cases[i].element, loop->variable)))
            return false;
    for (uint32_t i = 0; i < count; i++)
        if (fol_has_free(machine->terms, content->arguments[i], loop->variable))
            return false;
    for (size_t r = loop->reads; r < machine->reads.count; r++)
        if (machine->reads.items[r].leaf == leaf)
            return false;
    return true;
}

/* Every update since the entry, oldest first, with the variable bound. */
static void leaf_generalise(struct smt_loop *loop, uint32_t leaf, const struct content *content)
{
    struct smt_machine *machine = loop->machine;
    if (content == loop->entry[leaf])
        return;
    leaf_generalise(loop, leaf, content->below);
    term bound[SMT_MOST_DIMENSIONS + 1];
    uint32_t count = content->bound_count;
    if (count)
        memcpy(bound, content->bound, count * sizeof *bound);
    bound[count++] = loop->variable;
    content_write(machine, leaf, content->arguments, bound, count, content->when, content->value);
}

static void loop_body(struct smt_loop *loop, struct smt_binder *binder)
{
    struct smt_machine *machine = loop->machine;
    loop->reads = machine->reads.count;
    *binder = smt_bind(machine, loop->sort);
    loop->variable = binder->variable;
    for (uint32_t l = 0; l < machine->leaves.count; l++)
        if (loop->is_unknown[l])
            machine->contents[l] = content_unknown(machine, l, loop->stmt->span);
    smt_set_variable(machine, loop->stmt->variable, smt_element(machine, loop->sort, binder->variable));
    term returned = machine->returned;
    machine->loops++;
    smt_block(machine, &loop->stmt->body);
    machine->loops--;
    if (machine->returned != returned)
        smt_refuse(machine, loop->stmt->span, "a return from a loop over an index type");
}

static bool loop_keeps(const struct smt_loop *loop, uint32_t leaf)
{
    const struct smt_machine *machine = loop->machine;
    return machine->contents[leaf] == loop->entry[leaf] || leaf == machine->first[loop->stmt->variable->address];
}

/* Marks leaves of which nothing will be known. True: there are new ones, so once more. */
static bool loop_has_dependent(struct smt_loop *loop)
{
    const struct smt_machine *machine = loop->machine;
    bool is_new = false;
    for (uint32_t l = 0; l < machine->leaves.count; l++)
        if (!loop->is_unknown[l] && !loop_keeps(loop, l) && !leaf_is_own(loop, l) && !leaf_is_constant(loop, l))
            loop->is_unknown[l] = is_new = true;
    return is_new;
}

/* After the loop. The binder is closed. */
static void loop_leave_leaf(struct smt_loop *loop, uint32_t leaf)
{
    struct smt_machine *machine = loop->machine;
    const struct content *content = machine->contents[leaf];
    if (loop->is_unknown[leaf]) {
        machine->contents[leaf] = content_unknown(machine, leaf, loop->stmt->span);
    } else if (loop_keeps(loop, leaf)) {
        machine->contents[leaf] = loop->entry[leaf];
    } else if (leaf_is_own(loop, leaf)) {
        machine->contents[leaf] = loop->entry[leaf];
        leaf_generalise(loop, leaf, content);
    } else {
        machine->contents[leaf] = loop->entry[leaf];
        content_write(machine, leaf, content->arguments, NULL, 0,
                      fol_exists(machine->terms, loop->variable, content->when), content->value);
    }
}

static void loop_over_sort(struct smt_machine *machine, const struct stmt *stmt, uint32_t sort)
{
    size_t size = machine->leaves.count * sizeof *machine->contents, reads = machine->reads.count;
    struct smt_loop loop = {.machine = machine, .stmt = stmt, .sort = sort};
    struct smt_binder binder;
    loop.entry = memory_alloc(size + 1);
    loop.is_unknown = memory_zeroed(machine->leaves.count + 1, sizeof *loop.is_unknown);
    memcpy(loop.entry, machine->contents, size);
    loop_body(&loop, &binder);
    while (!machine->is_refused && loop_has_dependent(&loop)) {
        machine->gone = binder.gone;
        machine->events.count = binder.events;
        machine->binders.count--;
        machine->reads.count = reads;
        memcpy(machine->contents, loop.entry, size);
        loop_body(&loop, &binder);
    }
    smt_unbind(machine, &binder);
    for (uint32_t l = 0; l < machine->leaves.count && !machine->is_refused; l++)
        loop_leave_leaf(&loop, l);
    if (!machine->loops)
        VEC_CLEAR(&machine->reads);
    free(loop.entry);
    free(loop.is_unknown);
}

/* -- Over other values -- */

static bool bound_is_known(struct smt_machine *machine, const struct expr *bound, int64_t *code)
{
    const struct smt_value *value = smt_expr(machine, bound);
    if (value->count == 1 && !value->cases[0].sort && value->cases[0].when == TERM_TRUE) {
        *code = value->cases[0].code;
        return true;
    }
    smt_refuse(machine, bound->span, "a bound of a loop or quantifier that is no constant");
    return false;
}

/* The codes of a domain without elements of index types, in order. */
static bool domain_begin(struct smt_machine *machine, const struct domain *domain, struct span span,
                         struct iteration *iteration)
{
    *iteration = iteration_of(domain);
    if (!domain->from)
        return true;
    if (!bound_is_known(machine, domain->from, &iteration->next) ||
        !bound_is_known(machine, domain->to, &iteration->to) ||
        (domain->by && !bound_is_known(machine, domain->by, &iteration->by)))
        return false;
    if (!iteration->by)
        smt_refuse(machine, span, "a step of 0");
    return !machine->is_refused;
}

static bool domain_next(struct smt_machine *machine, struct iteration *iteration, uint32_t *done, struct span span,
                        int64_t *code)
{
    if (machine->is_refused || !iteration_next(iteration, code))
        return false;
    if (++*done > SMT_MOST_ITERATIONS)
        smt_refuse(machine, span, "more than %d iterations", SMT_MOST_ITERATIONS);
    return !machine->is_refused;
}

static void set_loop_variable(struct smt_machine *machine, const struct variable *variable, int64_t code,
                              struct span span)
{
    if (!type_has(variable->type, code))
        smt_fault(machine, NULL, span, TERM_TRUE);
    smt_set_variable(machine, variable, smt_code(machine, code));
}

/* The one index type that the domain is; 0: it has none. Unions that have some are refused. */
static uint32_t domain_sort(struct smt_machine *machine, const struct domain *domain, struct span span)
{
    if (domain->from || !type_has_index(domain->type))
        return 0;
    if (domain->type->block_count == 1)
        return machine->sorts[domain->type->blocks[0].owner->id];
    smt_refuse(machine, span, "a loop or quantifier over a union of index types");
    return 0;
}

void smt_for(struct smt_machine *machine, const struct stmt *stmt)
{
    struct iteration iteration;
    uint32_t sort = domain_sort(machine, &stmt->domain, stmt->span), done = 0;
    int64_t code;
    if (machine->is_refused)
        return;
    if (sort) {
        loop_over_sort(machine, stmt, sort);
        return;
    }
    if (!domain_begin(machine, &stmt->domain, stmt->span, &iteration))
        return;
    while (domain_next(machine, &iteration, &done, stmt->span, &code)) {
        set_loop_variable(machine, stmt->variable, code, stmt->span);
        smt_block(machine, &stmt->body);
    }
}

/* -- Quantifiers -- */

/* What functions that are called have left in variables of their own is of no use any more; nothing else may change. */
static void quantifier_restore(struct smt_machine *machine, const struct expr *expr, const struct content **entry)
{
    for (uint32_t l = 0; l < machine->leaves.count; l++) {
        if (machine->state[l] && machine->contents[l] != entry[l])
            smt_refuse(machine, expr->span, "a quantifier over a function that changes the state");
        machine->contents[l] = entry[l];
    }
}

static const struct smt_value *quantify_sort(struct smt_machine *machine, const struct expr *expr, uint32_t sort)
{
    size_t size = machine->leaves.count * sizeof *machine->contents;
    const struct content **entry = memory_alloc(size + 1);
    memcpy(entry, machine->contents, size);
    struct smt_binder binder = smt_bind(machine, sort);
    smt_set_variable(machine, expr->variable, smt_element(machine, sort, binder.variable));
    machine->quantifiers++;
    term body = smt_condition(machine, expr->left);
    machine->quantifiers--;
    smt_unbind(machine, &binder);
    quantifier_restore(machine, expr, entry);
    free(entry);
    return smt_boolean(machine, expr->op == OP_FORALL ? fol_forall(machine->terms, binder.variable, body)
                                                      : fol_exists(machine->terms, binder.variable, body));
}

const struct smt_value *smt_quantifier(struct smt_machine *machine, const struct expr *expr)
{
    struct fol_store *terms = machine->terms;
    struct iteration iteration;
    uint32_t sort = domain_sort(machine, &expr->domain, expr->span), done = 0;
    bool is_forall = expr->op == OP_FORALL;
    term result = is_forall ? TERM_TRUE : TERM_FALSE;
    size_t paths = machine->paths.count;
    int64_t code;
    if (!machine->is_refused && sort)
        return quantify_sort(machine, expr, sort);
    if (machine->is_refused || !domain_begin(machine, &expr->domain, expr->span, &iteration))
        return smt_undefined(machine);
    while (domain_next(machine, &iteration, &done, expr->span, &code)) {
        set_loop_variable(machine, expr->variable, code, expr->span);
        term body = smt_condition(machine, expr->left);
        result = is_forall ? fol_and(terms, result, body) : fol_or(terms, result, body);
        smt_push_path(machine, is_forall ? body : fol_not(terms, body)); /* the first that decides is the last */
    }
    machine->paths.count = paths;
    return smt_boolean(machine, result);
}
