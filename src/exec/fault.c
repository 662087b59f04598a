#include "exec/fault.h"

#include "ir/chain.h"

#include "base/text.h"

/* The source text under the span, in quotes; `otherwise` when there is none. */
static void fault_quote(struct span span, const char *otherwise, struct text *out)
{
    size_t length = 0;
    const char *line = span.source && span.line && span.column ? source_line(span, &length) : NULL;
    if (!line || span.column > length) {
        text_append(out, otherwise);
        return;
    }
    size_t rest = length - (span.column - 1);
    text_char(out, '"');
    text_append_n(out, line + span.column - 1, span.length < rest ? span.length : rest);
    text_char(out, '"');
}

static void fault_print_type(const struct type *type, struct text *out)
{
    if (!type) {
        text_append(out, "its type");
        return;
    }
    type_print(type, out);
    if (type->name && type->kind == TYPE_RANGE) {
        text_append(out, " (");
        type_print_structure(type, out);
        text_char(out, ')');
    }
}

/* Codes of enums and index types mean nothing to the user: a number is shown only where the type is numeric.
 * `before` stands before the source text, `instead` in its place when it is not known. */
static void fault_print_outside(const struct fault *fault, const char *before, const char *instead, struct text *out)
{
    bool is_number = fault->type && fault->type->kind == TYPE_RANGE;
    struct text quote = {0};
    fault_quote(fault->span, "", &quote);
    text_append(out, quote.length ? before : instead);
    text_append(out, text_chars(&quote));
    if (is_number && quote.length)
        text_format(out, " is %lld, outside ", (long long)fault->value);
    else if (is_number)
        text_format(out, " %lld is outside ", (long long)fault->value);
    else
        text_append(out, " is outside ");
    text_free(&quote);
    if (fault_is_of_limit(fault))
        text_append(out, "the numbers that variables can hold");
    else
        fault_print_type(fault->type, out);
}

static void fault_print_named(const struct fault *fault, const char *what, struct text *out)
{
    text_append(out, fault->property && fault->property->failure ? fault->property->failure : what);
    if (fault->property && fault->property->name && !fault->property->failure)
        text_format(out, ": %s", fault->property->name);
}

struct fault fault_of_sum(const struct choice *choice, const struct rule *rule, uint64_t way, double sum)
{
    struct uneven part = chain_uneven(choice, rule, way);
    if (!part.module)
        return (struct fault){.kind = FAULT_SUM, .span = choice->span, .number = sum};
    return (struct fault){.kind = FAULT_SUM, .span = part.span, .number = part.sum, .module = part.module};
}

void fault_print(const struct fault *fault, struct text *out)
{
    switch (fault->kind) {
    case FAULT_NONE:
        text_append(out, "no fault");
        return;
    case FAULT_ASSERTION:
        fault_print_named(fault, "assertion failed", out);
        return;
    case FAULT_ERROR:
        fault_print_named(fault, "error statement reached", out);
        return;
    case FAULT_UNDEFINED:
        fault_quote(fault->span, "a value", out);
        text_append(out, " is undefined");
        return;
    case FAULT_RANGE:
        fault_print_outside(fault, "", "the value", out);
        return;
    case FAULT_INDEX:
        fault_print_outside(fault, "array index ", "array index", out);
        return;
    case FAULT_DIVISION:
        text_append(out, "division by zero in ");
        fault_quote(fault->span, "an expression", out);
        return;
    case FAULT_OVERFLOW:
        text_append(out, "arithmetic overflow in ");
        fault_quote(fault->span, "an expression", out);
        return;
    case FAULT_MULTISET_FULL:
        text_append(out, "the multiset is full");
        return;
    case FAULT_SLOT_FREE:
        text_append(out, "the multiset has no element at the chosen index");
        return;
    case FAULT_LOOP_LIMIT:
        text_append(out, "the loop does not end (iteration limit reached, or a step of 0)");
        return;
    case FAULT_NO_RETURN:
        text_append(out, "the function ended without a return");
        return;
    case FAULT_SUM:
        text_append(out, "the probabilities ");
        if (fault->module)
            text_format(out, "of module \"%s\" ", fault->module);
        text_format(out, "add up to %.12g, not to 1", fault->number);
        return;
    case FAULT_NEGATIVE:
        text_format(out, "a probability or rate is negative: %.12g", fault->number);
        return;
    case FAULT_REWARD:
        text_format(out, "a reward is negative: %.12g", fault->number);
        return;
    }
    UNREACHABLE("fault kind");
}
