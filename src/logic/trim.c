/* Useless states, marks that do not count, states with the same edges. */
#include "logic/trim.h"

#include "base/watch.h"
#include "base/words.h"

/* A view of the tableau: where the edges of a state begin, and its strongly connected component. */
struct tableau_shape {
    uint32_t state_count;
    uint32_t *first;     /* one more than states */
    uint32_t *component; /* of a state; a component comes after those it leads to */
    uint32_t component_count;
};

static void find_first(const struct ltl_tableau *tableau, uint32_t *first)
{
    size_t edge = 0;
    for (uint32_t state = 0; state <= tableau->state_count; state++) {
        while (edge < tableau->edges.count && tableau->edges.items[edge].source < state)
            edge++;
        first[state] = (uint32_t)edge;
    }
}

/* Tarjan's algorithm, with a stack of its own. */
struct tarjan {
    const struct ltl_tableau *tableau;
    struct tableau_shape *shape;
    uint32_t *index, *low, *edge; /* index 0: not visited */
    uint32_t clock;
    VEC(uint32_t) path, open;
};

static void enter(struct tarjan *tarjan, uint32_t state)
{
    tarjan->index[state] = tarjan->low[state] = ++tarjan->clock;
    tarjan->edge[state] = tarjan->shape->first[state];
    VEC_PUSH(&tarjan->path, state);
    VEC_PUSH(&tarjan->open, state);
}

static void leave(struct tarjan *tarjan, uint32_t state)
{
    struct tableau_shape *shape = tarjan->shape;
    (void)VEC_POP(&tarjan->path);
    if (tarjan->path.count && tarjan->low[state] < tarjan->low[VEC_LAST(&tarjan->path)])
        tarjan->low[VEC_LAST(&tarjan->path)] = tarjan->low[state];
    if (tarjan->low[state] != tarjan->index[state])
        return;
    uint32_t member;
    do {
        member = VEC_POP(&tarjan->open);
        shape->component[member] = shape->component_count;
    } while (member != state);
    shape->component_count++;
}

static void visit(struct tarjan *tarjan, uint32_t root)
{
    enter(tarjan, root);
    while (tarjan->path.count) {
        uint32_t state = VEC_LAST(&tarjan->path);
        if (tarjan->edge[state] == tarjan->shape->first[state + 1]) {
            leave(tarjan, state);
            continue;
        }
        uint32_t target = tarjan->tableau->edges.items[tarjan->edge[state]++].edge.target;
        if (!tarjan->index[target])
            enter(tarjan, target);
        else if (tarjan->shape->component[target] == WORDS_NONE && tarjan->index[target] < tarjan->low[state])
            tarjan->low[state] = tarjan->index[target];
    }
}

static void find_components(const struct ltl_tableau *tableau, struct tableau_shape *shape)
{
    uint32_t count = tableau->state_count;
    struct tarjan tarjan = {.tableau = tableau, .shape = shape};
    tarjan.index = memory_zeroed(count + 1, sizeof *tarjan.index);
    tarjan.low = memory_zeroed(count + 1, sizeof *tarjan.low);
    tarjan.edge = memory_zeroed(count + 1, sizeof *tarjan.edge);
    for (uint32_t state = 0; state < count; state++)
        shape->component[state] = WORDS_NONE;
    for (uint32_t state = 0; state < count; state++)
        if (!tarjan.index[state])
            visit(&tarjan, state);
    free(tarjan.index);
    free(tarjan.low);
    free(tarjan.edge);
    VEC_FREE(&tarjan.path);
    VEC_FREE(&tarjan.open);
}

static struct tableau_shape shape_create(const struct ltl_tableau *tableau)
{
    size_t count = tableau->state_count;
    struct tableau_shape shape = {.state_count = tableau->state_count};
    shape.first = memory_zeroed(count + 1, sizeof *shape.first);
    shape.component = memory_zeroed(count + 1, sizeof *shape.component);
    find_first(tableau, shape.first);
    find_components(tableau, &shape);
    return shape;
}

static void shape_free(struct tableau_shape *shape)
{
    free(shape->first);
    free(shape->component);
}

