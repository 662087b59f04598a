/* Depth first, with backward learning (Chu, Jaffar, figure 6). The stack is on the heap: a run may be as long as there
 * are states. */
#include "engine/complete/explore.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static uint64_t node_bytes(const struct complete_search *search)
{
    return sizeof(struct node) + search->layout->cell_count * 4 + search->shape->object_count * 8;
}

static struct node *node_create(struct complete_search *search, const struct complete_edge *edge, const int32_t *cells)
{
    struct node *node = memory_zeroed(1, sizeof *node);
    size_t size = search->layout->cell_count * sizeof *cells;
    node->number = node->low = search->next_number++;
    node->cells = memory_alloc(size);
    memcpy(node->cells, cells, size);
    point_keep(search->memos, &node->point);
    node->parent = edge->from;
    node->rule = edge->rule;
    node->instance = edge->instance;
    node->depth = edge->from ? edge->from->depth + 1 : 0;
    if (node->depth > search->deepest)
        search->deepest = node->depth;
    search->node_bytes += node_bytes(search);
    search->result->statistics.states++;
    return node;
}

static void node_destroy(struct complete_search *search, struct node *node)
{
    for (size_t i = 0; i < node->incoming.count; i++)
        edge_destroy(node->incoming.items[i]);
    VEC_FREE(&node->incoming);
    interpolant_free(&node->interpolant);
    interpolant_free(&node->fixed);
    search->node_bytes -= node_bytes(search);
    point_free(&node->point);
    free(node->cells);
    free(node);
}

void edge_destroy(struct complete_edge *edge)
{
    if (!edge)
        return;
    free(edge->writes);
    free(edge->map);
    free(edge->target);
    free(edge);
}

static struct complete_edge *edge_create(struct complete_search *search, struct node *from,
                                         const struct transition *transition)
{
    const struct follow *follow = search->follow;
    struct complete_edge *edge = memory_zeroed(1, sizeof *edge);
    size_t size = search->layout->cell_count * sizeof *edge->target;
    edge->from = from;
    edge->rule = transition->rule;
    edge->instance = transition->instance;
    edge->write_count = (uint32_t)follow->writes.count;
    edge->writes = memory_alloc((edge->write_count + 1) * sizeof *edge->writes);
    if (edge->write_count)
        memcpy(edge->writes, follow->writes.items, edge->write_count * sizeof *edge->writes);
    edge->target = memory_alloc(size);
    memcpy(edge->target, follow->memory, size);
    return edge;
}

enum addition edge_add(struct complete_search *search, const struct complete_edge *edge,
                       const struct interpolant *after, const uint32_t *map, struct interpolant *before)
{
    struct backward *backward = &search->backward;
    backward->writes = edge->writes;
    backward->count = edge->write_count;
    backward->at = (struct complete_scene){.shape = search->shape, .cells = edge->from->cells};
    return backward_interpolant(backward, after, map, before);
}

/* What a finished target needs is needed from then on. */
static void edge_learn(struct complete_search *search, const struct complete_edge *edge,
                       const struct interpolant *after, const uint32_t *map)
{
    ENSURE(edge_add(search, edge, after, map, &edge->from->interpolant) != ADDITION_FALSE);
}

static void explore_push(struct complete_search *search, struct node *node)
{
    VEC_PUSH(&search->open, node);
    open_insert(search, node);
    VEC_PUSH(&search->frames, ((struct frame){.node = node}));
}

static void explore_lower(struct node *node, uint32_t low)
{
    if (low < node->low)
        node->low = low;
}

/* The edge leads to a node that is not finished: it is dealt with when the component is. */
static void explore_wait(struct complete_search *search, struct complete_edge *edge, struct node *to)
{
    edge->to = to;
    VEC_PUSH(&to->incoming, edge);
    explore_lower(edge->from, to->number);
    explore_lower(VEC_LAST(&search->frames).node, to->number);
    search->node_bytes += sizeof *edge + search->layout->cell_count * sizeof *edge->target;
}

