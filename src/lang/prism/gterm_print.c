/* Terms as PRISM text. */
#include <string.h>

#include "lang/prism/generic.h"

/* How tightly operators bind, the loosest first. */
enum binding { BIND_COND, BIND_OR, BIND_AND, BIND_NOT, BIND_EQUAL, BIND_COMPARE, BIND_ADD, BIND_MUL, BIND_ATOM };

struct printing {
    const struct prism_generic *generic;
    struct text *out;
    const char *why;
    size_t most; /* characters in `out` */
};

enum { MOST_CHARACTERS = 1 << 24 }; /* of one expression: what is shared is written wherever it stands */

static void print(struct printing *printing, const struct gterm *term, enum binding around);

/* --- numbers --- */

/* PRISM's integers have 32 bits, so long fractions are written as decimals, if they end. */
static bool print_decimal(struct text *out, int64_t numerator, uint64_t denominator)
{
    uint32_t digits = 0;
    uint64_t scale = 1;
    while (scale % denominator && digits < 17) {
        scale *= 10;
        digits++;
    }
    int64_t scaled;
    if (scale % denominator || __builtin_mul_overflow(numerator, (int64_t)(scale / denominator), &scaled))
        return false;
    uint64_t size = scaled < 0 ? -(uint64_t)scaled : (uint64_t)scaled;
    text_format(out, "%s%llu", scaled < 0 ? "-" : "", (unsigned long long)(size / scale));
    if (digits)
        text_format(out, ".%0*llu", (int)digits, (unsigned long long)(size % scale));
    else if (size > INT32_MAX)
        text_append(out, ".0"); /* an integer has 32 bits */
    return true;
}

static void print_value(struct printing *printing, const struct prism_value *value, enum binding around)
{
    int64_t numerator;
    uint64_t denominator;
    if (value->type != PRISM_TYPE_REAL) {
        bool is_negative = value->type == PRISM_TYPE_INT && value->integer < 0 && around > BIND_ADD;
        text_append(printing->out, is_negative ? "(" : "");
        prism_value_print(value, printing->out);
        bool is_large = value->type == PRISM_TYPE_INT && (value->integer > INT32_MAX || value->integer < -INT32_MAX);
        text_append(printing->out, is_large ? ".0" : ""); /* a product of rates, say: an integer has 32 bits */
        text_append(printing->out, is_negative ? ")" : "");
        return;
    }
    if (value->is_rounded)
        printing->why = "a logarithm or a root, which is known approximately only";
    else if (!rational_fits_fraction(value->real, &numerator, &denominator))
        printing->why = "a number with too many digits";
    else if (!print_decimal(printing->out, numerator, denominator)) {
        if (numerator > INT32_MAX || numerator < -INT32_MAX || denominator > INT32_MAX)
            printing->why = "a number with too many digits";
        text_append(printing->out, around > BIND_ADD ? "(" : "");
        text_format(printing->out, "%lld/%llu", (long long)numerator, (unsigned long long)denominator);
        text_append(printing->out, around > BIND_ADD ? ")" : "");
    }
}

/* --- operators --- */

static void open(struct printing *printing, enum binding own, enum binding around)
{
    if (own < around)
        text_char(printing->out, '(');
}

static void close(struct printing *printing, enum binding own, enum binding around)
{
    if (own < around)
        text_char(printing->out, ')');
}

static void print_pair(struct printing *printing, const struct gterm *left, const char *sign, const struct gterm *right,
                       enum binding own, enum binding around)
{
    open(printing, own, around);
    print(printing, left, own + 1);
    text_append(printing->out, sign);
    print(printing, right, own + 1);
    close(printing, own, around);
}

static void print_list(struct printing *printing, const struct gterm *term, const char *sign, enum binding own,
                       enum binding around)
{
    open(printing, own, around);
    for (uint32_t i = 0; i < term->count; i++) {
        text_append(printing->out, i ? sign : "");
        print(printing, term->parts[i], own + 1);
    }
    close(printing, own, around);
}

/* A constant stands on the right: no_1>0, not 0<no_1. */
static void print_comparison(struct printing *printing, const struct gterm *term, enum binding around)
{
    const struct gterm *left = term->parts[0], *right = term->parts[1];
    bool is_strict = term->kind == TERM_LT;
    if (gterm_is_value(left))
        print_pair(printing, right, is_strict ? ">" : ">=", left, BIND_COMPARE, around);
    else
        print_pair(printing, left, is_strict ? "<" : "<=", right, BIND_COMPARE, around);
}

static void print_equality(struct printing *printing, const struct gterm *term, bool is_equal, enum binding around)
{
    bool is_turned = gterm_is_value(term->parts[0]);
    print_pair(printing, term->parts[is_turned], is_equal ? "=" : "!=", term->parts[!is_turned], BIND_EQUAL, around);
}

static bool is_negative(const struct gterm *term)
{
    if (term->kind != TERM_VALUE)
        return false;
    return term->type == PRISM_TYPE_REAL ? rational_sign(term->value->real) < 0 : term->value->integer < 0;
}

