/* Rules: the enumeration of all instances is itself code, that yields at every successor.
 *
 * Prelude and guard are a list of items: statements and the conjuncts of the guard, in order. With parameters
 * p1..pn, level k of the code runs when p1..pk are chosen. An item stands at the level of the last parameter it, or
 * any item before it, depends on. So an item that fails cuts off all choices of the parameters that follow, and
 * still every instance sees the items in order; one that faults faults for all instances it cuts off. */
#include "exec/vm_emit.h"
#include "ir/walk.h"

struct item {
    const struct stmt *stmt; /* or */
    const struct expr *conjunct;
    uint32_t level;
};

struct rule_plan {
    const struct rule *rule;
    uint32_t number;
    VEC(struct item) items;
    bool is_pure; /* prelude and guard write no state cell */
};

/* How far an item can be moved out of the loops over the parameters. */
struct reach {
    struct vm_emitter *emitter;
    const struct rule *rule;
    uint32_t level;
    bool has_call;
};

static bool reach_place(void *user, const struct place *place, bool is_written)
{
    struct reach *reach = user;
    const struct variable *variable = place->variable;
    (void)is_written;
    if (!variable || variable->is_global || variable->is_reference)
        return true; /* a reference was bound by an item before this one */
    for (uint32_t p = 0; p < reach->rule->parameter_count; p++)
        if (reach->rule->parameters[p].variable == variable) {
            if (p + 1 > reach->level)
                reach->level = p + 1;
            return true;
        }
    if (!emit_facts(reach->emitter, variable)->is_sure) /* some local: may hold anything */
        reach->level = reach->rule->parameter_count;
    return true;
}

static bool reach_expr(void *user, const struct expr *expr)
{
    struct reach *reach = user;
    if (expr->kind == EXPR_CALL) {
        reach->has_call = true;
        if (!reach->emitter->functions[expr->function->id].is_pure)
            reach->level = reach->rule->parameter_count;
    }
    return true;
}

static void plan_item(struct vm_emitter *emitter, struct rule_plan *plan, struct item item)
{
    struct reach reach = {.emitter = emitter, .rule = plan->rule};
    const struct walker walker = {.on_expr = reach_expr, .on_place = reach_place, .user = &reach};
    if (item.conjunct) {
        walk_expr(&walker, item.conjunct);
        plan->is_pure &= expr_is_pure(emitter, item.conjunct);
    } else {
        walk_stmt(&walker, item.stmt);
        bool is_bind = item.stmt->kind == STMT_BIND && emit_facts(emitter, item.stmt->variable)->bindings == 1;
        /* What a call returns does not outlive the next call: it cannot be bound once for many firings. */
        if (item.stmt->kind != STMT_REQUIRE && (!is_bind || reach.has_call))
            reach.level = plan->rule->parameter_count;
        plan->is_pure &= !reach.has_call;
    }
    item.level = reach.level;
    if (plan->items.count && VEC_LAST(&plan->items).level > item.level)
        item.level = VEC_LAST(&plan->items).level;
    VEC_PUSH(&plan->items, item);
}