static bool explore_hope(struct complete_search *search, struct complete_edge *edge)
{
    size_t size = search->shape->object_count * sizeof *edge->map;
    if (search->options->permutations != COMPLETE_ALL || search->hopes_refuted > search->hopes_met + 64)
        return false;
    struct node *similar = open_find_similar(search, edge->target);
    if (!similar)
        return false;
    edge->map = memory_alloc(size);
    memcpy(edge->map, search->map, size);
    explore_wait(search, edge, similar);
    return true;
}

/* The program point changes where a step writes locations. */
static void explore_find_point(struct complete_search *search, const struct complete_edge *edge)
{
    const struct shape *shape = search->shape;
    memos_set_point(search->memos, &edge->from->point);
    for (uint32_t w = 0; w < edge->write_count; w++) {
        const struct slot *slot = &shape->slots[edge->writes[w].slot];
        uint32_t cell = edge->writes[w].cell;
        if (slot->family == SHAPE_NONE || edge->target[cell] == edge->from->cells[cell])
            continue;
        bool is_last = true; /* of several writes to one cell */
        for (uint32_t later = w + 1; later < edge->write_count; later++)
            is_last = is_last && edge->writes[later].cell != cell;
        if (is_last)
            memos_move_object(search->memos, edge->writes[w].indices[0]->object, edge->from->cells[cell],
                              edge->target[cell]);
    }
}

/* Where the edge leads: to what is known, or to a new node on top of the stack. Takes the edge over. */
static bool explore_enter(struct complete_search *search, struct complete_edge *edge, bool may_hope)
{
    explore_find_point(search, edge);
    const struct memo *memo = memos_find(search->memos, edge->target);
    struct node *node;
    if (memo) {
        search->subsumed++;
        edge_learn(search, edge, &memo->interpolant, search->memos->map);
        edge_destroy(edge);
        return true;
    }
    node = open_find(search, edge->target);
    if (node) {
        search->subsumed++;
        explore_wait(search, edge, node);
        return true;
    }
    if (may_hope && explore_hope(search, edge)) {
        search->subsumed++;
        return true;
    }
    if (search->options->limits.states && search->result->statistics.states >= search->options->limits.states) {
        explore_stop(search, stop_limit(STOP_STATES, search->options->limits.states));
        edge_destroy(edge);
        return false;
    }
    node = node_create(search, edge, edge->target);
    VEC_LAST(&search->frames).pending = edge;
    explore_push(search, node);
    return assess_node(search, node);
}

/* One cell that is another after the step. A location is known to be; else it must stay so. */
static void explore_witness_change(struct complete_search *search, struct node *node, const struct complete_scene *at)
{
    const struct follow *follow = search->follow;
    struct backward *backward = &search->backward;
    const struct write *change = NULL;
    for (size_t w = 0; w < follow->writes.count; w++) {
        const struct write *write = &follow->writes.items[w];
        bool is_location = search->shape->slots[write->slot].family != SHAPE_NONE;
        if (follow->memory[write->cell] == node->cells[write->cell])
            continue;
        if (is_location)
            return;
        change = write;
    }
    backward->writes = follow->writes.items;
    backward->count = (uint32_t)follow->writes.count;
    backward->at = *at;
    VEC_CLEAR(&backward->required);
    const struct complete_term *leaf = term_cell(search->terms, &search->shape->slots[change->slot], change->indices);
    const struct complete_term *after = backward_resolve(backward, leaf, NULL);
    const struct complete_term *same = term_same(search->terms, leaf, after);
    if (!same) {
        interpolant_pin(&node->interpolant, search->terms, at);
        return;
    }
    interpolant_add(&node->interpolant, search->terms, term_not(search->terms, same), at);
    for (size_t i = 0; i < backward->required.count; i++)
        interpolant_add(&node->interpolant, search->terms, backward->required.items[i], at);
}

