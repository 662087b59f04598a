/* Expressions over modules -> expressions over counters.
 *
 * A module is *named* when its location is known: its variables are constants. The others of a family are a crowd: for
 * each location so many, the counter less the named ones there. An operator like "&" or "+" over the crowd is taken
 * apart: its parts that are about one module of the crowd must be the same for all of them (with the modules
 * exchanged); then naming one of them, in each location in turn, says what the parts of those in that location are
 * (Table 1 of the paper, for any condition, sums, and parts that look at the rest of the crowd in turn). */
#include "lang/prism/generic.h"

uint32_t generic_counter(const struct prism_generic *generic, uint32_t module, uint32_t location)
{
    return generic->families.items[generic->family_of[module]].first_counter + location;
}

void generic_name(struct prism_generic *generic, uint32_t module, uint32_t location)
{
    generic->location_of[module] = location;
    generic->named_at[generic_counter(generic, module, location)]++;
    generic->named_in[generic->family_of[module]]++;
}

void generic_unname(struct prism_generic *generic, uint32_t module)
{
    generic->named_at[generic_counter(generic, module, generic->location_of[module])]--;
    generic->named_in[generic->family_of[module]]--;
    generic->location_of[module] = NOT_COUNTED;
}

static bool is_crowd(const struct prism_generic *generic, uint32_t module)
{
    return generic->family_of[module] != NOT_COUNTED && generic->location_of[module] == NOT_COUNTED;
}

static bool is_named(const struct prism_generic *generic, uint32_t module)
{
    return generic->location_of[module] != NOT_COUNTED;
}

static bool mentions(const struct prism_generic *generic, const struct gterm *term,
                     bool (*is_wanted)(const struct prism_generic *, uint32_t))
{
    for (uint32_t i = 0; i < term->module_count; i++)
        if (is_wanted(generic, term->modules[i]))
            return true;
    return false;
}

static const struct gterm *value_of(struct prism_generic *generic, const struct prism_variable *variable)
{
    const struct generic_family *family = &generic->families.items[generic->family_of[variable->module]];
    int64_t value = family->locations.items[generic->location_of[variable->module]][variable->field];
    return variable->type == PRISM_TYPE_BOOL ? gterm_bool(generic->terms, value) : gterm_int(generic->terms, value);
}

const struct gterm *generic_substitute(struct prism_generic *generic, const struct gterm *term)
{
    if (!mentions(generic, term, is_named) || watch_is_up())
        return term;
    if (term->kind == TERM_VARIABLE)
        return value_of(generic, term->variable);
    const struct gterm **parts = memory_alloc((term->count + 1) * sizeof *parts);
    for (uint32_t i = 0; i < term->count; i++)
        parts[i] = generic_substitute(generic, term->parts[i]);
    const struct gterm *result = gterm_rebuild(generic->terms, term, parts);
    free(parts);
    return result;
}

static const struct gterm *give_up(struct prism_generic *generic, const struct gterm *term)
{
    while (term->kind != TERM_VARIABLE) {
        uint32_t i = 0;
        while (i < term->count && !mentions(generic, term->parts[i], is_crowd))
            i++;
        if (i == term->count)
            return NULL;
        term = term->parts[i];
    }
    if (!generic->trouble)
        generic->trouble = term->variable;
    return NULL;
}

/* --- a crowd --- */

/* Those of the crowd in a location, as conditions and as a number. */
struct crowd_place {
    const struct gterm *none, *some, *number;
};

static struct crowd_place place_of(struct prism_generic *generic, uint32_t counter)
{
    struct gterms *terms = generic->terms;
    const struct gterm *count = gterm_counter(terms, counter), *named = gterm_int(terms, generic->named_at[counter]);
    return (struct crowd_place){
        gterm_pair(terms, TERM_EQ, count, named), gterm_pair(terms, TERM_LT, named, count),
        gterm_pair(terms, TERM_ADD, count, gterm_int(terms, -(int64_t)generic->named_at[counter]))};
}

/* Everybody is in this one location, or not everybody is: shorter when it is one of many. */
static const struct gterm *all_in(struct prism_generic *generic, uint32_t family, uint32_t location, bool is_wanted)
{
    const struct generic_family *crowd = &generic->families.items[family];
    uint32_t counter = crowd->first_counter + location;
    const struct gterm *number = gterm_counter(generic->terms, counter);
    const struct gterm *most =
        gterm_int(generic->terms, (int64_t)crowd->count - generic->named_in[family] + generic->named_at[counter]);
    return gterm_pair(generic->terms, is_wanted ? TERM_EQ : TERM_LT, number, most);
}

