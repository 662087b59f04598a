#include <bdd.h>
#include <stdlib.h>

#include "kernel.h"

const char *const kernel_name = "buddy";

struct kernel_relation {
    BDD relation, current;
    bddPair *next_to_current;
};

/* As much room at the start as the other kernel gets, steps of doubling (its default of 50,000 nodes at a time makes it
 * collect without end), and a cache that grows with the nodes, as its manual advises. */
void kernel_start(uint32_t variables)
{
    bdd_init(1 << 20, 1 << 18);
    bdd_setmaxincrease(1 << 24);
    bdd_setcacheratio(4);
    bdd_gbc_hook(NULL);
    bdd_resize_hook(NULL);
    bdd_setvarnum((int)variables);
}

void kernel_end(void)
{
    bdd_done();
}

handle kernel_true(void)
{
    return (handle)bddtrue;
}

handle kernel_false(void)
{
    return (handle)bddfalse;
}

handle kernel_literal(uint32_t variable, bool positive)
{
    return (handle)(positive ? bdd_ithvar((int)variable) : bdd_nithvar((int)variable));
}

handle kernel_and(handle f, handle g)
{
    return (handle)bdd_addref(bdd_and((BDD)f, (BDD)g));
}

handle kernel_or(handle f, handle g)
{
    return (handle)bdd_addref(bdd_or((BDD)f, (BDD)g));
}

handle kernel_not(handle f)
{
    return (handle)bdd_addref(bdd_not((BDD)f));
}

void kernel_release(handle f)
{
    bdd_delref((BDD)f);
}

double kernel_count(handle f)
{
    return bdd_satcount((BDD)f);
}

struct kernel_relation *kernel_relation(handle relation, const uint32_t *current, uint32_t count)
{
    struct kernel_relation *r = malloc(sizeof *r);
    int *cur = malloc(count * sizeof *cur), *next = malloc(count * sizeof *next);
    for (uint32_t i = 0; i < count; i++) {
        cur[i] = (int)current[i];
        next[i] = (int)current[i] + 1;
    }
    r->relation = (BDD)relation;
    r->current = bdd_addref(bdd_makeset(cur, (int)count));
    r->next_to_current = bdd_newpair();
    bdd_setpairs(r->next_to_current, next, cur, (int)count);
    free(cur);
    free(next);
    return r;
}

handle kernel_next(handle states, const struct kernel_relation *relation)
{
    BDD image = bdd_addref(bdd_relprod((BDD)states, relation->relation, relation->current));
    BDD renamed = bdd_addref(bdd_replace(image, relation->next_to_current));
    bdd_delref(image);
    return (handle)renamed;
}

void kernel_relation_release(struct kernel_relation *relation)
{
    bdd_delref(relation->relation);
    bdd_delref(relation->current);
    bdd_freepair(relation->next_to_current);
    free(relation);
}
