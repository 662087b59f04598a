#include "lang/promela/flow.h"

#include <string.h>

#include "base/report.h"
#include "lang/promela/set_loop.h"
#include "lang/promela/walk.h"

/* What surrounds a statement. */
struct pml_around {
    const struct pml_stmt *dstep;
    bool is_atomic;
    uint32_t loop_end; /* where break leads; PML_NOWHERE: no loop is around */
};

struct pml_flowing {
    struct pml_flow *flow;
    struct diagnostics *diagnostics;
};

/* Control stands before a block, then in it: where the block begins with a loop, these are two places. */
static bool has_node(const struct pml_stmt *stmt)
{
    return stmt->kind != PML_UNLESS;
}

static bool is_block(const struct pml_stmt *stmt)
{
    return stmt->kind == PML_ATOMIC || stmt->kind == PML_DSTEP || stmt->kind == PML_BLOCK;
}

static bool is_choice(const struct pml_stmt *stmt)
{
    return stmt->kind == PML_IF || stmt->kind == PML_DO;
}

static struct pml_node *node_at(const struct pml_flow *flow, uint32_t number)
{
    return &flow->nodes.items[number];
}

/* Calls `visit` for the blocks in the statement. */
static void visit_blocks(struct pml_stmt *stmt, void (*visit)(void *user, struct pml_block *block), void *user)
{
    for (uint32_t i = 0; i < stmt->option_count; i++)
        visit(user, &stmt->options[i]);
    visit(user, &stmt->body);
    visit(user, &stmt->escape);
}

/* The node of the end of an if or do stands behind that of the choice itself. */
static uint32_t end_of_choice(const struct pml_stmt *stmt)
{
    return stmt->node + 1;
}

/* The last node of the statement, in the text. */
static uint32_t last_of(const struct pml_stmt *stmt)
{
    while (is_block(stmt))
        stmt = stmt->body.items[stmt->body.count - 1];
    return is_choice(stmt) ? end_of_choice(stmt) : stmt->kind == PML_UNLESS ? stmt->end : stmt->node;
}

static void mark_labels(struct pml_node *node, const struct pml_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->label_count; i++) {
        const char *name = stmt->labels[i].name;
        node->is_end |= !strncmp(name, "end", 3);
        node->is_accept |= !strncmp(name, "accept", 6);
        node->is_progress |= !strncmp(name, "progress", 8);
    }
}

static void add_node(struct pml_flow *flow, struct pml_stmt *stmt, const struct pml_stmt *where,
                     struct pml_around around)
{
    struct pml_node node = {.span = where->span,
                            .stmt = stmt,
                            .number = where->number + (stmt                    ? 0
                                                       : where->kind == PML_DO ? 2
                                                                               : 1),
                            .dstep = around.dstep,
                            .is_in_atomic = around.is_atomic,
                            .is_atomic = around.is_atomic,
                            .is_passed = !stmt || stmt->kind == PML_GOTO || stmt->kind == PML_BREAK};
    VEC_PUSH(&flow->nodes, node);
}

static void number_block(struct pml_flow *flow, struct pml_block *block, struct pml_around around)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct pml_stmt *stmt = block->items[i];
        struct pml_around inner = around;
        stmt->node = (uint32_t)flow->nodes.count;
        stmt->is_in_atomic = around.is_atomic;
        if (has_node(stmt))
            add_node(flow, stmt, stmt, around);
        if (is_choice(stmt))
            add_node(flow, NULL, stmt, around);
        inner.is_atomic |= stmt->kind == PML_ATOMIC;
        if (stmt->kind == PML_DSTEP && !around.dstep)
            inner.dstep = stmt;
        flow->has_atomic |= stmt->kind == PML_ATOMIC || stmt->kind == PML_DSTEP;
        for (uint32_t o = 0; o < stmt->option_count; o++)
            number_block(flow, &stmt->options[o], inner);
        number_block(flow, &stmt->body, inner);
        number_block(flow, &stmt->escape, inner);
        stmt->end = (uint32_t)flow->nodes.count;
        if (stmt->kind == PML_UNLESS)
            add_node(flow, NULL, stmt, around);
        mark_labels(node_at(flow, stmt->node), stmt);
        if (stmt->kind == PML_ATOMIC && !around.is_atomic)
            node_at(flow, last_of(stmt))->is_atomic = false;
        for (uint32_t n = stmt->node + 1; stmt->kind == PML_DSTEP && !around.dstep && n < flow->nodes.count; n++)
            node_at(flow, n)->is_atomic = around.is_atomic;
    }
}

