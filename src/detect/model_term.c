#include "detect/model_term.h"

#include <stdlib.h>
#include <string.h>

static void words_push(struct sketch *s, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        VEC_PUSH(&s->scratch, words[i]);
}

struct model_term term_make(struct sketch *s, enum term_tag tag, const uint32_t *words, uint32_t word_count,
                            const struct model_term *parts, uint32_t part_count)
{
    struct model_term term = {.first = s->holes.count};
    VEC_CLEAR(&s->scratch);
    VEC_PUSH(&s->scratch, tag);
    VEC_PUSH(&s->scratch, word_count);
    words_push(s, words, word_count);
    for (uint32_t p = 0; p < part_count; p++) {
        VEC_PUSH(&s->scratch, parts[p].skeleton);
        for (size_t h = 0; h < parts[p].count; h++)
            VEC_PUSH(&s->holes, s->holes.items[parts[p].first + h]);
    }
    term.count = s->holes.count - term.first;
    term.skeleton = words_intern(&s->skeletons, s->scratch.items, (uint32_t)s->scratch.count);
    s->budget_used++;
    return term;
}

struct model_term term_empty(struct sketch *s)
{
    return term_make(s, TERM_EMPTY, NULL, 0, NULL, 0);
}

struct model_term term_vertex(struct sketch *s, uint32_t vertex)
{
    struct model_term term = term_make(s, TERM_HOLE, NULL, 0, NULL, 0);
    term.first = s->holes.count;
    term.count = 1;
    VEC_PUSH(&s->holes, vertex);
    return term;
}

struct model_term term_element(struct sketch *s, uint32_t carrier, int64_t code)
{
    const struct carrier *about = &s->carriers->items[carrier];
    if (code >= about->lo && code <= about->hi)
        return term_vertex(s, s->graph->first[carrier] + (uint32_t)(code - about->lo));
    uint32_t words[] = {(uint32_t)code, (uint32_t)((uint64_t)code >> 32)};
    return term_make(s, TERM_VALUE, words, 2, NULL, 0);
}

uint32_t sketch_colour(struct sketch *s, enum term_tag tag, const uint32_t *words, uint32_t count)
{
    VEC_CLEAR(&s->scratch);
    VEC_PUSH(&s->scratch, tag);
    words_push(s, words, count);
    return words_intern(&s->skeletons, s->scratch.items, (uint32_t)s->scratch.count);
}

void sketch_join(struct sketch *s, uint32_t from, uint32_t to)
{
    VEC_PUSH(&s->edges, ((struct nauty_edge){from, to}));
}

uint32_t sketch_new_vertex(struct sketch *s, uint32_t colour)
{
    VEC_PUSH(&s->colours, colour);
    return (uint32_t)s->colours.count - 1;
}

/* The vertex with this colour and these neighbours, in order, kept once. */
static uint32_t sketch_known_vertex(struct sketch *s, uint32_t colour, const uint32_t *neighbours, uint32_t count,
                                    bool *is_new)
{
    VEC_CLEAR(&s->scratch);
    VEC_PUSH(&s->scratch, colour);
    words_push(s, neighbours, count);
    uint32_t number = words_intern(&s->known, s->scratch.items, (uint32_t)s->scratch.count);
    *is_new = number == s->vertex_of.count;
    if (*is_new)
        VEC_PUSH(&s->vertex_of, sketch_new_vertex(s, colour));
    return s->vertex_of.items[number];
}

/* Neighbours in no order. */
uint32_t sketch_vertex(struct sketch *s, uint32_t colour, const uint32_t *neighbours, uint32_t count)
{
    bool is_new;
    uint32_t vertex = sketch_known_vertex(s, colour, neighbours, count, &is_new);
    for (uint32_t i = 0; is_new && i < count; i++)
        sketch_join(s, vertex, neighbours[i]);
    return vertex;
}

/* Distinct holes in order of first use; which hole is which is a part of the colour. One is joined directly, several
 * through ports that know their position. */
uint32_t term_freeze(struct sketch *s, struct model_term term)
{
    if (!term.count)
        return NO_CARRIER;
    uint32_t *distinct = memory_alloc(2 * term.count * sizeof *distinct + sizeof *distinct), count = 0;
    uint32_t *pattern = distinct + term.count;
    pattern[0] = term.skeleton;
    for (size_t h = 0; h < term.count; h++) {
        uint32_t hole = s->holes.items[term.first + h], at = 0;
        while (at < count && distinct[at] != hole)
            at++;
        if (at == count)
            distinct[count++] = hole;
        pattern[h + 1] = at;
    }
    uint32_t colour = sketch_colour(s, COLOUR_TERM, pattern, (uint32_t)term.count + 1);
    bool is_new;
    uint32_t vertex = sketch_known_vertex(s, colour, distinct, count, &is_new);
    for (uint32_t i = 0; is_new && i < count; i++) {
        uint32_t port = vertex;
        if (count > 1) {
            port = sketch_new_vertex(s, sketch_colour(s, COLOUR_PORT, &i, 1));
            sketch_join(s, vertex, port);
        }
        sketch_join(s, port, distinct[i]);
    }
    free(distinct);
    return vertex;
}

/* Members of a set or bag: those with holes are `open`, vertices; of those without, `closed` has the skeletons. */
struct members {
    uint32_t *closed, *open; /* closed: after a word for the kind */
    uint32_t closed_count, open_count;
};

