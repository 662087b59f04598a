#include "ir/written.h"

#include "base/printable.h"
#include "ir/language.h"
#include "ir/print.h"
#include "ir/walk.h"

bool written_is_test(const struct expr *expr)
{
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT)
        expr = expr->left;
    return expr->kind == EXPR_IS_UNDEFINED && expr->is_implied;
}

const struct expr *written_expr(const struct expr *expr)
{
    for (;;) {
        bool is_joined = expr->kind == EXPR_BINARY && (expr->op == OP_AND || expr->op == OP_OR);
        bool is_tested = is_joined                 ? written_is_test(expr->left)
                         : expr->kind == EXPR_COND ? written_is_test(expr->condition)
                                                   : false;
        if (!is_tested)
            return expr;
        expr = expr->right;
    }
}

/* Of an expression whose end stands in another line than its beginning, the span is a part. */
static bool stays(struct span *span, struct span inner)
{
    bool is_inside = inner.source == span->source && inner.line == span->line && inner.column >= span->column &&
                     inner.column + inner.length <= span->column + span->length;
    if (inner.line && !is_inside)
        span->length = 0;
    return span->length > 0;
}

static bool stays_expr(void *user, const struct expr *expr)
{
    return stays(user, expr->span);
}

static bool stays_place(void *user, const struct place *place, bool is_written)
{
    (void)is_written;
    return stays(user, place->span);
}

static void stays_ctl(struct span *span, const struct ctl *ctl)
{
    struct walker walker = {.on_expr = stays_expr, .on_place = stays_place, .user = span};
    stays(span, ctl->span);
    if (ctl->proposition)
        walk_expr(&walker, ctl->proposition->formula);
    if (ctl->left)
        stays_ctl(span, ctl->left);
    if (ctl->right)
        stays_ctl(span, ctl->right);
}

/* Not by a system that was not read from a text, nor by a language that does not say where expressions end. */
static bool has_text(const struct system *system, struct span span)
{
    return system->language->spans_are_whole && span.source && span.line && span.column;
}

/* Does the parenthesis that begins the text end it? */
static bool is_in_parentheses(const char *text, size_t length)
{
    size_t depth = 0;
    if (length < 2 || text[0] != '(')
        return false;
    for (size_t i = 0; i < length; i++) {
        depth += text[i] == '(';
        depth -= text[i] == ')' && depth;
        if (!depth)
            return i + 1 == length;
    }
    return false;
}

/* False: nothing is printed. */
static bool print_text(struct span span, struct text *out)
{
    size_t length = 0, begin = span.column - 1, size = span.length;
    const char *line = span.length ? source_line(span, &length) : NULL;
    if (!line || begin + size > length)
        return false;
    for (; is_in_parentheses(line + begin, size); size -= 2)
        begin++;
    text_printable(out, line + begin, size);
    return true;
}

void written_print(const struct system *system, const struct expr *expr, struct text *out)
{
    struct span span = expr->span;
    struct walker walker = {.on_expr = stays_expr, .on_place = stays_place, .user = &span};
    bool is_read = has_text(system, span);
    if (is_read)
        walk_expr(&walker, expr);
    if (!is_read || !print_text(span, out))
        ir_print_claim(expr, out);
}

void written_print_ctl(const struct system *system, const struct ctl *ctl, struct text *out)
{
    struct span span = ctl->span;
    bool is_read = has_text(system, span);
    if (is_read)
        stays_ctl(&span, ctl);
    if (!is_read || !print_text(span, out))
        ctl_print(ctl, out);
}
