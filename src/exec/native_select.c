/* The instances that may fire, found from the state instead of being tried one by one.
 *
 * The guard of most rules begins with a test of where a process is: `at[p] = place`, for a parameter p, or of a cell
 * that is always the same. Such a test is a selection. Those of one array, whatever the values, are a selector: its
 * table says for each value which selections it fulfils. The host (native_dispatch.c) goes over the elements of the
 * array once for each state; the loops of the rules then go over the positions that were selected, and rules for which
 * there is none are not called. An undefined element fulfils all: the rule itself faults then as it should.
 *
 * Within a step of several rules (exec/macro.h) most guards go on with a test that the process itself is the holder:
 * then the elements of the others need not be looked at. */
#include <stdlib.h>

#include "exec/native_emit.h"
#include "exec/native_runtime.h"

enum { SELECT_VALUES = 4096 }; /* of the table of a selector */

/* Is the index one of the parameters, all of whose values lie inside? */
static bool aim_by_parameter(struct native_emitter *emitter, const struct parameter *parameters, uint32_t count,
                             const struct place *element, struct aim *aim)
{
    int64_t low, high, least, greatest;
    const struct expr *index = element->index;
    if (aim->parameter != NO_PARAMETER || index->kind != EXPR_READ || index->place->kind != PLACE_VARIABLE ||
        !type_interval(element->base->type->index, &low, &high))
        return false;
    for (uint32_t p = 0; p < count; p++) {
        const struct type *type = parameters[p].type;
        if (parameters[p].variable != index->place->variable || type->size > 64 ||
            !type_interval(type, &least, &greatest) || least < low || greatest > high)
            continue;
        aim->cell += (least - low) * element->type->cells;
        aim->stride = element->type->cells;
        aim->parameter = p;
        return emit_facts(&emitter->facts, index->place->variable)->is_sure;
    }
    return false;
}

static bool aim_at_element(struct native_emitter *emitter, const struct parameter *parameters, uint32_t count,
                           const struct place *place, struct aim *aim)
{
    int64_t value;
    if (!aim_at(emitter, parameters, count, place->base, aim))
        return false;
    if (!expr_static_value(&emitter->facts, place->index, &value))
        return aim_by_parameter(emitter, parameters, count, place, aim);
    int64_t position = type_ordinal(place->base->type->index, value);
    aim->cell += position * place->type->cells;
    return position >= 0;
}

bool aim_at(struct native_emitter *emitter, const struct parameter *parameters, uint32_t count,
            const struct place *place, struct aim *aim)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        aim->cell = place->variable->address;
        return place->variable->is_global;
    case PLACE_DEREF:
        return home_of(emitter, place->variable)->home == HOME_KNOWN &&
               aim_at(emitter, parameters, count, home_of(emitter, place->variable)->known, aim);
    case PLACE_FIELD:
        if (!aim_at(emitter, parameters, count, place->base, aim))
            return false;
        aim->cell += place->field->offset;
        return true;
    case PLACE_ELEMENT:
        return aim_at_element(emitter, parameters, count, place, aim);
    default:
        return false;
    }
}

static bool reads_variable(const struct expr *expr, const struct variable *variable)
{
    return expr->kind == EXPR_READ && expr->place->kind == PLACE_VARIABLE && expr->place->variable == variable;
}

/* Is the test false while somebody other than `selection` is about is the holder? `selection->who` becomes its number.
 */
static bool binds_holder(struct native_emitter *emitter, const struct rule *rule, const struct expr *test,
                         struct selection *selection)
{
    int64_t value, high;
    const struct system *system = emitter->system;
    if (test->kind == EXPR_BINARY && test->op == OP_OR)
        return binds_holder(emitter, rule, test->left, selection) &&
               binds_holder(emitter, rule, test->right, selection);
    if (test->kind != EXPR_BINARY || test->op != OP_EQ || !reads_variable(test->left, system->holder))
        return false;
    if (expr_static_value(&emitter->facts, test->right, &value)) {
        if (value == system_nobody(system))
            return true;
        selection->who = (int32_t)value;
        return selection->parameter == NO_PARAMETER;
    }
    if (selection->parameter == NO_PARAMETER ||
        !reads_variable(test->right, rule->parameters[selection->parameter].variable) ||
        !type_interval(rule->parameters[selection->parameter].type, &value, &high))
        return false;
    selection->who = (int32_t)value;
    return true;
}

/* By the next item: what stands between could fault. */
static void bind_selection(struct native_emitter *emitter, const struct rule_plan *plan, size_t item,
                           struct selection *selection)
{
    const struct expr *next = item < plan->items.count ? plan->items.items[item].conjunct : NULL;
    selection->is_bound = next && emitter->system->holder && binds_holder(emitter, plan->rule, next, selection);
}