static struct members members_make(struct sketch *s, uint32_t kind, const struct model_term *parts, uint32_t count)
{
    struct members members = {memory_alloc((3 * (size_t)count + 2) * sizeof(uint32_t)), NULL, 0, 0};
    members.open = members.closed + 2 * (size_t)count + 2; /* a bag has two words for each that is closed */
    members.closed[0] = kind;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t vertex = term_freeze(s, parts[p]);
        if (vertex == NO_CARRIER)
            members.closed[1 + members.closed_count++] = parts[p].skeleton;
        else
            members.open[members.open_count++] = vertex;
    }
    return members;
}

static struct model_term members_join(struct sketch *s, struct members *members, enum term_tag with_holes,
                                      enum term_tag without)
{
    struct model_term term;
    if (members->open_count) {
        uint32_t colour = sketch_colour(s, with_holes, members->closed, members->closed_count + 1);
        term = term_vertex(s, sketch_vertex(s, colour, members->open, members->open_count));
    } else {
        term = term_make(s, without, members->closed, members->closed_count + 1, NULL, 0);
    }
    free(members->closed);
    return term;
}

struct model_term term_set(struct sketch *s, uint32_t kind, const struct model_term *parts, uint32_t part_count)
{
    struct members members = members_make(s, kind, parts, part_count);
    members.closed_count = (uint32_t)words_sort_unique(members.closed + 1, members.closed_count);
    members.open_count = (uint32_t)words_sort_unique(members.open, members.open_count);
    return members_join(s, &members, COLOUR_SET, TERM_SET);
}

/* Replaces each run of equal words by one: of `open` ones a vertex that knows how many there were, of others the number
 * behind it. */
static uint32_t bag_count(struct sketch *s, uint32_t *words, uint32_t count, bool is_open)
{
    uint32_t kept = 0;
    words_sort(words, count, 1);
    uint32_t *sorted = memory_alloc(((size_t)count + 1) * sizeof *sorted);
    memcpy(sorted, words, count * sizeof *words);
    for (uint32_t end, at = 0; at < count; at = end) {
        for (end = at; end < count && sorted[end] == sorted[at];)
            end++;
        uint32_t times = end - at;
        if (!is_open) {
            words[kept++] = sorted[at];
            words[kept++] = times;
        } else if (times == 1) {
            words[kept++] = sorted[at];
        } else {
            struct model_term one = term_vertex(s, sorted[at]);
            words[kept++] = term_freeze(s, term_make(s, TERM_TIMES, &times, 1, &one, 1));
        }
    }
    free(sorted);
    return kept;
}

struct model_term term_bag(struct sketch *s, uint32_t kind, const struct model_term *parts, uint32_t part_count)
{
    struct members members = members_make(s, kind, parts, part_count);
    members.closed_count = bag_count(s, members.closed + 1, members.closed_count, false);
    members.open_count = bag_count(s, members.open, members.open_count, true);
    return members_join(s, &members, COLOUR_BAG, TERM_BAG);
}

/* What has no holes is the same under every permutation. */
uint32_t sketch_count(struct sketch *s, struct model_term term)
{
    uint32_t vertex = term_freeze(s, term);
    if (vertex != NO_CARRIER)
        sketch_join(s, sketch_new_vertex(s, sketch_colour(s, COLOUR_COPY, NULL, 0)), vertex);
    return vertex;
}

static void type_push(struct sketch *s, const struct type *type, uint32_t *words, uint32_t *count)
{
    words[(*count)++] = type->kind;
    words[(*count)++] = type->cells;
    words[(*count)++] = type->index ? term_type(s, type->index).skeleton : 0;
    words[(*count)++] = type->element ? term_type(s, type->element).skeleton : 0;
    words[(*count)++] = type->capacity;
}

/* Which sets of elements types consist of is preserved by the colours of the elements, so bounds may stand here. */
struct model_term term_type(struct sketch *s, const struct type *type)
{
    struct model_term term = {.first = s->holes.count};
    if (s->type_skeleton[type->id]) {
        term.skeleton = s->type_skeleton[type->id];
        return term;
    }
    size_t room = 5 + 3 * (size_t)type->block_count + type->field_count;
    uint32_t *words = memory_alloc(room * sizeof *words), count = 0;
    type_push(s, type, words, &count);
    for (uint32_t b = 0; type_is_scalar(type) && b < type->block_count; b++) {
        words[count++] = (uint32_t)type->blocks[b].lo;
        words[count++] = (uint32_t)type->blocks[b].hi;
        words[count++] = s->carriers->of_type[type->blocks[b].owner->id];
    }
    for (uint32_t f = 0; f < type->field_count; f++)
        words[count++] = term_type(s, type->fields[f].type).skeleton;
    term = term_make(s, TERM_TYPE, words, count, NULL, 0);
    s->type_skeleton[type->id] = term.skeleton;
    free(words);
    return term;
}

static bool span_is(struct span a, struct span b)
{
    return a.line == b.line && a.column == b.column;
}

static bool sketch_record(struct sketch *s, uint32_t carrier, struct span span, const char *message)
{
    for (uint32_t i = 0; i < s->options->healed_count; i++)
        if (span_is(s->options->healed[i], span))
            return false;
    for (size_t i = 0; i < s->breaks.count; i++)
        if (span_is(s->breaks.items[i].span, span) && s->breaks.items[i].carrier == carrier)
            return true;
    VEC_PUSH(&s->breaks, ((struct model_break){.span = span, .carrier = carrier, .message = message}));
    return true;
}

/* Every rule names places of control: to say so helps nobody. */
bool sketch_break(struct sketch *s, uint32_t carrier, struct span span, const char *message)
{
    return system_is_ground(s->system) || s->carriers->items[carrier].is_places ||
           sketch_record(s, carrier, span, message);
}

bool sketch_blame(struct sketch *s, struct span span, const char *message)
{
    return sketch_record(s, NO_CARRIER, span, message);
}
