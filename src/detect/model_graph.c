#include "detect/model_graph.h"

#include <string.h>

#include "ir/fairness.h"
#include "detect/model_term.h"
#include "ir/definite.h"

/* --- elements --- */

static void sketch_number_points(struct sketch *s)
{
    struct model_graph *graph = s->graph;
    graph->first = ARENA_ARRAY(graph->arena, uint32_t, s->carriers->count + 1);
    for (uint32_t c = 0; c < s->carriers->count; c++) {
        const struct carrier *carrier = &s->carriers->items[c];
        graph->first[c] = NO_CARRIER;
        if (!s->options->is_in[c])
            continue;
        graph->first[c] = graph->point_count;
        graph->point_count += (uint32_t)(carrier->hi - carrier->lo + 1);
    }
}

/* An element is coloured by its carrier and by the types that have it. */
static void sketch_add_elements(struct sketch *s)
{
    uint32_t *colour = memory_alloc(((size_t)s->graph->point_count + 1) * sizeof *colour);
    for (uint32_t c = 0; c < s->carriers->count; c++)
        for (uint32_t i = 0;
             sketch_has(s, c) && (int64_t)i <= (int64_t)s->carriers->items[c].hi - s->carriers->items[c].lo; i++)
            colour[s->graph->first[c] + i] = sketch_colour(s, COLOUR_ELEMENT, &c, 1);
    for (size_t t = 0; t < s->system->types.count; t++) {
        const struct type *type = s->system->types.items[t];
        uint32_t c = type_is_scalar(type) && type->kind != TYPE_UNION ? sketch_carrier(s, type) : NO_CARRIER;
        if (c == NO_CARRIER)
            continue;
        const struct carrier *carrier = &s->carriers->items[c];
        bool is_whole = type->blocks->lo == carrier->lo && type->blocks->hi == carrier->hi;
        if (is_whole || !sketch_break(s, c, type->span, "only some elements of %s belong to this type"))
            continue;
        for (int64_t code = carrier->lo; code <= carrier->hi; code++) {
            uint32_t *own = &colour[s->graph->first[c] + (uint32_t)(code - carrier->lo)];
            *own = sketch_colour(s, COLOUR_PART, (uint32_t[]){*own, type_has(type, code)}, 2);
        }
    }
    for (uint32_t p = 0; p < s->graph->point_count; p++)
        VEC_PUSH(&s->colours, colour[p]);
    free(colour);
}

/* --- rules, functions, properties --- */

void sketch_close(struct sketch *s)
{
    for (size_t i = 0; i < s->locals.count; i++)
        s->local_number[s->locals.items[i]] = 0;
    VEC_CLEAR(&s->locals);
    VEC_CLEAR(&s->holes);
}

void sketch_part(struct sketch *s, uint32_t vertex, struct model_part part)
{
    if (vertex == NO_CARRIER || !s->options->claim_count)
        return;
    uint32_t number = pairs_get(&s->part_of, pairs_key(0, vertex));
    if (number != WORDS_NONE) {
        s->parts.items[number].count++;
        return;
    }
    pairs_set(&s->part_of, pairs_key(0, vertex), (uint32_t)s->parts.count);
    part.vertex = vertex;
    part.count = 1;
    if (part.rule && part.rule->parameter_count) {
        int64_t *values = ARENA_ARRAY(s->graph->arena, int64_t, part.rule->parameter_count);
        for (uint32_t p = 0; p < part.rule->parameter_count; p++) {
            uint32_t address = part.rule->parameters[p].variable->address;
            values[p] = s->is_known[address] ? s->values[address] : INT64_MIN;
        }
        part.values = values;
    }
    VEC_PUSH(&s->parts, part);
}

/* Parameters that are left open are locals of the rule. */
static struct model_term term_parameters(struct sketch *s, const struct rule *rule)
{
    struct model_term *parts = memory_zeroed(2 * (size_t)rule->parameter_count + 1, sizeof *parts), term;
    uint32_t count = 0;
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct parameter *parameter = &rule->parameters[p];
        if (s->is_known[parameter->variable->address])
            continue;
        parts[count++] = term_variable(s, parameter->variable);
        if (parameter->choose)
            parts[count++] = term_place(s, parameter->choose);
    }
    term = term_make(s, TERM_SEQUENCE, NULL, 0, parts, count);
    free(parts);
    return term;
}

