/* Choices -> commands over counters: one for each way to put the named modules into locations in which the guard can
 * hold (statement (3) of the paper's section 5). */
#include "lang/prism/generic.h"

enum { MOST_COPIES = 20000 };

struct making {
    struct prism_generic *generic;
    const struct generic_orbit *orbit;
    struct generic_command command;
    generic_write_command *write;
    void *data;
    int64_t *most; /* by counter */
    const struct gterm *
        *values;    /* of the local writes, in the order of outcomes and writes; what they were decided to be */
    bool is_summed; /* the guard must say that the counters add up */
};

/* --- how many choices a command stands for --- */

/* The greatest product of c (c - 1) ... over the counters, m factors of each with m named modules in it: when the rest
 * of a family is spread over those in the best way. Too large to matter: INT32_MAX. */
static int64_t most_ways(const struct prism_generic *generic, uint32_t family)
{
    const struct generic_family *all = &generic->families.items[family];
    uint32_t rest = all->count - generic->named_in[family];
    double *best = memory_zeroed(rest + 1, sizeof *best), *next = memory_zeroed(rest + 1, sizeof *next);
    best[0] = 1;
    for (uint32_t i = 0; i < all->locations.count; i++) {
        uint32_t named = generic->named_at[all->first_counter + i];
        for (uint32_t x = 0; x <= rest; x++) {
            next[x] = 0;
            for (uint32_t here = 0; here <= x; here++) {
                double product = best[x - here];
                for (uint32_t k = 0; k < named; k++)
                    product *= named + here - k;
                next[x] = product > next[x] ? product : next[x];
            }
        }
        for (uint32_t x = 0; x <= rest; x++)
            best[x] = next[x];
    }
    double most = best[rest];
    free(best);
    free(next);
    return most < INT32_MAX ? (int64_t)(most + 0.5) : INT32_MAX;
}

/* --- the guard --- */

static void add_conjunct(struct making *making, const struct gterm *term)
{
    generic_terms *guard = &making->command.guard;
    for (size_t i = 0; i < guard->count; i++)
        if (guard->items[i] == term)
            return;
    VEC_PUSH(guard, term);
}

static void add_conjuncts(struct making *making, const struct gterm *term)
{
    if (gterm_is(term, true))
        return;
    if (term->kind != TERM_AND) {
        add_conjunct(making, term);
        return;
    }
    for (uint32_t i = 0; i < term->count; i++)
        add_conjunct(making, term->parts[i]);
}

static bool is_fixed(const struct making *making, uint32_t counter, int64_t *value)
{
    for (size_t i = 0; i < making->command.guard.count; i++) {
        const struct gterm *part = making->command.guard.items[i];
        for (uint32_t k = 0; k < 2 && part->kind == TERM_EQ; k++)
            if (part->parts[k]->kind == TERM_COUNTER && part->parts[k]->counter == counter &&
                gterm_is_value(part->parts[1 - k])) {
                *value = part->parts[1 - k]->value->integer;
                return true;
            }
    }
    return false;
}

/* No counter leaves its range, though no reachable state would have it do so: PRISM looks at all states. */
static void add_limits(struct making *making)
{
    struct prism_generic *generic = making->generic;
    for (uint32_t c = 0; c < generic->counter_count; c++) {
        int64_t most = making->most[c], rise = 0, value;
        for (size_t i = 0; i < making->command.updates.count; i++)
            if (making->command.updates.items[i].moves[c] > rise)
                rise = making->command.updates.items[i].moves[c];
        if (!rise || (is_fixed(making, c, &value) && value + rise <= most))
            continue;
        add_conjunct(making, gterm_pair(generic->terms, TERM_LT, gterm_counter(generic->terms, c),
                                        gterm_int(generic->terms, most - rise + 1)));
    }
}

static void add_sum(struct making *making)
{
    struct prism_generic *generic = making->generic;
    for (size_t f = 0; f < generic->families.count; f++) {
        const struct generic_family *family = &generic->families.items[f];
        generic_terms counters = {0};
        for (uint32_t i = 0; i < family->locations.count; i++)
            VEC_PUSH(&counters, gterm_counter(generic->terms, family->first_counter + i));
        const struct gterm *sum = gterm_join(generic->terms, TERM_ADD, counters.items, (uint32_t)counters.count);
        add_conjunct(making, gterm_pair(generic->terms, TERM_EQ, sum, gterm_int(generic->terms, family->count)));
        VEC_FREE(&counters);
    }
}

