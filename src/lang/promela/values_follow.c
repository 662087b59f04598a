#include "lang/promela/values_inner.h"

#include <stdlib.h>
#include <string.h>

#include "lang/promela/walk.h"

/* The local that the expression reads; NULL: it is something else. */
static const struct pml_variable *local_of(const struct pml_finding *finding, const struct pml_expr *expr)
{
    const struct pml_variable *end = expr->kind == PML_READ ? pml_place_end(expr->place) : NULL;
    return end && pml_values_is_followed(end) && end->owner == finding->values->proctype && !expr->place->below ? end
                                                                                                                : NULL;
}

static enum pml_op turned(enum pml_op op)
{
    return op == PML_LT ? PML_GT : op == PML_LE ? PML_GE : op == PML_GT ? PML_LT : op == PML_GE ? PML_LE : op;
}

static enum pml_op negated(enum pml_op op)
{
    return op == PML_LT   ? PML_GE
           : op == PML_LE ? PML_GT
           : op == PML_GT ? PML_LE
           : op == PML_GE ? PML_LT
           : op == PML_EQ ? PML_NE
                          : PML_EQ;
}

/* `local op range` holds. */
static void narrow(struct pml_range *local, enum pml_op op, struct pml_range range)
{
    bool is_point = range.lo == range.hi;
    if ((op == PML_LT || op == PML_LE || op == PML_EQ) && local->hi > range.hi - (op == PML_LT))
        local->hi = range.hi - (op == PML_LT);
    if ((op == PML_GT || op == PML_GE || op == PML_EQ) && local->lo < range.lo + (op == PML_GT))
        local->lo = range.lo + (op == PML_GT);
    if (op == PML_NE && is_point && local->lo == range.lo)
        local->lo++;
    if (op == PML_NE && is_point && local->hi == range.hi)
        local->hi--;
}

/* What is true of the locals when the condition is, or is not. */
static void assume(const struct pml_finding *finding, const struct pml_expr *expr, bool is_true,
                   struct pml_range *locals)
{
    const struct pml_variable *left, *right;
    if (expr->kind == PML_UNARY && expr->op == PML_NOT)
        assume(finding, expr->left, !is_true, locals);
    if (expr->kind != PML_BINARY)
        return;
    if (expr->op == (is_true ? PML_AND : PML_OR)) {
        assume(finding, expr->left, is_true, locals);
        assume(finding, expr->right, is_true, locals);
    }
    if (expr->op < PML_LT || expr->op > PML_NE)
        return;
    enum pml_op op = is_true ? expr->op : negated(expr->op);
    left = local_of(finding, expr->left);
    right = local_of(finding, expr->right);
    if (left)
        narrow(&locals[left->id], op, pml_values_of(finding->values, expr->right));
    if (right)
        narrow(&locals[right->id], turned(op), pml_values_of(finding->values, expr->left));
}

/* `else`: no condition holds that is tried before it. */
static void assume_move(const struct pml_finding *finding, const struct pml_node *node, size_t move,
                        struct pml_range *locals)
{
    const struct pml_stmt *stmt = node->moves.items[move].stmt;
    if (stmt && stmt->kind == PML_CONDITION)
        assume(finding, stmt->value, true, locals);
    for (size_t m = 0; m < node->moves.count; m++) {
        const struct pml_stmt *other = node->moves.items[m].stmt;
        if (other && other->kind == PML_CONDITION && pml_goes_first(node, m, move))
            assume(finding, other->value, false, locals);
    }
}

static struct pml_range fitted(const struct pml_finding *finding, const struct pml_variable *variable,
                               struct pml_range range)
{
    struct pml_range type = pml_type_range(finding->values->leaves.items[variable->leaf].type);
    return pml_range_covers(type, range) ? range : type;
}

/* Afterwards. */
static void change(const struct pml_finding *finding, const struct pml_stmt *stmt, struct pml_range *locals)
{
    const struct pml_values *values = finding->values;
    const struct pml_variable *end = stmt->place ? pml_place_end(stmt->place) : NULL;
    if (stmt->kind == PML_ASSIGN && pml_values_is_followed(end) && end->owner == values->proctype &&
        !stmt->place->below)
        locals[end->id] = fitted(finding, end, pml_values_of(values, stmt->value));
    if (stmt->kind == PML_DECLARE && pml_values_is_followed(stmt->variable))
        locals[stmt->variable->id] =
            stmt->variable->initial ? fitted(finding, stmt->variable, pml_values_of(values, stmt->variable->initial))
                                    : (struct pml_range){0, 0};
    for (uint32_t i = 0; stmt->kind == PML_RECEIVE && i < stmt->argument_count; i++) {
        const struct pml_variable *got = stmt->arguments[i].place ? pml_place_end(stmt->arguments[i].place) : NULL;
        if (got && pml_values_is_followed(got) &&
            got->owner == values->proctype) /* anything that is ever assigned to it */
            locals[got->id] = values->leaves.items[got->leaf].range;
    }
}

