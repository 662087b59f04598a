/* Looking at diagrams: sizes, supports, values, single solutions. */
#include <stdlib.h>
#include <string.h>

#include "dd/inner.h"

struct inspect_visit {
    struct dd_manager *m;
    uint64_t *seen; /* one bit for each node, or for each handle */
    uint64_t count;
    bool *variables; /* by index */
};

static void visit_start(struct inspect_visit *visit, struct dd_manager *m)
{
    *visit = (struct inspect_visit){.m = m};
    visit->seen = memory_zeroed(m->capacity / 32, sizeof *visit->seen);
    visit->variables = memory_zeroed(m->variables + 1, sizeof *visit->variables);
}

static void visit_end(struct inspect_visit *visit)
{
    free(visit->seen);
    free(visit->variables);
}

static void visit_nodes(struct inspect_visit *visit, dd f)
{
    for (;;) {
        uint32_t number = f >> 1;
        const struct dd_node *node = &visit->m->nodes[number];
        if (!node->index || (visit->seen[number / 64] >> (number % 64) & 1))
            return;
        visit->seen[number / 64] |= UINT64_C(1) << (number % 64);
        visit->count++;
        visit->variables[node->index] = true;
        visit_nodes(visit, node->low);
        f = node->high;
    }
}

/* Each node counts once as itself and once as its complement. */
static void visit_edges(struct inspect_visit *visit, dd f)
{
    for (;;) {
        const struct dd_node *node = dd_at(visit->m, f);
        if (!node->index || (visit->seen[f / 64] >> (f % 64) & 1))
            return;
        visit->seen[f / 64] |= UINT64_C(1) << (f % 64);
        visit->count++;
        visit_edges(visit, node->low ^ (f & 1u));
        f = node->high ^ (f & 1u);
    }
}

struct visit_call {
    struct inspect_visit *visit;
    void (*of)(struct inspect_visit *visit, dd f);
    const dd *functions;
    size_t count;
};

static void visit_now(void *data)
{
    const struct visit_call *call = data;
    for (size_t i = 0; i < call->count; i++)
        if (call->functions[i] != DD_NONE)
            call->of(call->visit, call->functions[i]);
}

static void visit_all(struct inspect_visit *visit, void (*of)(struct inspect_visit *, dd), const dd *functions,
                      size_t count)
{
    struct visit_call call = {visit, of, functions, count};
    dd_deep_call(visit->m, visit_now, &call);
}

/* Shared ones once. */
static uint64_t dd_size_all(struct dd_manager *m, const dd *functions, size_t count)
{
    struct inspect_visit visit;
    visit_start(&visit, m);
    visit_all(&visit, visit_nodes, functions, count);
    visit_end(&visit);
    return visit.count;
}

uint64_t dd_size_plain(struct dd_manager *m, dd f)
{
    struct inspect_visit visit;
    visit_start(&visit, m);
    visit_all(&visit, visit_edges, &f, 1);
    visit_end(&visit);
    return visit.count;
}

uint64_t dd_size(struct dd_manager *m, dd f)
{
    return dd_size_all(m, &f, 1);
}

dd dd_support(struct dd_manager *m, dd f)
{
    if (f == DD_NONE)
        return f;
    struct inspect_visit visit;
    visit_start(&visit, m);
    visit_all(&visit, visit_nodes, &f, 1);
    dd cube = DD_TRUE;
    for (uint32_t level = m->variables; level-- > 0 && cube != DD_NONE;)
        if (visit.variables[level + 1])
            cube = dd_run(m, dd_step_make, 2, DD_FALSE, cube, level + 1);
    visit_end(&visit);
    return cube;
}

static dd walk(const struct dd_manager *m, dd f, const bool *values)
{
    while (dd_at(m, f)->index) {
        const struct dd_node *node = dd_at(m, f);
        f = (values[node->index - 1] ? node->high : node->low) ^ (f & 1u);
    }
    return f;
}

bool dd_evaluate(struct dd_manager *m, dd f, const bool *values)
{
    dd end = walk(m, f, values);
    ENSURE(end <= DD_TRUE);
    return end == DD_TRUE;
}

double dd_evaluate_leaf(struct dd_manager *m, dd f, const bool *values)
{
    return dd_leaf_value(m, walk(m, f, values));
}

bool dd_pick_values(struct dd_manager *m, dd f, int8_t *values)
{
    memset(values, -1, m->variables);
    if (f == DD_FALSE || f == DD_NONE)
        return false;
    while (dd_at(m, f)->index) {
        const struct dd_node *node = dd_at(m, f);
        dd low = node->low ^ (f & 1u), high = node->high ^ (f & 1u);
        values[node->index - 1] = low == DD_FALSE;
        f = low == DD_FALSE ? high : low;
    }
    return true;
}

bool dd_is_constant(const struct dd_manager *m, dd f)
{
    return !dd_at(m, f)->index;
}

uint32_t dd_top(const struct dd_manager *m, dd f)
{
    ENSURE(dd_at(m, f)->index);
    return dd_at(m, f)->index - 1;
}

dd dd_low(const struct dd_manager *m, dd f)
{
    return dd_at(m, f)->low ^ (f & 1u);
}

dd dd_high(const struct dd_manager *m, dd f)
{
    return dd_at(m, f)->high ^ (f & 1u);
}

/* --- leaves --- */

struct leaf_list {
    struct inspect_visit visit;
    VEC(double) values;
};

static void visit_leaves(struct leaf_list *list, dd f)
{
    struct inspect_visit *visit = &list->visit;
    for (;;) {
        uint32_t number = f >> 1;
        const struct dd_node *node = &visit->m->nodes[number];
        if (visit->seen[number / 64] >> (number % 64) & 1)
            return;
        visit->seen[number / 64] |= UINT64_C(1) << (number % 64);
        if (!node->index) {
            VEC_PUSH(&list->values, dd_leaf_value(visit->m, f));
            return;
        }
        visit_leaves(list, node->low);
        f = node->high;
    }
}

struct leaf_call {
    struct leaf_list *list;
    dd f;
};

static void visit_leaves_now(void *data)
{
    struct leaf_call *call = data;
    visit_leaves(call->list, call->f);
}

static int value_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *dd_leaf_values(struct dd_manager *m, dd f, size_t *count)
{
    struct leaf_list list = {0};
    struct leaf_call call = {&list, f};
    dd_expect(m, f, true);
    visit_start(&list.visit, m);
    if (f != DD_NONE)
        dd_deep_call(m, visit_leaves_now, &call);
    visit_end(&list.visit);
    if (list.values.count)
        qsort(list.values.items, list.values.count, sizeof *list.values.items, value_compare);
    *count = list.values.count;
    return list.values.items;
}
