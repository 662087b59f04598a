#include <stdlib.h>
#include <string.h>

#include "ir/language.h"
#include "report/fallbacks.h"

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
    for (uint32_t end, p = first; p < *at; p = end) { /* neighbours as 4..9 */
        for (end = p + 1; end < *at && factor->points[end].ordinal == factor->points[end - 1].ordinal + 1;)
            end++;
        end = end - p > 3 ? end : p + 1;
        text_append(out, p == first ? " {" : ", ");
        type_print_value(type, symmetry_code(factor->points[p]), out);
        if (end - p > 1) {
            text_append(out, "..");
            type_print_value(type, symmetry_code(factor->points[end - 1]), out);
        }
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

/* Why elements that rules distinguish are interchangeable all the same. */
static void print_virtual(const struct symmetry_factor *factor, struct text *out)
{
    if (!factor->breach_count)
        return;
    text_append(out, "            ");
    style_place(factor->breaches->span, out);
    text_append(out, " distinguishes them, but symmetric states have successors in the same orbits\n");
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
            text_format(out, "%s: its %u elements are interchangeable%s\n", name.chars, factor->degree,
                        factor->is_assumed ? " (virtual symmetry)" : "");
        if (factor->is_assumed)
            print_virtual(factor, out);
    } else {
        style_paint(style, COLOUR_DOUBT, out, factor->words || factor->is_partial ? "not full  " : "not used  ");
        if (factor->words)
            text_format(out, "%s: %s\n", name.chars, factor->words);
        else if (factor->is_partial)
            text_format(out, "%s: not every permutation of its %u elements is a symmetry\n", name.chars,
                        factor->degree);
        else
            text_format(out, "%s: its %u elements are distinguished\n", name.chars, factor->degree);
    }
    text_free(&name);
}

static void print_breaches(const struct symmetry_factor *factor, bool has_rules, struct text *out)
{
    static char repair[] = "to keep it, choose an element by a parameter of the rule, and test with exists or forall";
    static char undefine[] = "undefine leaves it without a value, and keeps the symmetry";
    for (uint32_t i = 0; i < factor->breach_count; i++) {
        bool is_clear = !strncmp(factor->breaches[i].message, "clear ", 6);
        bool is_last = i + 1 == factor->breach_count;
        struct diagnostic note = {SEVERITY_NOTE, factor->breaches[i].span, (char *)factor->breaches[i].message,
                                  !has_rules ? NULL
                                  : is_clear ? undefine
                                  : is_last  ? repair
                                             : NULL,
                                  false};
        diag_print_one(&note, out);
    }
}

/* Parameters of rules, exists and forall: not in Promela. */
static bool takes_advice(const struct system *system)
{
    return !system_is_ground(system) && !system->language->statements_are_rules;
}

static void print_start_choice(const struct symmetry_breach *choice, struct text *out)
{
    static char excuse[] = "only a start state does that: every image of it leads to images of the same states";
    diag_print_one(&(struct diagnostic){SEVERITY_NOTE, choice->span, (char *)choice->message, excuse, false}, out);
}

/* What a larger group would take. */
static void print_hopes(const struct symmetry_factor *factor, struct text *out)
{
    for (uint32_t i = 0; i < factor->hope_count; i++) {
        const struct symmetry_hope *hope = &factor->hopes[i];
        struct text message = {0};
        text_append(&message, "without this");
        if (hope->place_count > 1)
            text_format(&message, " and line %u", hope->places[1].line);
        text_append(&message, ", ");
        type_print(factor->type, &message);
        text_format(&message, " would have more symmetry: %s", hope->words);
        diag_print_one(&(struct diagnostic){SEVERITY_NOTE, hope->places[0], message.chars, NULL, false}, out);
        text_free(&message);
    }
}

/* The name of a point, kept until the next one is asked for. */
struct namer {
    const struct symmetry_factor *factor;
    struct text text;
};

static void print_shrink(const struct symmetry_shrink *shrink, const struct report_style *style, struct text *out)
{
    text_append(out, "  ");
    style_paint(style, COLOUR_DOUBT, out, "shrunk    ");
    if (shrink->property)
        text_format(out, "by %s \"%s\" of line %u", property_kind_name(shrink->property->kind), shrink->property->name,
                    shrink->property->span.line);
    else
        text_append(out, "by the properties");
    text_append(out, ": without it the order would be ");
    style_group_digits(shrink->order, out);
    text_char(out, '\n');
}

static void print_order(const struct symmetry *symmetry, struct text *out, bool has_hope)
{
    char *digits = symmetry_order_digits(symmetry);
    bool is_spelled = strspn(digits, "0123456789") == strlen(digits);
    text_append(out, "group of order ");
    if (is_spelled)
        style_group_digits(digits, out);
    else
        text_append(out, digits);
    if (has_hope && is_spelled && strcmp(digits, "1")) {
        text_append(out, ": up to ");
        style_group_digits(digits, out);
        text_append(out, " times fewer states");
    }
    text_char(out, '\n');
    free(digits);
}

static void print_cut_short(const struct symmetry *symmetry, struct text *out)
{
    if (symmetry->cut_short)
        text_format(out, "  the analysis ended early (%s): what is said here is proved, and there may be more\n",
                    symmetry->cut_short);
}

