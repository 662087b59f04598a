#include "verify/claims.h"

#include <string.h>

#include "base/printable.h"
#include "verify/check.h"

static bool is_named(const struct property *property, const struct claims_wanted *wanted)
{
    for (size_t n = 0; n < wanted->names.count; n++)
        if (property->name && !strcmp(property->name, wanted->names.items[n]))
            return true;
    return false;
}

const char *claims_unknown(const struct system *system, const struct claims_wanted *wanted)
{
    for (size_t n = 0; n < wanted->names.count; n++) {
        bool is_known = false;
        for (size_t p = 0; p < system->properties.count && !is_known; p++) {
            const char *name = system->properties.items[p]->name;
            is_known = name && !strcmp(name, wanted->names.items[n]);
        }
        if (!is_known)
            return wanted->names.items[n];
    }
    return NULL;
}

/* No property that could be proved: a condition under which the others are. */
static bool is_condition(const struct property *property)
{
    return property->kind == PROPERTY_ASSUMPTION || property->kind == PROPERTY_FAIRNESS;
}

/* A Markov chain stays where nothing is enabled, and what is built in is part of the check of its measures. */
static bool is_built_in(const struct system *system, const struct property *property)
{
    return system_has_probabilities(system) &&
           (property->kind == PROPERTY_DEADLOCK || property->kind == PROPERTY_RUNTIME);
}

static enum certified_deadlock deadlock_wanted(const struct system *system, const struct claims_wanted *wanted)
{
    return wanted->is_deadlock_given      ? wanted->deadlock
           : system->language->loops_move ? CERTIFIED_STUCK
                                          : CERTIFIED_STUTTERING;
}

static bool is_wanted(const struct system *system, const struct property *property, const struct claims_wanted *wanted)
{
    if (is_condition(property) || wanted->names.count)
        return is_named(property, wanted);
    return !is_built_in(system, property) &&
           (property->kind != PROPERTY_DEADLOCK || deadlock_wanted(system, wanted) != CERTIFIED_OFF);
}

static bool is_measured(const struct certificate *certificate, const struct property *property)
{
    for (size_t m = 0; m < certificate->measures.count; m++)
        if (certificate->measures.items[m] == property->id)
            return true;
    return false;
}

static bool is_proved(const struct certificate *certificate, const struct property *property)
{
    if (certificate->measures.count)
        return is_measured(certificate, property);
    return verify_covers(property) && !is_condition(property) &&
           (property->kind != PROPERTY_DEADLOCK || certificate->deadlock != CERTIFIED_OFF);
}

/* "ltl fine" */
static const char *title_of(const struct certificate *certificate, const struct property *property)
{
    struct arena *arena = certificate->action.arena;
    const char *kind = property_kind_name(property->kind);
    if (!property->name || !strcmp(property->name, kind))
        return kind;
    return arena_format(arena, "%s %s", kind, arena_printable(arena, property->name));
}

static void print_property(const struct certificate *certificate, const struct property *property, struct text *claims)
{
    const char *verdict = property->kind == PROPERTY_ASSUMPTION ? "assumed"
                          : is_proved(certificate, property)    ? "holds"
                                                                : "not certified";
    text_format(claims, "\n  %s: %s", verdict, title_of(certificate, property));
    if (property->kind == PROPERTY_DEADLOCK && is_proved(certificate, property))
        text_format(claims, " (%s)", certified_deadlock_names[certificate->deadlock]);
}

static void note_missing(struct text *missing, const char *what)
{
    text_format(missing, "%s%s", missing->length ? ", " : "the certificate says nothing of ", what);
}

static bool is_from(const struct expr *formula, const struct source *source)
{
    return formula && source &&
           (formula->span.source == source || is_from(formula->left, source) || is_from(formula->right, source));
}

/* Conditions that are not of the model, under which it is easier to prove. */
static bool adds_condition(const struct property *property, const struct source *asked)
{
    return (property->kind == PROPERTY_ASSUMPTION && asked && property->span.source == asked) ||
           (property->kind == PROPERTY_DEADLOCK && is_from(property->formula, asked));
}

bool claims_print(const struct certificate *certificate, const struct system *system, const struct source *asked,
                  const struct claims_wanted *wanted, struct text *claims, struct text *missing)
{
    const char *condition = NULL;
    enum certified_deadlock weakest = deadlock_wanted(system, wanted);
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        bool is_right = is_proved(certificate, property);
        if (adds_condition(property, asked) && !wanted->allows_conditions)
            condition = property->kind == PROPERTY_DEADLOCK ? "a final condition" : title_of(certificate, property);
        if (!is_measured(certificate, property) && !is_built_in(system, property) &&
            property->kind != PROPERTY_FAIRNESS)
            print_property(certificate, property, claims);
        if (property->kind == PROPERTY_DEADLOCK && weakest != CERTIFIED_OFF)
            is_right &= certificate->deadlock <= weakest;
        if (!is_right && is_wanted(system, property, wanted))
            note_missing(missing, title_of(certificate, property));
    }
    if (condition)
        text_format(missing, "%sthe certificate adds %s to the model (--conditions allows that)",
                    missing->length ? "; " : "", condition);
    return !missing->length;
}
