/* Why a type is not fully symmetric: which elements are distinguished, and the fewest places in the source that do it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "detect/detecting.h"

enum { MOST_POINTS = 256, MOST_BREAKS = 64, MOST_PROPERTIES = 64, MOST_TWINS = 24, MOST_CHAIN_WORK = 5000000 };

static uint32_t explain_size(const struct detecting *d, uint32_t c)
{
    return (uint32_t)(d->carriers->items[c].hi - d->carriers->items[c].lo + 1);
}

static void explain_print_element(const struct detecting *d, uint32_t c, uint32_t i, struct text *out)
{
    const struct carrier *carrier = &d->carriers->items[c];
    if (carrier->type->labels)
        text_append(out, carrier->type->labels[i]);
    else
        text_format(out, "%d", carrier->lo + (int32_t)i);
}

static bool explain_are_twins(const struct detecting *d, const uint32_t *twins, uint32_t c)
{
    for (uint32_t i = 1; i < explain_size(d, c); i++)
        if (twins[d->graph->first[c] + i] != twins[d->graph->first[c]])
            return false;
    return true;
}

static bool explain_is_whole(const struct detecting *d, uint32_t c)
{
    return d->twins ? explain_are_twins(d, d->twins, c) : detect_is_full(d, d->group, c);
}

/* "{1, 2, 3} {4, 5} are distinguished". NULL: no two are, and still not every permutation is a symmetry. */
static const char *explain_orbits(const struct detecting *d, uint32_t c)
{
    uint32_t size = explain_size(d, c), first = d->graph->first[c], orbits = 0;
    uint32_t *orbit = memory_alloc(((size_t)d->graph->point_count + 1) * sizeof *orbit);
    struct text text = {0};
    if (d->twins)
        memcpy(orbit, d->twins, d->graph->point_count * sizeof *orbit);
    else
        group_orbits(d->group, orbit);
    for (uint32_t i = 0; i < size; i++) {
        if (orbit[first + i] != first + i)
            continue;
        text_append(&text, orbits++ ? " {" : "{");
        for (uint32_t end, k = i; k < size; k = end) { /* neighbours as 4..9 */
            end = k + 1;
            if (orbit[first + k] != first + i)
                continue;
            while (end < size && orbit[first + end] == first + i)
                end++;
            end = end - k > 3 ? end : k + 1;
            text_append(&text, k > i ? ", " : "");
            explain_print_element(d, c, k, &text);
            text_append(&text, end - k > 1 ? ".." : "");
            if (end - k > 1)
                explain_print_element(d, c, end - 1, &text);
        }
        text_char(&text, '}');
    }
    text_append(&text, " are distinguished");
    const char *words = orbits > 1 ? arena_string(d->found.symmetry->arena, text_chars(&text)) : NULL;
    text_free(&text);
    free(orbit);
    return words;
}

/* --- the fewest places --- */

/* With these places healed, is the carrier fully symmetric? */
static bool explain_heals(const struct detecting *d, uint32_t c, const struct span *healed, uint32_t count)
{
    struct model_graph_options options = d->graph_options;
    options.healed = healed;
    options.healed_count = count;
    options.without_formulas = system_is_ground(d->system); /* these are told of by themselves */
    struct model_graph *graph = model_graph_create(d->carriers, &options);
    uint32_t *twins = memory_alloc(((size_t)graph->point_count + 1) * sizeof *twins);
    bool is_large = detect_twins(graph, twins) > MOST_TWINS;
    if (is_large || explain_are_twins(d, twins, c)) {
        bool are_twins = !graph->gave_up && explain_are_twins(d, twins, c);
        free(twins);
        model_graph_destroy(graph);
        return are_twins;
    }
    free(twins);
    const uint32_t **list = memory_alloc(((size_t)graph->generator_count + 1) * sizeof *list);
    for (uint32_t g = 0; g < graph->generator_count; g++)
        list[g] = graph->generators + (size_t)g * graph->point_count;
    struct group *group = group_create(graph->point_count, list, graph->generator_count);
    bool is_full = !graph->gave_up && detect_is_full(d, group, c);
    group_destroy(group);
    free(list);
    model_graph_destroy(graph);
    return is_full;
}

static const char *explain_message(const struct detecting *d, uint32_t c, const struct model_break *place)
{
    struct text name = {0};
    type_print(d->carriers->items[place->carrier == NO_CARRIER ? c : place->carrier].type, &name);
    const char *mark = strstr(place->message, "%s");
    const char *message = arena_format(d->found.symmetry->arena, "%.*s%s%s", (int)(mark - place->message),
                                       place->message, text_chars(&name), mark + 2);
    text_free(&name);
    return message;
}

/* Puts places back one by one as long as the type stays whole: none of those left can be. False: there is no such set.
 */
