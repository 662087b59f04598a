/* Counter abstraction: first which locations there are, then the reduced system. */
#include "reduce/inner.h"

#include "ir/ctl.h"
#include "ir/validate.h"

static bool reduce_pass(struct reducer *reducer)
{
    const struct system *system = reducer->system;
    bool ok = true;
    for (size_t i = 0; i < system->starts.count && ok; i++)
        ok = rules_reduce(reducer, system->starts.items[i], true);
    for (size_t i = 0; i < system->rules.count && ok; i++)
        ok = rules_reduce(reducer, system->rules.items[i], false);
    bool has_formulas = !reducer->is_analysis || reducer->is_thorough;
    /* fairness last: by then it is known whether an LTL formula wants it */
    for (int is_fairness = 0; is_fairness <= 1; is_fairness++)
        for (size_t i = 0; i < system->properties.count && ok && has_formulas; i++)
            if ((system->properties.items[i]->fairness != NULL) == is_fairness)
                ok = properties_reduce(reducer, system->properties.items[i]);
    return ok;
}

static bool reduce_is_too_large(struct reducer *reducer)
{
    const struct reduction *reduction = reducer->reduction;
    uint32_t most = reducer->options->most_locations ? reducer->options->most_locations : REDUCE_LOCATIONS;
    for (uint32_t f = 0; f < reduction->family_count; f++)
        if (reduction->families[f].locations.count > most) {
            diag_error(reducer->diagnostics, reduction->families[f].type->span,
                       "counter abstraction: the elements of %s have more than %u local states",
                       reduction->families[f].type->name, most);
            return true;
        }
    return false;
}

/* Static local reachability: all rules, with any shared values and any neighbours, from the locations found so far,
 * until no new one is found. */
static bool reduce_analyse(struct reducer *reducer)
{
    struct reduction *reduction = reducer->reduction;
    bool ok = true, is_last = false;
    uint32_t *before = ARENA_ARRAY(reduction->arena, uint32_t, reduction->family_count);
    reducer->is_analysis = true;
    reducer->found = true;
    while (ok && !is_last && !reduce_is_too_large(reducer)) {
        /* When nothing new is found any more: once more, with everything. */
        reducer->is_thorough = !reducer->found;
        is_last = reducer->is_thorough;
        reducer->found = false;
        make_system(reducer);
        for (uint32_t f = 0; f < reduction->family_count; f++) {
            VEC_CLEAR(&reduction->families[f].passages);
            before[f] = (uint32_t)reduction->families[f].classes.count;
        }
        ok = reduce_pass(reducer);
        /* Where every start state fails there is no location: the one before the start stands for them. */
        for (uint32_t f = 0; ok && f < reduction->family_count; f++)
            if (!reduction->families[f].classes.count)
                location_reach(reducer, f, 0);
        /* Locations found in this pass were not tried by all rules. */
        for (uint32_t f = 0; f < reduction->family_count; f++)
            reduction->families[f].old_count = reducer->has_missed ? 0 : before[f];
        reducer->has_missed = false;
        system_destroy(reducer->out);
        is_last = is_last && !reducer->found;
    }
    reducer->is_analysis = false;
    return ok && !reducer->diagnostics->errors;
}

static void take_family(struct reducer *reducer, uint32_t number, const struct reduce_family *known)
{
    struct arena *arena = reducer->reduction->arena;
    struct reduce_family *family = &reducer->reduction->families[number];
    size_t bytes = family->words * sizeof(uint64_t);
    for (size_t l = 0; l < known->locations.count; l++) {
        const struct location *from = &known->locations.items[l];
        uint32_t same = location_intern(reducer, number, from->values);
        struct location *to = &family->locations.items[same];
        to->is_reached = from->is_reached;
        to->read = arena_copy(arena, from->read, bytes);
    }
    for (size_t p = 0; p < known->passages.count; p++) {
        struct passage passage = known->passages.items[p];
        passage.kept = arena_copy(arena, passage.kept, bytes);
        VEC_PUSH(&family->passages, passage);
    }
}

/* What the analysis of another reduction has found. */
static bool reduce_take(struct reducer *reducer, const struct reduction *known)
{
    struct reduction *reduction = reducer->reduction;
    reducer->is_analysis = true;
    for (uint32_t f = 0; f < reduction->family_count; f++)
        take_family(reducer, f, &known->families[f]);
    reducer->is_analysis = false;
    for (uint32_t p = 0; p < reduction->pointer_count; p++) {
        reduction->pointers[p].may_miss = known->pointers[p].may_miss;
        reduction->pointers[p].may_be_undefined = known->pointers[p].may_be_undefined;
    }
    for (size_t p = 0; p < reducer->system->properties.count; p++)
        if (known->left_out[p])
            reduction->left_out[p] = arena_string(reduction->arena, known->left_out[p]);
    diag_append(&reduction->warnings, &known->warnings);
    return !reduce_is_too_large(reducer);
}

static void reduce_remark(struct reducer *reducer)
{
    if (reducer->has_exchange)
        reducer->reduction->remark =
            "some rules can exchange processes in the same local state: the reduced model takes "
            "such a step for stuttering when it looks for deadlocks";
}

/* Where a property turns out to be left out, nothing of it is to stay: once more, without it. */
static bool reduce_build_pass(struct reducer *reducer)
{
    struct reduction *reduction = reducer->reduction;
    size_t left_out;
    do {
        left_out = reduction->warnings.count;
        system_destroy(reduction->out);
        VEC_CLEAR(&reduction->rules);
        VEC_CLEAR(&reduction->starts);
        reducer->rule_count = 0;
        make_system(reducer);
        reduction->out = reducer->out;
        if (!reduce_pass(reducer))
            return false;
    } while (reduction->warnings.count > left_out);
    return true;
}