/* For all, or for some. by[i]: whether it holds in location i. */
static const struct gterm *quantify(struct prism_generic *generic, enum gterm_kind kind, uint32_t family,
                                    const struct gterm *const *by)
{
    const struct generic_family *crowd = &generic->families.items[family];
    bool is_all = kind == TERM_AND;
    uint32_t trivial = 0, last = 0, count = (uint32_t)crowd->locations.count;
    bool is_plain = true;
    for (uint32_t i = 0; i < count; i++) {
        is_plain &= gterm_is_value(by[i]);
        if (gterm_is(by[i], is_all)) {
            trivial++;
            last = i;
        }
    }
    if (is_plain && trivial == 1 && count > 2)
        return all_in(generic, family, last, is_all);
    generic_terms parts = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct crowd_place place = place_of(generic, crowd->first_counter + i);
        if (!gterm_is(by[i], is_all))
            VEC_PUSH(&parts,
                     gterm_pair(generic->terms, is_all ? TERM_OR : TERM_AND, is_all ? place.none : place.some, by[i]));
    }
    const struct gterm *result = gterm_join(generic->terms, kind, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return result;
}

static const struct gterm *sum_up(struct prism_generic *generic, uint32_t family, const struct gterm *const *by)
{
    const struct generic_family *crowd = &generic->families.items[family];
    generic_terms parts = {0};
    for (uint32_t i = 0; i < crowd->locations.count; i++)
        VEC_PUSH(&parts,
                 gterm_pair(generic->terms, TERM_MUL, by[i], place_of(generic, crowd->first_counter + i).number));
    const struct gterm *result = gterm_join(generic->terms, TERM_ADD, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return result;
}

/* The least or greatest of constants: as if everybody had the most harmless value, but for those who have not. */
static const struct gterm *extreme(struct prism_generic *generic, enum gterm_kind kind, uint32_t family,
                                   const struct gterm *const *by)
{
    const struct generic_family *crowd = &generic->families.items[family];
    generic_terms parts = {0};
    enum gterm_kind opposite = kind == TERM_MIN ? TERM_MAX : TERM_MIN;
    const struct gterm *harmless = gterm_join(generic->terms, opposite, by, (uint32_t)crowd->locations.count);
    bool is_plain = gterm_is_value(harmless);
    for (uint32_t i = 0; i < crowd->locations.count && is_plain; i++)
        VEC_PUSH(&parts, gterm_cond(generic->terms, place_of(generic, crowd->first_counter + i).some, by[i], harmless));
    const struct gterm *result = is_plain ? gterm_join(generic->terms, kind, parts.items, (uint32_t)parts.count) : NULL;
    VEC_FREE(&parts);
    return result;
}

static const struct gterm *multiply(struct prism_generic *generic, uint32_t family, const struct gterm *const *by)
{
    const struct generic_family *crowd = &generic->families.items[family];
    generic_terms parts = {0};
    bool is_possible = true;
    for (uint32_t i = 0; i < crowd->locations.count; i++) {
        if (gterm_is_number(by[i], 1))
            continue;
        is_possible &= gterm_is_number(by[i], 0);
        VEC_PUSH(&parts, gterm_cond(generic->terms, place_of(generic, crowd->first_counter + i).none,
                                    gterm_int(generic->terms, 1), gterm_int(generic->terms, 0)));
    }
    const struct gterm *result =
        is_possible ? gterm_join(generic->terms, TERM_MUL, parts.items, (uint32_t)parts.count) : NULL;
    VEC_FREE(&parts);
    return result;
}

/* What the operator gives for the whole crowd, when `part` is that of `module`, and the others have theirs. */
static const struct gterm *over_crowd(struct prism_generic *generic, enum gterm_kind kind, uint32_t module,
                                      const struct gterm *part)
{
    uint32_t family = generic->family_of[module];
    uint32_t count = (uint32_t)generic->families.items[family].locations.count;
    const struct gterm **by = memory_zeroed(count + 1, sizeof *by), *result = part;
    for (uint32_t i = 0; i < count && result; i++) {
        generic_name(generic, module, i);
        result = by[i] = generic_translate(generic, part);
        generic_unname(generic, module);
    }
    if (result) {
        result = kind == TERM_AND || kind == TERM_OR ? quantify(generic, kind, family, by)
                 : kind == TERM_ADD                  ? sum_up(generic, family, by)
                 : kind == TERM_MUL                  ? multiply(generic, family, by)
                                                     : extreme(generic, kind, family, by);
        if (!result)
            give_up(generic, part);
    }
    free(by);
    return result;
}

/* --- an operator with many parts --- */

struct sorting {
    enum gterm_kind kind;
    generic_terms parts; /* not dealt with yet */
    generic_terms done;
    bool has_failed;
};

/* How many of the family's crowd it mentions, and one of them. */
static uint32_t count_crowd(const struct prism_generic *generic, const struct gterm *term, uint32_t family,
                            uint32_t *one)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < term->module_count; i++)
        if (generic->family_of[term->modules[i]] == family && is_crowd(generic, term->modules[i])) {
            *one = term->modules[i];
            count++;
        }
    return count;
}

