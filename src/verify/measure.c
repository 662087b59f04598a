#include "verify/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/sorted.h"
#include "ir/pctl.h"
#include "verify/rows.h"

/* lower, upper: of what a row gives, and of what a state has. */
struct two {
    struct rational *lower, *upper;
};

struct exact_sweep {
    struct certificate *certificate;
    const struct layout *layout;
    struct verify_answer *answer;
    struct rows rows;
    uint64_t *records; /* R, in increasing order: no state twice */
    uint64_t *image;
    int32_t *cells;
    struct two own, row;
    struct rational *value, *scratch, *limit;
};

/* --- formulas --- */

/* Of single states only? */
static bool is_plain(const struct pctl *formula)
{
    if (!formula || formula->kind == PCTL_TRUTH)
        return true;
    return (formula->kind == PCTL_NOT || formula->kind == PCTL_AND || formula->kind == PCTL_OR ||
            formula->kind == PCTL_IMPLIES) &&
           is_plain(formula->left) && is_plain(formula->right);
}

static const char *refuse_formula(const struct property *property)
{
    const struct pctl *formula = property->pctl;
    if (property->kind == PROPERTY_PCTL && !property->refusal && formula->kind == PCTL_FILTER)
        return "it is a filter, which picks from the values of several states";
    if (property->kind != PROPERTY_PCTL || property->refusal ||
        (formula->kind != PCTL_PROBABILITY && formula->kind != PCTL_REWARD))
        return "it is no probability and no expected reward";
    if (formula->kind == PCTL_REWARD ? formula->goal != PCTL_REACH
                                     : formula->path == PCTL_NEXT || formula->path == PCTL_LINEAR)
        return "only F, G, U, W and R have vectors that one sweep checks, and rewards until a state";
    if (formula->window.lower || formula->window.upper)
        return "it has a bound of steps or time";
    if (!is_plain(formula->left) || !is_plain(formula->right))
        return "inside it stands no condition of single states (\"init\", \"deadlock\", another probability)";
    bool is_exact = formula->is_query ||
                    (!formula->threshold->is_rounded && !formula->threshold->top && !formula->threshold->bottom);
    return is_exact ? NULL : "its bound is no fraction";
}

/* Roots and logarithms are no fractions: whether the certificate is right is then not known. */
static const char *refuse_rounded(const struct system *system, const struct property *property)
{
    const struct reward_structure *rewards =
        property->pctl->kind == PCTL_REWARD ? &system->chain->rewards[property->pctl->reward] : NULL;
    for (size_t r = 0; r < system->rules.count; r++)
        if (chain_is_rounded(system->rules.items[r]))
            return "a probability or rate of the model is a root or a logarithm";
    for (uint32_t i = 0; rewards && i < rewards->count; i++)
        if (rewards->items[i].value->is_rounded)
            return "a reward is a root or a logarithm";
    return NULL;
}

const char *measure_refusal(const struct system *system, const struct property *property)
{
    const char *refusal = refuse_formula(property);
    return refusal ? refusal : refuse_rounded(system, property);
}

static bool judge(struct rows *rows, const struct pctl *formula, bool *truth)
{
    bool left = false, right = false;
    *truth = true;
    if (!formula)
        return true;
    if (formula->kind == PCTL_TRUTH)
        return rows_judge(rows, formula->proposition, truth);
    if (!judge(rows, formula->left, &left) || (formula->kind != PCTL_NOT && !judge(rows, formula->right, &right)))
        return false;
    *truth = formula->kind == PCTL_NOT   ? !left
             : formula->kind == PCTL_AND ? left && right
             : formula->kind == PCTL_OR  ? left || right
                                         : !left || right;
    return true;
}

/* G, W and R are complements of an until, of the other extreme: G b = !(true U !b), a W b = !(a & !b U !a & !b),
 * a R b = !(!a U !b). */
static bool is_complement(const struct pctl *formula)
{
    return formula->kind == PCTL_PROBABILITY && formula->path != PCTL_EVENTUALLY && formula->path != PCTL_UNTIL;
}

