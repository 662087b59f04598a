/* Properties of the reduced model: as they were, but for the conditions on states (section 5.2 of the paper). */
#include <string.h>

#include "lang/prism/generic.h"
#include "lang/prism/resolve.h"

struct property_writer {
    struct prism_generic *generic;
    struct text *out;
    bool has_failed;
};

static void write_formula(struct property_writer *writer, const struct prism_expr *expr);

static void write_plain(struct property_writer *writer, const struct prism_expr *expr)
{
    struct prism_generic *generic = writer->generic;
    const struct gterm *term =
        generic_translate_or_refuse(generic, gterm_from(generic->terms, expr), expr->span, "the property");
    bool is_atom = !term || term->kind == TERM_VALUE;
    text_append(writer->out, is_atom ? "" : "(");
    writer->has_failed |= !term || !generic_print(generic, term, false, expr->span, writer->out);
    text_append(writer->out, is_atom ? "" : ")");
}

static void write_time(struct property_writer *writer, const struct prism_expr *time)
{
    writer->has_failed |=
        !generic_print(writer->generic, gterm_from(writer->generic->terms, time), false, time->span, writer->out);
}

static void write_window(struct property_writer *writer, const struct prism_window *window)
{
    struct text *out = writer->out;
    if (window->lower && window->upper) {
        /* PRISM writes [a,b] without strictness */
        text_char(out, '[');
        write_time(writer, window->lower);
        text_char(out, ',');
        write_time(writer, window->upper);
        text_char(out, ']');
        if (window->is_lower_strict || window->is_upper_strict)
            writer->has_failed = true;
    } else if (window->upper) {
        text_append(out, window->is_upper_strict ? "<" : "<=");
        write_time(writer, window->upper);
    } else if (window->lower) {
        text_append(out, window->is_lower_strict ? ">" : ">=");
        write_time(writer, window->lower);
    }
}

static void write_path(struct property_writer *writer, const struct prism_expr *path)
{
    static const char *const signs[] = {[PRISM_NEXT] = "X",  [PRISM_EVENTUALLY] = "F", [PRISM_ALWAYS] = "G",
                                        [PRISM_UNTIL] = "U", [PRISM_WEAK_UNTIL] = "W", [PRISM_RELEASE] = "R"};
    if (path->left) {
        write_formula(writer, path->left);
        text_char(writer->out, ' ');
    }
    text_append(writer->out, signs[path->temporal]);
    write_window(writer, &path->window);
    text_char(writer->out, ' ');
    write_formula(writer, path->right);
}

/* PRISM knows bounds for all schedulers only: Pmax>=1 is !P<1 there, and Pmin>=1 P>=1. */
static bool is_turned(const struct prism_bound *bound)
{
    bool is_from_below = bound->relation == PRISM_OP_GE || bound->relation == PRISM_OP_GT;
    return !bound->is_query && bound->extreme == (is_from_below ? PRISM_GREATEST : PRISM_LEAST);
}

static void write_bound(struct property_writer *writer, const struct prism_bound *bound)
{
    static const char *const signs[][2] = {[PRISM_OP_LT] = {"<", ">="},
                                           [PRISM_OP_LE] = {"<=", ">"},
                                           [PRISM_OP_GT] = {">", "<="},
                                           [PRISM_OP_GE] = {">=", "<"}};
    if (bound->is_query) {
        const char *extreme = bound->extreme == PRISM_LEAST ? "min" : bound->extreme == PRISM_GREATEST ? "max" : "";
        text_format(writer->out, "%s=?", extreme);
        return;
    }
    text_append(writer->out, signs[bound->relation][is_turned(bound)]);
    write_time(writer, bound->threshold);
}

static void write_measure(struct property_writer *writer, const struct prism_expr *expr)
{
    struct text *out = writer->out;
    bool is_not = is_turned(&expr->bound);
    text_append(out, is_not ? "(!" : "");
    text_char(out, expr->kind == PRISM_EXPR_PROBABILITY ? 'P' : expr->kind == PRISM_EXPR_STEADY ? 'S' : 'R');
    if (expr->kind == PRISM_EXPR_REWARD) {
        uint32_t number = (uint32_t)expr->reward_number->value->integer;
        const char *name = writer->generic->network->rewards[number - 1].name;
        text_format(out, name ? "{\"%s\"}" : "{%s", name ? name : "");
        if (!name)
            text_format(out, "%u}", number);
    }
    write_bound(writer, &expr->bound);
    text_append(out, " [ ");
    write_formula(writer, expr->left);
    text_append(out, is_not ? " ])" : " ]");
}

static void write_filter(struct property_writer *writer, const struct prism_expr *expr)
{
    text_format(writer->out, "filter(%s, ", expr->name.text);
    write_formula(writer, expr->left);
    if (expr->right) {
        text_append(writer->out, ", ");
        write_formula(writer, expr->right);
    }
    text_char(writer->out, ')');
}

static void write_binary(struct property_writer *writer, const struct prism_expr *expr)
{
    static const char *const signs[] = {
        [PRISM_OP_AND] = " & ", [PRISM_OP_OR] = " | ", [PRISM_OP_IMPLIES] = " => ", [PRISM_OP_IFF] = " <=> ",
        [PRISM_OP_EQ] = "=",    [PRISM_OP_NE] = "!=",  [PRISM_OP_LT] = "<",         [PRISM_OP_LE] = "<=",
        [PRISM_OP_GT] = ">",    [PRISM_OP_GE] = ">=",  [PRISM_OP_ADD] = "+",        [PRISM_OP_SUB] = "-",
        [PRISM_OP_MUL] = "*",   [PRISM_OP_DIV] = "/",  [PRISM_OP_POW] = "^"};
    text_char(writer->out, '(');
    write_formula(writer, expr->left);
    text_append(writer->out, signs[expr->op]);
    write_formula(writer, expr->right);
    text_char(writer->out, ')');
}

