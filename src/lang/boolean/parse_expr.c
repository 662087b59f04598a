/* Expressions. The two dialects bind operators differently: here the loosest come first.
 *
 *     named labels      =>  =  !=   then ^, |, &
 *     numbered lines    ?:  |  ^  &  then =, !=
 *
 * Where the difference matters a warning says how the text is read. */
#include <string.h>

#include "lang/boolean/parse.h"

static struct bp_expr *new_expr(struct bp_parser *parser, enum bp_expr_kind kind, struct span span)
{
    struct bp_expr *expr = ARENA_NEW(parser->arena, struct bp_expr);
    expr->kind = kind;
    expr->span = span;
    expr->height = 1;
    return expr;
}

static void add_height(struct bp_parser *parser, struct bp_expr *expr, const struct bp_expr *part)
{
    if (!part)
        return;
    expr->height = part->height + 1 > expr->height ? part->height + 1 : expr->height;
    expr->span = span_join(expr->span, part->span);
    if (expr->height > BP_MAX_DEPTH)
        syntax_error(&parser->syntax, expr->span, "nested more than %d levels deep", BP_MAX_DEPTH);
}

static struct bp_expr *close_expr(struct bp_parser *parser, struct bp_expr *expr)
{
    add_height(parser, expr, expr->left);
    add_height(parser, expr, expr->right);
    add_height(parser, expr, expr->condition);
    return expr;
}

static uint32_t new_choice(struct bp_parser *parser)
{
    return parser->step ? parser->step->choice_count++ : 0;
}

static struct bp_expr *parse_schoose(struct bp_parser *parser)
{
    struct bp_expr *expr = new_expr(parser, BP_EXPR_SCHOOSE, parser->token->span);
    bp_advance(parser);
    if (!bp_expect(parser, BP_OPEN_BRACKET, "after schoose"))
        return NULL;
    expr->left = bp_parse_expr(parser);
    if (!expr->left || !bp_expect(parser, BP_COMMA, "between the two conditions of schoose"))
        return NULL;
    expr->right = bp_parse_expr(parser);
    if (!expr->right || !bp_expect(parser, BP_CLOSE_BRACKET, "after the conditions of schoose"))
        return NULL;
    expr->choice = new_choice(parser);
    return close_expr(parser, expr);
}

static struct bp_expr *parse_number(struct bp_parser *parser)
{
    struct bp_expr *expr = new_expr(parser, BP_EXPR_CONSTANT, parser->token->span);
    expr->value = !strcmp(parser->token->text, "1");
    if (!expr->value && strcmp(parser->token->text, "0") != 0) {
        syntax_error(&parser->syntax, parser->token->span, "only 0 and 1 are values");
        return NULL;
    }
    bp_advance(parser);
    return expr;
}

static struct bp_expr *parse_name(struct bp_parser *parser, enum bp_expr_kind kind)
{
    struct bp_expr *expr = new_expr(parser, kind, parser->token->span);
    if (!bp_expect_name(parser, "a variable", &expr->name))
        return NULL;
    bool is_true = !strcmp(expr->name.text, "T"), is_false = !strcmp(expr->name.text, "F");
    if (kind == BP_EXPR_READ && (is_true || is_false)) {
        expr->kind = BP_EXPR_CONSTANT;
        expr->value = is_true;
    }
    return expr;
}

static struct bp_expr *parse_enclosed(struct bp_parser *parser)
{
    bp_advance(parser);
    struct bp_expr *expr = bp_parse_expr(parser);
    if (!expr || !bp_expect(parser, BP_CLOSE, "after the expression"))
        return NULL;
    expr->is_enclosed = true;
    return expr;
}

static struct bp_expr *parse_ticked(struct bp_parser *parser)
{
    if (!parser->may_tick) {
        syntax_error(&parser->syntax, parser->token->span,
                     "a value after the step ('x) can only stand after constrain");
        return NULL;
    }
    bp_advance(parser);
    return parse_name(parser, BP_EXPR_NEXT);
}

static struct bp_expr *parse_any(struct bp_parser *parser)
{
    struct bp_expr *expr = new_expr(parser, BP_EXPR_ANY, parser->token->span);
    expr->choice = new_choice(parser);
    bp_advance(parser);
    return expr;
}

static struct bp_expr *parse_primary(struct bp_parser *parser)
{
    switch (parser->token->kind) {
    case BP_OPEN:
        return parse_enclosed(parser);
    case BP_STAR:
        return parse_any(parser);
    case BP_SCHOOSE:
        return parse_schoose(parser);
    case BP_NUMBER:
        return parse_number(parser);
    case BP_TICK:
        return parse_ticked(parser);
    case BP_IDENTIFIER:
        return parse_name(parser, BP_EXPR_READ);
    default:
        bp_unexpected(parser, "an expression");
        return NULL;
    }
}

