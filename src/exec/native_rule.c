/* A rule as a function of C that fires the next instance.
 *
 * The loops over the parameters, with the items of the guard where rule_plan.h puts them. The function returns at
 * every successor, unless the host takes it at once (run->emit); called again, it jumps back into its loops behind the
 * place where it left them. Positions of the parameters are kept in run->at, since C's variables do not survive. */
#include "exec/native_emit.h"

static bool counts_itself(struct native_emitter *emitter, const struct variable *variable)
{
    return emit_facts(&emitter->facts, variable)->is_sure && home_of(emitter, variable)->home == HOME_LOCAL;
}

/* The parameter whose position is `at`. */
static void write_parameter_value(struct native_emitter *emitter, const struct parameter *parameter, const char *at)
{
    int64_t low, high;
    if (!type_interval(parameter->type, &low, &high))
        text_format(emitter->out, "code_%s(%s)", type_ordinal_helper(emitter, parameter->type), at);
    else if (low == 0)
        text_format(emitter->out, "(int32_t)%s", at);
    else if (low > 0)
        text_format(emitter->out, "(int32_t)%s + %lld", at, (long long)low);
    else
        text_format(emitter->out, "(int32_t)(%s - %lldu)", at, -(long long)low);
}

void write_set_parameter(struct native_emitter *emitter, uint32_t p)
{
    const struct parameter *parameter = &emitter->rule->parameters[p];
    struct text at = {0};
    text_format(&at, "run->at[%u]", p);
    write_indent(emitter);
    if (home_of(emitter, parameter->variable)->home == HOME_LOCAL)
        text_format(emitter->out, "%s = ", name_local(emitter, parameter->variable));
    else
        text_format(emitter->out, "m[%s] = ", name_address(emitter, parameter->variable));
    write_parameter_value(emitter, parameter, at.chars);
    text_append(emitter->out, ";\n");
    text_free(&at);
}

/* What is known of an item without running it. */
static bool item_is_never(struct native_emitter *emitter, const struct item *item)
{
    int64_t value;
    const struct expr *condition = item->conjunct;
    if (item->stmt && item->stmt->kind == STMT_REQUIRE)
        condition = item->stmt->value;
    return condition && expr_static_value(&emitter->facts, condition, &value) && !value;
}

/* (What is in the rule's mask is evaluated only where the mask is not sure of it.) */
static void write_item(struct native_emitter *emitter, const struct item *item, bool is_masked)
{
    if (item->stmt) {
        write_stmt(emitter, item->stmt);
        return;
    }
    write_indent(emitter);
    text_append(emitter->out, is_masked ? "if (unsure_ && !" : "if (!");
    write_expr(emitter, item->conjunct);
    text_format(emitter->out, ") goto next_%d;\n", emitter->level);
}

/* The items of a level; false: no instance gets past them. */
static bool write_items(struct native_emitter *emitter, const struct rule_plan *plan)
{
    for (size_t i = 0; i < plan->items.count; i++) {
        const struct item *item = &plan->items.items[i];
        if ((int32_t)item->level != emitter->level)
            continue;
        if (item_is_never(emitter, item))
            return false;
        write_item(emitter, item, i < emitter->masked_items);
    }
    return true;
}

static void write_level(struct native_emitter *emitter, const struct rule_plan *plan, uint32_t level);

/* Instances that are selected and asleep become `slept_`, as far as the mask is sure of them; the others are left. */
static void write_sleep(struct native_emitter *emitter, const char *kept)
{
    uint32_t first = system_first_number(emitter->system, emitter->rule), word = first / 64, shift = first % 64;
    write_indent(emitter);
    text_format(emitter->out, "slept_ = unsure_ ? 0 : left_0_%s & (run->asleep[%u] >> %u", kept, word, shift);
    if (shift + emitter->rule->instance_count > 64)
        text_format(emitter->out, " | run->asleep[%u] << %u", word + 1, 64 - shift);
    text_append(emitter->out, ");\n");
    write_line(emitter, "left_0_ &= ~slept_;");
}