static bool make_selection(struct native_emitter *emitter, const struct rule *rule, const struct item *item,
                           struct selection *selection)
{
    const struct expr *test = item->conjunct;
    struct aim aim = {.parameter = NO_PARAMETER};
    int64_t value;
    if (!test || test->kind != EXPR_BINARY || test->op != OP_EQ || test->left->kind != EXPR_READ || test->left->raw ||
        !expr_static_value(&emitter->facts, test->right, &value) || value <= INT32_MIN || value > INT32_MAX ||
        !aim_at(emitter, rule->parameters, rule->parameter_count, test->left->place, &aim))
        return false;
    uint32_t level = aim.parameter == NO_PARAMETER ? 0 : aim.parameter + 1;
    if (item->level != level)
        return false;
    *selection =
        (struct selection){.rule = rule->id,
                           .parameter = aim.parameter,
                           .first = (uint32_t)aim.cell,
                           .stride = aim.stride,
                           .count = aim.parameter == NO_PARAMETER ? 1 : rule->parameters[aim.parameter].type->size,
                           .value = (int32_t)value};
    return true;
}

bool item_is_plain(struct native_emitter *emitter, const struct item *item)
{
    if (item->conjunct)
        return expr_is_plain(emitter, item->conjunct);
    return item->stmt->kind == STMT_BIND && home_of(emitter, item->stmt->variable)->home == HOME_KNOWN;
}

/* Only where nothing that stands before the test, and within the same loops, can fault: what is not selected is never
 * looked at. Of the first loop, on which depends whether the rule is called, that means nothing at all. */
void select_instances(struct native_emitter *emitter, const struct rule_plan *plan)
{
    uint32_t blocked = 0; /* the levels up to it */
    bool is_first = true;
    emitter->first_selection = emitter->selections.count;
    for (size_t i = 0; i < plan->items.count; i++) {
        const struct item *item = &plan->items.items[i];
        struct selection selection;
        bool is_open = is_first || (item->level > 1 && item->level > blocked);
        if (is_open && make_selection(emitter, plan->rule, item, &selection)) {
            bind_selection(emitter, plan, i + 1, &selection);
            VEC_PUSH(&emitter->selections, selection);
        }
        if (!item_is_plain(emitter, item)) {
            is_first = false;
            blocked = item->level;
        }
    }
}

int64_t selection_of(const struct native_emitter *emitter, uint32_t parameter)
{
    for (size_t s = emitter->first_selection; s < emitter->selections.count; s++)
        if (emitter->selections.items[s].parameter == parameter)
            return (int64_t)s;
    return -1;
}

enum native_answer select_answer(const struct native_emitter *emitter, const struct rule_plan *plan)
{
    bool is_selected = plan->rule->parameter_count == 0;
    if (!emitter->system->holder || !plan->is_pure)
        return NATIVE_MUTE;
    for (size_t s = emitter->first_selection; s < emitter->selections.count; s++) {
        uint32_t parameter = emitter->selections.items[s].parameter;
        if (parameter != NO_PARAMETER && parameter > 0)
            return NATIVE_MUTE; /* about others, which are not looked at then */
        is_selected |= parameter == 0 && plan->rule->parameter_count == 1;
    }
    return is_selected ? NATIVE_ANSWERS_ONCE : NATIVE_ANSWERS;
}

/* --- the tables --- */