/* "smaller   for "waiting" of line 7 and 2 more: group of order 2" */
static void print_part(const struct symmetry_part *part, const struct report_style *style, struct text *out)
{
    const struct system *system = part->symmetry->system;
    const struct property *first = NULL;
    uint32_t count = 0;
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->pctl && symmetry_keeps(part->symmetry, system->properties.items[p])) {
            first = first ? first : system->properties.items[p];
            count++;
        }
    text_append(out, "  ");
    style_paint(style, COLOUR_DOUBT, out, "smaller   ");
    text_format(out, "for \"%s\" of line %u", first->name, first->span.line);
    if (count > 1)
        text_format(out, " and %u more", count - 1);
    text_append(out, ": ");
    print_order(part->symmetry, out, false);
    for (uint32_t f = 0; f < part->symmetry->factor_count; f++)
        if (!part->symmetry->factors[f].is_used)
            print_breaches(&part->symmetry->factors[f], false, out);
}

/* Modules and processes: there are no types to speak of. */
static bool has_copies(const struct system *system)
{
    return system_has_probabilities(system) || system->language->statements_are_rules;
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
        text_append(
            out, has_copies(symmetry->system) && symmetry->factor_count
                     ? "none (the model or its properties distinguish all copies: \"noether symmetry\" shows where)\n"
                     : "none (no type of the model has interchangeable values)\n");
        print_cut_short(symmetry, out);
        return;
    }
    print_order(symmetry, out, is_whole);
    for (uint32_t i = 0; i < symmetry->factor_count; i++) {
        if (!is_whole && symmetry->factors[i].type->kind != TYPE_INDEX)
            continue;
        print_factor(&symmetry->factors[i], style, out);
        if (!symmetry->factors[i].is_used)
            print_breaches(&symmetry->factors[i], takes_advice(symmetry->system), out);
        else if (is_whole && symmetry->factors[i].start_choice)
            print_start_choice(symmetry->factors[i].start_choice, out);
        print_hopes(&symmetry->factors[i], out);
    }
    for (uint32_t i = 0; i < symmetry->part_count; i++)
        print_part(&symmetry->parts[i], style, out);
    for (uint32_t i = 0; is_whole && i < symmetry->shrink_count; i++)
        print_shrink(&symmetry->shrinks[i], style, out);
    print_cut_short(symmetry, out);
}

static const char *option_of(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->option_count; i++)
        if (!strcmp(report->options[i].name, name))
            return report->options[i].value;
    return "";
}

/* NULL: the engine uses the symmetry of the whole model, or none. */
static const char *symmetry_of_engine(const struct report *report)
{
    if (report->result && report->result->counted.length)
        return report->result->counted.chars;
    const char *permutations = option_of(report, "permutations");
    if (!strcmp(report->result->engine, "adaptive"))
        return "partial, found rule by rule (engine adaptive)";
    if (strcmp(report->result->engine, "complete"))
        return NULL;
    if (!strcmp(permutations, "none"))
        return "none: --permutations none";
    return !strcmp(permutations, "rotation")
               ? "what is learned of a state is used again under rotations of the processes (engine complete)"
               : "what is learned of a state is used again under permutations of the processes (engine complete)";
}

static void print_given_up(const struct report *report, const struct report_style *style, struct text *out)
{
    struct text order = {0};
    print_order(report->symmetry, &order, false);
    style_paint(style, COLOUR_STRONG, out, "symmetry");
    text_format(out, ": none used: it does not pay (%.*s)\n", (int)order.length - 1, text_chars(&order));
    text_free(&order);
}

static void print_used(const struct report *report, bool is_whole, const struct report_style *style, struct text *out)
{
    const char *own = symmetry_of_engine(report);
    bool is_aside = report->set_aside && *report->set_aside;
    if (!own && is_aside && !report->symmetry->factor_count) {
        style_paint(style, COLOUR_STRONG, out, "symmetry");
        text_format(out, ": none used: %s\n", report->set_aside);
        return;
    }
    if (!own && report_gave_up_symmetry(report)) {
        print_given_up(report, style, out);
        return;
    }
    if (!own) {
        report_text_symmetry(report->symmetry, report->symmetry_is_off, is_whole, style, out);
        if (is_aside)
            text_format(out, "  %s\n", report->set_aside);
        return;
    }
    style_paint(style, COLOUR_STRONG, out, "symmetry");
    text_format(out, ": %s\n", own);
}

void report_text_symmetry_used(const struct report *report, bool is_whole, const struct report_style *style,
                               struct text *out)
{
    print_used(report, is_whole, style, out);
    report_text_fallbacks(report, style, out);
}

static const char *point_name(void *user, uint32_t point)
{
    struct namer *namer = user;
    const struct symmetry_factor *factor = namer->factor;
    text_clear(&namer->text);
    if (factor->points[0].type != factor->points[factor->degree - 1].type) { /* of several types */
        type_print(factor->points[point].type, &namer->text);
        text_char(&namer->text, ' ');
    }
    type_print_value(factor->points[point].type, symmetry_code(factor->points[point]), &namer->text);
    return text_chars(&namer->text);
}

void report_text_generator(const struct symmetry_factor *factor, uint32_t number, struct text *out)
{
    struct namer namer = {.factor = factor};
    uint32_t *image = memory_alloc(((size_t)factor->degree + 1) * sizeof *image);
    symmetry_generator(factor, number, image);
    perm_print_names(factor->degree, image, point_name, &namer, out);
    text_free(&namer.text);
    free(image);
}

void report_text_generators(const struct symmetry *symmetry, struct text *out)
{
    text_append(out, "generators:\n");
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        for (uint32_t g = 0; symmetry->factors[f].is_used && g < symmetry_generator_count(&symmetry->factors[f]); g++) {
            text_append(out, "  ");
            print_sets(&symmetry->factors[f], out);
            text_append(out, ": ");
            report_text_generator(&symmetry->factors[f], g, out);
            text_char(out, '\n');
        }
}