/* --- updates --- */

static bool is_counted(const struct prism_generic *generic, const struct prism_variable *variable)
{
    return variable->module != PRISM_GLOBAL && generic->family_of[variable->module] != NOT_COUNTED;
}

/* From where it is to where the decided values take it. */
static void add_moves(struct making *making, const struct generic_outcome *outcome, const struct gterm *const *values,
                      int32_t *moves)
{
    struct prism_generic *generic = making->generic;
    for (uint32_t n = 0; n < making->orbit->names.count; n++) {
        uint32_t module = making->orbit->names.modules[n], number = generic->family_of[module];
        const struct generic_family *family = &generic->families.items[number];
        int64_t *to = arena_copy(generic->arena, family->locations.items[generic->location_of[module]],
                                 family->variable_count * sizeof *to);
        for (uint32_t i = 0; i < outcome->count; i++)
            if (outcome->variables[i]->module == module)
                to[outcome->variables[i]->field] = values[i]->value->integer;
        uint32_t location = generic_location(generic, number, to);
        ENSURE(location != NOT_COUNTED);
        moves[generic_counter(generic, module, generic->location_of[module])]--;
        moves[family->first_counter + location]++;
    }
}

static bool add_update(struct making *making, const struct generic_outcome *outcome, const struct gterm *const *values)
{
    struct prism_generic *generic = making->generic;
    struct generic_update update = {.moves = ARENA_ARRAY(generic->arena, int32_t, generic->counter_count)};
    const struct gterm *weight = generic_translate_or_refuse(generic, outcome->weight, outcome->span, "the weight");
    if (!weight)
        return false;
    if (gterm_is_number(weight, 0))
        return true;
    making->is_summed |= weight->has_counter;
    bool is_rate = generic->network->type == PRISM_CTMC && making->orbit->names.count;
    uint64_t same;
    const struct gterm *number = generic_ways(generic, &making->orbit->names, &same);
    if (is_rate && !same)
        return generic_error(generic, outcome->span, "too many modules synchronise");
    if (is_rate)
        weight = gterm_pair(generic->terms, TERM_MUL, weight, number);
    if (is_rate && same > 1)
        weight = gterm_pair(generic->terms, TERM_DIV, weight, gterm_int(generic->terms, (int64_t)same));
    if (generic->network->type == PRISM_CTMC && making->orbit->repeated > 1)
        weight = gterm_pair(generic->terms, TERM_MUL, weight, gterm_int(generic->terms, making->orbit->repeated));
    update.weight = weight;
    update.variables = ARENA_ARRAY(generic->arena, const struct prism_variable *, outcome->count);
    update.values = ARENA_ARRAY(generic->arena, const struct gterm *, outcome->count);
    for (uint32_t i = 0; i < outcome->count; i++)
        if (!is_counted(generic, outcome->variables[i])) {
            update.variables[update.count] = outcome->variables[i];
            update.values[update.count++] = values[i];
            making->is_summed |= values[i]->has_counter;
        }
    add_moves(making, outcome, values, update.moves);
    VEC_PUSH(&making->command.updates, update);
    return true;
}

/* --- writing --- */