static bool is_possible(const struct pml_proctype *proctype, const struct pml_range *locals)
{
    bool is_some = true;
    for (size_t i = 0; i < proctype->locals.count; i++)
        is_some &= !pml_values_is_followed(proctype->locals.items[i]) || locals[i].lo <= locals[i].hi;
    return is_some;
}

/* Control may come to the node with these locals. */
static void arrive(struct pml_finding *finding, const struct pml_proctype *proctype, uint32_t node,
                   const struct pml_range *locals)
{
    struct pml_station *station = &finding->stations[proctype->id][node];
    finding->has_changed |= !station->is_reached;
    for (size_t i = 0; i < proctype->locals.count; i++) {
        const struct pml_variable *variable = proctype->locals.items[i];
        struct pml_range old = station->is_reached ? station->locals[i] : (struct pml_range){0, -1};
        struct pml_range all = pml_range_join(old, locals[i]);
        if (!pml_values_is_followed(variable) || (all.lo == old.lo && all.hi == old.hi))
            continue;
        station->locals[i] = pml_values_widened(finding, old, all, pml_type_range(variable->type));
        finding->has_changed = true;
    }
    station->is_reached = true;
}

static void follow_node(struct pml_finding *finding, const struct pml_flow *flow, uint32_t number,
                        struct pml_range *locals)
{
    const struct pml_node *node = &flow->nodes.items[number];
    struct pml_values *values = finding->values;
    const struct pml_walk runs = {.user = finding, .expr = pml_values_add_run};
    size_t size = flow->proctype->locals.count * sizeof *locals;
    for (size_t m = 0; m < node->moves.count; m++) {
        const struct pml_move *move = &node->moves.items[m];
        const struct pml_range *here = finding->stations[flow->proctype->id][number].locals;
        if (size)
            memcpy(locals, here, size);
        values->proctype = flow->proctype;
        values->here = here;
        assume_move(finding, node, m, locals);
        if (is_possible(flow->proctype, locals)) {
            values->here = locals;
            if (move->stmt) {
                pml_walk_stmt(&runs, move->stmt);
                pml_values_add_stmt(finding, move->stmt);
                change(finding, move->stmt, locals);
            }
            arrive(finding, flow->proctype, move->target, locals);
        }
        values->here = NULL;
    }
}

/* The first values of the locals; of parameters, whatever they are ever given. */
void pml_values_follow(struct pml_finding *finding, const struct pml_flow *flow)
{
    const struct pml_proctype *proctype = flow->proctype;
    const struct pml_role *role = &finding->values->cast->roles[proctype->id];
    struct pml_range *locals = memory_zeroed(proctype->locals.count + 1, sizeof *locals);
    if (role->first <= role->last) {
        for (size_t i = 0; i < proctype->locals.count; i++) {
            const struct pml_variable *variable = proctype->locals.items[i];
            bool is_given = variable->is_parameter || (variable->initial && !variable->is_inner);
            if (is_given)
                locals[i] = finding->values->leaves.items[variable->leaf].range;
        }
        if (is_possible(proctype, locals))
            arrive(finding, proctype, flow->entry, locals);
        for (uint32_t n = 0; n < flow->nodes.count; n++)
            if (finding->stations[proctype->id][n].is_reached)
                follow_node(finding, flow, n, locals);
    }
    free(locals);
}

void pml_values_make_stations(struct pml_finding *finding)
{
    struct pml_model *model = finding->model;
    finding->stations = memory_zeroed(model->proctypes.count + 1, sizeof *finding->stations);
    for (size_t p = 0; p < model->proctypes.count; p++) {
        size_t nodes = finding->flows[p].nodes.count, locals = model->proctypes.items[p]->locals.count;
        finding->stations[p] = memory_zeroed(nodes + 1, sizeof **finding->stations);
        for (size_t n = 0; n < nodes; n++)
            finding->stations[p][n].locals = ARENA_ARRAY(model->arena, struct pml_range, locals + 1);
    }
}