static bool judge_until(struct rows *rows, const struct pctl *formula, bool *through, bool *goal)
{
    bool left, right;
    if (!judge(rows, formula->left, &left) || !judge(rows, formula->right, &right))
        return false;
    bool is_weak = is_complement(formula) && formula->path == PCTL_WEAK_UNTIL;
    *goal = is_weak ? !left && !right : is_complement(formula) ? !right : right;
    *through = is_weak ? left && !right : is_complement(formula) && formula->path == PCTL_RELEASE ? !left : left;
    return true;
}

/* --- records --- */

static const uint64_t *record_of(const struct exact_sweep *sweep, uint64_t number)
{
    return sweep->records + number * sweep->certificate->file.record;
}

static uint64_t find_record(void *user, const int32_t *cells)
{
    struct exact_sweep *sweep = user;
    uint64_t low = 0, high = sweep->certificate->file.count;
    layout_pack(sweep->layout, cells, sweep->image);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int order = sorted_compare(record_of(sweep, middle), sweep->image, sweep->layout->words);
        if (!order)
            return middle;
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return UINT64_MAX;
}

static double bound_of(const struct exact_sweep *sweep, uint64_t number, size_t measure, bool is_upper)
{
    double bound;
    memcpy(&bound, record_of(sweep, number) + sweep->layout->words + CERTIFICATE_MEASURE_WORDS * measure + is_upper,
           sizeof bound);
    return bound;
}

static uint64_t rank_of(const struct exact_sweep *sweep, uint64_t number, size_t measure)
{
    return record_of(sweep, number)[sweep->layout->words + CERTIFICATE_MEASURE_WORDS * measure + 2];
}

static bool stop(struct exact_sweep *sweep, enum verify_outcome outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sweep->answer->outcome = outcome;
    text_vformat(&sweep->answer->reason, format, arguments);
    va_end(arguments);
    return false;
}

static bool goes_on(struct exact_sweep *sweep)
{
    return !watch_is_up() || stop(sweep, VERIFY_OPEN, "it took too long, or was interrupted");
}

/* On one line: it may be what the certificate says was asked. */
static const char *name_of(const struct exact_sweep *sweep, const struct property *property)
{
    return arena_printable(sweep->certificate->action.arena, property->name ? property->name : "a property");
}

/* Asked first: what was cut in the middle, the steps of a state or a number, says nothing about the certificate. */
static bool reject_state(struct exact_sweep *sweep, uint64_t number, const struct property *property, const char *why)
{
    struct text detail = {0};
    text_append(&detail, text_chars(&sweep->answer->reason));
    text_clear(&sweep->answer->reason);
    if (property)
        text_format(&detail, "%s%s", name_of(sweep, property), why);
    layout_print_state(sweep->layout, sweep->cells, &detail);
    if (goes_on(sweep))
        stop(sweep, VERIFY_REJECTED, "state %" PRIu64 ": %s", number + 1, text_chars(&detail));
    text_free(&detail);
    return false;
}

static bool read_records(struct exact_sweep *sweep, const struct verify_options *options)
{
    struct certificate *certificate = sweep->certificate;
    if (certificate->file.count > options->memory_bytes / (8 * certificate->file.record))
        return stop(sweep, VERIFY_OPEN, "the vectors do not fit into memory (--memory)");
    sweep->records = memory_alloc((certificate->file.count * certificate->file.record + 1) * sizeof *sweep->records);
    sealed_rewind(&certificate->file);
    for (uint64_t s = 0; s < certificate->file.count; s++) {
        if (!sealed_next(&certificate->file, sweep->records + s * certificate->file.record))
            return stop(sweep, VERIFY_OPEN, "the certificate cannot be read to its end, or has changed");
        if (s && sorted_compare(record_of(sweep, s - 1), record_of(sweep, s), sweep->layout->words) >= 0)
            return stop(sweep, VERIFY_REJECTED, "state %" PRIu64 " is not behind the one before it", s + 1);
        for (size_t m = 0; m < certificate->measures.count; m++)
            if (!isfinite(bound_of(sweep, s, m, false)) || !(bound_of(sweep, s, m, false) >= 0) ||
                !(bound_of(sweep, s, m, true) >= 0))
                return stop(sweep, VERIFY_REJECTED, "state %" PRIu64 " has bounds that are none", s + 1);
    }
    return true;
}