static bool write_copies(struct making *making)
{
    struct prism_generic *generic = making->generic;
    uint32_t repeated = generic->network->type == PRISM_DTMC ? making->orbit->repeated : 1;
    if (generic->network->type != PRISM_DTMC || !making->orbit->names.count) {
        bool is_written = true;
        for (uint32_t i = 0; i < repeated && is_written; i++)
            is_written = making->write(generic, &making->command, making->data);
        return is_written;
    }
    uint64_t same;
    const struct gterm *number = generic_ways(generic, &making->orbit->names, &same);
    if (!making->orbit->names.is_blocked && same != 1)
        return generic_error(
            generic, making->orbit->choice->span,
            "copies synchronise in a combination that is the same for some of them: how often that happens in a "
            "dtmc cannot be expressed by commands over counters");
    int64_t high = 1, fixed_number;
    for (uint32_t f = 0; f < generic->families.count && same; f++)
        if (__builtin_mul_overflow(high, most_ways(generic, f), &high))
            high = INT32_MAX;
    if (!same || high / (int64_t)same > MOST_COPIES)
        return generic_error(generic, making->orbit->choice->span, "more than %d commands are needed", MOST_COPIES);
    high /= (int64_t)same;
    if (number->kind == TERM_COUNTER && is_fixed(making, number->counter, &fixed_number))
        high = fixed_number;
    size_t conjuncts = making->command.guard.count;
    bool is_written = true;
    for (int64_t i = 0; i < high && is_written; i++) {
        /* the first conjunct of a single module says the same of 0 */
        bool is_single = number->kind == TERM_COUNTER;
        const struct gterm *first = making->command.guard.items[0];
        const struct gterm *more =
            gterm_pair(generic->terms, TERM_LT, gterm_int(generic->terms, i * (int64_t)same), number);
        if (is_single)
            making->command.guard.items[0] = more;
        else if (i)
            add_conjunct(making, more);
        for (uint32_t k = 0; k < repeated && is_written; k++)
            is_written = making->write(generic, &making->command, making->data);
        making->command.guard.items[0] = first;
        making->command.guard.count = conjuncts;
    }
    return is_written;
}

static bool write_one(struct making *making)
{
    const struct generic_choice *choice = making->orbit->choice;
    size_t conjuncts = making->command.guard.count;
    uint32_t at = 0;
    bool is_good = true;
    VEC_CLEAR(&making->command.updates);
    making->is_summed = false;
    for (uint32_t i = 0; i < choice->outcome_count && is_good; i++) {
        is_good = add_update(making, &choice->outcomes[i], making->values + at);
        at += choice->outcomes[i].count;
    }
    if (is_good) {
        add_limits(making);
        if (making->is_summed)
            add_sum(making);
        is_good = write_copies(making);
    }
    making->command.guard.count = conjuncts;
    return is_good;
}

/* --- what the local writes write --- */

static bool decide_writes(struct making *making, uint32_t outcome, uint32_t write, uint32_t at);

static bool decide_next(struct making *making, uint32_t outcome, uint32_t write, uint32_t at)
{
    return decide_writes(making, outcome, write + 1, at + 1);
}

static bool refuse_range(struct making *making, const struct generic_outcome *outcome, uint32_t write,
                         const struct gterm *value)
{
    const struct prism_variable *variable = outcome->variables[write];
    if (gterm_is_value(value))
        return generic_error(making->generic, outcome->span,
                             "\"%s\" may become %lld, which is not in its range [%lld..%lld]", variable->name.text,
                             (long long)value->value->integer, (long long)variable->low, (long long)variable->high);
    return generic_error(making->generic, outcome->span,
                         "the new value of \"%s\" depends on other variables, and may leave the range [%lld..%lld]",
                         variable->name.text, (long long)variable->low, (long long)variable->high);
}

/* Does the guard say already what the value is, and something else? */
static bool is_excluded(const struct making *making, const struct gterm *value, const struct gterm *known)
{
    for (size_t i = 0; i < making->command.guard.count; i++) {
        const struct gterm *part = making->command.guard.items[i];
        for (uint32_t k = 0; k < 2 && part->kind == TERM_EQ; k++)
            if (part->parts[k] == value && gterm_is_value(part->parts[1 - k]) && part->parts[1 - k] != known)
                return true;
        if (part == gterm_not(making->generic->terms, gterm_pair(making->generic->terms, TERM_EQ, value, known)))
            return true;
    }
    return false;
}

/* The value of a counted variable that others decide: a command for each. */
static bool split_on(struct making *making, const struct generic_outcome *outcome, uint32_t number, uint32_t write,
                     uint32_t at, const struct gterm *value)
{
    struct prism_generic *generic = making->generic;
    const struct prism_variable *variable = outcome->variables[write];
    bool is_bool = variable->type == PRISM_TYPE_BOOL, is_good = true;
    int64_t low = 0, high = 1;
    if (!is_bool && !gterm_bounds(value, making->most, &low, &high))
        return refuse_range(making, outcome, write, value);
    if (low < variable->low || high > variable->high)
        return refuse_range(making, outcome, write, value);
    for (int64_t v = low; v <= high && is_good; v++) {
        const struct gterm *known = is_bool ? gterm_bool(generic->terms, v) : gterm_int(generic->terms, v);
        const struct gterm *condition = gterm_pair(generic->terms, TERM_EQ, value, known);
        size_t conjuncts = making->command.guard.count;
        bool is_idle = is_excluded(making, value, known);
        add_conjuncts(making, condition);
        making->values[at] = known;
        if (!gterm_is(condition, false) && !is_idle)
            is_good = decide_next(making, number, write, at);
        making->command.guard.count = conjuncts;
    }
    return is_good;
}