/* No verdict is worth anything then; another engine may have one. */
static bool reduce_fail(struct reducer *reducer, const char *what)
{
    diag_error(reducer->diagnostics, (struct span){0}, "counter abstraction: internal error, please report it: %s",
               what);
    return false;
}

static bool reduce_build(struct reducer *reducer)
{
    dead_classify(reducer);
    if (!reduce_build_pass(reducer))
        return false;
    if (!system_finish(reducer->out)) {
        diag_error(reducer->diagnostics, (struct span){0}, "counter abstraction: the counters take too much memory");
        return false;
    }
    const char *wrong = ir_validate(reducer->out);
    if (wrong)
        return reduce_fail(reducer, wrong);
    reduce_remark(reducer);
    return true;
}

static bool reduce_all(struct reducer *reducer)
{
    if (!families_find(reducer))
        return false;
    if (!reducer->system->starts.count) {
        diag_error(reducer->diagnostics, (struct span){0}, "counter abstraction: the model has no start state");
        return false;
    }
    const struct reduction *known = reducer->options->known;
    return (known ? reduce_take(reducer, known) : reduce_analyse(reducer)) && reduce_build(reducer);
}

struct reduction *reduce_system(const struct system *system, const struct reduce_options *options,
                                struct diagnostics *diagnostics)
{
    struct arena *arena = arena_create();
    struct reduction *reduction = ARENA_NEW(arena, struct reduction);
    struct reduce_options standard = {0};
    reduction->arena = arena;
    reduction->left_out = ARENA_ARRAY(arena, const char *, system->properties.count);
    reduction->system = system;
    struct reducer reducer = {
        .reduction = reduction,
        .system = system,
        .options = options ? options : &standard,
        .diagnostics = diagnostics,
        .looks_around = ARENA_ARRAY(arena, bool, system->rules.count + 1),
        .is_reserved = ARENA_ARRAY(arena, bool, system->types.count + 1),
        .types = ARENA_ARRAY(arena, const struct type *, system->types.count),
        .mirrors = ARENA_ARRAY(arena, struct variable *, system->memory_cells + 1),
        .property_of = ARENA_ARRAY(arena, struct property *, system->properties.count),
    };
    bool ok = !system_has_macro_steps(system);
    if (ok) {
        scratch_list(&reducer);
        ok = reduce_all(&reducer);
    } else {
        diag_error(diagnostics, (struct span){0}, "counter abstraction: %s", system_refuses_single_rules(system));
    }
    VEC_FREE(&reducer.temporaries);
    VEC_FREE(&reducer.names);
    if (ok)
        return reduction;
    if (!diagnostics->errors)
        diag_error(diagnostics, (struct span){0}, "counter abstraction: the model cannot be translated");
    reduction_destroy(reduction);
    return NULL;
}

void reduction_destroy(struct reduction *reduction)
{
    if (!reduction)
        return;
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        VEC_FREE(&reduction->families[f].locations);
        VEC_FREE(&reduction->families[f].passages);
        VEC_FREE(&reduction->families[f].classes);
        free(reduction->families[f].table);
    }
    VEC_FREE(&reduction->rules);
    VEC_FREE(&reduction->starts);
    VEC_FREE(&reduction->properties);
    diag_free(&reduction->warnings);
    system_destroy(reduction->out);
    arena_destroy(reduction->arena);
}

const struct system *reduction_system(const struct reduction *reduction)
{
    return reduction->out;
}

const struct property *reduction_property(const struct reduction *reduction, const struct property *reduced)
{
    return reduction->properties.items[reduced->id];
}

bool reduction_is_extra(const struct reduction *reduction, const struct property *reduced)
{
    return reduced->id >= reduction->system->properties.count;
}

bool reduction_is_exchange(const struct reduction *reduction, const struct rule *reduced)
{
    return reduction->rules.items[reduced->id].is_exchange;
}

bool reduction_leaves(const struct reduction *reduction, const struct property *original)
{
    const struct property *reduced = reduction->out->properties.items[original->id];
    return (original->ctl || original->ltl) && !reduced->ctl && !reduced->ltl &&
           !reduction_left_out(reduction, original);
}

const char *reduction_left_out(const struct reduction *reduction, const struct property *original)
{
    return reduction->left_out[original->id];
}

const struct diagnostics *reduction_warnings(const struct reduction *reduction)
{
    return &reduction->warnings;
}

bool reduction_mistakes_deadlocks(const struct reduction *reduction, const struct property *original)
{
    for (size_t p = 0; reduction->remark && p < reduction->out->properties.count; p++) {
        const struct ctl *ctl = reduction->out->properties.items[p]->ctl;
        if (ctl && (!original || original->id == p) && ctl_has(ctl, CTL_DEADLOCK))
            return true;
    }
    return false;
}

const char *reduction_remark(const struct reduction *reduction)
{
    return reduction->remark;
}

uint32_t reduction_locations(const struct reduction *reduction)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < reduction->family_count; f++)
        count += (uint32_t)reduction->families[f].classes.count;
    return count;
}

void reduction_counters(const struct reduction *reduction, uint32_t *first, uint32_t *count)
{
    *first = reduction->families[0].count->address;
    *count = reduction_locations(reduction);
}
