#include "bits/cnf.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void cnf_open(struct cnf *cnf, const struct aig *aig, struct solver *solver)
{
    *cnf = (struct cnf){.aig = aig, .solver = solver};
}

void cnf_close(struct cnf *cnf)
{
    free(cnf->literals);
    *cnf = (struct cnf){0};
}

static void cnf_make_room(struct cnf *cnf)
{
    size_t wanted = cnf->aig->nodes.count;
    if (cnf->count >= wanted)
        return;
    wanted += wanted / 2;
    cnf->literals = memory_resize(cnf->literals, wanted * sizeof *cnf->literals);
    memset(cnf->literals + cnf->count, 0, (wanted - cnf->count) * sizeof *cnf->literals);
    cnf->count = wanted;
}

void cnf_set(struct cnf *cnf, bit input, int literal)
{
    cnf_make_room(cnf);
    ENSURE(!cnf->literals[input >> 1]);
    cnf->literals[input >> 1] = input & 1u ? -literal : literal;
}

static int cnf_of(const struct cnf *cnf, bit f)
{
    return f & 1u ? -cnf->literals[f >> 1] : cnf->literals[f >> 1];
}

static void cnf_define(struct cnf *cnf, uint32_t node)
{
    int literal = solver_variable(cnf->solver);
    cnf->literals[node] = literal;
    if (!node) { /* the constant is false */
        solver_add_unit(cnf->solver, -literal);
        return;
    }
    if (aig_is_input(cnf->aig, node))
        return;
    int left = cnf_of(cnf, cnf->aig->nodes.items[node].left), right = cnf_of(cnf, cnf->aig->nodes.items[node].right);
    int all[3] = {literal, -left, -right};
    solver_add_pair(cnf->solver, -literal, left);
    solver_add_pair(cnf->solver, -literal, right);
    solver_add(cnf->solver, all, 3);
}

/* An operand that has no literal yet; 0: both have. */
static uint32_t cnf_missing(const struct cnf *cnf, uint32_t node)
{
    if (!node || aig_is_input(cnf->aig, node))
        return 0;
    uint32_t left = cnf->aig->nodes.items[node].left >> 1, right = cnf->aig->nodes.items[node].right >> 1;
    return !cnf->literals[left] ? left : !cnf->literals[right] ? right : 0;
}

int cnf_literal(struct cnf *cnf, bit f)
{
    VEC(uint32_t) pending = {0};
    cnf_make_room(cnf);
    if (!cnf->literals[f >> 1])
        VEC_PUSH(&pending, f >> 1);
    while (pending.count) {
        uint32_t node = VEC_LAST(&pending), missing = cnf_missing(cnf, node);
        if (missing) {
            VEC_PUSH(&pending, missing);
            continue;
        }
        if (!cnf->literals[node])
            cnf_define(cnf, node);
        pending.count--;
    }
    VEC_FREE(&pending);
    return cnf_of(cnf, f);
}

void cnf_require(struct cnf *cnf, bit f)
{
    if (f != BIT_TRUE)
        solver_add_unit(cnf->solver, cnf_literal(cnf, f));
}