struct pml_search {
    const char *label;
    struct pml_stmt *found;
};

static void search_block(void *user, struct pml_block *block)
{
    struct pml_search *search = user;
    for (uint32_t i = 0; i < block->count && !search->found; i++) {
        struct pml_stmt *stmt = block->items[i];
        for (uint32_t l = 0; l < stmt->label_count && !search->found; l++)
            if (!strcmp(stmt->labels[l].name, search->label))
                search->found = stmt;
        if (!search->found)
            visit_blocks(stmt, search_block, user);
    }
}

static struct pml_stmt *labelled(const struct pml_flow *flow, const char *label)
{
    struct pml_search search = {.label = label};
    struct pml_block body = flow->proctype->body;
    search_block(&search, &body);
    return search.found;
}

/* Is the statement one that keeps control? An atomic sequence itself is not. */
static bool is_atomic_element(const struct pml_flow *flow, const struct pml_stmt *stmt)
{
    return node_at(flow, stmt->node)->is_atomic;
}

/* A goto out of an atomic sequence ends it; one from its end into another leads over. */
static void link_goto(struct pml_flow *flow, struct pml_stmt *stmt)
{
    struct pml_node *node = node_at(flow, stmt->node);
    struct pml_stmt *target = labelled(flow, stmt->label);
    node->after = target ? target->node : flow->end;
    node->is_after_atomic = target && is_atomic_element(flow, target);
    if (node->is_in_atomic)
        node->is_atomic = target && target->is_in_atomic;
}

/* A node, and whether it keeps control. */
struct pml_next {
    uint32_t node;
    bool is_atomic;
};

static void set_after(struct pml_flow *flow, uint32_t number, struct pml_next next)
{
    node_at(flow, number)->after = next.node;
    node_at(flow, number)->is_after_atomic = next.is_atomic;
}

static struct pml_next node_itself(const struct pml_flow *flow, uint32_t number)
{
    return (struct pml_next){number, number != PML_NOWHERE && node_at(flow, number)->is_atomic};
}

/* What comes behind each node in the text. */
static void link_block(struct pml_flow *flow, struct pml_block *block, struct pml_next next, struct pml_around around)
{
    for (uint32_t i = block->count; i-- > 0;) {
        struct pml_stmt *stmt = block->items[i];
        struct pml_around inner = around;
        if (stmt->kind == PML_GOTO)
            link_goto(flow, stmt);
        else if (has_node(stmt))
            set_after(flow, stmt->node, stmt->kind == PML_BREAK ? node_itself(flow, around.loop_end) : next);
        if (is_choice(stmt))
            set_after(flow, end_of_choice(stmt), next);
        if (stmt->kind == PML_DO)
            inner.loop_end = end_of_choice(stmt);
        for (uint32_t o = 0; o < stmt->option_count; o++)
            link_block(flow, &stmt->options[o],
                       node_itself(flow, stmt->kind == PML_DO ? stmt->node : end_of_choice(stmt)), inner);
        struct pml_next behind = next;
        if (stmt->kind == PML_UNLESS) {
            set_after(flow, stmt->end, next);
            behind = node_itself(flow, stmt->end);
        }
        link_block(flow, &stmt->body, behind, inner);
        link_block(flow, &stmt->escape, behind, inner);
        next = (struct pml_next){stmt->node, is_atomic_element(flow, stmt)};
    }
}

/* Jumps are followed, unless that would end an atomic sequence: then the jump is a step. */
static uint32_t pass(struct pml_flowing *flowing, uint32_t number, bool is_atomic)
{
    const struct pml_flow *flow = flowing->flow;
    for (size_t steps = 0; steps <= flow->nodes.count; steps++) {
        const struct pml_node *node = node_at(flow, number);
        if (!node->is_passed || (is_atomic && !node->is_after_atomic))
            return number;
        number = node->after;
    }
    report_error(flowing->diagnostics, node_at(flow, number)->span, "these jumps lead to themselves");
    return flow->end;
}

