/* Loops: over the values of a type, over an arithmetic progression, over the taken slots of a multiset. */
#include "exec/vm_emit.h"

int32_t emit_counting_cell(struct vm_emitter *emitter, const struct variable *variable)
{
    return (int32_t)(emit_facts(emitter, variable)->is_sure ? variable->address : emit_temporary(emitter, 1));
}

void emit_check(struct vm_emitter *emitter, int32_t value, const struct type *type, bool is_raw, struct span span)
{
    int64_t low, high;
    if (type_interval(type, &low, &high))
        EMIT(emitter, is_raw ? VM_CHECK_RAW : VM_CHECK, value, (int32_t)low, (int32_t)high);
    else
        EMIT(emitter, is_raw ? VM_CHECK_RAW_TYPE : VM_CHECK_TYPE, value, emit_type_number(emitter, type));
    emit_site(emitter, 0, FAULT_RANGE, span, NULL, type);
}

/* The variable takes the value of the counting cell. It can hold its domain, and a slot variable every slot
 * (ir/validate.h), so there is nothing to check. */
static void emit_counted(struct vm_emitter *emitter, const struct variable *variable, int32_t cell)
{
    if (cell == (int32_t)variable->address)
        return;
    int32_t value = register_new(emitter);
    EMIT(emitter, VM_RAW_C, value, cell);
    EMIT(emitter, VM_LET, (int32_t)variable->address, value);
}

static bool type_contains(const struct type *type, int64_t low, int64_t high)
{
    int64_t least, greatest;
    return type_interval(type, &least, &greatest) && least <= low && greatest >= high;
}

void emit_next_code(struct vm_emitter *emitter, int32_t cell, const struct type *type, struct vm_label *top)
{
    int64_t low, high;
    if (type_interval(type, &low, &high))
        EMIT(emitter, VM_LOOP, cell, (int32_t)high, 0);
    else
        EMIT(emitter, VM_LOOP_TYPE, cell, emit_type_number(emitter, type), 0);
    label_use(emitter, top);
}

/* From a constant up to a constant, one by one, all of them values of the variable. */
static bool is_simple_count(struct vm_emitter *emitter, const struct variable *variable, const struct domain *domain,
                            int64_t *from, int64_t *to)
{
    int64_t by = 1;
    return expr_static_value(emitter, domain->from, from) && expr_static_value(emitter, domain->to, to) &&
           (!domain->by || expr_static_value(emitter, domain->by, &by)) && by == 1 && *from <= *to &&
           type_contains(variable->type, *from, *to);
}

bool loop_is_unrolled(struct vm_emitter *emitter, const struct variable *variable, const struct domain *domain,
                      uint32_t body_nodes, struct unrolled *unrolled)
{
    int64_t from = 0, to = 0;
    if (!emit_facts(emitter, variable)->is_sure || emitter->program->code.count > emitter->tuning->unroll_words)
        return false;
    if (domain->from) {
        if (!is_simple_count(emitter, variable, domain, &from, &to) || to - from >= emitter->tuning->loop_nodes)
            return false;
        *unrolled = (struct unrolled){.from = from, .count = (uint32_t)(to - from + 1)};
    } else {
        *unrolled = (struct unrolled){.type = domain->type, .count = domain->type->size};
    }
    return (uint64_t)unrolled->count * body_nodes <= emitter->tuning->loop_nodes;
}

void emit_unrolled_value(struct vm_emitter *emitter, const struct variable *variable, const struct unrolled *unrolled,
                         uint32_t i)
{
    struct known *known = emit_known(emitter, variable);
    known->is_known = i < unrolled->count;
    if (known->is_known)
        known->value = unrolled->type ? type_code(unrolled->type, i) : (int32_t)(unrolled->from + i);
}

static void emit_progression(struct vm_emitter *emitter, struct loop *loop, const struct domain *domain,
                             struct span span)
{
    loop->counter = emit_value(emitter, domain->from);
    int32_t last = emit_value(emitter, domain->to);
    if (domain->by) {
        loop->step = emit_value(emitter, domain->by);
        EMIT(emitter, VM_FOR_CHECK, loop->step);
        emit_site(emitter, 0, FAULT_LOOP_LIMIT, span, NULL, NULL);
    } else {
        loop->step = register_new(emitter);
        EMIT(emitter, VM_CONST, loop->step, 1);
    }
    label_place(emitter, &loop->top);
    EMIT(emitter, VM_FOR_TEST, loop->counter, last, loop->step, 0);
    label_use(emitter, &loop->out);
    emit_check(emitter, loop->counter, loop->variable->type, false, span);
    EMIT(emitter, VM_LET, (int32_t)loop->variable->address, loop->counter);
}

void emit_loop_begin(struct vm_emitter *emitter, struct loop *loop, const struct variable *variable,
                     const struct domain *domain, struct span span)
{
    int64_t from, to;
    *loop = (struct loop){.top = label_new(), .next = label_new(), .out = label_new(), .variable = variable};
    if (domain->from && !is_simple_count(emitter, variable, domain, &from, &to)) {
        emit_progression(emitter, loop, domain, span);
        return;
    }
    loop->type = domain->from ? NULL : domain->type;
    loop->is_counted = true;
    loop->cell = emit_counting_cell(emitter, variable);
    if (!domain->from) {
        from = type_code(domain->type, 0);
        to = type_code(domain->type, domain->type->size - 1);
    }
    loop->last = to;
    EMIT(emitter, VM_SET, loop->cell, (int32_t)from);
    label_place(emitter, &loop->top);
    emit_counted(emitter, variable, loop->cell);
}

void emit_loop_end(struct vm_emitter *emitter, struct loop *loop)
{
    label_place(emitter, &loop->next);
    if (loop->type) {
        emit_next_code(emitter, loop->cell, loop->type, &loop->top);
    } else if (loop->is_counted) {
        EMIT(emitter, VM_LOOP, loop->cell, (int32_t)loop->last, 0);
        label_use(emitter, &loop->top);
    } else {
        EMIT(emitter, VM_FOR_NEXT, loop->counter, loop->step, 0);
        label_use(emitter, &loop->top);
    }
    label_place(emitter, &loop->out);
}

void emit_slots_begin(struct vm_emitter *emitter, struct slot_loop *loop, const struct variable *variable,
                      const struct type *multiset, int32_t base)
{
    *loop = (struct slot_loop){.top = label_new(), .next = label_new(), .multiset = multiset};
    loop->cell = emit_counting_cell(emitter, variable);
    EMIT(emitter, VM_SET, loop->cell, 0);
    label_place(emitter, &loop->top);
    EMIT(emitter, VM_JFREE, base, loop->cell, (int32_t)multiset_stride(multiset), 0);
    label_use(emitter, &loop->next);
    emit_counted(emitter, variable, loop->cell);
}

void emit_slots_end(struct vm_emitter *emitter, struct slot_loop *loop)
{
    label_place(emitter, &loop->next);
    EMIT(emitter, VM_LOOP, loop->cell, (int32_t)loop->multiset->capacity - 1, 0);
    label_use(emitter, &loop->top);
}
