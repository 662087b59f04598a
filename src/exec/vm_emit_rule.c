/* Rules: the enumeration of all instances is itself code, that yields at every successor. Items (rule_plan.h) stand in
 * the loop of their level. */
#include "exec/rule_plan.h"

struct rule_code {
    const struct rule *rule;
    uint32_t number; /* its position in program->rules */
    const struct rule_plan *plan;
};

/* The condition of an item is false wherever this code runs. */
static bool item_is_never(struct vm_emitter *emitter, const struct item *item)
{
    int64_t value;
    const struct expr *condition = item->conjunct;
    if (item->stmt && item->stmt->kind == STMT_REQUIRE)
        condition = item->stmt->value;
    return condition && expr_static_value(emitter, condition, &value) && !value;
}

/* The items of a level, then at the last one the body. False: no instance gets to the end of it. */
static bool emit_level(struct vm_emitter *emitter, const struct rule_code *code, uint32_t level, struct vm_label *next)
{
    emitter->disabled = next;
    for (size_t i = 0; i < code->plan->items.count; i++) {
        const struct item *item = &code->plan->items.items[i];
        if (item->level != level)
            continue;
        if (item_is_never(emitter, item))
            return false;
        if (item->stmt)
            emit_stmt(emitter, item->stmt);
        else
            emit_branch(emitter, item->conjunct, false, next);
    }
    emitter->disabled = NULL;
    if (level < code->rule->parameter_count)
        return true;
    struct vm_label exit = label_new();
    emitter->exit = &exit;
    emit_block(emitter, &code->rule->body);
    emitter->exit = NULL;
    label_place(emitter, &exit);
    return true;
}

static size_t segment_begin(struct vm_emitter *emitter, const struct rule_code *code, uint32_t level, int64_t instance)
{
    const struct vm_segment segment = {.start = (uint32_t)emitter->program->code.count,
                                       .rule = (int32_t)code->number,
                                       .level = level,
                                       .instance = instance};
    VEC_PUSH(&emitter->program->segments, segment);
    return emitter->program->segments.count - 1;
}

/* Where an instance ends that leads nowhere. */
static void place_next(struct vm_emitter *emitter, const struct rule_code *code, uint32_t level, size_t segment,
                       struct vm_label *next)
{
    label_place(emitter, next);
    emitter->program->segments.items[segment].resume = (uint32_t)next->target;
    if (level == code->rule->parameter_count && !code->plan->is_pure)
        emit_op(emitter, VM_RESTORE, NULL, 0);
}

/* Parameters that are not sure are set anew for every instance. */
static void emit_refresh(struct vm_emitter *emitter, const struct rule_code *code, uint32_t level)
{
    for (uint32_t p = 0; p < level; p++) {
        int32_t cell = (int32_t)emitter->program->rules[code->number].cells[p];
        int32_t address = (int32_t)code->rule->parameters[p].variable->address;
        if (cell == address)
            continue;
        int32_t value = register_new(emitter);
        EMIT(emitter, VM_RAW_C, value, cell);
        EMIT(emitter, VM_LET, address, value);
    }
}

static void emit_looped(struct vm_emitter *emitter, const struct rule_code *code, uint32_t level)
{
    const struct rule *rule = code->rule;
    struct vm_label next = label_new();
    size_t segment = segment_begin(emitter, code, level, -1);
    emit_refresh(emitter, code, level);
    bool is_reached = emit_level(emitter, code, level, &next);
    if (is_reached && level == rule->parameter_count) {
        EMIT(emitter, VM_YIELD, (int32_t)code->number);
    } else if (is_reached) {
        struct vm_label top = label_new();
        int32_t cell = (int32_t)emitter->program->rules[code->number].cells[level];
        EMIT(emitter, VM_SET, cell, type_code(rule->parameters[level].type, 0));
        label_place(emitter, &top);
        emit_looped(emitter, code, level + 1);
        emit_next_code(emitter, cell, rule->parameters[level].type, &top);
    }
    place_next(emitter, code, level, segment, &next);
}

/* Code for every instance: the parameters are constants in it. `first`: the first instance of this choice. */
static void emit_unrolled(struct vm_emitter *emitter, const struct rule_code *code, uint32_t level, uint64_t first)
{
    const struct rule *rule = code->rule;
    struct vm_label next = label_new();
    size_t segment = segment_begin(emitter, code, level, (int64_t)first);
    bool is_reached = emit_level(emitter, code, level, &next);
    if (is_reached && level == rule->parameter_count) {
        EMIT(emitter, VM_YIELD_AT, (int32_t)code->number, (int32_t)first);
    } else if (is_reached) {
        const struct type *type = rule->parameters[level].type;
        struct known *known = emit_known(emitter, rule->parameters[level].variable);
        uint64_t inner = 1;
        for (uint32_t p = level + 1; p < rule->parameter_count; p++)
            inner *= rule->parameters[p].type->size;
        known->is_known = true;
        for (uint32_t v = 0; v < type->size; v++) {
            known->value = type_code(type, v);
            emit_unrolled(emitter, code, level + 1, first + v * inner);
        }
        known->is_known = false;
    }
    place_next(emitter, code, level, segment, &next);
}

static bool is_unrolled(struct vm_emitter *emitter, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (!emit_facts(emitter, rule->parameters[p].variable)->is_sure)
            return false;
    const struct vm_tuning *tuning = emitter->tuning;
    return rule->instance_count <= tuning->unroll_nodes && emitter->program->code.count < tuning->unroll_words &&
           rule->instance_count * rule_size(emitter, rule) <= tuning->unroll_nodes;
}

static void forget_bindings(struct vm_emitter *emitter)
{
    for (uint32_t c = 0; c < emitter->system->memory_cells - emitter->system->state_cells; c++)
        emitter->known[c].is_known = false;
}

void emit_rule(struct vm_emitter *emitter, const struct rule *rule, uint32_t number)
{
    struct rule_plan plan = rule_plan_make(emitter, rule);
    const struct rule_code code = {.rule = rule, .number = number, .plan = &plan};
    uint32_t *cells = memory_zeroed((size_t)rule->parameter_count + 1, sizeof *cells);
    emitter->program->rules[number] = (struct vm_rule){.rule = rule, .cells = cells};
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        cells[p] = (uint32_t)emit_counting_cell(emitter, rule->parameters[p].variable);
    emitter->next_register = 0;
    if (is_unrolled(emitter, rule))
        emit_unrolled(emitter, &code, 0, 0);
    else
        emit_looped(emitter, &code, 0);
    forget_bindings(emitter);
    rule_plan_free(&plan);
}