static void write_cond(struct property_writer *writer, const struct prism_expr *expr)
{
    text_char(writer->out, '(');
    write_formula(writer, expr->condition);
    text_append(writer->out, " ? ");
    write_formula(writer, expr->left);
    text_append(writer->out, " : ");
    write_formula(writer, expr->right);
    text_char(writer->out, ')');
}

static void write_goal(struct property_writer *writer, const struct prism_expr *expr)
{
    text_append(writer->out, expr->kind == PRISM_EXPR_INSTANT ? "I=" : expr->kind == PRISM_EXPR_LONG_RUN ? "S" : "C");
    if (expr->kind == PRISM_EXPR_CUMULATIVE && expr->right)
        text_append(writer->out, "<=");
    if (expr->right)
        write_time(writer, expr->right);
}

static void write_formula(struct property_writer *writer, const struct prism_expr *expr)
{
    if (prism_is_plain(expr)) {
        write_plain(writer, expr);
        return;
    }
    switch (expr->kind) {
    case PRISM_EXPR_PROBABILITY:
    case PRISM_EXPR_STEADY:
    case PRISM_EXPR_REWARD:
        write_measure(writer, expr);
        return;
    case PRISM_EXPR_EXISTS:
    case PRISM_EXPR_FORALL:
        text_append(writer->out, expr->kind == PRISM_EXPR_EXISTS ? "E [ " : "A [ ");
        write_formula(writer, expr->left);
        text_append(writer->out, " ]");
        return;
    case PRISM_EXPR_PATH:
        write_path(writer, expr);
        return;
    case PRISM_EXPR_CUMULATIVE:
    case PRISM_EXPR_INSTANT:
    case PRISM_EXPR_LONG_RUN:
        write_goal(writer, expr);
        return;
    case PRISM_EXPR_FILTER:
        write_filter(writer, expr);
        return;
    case PRISM_EXPR_LABEL:
        text_format(writer->out, "\"%s\"", expr->name.text);
        return;
    case PRISM_EXPR_UNARY:
        text_append(writer->out, expr->op == PRISM_OP_NOT ? "!(" : "-(");
        write_formula(writer, expr->left);
        text_char(writer->out, ')');
        return;
    case PRISM_EXPR_BINARY:
        write_binary(writer, expr);
        return;
    case PRISM_EXPR_COND:
        write_cond(writer, expr);
        return;
    default:
        writer->has_failed = true;
    }
}

/* What counts or lists states would count and list others, and another one would be the first. */
static bool is_filter_kept(const struct prism_expr *filter)
{
    static const char *const kept[] = {"min", "max", "range", "forall", "exists"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!strcmp(filter->name.text, kept[i]))
            return true;
    return false;
}

static bool has_same_answer(const struct prism_expr *expr)
{
    if (!expr)
        return true;
    if (expr->kind == PRISM_EXPR_FILTER && !is_filter_kept(expr))
        return false;
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        if (!has_same_answer(expr->arguments.items[i]))
            return false;
    return has_same_answer(expr->condition) && has_same_answer(expr->left) && has_same_answer(expr->right);
}

static bool write_property(struct prism_generic *generic, const struct prism_property *property, struct text *out)
{
    struct property_writer writer = {generic, out, false};
    size_t errors = generic->diagnostics->errors;
    if (!has_same_answer(property->formula))
        return generic_error(generic, property->span,
                             "this filter is about single states, which the counter abstraction does not have");
    if (property->result)
        text_format(out, "// RESULT: %s\n", property->result);
    if (property->name.text)
        text_format(out, "\"%s\": ", property->name.text);
    write_formula(&writer, property->formula);
    text_append(out, ";\n");
    if (writer.has_failed && generic->diagnostics->errors == errors)
        generic_error(generic, property->span, "this property cannot be written");
    return !writer.has_failed;
}

static void leave_out(const struct prism_property *property, const struct diagnostic *why,
                      struct prism_reduced *reduced, uint32_t number)
{
    struct text reason = {0};
    text_format(&reason, "line %u: %s", why->span.line, why->message);
    reduced->left_out[number] = reason.chars;
    if (property->name.text)
        diag_warning(&reduced->warnings, why->span, "property \"%s\" is left out: %s", property->name.text,
                     why->message);
    else
        diag_warning(&reduced->warnings, why->span, "this property is left out: %s", why->message);
}

void generic_write_properties(struct prism_generic *generic, struct prism_reduced *reduced)
{
    struct diagnostics *outer = generic->diagnostics;
    reduced->property_count = generic->network->property_count;
    reduced->left_out = memory_zeroed(reduced->property_count + 1, sizeof *reduced->left_out);
    for (uint32_t i = 0; i < reduced->property_count; i++) {
        const struct prism_property *property = &generic->network->properties[i];
        struct diagnostics own = {0};
        struct text written = {0};
        generic->diagnostics = &own;
        if (write_property(generic, property, &written))
            text_append(&reduced->properties, text_chars(&written));
        else
            leave_out(property, &own.items[0], reduced, i);
        text_free(&written);
        diag_free(&own);
    }
    generic->diagnostics = outer;
}