/* The components that have all marks on their own edges, as bytes. */
static unsigned char *accepting_components(const struct ltl_tableau *tableau, const struct tableau_shape *shape)
{
    uint64_t all = marks_all(tableau->mark_count);
    uint64_t *marks = memory_zeroed(shape->component_count + 1, sizeof *marks);
    unsigned char *is_accepting = memory_zeroed(shape->component_count + 1, 1);
    bool *has_edge = memory_zeroed(shape->component_count + 1, sizeof *has_edge);
    for (size_t i = 0; i < tableau->edges.count; i++) {
        const struct tableau_edge *edge = &tableau->edges.items[i];
        uint32_t component = shape->component[edge->source];
        if (component == shape->component[edge->edge.target]) {
            marks[component] |= edge->edge.marks;
            has_edge[component] = true;
        }
    }
    for (uint32_t component = 0; component < shape->component_count; component++)
        is_accepting[component] = has_edge[component] && marks[component] == all;
    free(marks);
    free(has_edge);
    return is_accepting;
}

/* Renumbers the states by `map` (WORDS_NONE: removed); the edges of removed ones go with them. The numbers of those
 * that stay are in ascending order. */
static void renumber(struct ltl_tableau *tableau, const uint32_t *map, uint32_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < tableau->edges.count; i++) {
        struct tableau_edge edge = tableau->edges.items[i];
        edge.source = map[edge.source];
        edge.edge.target = map[edge.edge.target];
        if (edge.source != WORDS_NONE && edge.edge.target != WORDS_NONE)
            tableau->edges.items[kept++] = edge;
    }
    tableau->edges.count = kept;
    tableau->state_count = count;
}

/* Marks of an edge that no accepting run takes again and again are taken away. */
static void clear_marks(struct ltl_tableau *tableau, const struct tableau_shape *shape,
                        const unsigned char *is_accepting)
{
    for (size_t i = 0; i < tableau->edges.count; i++) {
        struct tableau_edge *edge = &tableau->edges.items[i];
        uint32_t component = shape->component[edge->source];
        if (component != shape->component[edge->edge.target] || !is_accepting[component])
            edge->edge.marks = 0;
    }
}

/* Which components lead to accepting ones: those an edge leads to have smaller numbers. */
static void spread_back(const struct ltl_tableau *tableau, const struct tableau_shape *shape, unsigned char *is_useful)
{
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (size_t i = tableau->edges.count; i-- > 0;) {
            const struct tableau_edge *edge = &tableau->edges.items[i];
            uint32_t source = shape->component[edge->source];
            if (!is_useful[source] && is_useful[shape->component[edge->edge.target]])
                is_useful[source] = has_changed = true;
        }
    }
}

static void remove_useless(struct ltl_tableau *tableau)
{
    struct tableau_shape shape = shape_create(tableau);
    unsigned char *is_useful = accepting_components(tableau, &shape);
    uint32_t *map = memory_alloc((tableau->state_count + 1) * sizeof *map), count = 0;
    clear_marks(tableau, &shape, is_useful);
    spread_back(tableau, &shape, is_useful);
    for (uint32_t state = 0; state < tableau->state_count; state++)
        map[state] = is_useful[shape.component[state]] ? count++ : WORDS_NONE;
    if (!tableau->state_count || map[0] == WORDS_NONE)
        tableau->state_count = 0, VEC_CLEAR(&tableau->edges);
    else
        renumber(tableau, map, count);
    free(map);
    free(is_useful);
    shape_free(&shape);
}

/* Takes away the edges to the same state that another one, with a weaker label and no fewer marks, makes superfluous;
 * the rest is put in order. */
static size_t drop_edges(struct automaton_edge *edges, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_covered = false;
        for (size_t k = 0; k < count && !is_covered; k++) {
            const struct automaton_edge *a = &edges[i], *b = &edges[k];
            bool covers = a->target == b->target && !(b->label.positive & ~a->label.positive) &&
                          !(b->label.negative & ~a->label.negative) && !(a->marks & ~b->marks);
            bool is_same = a->label.positive == b->label.positive && a->label.negative == b->label.negative &&
                           a->marks == b->marks;
            is_covered = covers && k != i && (!is_same || k < i);
        }
        if (!is_covered)
            edges[kept++] = edges[i];
    }
    return kept;
}