static struct bp_expr *parse_unary(struct bp_parser *parser)
{
    if (!bp_at(parser, BP_NOT))
        return parse_primary(parser);
    struct bp_expr *expr = new_expr(parser, BP_EXPR_NOT, parser->token->span);
    bp_advance(parser);
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return NULL;
    expr->left = parse_unary(parser);
    syntax_leave(&parser->syntax);
    return expr->left ? close_expr(parser, expr) : NULL;
}

/* A level of operators that bind alike. */
struct bp_level {
    enum bp_token_kind tokens[3];
    enum bp_expr_kind kinds[3];
    int count;
    bool is_right; /* a op (b op c) */
};

static const struct bp_level named_levels[] = {
    {{BP_IMPLIES, BP_EQUALS, BP_DIFFERS}, {BP_EXPR_IMPLIES, BP_EXPR_EQUAL, BP_EXPR_DIFFER}, 3, true},
    {{BP_XOR}, {BP_EXPR_XOR}, 1, false},
    {{BP_OR}, {BP_EXPR_OR}, 1, false},
    {{BP_AND}, {BP_EXPR_AND}, 1, false},
};
static const struct bp_level numbered_levels[] = {
    {{BP_OR}, {BP_EXPR_OR}, 1, false},
    {{BP_XOR}, {BP_EXPR_XOR}, 1, false},
    {{BP_AND}, {BP_EXPR_AND}, 1, false},
    {{BP_EQUALS, BP_DIFFERS}, {BP_EXPR_EQUAL, BP_EXPR_DIFFER}, 2, false},
};
enum { LEVEL_COUNT = 4 };

static bool is_comparison(enum bp_expr_kind kind)
{
    return kind == BP_EXPR_EQUAL || kind == BP_EXPR_DIFFER;
}

static bool is_logic(enum bp_expr_kind kind)
{
    return kind == BP_EXPR_AND || kind == BP_EXPR_OR || kind == BP_EXPR_XOR;
}

/* Would the other dialect group outer and inner the other way round? */
static bool is_ambiguous(enum bp_expr_kind outer, const struct bp_expr *inner)
{
    if (inner->is_enclosed)
        return false;
    return (is_comparison(outer) && is_logic(inner->kind)) || (is_logic(outer) && is_comparison(inner->kind)) ||
           (outer == BP_EXPR_XOR && inner->kind == BP_EXPR_OR) || (outer == BP_EXPR_OR && inner->kind == BP_EXPR_XOR);
}

static void warn_of_reading(struct bp_parser *parser, const struct bp_expr *expr)
{
    const struct bp_expr *parts[] = {expr->left, expr->right};
    for (size_t i = 0; i < 2; i++)
        if (is_ambiguous(expr->kind, parts[i])) {
            diag_warning(parser->syntax.diagnostics, parts[i]->span, "this part binds tighter here than %s",
                         parser->program->is_numbered ? "in programs without numbered lines"
                                                      : "in programs with numbered lines");
            diag_hint(parser->syntax.diagnostics, "parentheses make it the same everywhere");
            return;
        }
}

static int find_operator(const struct bp_parser *parser, const struct bp_level *level)
{
    for (int i = 0; i < level->count; i++)
        if (bp_at(parser, level->tokens[i]))
            return i;
    return -1;
}

static struct bp_expr *parse_level(struct bp_parser *parser, int number)
{
    if (number == LEVEL_COUNT)
        return parse_unary(parser);
    const struct bp_level *level = &(parser->program->is_numbered ? numbered_levels : named_levels)[number];
    struct bp_expr *left = parse_level(parser, number + 1);
    for (int i; left && (i = find_operator(parser, level)) >= 0;) {
        bp_advance(parser);
        struct bp_expr *expr = new_expr(parser, level->kinds[i], left->span);
        if (!syntax_enter(&parser->syntax, parser->token->span))
            return NULL;
        expr->left = left;
        expr->right = parse_level(parser, level->is_right ? number : number + 1);
        syntax_leave(&parser->syntax);
        if (!expr->right)
            return NULL;
        left = close_expr(parser, expr);
        warn_of_reading(parser, left);
    }
    return left;
}

struct bp_expr *bp_parse_expr(struct bp_parser *parser)
{
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return NULL;
    struct bp_expr *expr = parse_level(parser, 0);
    if (expr && bp_take(parser, BP_QUESTION)) {
        struct bp_expr *choice = new_expr(parser, BP_EXPR_COND, expr->span);
        choice->condition = expr;
        choice->left = bp_parse_expr(parser);
        bool ok = choice->left && bp_expect(parser, BP_COLON, "between the two values");
        choice->right = ok ? bp_parse_expr(parser) : NULL;
        expr = choice->right ? close_expr(parser, choice) : NULL;
    }
    syntax_leave(&parser->syntax);
    return parser->syntax.lost ? NULL : expr;
}

void bp_parse_exprs(struct bp_parser *parser, struct bp_exprs *list)
{
    do {
        struct bp_expr *expr = bp_parse_expr(parser);
        if (!expr)
            return;
        VEC_PUSH(list, expr);
    } while (bp_take(parser, BP_COMMA));
}
