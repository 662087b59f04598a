/* Expressions over modules -> expressions over counters.
 *
 * A module is *named* when its location is known: its variables are constants. The others of a family are a crowd: for
 * each location so many, the counter less the named ones there. An operator like "&" or "+" over the crowd is taken
 * apart: its parts that are about one module of the crowd must be the same for all of them (with the modules
 * exchanged); then naming one of them, in each location in turn, says what the parts of those in that location are
 * (Table 1 of the paper, for any condition, sums, and parts that look at the rest of the crowd in turn). */
#include "reduce/census_inner.h"

uint32_t census_counter(const struct census *census, uint32_t module, uint32_t location)
{
    return census->families.items[census->family_of[module]].first_counter + location;
}

void census_name(struct census *census, uint32_t module, uint32_t location)
{
    census->location_of[module] = location;
    census->named_at[census_counter(census, module, location)]++;
    census->named_in[census->family_of[module]]++;
}

void census_unname(struct census *census, uint32_t module)
{
    census->named_at[census_counter(census, module, census->location_of[module])]--;
    census->named_in[census->family_of[module]]--;
    census->location_of[module] = NOT_COUNTED;
}

static bool is_crowd(const struct census *census, uint32_t module)
{
    return census->family_of[module] != NOT_COUNTED && census->location_of[module] == NOT_COUNTED;
}

static bool is_named(const struct census *census, uint32_t module)
{
    return census->location_of[module] != NOT_COUNTED;
}

static bool mentions(const struct census *census, const struct gterm *term,
                     bool (*is_wanted)(const struct census *, uint32_t))
{
    for (uint32_t i = 0; i < term->module_count; i++)
        if (is_wanted(census, term->modules[i]))
            return true;
    return false;
}

static const struct gterm *value_of(struct census *census, const struct census_variable *variable)
{
    const struct census_family *family = &census->families.items[census->family_of[variable->module]];
    int64_t value = family->locations.items[census->location_of[variable->module]][variable->field];
    return variable->is_bool ? gterm_bool(census->terms, value) : gterm_int(census->terms, value);
}

const struct gterm *census_substitute(struct census *census, const struct gterm *term)
{
    if (!mentions(census, term, is_named) || watch_is_up())
        return term;
    if (term->kind == TERM_VARIABLE)
        return value_of(census, term->variable);
    const struct gterm **parts = memory_alloc((term->count + 1) * sizeof *parts);
    for (uint32_t i = 0; i < term->count; i++)
        parts[i] = census_substitute(census, term->parts[i]);
    const struct gterm *result = gterm_rebuild(census->terms, term, parts);
    free(parts);
    return result;
}

static const struct gterm *give_up(struct census *census, const struct gterm *term)
{
    while (term->kind != TERM_VARIABLE) {
        uint32_t i = 0;
        while (i < term->count && !mentions(census, term->parts[i], is_crowd))
            i++;
        if (i == term->count)
            return NULL;
        term = term->parts[i];
    }
    if (!census->trouble)
        census->trouble = term->variable;
    return NULL;
}

/* --- a crowd --- */

/* Those of the crowd in a location, as conditions and as a number. */
struct crowd_place {
    const struct gterm *none, *some, *number;
};

static struct crowd_place place_of(struct census *census, uint32_t counter)
{
    struct gterms *terms = census->terms;
    const struct gterm *count = gterm_counter(terms, counter), *named = gterm_int(terms, census->named_at[counter]);
    return (struct crowd_place){
        gterm_pair(terms, TERM_EQ, count, named), gterm_pair(terms, TERM_LT, named, count),
        gterm_pair(terms, TERM_ADD, count, gterm_int(terms, -(int64_t)census->named_at[counter]))};
}

/* Everybody is in this one location, or not everybody is: shorter when it is one of many. */
static const struct gterm *all_in(struct census *census, uint32_t family, uint32_t location, bool is_wanted)
{
    const struct census_family *crowd = &census->families.items[family];
    uint32_t counter = crowd->first_counter + location;
    const struct gterm *number = gterm_counter(census->terms, counter);
    const struct gterm *most =
        gterm_int(census->terms, (int64_t)crowd->count - census->named_in[family] + census->named_at[counter]);
    return gterm_pair(census->terms, is_wanted ? TERM_EQ : TERM_LT, number, most);
}

