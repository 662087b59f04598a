/* Couvreur's tableau. */
#include "logic/tableau.h"

#include <string.h>

#include "base/watch.h"
#include "logic/pool.h"

/* What one way to read a letter asks for. */
struct demand {
    struct logic_label label;
    uint64_t put_off; /* marks of UNTILs */
    uint32_t next;    /* a set */
};

struct tableau_builder {
    struct logic *logic;
    struct words sets;   /* sorted sets of formulas */
    struct pairs states; /* set to state */
    VEC(uint32_t) order; /* state to set */
    struct pairs marks;  /* UNTIL to its mark */
    uint32_t mark_count;
    bool has_failed;
    VEC(struct demand) demands; /* of the state that is taken apart */
    /* The branch that is being followed: what is still to be taken apart (a stack), what was, and what comes next. */
    VEC(logic_formula) todo, done, next;
};

enum { MOST_DEMANDS = 1 << 14 };

static uint32_t state_of(struct tableau_builder *builder, uint32_t set)
{
    uint32_t state = pairs_get(&builder->states, set);
    if (state == WORDS_NONE) {
        state = (uint32_t)builder->order.count;
        pairs_set(&builder->states, set, state);
        VEC_PUSH(&builder->order, set);
    }
    return state;
}

static uint64_t mark_of(struct tableau_builder *builder, logic_formula until)
{
    uint32_t mark = pairs_get(&builder->marks, pairs_key(0, until));
    if (mark == WORDS_NONE) {
        mark = builder->mark_count++;
        pairs_set(&builder->marks, pairs_key(0, until), mark);
    }
    if (mark >= 64) {
        builder->has_failed = true;
        return 0;
    }
    return UINT64_C(1) << mark;
}

/* Is everything that b asks for asked for by a, too, so that b accepts all that a does? */
static bool asks_for_more(const struct tableau_builder *builder, const struct demand *a, const struct demand *b)
{
    if ((b->label.positive & ~a->label.positive) || (b->label.negative & ~a->label.negative) ||
        (b->put_off & ~a->put_off))
        return false;
    const uint32_t *more = words_at(&builder->sets, a->next), *less = words_at(&builder->sets, b->next);
    uint32_t more_count = words_length(&builder->sets, a->next), less_count = words_length(&builder->sets, b->next),
             i = 0;
    for (uint32_t k = 0; k < less_count; k++) {
        while (i < more_count && more[i] < less[k])
            i++;
        if (i == more_count || more[i] != less[k])
            return false;
    }
    return true;
}

/* Keeps the demands of which none asks for more than another. */
static void add_demand(struct tableau_builder *builder, struct demand demand)
{
    size_t kept = 0;
    for (size_t i = 0; i < builder->demands.count; i++)
        if (asks_for_more(builder, &demand, &builder->demands.items[i]))
            return; /* none was dropped before: it would ask for more than this one, which does so than that one */
    for (size_t i = 0; i < builder->demands.count; i++)
        if (!asks_for_more(builder, &builder->demands.items[i], &demand))
            builder->demands.items[kept++] = builder->demands.items[i];
    builder->demands.count = kept;
    VEC_PUSH(&builder->demands, demand);
    builder->has_failed |= kept >= MOST_DEMANDS;
}

static bool is_done(const struct tableau_builder *builder, logic_formula formula)
{
    if (formula == LOGIC_TRUE)
        return true;
    for (size_t i = 0; i < builder->done.count; i++)
        if (builder->done.items[i] == formula)
            return true;
    return false;
}

static void follow(struct tableau_builder *builder, struct logic_label label, uint64_t put_off);

/* Goes on with more to be taken apart and more for the next state, and comes back. LOGIC_NONE: nothing. */
static void branch(struct tableau_builder *builder, struct logic_label label, uint64_t put_off, logic_formula first,
                   logic_formula second, logic_formula next)
{
    size_t todo = builder->todo.count, done = builder->done.count, nexts = builder->next.count;
    logic_formula *rest = memory_alloc((todo + 1) * sizeof *rest);
    memcpy(rest, builder->todo.items, todo * sizeof *rest);
    if (first != LOGIC_NONE)
        VEC_PUSH(&builder->todo, first);
    if (second != LOGIC_NONE)
        VEC_PUSH(&builder->todo, second);
    if (next != LOGIC_NONE)
        VEC_PUSH(&builder->next, next);
    follow(builder, label, put_off);
    VEC_CLEAR(&builder->todo);
    for (size_t i = 0; i < todo; i++)
        VEC_PUSH(&builder->todo, rest[i]);
    builder->done.count = done;
    builder->next.count = nexts;
    free(rest);
}

/* a U b: b now, or a now and the same later. a R b: b, and a or the same later. */
static void follow_fixpoint(struct tableau_builder *builder, struct logic_label label, uint64_t put_off,
                            logic_formula formula, const struct logic_node *node)
{
    if (node->kind == LOGIC_UNTIL) {
        uint64_t mark = mark_of(builder, formula);
        branch(builder, label, put_off, node->right, LOGIC_NONE, LOGIC_NONE);
        if (!is_done(builder, node->right))
            branch(builder, label, put_off | mark, node->left, LOGIC_NONE, formula);
    } else {
        branch(builder, label, put_off, node->right, node->left, LOGIC_NONE);
        if (!is_done(builder, node->left))
            branch(builder, label, put_off, node->right, LOGIC_NONE, formula);
    }
}