/* A deadlock is no property of what can be reached from a state but of the state: that it is none needs one
 * transition that stays enabled, and that changes the state if it has to. */
static void explore_witness(struct complete_search *search, struct node *node, bool changes)
{
    const struct follow *follow = search->follow;
    struct complete_scene at = {.shape = search->shape, .cells = node->cells};
    enum deadlock_mode mode = search->options->deadlock;
    if (node->has_witness || mode == DEADLOCK_OFF || search->decided[SYSTEM_DEADLOCK] ||
        (mode == DEADLOCK_STUTTERING && !changes))
        return;
    node->has_witness = true;
    for (size_t i = 0; i < follow->guards.count; i++)
        interpolant_add(&node->interpolant, search->terms, follow->guards.items[i], &at);
    if (mode == DEADLOCK_STUTTERING)
        explore_witness_change(search, node, &at);
}

static void explore_add_sides(struct complete_search *search, struct node *node)
{
    struct complete_scene at = {.shape = search->shape, .cells = node->cells};
    for (size_t i = 0; i < search->follow->sides.count; i++)
        ENSURE(interpolant_add(&node->interpolant, search->terms, search->follow->sides.items[i], &at) !=
               ADDITION_FALSE);
}

/* A rule fails. A state in which the same happens is as bad as this one, no more: the state is kept as it is. */
static bool explore_fault(struct complete_search *search, struct node *node, const struct transition *transition)
{
    struct fault fault = search->follow->fault;
    struct complete_scene at = {.shape = search->shape, .cells = node->cells};
    bool goes_on = true;
    node->is_alive = node->has_witness = true;
    follow_undo(search->follow);
    interpolant_pin(&node->interpolant, search->terms, &at);
    if (!search->decided[fault.property->id]) {
        struct finding finding = {fault.property,   TRACE_SHOWS_FAULT,    &fault, node,
                                  transition->rule, transition->instance, NULL};
        goes_on = evidence_report(search, &finding, NULL);
    }
    return goes_on;
}

static bool explore_fire(struct complete_search *search, struct node *node, const struct transition *transition)
{
    struct follow *follow = search->follow;
    struct statistics *statistics = &search->result->statistics;
    bool changes = memcmp(follow->memory, node->cells, search->layout->cell_count * sizeof *node->cells) != 0;
    bool goes_on = true;
    explore_add_sides(search, node);
    explore_witness(search, node, changes);
    if (changes || search->options->deadlock == DEADLOCK_STUCK)
        node->is_alive = true;
    statistics->rules_fired++;
    statistics->fired_by_rule[transition->rule->id]++;
    statistics->transitions++;
    struct complete_edge *edge = edge_create(search, node, transition);
    follow_undo(follow);
    bool is_granted = assess_is_granted(search, node, edge->rule, edge->instance, edge->target, &goes_on);
    edge_learn(search, edge, &search->granted, NULL);
    if (!is_granted || !goes_on) {
        edge_destroy(edge);
        return goes_on;
    }
    search->visited++;
    return explore_enter(search, edge, true);
}

void explore_look_at(struct complete_search *search, const struct node *node)
{
    if (search->looks_at == node->number)
        return;
    follow_begin(search->follow, node->cells);
    search->looks_at = node->number;
}

static bool explore_step(struct complete_search *search, struct node *node, const struct transition *transition)
{
    struct follow *follow = search->follow;
    explore_look_at(search, node);
    enum course course = follow_rule(follow, transition->rule, transition->instance);
    if (course != COURSE_DISABLED &&
        !assess_covers(search, node, transition->rule, transition->instance,
                       course == COURSE_OK ? follow->memory : NULL, course == COURSE_FAULT ? &follow->fault : NULL))
        return false;
    switch (course) {
    case COURSE_FAULT:
        return explore_fault(search, node, transition);
    case COURSE_OK:
        return explore_fire(search, node, transition);
    default:
        explore_add_sides(search, node);
        follow_undo(follow);
        return true;
    }
}