/* The positions that were selected, from the least. */
static void write_selected_choice(struct native_emitter *emitter, uint32_t level, int64_t selection)
{
    if (emitter->is_bulk) {
        write_line(emitter, "left_0_ = run->selected[%lld];", (long long)selection);
        write_sleep(emitter, "");
        write_line(emitter, "for (; left_0_; left_0_ &= left_0_ - 1) {");
    } else
        write_line(emitter, "for (left_%u_ = run->selected[%lld]; left_%u_; left_%u_ &= left_%u_ - 1) {", level,
                   (long long)selection, level, level, level);
    emitter->indent++;
    write_line(emitter, "run->at[%u] = (uint32_t)__builtin_ctzll(left_%u_);", level, level);
    write_set_parameter(emitter, level);
}

/* Chooses parameter number `level`, and goes on. A variable of C that nothing else changes counts by itself; any other
 * is set from the position, and again for every instance. */
static void write_choice(struct native_emitter *emitter, const struct rule_plan *plan, uint32_t level)
{
    const struct parameter *parameter = &plan->rule->parameters[level];
    int64_t low, high, selection = selection_of(emitter, level);
    if (selection >= 0) {
        write_selected_choice(emitter, level, selection);
    } else if (counts_itself(emitter, parameter->variable) && type_interval(parameter->type, &low, &high) && low >= 0 &&
               high < INT32_MAX) {
        const char *name = name_local(emitter, parameter->variable);
        write_line(emitter, "for (%s = %lld; %s <= %lld; %s++) {", name, (long long)low, name, (long long)high, name);
        emitter->indent++;
        if (low)
            write_line(emitter, "run->at[%u] = (uint32_t)(%s - %lld);", level, name, (long long)low);
        else
            write_line(emitter, "run->at[%u] = (uint32_t)%s;", level, name);
    } else {
        write_line(emitter, "for (run->at[%u] = 0; run->at[%u] < %u; run->at[%u]++) {", level, level,
                   parameter->type->size, level);
        emitter->indent++;
        write_set_parameter(emitter, level);
    }
    if (parameter->type->size >= NATIVE_LONG_LOOP)
        write_line(emitter, "LOOK();");
    write_level(emitter, plan, level + 1);
    emitter->indent--;
    write_line(emitter, "}");
    if (emitter->is_bulk)
        write_line(emitter, "if (slept_) pass_over(run, slept_, UINT64_MAX, %u);", plan->rule->id);
}

/* Which instance it is (burst.h). One that is asleep is passed over. */
static void write_number(struct native_emitter *emitter, const struct rule *rule)
{
    uint32_t first = system_first_number(emitter->system, rule);
    if (!first || !rule->instance_count)
        return;
    write_indent(emitter);
    text_format(emitter->out, "run->number = %u", first);
    for (uint32_t p = 0, others = (uint32_t)rule->instance_count; p < rule->parameter_count; p++) {
        others /= rule->parameters[p].type->size;
        text_format(emitter->out, " + %u * run->at[%u]", others, p);
    }
    text_append(emitter->out, ";\n");
    if (emitter->is_bulk)
        write_line(emitter, "if (slept_) slept_ = pass_over(run, slept_, ((uint64_t)1 << run->at[0]) - 1, %u);",
                   rule->id);
    write_line(emitter, "if (%srun->asleep[run->number >> 6] >> (run->number & 63) & 1) {",
               emitter->is_bulk ? "unsure_ && " : "");
    write_line(emitter, "    run->slept++, run->counts[%u]++;", rule->id);
    write_line(emitter, "    goto next_%u;", rule->parameter_count);
    write_line(emitter, "}");
}

static void write_level(struct native_emitter *emitter, const struct rule_plan *plan, uint32_t level)
{
    const struct rule *rule = plan->rule;
    bool is_last = level == rule->parameter_count;
    emitter->level = (int32_t)level;
    for (uint32_t p = 0; p + 1 < level; p++)
        if (!counts_itself(emitter, rule->parameters[p].variable))
            write_set_parameter(emitter, p);
    if (write_items(emitter, plan)) {
        if (is_last) {
            if (emitter->answer != NATIVE_MUTE)
                write_line(emitter, "if (UNLIKELY(run->is_asked)) return NATIVE_TRUE;");
            if (!emitter->is_start)
                write_number(emitter, rule);
            write_block(emitter, &rule->body);
            if (emitter->has_return)
                write_line(emitter, "fired:");
            write_line(emitter, "if (!run->emit || !run->emit(run)) return NATIVE_STATE;");
        } else {
            write_choice(emitter, plan, level);
        }
    }
    write_line(emitter, "next_%u:;", level);
    if (is_last && !plan->is_pure)
        write_line(emitter, "if (run->dirty) run->restore(run);");
}

