#include "detect/detect.h"

#include <stdlib.h>
#include <string.h>

#include "detect/detecting.h"

const struct symmetry_factor *detect_factor(const struct detecting *d, uint32_t carrier)
{
    const struct symmetry *symmetry = d->found.symmetry;
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].type == d->found.retyped.types[carrier])
            return &symmetry->factors[f];
    UNREACHABLE("a carrier without an index type");
}

bool detect_ask(struct detecting *d)
{
    detection_free(&d->found);
    if (!retype_system(d->carriers, &d->found.retyped))
        return false;
    d->found.system = d->found.retyped.system;
    d->found.symmetry = symmetry_find(d->found.system);
    return true;
}

static bool detect_is_asked(const struct detecting *d, uint32_t c)
{
    return d->carriers->items[c].is_wanted && !d->carriers->items[c].is_declared;
}

static void detect_refuse(struct detecting *d, uint32_t c)
{
    const struct symmetry_factor *factor = detect_factor(d, c);
    struct symmetry_factor *refused = &d->refused[c];
    *refused = *factor;
    refused->breaches = arena_copy(d->arena, factor->breaches, factor->breach_count * sizeof *refused->breaches);
    for (uint32_t b = 0; b < refused->breach_count; b++)
        refused->breaches[b].message = arena_string(d->arena, refused->breaches[b].message);
    d->carriers->items[c].is_wanted = false;
}

/* Gives up carriers that were refused; returns whether there were any. Those that are named or computed with first:
 * as elements of an index type they may have spoilt the loops of others (a counter is counted up in them). */
static bool detect_give_up(struct detecting *d)
{
    const uint32_t names = BREACH_NAMES | BREACH_COMPUTES;
    bool has_names = false, gave_up = false;
    for (uint32_t c = 0; c < d->carriers->count; c++)
        has_names |= detect_is_asked(d, c) && (detect_factor(d, c)->breach_kinds & names);
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        if (!detect_is_asked(d, c) || detect_factor(d, c)->is_used ||
            (has_names && !(detect_factor(d, c)->breach_kinds & names)))
            continue;
        detect_refuse(d, c);
        gave_up = true;
    }
    return gave_up;
}

static bool detect_wants_any(const struct carriers *carriers)
{
    for (uint32_t c = 0; c < carriers->count; c++)
        if (carriers->items[c].is_wanted)
            return true;
    return false;
}

/* Sets is_full, and refused of the others. */
static void detect_prove(struct detecting *d)
{
    while (detect_wants_any(d->carriers) && detect_ask(d) && detect_give_up(d)) {
    }
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        bool is_idle = !d->carriers->items[c].is_state; /* moves nothing in a state */
        d->is_full[c] = d->found.symmetry && detect_is_asked(d, c) && !is_idle;
        d->carriers->items[c].is_wanted = d->is_full[c];
    }
}

/* The copy with all that moves, and its symmetry. */
static void detect_finish(struct detecting *d, bool explains)
{
    bool has_any = detect_wants_any(d->carriers);
    if (!has_any || !detect_ask(d)) {
        detection_free(&d->found);
        d->found = (struct detection){.system = d->system, .symmetry = symmetry_find(d->system)};
    }
    detect_factors(d);
    detect_explain(d, explains);
}

struct detecting detect_begin(const struct system *system, const struct watch *watch)
{
    struct detecting d = {.system = system, .carriers = carriers_find(system), .keeps_rules = true, .watch = watch};
    d.arena = d.carriers->arena;
    d.refused = ARENA_ARRAY(d.arena, struct symmetry_factor, d.carriers->count + 1);
    d.is_full = ARENA_ARRAY(d.arena, bool, d.carriers->count + 1);
    d.is_graphed = ARENA_ARRAY(d.arena, bool, d.carriers->count + 1);
    detect_candidates(d.carriers);
    detect_prove(&d);
    return d;
}

void detect_note_end(struct detecting *d)
{
    if (watch_is_over(d->watch)) {
        struct text why = {0};
        struct stop stop = watch_stop(d->watch);
        stop_print(&stop, &why);
        d->found.symmetry->cut_short = arena_string(d->found.symmetry->arena, text_chars(&why));
        text_free(&why);
    } else if (d->is_too_large) {
        d->found.symmetry->cut_short = "the group of its ranges and enums is too large to be computed";
    }
}

struct detection detect_symmetry(const struct system *system, const struct detect_options *options)
{
    if (options && options->claims)
        return detect_claimed(system, options);
    struct detection found = {0};
    if (options && options->gathers)
        found = detect_gathered(system, options);
    return found.symmetry ? found : detect_variables_kept(system, options);
}

struct detection detect_variables_kept(const struct system *system, const struct detect_options *options)
{
    struct detecting d = detect_begin(system, options ? options->watch : NULL);
    detect_group(&d, options);
    detect_finish(&d, options && options->explains);
    if (options && options->left_out)
        d.found.symmetry->left_out = arena_copy(d.found.symmetry->arena, options->left_out,
                                                system->properties.count * sizeof *options->left_out);
    detect_note_end(&d);
    group_destroy(d.group);
    model_graph_destroy(d.graph);
    carriers_destroy(d.carriers);
    if (options && options->splits && system_has_probabilities(system))
        detect_split(system, options, &d.found);
    return d.found;
}

void detection_free(struct detection *detection)
{
    for (uint32_t p = 0; p < detection->part_count; p++) {
        layout_destroy(detection->parts[p].layout);
        detection_free(&detection->parts[p].found);
        free(detection->parts[p].is_for);
    }
    free(detection->parts);
    symmetry_destroy(detection->symmetry);
    retype_free(&detection->retyped);
    system_destroy(detection->gathered);
    *detection = (struct detection){0};
}
