/* Choices -> commands over counters: one for each way to put the named modules into locations in which the guard can
 * hold (statement (3) of the paper's section 5). */
#include "ir/bounds.h"
#include "reduce/census_inner.h"

enum { MOST_COPIES = 20000 };

struct making {
    struct census *census;
    const struct census_orbit *orbit;
    struct census_command command;
    const struct gterm *
        *values;    /* of the local writes, in the order of outcomes and writes; what they were decided to be */
    bool is_summed; /* the guard must say that the counters add up */
};

/* --- how many choices a command stands for --- */

/* The greatest product of c (c - 1) ... over the counters, m factors of each with m named modules in it: when the rest
 * of a family is spread over those in the best way. Too large to matter: INT32_MAX. */
static int64_t most_ways(const struct census *census, uint32_t family)
{
    const struct census_family *all = &census->families.items[family];
    uint32_t rest = all->count - census->named_in[family];
    double *best = memory_zeroed(rest + 1, sizeof *best), *next = memory_zeroed(rest + 1, sizeof *next);
    best[0] = 1;
    for (uint32_t i = 0; i < all->locations.count; i++) {
        uint32_t named = census->named_at[all->first_counter + i];
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
    census_terms *guard = &making->command.guard;
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
                *value = part->parts[1 - k]->value;
                return true;
            }
    }
    return false;
}

/* No counter leaves its range, though no reachable state would have it do so: PRISM looks at all states. */
static void add_limits(struct making *making)
{
    struct census *census = making->census;
    for (uint32_t c = 0; c < census->counter_count; c++) {
        int64_t most = census->families.items[census->counter_family[c]].count, rise = 0, value;
        for (size_t i = 0; i < making->command.updates.count; i++)
            if (making->command.updates.items[i].moves[c] > rise)
                rise = making->command.updates.items[i].moves[c];
        if (!rise || (is_fixed(making, c, &value) && value + rise <= most))
            continue;
        add_conjunct(making, gterm_pair(census->terms, TERM_LT, gterm_counter(census->terms, c),
                                        gterm_int(census->terms, most - rise + 1)));
    }
}

static void add_sum(struct making *making)
{
    struct census *census = making->census;
    for (size_t f = 0; f < census->families.count; f++) {
        const struct census_family *family = &census->families.items[f];
        census_terms counters = {0};
        for (uint32_t i = 0; i < family->locations.count; i++)
            VEC_PUSH(&counters, gterm_counter(census->terms, family->first_counter + i));
        const struct gterm *sum = gterm_join(census->terms, TERM_ADD, counters.items, (uint32_t)counters.count);
        add_conjunct(making, gterm_pair(census->terms, TERM_EQ, sum, gterm_int(census->terms, family->count)));
        VEC_FREE(&counters);
    }
}

/* --- updates --- */

static bool is_counted(const struct census *census, const struct census_variable *variable)
{
    return variable->module != CENSUS_GLOBAL && census->family_of[variable->module] != NOT_COUNTED;
}

/* From where it is to where the decided values take it. */
static void add_moves(struct making *making, const struct census_outcome *outcome, const struct gterm *const *values,
                      int32_t *moves)
{
    struct census *census = making->census;
    for (uint32_t n = 0; n < making->orbit->names.count; n++) {
        uint32_t module = making->orbit->names.modules[n], number = census->family_of[module];
        const struct census_family *family = &census->families.items[number];
        int64_t *to = arena_copy(census->arena, family->locations.items[census->location_of[module]],
                                 family->variable_count * sizeof *to);
        for (uint32_t i = 0; i < outcome->count; i++)
            if (outcome->variables[i]->module == module)
                to[outcome->variables[i]->field] = values[i]->value;
        uint32_t location = census_location(census, number, to);
        ENSURE(location != NOT_COUNTED);
        moves[census_counter(census, module, census->location_of[module])]--;
        moves[family->first_counter + location]++;
    }
}

