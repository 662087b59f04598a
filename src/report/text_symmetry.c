#include <stdlib.h>

#include "report/style.h"

/* The points of a factor that are elements of one type: from *at on, which is moved behind them. */
static void print_set(const struct symmetry_factor *factor, uint32_t *at, struct text *out)
{
    const struct type *type = factor->points[*at].type;
    uint32_t first = *at;
    type_print(type, out);
    while (*at < factor->degree && factor->points[*at].type == type)
        (*at)++;
    if (*at - first == type->size)
        return;
    for (uint32_t p = first; p < *at; p++) {
        text_append(out, p == first ? " {" : ", ");
        type_print_value(type, symmetry_code(factor->points[p]), out);
    }
    text_char(out, '}');
}

static void print_sets(const struct symmetry_factor *factor, struct text *out)
{
    if (!factor->points) {
        type_print(factor->type, out);
        return;
    }
    for (uint32_t at = 0; at < factor->degree;) {
        text_append(out, at ? " and " : "");
        print_set(factor, &at, out);
    }
}

static void print_factor(const struct symmetry_factor *factor, const struct report_style *style, struct text *out)
{
    struct text name = {0};
    if (factor->is_used && factor->degree == 1)
        return; /* nothing to interchange, nothing to say */
    print_sets(factor, &name);
    text_append(out, "  ");
    if (factor->is_used) {
        style_paint(style, COLOUR_GOOD, out, "used      ");
        if (factor->words)
            text_format(out, "%s: %s\n", name.chars, factor->words);
        else
            text_format(out, "%s: its %u elements are interchangeable\n", name.chars, factor->degree);
    } else {
        style_paint(style, COLOUR_DOUBT, out, "not used  ");
        text_format(out, "%s: its %u elements are told apart\n", name.chars, factor->degree);
    }
    text_free(&name);
}

static void print_breaches(const struct symmetry_factor *factor, struct text *out)
{
    static char repair[] = "a choice as a rule's parameter, a test as exists or forall keep it (docs/symmetry.md)";
    for (uint32_t i = 0; i < factor->breach_count; i++) {
        struct diagnostic note = {SEVERITY_NOTE, factor->breaches[i].span, (char *)factor->breaches[i].message,
                                  i + 1 == factor->breach_count ? repair : NULL};
        diag_print_one(&note, out);
    }
}

static void print_order(const struct symmetry *symmetry, struct text *out)
{
    struct bigint *order = symmetry_order(symmetry);
    char *digits = bigint_digits(order);
    text_append(out, "group of order ");
    style_group_digits(digits, out);
    text_char(out, '\n');
    free(digits);
    bigint_destroy(order);
}

void report_text_symmetry(const struct symmetry *symmetry, bool is_off, bool is_whole, const struct report_style *style,
                          struct text *out)
{
    bool has_any = false;
    for (uint32_t i = 0; i < symmetry->factor_count; i++)
        has_any |= is_whole || symmetry->factors[i].type->kind == TYPE_INDEX;
    style_paint(style, COLOUR_STRONG, out, "symmetry");
    text_append(out, ": ");
    if (is_off) {
        text_append(out, "off\n");
        return;
    }
    if (!has_any) {
        text_append(out, "none (no type of the model has interchangeable values)\n");
        return;
    }
    print_order(symmetry, out);
    for (uint32_t i = 0; i < symmetry->factor_count; i++) {
        if (!is_whole && symmetry->factors[i].type->kind != TYPE_INDEX)
            continue;
        print_factor(&symmetry->factors[i], style, out);
        if (!symmetry->factors[i].is_used)
            print_breaches(&symmetry->factors[i], out);
    }
}