/* --- one state --- */

/* What the row gives into sweep->row: NULL is not said of an upper bound that is infinite, *is_endless is. */
static bool value_row(struct exact_sweep *sweep, const struct chain_row *row, size_t measure,
                      const struct pctl *formula, bool *is_endless)
{
    struct rows *rows = &sweep->rows;
    *is_endless = false;
    rational_set(sweep->row.lower, 0);
    if (formula->kind == PCTL_REWARD && !rows_earn(rows, row, &rows->chain->rewards[formula->reward], sweep->row.lower))
        return false;
    rational_copy(sweep->row.upper, sweep->row.lower);
    for (size_t i = row->first; i < row->end; i++) {
        const struct row_outcome *outcome = &rows->outcomes.items[i];
        if (!rational_sign(outcome->chance))
            continue;
        double upper = bound_of(sweep, outcome->target, measure, true);
        *is_endless |= !isfinite(upper);
        rational_set_double(sweep->value, bound_of(sweep, outcome->target, measure, false));
        rational_add_product(sweep->row.lower, outcome->chance, sweep->value, sweep->scratch);
        rational_set_double(sweep->value, isfinite(upper) ? upper : 0);
        rational_add_product(sweep->row.upper, outcome->chance, sweep->value, sweep->scratch);
    }
    rational_divide(sweep->row.lower, row->total);
    rational_divide(sweep->row.upper, row->total);
    return true;
}

static bool comes_nearer(const struct exact_sweep *sweep, const struct chain_row *row, uint64_t number, size_t measure)
{
    for (size_t i = row->first; i < row->end; i++) {
        const struct row_outcome *outcome = &sweep->rows.outcomes.items[i];
        if (rational_sign(outcome->chance) &&
            rank_of(sweep, outcome->target, measure) < rank_of(sweep, number, measure))
            return true;
    }
    return false;
}

/* Of the rows, all must confirm a bound, or one. */
struct confirmation {
    bool needs_all, all, one;
};

static void confirm(struct confirmation *confirmation, bool is_confirmed)
{
    confirmation->all &= is_confirmed;
    confirmation->one |= is_confirmed;
}

static bool is_confirmed(const struct confirmation *confirmation)
{
    return confirmation->needs_all ? confirmation->all : confirmation->one;
}

/* 3 and 4. */
static bool check_rows(struct exact_sweep *sweep, uint64_t number, size_t measure, const struct property *property)
{
    const struct pctl *formula = property->pctl;
    bool is_reward = formula->kind == PCTL_REWARD, is_least = pctl_is_least(formula) != is_complement(formula);
    double lower = bound_of(sweep, number, measure, false), upper = bound_of(sweep, number, measure, true);
    struct confirmation low = {is_least, true, false}, high = {!is_least, true, false};
    bool is_ranked = is_reward ? isfinite(upper) : lower > 0;
    rational_set_double(sweep->own.lower, lower);
    rational_set_double(sweep->own.upper, isfinite(upper) ? upper : 0);
    for (size_t r = 0; r < sweep->rows.row_count; r++) {
        const struct chain_row *row = &sweep->rows.rows.items[r];
        bool is_endless, is_nearer = !is_ranked || comes_nearer(sweep, row, number, measure);
        if (!value_row(sweep, row, measure, formula, &is_endless))
            return reject_state(sweep, number, NULL, "");
        confirm(&low, rational_compare(sweep->own.lower, sweep->row.lower) <= 0 && (is_reward || is_nearer));
        confirm(&high, !isfinite(upper) || (!is_endless && rational_compare(sweep->row.upper, sweep->own.upper) <= 0 &&
                                            (!is_reward || is_nearer)));
    }
    if (!is_confirmed(&low))
        return reject_state(sweep, number, property, ": the lower bound is not confirmed");
    return is_confirmed(&high) || reject_state(sweep, number, property, ": the upper bound is not confirmed");
}