static void add_move(struct pml_flowing *flowing, uint32_t number)
{
    struct pml_node *node = node_at(flowing->flow, number);
    struct pml_move move = {.stmt = node->stmt, .number = node->number, .dstep = node->dstep};
    move.target = pass(flowing, node->after, node->is_atomic);
    move.keeps = node->is_atomic || (node->dstep && node_at(flowing->flow, move.target)->dstep == node->dstep);
    VEC_PUSH(&node->moves, move);
}

static void take_moves(struct pml_flow *flow, uint32_t into, uint32_t from, uint32_t rank)
{
    for (size_t i = 0; i < node_at(flow, from)->moves.count; i++) {
        struct pml_move move = node_at(flow, from)->moves.items[i];
        if (rank) {
            move.rank = rank;
            move.escape = node_at(flow, from)->number;
        }
        VEC_PUSH(&node_at(flow, into)->moves, move);
    }
}

/* Wherever control stands in the body, the escape may be taken; the outer one of two before the inner. */
static void add_escape(struct pml_flow *flow, struct pml_stmt *stmt)
{
    uint32_t begin = stmt->body.items[0]->node, end = stmt->escape.items[0]->node, rank = 0;
    for (uint32_t n = begin; n < end; n++)
        for (size_t m = 0; m < node_at(flow, n)->moves.count; m++)
            if (node_at(flow, n)->moves.items[m].rank > rank)
                rank = node_at(flow, n)->moves.items[m].rank;
    for (uint32_t n = begin; n < end; n++)
        if (!node_at(flow, n)->is_passed && !node_at(flow, n)->dstep)
            take_moves(flow, n, end, rank + 1);
}

/* SPIN gives the labels of an option's first statement to where it leads: a label in front of a block or choice is that
 * of the first statement in it. A d_step is one statement. */
static void pass_labels(struct pml_flowing *flowing, const struct pml_stmt *labelled, const struct pml_stmt *stmt)
{
    struct pml_flow *flow = flowing->flow;
    if (!labelled->label_count)
        return;
    for (uint32_t o = 0; o < stmt->option_count; o++) {
        mark_labels(node_at(flow, stmt->options[o].items[0]->node), labelled);
        pass_labels(flowing, labelled, stmt->options[o].items[0]);
    }
    if (stmt->kind == PML_DSTEP)
        mark_labels(
            node_at(flow, pass(flowing, node_at(flow, stmt->node)->after, node_at(flow, stmt->node)->is_atomic)),
            labelled);
    else if (is_block(stmt) || stmt->kind == PML_UNLESS)
        pass_labels(flowing, labelled, stmt->body.items[0]);
    else if (!is_choice(stmt))
        mark_labels(node_at(flow, node_at(flow, stmt->node)->moves.items[0].target), labelled);
}

static bool begins_with_else(const struct pml_block *option)
{
    return option->items[0]->kind == PML_ELSE;
}

/* In a d_step pan enters the choice at the beginning of an option without a look at what is possible there. */
static bool begins_with_choice(const struct pml_block *option)
{
    const struct pml_stmt *first = option->items[0];
    while (is_block(first))
        first = first->body.items[0];
    return is_choice(first);
}

/* Moves are in pan's order: an `else` comes last of the options of its choice; what is nested stays in its place. */
static void connect_options(struct pml_flowing *flowing, struct pml_stmt *stmt)
{
    struct pml_flow *flow = flowing->flow;
    bool is_shadowed = false;
    for (uint32_t o = 0; o < 2 * stmt->option_count; o++) {
        const struct pml_block *option = &stmt->options[o % stmt->option_count];
        if (begins_with_else(option) != (o >= stmt->option_count))
            continue;
        size_t first = node_at(flow, stmt->node)->moves.count;
        pass_labels(flowing, option->items[0], option->items[0]);
        take_moves(flow, stmt->node, option->items[0]->node, 0);
        for (size_t m = first; is_shadowed && m < node_at(flow, stmt->node)->moves.count; m++)
            node_at(flow, stmt->node)->moves.items[m].is_shadowed = true;
        is_shadowed |= node_at(flow, stmt->node)->dstep && begins_with_choice(option);
    }
}