static bool explain_fewest(const struct detecting *d, uint32_t c, struct symmetry_factor *factor)
{
    struct span places[MOST_BREAKS] = {0}, fewer[MOST_BREAKS];
    uint32_t of[MOST_BREAKS], count = 0;
    if (d->graph->point_count > MOST_POINTS || d->graph->break_count > MOST_BREAKS ||
        (system_is_ground(d->system) && d->graph->vertices * d->graph->break_count > MOST_CHAIN_WORK))
        return false;
    for (uint32_t b = 0; b < d->graph->break_count; b++) {
        of[count] = b;
        places[count++] = d->graph->breaks[b].span;
    }
    if (!explain_heals(d, c, places, count))
        return false;
    for (uint32_t b = 0; b < count && !watch_is_over(d->watch);) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < count; k++)
            if (k != b)
                fewer[kept++] = places[k];
        if (!explain_heals(d, c, fewer, kept)) {
            b++;
            continue;
        }
        memcpy(places, fewer, kept * sizeof *places);
        memmove(of + b, of + b + 1, (count - b - 1) * sizeof *of);
        count = kept;
    }
    factor->breach_count = count;
    factor->breaches = ARENA_ARRAY(d->found.symmetry->arena, struct symmetry_breach, count + 1);
    for (uint32_t b = 0; b < count; b++)
        factor->breaches[b] =
            (struct symmetry_breach){.span = places[b], .message = explain_message(d, c, &d->graph->breaks[of[b]])};
    return true;
}

static void explain_refused(const struct detecting *d, uint32_t c, struct symmetry_factor *factor)
{
    const struct symmetry_factor *refused = &d->refused[c];
    struct arena *arena = d->found.symmetry->arena;
    factor->breach_count = refused->breach_count;
    factor->breaches = arena_copy(arena, refused->breaches, refused->breach_count * sizeof *factor->breaches);
    for (uint32_t b = 0; b < factor->breach_count; b++)
        factor->breaches[b].message = arena_string(arena, refused->breaches[b].message);
}

/* --- properties --- */

static void explain_shrink(struct detecting *d, const struct property *property)
{
    struct symmetry *symmetry = d->found.symmetry;
    struct group *group = detect_group_without(d, property ? property->id : UINT32_MAX);
    if (detect_is_larger(group, d->group)) {
        struct bigint *order = bigint_create(1), *now = symmetry_order(symmetry), *part = bigint_create(1);
        group_order(group, order);
        group_order(d->group, part);
        bigint_divide_exact(now, part);
        bigint_multiply(order, now);
        char *digits = bigint_digits(order);
        symmetry->shrinks[symmetry->shrink_count++] =
            (struct symmetry_shrink){.property = property, .order = arena_string(symmetry->arena, digits)};
        free(digits);
        bigint_destroy(order);
        bigint_destroy(now);
        bigint_destroy(part);
    }
    group_destroy(group);
}

static void explain_properties(struct detecting *d)
{
    const struct system *system = d->system;
    struct symmetry *symmetry = d->found.symmetry;
    symmetry->shrinks = ARENA_ARRAY(symmetry->arena, struct symmetry_shrink, system->properties.count + 1);
    for (size_t p = 0; p < system->properties.count && p < MOST_PROPERTIES && !watch_is_over(d->watch); p++)
        if (system->properties.items[p]->formula || system->properties.items[p]->ctl ||
            system->properties.items[p]->ltl || system->properties.items[p]->pctl)
            explain_shrink(d, system->properties.items[p]);
    if (!symmetry->shrink_count)
        explain_shrink(d, NULL);
}

/* Only of what one would call an index type. */
void detect_explain(struct detecting *d, bool is_thorough)
{
    struct symmetry *symmetry = d->found.symmetry;
    uint32_t count = symmetry->factor_count;
    struct symmetry_factor *factors = ARENA_ARRAY(symmetry->arena, struct symmetry_factor, count + d->carriers->count);
    memcpy(factors, symmetry->factors, count * sizeof *factors);
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        const struct carrier *carrier = &d->carriers->items[c];
        bool is_graphed = d->graph && d->is_graphed[c];
        bool is_indexing = carrier->is_index && (carrier->is_domain || system_is_ground(d->system));
        if (!d->refused[c].breach_count || d->is_full[c] || !is_indexing || (is_graphed && explain_is_whole(d, c)))
            continue;
        struct symmetry_factor *factor = &factors[count++];
        *factor = (struct symmetry_factor){.type = carrier->type, .degree = explain_size(d, c)};
        if (is_graphed)
            factor->words = explain_orbits(d, c);
        bool is_found = is_graphed && is_thorough && explain_fewest(d, c, factor);
        if (!is_found && !system_is_ground(d->system)) /* there every element is named */
            explain_refused(d, c, factor);
        if (is_graphed && is_thorough && !(is_found && factor->breach_count == 1))
            detect_hopes(d, c, factor);
        factor->is_partial = is_graphed && !factor->words;
    }
    symmetry->factors = factors;
    symmetry->factor_count = count;
    if (d->group && is_thorough)
        explain_properties(d);
}