/* A ground instance says nothing of the rule it comes from. One whose guard is false is none. */
static void sketch_instance(struct sketch *s, const struct rule *rule, bool is_start)
{
    int64_t guard = 1;
    if (rule->guard && sketch_fold(s, rule->guard, &guard) && !guard && !rule->prelude.count)
        return;
    uint32_t words[] = {is_start, s->options->is_ground ? 0 : rule->id};
    struct model_term parts[4] = {term_parameters(s, rule), term_block(s, &rule->prelude)};
    parts[2] = rule->guard ? term_expr(s, rule->guard, NO_CARRIER) : term_empty(s);
    ENSURE(!rule->weight); /* see model_chain.c */
    parts[3] = term_block(s, &rule->body);
    uint32_t vertex = term_freeze(s, term_make(s, TERM_RULE, words, 2, parts, 4));
    sketch_part(s, vertex,
                (struct model_part){
                    .kind = is_start ? "start state" : "rule", .name = rule->name, .span = rule->span, .rule = rule});
    sketch_close(s);
}

static bool parameter_is_folded(const struct sketch *s, const struct parameter *parameter)
{
    return s->options->is_ground && !parameter->choose && parameter->type->kind < TYPE_INDEX;
}

static void sketch_rule_from(struct sketch *s, const struct rule *rule, uint32_t p, bool is_start)
{
    while (p < rule->parameter_count && !parameter_is_folded(s, &rule->parameters[p]))
        p++;
    if (p == rule->parameter_count) {
        sketch_instance(s, rule, is_start);
        return;
    }
    const struct parameter *parameter = &rule->parameters[p];
    for (uint32_t i = 0; i < parameter->type->size && !sketch_is_spent(s); i++) {
        sketch_know(s, parameter->variable, type_code(parameter->type, i));
        sketch_rule_from(s, rule, p + 1, is_start);
    }
    sketch_forget(s, parameter->variable);
}

void sketch_rule(struct sketch *s, const struct rule *rule, bool is_start)
{
    sketch_rule_from(s, rule, 0, is_start);
}

static void sketch_function(struct sketch *s, const struct function *function)
{
    struct model_term *parts = memory_zeroed((size_t)function->parameter_count + 2, sizeof *parts);
    uint32_t count = 0;
    for (uint32_t p = 0; p < function->parameter_count; p++)
        parts[count++] = term_variable(s, function->parameters[p]);
    s->function = function;
    parts[count++] = term_block(s, &function->body);
    s->function = NULL;
    uint32_t vertex = term_freeze(s, term_make(s, TERM_FUNCTION, &function->id, 1, parts, count));
    sketch_part(s, vertex, (struct model_part){.kind = "function", .name = function->name, .span = function->span});
    sketch_close(s);
    free(parts);
}

/* Operands keep their order, also of AND and OR: each proposition must be invariant by itself, not the formula alone,
 * for only then do the runs of the quotient satisfy it like those of the model. */
static struct model_term term_ctl(struct sketch *s, const struct ctl *ctl)
{
    uint32_t word = ctl->kind, count = 0;
    struct model_term parts[4];
    if (ctl->variable)
        parts[count++] = term_variable(s, ctl->variable);
    if (ctl->proposition)
        parts[count++] = term_expr(s, ctl->proposition->formula, NO_CARRIER);
    if (ctl->left)
        parts[count++] = term_ctl(s, ctl->left);
    if (ctl->right)
        parts[count++] = term_ctl(s, ctl->right);
    return term_make(s, TERM_EXPR, &word, 1, parts, count);
}

/* What it says of rules and processes is the same for all of their instances (symmetry->keeps_rules). */
static struct model_term term_fairness(struct sketch *s, const struct fairness *fairness)
{
    uint32_t word = fairness->kind, count = 0;
    struct model_term *parts = memory_zeroed((size_t)fairness->variable_count + 2, sizeof *parts);
    for (uint32_t v = 0; v < fairness->variable_count; v++)
        parts[count++] = term_variable(s, fairness->variables[v]);
    if (fairness->when)
        parts[count++] = term_expr(s, fairness->when->formula, NO_CARRIER);
    if (fairness->then)
        parts[count++] = term_expr(s, fairness->then->formula, NO_CARRIER);
    struct model_term term = term_make(s, TERM_EXPR, &word, 1, parts, count);
    free(parts);
    return term;
}

static bool property_has_formula(const struct property *property)
{
    return property->formula || property->ctl || property->ltl || property->fairness;
}

bool sketch_leaves_out(const struct sketch *s, const struct property *property)
{
    const struct model_graph_options *options = s->options;
    return options->without_properties || options->skipped_property == property->id ||
           (options->left_out && options->left_out[property->id]);
}

