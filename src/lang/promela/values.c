#include "lang/promela/values.h"

#include <stdlib.h>
#include <string.h>

#include "lang/promela/walk.h"

enum { PATIENCE = 12, LAST_PATIENCE = 60 };

/* What the locals of a proctype can be where control stands. */
struct pml_station {
    struct pml_range *locals;
    bool is_reached;
};

struct pml_finding {
    struct pml_values *values;
    struct pml_model *model;
    const struct pml_flow *flows;
    struct pml_station **stations; /* by proctype and node */
    VEC(int64_t) bounds;           /* numbers of the model and their neighbours, in order */
    int round;
    bool has_changed;
};

static struct pml_range declaration_range(const struct pml_channels *channels, uint32_t number)
{
    const struct pml_declaration *declaration = &channels->declarations.items[number];
    int64_t count = (int64_t)declaration->processes * declaration->length;
    return (struct pml_range){declaration->first, declaration->first + count - 1};
}

/* Is what it can be known place by place? */
static bool is_followed(const struct pml_variable *variable)
{
    return variable->owner && !variable->length && variable->type.base != PML_RECORD && variable->type.base != PML_CHAN;
}

/* What a place holds: of a variable that is declared with channels and never written, these. */
static struct pml_range read_range(const struct pml_values *values, const struct pml_place *place)
{
    const struct pml_variable *end = pml_place_end(place);
    if (values->here && is_followed(end) && end->owner == values->proctype)
        return values->here[end->id];
    return values->leaves.items[end->leaf].range;
}

static uint32_t most_capacity(const struct pml_values *values)
{
    uint32_t most = 0;
    for (size_t i = 0; i < values->channels->pools.count; i++)
        if (values->channels->pools.items[i].capacity > most)
            most = values->channels->pools.items[i].capacity;
    return most;
}

struct pml_range pml_values_of(const struct pml_values *values, const struct pml_expr *expr)
{
    int64_t last = (int64_t)values->cast->count - 1;
    switch (expr->kind) {
    case PML_NUMBER:
        return (struct pml_range){expr->value, expr->value};
    case PML_READ:
    case PML_REMOTE:
        return read_range(values, expr->place);
    case PML_UNARY:
        return pml_range_of_int(pml_range_unary(expr->op, pml_values_of(values, expr->left)));
    case PML_BINARY: {
        struct pml_range left = pml_values_of(values, expr->left), right = pml_values_of(values, expr->right);
        return left.hi < left.lo || right.hi < right.lo ? left
                                                        : pml_range_of_int(pml_range_binary(expr->op, left, right));
    }
    case PML_COND:
        return pml_range_join(pml_values_of(values, expr->left), pml_values_of(values, expr->right));
    case PML_LENGTH:
        return (struct pml_range){0, most_capacity(values)};
    case PML_RUN:
    case PML_SELF:
        return (struct pml_range){0, last};
    case PML_LAST:
        return (struct pml_range){0, last};
    case PML_PRIORITY:
        return (struct pml_range){0, PML_MOST_PRIORITY};
    case PML_COUNT:
        return (struct pml_range){0, last + 1};
    default:
        return pml_range_truth;
    }
}

static int64_t bound_above(const struct pml_finding *finding, int64_t value, int64_t last)
{
    for (size_t i = 0; i < finding->bounds.count && finding->round < LAST_PATIENCE; i++)
        if (finding->bounds.items[i] >= value && finding->bounds.items[i] < last)
            return finding->bounds.items[i];
    return last;
}

static int64_t bound_below(const struct pml_finding *finding, int64_t value, int64_t first)
{
    for (size_t i = finding->bounds.count; i-- > 0 && finding->round < LAST_PATIENCE;)
        if (finding->bounds.items[i] <= value && finding->bounds.items[i] > first)
            return finding->bounds.items[i];
    return first;
}