/* For all, or for some. by[i]: whether it holds in location i. */
static const struct gterm *quantify(struct census *census, enum gterm_kind kind, uint32_t family,
                                    const struct gterm *const *by)
{
    const struct census_family *crowd = &census->families.items[family];
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
        return all_in(census, family, last, is_all);
    census_terms parts = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct crowd_place place = place_of(census, crowd->first_counter + i);
        if (!gterm_is(by[i], is_all))
            VEC_PUSH(&parts,
                     gterm_pair(census->terms, is_all ? TERM_OR : TERM_AND, is_all ? place.none : place.some, by[i]));
    }
    const struct gterm *result = gterm_join(census->terms, kind, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return result;
}

static const struct gterm *sum_up(struct census *census, uint32_t family, const struct gterm *const *by)
{
    const struct census_family *crowd = &census->families.items[family];
    census_terms parts = {0};
    for (uint32_t i = 0; i < crowd->locations.count; i++)
        VEC_PUSH(&parts, gterm_pair(census->terms, TERM_MUL, by[i], place_of(census, crowd->first_counter + i).number));
    const struct gterm *result = gterm_join(census->terms, TERM_ADD, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return result;
}

/* The least or greatest of constants: as if everybody had the most harmless value, but for those who have not. */
static const struct gterm *extreme(struct census *census, enum gterm_kind kind, uint32_t family,
                                   const struct gterm *const *by)
{
    const struct census_family *crowd = &census->families.items[family];
    census_terms parts = {0};
    enum gterm_kind opposite = kind == TERM_MIN ? TERM_MAX : TERM_MIN;
    const struct gterm *harmless = gterm_join(census->terms, opposite, by, (uint32_t)crowd->locations.count);
    bool is_plain = gterm_is_value(harmless);
    for (uint32_t i = 0; i < crowd->locations.count && is_plain; i++)
        VEC_PUSH(&parts, gterm_cond(census->terms, place_of(census, crowd->first_counter + i).some, by[i], harmless));
    const struct gterm *result = is_plain ? gterm_join(census->terms, kind, parts.items, (uint32_t)parts.count) : NULL;
    VEC_FREE(&parts);
    return result;
}

static const struct gterm *multiply(struct census *census, uint32_t family, const struct gterm *const *by)
{
    const struct census_family *crowd = &census->families.items[family];
    census_terms parts = {0};
    bool is_possible = true;
    for (uint32_t i = 0; i < crowd->locations.count; i++) {
        if (gterm_is_number(by[i], 1))
            continue;
        is_possible &= gterm_is_number(by[i], 0);
        VEC_PUSH(&parts, gterm_cond(census->terms, place_of(census, crowd->first_counter + i).none,
                                    gterm_int(census->terms, 1), gterm_int(census->terms, 0)));
    }
    const struct gterm *result =
        is_possible ? gterm_join(census->terms, TERM_MUL, parts.items, (uint32_t)parts.count) : NULL;
    VEC_FREE(&parts);
    return result;
}

/* What the operator gives for the whole crowd, when `part` is that of `module`, and the others have theirs. */
static const struct gterm *over_crowd(struct census *census, enum gterm_kind kind, uint32_t module,
                                      const struct gterm *part)
{
    uint32_t family = census->family_of[module];
    uint32_t count = (uint32_t)census->families.items[family].locations.count;
    const struct gterm **by = memory_zeroed(count + 1, sizeof *by), *result = part;
    for (uint32_t i = 0; i < count && result; i++) {
        census_name(census, module, i);
        result = by[i] = census_translate(census, part);
        census_unname(census, module);
    }
    if (result) {
        result = kind == TERM_AND || kind == TERM_OR ? quantify(census, kind, family, by)
                 : kind == TERM_ADD                  ? sum_up(census, family, by)
                 : kind == TERM_MUL                  ? multiply(census, family, by)
                                                     : extreme(census, kind, family, by);
        if (!result)
            give_up(census, part);
    }
    free(by);
    return result;
}

/* --- an operator with many parts --- */

struct sorting {
    enum gterm_kind kind;
    census_terms parts; /* not dealt with yet */
    census_terms done;
    bool has_failed;
};

/* How many of the family's crowd it mentions, and one of them. */
static uint32_t count_crowd(const struct census *census, const struct gterm *term, uint32_t family, uint32_t *one)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < term->module_count; i++)
        if (census->family_of[term->modules[i]] == family && is_crowd(census, term->modules[i])) {
            *one = term->modules[i];
            count++;
        }
    return count;
}