/* Takes the parts that mention just this one of the crowd. */
static const struct gterm *take_parts_of(struct prism_generic *generic, struct sorting *sorting, uint32_t module)
{
    generic_terms own = {0};
    size_t kept = 0;
    for (size_t i = 0; i < sorting->parts.count; i++) {
        const struct gterm *part = sorting->parts.items[i];
        uint32_t one = NOT_COUNTED;
        if (count_crowd(generic, part, generic->family_of[module], &one) == 1 && one == module)
            VEC_PUSH(&own, part);
        else
            sorting->parts.items[kept++] = part;
    }
    sorting->parts.count = kept;
    const struct gterm *all =
        own.count ? gterm_join(generic->terms, sorting->kind, own.items, (uint32_t)own.count) : NULL;
    VEC_FREE(&own);
    return all;
}

static void fail(struct prism_generic *generic, struct sorting *sorting, const struct gterm *term)
{
    sorting->has_failed = true;
    give_up(generic, term);
}

static void finish_crowd(struct prism_generic *generic, struct sorting *sorting, uint32_t module,
                         const struct gterm *part)
{
    const struct gterm *done = over_crowd(generic, sorting->kind, module, part);
    if (done)
        VEC_PUSH(&sorting->done, done);
    else
        sorting->has_failed = true;
}

/* The parts about one of the crowd. */
static void sort_singles(struct prism_generic *generic, struct sorting *sorting, uint32_t number)
{
    const struct generic_family *family = &generic->families.items[number];
    uint32_t first = NOT_COUNTED;
    const struct gterm *part = NULL;
    for (uint32_t m = 0; m < family->count && !sorting->has_failed; m++) {
        uint32_t module = family->members[m];
        if (!is_crowd(generic, module))
            continue;
        const struct gterm *own = take_parts_of(generic, sorting, module);
        if (first == NOT_COUNTED) {
            first = module;
            part = own;
        } else if (!own || !part) {
            if (own || part)
                fail(generic, sorting, own ? own : part);
        } else if (gterm_swap(generic->terms, part, first, module) != own)
            fail(generic, sorting, own);
    }
    if (part && !sorting->has_failed)
        finish_crowd(generic, sorting, first, part);
}

static bool is_unmoved(struct prism_generic *generic, const struct gterm *term, uint32_t family, uint32_t except)
{
    const struct generic_family *all = &generic->families.items[family];
    uint32_t first = NOT_COUNTED;
    for (uint32_t m = 0; m < all->count; m++) {
        if (!is_crowd(generic, all->members[m]) || all->members[m] == except)
            continue;
        if (first == NOT_COUNTED)
            first = all->members[m];
        else if (gterm_swap(generic->terms, term, first, all->members[m]) != term)
            return false;
    }
    return true;
}

/* Takes a part out of the list; false: it is not there. */
static bool take_part(struct sorting *sorting, const struct gterm *part)
{
    for (size_t i = 0; i < sorting->parts.count; i++)
        if (sorting->parts.items[i] == part) {
            sorting->parts.items[i] = VEC_LAST(&sorting->parts);
            sorting->parts.count--;
            return true;
        }
    return false;
}

/* A part that mentions several, one of them in a way of its own ("it is there, and no other"): with the corresponding
 * parts of the others. */