/* What grows for long grows to the next number of the model. */
static struct pml_range widened(const struct pml_finding *finding, struct pml_range old, struct pml_range range,
                                struct pml_range type)
{
    if (finding->round <= PATIENCE || old.hi < old.lo)
        return range;
    if (range.lo < old.lo)
        range.lo = bound_below(finding, range.lo, type.lo);
    if (range.hi > old.hi)
        range.hi = bound_above(finding, range.hi, type.hi);
    return range;
}

/* The leaf can also be this. */
static void add_range(struct pml_finding *finding, uint32_t number, struct pml_range more)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    struct pml_range type = pml_type_range(leaf->type), old = leaf->range;
    struct pml_range range = pml_range_join(old, pml_range_covers(type, more) ? more : type);
    if (range.lo == old.lo && range.hi == old.hi)
        return;
    leaf->range = widened(finding, old, range, type);
    finding->has_changed = true;
}

static void add_declaration(struct pml_finding *finding, uint32_t number, uint32_t declaration)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    if (leaf->channels[declaration])
        return;
    leaf->channels[declaration] = true;
    finding->values->mixes |= leaf->type.base != PML_CHAN; /* its number is seen */
    leaf->range = pml_range_join(leaf->range, declaration_range(finding->values->channels, declaration));
    finding->has_changed = true;
}

/* A number that is no channel's, or not known to be one. */
static void add_mixed(struct pml_finding *finding, uint32_t number, struct pml_range more)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    struct pml_range range = pml_range_join(leaf->range, more);
    finding->values->mixes = true;
    finding->has_changed |= range.lo != leaf->range.lo || range.hi != leaf->range.hi;
    leaf->range = range;
}

static void add_none(struct pml_finding *finding, uint32_t number)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    if (leaf->can_be_none)
        return;
    leaf->can_be_none = true;
    leaf->range = pml_range_join(leaf->range, (struct pml_range){0, 0});
    finding->has_changed = true;
}

/* One leaf can be whatever another can. */
static void add_channels(struct pml_finding *finding, uint32_t to, const struct pml_leaf *from)
{
    for (uint32_t i = 0; i < finding->values->channels->declarations.count; i++)
        if (from->channels[i])
            add_declaration(finding, to, i);
    if (from->can_be_none)
        add_none(finding, to);
    if (finding->values->leaves.items[to].type.base == PML_CHAN &&
        !pml_range_covers(finding->values->leaves.items[to].range, from->range))
        add_mixed(finding, to, from->range);
}

static bool has_channels(const struct pml_finding *finding, const struct pml_leaf *leaf)
{
    bool found = false;
    for (size_t i = 0; i < finding->values->channels->declarations.count; i++)
        found |= leaf->channels[i];
    return found;
}

static struct pml_range within_byte(struct pml_range range)
{
    const struct pml_range byte = {0, 255};
    return pml_range_covers(byte, range) ? range : byte;
}

static void add_value(struct pml_finding *finding, uint32_t to, const struct pml_expr *value)
{
    const struct pml_leaf *leaf = &finding->values->leaves.items[to];
    if (leaf->type.base != PML_CHAN)
        add_range(finding, to, pml_values_of(finding->values, value));
    if (value->kind == PML_READ || value->kind == PML_REMOTE) {
        struct pml_leaf from = finding->values->leaves.items[pml_place_end(value->place)->leaf];
        if (leaf->type.base == PML_CHAN || has_channels(finding, &from))
            add_channels(finding, to, &from);
    } else if (leaf->type.base != PML_CHAN) {
        return; /* a number, whatever it was computed from */
    } else if (value->kind == PML_COND) {
        add_value(finding, to, value->left);
        add_value(finding, to, value->right);
    } else if (value->kind == PML_NUMBER && !value->value) {
        add_none(finding, to);
    } else {
        add_mixed(finding, to, within_byte(pml_values_of(finding->values, value)));
    }
}

static void add_leaf(struct pml_finding *finding, uint32_t to, uint32_t from)
{
    struct pml_leaf source = finding->values->leaves.items[from];
    bool is_channel = finding->values->leaves.items[to].type.base == PML_CHAN;
    if (is_channel || has_channels(finding, &source))
        add_channels(finding, to, &source);
    if (!is_channel && source.range.lo <= source.range.hi)
        add_range(finding, to, source.range);
}