static void connect_block(struct pml_flowing *flowing, struct pml_block *block)
{
    struct pml_flow *flow = flowing->flow;
    for (uint32_t i = 0; i < block->count; i++) {
        struct pml_stmt *stmt = block->items[i];
        for (uint32_t o = 0; o < stmt->option_count; o++)
            connect_block(flowing, &stmt->options[o]);
        connect_options(flowing, stmt);
        connect_block(flowing, &stmt->body);
        connect_block(flowing, &stmt->escape);
        if (stmt->kind == PML_UNLESS)
            add_move(flowing, stmt->end);
        if (is_choice(stmt))
            add_move(flowing, end_of_choice(stmt));
        else if (is_block(stmt))
            take_moves(flow, stmt->node, stmt->body.items[0]->node, 0);
        else if (has_node(stmt))
            add_move(flowing, stmt->node);
        if (stmt->kind == PML_UNLESS)
            add_escape(flow, stmt);
    }
}

/* pan adds escapes to its states in the order of their numbers, with those that the first state of an escape has by
 * then: at a state behind that, outer escapes count as this one. So it is where control stands before an unless, at a
 * label. */
static void join_escapes(struct pml_node *node)
{
    uint32_t rank = UINT32_MAX;
    for (size_t m = 0; m < node->moves.count; m++) {
        const struct pml_move *move = &node->moves.items[m];
        if (move->rank && move->rank < rank && move->escape < node->number)
            rank = move->rank;
    }
    for (size_t m = 0; m < node->moves.count; m++)
        if (node->moves.items[m].rank > rank)
            node->moves.items[m].rank = rank;
}

bool pml_goes_first(const struct pml_node *node, size_t other, size_t move)
{
    const struct pml_move *own = &node->moves.items[move];
    bool is_before = other < move, is_else = own->stmt && own->stmt->kind == PML_ELSE;
    if (other == move || node->moves.items[other].rank != own->rank)
        return false;
    if (own->dstep)
        return is_before && node->moves.items[other].dstep == own->dstep;
    return is_else && is_before == !own->rank; /* pan puts the moves of an escape in front, one by one */
}

/* pan looks for this error before it starts. */
static void refuse_two_else(struct pml_flowing *flowing, const struct pml_node *node)
{
    const struct pml_stmt *found = NULL;
    for (size_t m = 0; m < node->moves.count; m++) {
        const struct pml_stmt *stmt = node->moves.items[m].stmt;
        if (node->moves.items[m].dstep || !stmt || stmt->kind != PML_ELSE)
            continue;
        if (found && !flowing->diagnostics->errors) {
            diag_error(flowing->diagnostics, stmt->span,
                       "two \"else\" can be taken at one place: this one and that of line %u", found->span.line);
            diag_hint(flowing->diagnostics,
                      "pan refuses it, too: write a statement before the inner choice, as in :: true -> if ... fi");
        }
        found = stmt;
    }
}

static void mark_inside(struct pml_flow *flow)
{
    for (size_t i = 0; i < flow->nodes.count; i++)
        for (size_t m = 0; m < flow->nodes.items[i].moves.count; m++) {
            const struct pml_move *move = &flow->nodes.items[i].moves.items[m];
            struct pml_node *target = node_at(flow, move->target);
            target->is_inside |= move->dstep && target->dstep == move->dstep;
        }
}

static void reach(struct pml_flow *flow)
{
    VEC(uint32_t) todo = {0};
    node_at(flow, flow->entry)->is_reached = true;
    VEC_PUSH(&todo, flow->entry);
    while (todo.count) {
        const struct pml_node *node = node_at(flow, VEC_POP(&todo));
        for (size_t m = 0; m < node->moves.count; m++) {
            uint32_t target = node->moves.items[m].target;
            if (node_at(flow, target)->is_reached || node->moves.items[m].is_shadowed ||
                ((node->loop || node->choice) && &node->moves.items[m] != pml_fused_move(node)))
                continue;
            node_at(flow, target)->is_reached = true;
            VEC_PUSH(&todo, target);
        }
    }
    VEC_FREE(&todo);
}

