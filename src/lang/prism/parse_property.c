/* Properties: P, R, S, E and A operators, temporal operators, labels and filters. */
#include "lang/prism/parse.h"

#include <string.h>

bool prism_at_property_word(const struct prism_parser *parser)
{
    switch (parser->token->kind) {
    case PRISM_QUOTED:
    case WORD_P:
    case WORD_PMAX:
    case WORD_PMIN:
    case WORD_R:
    case WORD_RMAX:
    case WORD_RMIN:
    case WORD_S:
    case WORD_E:
    case WORD_A:
    case WORD_FILTER:
        return true;
    default:
        return false;
    }
}

/* "Smin=?", "Smax=?": these are no words of PRISM's, and may be names elsewhere. */
bool prism_at_long_run(const struct prism_parser *parser)
{
    bool is_query = prism_ahead(parser, 1)->kind == PRISM_EQ && prism_ahead(parser, 2)->kind == PRISM_QUESTION;
    return is_query && (!strcmp(parser->token->text, "Smin") || !strcmp(parser->token->text, "Smax"));
}

static bool take_relation(struct prism_parser *parser, enum prism_operator *relation)
{
    static const struct {
        enum prism_token_kind token;
        enum prism_operator relation;
    } relations[] = {
        {PRISM_LT, PRISM_OP_LT}, {PRISM_LE, PRISM_OP_LE}, {PRISM_GT, PRISM_OP_GT}, {PRISM_GE, PRISM_OP_GE}};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (prism_take(parser, relations[i].token)) {
            *relation = relations[i].relation;
            return true;
        }
    return false;
}

/* Thresholds, bounds and numbers of reward structures hold no properties. */
static struct prism_expr *parse_without_properties(struct prism_parser *parser)
{
    bool allowed = parser->allows_properties;
    parser->allows_properties = false;
    struct prism_expr *expr = prism_parse_expr(parser);
    parser->allows_properties = allowed;
    return expr;
}

/* "=?", "min=?", "max=?", or a relation and a threshold. */
static void parse_bound(struct prism_parser *parser, struct prism_bound *bound)
{
    if (prism_take(parser, WORD_MIN))
        bound->extreme = PRISM_LEAST;
    else if (prism_take(parser, WORD_MAX))
        bound->extreme = PRISM_GREATEST;
    if (!parser->syntax.lost && (prism_at(parser, WORD_MIN) || prism_at(parser, WORD_MAX))) {
        syntax_error(&parser->syntax, parser->token->span, "two extremes belong to games and interval models");
        return;
    }
    if (take_relation(parser, &bound->relation)) {
        bound->threshold = parse_without_properties(parser);
        return;
    }
    bound->is_query = true;
    prism_expect(parser, PRISM_EQ, "or a comparison here");
    prism_expect(parser, PRISM_QUESTION, "after \"=\"");
}

/* "{"name"}" or "{number}" after R. */
static void parse_reward_index(struct prism_parser *parser, struct prism_expr *expr)
{
    if (!prism_take(parser, PRISM_OPEN_BRACE))
        return;
    if (prism_at(parser, PRISM_QUOTED))
        prism_expect_quoted(parser, &expr->reward_name, "the name of a reward structure");
    else
        expr->reward_number = parse_without_properties(parser);
    prism_expect(parser, PRISM_CLOSE_BRACE, "after the reward structure");
    if (!parser->syntax.lost && prism_at(parser, PRISM_DIVIDE))
        syntax_error(&parser->syntax, parser->token->span, "ratios of two rewards are not supported");
}

/* The old way to write a filter: "{states}" and then "{min}" or "{max}" (both: from the least to the greatest), inside
 * the brackets. */
static struct prism_expr *parse_old_filter(struct prism_parser *parser, struct prism_expr *inner)
{
    if (!prism_at(parser, PRISM_OPEN_BRACE))
        return inner;
    struct prism_expr *filter = prism_new_expr(parser, PRISM_EXPR_FILTER, inner->span);
    prism_advance(parser);
    filter->left = inner;
    filter->right = prism_parse_expr(parser);
    prism_expect(parser, PRISM_CLOSE_BRACE, "after the states of the filter");
    const char *kind = inner->bound.is_query ? "state" : "forall";
    const char *before = NULL;
    for (; prism_take(parser, PRISM_OPEN_BRACE); before = kind) {
        const char *extreme = prism_at(parser, WORD_MIN) ? "min" : "max";
        if (inner->bound.is_query)
            kind = before && strcmp(before, extreme) ? "range" : extreme;
        if (!prism_take(parser, WORD_MIN))
            prism_expect(parser, WORD_MAX, "or \"min\" in the filter");
        prism_expect(parser, PRISM_CLOSE_BRACE, "after the kind of the filter");
    }
    filter->name = (struct prism_name){kind, filter->span};
    return prism_close_expr(parser, filter);
}