static int compare_numbers(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

/* By selector, then by value. */
static int compare_selections(const void *left, const void *right)
{
    const struct selection *a = *(const struct selection *const *)left, *b = *(const struct selection *const *)right;
    int by_cell = compare_numbers(a->first, b->first), by_stride = compare_numbers(a->stride, b->stride),
        by_count = compare_numbers(a->count, b->count), by_who = compare_numbers(a->who, b->who),
        by_value = compare_numbers(a->value, b->value);
    return by_cell     ? by_cell
           : by_stride ? by_stride
           : by_count  ? by_count
           : by_who    ? by_who
           : by_value  ? by_value
                       : compare_numbers(a - b, 0);
}

static bool is_one_selector(const struct selection *a, const struct selection *b)
{
    return a->first == b->first && a->stride == b->stride && a->count == b->count && a->who == b->who &&
           (int64_t)b->value - a->value < SELECT_VALUES;
}

uint32_t select_caller(const struct selection *selection)
{
    return selection->parameter != NO_PARAMETER && selection->parameter > 0 ? UINT32_MAX : selection->rule;
}

/* Those of one selector: all of them, or those that are not bound. */
static void write_choice_table(struct native_emitter *emitter, const struct selection *const *order, size_t count,
                               bool is_loose, size_t number)
{
    const char *kind = is_loose ? "loose" : "all";
    struct text items = {0};
    size_t at = 0, written = 0;
    text_format(emitter->out, "static const uint32_t %s_begins_%zu_[] = {", kind, number);
    for (int64_t value = order[0]->value; value <= (int64_t)order[count - 1]->value + 1; value++) {
        for (; at < count && order[at]->value < value; at++) {
            if (is_loose && order[at]->is_bound)
                continue;
            text_format(&items, "{%zu, %uu}, ", (size_t)(order[at] - emitter->selections.items),
                        select_caller(order[at]));
            written++;
        }
        text_format(emitter->out, "%zu, ", written);
    }
    text_format(emitter->out, "};\nstatic const struct native_selection %s_%zu_[] = {%s{0, 0}};\n", kind, number,
                text_chars(&items));
    text_free(&items);
}

static size_t write_selector_list(struct native_emitter *emitter, const struct selection *const *order, size_t count)
{
    struct text list = {0};
    size_t number = 0;
    for (size_t first = 0, end; first < count; first = end, number++) {
        for (end = first + 1; end < count && is_one_selector(order[first], order[end]);)
            end++;
        write_choice_table(emitter, order + first, end - first, false, number);
        write_choice_table(emitter, order + first, end - first, true, number);
        const struct selection *one = order[first];
        text_format(&list,
                    "    {%u, %u, %u, %d, %d, %d, {all_begins_%zu_, all_%zu_}, {loose_begins_%zu_, loose_%zu_}},\n",
                    one->first, one->stride, one->count, one->who, one->value, order[end - 1]->value, number, number,
                    number, number);
    }
    text_format(emitter->out, "static const struct native_selector selectors_[] = {\n%s    {0},\n};\n",
                text_chars(&list));
    text_free(&list);
    return number;
}

static void write_rule_bits(struct native_emitter *emitter, const char *name, const uint64_t *bits)
{
    text_format(emitter->out, "static const uint64_t %s[] = {", name);
    for (size_t w = 0; w <= emitter->system->rules.count / 64; w++)
        text_format(emitter->out, "%lluu, ", (unsigned long long)bits[w]);
    text_append(emitter->out, "};\n");
}

/* The rules without any selection; and those of them that the loader has no mask of. */
static void write_always(struct native_emitter *emitter)
{
    size_t rules = emitter->system->rules.count;
    uint64_t *always = memory_zeroed(rules / 64 + 1, sizeof *always);
    for (size_t r = 0; r < rules; r++)
        always[r / 64] |= (uint64_t)1 << r % 64;
    for (size_t s = 0; s < emitter->selections.count; s++) {
        uint32_t rule = select_caller(&emitter->selections.items[s]);
        if (rule != UINT32_MAX && !emitter->selections.items[s].is_open)
            always[rule / 64] &= ~((uint64_t)1 << rule % 64);
    }
    write_rule_bits(emitter, "always_", always);
    for (size_t k = 0; k < emitter->masks.count; k++)
        always[emitter->masks.items[k].rule / 64] &= ~((uint64_t)1 << emitter->masks.items[k].rule % 64);
    write_rule_bits(emitter, "asked_", always);
    free(always);
}

static void write_answers(struct native_emitter *emitter)
{
    text_append(emitter->out, "static const uint8_t answers_[] = {");
    for (size_t r = 0; r < emitter->answers.count; r++)
        text_format(emitter->out, "%u, ", emitter->answers.items[r]);
    text_append(emitter->out, "0};\n");
}

/* What is selected where nothing is known of the state. */
static void write_opened(struct native_emitter *emitter)
{
    text_append(emitter->out, "static const uint64_t opened_[] = {");
    for (size_t s = 0; s < emitter->selections.count; s++)
        text_format(emitter->out, "%lluu, ",
                    emitter->selections.items[s].is_open
                        ? (unsigned long long)(UINT64_MAX >> (64 - emitter->selections.items[s].count))
                        : 0);
    text_append(emitter->out, "0};\n");
}

size_t write_selectors(struct native_emitter *emitter)
{
    size_t count = 0;
    const struct selection **order = memory_zeroed(emitter->selections.count + 1, sizeof *order);
    for (size_t s = 0; s < emitter->selections.count && !loader_is_alone(emitter); s++)
        if (!emitter->selections.items[s].is_open)
            order[count++] = &emitter->selections.items[s];
    qsort(order, count, sizeof *order, compare_selections);
    size_t selectors = write_selector_list(emitter, order, count);
    free(order);
    write_opened(emitter);
    write_always(emitter);
    write_answers(emitter);
    return selectors;
}