static bool check_measure(struct exact_sweep *sweep, uint64_t number, size_t measure, const struct property *property)
{
    const struct pctl *formula = property->pctl;
    bool through, goal, is_reward = formula->kind == PCTL_REWARD;
    double lower = bound_of(sweep, number, measure, false), upper = bound_of(sweep, number, measure, true);
    if (!judge_until(&sweep->rows, formula, &through, &goal))
        return reject_state(sweep, number, NULL, "");
    if (!goal && through)
        return check_rows(sweep, number, measure, property);
    double value = goal && !is_reward;
    return (lower <= value && value <= upper) || reject_state(sweep, number, property, ": the goal has another value");
}

static bool check_state(struct exact_sweep *sweep, uint64_t number)
{
    const struct system *system = sweep->layout->system;
    if (!layout_read(sweep->layout, record_of(sweep, number), sweep->cells))
        return stop(sweep, VERIFY_REJECTED, "state %" PRIu64 " of the certificate is none of the model", number + 1);
    if (!rows_load(&sweep->rows, sweep->cells, number))
        return reject_state(sweep, number, NULL, "");
    sweep->answer->transitions += sweep->rows.outcome_count;
    bool is_right = goes_on(sweep);
    for (size_t m = 0; m < sweep->certificate->measures.count && is_right; m++)
        is_right = check_measure(sweep, number, m, system->properties.items[sweep->certificate->measures.items[m]]);
    return is_right;
}

/* --- what follows for the start states --- */

/* Of a bound: 1 it holds, -1 it does not, 0 that is not known. */
static int compare(struct exact_sweep *sweep, const struct pctl *formula, double lower, double upper)
{
    bool is_below = formula->op == OP_LT || formula->op == OP_LE,
         is_strict = formula->op == OP_LT || formula->op == OP_GT;
    bool is_flipped = is_complement(formula); /* 1 - value: below p where the value is above 1 - p */
    rational_copy(sweep->limit, formula->threshold->factor);
    if (is_flipped) {
        rational_negate(sweep->limit);
        rational_set(sweep->scratch, 1);
        rational_add(sweep->limit, sweep->scratch);
    }
    rational_set_double(sweep->own.lower, lower);
    rational_set_double(sweep->own.upper, isfinite(upper) ? upper : 0);
    int low = rational_compare(sweep->own.lower, sweep->limit);
    int high = isfinite(upper) ? rational_compare(sweep->own.upper, sweep->limit) : 1;
    if (is_below != is_flipped)
        return (is_strict ? high < 0 : high <= 0) ? 1 : (is_strict ? low >= 0 : low > 0) ? -1 : 0;
    return (is_strict ? low > 0 : low >= 0) ? 1 : (is_strict ? high <= 0 : high < 0) ? -1 : 0;
}

struct claim {
    double lower, upper; /* over all start states */
    bool is_violated, is_open;
};

static void note_start(struct exact_sweep *sweep, uint64_t number, struct claim *claims)
{
    for (size_t m = 0; m < sweep->certificate->measures.count; m++) {
        const struct pctl *formula =
            sweep->layout->system->properties.items[sweep->certificate->measures.items[m]]->pctl;
        double lower = bound_of(sweep, number, m, false), upper = bound_of(sweep, number, m, true);
        int holds = formula->is_query ? 1 : compare(sweep, formula, lower, upper);
        claims[m].lower = lower < claims[m].lower ? lower : claims[m].lower;
        claims[m].upper = upper > claims[m].upper ? upper : claims[m].upper;
        claims[m].is_violated |= holds < 0;
        claims[m].is_open |= !holds;
    }
}

static bool check_starts(struct exact_sweep *sweep, struct claim *claims)
{
    struct step step = {0};
    enum step_outcome found;
    stepper_begin_starts(sweep->rows.stepper);
    while ((found = stepper_next(sweep->rows.stepper, &step)) != STEP_END) {
        uint64_t number = found == STEP_STATE ? find_record(sweep, step.cells) : UINT64_MAX;
        if (number == UINT64_MAX)
            return goes_on(sweep) && stop(sweep, VERIFY_REJECTED, "a start state is not in the certificate, or fails");
        note_start(sweep, number, claims);
        sweep->answer->starts++;
    }
    if (!goes_on(sweep))
        return false;
    for (size_t m = 0; m < sweep->certificate->measures.count; m++)
        if (claims[m].is_open && !claims[m].is_violated)
            return stop(sweep, VERIFY_REJECTED, "the bounds do not decide the property");
    return sweep->answer->starts || stop(sweep, VERIFY_REJECTED, "there is no start state");
}