static struct prism_expr *parse_reward_goal(struct prism_parser *parser)
{
    struct prism_expr *goal = prism_new_expr(parser, PRISM_EXPR_CUMULATIVE, parser->token->span);
    if (prism_take(parser, WORD_C)) {
        if (prism_take(parser, PRISM_LE))
            goal->right = parse_without_properties(parser);
        return prism_close_expr(parser, goal);
    }
    if (prism_take(parser, WORD_I)) {
        goal->kind = PRISM_EXPR_INSTANT;
        prism_expect(parser, PRISM_EQ, "after I");
        goal->right = parse_without_properties(parser);
        return prism_close_expr(parser, goal);
    }
    enum prism_token_kind next = prism_ahead(parser, 1)->kind;
    if (prism_at(parser, WORD_S) && (next == PRISM_CLOSE_BRACKET || next == PRISM_OPEN_BRACE)) {
        prism_advance(parser);
        goal->kind = PRISM_EXPR_LONG_RUN;
        return goal;
    }
    return prism_parse_expr(parser);
}

/* P, R and S: the bound, then what is measured in brackets. */
static struct prism_expr *parse_measure(struct prism_parser *parser, enum prism_expr_kind kind,
                                        enum prism_extreme extreme)
{
    struct prism_expr *expr = prism_new_expr(parser, kind, parser->token->span);
    prism_advance(parser);
    if (kind == PRISM_EXPR_REWARD)
        parse_reward_index(parser, expr);
    expr->bound.extreme = extreme;
    parse_bound(parser, &expr->bound);
    prism_expect(parser, PRISM_OPEN_BRACKET, "before what is measured");
    parser->brackets++;
    expr->left = kind == PRISM_EXPR_REWARD ? parse_reward_goal(parser) : prism_parse_expr(parser);
    prism_close_expr(parser, expr);
    struct prism_expr *whole = parser->syntax.lost ? expr : parse_old_filter(parser, expr);
    parser->brackets--;
    prism_expect(parser, PRISM_CLOSE_BRACKET, "after what is measured");
    whole->span = span_join(whole->span, parser->token[-1].span);
    return whole;
}

static struct prism_expr *parse_branching(struct prism_parser *parser, enum prism_expr_kind kind)
{
    struct prism_expr *expr = prism_new_expr(parser, kind, parser->token->span);
    prism_advance(parser);
    prism_expect(parser, PRISM_OPEN_BRACKET, "after the path quantifier");
    parser->brackets++;
    expr->left = prism_parse_expr(parser);
    parser->brackets--;
    prism_expect(parser, PRISM_CLOSE_BRACKET, "after the path formula");
    return prism_close_expr(parser, expr);
}

/* filter(kind, property, states): kind is a name, min, max, or one of the signs + & |. */
static struct prism_expr *parse_filter(struct prism_parser *parser)
{
    static const struct {
        enum prism_token_kind token;
        const char *name;
    } signs[] = {
        {PRISM_PLUS, "sum"}, {PRISM_AND, "forall"}, {PRISM_OR, "exists"}, {WORD_MIN, "min"}, {WORD_MAX, "max"}};
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_FILTER, parser->token->span);
    prism_advance(parser);
    prism_expect(parser, PRISM_OPEN_PAREN, "after filter");
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !expr->name.text; i++)
        if (prism_at(parser, signs[i].token)) {
            expr->name = (struct prism_name){signs[i].name, parser->token->span};
            prism_advance(parser);
        }
    if (!expr->name.text)
        prism_expect_name(parser, &expr->name, "the kind of the filter");
    prism_expect(parser, PRISM_COMMA, "after the kind of the filter");
    expr->left = prism_parse_expr(parser);
    if (prism_take(parser, PRISM_COMMA))
        expr->right = prism_parse_expr(parser);
    prism_expect(parser, PRISM_CLOSE_PAREN, "after the filter");
    return prism_close_expr(parser, expr);
}

static struct prism_expr *parse_label_name(struct prism_parser *parser)
{
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_LABEL, parser->token->span);
    prism_expect_quoted(parser, &expr->name, "a label");
    return expr;
}