/* Is the formula implied by another that stays? Of two that imply each other the first one stays. */
static bool is_implied(struct logic *logic, const logic_formula *items, size_t count, size_t position)
{
    for (size_t i = 0; i < count; i++)
        if (i != position && logic_implies(logic, items[i], items[position]) &&
            (i < position || !logic_implies(logic, items[position], items[i])))
            return true;
    return false;
}

/* The branch is complete: what comes next is a state. What others imply is left out: F a beside G F a would make a
 * state for every set of such formulas that are put off. Whoever implies it is taken apart in its stead, and the marks
 * are those of the edges. */
static void finish(struct tableau_builder *builder, struct logic_label label, uint64_t put_off)
{
    struct logic_operands operands = {0};
    for (size_t i = 0; i < builder->next.count; i++)
        logic_collect(builder->logic, LOGIC_AND, builder->next.items[i], &operands);
    VEC(logic_formula) kept = {0};
    size_t count = words_sort_unique(operands.list.items, operands.list.count);
    for (size_t i = 0; i < count; i++)
        if (operands.list.items[i] != LOGIC_TRUE && !is_implied(builder->logic, operands.list.items, count, i))
            VEC_PUSH(&kept, operands.list.items[i]);
    uint32_t next = words_intern(&builder->sets, kept.items, (uint32_t)kept.count);
    VEC_FREE(&kept);
    VEC_FREE(&operands.list);
    add_demand(builder, (struct demand){.label = label, .put_off = put_off, .next = next});
}

static void follow_literal(struct tableau_builder *builder, struct logic_label label, uint64_t put_off,
                           const struct logic_node *node)
{
    uint64_t bit = UINT64_C(1) << node->left;
    *(node->kind == LOGIC_ATOM ? &label.positive : &label.negative) |= bit;
    if (!(label.positive & label.negative))
        follow(builder, label, put_off);
}

/* Takes the next formula apart. */
static void follow(struct tableau_builder *builder, struct logic_label label, uint64_t put_off)
{
    if (builder->has_failed || (builder->has_failed = watch_is_up()))
        return;
    logic_formula formula = LOGIC_TRUE;
    while (builder->todo.count && is_done(builder, formula))
        formula = VEC_POP(&builder->todo);
    if (is_done(builder, formula)) {
        finish(builder, label, put_off);
        return;
    }
    VEC_PUSH(&builder->done, formula);
    const struct logic_node *node = logic_node(builder->logic, formula);
    switch (node->kind) {
    case LOGIC_ATOM:
    case LOGIC_NOT:
        follow_literal(builder, label, put_off, node);
        break;
    case LOGIC_AND:
        branch(builder, label, put_off, node->left, node->right, LOGIC_NONE);
        break;
    case LOGIC_OR:
        branch(builder, label, put_off, node->left, LOGIC_NONE, LOGIC_NONE);
        branch(builder, label, put_off, node->right, LOGIC_NONE, LOGIC_NONE);
        break;
    case LOGIC_NEXT:
        branch(builder, label, put_off, LOGIC_NONE, LOGIC_NONE, node->left);
        break;
    case LOGIC_UNTIL:
    case LOGIC_RELEASE:
        follow_fixpoint(builder, label, put_off, formula, node);
        break;
    default: /* false: no branch; true was skipped */
        break;
    }
}

static void expand(struct tableau_builder *builder, uint32_t state, struct ltl_tableau *tableau)
{
    VEC_CLEAR(&builder->demands);
    VEC_CLEAR(&builder->todo);
    VEC_CLEAR(&builder->done);
    VEC_CLEAR(&builder->next);
    uint32_t set = builder->order.items[state];
    for (uint32_t i = words_length(&builder->sets, set); i-- > 0;)
        VEC_PUSH(&builder->todo, words_at(&builder->sets, set)[i]);
    follow(builder, (struct logic_label){0}, 0);
    for (size_t i = 0; i < builder->demands.count; i++) {
        const struct demand *demand = &builder->demands.items[i];
        uint32_t target = state_of(builder, demand->next);
        VEC_PUSH(&tableau->edges, ((struct tableau_edge){state, {demand->label, demand->put_off, target}}));
    }
}

/* Until now the edges have what they put off. */
static void set_marks(const struct tableau_builder *builder, struct ltl_tableau *tableau)
{
    tableau->mark_count = builder->mark_count;
    uint64_t all = marks_all(builder->mark_count);
    for (size_t i = 0; i < tableau->edges.count; i++)
        tableau->edges.items[i].edge.marks = all & ~tableau->edges.items[i].edge.marks;
}

bool tableau_build(struct logic *logic, logic_formula formula, uint32_t most, struct ltl_tableau *tableau)
{
    struct tableau_builder builder = {.logic = logic};
    *tableau = (struct ltl_tableau){0};
    VEC_PUSH(&builder.next, formula);
    finish(&builder, (struct logic_label){0}, 0);
    state_of(&builder, builder.demands.items[0].next); /* the set of the formula is state 0 */
    for (uint32_t state = 0; state < builder.order.count && !builder.has_failed; state++) {
        expand(&builder, state, tableau);
        builder.has_failed |= builder.order.count > most;
    }
    tableau->state_count = (uint32_t)builder.order.count;
    set_marks(&builder, tableau);
    bool is_complete = !builder.has_failed;
    words_free(&builder.sets);
    pairs_free(&builder.states);
    pairs_free(&builder.marks);
    VEC_FREE(&builder.order);
    VEC_FREE(&builder.demands);
    VEC_FREE(&builder.todo);
    VEC_FREE(&builder.done);
    VEC_FREE(&builder.next);
    return is_complete;
}

void tableau_free(struct ltl_tableau *tableau)
{
    VEC_FREE(&tableau->edges);
}