static void print_claims(const struct exact_sweep *sweep, const struct claim *claims, struct text *out)
{
    for (size_t m = 0; m < sweep->certificate->measures.count; m++) {
        const struct property *property =
            sweep->layout->system->properties.items[sweep->certificate->measures.items[m]];
        bool is_flipped = is_complement(property->pctl);
        const char *verdict = property->pctl->is_query ? "value" : claims[m].is_violated ? "violated" : "holds";
        text_format(out, "\n  %s: %s, %s%.17g to %s%.17g", verdict, name_of(sweep, property), is_flipped ? "1 - " : "",
                    fabs(is_flipped ? claims[m].upper : claims[m].lower), is_flipped ? "1 - " : "",
                    fabs(is_flipped ? claims[m].lower : claims[m].upper)); /* no -0 */
    }
}

/* NULL, or why it cannot be about the model. */
static const char *find_flaw(const struct certificate *certificate, const struct layout *layout)
{
    const struct system *system = layout->system;
    if (!system->chain)
        return "it is about probabilities, and the model has none";
    if (certificate->cells != layout->cell_count || certificate->words != layout->words)
        return "its states are not those of the model";
    for (size_t m = 0; m < certificate->measures.count; m++) {
        if (m && certificate->measures.items[m] <= certificate->measures.items[m - 1])
            return "its properties are not in the order of the model, or one is there twice";
        const char *refusal = certificate->measures.items[m] < system->properties.count
                                  ? refuse_formula(system->properties.items[certificate->measures.items[m]])
                                  : "it is about a property that the model does not have";
        if (refusal)
            return refusal;
    }
    return NULL;
}

void verify_measures(struct certificate *certificate, const struct layout *layout, const struct verify_options *options,
                     struct verify_answer *answer, struct text *claims)
{
    struct exact_sweep sweep = {.certificate = certificate, .layout = layout, .answer = answer};
    struct arena *arena = certificate->action.arena;
    struct rational **numbers[] = {&sweep.own.lower, &sweep.own.upper, &sweep.row.lower, &sweep.row.upper,
                                   &sweep.value,     &sweep.scratch,   &sweep.limit};
    *answer = (struct verify_answer){.outcome = VERIFY_ACCEPTED};
    const char *flaw = find_flaw(certificate, layout);
    if (flaw) {
        stop(&sweep, VERIFY_REJECTED, "%s", flaw);
        return;
    }
    for (size_t m = 0; m < certificate->measures.count && !flaw; m++)
        flaw = refuse_rounded(layout->system, layout->system->properties.items[certificate->measures.items[m]]);
    if (flaw) {
        stop(&sweep, VERIFY_OPEN, "%s", flaw);
        return;
    }
    struct claim *found = ARENA_ARRAY(arena, struct claim, certificate->measures.count + 1);
    for (size_t m = 0; m < certificate->measures.count; m++)
        found[m] = (struct claim){.lower = INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = rational_create(0, 1);
    sweep.image = ARENA_ARRAY(arena, uint64_t, layout->words);
    sweep.cells = ARENA_ARRAY(arena, int32_t, layout->cell_count + 1);
    rows_open(&sweep.rows, layout, &answer->reason);
    sweep.rows.find = find_record;
    sweep.rows.user = &sweep;
    bool is_right = read_records(&sweep, options);
    for (uint64_t s = 0; s < certificate->file.count && is_right; s++, answer->states++)
        is_right = check_state(&sweep, s);
    if (is_right && check_starts(&sweep, found))
        print_claims(&sweep, found, claims);
    rows_close(&sweep.rows);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        rational_destroy(*numbers[i]);
    free(sweep.records);
}
