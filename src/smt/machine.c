#include "smt/machine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"

enum { SMT_POLL = 1 << 10 };

void smt_refuse(struct smt_machine *machine, struct span span, const char *format, ...)
{
    va_list arguments;
    if (machine->is_refused)
        return;
    machine->is_refused = true;
    machine->refused = span;
    va_start(arguments, format);
    text_vformat(&machine->refusal, format, arguments);
    va_end(arguments);
}

bool smt_goes_on(struct smt_machine *machine, struct span span)
{
    if (++machine->steps > SMT_MOST_STEPS)
        smt_refuse(machine, span, "the formulas get too large");
    if (machine->steps % SMT_POLL == 0 && watch_is_up())
        smt_refuse(machine, span, "there was no time for it");
    return !machine->is_refused;
}

void smt_note_inexact(struct smt_machine *machine, struct span span)
{
    if (!machine->is_inexact)
        machine->inexact = span;
    machine->is_inexact = true;
}

static void smt_make_sorts(struct smt_machine *machine)
{
    const struct system *system = machine->system;
    machine->sorts = memory_zeroed(system->types.count + 1, sizeof *machine->sorts);
    for (size_t i = 0; i < system->types.count; i++) {
        const struct type *type = system->types.items[i];
        if (type->kind != TYPE_INDEX)
            continue;
        const char *name = type->name ? type->name : "index";
        for (size_t s = 1; s < machine->terms->sorts.count; s++)
            if (!strcmp(machine->terms->sorts.items[s], name))
                name = arena_format(machine->terms->arena, "%s #%zu", name, i);
        machine->sorts[type->id] = terms_sort(machine->terms, name);
    }
}

bool smt_open(struct smt_machine *machine, const struct system *system, struct fol_store *terms)
{
    *machine = (struct smt_machine){.system = system, .terms = terms};
    smt_make_sorts(machine);
    machine->first = memory_zeroed((size_t)system->memory_cells + 1, sizeof *machine->first);
    machine->references = memory_zeroed((size_t)system->memory_cells + 1, sizeof *machine->references);
    bool is_good = leaves_make(machine);
    machine->state = memory_zeroed(machine->leaves.count + 1, sizeof *machine->state);
    machine->contents = memory_zeroed(machine->leaves.count + 1, sizeof *machine->contents);
    for (size_t l = 0; is_good && l < machine->leaves.count; l++)
        if (machine->leaves.items[l].variable->is_global)
            machine->state[l] = leaf_symbols_make(machine, &machine->leaves.items[l], "");
    return is_good && !machine->is_refused;
}

void smt_close(struct smt_machine *machine)
{
    free(machine->sorts);
    free(machine->first);
    free(machine->references);
    free(machine->state);
    free(machine->contents);
    VEC_FREE(&machine->leaves);
    VEC_FREE(&machine->binders);
    VEC_FREE(&machine->paths);
    VEC_FREE(&machine->reads);
    VEC_FREE(&machine->events);
    text_free(&machine->refusal);
}

void smt_reset(struct smt_machine *machine, bool is_start)
{
    for (size_t l = 0; l < machine->leaves.count; l++)
        machine->contents[l] =
            machine->state[l] && !is_start ? content_of(machine, machine->state[l]) : content_undefined(machine);
    VEC_CLEAR(&machine->binders);
    VEC_CLEAR(&machine->paths);
    VEC_CLEAR(&machine->reads);
    VEC_CLEAR(&machine->events);
    machine->returned = machine->gone = machine->disabled = TERM_FALSE;
    machine->function = NULL;
    machine->loops = machine->quantifiers = 0;
}

term smt_axioms(struct smt_machine *machine)
{
    term axioms = TERM_TRUE;
    for (uint32_t l = 0; l < machine->leaves.count; l++)
        if (machine->state[l])
            axioms = fol_and(machine->terms, axioms, leaf_axiom(machine, l));
    return axioms;
}