/* The innermost level that is reached: behind an item that is never true there is no code, and no label. */
static uint32_t deepest_level(struct native_emitter *emitter, const struct rule_plan *plan)
{
    for (size_t i = 0; i < plan->items.count; i++)
        if (item_is_never(emitter, &plan->items.items[i]))
            return plan->items.items[i].level;
    return plan->rule->parameter_count;
}

/* C's variables as they were when the function returned, and back into the loops. */
static void write_resumption(struct native_emitter *emitter, uint32_t deepest)
{
    if (emitter->mask >= 0)
        write_line(emitter, "const bool unsure_ = run->unsure[%lld];", (long long)emitter->mask);
    if (!deepest)
        return;
    for (uint32_t p = 0; p < deepest; p++)
        if (selection_of(emitter, p) >= 0)
            write_line(emitter, "uint64_t left_%u_ = 0;", p);
    if (emitter->is_bulk)
        write_line(emitter, "uint64_t slept_ = 0;");
    write_line(emitter, "if (run->resume) {");
    emitter->indent++;
    for (uint32_t p = 0; p < deepest; p++)
        if (selection_of(emitter, p) >= 0)
            write_line(emitter, "left_%u_ = run->selected[%lld] & (UINT64_MAX << run->at[%u]);", p,
                       (long long)selection_of(emitter, p), p);
    if (emitter->is_bulk)
        write_sleep(emitter, " & ~((uint64_t)1 << run->at[0])");
    for (uint32_t p = 0; p < deepest; p++)
        if (counts_itself(emitter, emitter->rule->parameters[p].variable))
            write_set_parameter(emitter, p);
    write_line(emitter, "switch (run->resume) {");
    for (uint32_t level = 1; level <= deepest; level++)
        write_line(emitter, "case %u: goto next_%u;", level, level);
    write_line(emitter, "}");
    emitter->indent--;
    write_line(emitter, "}");
}

void write_rule(struct native_emitter *emitter, const struct rule *rule, bool is_start)
{
    struct rule_plan plan = rule_plan_make(&emitter->facts, rule);
    struct text head = {0};
    struct body body;
    const char *kind = is_start ? "start" : "rule";
    for (size_t i = 0; i < plan.items.count; i++)
        if (plan.items.items[i].stmt && plan.items.items[i].stmt->kind == STMT_BIND)
            homes_plan_binding(emitter, rule, &plan.items.items[i]);
    body_begin(emitter, &body);
    emitter->rule = rule;
    emitter->is_start = is_start;
    emitter->has_return = emitter->has_call = false;
    emitter->first_selection = emitter->selections.count;
    emitter->answer = NATIVE_MUTE;
    emitter->mask = -1;
    emitter->masked_items = 0;
    emitter->is_bulk = false;
    if (!is_start) {
        select_instances(emitter, &plan);
        mask_instances(emitter, &plan);
        emitter->answer = select_answer(emitter, &plan);
        VEC_PUSH(&emitter->answers, (uint8_t)emitter->answer);
    }
    bool is_split = !is_start && split_is_possible(emitter, &plan);
    if (!is_start)
        split_note(emitter, rule, is_split);
    if (is_split) {
        write_split(emitter, &plan);
    } else {
        write_resumption(emitter, deepest_level(emitter, &plan));
        write_level(emitter, &plan, 0);
        write_line(emitter, "return NATIVE_DONE;");
    }
    emitter->rule = NULL;
    emitter->level = -1;
    if (is_split) {
        split_end(emitter, &body, rule);
        rule_plan_free(&plan);
        return;
    }
    text_format(&head, "static int %s_%u_", kind, rule->id);
    write_identifier(&head, rule->name, 40);
    text_append(&head, "(struct native_run *run, int32_t *m)");
    body_end(emitter, &body, kind, rule->name, rule->span, head.chars);
    text_free(&head);
    rule_plan_free(&plan);
}