static bool explore_deadlock(struct complete_search *search, struct node *node)
{
    bool is_stuck = search->options->deadlock == DEADLOCK_STUCK;
    if (node->is_alive || search->decided[SYSTEM_DEADLOCK] || assess_allows_end(search, node))
        return true;
    struct finding finding = {.property = search->system->properties.items[SYSTEM_DEADLOCK],
                              .evidence = is_stuck ? TRACE_SHOWS_STUCK : TRACE_SHOWS_STUTTERING,
                              .node = node};
    return evidence_report(search, &finding, deadlock_reason(search->options->deadlock));
}

/* The node above on the stack is done with: finished, or part of a larger component. */
static void explore_return(struct complete_search *search, struct node *child)
{
    struct frame *frame = &VEC_LAST(&search->frames);
    struct complete_edge *edge = frame->pending;
    frame->pending = NULL;
    if (child->memo) {
        edge_learn(search, edge, &child->memo->interpolant, NULL);
        edge_destroy(edge);
    } else {
        uint32_t low = child->low;
        explore_wait(search, edge, child);
        explore_lower(edge->from, low);
        explore_lower(frame->node, low);
    }
}

static void explore_release(struct complete_search *search)
{
    while (search->released.count)
        node_destroy(search, VEC_POP(&search->released));
}

/* A hope that was refuted: the state is explored after all. */
static bool explore_retry(struct complete_search *search, struct complete_edge *edge)
{
    free(edge->map);
    edge->map = NULL;
    edge->to = NULL;
    edge->is_refuted = false;
    search->subsumed--;
    return explore_enter(search, edge, false);
}

/* One more step of the node on top of the stack. */
static bool explore_advance(struct complete_search *search)
{
    struct frame *frame = &VEC_LAST(&search->frames);
    struct node *node = frame->node;
    uint32_t depth_limit = search->options->limits.depth;
    if (depth_limit && node->depth >= depth_limit && frame->cursor < search->transition_count) {
        search->is_depth_cut = true;
        frame->cursor = search->transition_count;
        node->is_alive = true;
    }
    if (frame->cursor < search->transition_count) {
        const struct transition *transition = &search->transitions[frame->cursor++];
        return explore_step(search, node, transition);
    }
    if (!explore_deadlock(search, node))
        return false;
    if (frame->retries.count)
        return explore_retry(search, VEC_POP(&frame->retries));
    open_note_distinctions(search, node);
    if (node->low == node->number && !component_finish(search, frame))
        return !search->stopped;
    VEC_FREE(&frame->retries);
    search->frames.count--;
    if (search->frames.count)
        explore_return(search, node);
    explore_release(search);
    return true;
}

static void explore_abandon(struct complete_search *search)
{
    for (size_t i = 0; i < search->frames.count; i++) {
        struct frame *frame = &search->frames.items[i];
        edge_destroy(frame->pending);
        for (size_t r = 0; r < frame->retries.count; r++)
            edge_destroy(frame->retries.items[r]);
        VEC_FREE(&frame->retries);
    }
    search->frames.count = 0;
    for (size_t i = 0; i < search->open.count; i++)
        node_destroy(search, search->open.items[i]);
    search->open.count = 0;
    explore_release(search);
}

bool explore_start(struct complete_search *search, const struct rule *rule, uint64_t instance, const int32_t *cells)
{
    struct complete_edge edge = {.rule = rule, .instance = instance};
    search->visited++;
    memos_find_point(search->memos, cells);
    if (memos_find(search->memos, cells)) {
        search->subsumed++;
        return true;
    }
    struct node *node = node_create(search, &edge, cells);
    explore_push(search, node);
    bool goes_on = assess_node(search, node);
    while (goes_on && search->frames.count)
        goes_on = explore_spend(search) && explore_advance(search);
    if (!goes_on)
        explore_abandon(search);
    return goes_on;
}