term smt_active(struct smt_machine *machine)
{
    term path = machine->paths.count ? VEC_LAST(&machine->paths) : TERM_TRUE;
    return fol_and(machine->terms, path, fol_not(machine->terms, machine->returned));
}

void smt_push_path(struct smt_machine *machine, term condition)
{
    term path = machine->paths.count ? VEC_LAST(&machine->paths) : TERM_TRUE;
    VEC_PUSH(&machine->paths, fol_and(machine->terms, path, condition));
}

void smt_fault(struct smt_machine *machine, const struct property *property, struct span span, term when)
{
    struct fol_store *terms = machine->terms;
    term wrong = fol_and(terms, smt_active(machine), when);
    if (wrong == TERM_FALSE)
        return;
    struct smt_event event = {property, span, fol_and(terms, wrong, fol_not(terms, machine->gone))};
    if (!property)
        event.property = machine->system->properties.items[SYSTEM_RUNTIME];
    VEC_PUSH(&machine->events, event);
    machine->gone = fol_or(terms, machine->gone, wrong);
}

struct smt_binder smt_bind(struct smt_machine *machine, uint32_t sort)
{
    struct smt_binder binder = {fol_variable(machine->terms, sort), machine->gone, machine->events.count};
    VEC_PUSH(&machine->binders, binder.variable);
    machine->gone = TERM_FALSE;
    return binder;
}

void smt_unbind(struct smt_machine *machine, const struct smt_binder *binder)
{
    struct fol_store *terms = machine->terms;
    term before = fol_not(terms, binder->gone);
    for (size_t i = binder->events; i < machine->events.count; i++) {
        term some = fol_exists(terms, binder->variable, machine->events.items[i].when);
        machine->events.items[i].when = fol_and(terms, before, some);
    }
    machine->gone = fol_or(terms, binder->gone, fol_exists(terms, binder->variable, machine->gone));
    machine->binders.count--;
}

term smt_fire(struct smt_machine *machine, const struct rule *rule, const struct smt_value *const *parameters)
{
    struct fol_store *terms = machine->terms;
    size_t paths = machine->paths.count;
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        smt_set_variable(machine, rule->parameters[p].variable, parameters[p]);
    smt_block(machine, &rule->prelude);
    if (rule->guard) {
        term guard = smt_condition(machine, rule->guard);
        machine->disabled = fol_or(terms, machine->disabled, fol_not(terms, guard));
        smt_push_path(machine, guard);
    }
    smt_block(machine, &rule->body);
    machine->paths.count = paths;
    return fol_and(terms, fol_not(terms, machine->disabled), fol_not(terms, machine->gone));
}

term smt_holds(struct smt_machine *machine, const struct expr *formula)
{
    struct fol_store *terms = machine->terms;
    term gone = machine->gone, returned = machine->returned;
    size_t events = machine->events.count;
    machine->gone = machine->returned = TERM_FALSE;
    term truth = smt_condition(machine, formula);
    term holds = fol_and(terms, truth, fol_not(terms, machine->gone));
    machine->gone = gone;
    machine->returned = returned;
    machine->events.count = events;
    return holds;
}

term smt_alters(struct smt_machine *machine)
{
    struct fol_store *terms = machine->terms;
    term alters = TERM_FALSE, variables[SMT_MOST_DIMENSIONS];
    for (uint32_t l = 0; l < machine->leaves.count; l++) {
        const struct smt_leaf *leaf = &machine->leaves.items[l];
        if (!machine->state[l] || !machine->contents[l]->value)
            continue;
        for (uint32_t d = 0; d < leaf->dim_count; d++)
            variables[d] = fol_variable(terms, machine->sorts[leaf->dims[d]->id]);
        const struct smt_value *now = content_read(machine, machine->contents[l], l, variables);
        const struct smt_value *before = content_read(machine, content_of(machine, machine->state[l]), l, variables);
        term differs = fol_not(terms, smt_same(machine, now, before));
        for (uint32_t d = leaf->dim_count; d-- > 0;)
            differs = fol_exists(terms, variables[d], differs);
        alters = fol_or(terms, alters, differs);
    }
    return alters;
}
