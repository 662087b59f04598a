#include "result/explain_formula.h"

#include <string.h>

#include "exec/probe.h"
#include "ir/instance.h"
#include "ir/walk.h"
#include "ir/written.h"

/* Enough for people; more would be a list, not an explanation. */
enum { MOST_ELEMENTS_SHOWN = 8, MOST_NODES = 400, MOST_TERMS = 16, MOST_ELEMENTS = 4096 };

struct explainer {
    const struct layout *layout;
    struct probe *probe;
    struct arena *arena;
    uint32_t nodes;
};

static struct explanation *explain(struct explainer *explainer, const struct expr *expr);

static const char *keep(struct explainer *explainer, struct text *text)
{
    const char *kept = arena_string(explainer->arena, text_chars(text));
    text_free(text);
    return kept;
}

static const char *print_value(struct explainer *explainer, const struct type *type, int64_t value)
{
    struct text text = {0};
    if (value >= INT32_MIN && value <= INT32_MAX)
        type_print_value(type, (int32_t)value, &text);
    else
        text_format(&text, "%lld", (long long)value);
    return keep(explainer, &text);
}

/* The value of the node itself, and what it looks like. */
static void judge(struct explainer *explainer, struct explanation *node)
{
    int64_t value = 0;
    struct text text = {0};
    switch (probe_value(explainer->probe, node->expr, &value, &node->fault)) {
    case PROBE_FAULT:
        node->outcome = EXPLAINED_FAULT;
        fault_print(&node->fault, &text);
        node->value = keep(explainer, &text);
        return;
    case PROBE_DISCARDED:
        node->outcome = EXPLAINED_DISCARDED;
        node->value = "an assumption is broken";
        return;
    case PROBE_VALUE:
        node->outcome = EXPLAINED_VALUE;
        if (node->expr->type->kind == TYPE_BOOL && value != UNDEFINED)
            node->outcome = value ? EXPLAINED_TRUE : EXPLAINED_FALSE;
        node->value = print_value(explainer, node->expr->type, value);
    }
}

/* Terms: every scalar of the state that was read, once, under its full name. Bound variables only where there is
 * nothing else: the witnesses say what they are. */
struct formula_reading {
    struct explainer *explainer;
    const struct explanation *node;
    bool wants_bound;
    struct explanation_term terms[MOST_TERMS];
    uint32_t count;
};

static void add_term(struct formula_reading *reading, struct explanation_term term)
{
    for (uint32_t i = 0; i < reading->count; i++)
        if (!strcmp(reading->terms[i].name, term.name))
            return;
    bool is_all_there_is = !strcmp(term.name, reading->node->text);
    if (reading->count < MOST_TERMS && !is_all_there_is)
        reading->terms[reading->count++] = term;
}

static void read_cell(struct formula_reading *reading, const struct place *place, uint32_t address)
{
    struct explainer *explainer = reading->explainer;
    struct text name = {0};
    if (system_is_internal_cell(explainer->layout->system, address))
        return;
    if (address < explainer->layout->cell_count)
        layout_cell_name(explainer->layout, address, &name);
    else if (reading->wants_bound && place->kind == PLACE_VARIABLE)
        text_append(&name, place->variable->name);
    else
        return; /* inside a function's result: nothing with a name */
    struct explanation_term term = {keep(explainer, &name),
                                    print_value(explainer, place->type, probe_cell(explainer->probe, address))};
    add_term(reading, term);
}

static bool read_place(void *user, const struct place *place, bool is_written)
{
    struct formula_reading *reading = user;
    (void)is_written;
    struct fault fault;
    uint32_t address;
    if (type_is_scalar(place->type) && place->kind != PLACE_CALL &&
        probe_place(reading->explainer->probe, place, &address, &fault) == PROBE_VALUE)
        read_cell(reading, place, address);
    return true;
}

