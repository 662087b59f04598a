/* The local states of the families: those from which no analysis of one module alone can exclude that they are reached.
 * Every choice is followed for the modules it names, with anything in the other variables. */
#include <string.h>

#include "reduce/census_inner.h"

enum { MOST_LOCATIONS = 5000 };

static uint32_t find_location(const struct census_family *family, const int64_t *values)
{
    for (uint32_t i = 0; i < family->locations.count; i++)
        if (!memcmp(family->locations.items[i], values, family->variable_count * sizeof *values))
            return i;
    return NOT_COUNTED;
}

uint32_t census_location(const struct census *census, uint32_t family, const int64_t *values)
{
    return find_location(&census->families.items[family], values);
}

static void add_location(struct census *census, struct census_family *family, const int64_t *values)
{
    if (find_location(family, values) == NOT_COUNTED)
        VEC_PUSH(&family->locations, arena_copy(census->arena, values, family->variable_count * sizeof *values));
}

static const struct census_variable *field_of(const struct census *census, const struct census_family *family,
                                              uint32_t field)
{
    return census->modules[family->members[0]].variables[field];
}

/* Every combination of the values that `low` and `high` allow. */
static void add_between(struct census *census, struct census_family *family, const int64_t *low, const int64_t *high)
{
    int64_t *values = memory_alloc((family->variable_count + 1) * sizeof *values);
    memcpy(values, low, family->variable_count * sizeof *values);
    for (;;) {
        uint32_t field = family->variable_count;
        add_location(census, family, values);
        if (family->locations.count > MOST_LOCATIONS)
            break;
        while (field-- > 0 && values[field] == high[field])
            values[field] = low[field];
        if (field == UINT32_MAX)
            break;
        values[field]++;
    }
    free(values);
}

static void add_initial(struct census *census, struct census_family *family)
{
    int64_t *low = memory_alloc((family->variable_count + 1) * sizeof *low);
    int64_t *high = memory_alloc((family->variable_count + 1) * sizeof *high);
    for (uint32_t m = 0; m < family->count; m++) {
        const struct census_module *component = &census->modules[family->members[m]];
        for (uint32_t i = 0; i < family->variable_count; i++) {
            bool is_open = census->initial;
            low[i] = is_open ? component->variables[i]->low : component->variables[i]->initial;
            high[i] = is_open ? component->variables[i]->high : component->variables[i]->initial;
        }
        add_between(census, family, low, high);
    }
    free(low);
    free(high);
}

/* Where the module may go when it is where it is named to be; other modules may be named or not. */
static void follow(struct census *census, const struct census_outcome *outcome, uint32_t module)
{
    struct census_family *family = &census->families.items[census->family_of[module]];
    uint32_t count = family->variable_count;
    int64_t *low = memory_alloc((2 * (size_t)count + 1) * sizeof *low), *high = low + count;
    memcpy(low, family->locations.items[census->location_of[module]], count * sizeof *low);
    memcpy(high, low, count * sizeof *low);
    bool is_possible = true;
    for (uint32_t i = 0; i < outcome->count; i++) {
        if (outcome->variables[i]->module != module)
            continue;
        const struct gterm *value = census_substitute(census, outcome->values[i]);
        uint32_t field = outcome->variables[i]->field;
        bool is_known = gterm_is_value(value);
        low[field] = is_known ? value->value : outcome->variables[i]->low;
        high[field] = is_known ? value->value : outcome->variables[i]->high;
        is_possible &= low[field] >= outcome->variables[i]->low && high[field] <= outcome->variables[i]->high;
    }
    if (is_possible)
        add_between(census, family, low, high);
    free(low);
}

static bool is_never(struct census *census, const struct census_outcome *outcome)
{
    struct census_weight weight = census_weight_substitute(census, &outcome->weight);
    return census_weight_is_zero(census, &weight);
}

static void follow_choice(struct census *census, const struct census_orbit *orbit, uint32_t module)
{
    const struct census_choice *choice = orbit->choice;
    if (gterm_is(census_substitute(census, choice->guard), false))
        return;
    for (uint32_t i = 0; i < choice->outcome_count; i++)
        if (!is_never(census, &choice->outcomes[i]))
            follow(census, &choice->outcomes[i], module);
}