/* One thing only can be done here, at once. */
static bool can_fuse(const struct pml_flow *flow, uint32_t number)
{
    const struct pml_node *node = node_at(flow, number);
    if (node->loop || node->choice)
        return node->is_reached;
    return node->is_reached && number != flow->entry && node->moves.count == 1 && !flow->proctype->gives_way &&
           (!node->moves.items[0].stmt || pml_is_sure(node->moves.items[0].stmt));
}

/* The process never stops where it goes on alone and one thing only can be done, at once: that is part of the step that
 * led there. A rendezvous may end an atomic sequence, so what it leads to stays. */
static void fuse(struct pml_flow *flow)
{
    for (uint32_t n = 0; n < flow->nodes.count; n++)
        node_at(flow, n)->is_fused = can_fuse(flow, n);
    for (uint32_t n = 0; n < flow->nodes.count; n++)
        for (size_t m = 0; node_at(flow, n)->is_reached && m < node_at(flow, n)->moves.count; m++) {
            const struct pml_move *move = &node_at(flow, n)->moves.items[m];
            bool is_message = move->stmt && (move->stmt->kind == PML_SEND || move->stmt->kind == PML_RECEIVE);
            if (!move->keeps || is_message)
                node_at(flow, move->target)->is_fused = false;
        }
    for (uint32_t n = 0; n < flow->nodes.count; n++) { /* but not round and round */
        uint32_t at = n;
        for (size_t steps = 0; node_at(flow, at)->is_fused && steps <= flow->nodes.count; steps++) {
            at = pml_fused_move(node_at(flow, at))->target;
            if (at == n)
                node_at(flow, n)->is_fused = false;
        }
    }
    for (uint32_t n = 0; n < flow->nodes.count; n++)
        if (node_at(flow, n)->is_fused)
            node_at(flow, n)->is_reached = false;
}

bool pml_flow_build(struct pml_flow *flow, struct pml_proctype *proctype, struct arena *arena,
                    struct diagnostics *diagnostics)
{
    struct pml_flowing flowing = {flow, diagnostics};
    struct pml_around around = {.loop_end = PML_NOWHERE};
    *flow = (struct pml_flow){.proctype = proctype};
    number_block(flow, &proctype->body, around);
    flow->end = (uint32_t)flow->nodes.count;
    VEC_PUSH(&flow->nodes, ((struct pml_node){.span = proctype->span, .is_end = true}));
    link_block(flow, &proctype->body, node_itself(flow, flow->end), around);
    connect_block(&flowing, &proctype->body);
    flow->entry = pass(&flowing, proctype->body.count ? proctype->body.items[0]->node : flow->end, false);
    for (uint32_t n = 0; n < flow->nodes.count; n++)
        join_escapes(node_at(flow, n));
    for (uint32_t n = 0; n < flow->nodes.count; n++)
        refuse_two_else(&flowing, node_at(flow, n));
    mark_inside(flow);
    pml_set_loops_find(flow, arena);
    reach(flow);
    fuse(flow);
    return !diagnostics->errors;
}

void pml_flow_free(struct pml_flow *flow)
{
    for (size_t i = 0; i < flow->nodes.count; i++)
        VEC_FREE(&flow->nodes.items[i].moves);
    VEC_FREE(&flow->nodes);
}

uint32_t pml_flow_label(const struct pml_flow *flow, const char *label)
{
    const struct pml_stmt *stmt = labelled(flow, label);
    return stmt ? stmt->node : PML_NOWHERE;
}

bool pml_flow_is_cyclic(const struct pml_flow *flow, uint32_t start)
{
    bool *seen = memory_zeroed(flow->nodes.count, sizeof *seen), found = false;
    VEC(uint32_t) todo = {0};
    VEC_PUSH(&todo, start);
    while (todo.count && !found) {
        const struct pml_node *node = node_at(flow, VEC_POP(&todo));
        for (size_t m = 0; m < node->moves.count; m++) {
            uint32_t target = node->moves.items[m].target;
            found |= target == start;
            if (!seen[target])
                VEC_PUSH(&todo, target);
            seen[target] = true;
        }
    }
    VEC_FREE(&todo);
    free(seen);
    return found;
}