/* As often as the model has it, and once for each choice of the named modules. */
static bool multiply_rate(struct making *making, const struct census_outcome *outcome, struct census_weight *weight)
{
    struct census *census = making->census;
    *weight = census_weight_scale(census, weight, gterm_int(census->terms, making->orbit->repeated), 1);
    if (!making->orbit->names.count)
        return true;
    uint64_t same;
    const struct gterm *number = census_ways(census, &making->orbit->names, &same);
    if (!same)
        return census_error(census, outcome->span, "too many modules synchronise");
    *weight = census_weight_scale(census, weight, number, same);
    return true;
}

static bool add_update(struct making *making, const struct census_outcome *outcome, const struct gterm *const *values)
{
    struct census *census = making->census;
    struct census_update update = {.moves = ARENA_ARRAY(census->arena, int32_t, census->counter_count)};
    update.weight = outcome->weight;
    if (!census_weight_translate(census, &update.weight, outcome->span, "the weight"))
        return false;
    if (census_weight_is_zero(census, &update.weight))
        return true;
    making->is_summed |= census_weight_has_counter(&update.weight);
    if (census->chain->kind == CHAIN_CTMC && !multiply_rate(making, outcome, &update.weight))
        return false;
    update.variables = ARENA_ARRAY(census->arena, const struct census_variable *, outcome->count);
    update.values = ARENA_ARRAY(census->arena, const struct gterm *, outcome->count);
    for (uint32_t i = 0; i < outcome->count; i++)
        if (!is_counted(census, outcome->variables[i])) {
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
    struct census *census = making->census;
    uint32_t repeated = census->chain->kind == CHAIN_DTMC ? making->orbit->repeated : 1;
    if (census->chain->kind != CHAIN_DTMC || !making->orbit->names.count) {
        bool is_written = true;
        for (uint32_t i = 0; i < repeated && is_written; i++)
            is_written = census_add_command(census, &making->command);
        return is_written;
    }
    uint64_t same;
    const struct gterm *number = census_ways(census, &making->orbit->names, &same);
    if (!making->orbit->names.is_blocked && same != 1)
        return census_error(
            census, making->orbit->choice->span,
            "copies synchronise in a combination that is the same for some of them: how often that happens in a "
            "dtmc cannot be expressed by commands over counters");
    int64_t high = 1, fixed_number;
    for (uint32_t f = 0; f < census->families.count && same; f++)
        if (__builtin_mul_overflow(high, most_ways(census, f), &high))
            high = INT32_MAX;
    if (!same || high / (int64_t)same > MOST_COPIES)
        return census_error(census, making->orbit->choice->span, "more than %d commands are needed", MOST_COPIES);
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
            gterm_pair(census->terms, TERM_LT, gterm_int(census->terms, i * (int64_t)same), number);
        if (is_single)
            making->command.guard.items[0] = more;
        else if (i)
            add_conjunct(making, more);
        for (uint32_t k = 0; k < repeated && is_written; k++)
            is_written = census_add_command(census, &making->command);
        making->command.guard.items[0] = first;
        making->command.guard.count = conjuncts;
    }
    return is_written;
}

