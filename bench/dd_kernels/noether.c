#include <stdlib.h>

#include "dd/dd.h"
#include "kernel.h"

const char *const kernel_name = "noether";

static struct dd_manager *m;

struct kernel_relation {
    dd relation, changed;
};

void kernel_start(uint32_t variables)
{
    m = dd_create(&(struct dd_options){.variables = variables, .nodes = 1 << 20});
}

void kernel_end(void)
{
    dd_destroy(m);
}

handle kernel_true(void)
{
    return DD_TRUE;
}

handle kernel_false(void)
{
    return DD_FALSE;
}

handle kernel_literal(uint32_t variable, bool positive)
{
    return dd_ref(m, dd_literal(m, variable, positive));
}

handle kernel_and(handle f, handle g)
{
    return dd_ref(m, dd_and(m, f, g));
}

handle kernel_or(handle f, handle g)
{
    return dd_ref(m, dd_or(m, f, g));
}

handle kernel_not(handle f)
{
    return dd_ref(m, dd_not(f));
}

void kernel_release(handle f)
{
    dd_unref(m, f);
}

double kernel_count(handle f)
{
    uint32_t count = dd_variable_count(m), *all = malloc(count * sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    dd_ref(m, f);
    double result = dd_count_double(m, f, dd_cube(m, all, count));
    dd_unref(m, f);
    free(all);
    return result;
}

struct kernel_relation *kernel_relation(handle relation, const uint32_t *current, uint32_t count)
{
    struct kernel_relation *r = malloc(sizeof *r);
    *r = (struct kernel_relation){relation, dd_ref(m, dd_cube(m, current, count))};
    return r;
}

handle kernel_next(handle states, const struct kernel_relation *relation)
{
    return dd_ref(m, dd_next(m, states, relation->relation, relation->changed));
}

void kernel_relation_release(struct kernel_relation *relation)
{
    kernel_release(relation->relation);
    dd_unref(m, relation->changed);
    free(relation);
}