/* Takes the parts that mention just this one of the crowd. */
static const struct gterm *take_parts_of(struct census *census, struct sorting *sorting, uint32_t module)
{
    census_terms own = {0};
    size_t kept = 0;
    for (size_t i = 0; i < sorting->parts.count; i++) {
        const struct gterm *part = sorting->parts.items[i];
        uint32_t one = NOT_COUNTED;
        if (count_crowd(census, part, census->family_of[module], &one) == 1 && one == module)
            VEC_PUSH(&own, part);
        else
            sorting->parts.items[kept++] = part;
    }
    sorting->parts.count = kept;
    const struct gterm *all =
        own.count ? gterm_join(census->terms, sorting->kind, own.items, (uint32_t)own.count) : NULL;
    VEC_FREE(&own);
    return all;
}

static void fail(struct census *census, struct sorting *sorting, const struct gterm *term)
{
    sorting->has_failed = true;
    give_up(census, term);
}

static void finish_crowd(struct census *census, struct sorting *sorting, uint32_t module, const struct gterm *part)
{
    const struct gterm *done = over_crowd(census, sorting->kind, module, part);
    if (done)
        VEC_PUSH(&sorting->done, done);
    else
        sorting->has_failed = true;
}

/* The parts about one of the crowd. */
static void sort_singles(struct census *census, struct sorting *sorting, uint32_t number)
{
    const struct census_family *family = &census->families.items[number];
    uint32_t first = NOT_COUNTED;
    const struct gterm *part = NULL;
    for (uint32_t m = 0; m < family->count && !sorting->has_failed; m++) {
        uint32_t module = family->members[m];
        if (!is_crowd(census, module))
            continue;
        const struct gterm *own = take_parts_of(census, sorting, module);
        if (first == NOT_COUNTED) {
            first = module;
            part = own;
        } else if (!own || !part) {
            if (own || part)
                fail(census, sorting, own ? own : part);
        } else if (gterm_swap(census->terms, part, first, module) != own)
            fail(census, sorting, own);
    }
    if (part && !sorting->has_failed)
        finish_crowd(census, sorting, first, part);
}