/* Calls `visit` with each pool that the channel of the statement can be in. */
static void each_pool(struct pml_finding *finding, struct pml_stmt *stmt,
                      void (*visit)(struct pml_finding *, struct pml_stmt *, const struct pml_pool *))
{
    const struct pml_channels *channels = finding->values->channels;
    if (stmt->channel->kind != PML_READ)
        return;
    const struct pml_leaf *leaf = &finding->values->leaves.items[pml_place_end(stmt->channel->place)->leaf];
    for (uint32_t p = 0; p < channels->pools.count; p++)
        for (uint32_t i = 0; i < channels->declarations.count; i++)
            if (channels->declarations.items[i].pool == p && leaf->channels[i]) {
                visit(finding, stmt, &channels->pools.items[p]);
                leaf = &finding->values->leaves.items[pml_place_end(stmt->channel->place)->leaf];
                break;
            }
}

static void add_sent(struct pml_finding *finding, struct pml_stmt *stmt, const struct pml_pool *pool)
{
    uint32_t count = stmt->argument_count;
    const struct pml_argument *arguments = pml_flatten(finding->model->arena, stmt->arguments, &count);
    for (uint32_t i = 0; i < pool->field_count; i++)
        if (i < count && arguments[i].value)
            add_value(finding, pool->first_leaf + i, arguments[i].value);
        else if (finding->values->leaves.items[pool->first_leaf + i].type.base == PML_CHAN)
            add_none(finding, pool->first_leaf + i);
        else
            add_range(finding, pool->first_leaf + i, (struct pml_range){0, 0});
}

static void mark_written(struct pml_finding *finding, const struct pml_place *place)
{
    finding->values->leaves.items[pml_place_end(place)->leaf].is_written = true;
}

static void add_received(struct pml_finding *finding, struct pml_stmt *stmt, const struct pml_pool *pool)
{
    uint32_t count = stmt->argument_count;
    const struct pml_argument *arguments = pml_flatten(finding->model->arena, stmt->arguments, &count);
    for (uint32_t i = 0; i < count && i < pool->field_count; i++)
        if (arguments[i].place) {
            mark_written(finding, arguments[i].place);
            add_leaf(finding, pml_place_end(arguments[i].place)->leaf, pool->first_leaf + i);
        }
}

static void add_initial(struct pml_finding *finding, const struct pml_variable *variable)
{
    uint32_t declaration = pml_channels_declaration(finding->values->channels, variable);
    if (variable->type.base == PML_RECORD)
        return;
    if (declaration != PML_NO_DECLARATION)
        add_declaration(finding, variable->leaf, declaration);
    else if (variable->initial)
        add_value(finding, variable->leaf, variable->initial);
    else if (variable->type.base == PML_CHAN && !variable->is_parameter)
        add_none(finding, variable->leaf);
    else if (variable->type.base != PML_CHAN && (!variable->is_parameter || variable->owner->active))
        add_range(finding, variable->leaf, (struct pml_range){0, 0});
    for (uint32_t i = 0; i < variable->initial_count; i++)
        add_value(finding, variable->leaf, variable->initials[i]);
    bool is_later = variable->is_inner && !variable->channel; /* 0 until it is declared */
    if (variable->initial && (variable->length || is_later))  /* all elements, or the first alone: the others are 0 */
        add_range(finding, variable->leaf, (struct pml_range){0, 0});
}

static void add_stmt(struct pml_finding *finding, struct pml_stmt *stmt)
{
    if (stmt->kind == PML_ASSIGN) {
        mark_written(finding, stmt->place);
        add_value(finding, pml_place_end(stmt->place)->leaf, stmt->value);
    } else if (stmt->kind == PML_SEND) {
        each_pool(finding, stmt, add_sent);
    } else if (stmt->kind == PML_RECEIVE) {
        each_pool(finding, stmt, add_received);
    } else if (stmt->kind == PML_DECLARE) {
        finding->values->leaves.items[stmt->variable->leaf].is_written = true;
        add_initial(finding, stmt->variable);
    }
}