/* The constant factor first; 1 is never one, -1 is a sign. */
static void print_product(struct printing *printing, const struct gterm *term, enum binding around)
{
    const struct gterm *factor = NULL;
    bool is_first = true;
    for (uint32_t i = 0; i < term->count; i++)
        if (gterm_is_value(term->parts[i]))
            factor = term->parts[i];
    bool is_sign = factor && gterm_is_number(factor, -1);
    enum binding own = factor && is_negative(factor) ? BIND_ADD : BIND_MUL;
    open(printing, own, around);
    if (is_sign)
        text_char(printing->out, '-');
    else if (factor) {
        print(printing, factor, BIND_MUL);
        is_first = false;
    }
    for (uint32_t i = 0; i < term->count; i++) {
        if (term->parts[i] == factor)
            continue;
        text_append(printing->out, is_first ? "" : "*");
        print(printing, term->parts[i], BIND_MUL + 1);
        is_first = false;
    }
    close(printing, own, around);
}

static void print_sum(struct printing *printing, const struct gterm *term, enum binding around)
{
    bool is_first = true;
    open(printing, BIND_ADD, around);
    for (int constants = 0; constants < 2; constants++)
        for (uint32_t i = 0; i < term->count; i++) {
            if (gterm_is_value(term->parts[i]) != constants)
                continue;
            struct text part = {0};
            struct text *out = printing->out;
            printing->out = &part;
            print(printing, term->parts[i], BIND_ADD);
            printing->out = out;
            text_append(out, is_first || text_chars(&part)[0] == '-' ? "" : "+");
            text_append(out, text_chars(&part));
            text_free(&part);
            is_first = false;
        }
    close(printing, BIND_ADD, around);
}

static void print_call(struct printing *printing, const char *name, const struct gterm *term)
{
    text_format(printing->out, "%s(", name);
    print_list(printing, term, ", ", BIND_COND, BIND_COND);
    text_char(printing->out, ')');
}

static void print_not(struct printing *printing, const struct gterm *term, enum binding around)
{
    const struct gterm *part = term->parts[0];
    if (part->kind == TERM_EQ) {
        print_equality(printing, part, false, around);
        return;
    }
    text_char(printing->out, '!');
    print(printing, part, BIND_ATOM);
}

static void print_cond(struct printing *printing, const struct gterm *term, enum binding around)
{
    open(printing, BIND_COND, around);
    print(printing, term->parts[0], BIND_OR);
    text_append(printing->out, " ? ");
    print(printing, term->parts[1], BIND_OR);
    text_append(printing->out, " : ");
    print(printing, term->parts[2], BIND_OR);
    close(printing, BIND_COND, around);
}

static const char *function_name(const struct gterm *term)
{
    static const char *const names[] = {[PRISM_FLOOR] = "floor",
                                        [PRISM_CEIL] = "ceil",
                                        [PRISM_ROUND] = "round",
                                        [PRISM_MOD] = "mod",
                                        [PRISM_LOG] = "log"};
    return term->kind == TERM_MIN   ? "min"
           : term->kind == TERM_MAX ? "max"
           : term->kind == TERM_POW ? "pow"
                                    : names[term->function];
}

/* An operation on constants that was not carried out has no result. */
static bool is_without_value(const struct gterm *term)
{
    if (term->kind != TERM_DIV && term->kind != TERM_POW && term->kind != TERM_CALL)
        return false;
    for (uint32_t i = 0; i < term->count; i++)
        if (!gterm_is_value(term->parts[i]))
            return false;
    return true;
}

static void print(struct printing *printing, const struct gterm *term, enum binding around)
{
    if (watch_is_up() || printing->out->length > printing->most) {
        printing->why = watch_is_up() ? "what there was no time for" : "an expression that is too long";
        return;
    }
    if (is_without_value(term))
        printing->why = "something without a value, such as a division by zero";
    switch (term->kind) {
    case TERM_VALUE:
        print_value(printing, term->value, around);
        return;
    case TERM_VARIABLE:
        text_append(printing->out, term->variable->name.text);
        return;
    case TERM_COUNTER:
        text_append(printing->out, printing->generic->counter_names[term->counter]);
        return;
    case TERM_AND:
        print_list(printing, term, " & ", BIND_AND, around);
        return;
    case TERM_OR:
        print_list(printing, term, " | ", BIND_OR, around);
        return;
    case TERM_ADD:
        print_sum(printing, term, around);
        return;
    case TERM_MUL:
        print_product(printing, term, around);
        return;
    case TERM_DIV:
        print_pair(printing, term->parts[0], "/", term->parts[1], BIND_MUL, around);
        return;
    case TERM_EQ:
        print_equality(printing, term, true, around);
        return;
    case TERM_LT:
    case TERM_LE:
        print_comparison(printing, term, around);
        return;
    case TERM_NOT:
        print_not(printing, term, around);
        return;
    case TERM_COND:
        print_cond(printing, term, around);
        return;
    case TERM_MIN:
    case TERM_MAX:
    case TERM_POW:
    case TERM_CALL:
        print_call(printing, function_name(term), term);
        return;
    default:
        UNREACHABLE("a bag or a tuple is no expression");
    }
}

bool gterm_print(const struct prism_generic *generic, const struct gterm *term, bool is_conjunct, struct text *out,
                 const char **why)
{
    struct printing printing = {generic, out, NULL, out->length + MOST_CHARACTERS};
    print(&printing, term, is_conjunct ? BIND_AND + 1 : BIND_COND);
    *why = printing.why;
    return !printing.why;
}