static void sketch_property(struct sketch *s, const struct property *property)
{
    if (!property_has_formula(property) || sketch_leaves_out(s, property))
        return;
    struct model_term terms[2];
    terms[0] = property->formula    ? term_expr(s, property->formula, NO_CARRIER)
               : property->fairness ? term_fairness(s, property->fairness)
                                    : term_ctl(s, property->ctl ? property->ctl : property->ltl);
    /* Of what is always true (a -> true), the graph has nothing left: but the antecedent is reported on, too. */
    uint32_t count = 1;
    if (property->antecedent)
        terms[count++] = term_expr(s, property->antecedent->formula, NO_CARRIER);
    uint32_t vertex = term_freeze(s, term_make(s, TERM_PROPERTY, &property->id, 1, terms, count));
    sketch_part(s, vertex, (struct model_part){.kind = "property", .name = property->name, .span = property->span});
    sketch_close(s);
}

/* Functions that are called, and those that they call. */
static void sketch_functions(struct sketch *s)
{
    size_t count = s->system->functions.count;
    bool *is_done = memory_zeroed(count + 1, sizeof *is_done);
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (size_t f = 0; f < count; f++) {
            if (!s->is_called[f] || is_done[f])
                continue;
            goes_on = is_done[f] = true;
            sketch_function(s, s->system->functions.items[f]);
        }
    }
    free(is_done);
}

static void sketch_system(struct sketch *s)
{
    const struct system *system = s->system;
    if (system_has_probabilities(system)) {
        sketch_chain(s);
        return;
    }
    for (size_t r = 0; r < system->rules.count; r++)
        sketch_rule(s, system->rules.items[r], false);
    s->is_start = true;
    for (size_t r = 0; r < system->starts.count; r++)
        sketch_rule(s, system->starts.items[r], true);
    s->is_start = false;
    for (size_t p = 0; p < system->properties.count; p++)
        sketch_property(s, system->properties.items[p]);
    s->is_start = true; /* a start state may call them */
    sketch_functions(s);
}

/* --- automorphisms --- */

struct graph_listing {
    VEC(uint32_t) images;
    uint32_t points, count;
};

static void listing_add(void *user, const int *image)
{
    struct graph_listing *listing = user;
    bool is_moving = false;
    for (uint32_t p = 0; p < listing->points; p++)
        is_moving |= (uint32_t)image[p] != p;
    for (uint32_t p = 0; is_moving && p < listing->points; p++)
        VEC_PUSH(&listing->images, (uint32_t)image[p]);
    listing->count += is_moving;
}

static void sketch_solve(struct sketch *s)
{
    struct model_graph *graph = s->graph;
    struct graph_listing listing = {.points = graph->point_count};
    graph->vertices = s->colours.count;
    if (s->options->claim_count)
        sketch_examine(s);
    else if (!sketch_is_spent(s) && graph->point_count)
        nauty_automorphisms((uint32_t)s->colours.count, s->colours.items, s->edges.items, s->edges.count, listing_add,
                            &listing, s->options->watch);
    graph->generator_count = listing.count;
    graph->generators = VEC_SEAL(&listing.images, graph->arena);
    graph->break_count = (uint32_t)s->breaks.count;
    graph->breaks = VEC_SEAL(&s->breaks, graph->arena);
}

struct model_graph *model_graph_create(const struct carriers *carriers, const struct model_graph_options *options)
{
    struct arena *arena = arena_create();
    struct model_graph *graph = ARENA_NEW(arena, struct model_graph);
    const struct system *system = carriers->system;
    struct sketch s = {.carriers = carriers, .system = system, .options = options, .graph = graph};
    graph->arena = arena;
    s.type_skeleton = memory_zeroed(system->types.count, sizeof *s.type_skeleton);
    s.is_known = memory_zeroed((size_t)system->memory_cells + 1, sizeof *s.is_known);
    s.values = memory_zeroed((size_t)system->memory_cells + 1, sizeof *s.values);
    s.local_number = memory_zeroed((size_t)system->memory_cells + 1, sizeof *s.local_number);
    s.is_called = memory_zeroed(system->functions.count + 1, sizeof *s.is_called);
    if (system_has_probabilities(system))
        s.stands_for = memory_zeroed((size_t)system->memory_cells + 1, sizeof *s.stands_for);
    else
        s.is_definite = definite_find(system, arena);
    term_empty(&s); /* skeleton 0 */
    sketch_number_points(&s);
    sketch_add_elements(&s);
    sketch_system(&s);
    sketch_solve(&s);
    words_free(&s.skeletons);
    words_free(&s.known);
    pairs_free(&s.part_of);
    VEC_FREE(&s.parts);
    VEC_FREE(&s.vertex_of);
    VEC_FREE(&s.colours);
    VEC_FREE(&s.edges);
    VEC_FREE(&s.holes);
    VEC_FREE(&s.scratch);
    VEC_FREE(&s.locals);
    free(s.type_skeleton);
    free(s.is_known);
    free(s.is_called);
    free(s.values);
    free(s.local_number);
    free(s.stands_for);
    return graph;
}

void model_graph_destroy(struct model_graph *graph)
{
    if (graph)
        arena_destroy(graph->arena);
}