static void plan_conjuncts(struct vm_emitter *emitter, struct rule_plan *plan, const struct expr *guard)
{
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        plan_conjuncts(emitter, plan, guard->left);
        plan_conjuncts(emitter, plan, guard->right);
    } else {
        plan_item(emitter, plan, (struct item){.conjunct = guard});
    }
}

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
static bool emit_level(struct vm_emitter *emitter, const struct rule_plan *plan, uint32_t level,
                       struct vm_label *next)
{
    emitter->disabled = next;
    for (size_t i = 0; i < plan->items.count; i++) {
        const struct item *item = &plan->items.items[i];
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
    if (level < plan->rule->parameter_count)
        return true;
    struct vm_label exit = label_new();
    emitter->exit = &exit;
    emit_block(emitter, &plan->rule->branches[0].body);
    emitter->exit = NULL;
    label_place(emitter, &exit);
    return true;
}

static size_t segment_begin(struct vm_emitter *emitter, const struct rule_plan *plan, uint32_t level,
                            int64_t instance)
{
    const struct vm_segment segment = {.start = (uint32_t)emitter->program->code.count,
                                       .rule = (int32_t)plan->number,
                                       .level = level,
                                       .instance = instance};
    VEC_PUSH(&emitter->program->segments, segment);
    return emitter->program->segments.count - 1;
}

/* Where an instance ends that leads nowhere. */
static void place_next(struct vm_emitter *emitter, const struct rule_plan *plan, uint32_t level, size_t segment,
                       struct vm_label *next)
{
    label_place(emitter, next);
    emitter->program->segments.items[segment].resume = (uint32_t)next->target;
    if (level == plan->rule->parameter_count && !plan->is_pure)
        emit_op(emitter, VM_RESTORE, NULL, 0);
}

/* Parameters that are not sure are set anew for every instance. */
static void emit_refresh(struct vm_emitter *emitter, const struct rule_plan *plan, uint32_t level)
{
    for (uint32_t p = 0; p < level; p++) {
        int32_t cell = (int32_t)emitter->program->rules[plan->number].cells[p];
        int32_t address = (int32_t)plan->rule->parameters[p].variable->address;
        if (cell == address)
            continue;
        int32_t value = register_new(emitter);
        EMIT(emitter, VM_RAW_C, value, cell);
        EMIT(emitter, VM_LET, address, value);
    }
}

static void emit_looped(struct vm_emitter *emitter, const struct rule_plan *plan, uint32_t level)
{
    const struct rule *rule = plan->rule;
    struct vm_label next = label_new();
    size_t segment = segment_begin(emitter, plan, level, -1);
    emit_refresh(emitter, plan, level);
    bool is_reached = emit_level(emitter, plan, level, &next);
    if (is_reached && level == rule->parameter_count) {
        EMIT(emitter, VM_YIELD, (int32_t)plan->number);
    } else if (is_reached) {
        struct vm_label top = label_new();
        int32_t cell = (int32_t)emitter->program->rules[plan->number].cells[level];
        EMIT(emitter, VM_SET, cell, type_code(rule->parameters[level].type, 0));
        label_place(emitter, &top);
        emit_looped(emitter, plan, level + 1);
        emit_next_code(emitter, cell, rule->parameters[level].type, &top);
    }
    place_next(emitter, plan, level, segment, &next);
}

/* Code for every instance: the parameters are constants in it. `first`: the first instance of this choice. */
static void emit_unrolled(struct vm_emitter *emitter, const struct rule_plan *plan, uint32_t level, uint64_t first)
{
    const struct rule *rule = plan->rule;
    struct vm_label next = label_new();
    size_t segment = segment_begin(emitter, plan, level, (int64_t)first);
    bool is_reached = emit_level(emitter, plan, level, &next);
    if (is_reached && level == rule->parameter_count) {
        EMIT(emitter, VM_YIELD_AT, (int32_t)plan->number, (int32_t)first);
    } else if (is_reached) {
        const struct type *type = rule->parameters[level].type;
        struct known *known = emit_known(emitter, rule->parameters[level].variable);
        uint64_t inner = 1;
        for (uint32_t p = level + 1; p < rule->parameter_count; p++)
            inner *= rule->parameters[p].type->size;
        known->is_known = true;
        for (uint32_t v = 0; v < type->size; v++) {
            known->value = type_code(type, v);
            emit_unrolled(emitter, plan, level + 1, first + v * inner);
        }
        known->is_known = false;
    }
    place_next(emitter, plan, level, segment, &next);
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
    struct rule_plan plan = {.rule = rule, .number = number, .is_pure = true};
    uint32_t *cells = memory_zeroed((size_t)rule->parameter_count + 1, sizeof *cells);
    emitter->program->rules[number] = (struct vm_rule){.rule = rule, .cells = cells};
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        cells[p] = (uint32_t)emit_counting_cell(emitter, rule->parameters[p].variable);
    for (uint32_t i = 0; i < rule->prelude.count; i++)
        plan_item(emitter, &plan, (struct item){.stmt = rule->prelude.items[i]});
    if (rule->guard)
        plan_conjuncts(emitter, &plan, rule->guard);
    emitter->next_register = 0;
    if (is_unrolled(emitter, rule))
        emit_unrolled(emitter, &plan, 0, 0);
    else
        emit_looped(emitter, &plan, 0);
    forget_bindings(emitter);
    VEC_FREE(&plan.items);
}