static int compare_words(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

static int compare_edges(const void *left, const void *right)
{
    const struct automaton_edge *a = left, *b = right;
    int order = compare_words(a->target, b->target);
    order = order ? order : compare_words(a->label.positive, b->label.positive);
    order = order ? order : compare_words(a->label.negative, b->label.negative);
    return order ? order : compare_words(a->marks, b->marks);
}

/* The edges of a state with the classes of their targets, in order and without superfluous ones. */
static size_t edges_to_classes(const struct ltl_tableau *tableau, const uint32_t *first, const uint32_t *class_of,
                               uint32_t state, struct automaton_edge *edges)
{
    size_t count = first[state + 1] - first[state];
    for (size_t i = 0; i < count; i++) {
        edges[i] = tableau->edges.items[first[state] + i].edge;
        edges[i].target = class_of[edges[i].target];
    }
    count = drop_edges(edges, count);
    if (count)
        qsort(edges, count, sizeof *edges, compare_edges);
    return count;
}

static uint32_t signature(struct words *signatures, uint32_t class, const struct automaton_edge *edges, size_t count)
{
    VEC(uint32_t) text = {0};
    VEC_PUSH(&text, class);
    for (size_t i = 0; i < count; i++) {
        uint64_t wide[] = {edges[i].label.positive, edges[i].label.negative, edges[i].marks};
        for (size_t k = 0; k < 3; k++) {
            VEC_PUSH(&text, (uint32_t)wide[k]);
            VEC_PUSH(&text, (uint32_t)(wide[k] >> 32));
        }
        VEC_PUSH(&text, edges[i].target);
    }
    uint32_t number = words_intern(signatures, text.items, (uint32_t)text.count);
    VEC_FREE(&text);
    return number;
}

/* Splits the classes by the edges of their members; returns how many there are. */
static uint32_t refine(const struct ltl_tableau *tableau, const uint32_t *first, uint32_t *class_of,
                       struct automaton_edge *room)
{
    struct words signatures = {0};
    uint32_t *finer = memory_alloc((tableau->state_count + 1) * sizeof *finer);
    for (uint32_t state = 0; state < tableau->state_count; state++) {
        size_t count = edges_to_classes(tableau, first, class_of, state, room);
        finer[state] = signature(&signatures, class_of[state], room, count);
    }
    for (uint32_t state = 0; state < tableau->state_count; state++)
        class_of[state] = finer[state];
    uint32_t count = words_count(&signatures);
    free(finer);
    words_free(&signatures);
    return count;
}

/* One state for each class: the edges of its first member. A class is numbered by its first member, so that these come
 * in order. */
static void merge(struct ltl_tableau *tableau, const uint32_t *first, const uint32_t *class_of, uint32_t class_count,
                  struct automaton_edge *room)
{
    struct ltl_tableau merged = {.mark_count = tableau->mark_count, .state_count = class_count};
    uint32_t next = 0;
    for (uint32_t state = 0; state < tableau->state_count; state++) {
        if (class_of[state] != next)
            continue;
        size_t count = edges_to_classes(tableau, first, class_of, state, room);
        for (size_t i = 0; i < count; i++)
            VEC_PUSH(&merged.edges, ((struct tableau_edge){next, room[i]}));
        next++;
    }
    tableau_free(tableau);
    *tableau = merged;
}

static bool merge_equal(struct ltl_tableau *tableau)
{
    uint32_t *first = memory_alloc((tableau->state_count + 1) * sizeof *first), classes = 1, before = 0;
    uint32_t *class_of = memory_zeroed(tableau->state_count + 1, sizeof *class_of);
    struct automaton_edge *room = memory_alloc((tableau->edges.count + 1) * sizeof *room);
    find_first(tableau, first);
    while (classes != before && !watch_is_up()) {
        before = classes;
        classes = refine(tableau, first, class_of, room);
    }
    bool is_stable = classes == before;
    if (is_stable)
        merge(tableau, first, class_of, classes, room);
    free(first);
    free(class_of);
    free(room);
    return is_stable;
}

bool tableau_trim(struct ltl_tableau *tableau)
{
    uint32_t states;
    size_t edges;
    do {
        states = tableau->state_count;
        edges = tableau->edges.count;
        remove_useless(tableau);
        if (tableau->state_count && !merge_equal(tableau))
            return false;
    } while (tableau->state_count != states || tableau->edges.count != edges);
    return true;
}