static bool is_written(const struct census_choice *choice, uint32_t module)
{
    for (uint32_t i = 0; i < choice->outcome_count; i++)
        for (uint32_t k = 0; k < choice->outcomes[i].count; k++)
            if (choice->outcomes[i].variables[k]->module == module)
                return true;
    return false;
}

/* Each named module by itself: what the others do is left open. */
static void follow_from(struct census *census, uint32_t family, uint32_t location)
{
    for (size_t o = 0; o < census->orbits.count; o++) {
        const struct census_orbit *orbit = &census->orbits.items[o];
        for (uint32_t i = 0; i < orbit->names.count; i++) {
            uint32_t module = orbit->names.modules[i];
            if (census->family_of[module] != family || !is_written(orbit->choice, module))
                continue;
            census->location_of[module] = location;
            follow_choice(census, orbit, module);
            census->location_of[module] = NOT_COUNTED;
        }
    }
}

static int compare_locations(const void *a, const void *b, uint32_t count)
{
    const int64_t *x = *(int64_t *const *)a, *y = *(int64_t *const *)b;
    for (uint32_t i = 0; i < count; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void sort_locations(struct census_family *family)
{
    for (size_t i = 1; i < family->locations.count; i++)
        for (size_t k = i; k > 0 && compare_locations(&family->locations.items[k - 1], &family->locations.items[k],
                                                      family->variable_count) > 0;
             k--) {
            int64_t *moved = family->locations.items[k];
            family->locations.items[k] = family->locations.items[k - 1];
            family->locations.items[k - 1] = moved;
        }
}

/* "no_3", "no_1_true"; with several families "no_client1_3". */
static const char *name_counter(const struct census *census, const struct census_family *family, const int64_t *values)
{
    struct text name = {0};
    text_append(&name, "no");
    if (census->families.count > 1)
        text_format(&name, "_%s", census->modules[family->members[0]].name);
    for (uint32_t i = 0; i < family->variable_count; i++)
        if (field_of(census, family, i)->is_bool)
            text_append(&name, values[i] ? "_true" : "_false");
        else
            text_format(&name, values[i] < 0 ? "_m%lld" : "_%lld", llabs((long long)values[i]));
    for (uint32_t i = 0; i < census->system->state_cells; i++)
        if (!strcmp(census->variables[i].name, text_chars(&name))) {
            text_char(&name, '_');
            i = UINT32_MAX;
        }
    const char *kept = arena_string(census->arena, text_chars(&name));
    text_free(&name);
    return kept;
}

static void name_counters(struct census *census)
{
    census->counter_count = 0;
    for (size_t f = 0; f < census->families.count; f++) {
        sort_locations(&census->families.items[f]);
        census->families.items[f].first_counter = census->counter_count;
        census->counter_count += (uint32_t)census->families.items[f].locations.count;
    }
    census->counter_names = ARENA_ARRAY(census->arena, const char *, census->counter_count + 1);
    census->counter_family = ARENA_ARRAY(census->arena, uint32_t, census->counter_count + 1);
    census->named_at = ARENA_ARRAY(census->arena, uint32_t, census->counter_count + 1);
    for (uint32_t f = 0; f < census->families.count; f++) {
        const struct census_family *family = &census->families.items[f];
        for (uint32_t i = 0; i < family->locations.count; i++) {
            census->counter_names[family->first_counter + i] = name_counter(census, family, family->locations.items[i]);
            census->counter_family[family->first_counter + i] = f;
        }
    }
}

bool census_find_locations(struct census *census)
{
    census->location_of = ARENA_ARRAY(census->arena, uint32_t, census->module_count + 1);
    census->named_in = ARENA_ARRAY(census->arena, uint32_t, census->families.count + 1);
    for (uint32_t i = 0; i < census->module_count; i++)
        census->location_of[i] = NOT_COUNTED;
    for (uint32_t f = 0; f < census->families.count; f++) {
        struct census_family *family = &census->families.items[f];
        add_initial(census, family);
        for (uint32_t i = 0; i < family->locations.count && family->locations.count <= MOST_LOCATIONS && !watch_is_up();
             i++)
            follow_from(census, f, i);
        if (family->locations.count > MOST_LOCATIONS)
            return census_error(census, census->modules[family->members[0]].span,
                                "the copies of \"%s\" have more than %d local states",
                                census->modules[family->members[0]].name, MOST_LOCATIONS);
    }
    name_counters(census);
    return true;
}