struct prism_expr *prism_parse_operator(struct prism_parser *parser)
{
    switch (parser->token->kind) {
    case WORD_P:
        return parse_measure(parser, PRISM_EXPR_PROBABILITY, PRISM_NO_EXTREME);
    case WORD_PMIN:
        return parse_measure(parser, PRISM_EXPR_PROBABILITY, PRISM_LEAST);
    case WORD_PMAX:
        return parse_measure(parser, PRISM_EXPR_PROBABILITY, PRISM_GREATEST);
    case WORD_R:
        return parse_measure(parser, PRISM_EXPR_REWARD, PRISM_NO_EXTREME);
    case WORD_RMIN:
        return parse_measure(parser, PRISM_EXPR_REWARD, PRISM_LEAST);
    case WORD_RMAX:
        return parse_measure(parser, PRISM_EXPR_REWARD, PRISM_GREATEST);
    case WORD_S:
        return parse_measure(parser, PRISM_EXPR_STEADY, PRISM_NO_EXTREME);
    case PRISM_NAME:
        return parse_measure(parser, PRISM_EXPR_STEADY,
                             !strcmp(parser->token->text, "Smin") ? PRISM_LEAST : PRISM_GREATEST);
    case WORD_E:
        return parse_branching(parser, PRISM_EXPR_EXISTS);
    case WORD_A:
        return parse_branching(parser, PRISM_EXPR_FORALL);
    case WORD_FILTER:
        return parse_filter(parser);
    default:
        return parse_label_name(parser);
    }
}

/* "<=k", "<k", ">=k", ">k", "=k" or "[a,b]" after a temporal operator. */
static void parse_window(struct prism_parser *parser, struct prism_window *window)
{
    if (prism_take(parser, PRISM_OPEN_BRACKET)) {
        window->lower = parse_without_properties(parser);
        prism_expect(parser, PRISM_COMMA, "between the bounds");
        window->upper = parse_without_properties(parser);
        prism_expect(parser, PRISM_CLOSE_BRACKET, "after the bounds");
        return;
    }
    if (prism_take(parser, PRISM_EQ)) {
        window->lower = window->upper = parse_without_properties(parser);
        return;
    }
    enum prism_operator relation;
    if (!take_relation(parser, &relation))
        return;
    /* A name before "(" is the bound itself and no call: F<=k (x=1). */
    struct prism_expr *bound;
    if (prism_at(parser, PRISM_NAME) && prism_ahead(parser, 1)->kind == PRISM_OPEN_PAREN) {
        bound = prism_new_expr(parser, PRISM_EXPR_NAME, parser->token->span);
        prism_expect_name(parser, &bound->name, "a bound");
    } else
        bound = parse_without_properties(parser);
    bool is_upper = relation == PRISM_OP_LT || relation == PRISM_OP_LE;
    *(is_upper ? &window->upper : &window->lower) = bound;
    window->is_upper_strict = relation == PRISM_OP_LT;
    window->is_lower_strict = relation == PRISM_OP_GT;
}

static bool take_unary(struct prism_parser *parser, enum prism_temporal *temporal)
{
    *temporal = prism_at(parser, WORD_X) ? PRISM_NEXT : prism_at(parser, WORD_F) ? PRISM_EVENTUALLY : PRISM_ALWAYS;
    return prism_take(parser, WORD_X) || prism_take(parser, WORD_F) || prism_take(parser, WORD_G);
}

/* Outside of brackets an R begins the next property: the semicolon between two of them may be missing. */
static bool take_binary(struct prism_parser *parser, enum prism_temporal *temporal)
{
    if (!parser->brackets)
        return false;
    *temporal = prism_at(parser, WORD_U) ? PRISM_UNTIL : prism_at(parser, WORD_W) ? PRISM_WEAK_UNTIL : PRISM_RELEASE;
    return prism_take(parser, WORD_U) || prism_take(parser, WORD_W) || prism_take(parser, WORD_R);
}

static struct prism_expr *parse_unary_path(struct prism_parser *parser)
{
    struct span span = parser->token->span;
    enum prism_temporal temporal;
    if (!take_unary(parser, &temporal))
        return prism_parse_plain(parser);
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_PATH, span);
    expr->temporal = temporal;
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return expr->right = prism_new_expr(parser, PRISM_EXPR_NAME, span);
    parse_window(parser, &expr->window);
    expr->right = parse_unary_path(parser);
    syntax_leave(&parser->syntax);
    return prism_close_expr(parser, expr);
}

struct prism_expr *prism_parse_path(struct prism_parser *parser)
{
    struct prism_expr *left = parse_unary_path(parser);
    enum prism_temporal temporal;
    if (parser->syntax.lost || !take_binary(parser, &temporal))
        return left;
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_PATH, left->span);
    expr->temporal = temporal;
    expr->left = left;
    parse_window(parser, &expr->window);
    expr->right = parse_unary_path(parser);
    return prism_close_expr(parser, expr);
}