static bool write_one(struct making *making)
{
    const struct census_choice *choice = making->orbit->choice;
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

static bool refuse_range(struct making *making, const struct census_outcome *outcome, uint32_t write,
                         const struct gterm *value)
{
    const struct census_variable *variable = outcome->variables[write];
    if (gterm_is_value(value))
        return census_error(making->census, outcome->span,
                            "\"%s\" may become %lld, which is not in its range [%lld..%lld]", variable->name,
                            (long long)value->value, (long long)variable->low, (long long)variable->high);
    return census_error(making->census, outcome->span,
                        "the new value of \"%s\" depends on other variables, and may leave the range [%lld..%lld]",
                        variable->name, (long long)variable->low, (long long)variable->high);
}

/* Does the guard say already what the value is, and something else? */
static bool is_excluded(const struct making *making, const struct gterm *value, const struct gterm *known)
{
    for (size_t i = 0; i < making->command.guard.count; i++) {
        const struct gterm *part = making->command.guard.items[i];
        for (uint32_t k = 0; k < 2 && part->kind == TERM_EQ; k++)
            if (part->parts[k] == value && gterm_is_value(part->parts[1 - k]) && part->parts[1 - k] != known)
                return true;
        if (part == gterm_not(making->census->terms, gterm_pair(making->census->terms, TERM_EQ, value, known)))
            return true;
    }
    return false;
}

/* The value of a counted variable that others decide: a command for each. */
static bool split_on(struct making *making, const struct census_outcome *outcome, uint32_t number, uint32_t write,
                     uint32_t at, const struct gterm *value)
{
    struct census *census = making->census;
    const struct census_variable *variable = outcome->variables[write];
    bool is_bool = variable->is_bool, is_good = true;
    int64_t low = 0, high = 1;
    struct expr_bounds bounds = {0}; /* counters and what is kept have the types of their variables */
    struct expr *expr = census_make_expr(census, value, outcome->span);
    if (!is_bool && !expr_bounds_as_integers(expr_bounds_of(&bounds, expr), &low, &high))
        return refuse_range(making, outcome, write, value);
    if (low < variable->low || high > variable->high)
        return refuse_range(making, outcome, write, value);
    for (int64_t v = low; v <= high && is_good; v++) {
        const struct gterm *known = is_bool ? gterm_bool(census->terms, v) : gterm_int(census->terms, v);
        const struct gterm *condition = gterm_pair(census->terms, TERM_EQ, value, known);
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
    struct census *census = making->census;
    const struct census_choice *choice = making->orbit->choice;
    while (number < choice->outcome_count && write == choice->outcomes[number].count) {
        number++;
        write = 0;
    }
    if (number == choice->outcome_count)
        return write_one(making);
    const struct census_outcome *outcome = &choice->outcomes[number];
    const struct census_variable *variable = outcome->variables[write];
    const struct gterm *value =
        census_translate_or_refuse(census, outcome->values[write], outcome->span, "the new value");
    if (!value)
        return false;
    making->values[at] = value;
    if (!is_counted(census, variable))
        return decide_next(making, number, write, at);
    if (!gterm_is_value(value))
        return split_on(making, outcome, number, write, at, value);
    struct census_weight weight = census_weight_substitute(census, &outcome->weight);
    if (!census_weight_is_zero(census, &weight) && (value->value < variable->low || value->value > variable->high))
        return refuse_range(making, outcome, write, value);
    return decide_next(making, number, write, at);
}

static bool make_one(struct making *making)
{
    struct census *census = making->census;
    const struct census_choice *choice = making->orbit->choice;
    const struct gterm *guard = census_translate_or_refuse(census, choice->guard, choice->guard_span, "the guard");
    if (!guard)
        return false;
    if (gterm_is(guard, false))
        return true;
    VEC_CLEAR(&making->command.guard);
    for (uint32_t c = 0; c < census->counter_count; c++)
        if (census->named_at[c])
            VEC_PUSH(&making->command.guard,
                     gterm_pair(census->terms, TERM_LT, gterm_int(census->terms, census->named_at[c] - 1),
                                gterm_counter(census->terms, c)));
    add_conjuncts(making, guard);
    return decide_writes(making, 0, 0, 0);
}

/* Puts the named modules into locations, one after the other. */
static bool place_named(struct making *making, uint32_t number)
{
    struct census *census = making->census;
    if (watch_is_up())
        return false;
    if (number == making->orbit->names.count)
        return make_one(making);
    uint32_t module = making->orbit->names.modules[number];
    const struct census_family *family = &census->families.items[census->family_of[module]];
    bool is_good = true;
    for (uint32_t i = census_first_location(census, &making->orbit->names, number);
         i < family->locations.count && is_good; i++) {
        census_name(census, module, i);
        if (!gterm_is(census_substitute(census, making->orbit->choice->guard), false))
            is_good = place_named(making, number + 1);
        census_unname(census, module);
    }
    return is_good;
}

bool census_make_commands(struct census *census, const struct census_orbit *orbit)
{
    struct making making = {
        .census = census, .orbit = orbit, .command = {.action = orbit->choice->action, .span = orbit->choice->span}};
    uint32_t writes = 0;
    for (uint32_t i = 0; i < orbit->choice->outcome_count; i++)
        writes += orbit->choice->outcomes[i].count;
    making.values = memory_zeroed(writes + 1, sizeof *making.values);
    bool is_good = place_named(&making, 0);
    VEC_FREE(&making.command.guard);
    VEC_FREE(&making.command.updates);
    free(making.values);
    return is_good;
}