static void add_run(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_finding *finding = user;
    (void)is_operated;
    for (uint32_t i = 0; expr->kind == PML_RUN && i < expr->argument_count && i < expr->proctype->parameter_count; i++)
        add_value(finding, expr->proctype->locals.items[i]->leaf, expr->arguments[i].value);
}

static void note_read(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_finding *finding = user;
    (void)is_operated;
    for (const struct pml_place *place = expr->place; place; place = place->below)
        finding->values->leaves.items[place->variable->leaf].is_read = true;
    if (expr->kind == PML_NUMBER)
        for (int64_t more = -1; more <= 1; more++)
            VEC_PUSH(&finding->bounds, expr->value + more);
}

/* --- along the automata --- */

/* The local that the expression reads; NULL: it is something else. */
static const struct pml_variable *local_of(const struct pml_finding *finding, const struct pml_expr *expr)
{
    const struct pml_variable *end = expr->kind == PML_READ ? pml_place_end(expr->place) : NULL;
    return end && is_followed(end) && end->owner == finding->values->proctype && !expr->place->below ? end : NULL;
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

/* `else`: none of the others' conditions holds. */
static void assume_move(const struct pml_finding *finding, const struct pml_node *node, const struct pml_move *move,
                        struct pml_range *locals)
{
    const struct pml_stmt *stmt = move->stmt;
    if (stmt && stmt->kind == PML_CONDITION)
        assume(finding, stmt->value, true, locals);
    for (size_t m = 0; stmt && stmt->kind == PML_ELSE && !move->rank && m < node->moves.count; m++) {
        const struct pml_stmt *other = node->moves.items[m].stmt;
        if (other && other->kind == PML_CONDITION && !node->moves.items[m].rank)
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
    if (stmt->kind == PML_ASSIGN && is_followed(end) && end->owner == values->proctype && !stmt->place->below)
        locals[end->id] = fitted(finding, end, pml_values_of(values, stmt->value));
    if (stmt->kind == PML_DECLARE && is_followed(stmt->variable))
        locals[stmt->variable->id] =
            stmt->variable->initial ? fitted(finding, stmt->variable, pml_values_of(values, stmt->variable->initial))
                                    : (struct pml_range){0, 0};
    for (uint32_t i = 0; stmt->kind == PML_RECEIVE && i < stmt->argument_count; i++) {
        const struct pml_variable *got = stmt->arguments[i].place ? pml_place_end(stmt->arguments[i].place) : NULL;
        if (got && is_followed(got) && got->owner == values->proctype) /* anything that is ever assigned to it */
            locals[got->id] = values->leaves.items[got->leaf].range;
    }
}

static bool is_possible(const struct pml_proctype *proctype, const struct pml_range *locals)
{
    bool is_some = true;
    for (size_t i = 0; i < proctype->locals.count; i++)
        is_some &= !is_followed(proctype->locals.items[i]) || locals[i].lo <= locals[i].hi;
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
        if (!is_followed(variable) || (all.lo == old.lo && all.hi == old.hi))
            continue;
        station->locals[i] = widened(finding, old, all, pml_type_range(variable->type));
        finding->has_changed = true;
    }
    station->is_reached = true;
}

static void follow_node(struct pml_finding *finding, const struct pml_flow *flow, uint32_t number,
                        struct pml_range *locals)
{
    const struct pml_node *node = &flow->nodes.items[number];
    struct pml_values *values = finding->values;
    const struct pml_walk runs = {.user = finding, .expr = add_run};
    size_t size = flow->proctype->locals.count * sizeof *locals;
    for (size_t m = 0; m < node->moves.count; m++) {
        const struct pml_move *move = &node->moves.items[m];
        const struct pml_range *here = finding->stations[flow->proctype->id][number].locals;
        if (size)
            memcpy(locals, here, size);
        values->proctype = flow->proctype;
        values->here = here;
        assume_move(finding, node, move, locals);
        if (is_possible(flow->proctype, locals)) {
            values->here = locals;
            if (move->stmt) {
                pml_walk_stmt(&runs, move->stmt);
                add_stmt(finding, move->stmt);
                change(finding, move->stmt, locals);
            }
            arrive(finding, flow->proctype, move->target, locals);
        }
        values->here = NULL;
    }
}

/* The first values of the locals; of parameters, whatever they are ever given. */
static void follow_flow(struct pml_finding *finding, const struct pml_flow *flow)
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

static void make_stations(struct pml_finding *finding)
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

static int compare_bounds(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void add_leaf_of(struct pml_values *values, struct pml_variable *variable)
{
    variable->leaf = (uint32_t)values->leaves.count;
    VEC_PUSH(&values->leaves,
             ((struct pml_leaf){.type = pml_stored_type(variable->type, variable->length), .range = {0, -1}}));
}

static void make_leaves(struct pml_values *values, struct pml_model *model, struct pml_channels *channels)
{
    for (size_t i = 0; i < model->globals.count; i++)
        add_leaf_of(values, model->globals.items[i]);
    for (size_t r = 0; r < model->records.count; r++)
        for (size_t i = 0; i < model->records.items[r]->fields.count; i++)
            add_leaf_of(values, model->records.items[r]->fields.items[i]);
    for (size_t p = 0; p < model->proctypes.count; p++)
        for (size_t i = 0; i < model->proctypes.items[p]->locals.count; i++)
            add_leaf_of(values, model->proctypes.items[p]->locals.items[i]);
    for (size_t p = 0; p < channels->pools.count; p++) {
        struct pml_pool *pool = &channels->pools.items[p];
        pool->first_leaf = (uint32_t)values->leaves.count;
        for (uint32_t f = 0; f < pool->field_count; f++)
            VEC_PUSH(&values->leaves, ((struct pml_leaf){.type = pool->fields[f], .range = {0, -1}}));
    }
    for (size_t i = 0; i < values->leaves.count; i++) {
        size_t size = channels->declarations.count + 1;
        values->leaves.items[i].channels = ARENA_ARRAY(model->arena, bool, size);
        memset(values->leaves.items[i].channels, 0, size);
    }
}

static void initial_values(struct pml_finding *finding)
{
    struct pml_model *model = finding->model;
    for (size_t i = 0; i < model->globals.count; i++)
        add_initial(finding, model->globals.items[i]);
    for (size_t r = 0; r < model->records.count; r++)
        for (size_t i = 0; i < model->records.items[r]->fields.count; i++)
            add_initial(finding, model->records.items[r]->fields.items[i]);
    for (size_t p = 0; p < model->proctypes.count; p++)
        for (size_t i = 0; i < model->proctypes.items[p]->locals.count; i++)
            add_initial(finding, model->proctypes.items[p]->locals.items[i]);
}

bool pml_values_find(struct pml_values *values, struct pml_model *model, const struct pml_flow *flows,
                     const struct pml_cast *cast, struct pml_channels *channels, struct diagnostics *diagnostics)
{
    *values = (struct pml_values){.cast = cast, .channels = channels};
    struct pml_finding finding = {.values = values, .model = model, .flows = flows, .has_changed = true};
    const struct pml_walk reads = {.user = &finding, .expr = note_read};
    make_leaves(values, model, channels);
    make_stations(&finding);
    pml_walk_model(&reads, model);
    if (finding.bounds.count)
        qsort(finding.bounds.items, finding.bounds.count, sizeof *finding.bounds.items, compare_bounds);
    for (; finding.has_changed && !diag_is_late(diagnostics); finding.round++) {
        finding.has_changed = false;
        initial_values(&finding);
        for (size_t p = 0; p < model->proctypes.count; p++)
            follow_flow(&finding, &flows[p]);
    }
    for (size_t p = 0; p < model->proctypes.count; p++)
        free(finding.stations[p]);
    free(finding.stations);
    VEC_FREE(&finding.bounds);
    return !diagnostics->errors;
}

void pml_values_free(struct pml_values *values)
{
    VEC_FREE(&values->leaves);
}