/* A constant that has another name in the text: N / 2. */
static void read_constant(struct formula_reading *reading, const struct expr *expr)
{
    struct explainer *explainer = reading->explainer;
    struct text text = {0};
    written_print(explainer->layout->system, expr, &text);
    const char *name = keep(explainer, &text), *value = print_value(explainer, expr->type, expr->value);
    if (strpbrk(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") && strcmp(name, value))
        add_term(reading, (struct explanation_term){name, value});
}

/* What functions, counts and quantifiers amount to. Inside the latter the bound variable has no value to read with. */
static bool read_expr(void *user, const struct expr *expr)
{
    struct formula_reading *reading = user;
    bool is_bound = expr->kind == EXPR_QUANTIFIER || expr->kind == EXPR_COUNT;
    int64_t value = 0;
    struct fault fault;
    if (expr->kind == EXPR_CONST && expr->type->kind != TYPE_BOOL)
        read_constant(reading, expr);
    if ((is_bound || expr->kind == EXPR_CALL) && expr->type &&
        probe_value(reading->explainer->probe, expr, &value, &fault) == PROBE_VALUE) {
        struct text name = {0};
        written_print(reading->explainer->layout->system, expr, &name);
        add_term(reading, (struct explanation_term){keep(reading->explainer, &name),
                                                    print_value(reading->explainer, expr->type, value)});
    }
    return !is_bound;
}

/* The cells in which two aggregates differ. */
static void read_differences(struct formula_reading *reading, const struct expr *equal)
{
    struct explainer *explainer = reading->explainer;
    struct fault fault;
    uint32_t sides[2];
    if (probe_place(explainer->probe, equal->place, &sides[0], &fault) != PROBE_VALUE ||
        probe_place(explainer->probe, equal->other, &sides[1], &fault) != PROBE_VALUE)
        return;
    for (uint32_t c = 0; c < equal->place->type->cells; c++) {
        if (sides[0] + c >= explainer->layout->cell_count || sides[1] + c >= explainer->layout->cell_count ||
            probe_cell(explainer->probe, sides[0] + c) == probe_cell(explainer->probe, sides[1] + c))
            continue;
        for (int side = 0; side < 2; side++) {
            const struct place cell = {.kind = PLACE_FIELD, .type = explainer->layout->cells[sides[side] + c].type};
            if (cell.type)
                read_cell(reading, &cell, sides[side] + c);
        }
    }
}

static void read_terms(struct explainer *explainer, struct explanation *node)
{
    struct formula_reading reading = {.explainer = explainer, .node = node};
    struct walker walker = {.on_expr = read_expr, .on_place = read_place, .user = &reading};
    if (node->expr->kind == EXPR_EQUAL)
        read_differences(&reading, node->expr);
    walk_expr(&walker, node->expr);
    reading.wants_bound = reading.count == 0;
    if (reading.wants_bound)
        walk_expr(&walker, node->expr);
    node->term_count = reading.count;
    node->terms = arena_copy(explainer->arena, reading.terms, reading.count * sizeof *reading.terms);
}

void explanation_add(struct arena *arena, struct explanation *node, struct explanation *part)
{
    struct explanation **parts = ARENA_ARRAY(arena, struct explanation *, node->part_count + 1);
    if (node->part_count)
        memcpy(parts, node->parts, node->part_count * sizeof *parts);
    parts[node->part_count++] = part;
    node->parts = parts;
}

static void add_part(struct explainer *explainer, struct explanation *node, struct explanation *part)
{
    explanation_add(explainer->arena, node, part);
}

/* An operand that does not let the evaluation go on: the parent ends as it does. */
static bool ends_evaluation(const struct explanation *node)
{
    return node->outcome == EXPLAINED_FAULT || node->outcome == EXPLAINED_DISCARDED;
}

/* The operands of a chain of one operator, (a & b) & c, left to right; true when one of them decided it. Operands that
 * are not decisive stay out when one is. */
static bool explain_chain(struct explainer *explainer, struct explanation *node, const struct expr *expr)
{
    enum operator op = node->expr->op;
    if (expr->kind == EXPR_BINARY && expr->op == op && written_expr(expr) == expr)
        return explain_chain(explainer, node, expr->left) || explain_chain(explainer, node, expr->right);
    struct explanation *part = explain(explainer, expr);
    bool decides = ends_evaluation(part) || part->outcome == (op == OP_AND ? EXPLAINED_FALSE : EXPLAINED_TRUE);
    if (decides)
        node->part_count = 0;
    add_part(explainer, node, part);
    return decides;
}

static void explain_implication(struct explainer *explainer, struct explanation *node)
{
    struct explanation *left = explain(explainer, node->expr->left);
    add_part(explainer, node, left);
    if (left->outcome != EXPLAINED_TRUE)
        return;
    struct explanation *right = explain(explainer, node->expr->right);
    if (right->outcome == EXPLAINED_TRUE)
        node->part_count = 0; /* then the premise does not matter */
    add_part(explainer, node, right);
}

static void explain_cond(struct explainer *explainer, struct explanation *node)
{
    struct explanation *condition = explain(explainer, node->expr->condition);
    add_part(explainer, node, condition);
    if (!ends_evaluation(condition))
        add_part(explainer, node,
                 explain(explainer, condition->outcome == EXPLAINED_TRUE ? node->expr->left : node->expr->right));
}

static struct explanation *explain_element(struct explainer *explainer, const struct expr *quantifier, int64_t element)
{
    probe_bind(explainer->probe, quantifier->variable, (int32_t)element);
    struct explanation *part = explain(explainer, quantifier->left);
    probe_unbind(explainer->probe);
    part->variable = quantifier->variable;
    part->witness = print_value(explainer, quantifier->variable->type, element);
    return part;
}

/* The first element under which the body ends as the quantifier did: -1 when there is none. */
static int64_t find_witness(struct explainer *explainer, const struct explanation *node, const int64_t *elements,
                            uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct explanation body = {.expr = node->expr->left};
        probe_bind(explainer->probe, node->expr->variable, (int32_t)elements[i]);
        judge(explainer, &body);
        probe_unbind(explainer->probe);
        if (body.outcome == node->outcome)
            return i;
    }
    return -1;
}

static void explain_quantifier(struct explainer *explainer, struct explanation *node)
{
    int64_t *elements = memory_alloc(MOST_ELEMENTS * sizeof *elements);
    uint32_t count;
    struct fault fault;
    bool has_witness = node->outcome != (node->expr->op == OP_FORALL ? EXPLAINED_TRUE : EXPLAINED_FALSE);
    if (probe_domain(explainer->probe, node->expr, elements, MOST_ELEMENTS, &count, &fault) != PROBE_VALUE)
        count = 0; /* the bounds themselves cannot be evaluated: the node's value says so */
    uint32_t listed = count > MOST_ELEMENTS ? MOST_ELEMENTS : count;
    int64_t witness = has_witness ? find_witness(explainer, node, elements, listed) : -1;
    node->elements = count;
    if (witness >= 0)
        add_part(explainer, node, explain_element(explainer, node->expr, elements[witness]));
    for (uint32_t i = 0; !has_witness && i < listed && i < MOST_ELEMENTS_SHOWN && explainer->nodes < MOST_NODES; i++)
        add_part(explainer, node, explain_element(explainer, node->expr, elements[i]));
    if (!has_witness)
        node->omitted = count - node->part_count;
    free(elements);
}

static void explain_parts(struct explainer *explainer, struct explanation *node)
{
    const struct expr *expr = node->expr;
    bool is_truth = expr->type->kind == TYPE_BOOL;
    if (written_expr(expr) != expr)
        read_terms(explainer, node); /* a comparison: what is undefined is a value read there */
    else if (expr->kind == EXPR_QUANTIFIER)
        explain_quantifier(explainer, node);
    else if (expr->kind == EXPR_UNARY && expr->op == OP_NOT)
        add_part(explainer, node, explain(explainer, expr->left));
    else if (expr->kind == EXPR_BINARY && (expr->op == OP_AND || expr->op == OP_OR))
        explain_chain(explainer, node, expr);
    else if (expr->kind == EXPR_BINARY && expr->op == OP_IMPLIES)
        explain_implication(explainer, node);
    else if (expr->kind == EXPR_COND && is_truth)
        explain_cond(explainer, node);
    else
        read_terms(explainer, node);
}

static struct explanation *explain(struct explainer *explainer, const struct expr *expr)
{
    struct explanation *node = ARENA_NEW(explainer->arena, struct explanation);
    struct text text = {0};
    explainer->nodes++;
    node->expr = expr;
    written_print(explainer->layout->system, expr, &text);
    node->text = keep(explainer, &text);
    judge(explainer, node);
    explain_parts(explainer, node);
    return node;
}

struct explanation *explain_bound(struct arena *arena, const struct layout *layout, const struct expr *formula,
                                  const struct bindings *bindings, const int32_t *cells)
{
    struct explainer explainer = {.layout = layout, .probe = probe_create(layout), .arena = arena};
    probe_load(explainer.probe, cells);
    for (size_t i = 0; i < bindings->items.count; i++)
        probe_bind(explainer.probe, bindings->items.items[i].variable, bindings->items.items[i].value);
    struct explanation *root = explain(&explainer, formula);
    probe_destroy(explainer.probe);
    return root;
}

/* The arena goes with the tree. */
static struct explanation *explain_root(const struct layout *layout, const struct expr *formula,
                                        const struct bindings *bindings, const int32_t *cells)
{
    struct arena *arena = arena_create();
    struct explanation *root = explain_bound(arena, layout, formula, bindings, cells);
    root->arena = arena;
    return root;
}

struct explanation *explain_formula(const struct layout *layout, const struct expr *formula, const int32_t *cells)
{
    const struct bindings nothing = {0};
    return explain_root(layout, formula, &nothing, cells);
}

struct explanation *explain_guard(const struct layout *layout, const struct rule *rule, uint64_t instance,
                                  const int32_t *cells)
{
    if (!rule->guard || rule->prelude.count)
        return NULL;
    struct bindings bindings = {0};
    int32_t *values = memory_zeroed(rule->parameter_count + 1, sizeof *values);
    instance_values(rule, instance, values);
    for (uint32_t i = 0; i < rule->parameter_count; i++)
        VEC_PUSH(&bindings.items, ((struct binding){rule->parameters[i].variable, values[i]}));
    struct explanation *root = explain_root(layout, rule->guard, &bindings, cells);
    VEC_FREE(&bindings.items);
    free(values);
    return root;
}

void explanation_destroy(struct explanation *root)
{
    if (root)
        arena_destroy(root->arena);
}