static void sort_special(struct prism_generic *generic, struct sorting *sorting, uint32_t number,
                         const struct gterm *part)
{
    const struct generic_family *family = &generic->families.items[number];
    uint32_t special = NOT_COUNTED;
    for (uint32_t m = 0; m < family->count && special == NOT_COUNTED; m++)
        if (is_crowd(generic, family->members[m]) && is_unmoved(generic, part, number, family->members[m]))
            special = family->members[m];
    if (special == NOT_COUNTED) {
        fail(generic, sorting, part);
        return;
    }
    for (uint32_t m = 0; m < family->count && !sorting->has_failed; m++) {
        uint32_t module = family->members[m];
        if (is_crowd(generic, module) && module != special &&
            !take_part(sorting, gterm_swap(generic->terms, part, special, module)))
            fail(generic, sorting, part);
    }
    if (!sorting->has_failed)
        finish_crowd(generic, sorting, special, part);
}

static void sort_family(struct prism_generic *generic, struct sorting *sorting, uint32_t number)
{
    uint32_t one;
    generic_terms whole = {0};
    sort_singles(generic, sorting, number);
    for (size_t i = 0; i < sorting->parts.count && !sorting->has_failed;) {
        const struct gterm *part = sorting->parts.items[i];
        if (count_crowd(generic, part, number, &one) < 2) {
            i++;
            continue;
        }
        take_part(sorting, part);
        if (is_unmoved(generic, part, number, NOT_COUNTED))
            VEC_PUSH(&whole, part);
        else
            sort_special(generic, sorting, number, part);
        i = 0;
    }
    for (size_t i = 0; i < whole.count; i++)
        VEC_PUSH(&sorting->done, whole.items[i]); /* translated with the rest */
    VEC_FREE(&whole);
}

static const struct gterm *translate_parts(struct prism_generic *generic, const struct gterm *term);

static const struct gterm *translate_join(struct prism_generic *generic, const struct gterm *term)
{
    struct sorting sorting = {.kind = term->kind};
    for (uint32_t i = 0; i < term->count; i++)
        VEC_PUSH(&sorting.parts, term->parts[i]);
    for (uint32_t f = 0; f < generic->families.count && !sorting.has_failed; f++)
        sort_family(generic, &sorting, f);
    for (size_t i = 0; i < sorting.parts.count; i++)
        VEC_PUSH(&sorting.done, sorting.parts.items[i]);
    for (size_t i = 0; i < sorting.done.count && !sorting.has_failed; i++) {
        sorting.done.items[i] = generic_translate(generic, sorting.done.items[i]);
        sorting.has_failed = !sorting.done.items[i];
    }
    const struct gterm *result =
        sorting.has_failed ? NULL
                           : gterm_join(generic->terms, term->kind, sorting.done.items, (uint32_t)sorting.done.count);
    VEC_FREE(&sorting.parts);
    VEC_FREE(&sorting.done);
    return result;
}

static const struct gterm *translate_parts(struct prism_generic *generic, const struct gterm *term)
{
    const struct gterm **parts = memory_zeroed(term->count + 1, sizeof *parts), *result = term;
    for (uint32_t i = 0; i < term->count && result; i++)
        result = parts[i] = generic_translate(generic, term->parts[i]);
    result = result ? gterm_rebuild(generic->terms, term, parts) : NULL;
    free(parts);
    return result;
}

/* The variable of the only one in the crowd is a sum with one summand, or "some" is "all". */
static const struct gterm *translate_variable(struct prism_generic *generic, const struct gterm *term)
{
    uint32_t module = term->variable->module, family = generic->family_of[module];
    if (!is_crowd(generic, module))
        return generic_substitute(generic, term);
    if (generic->families.items[family].count - generic->named_in[family] > 1)
        return give_up(generic, term);
    return over_crowd(generic, term->type == PRISM_TYPE_BOOL ? TERM_OR : TERM_ADD, module, term);
}

const struct gterm *generic_translate(struct prism_generic *generic, const struct gterm *term)
{
    if (watch_is_up())
        return NULL;
    if (!mentions(generic, term, is_crowd))
        return generic_substitute(generic, term);
    if (term->kind == TERM_VARIABLE)
        return translate_variable(generic, term);
    bool is_join = term->kind >= TERM_AND && term->kind <= TERM_MAX;
    return is_join ? translate_join(generic, term) : translate_parts(generic, term);
}

const struct gterm *generic_translate_or_refuse(struct prism_generic *generic, const struct gterm *term,
                                                struct span span, const char *what)
{
    generic->trouble = NULL;
    const struct gterm *result = generic_translate(generic, term);
    if (!result && generic->trouble)
        generic_error(generic, span, "%s depends on \"%s\" in a way that numbers of modules cannot tell", what,
                      generic->trouble->name.text);
    else if (!result)
        generic_error(generic, span, "%s cannot be said with numbers of modules", what);
    return result;
}