static bool is_unmoved(struct census *census, const struct gterm *term, uint32_t family, uint32_t except)
{
    const struct census_family *all = &census->families.items[family];
    uint32_t first = NOT_COUNTED;
    for (uint32_t m = 0; m < all->count; m++) {
        if (!is_crowd(census, all->members[m]) || all->members[m] == except)
            continue;
        if (first == NOT_COUNTED)
            first = all->members[m];
        else if (gterm_swap(census->terms, term, first, all->members[m]) != term)
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
static void sort_special(struct census *census, struct sorting *sorting, uint32_t number, const struct gterm *part)
{
    const struct census_family *family = &census->families.items[number];
    uint32_t special = NOT_COUNTED;
    for (uint32_t m = 0; m < family->count && special == NOT_COUNTED; m++)
        if (is_crowd(census, family->members[m]) && is_unmoved(census, part, number, family->members[m]))
            special = family->members[m];
    if (special == NOT_COUNTED) {
        fail(census, sorting, part);
        return;
    }
    for (uint32_t m = 0; m < family->count && !sorting->has_failed; m++) {
        uint32_t module = family->members[m];
        if (is_crowd(census, module) && module != special &&
            !take_part(sorting, gterm_swap(census->terms, part, special, module)))
            fail(census, sorting, part);
    }
    if (!sorting->has_failed)
        finish_crowd(census, sorting, special, part);
}

static void sort_family(struct census *census, struct sorting *sorting, uint32_t number)
{
    uint32_t one;
    census_terms whole = {0};
    sort_singles(census, sorting, number);
    for (size_t i = 0; i < sorting->parts.count && !sorting->has_failed;) {
        const struct gterm *part = sorting->parts.items[i];
        if (count_crowd(census, part, number, &one) < 2) {
            i++;
            continue;
        }
        take_part(sorting, part);
        if (is_unmoved(census, part, number, NOT_COUNTED))
            VEC_PUSH(&whole, part);
        else
            sort_special(census, sorting, number, part);
        i = 0;
    }
    for (size_t i = 0; i < whole.count; i++)
        VEC_PUSH(&sorting->done, whole.items[i]); /* translated with the rest */
    VEC_FREE(&whole);
}

static const struct gterm *translate_parts(struct census *census, const struct gterm *term);

static const struct gterm *translate_join(struct census *census, const struct gterm *term)
{
    struct sorting sorting = {.kind = term->kind};
    for (uint32_t i = 0; i < term->count; i++)
        VEC_PUSH(&sorting.parts, term->parts[i]);
    for (uint32_t f = 0; f < census->families.count && !sorting.has_failed; f++)
        sort_family(census, &sorting, f);
    for (size_t i = 0; i < sorting.parts.count; i++)
        VEC_PUSH(&sorting.done, sorting.parts.items[i]);
    for (size_t i = 0; i < sorting.done.count && !sorting.has_failed; i++) {
        sorting.done.items[i] = census_translate(census, sorting.done.items[i]);
        sorting.has_failed = !sorting.done.items[i];
    }
    const struct gterm *result =
        sorting.has_failed ? NULL
                           : gterm_join(census->terms, term->kind, sorting.done.items, (uint32_t)sorting.done.count);
    VEC_FREE(&sorting.parts);
    VEC_FREE(&sorting.done);
    return result;
}

static const struct gterm *translate_parts(struct census *census, const struct gterm *term)
{
    const struct gterm **parts = memory_zeroed(term->count + 1, sizeof *parts), *result = term;
    for (uint32_t i = 0; i < term->count && result; i++)
        result = parts[i] = census_translate(census, term->parts[i]);
    result = result ? gterm_rebuild(census->terms, term, parts) : NULL;
    free(parts);
    return result;
}

/* The variable of the only one in the crowd is a sum with one summand, or "some" is "all". */
static const struct gterm *translate_variable(struct census *census, const struct gterm *term)
{
    uint32_t module = term->variable->module, family = census->family_of[module];
    if (!is_crowd(census, module))
        return census_substitute(census, term);
    if (census->families.items[family].count - census->named_in[family] > 1)
        return give_up(census, term);
    return over_crowd(census, term->is_bool ? TERM_OR : TERM_ADD, module, term);
}

const struct gterm *census_translate(struct census *census, const struct gterm *term)
{
    if (watch_is_up())
        return NULL;
    if (!mentions(census, term, is_crowd))
        return census_substitute(census, term);
    if (term->kind == TERM_VARIABLE)
        return translate_variable(census, term);
    bool is_join = term->kind >= TERM_AND && term->kind <= TERM_MAX;
    return is_join ? translate_join(census, term) : translate_parts(census, term);
}

const struct gterm *census_translate_or_refuse(struct census *census, const struct gterm *term, struct span span,
                                               const char *what)
{
    census->trouble = NULL;
    const struct gterm *result = census_translate(census, term);
    if (!result && census->trouble)
        census_error(census, span, "%s depends on \"%s\" in a way that numbers of modules cannot tell", what,
                     census->trouble->name);
    else if (!result)
        census_error(census, span, "%s cannot be said with numbers of modules", what);
    return result;
}