static bool decide_writes(struct making *making, uint32_t number, uint32_t write, uint32_t at)
{
    struct prism_generic *generic = making->generic;
    const struct generic_choice *choice = making->orbit->choice;
    while (number < choice->outcome_count && write == choice->outcomes[number].count) {
        number++;
        write = 0;
    }
    if (number == choice->outcome_count)
        return write_one(making);
    const struct generic_outcome *outcome = &choice->outcomes[number];
    const struct prism_variable *variable = outcome->variables[write];
    const struct gterm *value =
        generic_translate_or_refuse(generic, outcome->values[write], outcome->span, "the new value");
    if (!value)
        return false;
    making->values[at] = value;
    if (!is_counted(generic, variable))
        return decide_next(making, number, write, at);
    if (!gterm_is_value(value))
        return split_on(making, outcome, number, write, at, value);
    bool never = gterm_is_number(generic_substitute(generic, outcome->weight), 0);
    if (!never && (value->value->integer < variable->low || value->value->integer > variable->high))
        return refuse_range(making, outcome, write, value);
    return decide_next(making, number, write, at);
}

static bool make_one(struct making *making)
{
    struct prism_generic *generic = making->generic;
    const struct generic_choice *choice = making->orbit->choice;
    const struct gterm *guard = generic_translate_or_refuse(generic, choice->guard, choice->guard_span, "the guard");
    if (!guard)
        return false;
    if (gterm_is(guard, false))
        return true;
    VEC_CLEAR(&making->command.guard);
    for (uint32_t c = 0; c < generic->counter_count; c++)
        if (generic->named_at[c])
            VEC_PUSH(&making->command.guard,
                     gterm_pair(generic->terms, TERM_LT, gterm_int(generic->terms, generic->named_at[c] - 1),
                                gterm_counter(generic->terms, c)));
    add_conjuncts(making, guard);
    return decide_writes(making, 0, 0, 0);
}

/* Puts the named modules into locations, one after the other. */
static bool place_named(struct making *making, uint32_t number)
{
    struct prism_generic *generic = making->generic;
    if (watch_is_up())
        return false;
    if (number == making->orbit->names.count)
        return make_one(making);
    uint32_t module = making->orbit->names.modules[number];
    const struct generic_family *family = &generic->families.items[generic->family_of[module]];
    bool is_good = true;
    for (uint32_t i = generic_first_location(generic, &making->orbit->names, number);
         i < family->locations.count && is_good; i++) {
        generic_name(generic, module, i);
        if (!gterm_is(generic_substitute(generic, making->orbit->choice->guard), false))
            is_good = place_named(making, number + 1);
        generic_unname(generic, module);
    }
    return is_good;
}

bool generic_make_commands(struct prism_generic *generic, const struct generic_orbit *orbit,
                           generic_write_command *write, void *data)
{
    struct making making = {.generic = generic,
                            .orbit = orbit,
                            .write = write,
                            .data = data,
                            .command = {.action = orbit->choice->action, .span = orbit->choice->span},
                            .most = memory_zeroed(generic->counter_count + 1, sizeof *making.most)};
    uint32_t writes = 0;
    for (uint32_t i = 0; i < orbit->choice->outcome_count; i++)
        writes += orbit->choice->outcomes[i].count;
    making.values = memory_zeroed(writes + 1, sizeof *making.values);
    for (uint32_t c = 0; c < generic->counter_count; c++)
        making.most[c] = generic->families.items[generic->counter_family[c]].count;
    bool is_good = place_named(&making, 0);
    VEC_FREE(&making.command.guard);
    VEC_FREE(&making.command.updates);
    free(making.values);
    free(making.most);
    return is_good;
}
