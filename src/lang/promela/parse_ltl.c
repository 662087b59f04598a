#include <string.h>

#include "lang/promela/parse.h"

/* A formula is read by the precedence of SPIN's grammar: -> and <-> bind least, then ||, &&, the binary temporal
 * operators, and then what expressions have; prefixes bind most. A part without temporal operators stays an expression
 * until it is used as a formula. */
struct part {
    struct pml_expr *expr;       /* or */
    struct pml_formula *formula; /* both NULL: an error of syntax */
    struct span span;
};

enum { LEVEL_IMPLIES = 1, LEVEL_OR, LEVEL_AND, LEVEL_UNTIL, LEVEL_EXPR };

static struct part parse_part(struct pml_parser *parser, int lowest);

static const struct ltl_word {
    const char *text;
    enum pml_formula_kind kind;
    int level; /* 0: a prefix */
} ltl_words[] = {
    {"U", PML_UNTIL, LEVEL_UNTIL},
    {"V", PML_RELEASE, LEVEL_UNTIL},
    {"W", PML_WEAK_UNTIL, LEVEL_UNTIL},
    {"until", PML_UNTIL, LEVEL_UNTIL},
    {"stronguntil", PML_UNTIL, LEVEL_UNTIL},
    {"weakuntil", PML_WEAK_UNTIL, LEVEL_UNTIL},
    {"release", PML_RELEASE, LEVEL_UNTIL},
    {"implies", PML_F_IMPLIES, LEVEL_IMPLIES},
    {"equivalent", PML_F_EQUIVALENT, LEVEL_IMPLIES},
    {"X", PML_NEXT, 0},
    {"next", PML_NEXT, 0},
    {"always", PML_ALWAYS, 0},
    {"eventually", PML_EVENTUALLY, 0},
};

static const struct ltl_word *word_here(const struct pml_parser *parser)
{
    for (size_t i = 0; i < sizeof ltl_words / sizeof *ltl_words; i++)
        if (pml_at_word(parser, ltl_words[i].text))
            return &ltl_words[i];
    return NULL;
}

/* Two tokens that are one operator, such as [ and ]. */
static bool at_pair(const struct pml_parser *parser, enum pml_token_kind first, enum pml_token_kind second)
{
    return pml_at(parser, first) && parser->token[1].kind == second && !parser->token[1].has_blank;
}

/* The prefix here, and how many tokens it is; 0: none. */
static size_t prefix_here(const struct pml_parser *parser, enum pml_formula_kind *kind)
{
    const struct ltl_word *word = word_here(parser);
    *kind = at_pair(parser, PMT_OPEN_BRACKET, PMT_CLOSE_BRACKET) ? PML_ALWAYS
            : at_pair(parser, PMT_LT, PMT_GT)                    ? PML_EVENTUALLY
            : word                                               ? word->kind
                                                                 : PML_F_NOT;
    if (*kind == PML_ALWAYS || *kind == PML_EVENTUALLY)
        return word ? 1 : 2;
    if (word)
        return word->level ? 0 : 1;
    return pml_at(parser, PMT_SEND) ? 1 : 0;
}

/* The binary operator here; 0: none. Of one of expressions `op` says which. */
static int infix_here(const struct pml_parser *parser, enum pml_formula_kind *kind, enum pml_op *op, size_t *tokens)
{
    const struct ltl_word *word = word_here(parser);
    *tokens = 1;
    if (word && word->level) {
        *kind = word->kind;
        return word->level;
    }
    if (pml_at(parser, PMT_ARROW)) {
        *kind = PML_F_IMPLIES;
        return LEVEL_IMPLIES;
    }
    *tokens = 2;
    if (at_pair(parser, PMT_LT, PMT_ARROW)) {
        *kind = PML_F_EQUIVALENT;
        return LEVEL_IMPLIES;
    }
    bool is_and = at_pair(parser, PMT_SLASH, PMT_BACKSLASH), is_or = at_pair(parser, PMT_BACKSLASH, PMT_SLASH);
    if (!is_and && !is_or) {
        *tokens = 1;
        is_and = pml_at(parser, PMT_AND);
        is_or = pml_at(parser, PMT_OR);
    }
    if (is_and || is_or) {
        *kind = is_and ? PML_F_AND : PML_F_OR;
        return is_and ? LEVEL_AND : LEVEL_OR;
    }
    int level = pml_operator_here(parser, op);
    return level ? LEVEL_EXPR + level : 0;
}

static struct pml_formula *as_formula(struct pml_parser *parser, struct part part)
{
    if (part.formula)
        return part.formula;
    struct pml_formula *formula = ARENA_NEW(parser->arena, struct pml_formula);
    formula->kind = PML_ATOM;
    formula->span = part.span;
    formula->atom = part.expr;
    return formula;
}

static struct part made(struct pml_parser *parser, enum pml_formula_kind kind, struct span span, struct part left,
                        struct part right)
{
    struct pml_formula *formula = ARENA_NEW(parser->arena, struct pml_formula);
    formula->kind = kind;
    formula->span = span;
    formula->left = as_formula(parser, left);
    formula->right = right.expr || right.formula ? as_formula(parser, right) : NULL;
    return (struct part){NULL, formula, span};
}

/* !, and an operator of formulas between two expressions, make an expression. */
static struct pml_expr *joined(struct pml_parser *parser, enum pml_formula_kind kind, struct pml_expr *left,
                               struct pml_expr *right)
{
    if (kind == PML_F_AND || kind == PML_F_OR)
        return pml_binary(parser, kind == PML_F_AND ? PML_AND : PML_OR, left, right);
    struct pml_expr *not_left = pml_unary(parser, PML_NOT, left->span, left);
    if (kind == PML_F_IMPLIES)
        return pml_binary(parser, PML_OR, not_left, right);
    return pml_binary(parser, PML_EQ, not_left, pml_unary(parser, PML_NOT, right->span, right));
}

static struct part combine(struct pml_parser *parser, int level, enum pml_formula_kind kind, enum pml_op op,
                           struct part left, struct part right)
{
    struct span span = span_join(left.span, right.span);
    if (left.expr && right.expr && level > LEVEL_EXPR)
        return (struct part){pml_binary(parser, op, left.expr, right.expr), NULL, span};
    if (left.expr && right.expr && level != LEVEL_UNTIL)
        return (struct part){joined(parser, kind, left.expr, right.expr), NULL, span};
    if (level <= LEVEL_EXPR)
        return made(parser, kind, span, left, right);
    if (syntax_error(&parser->syntax, span, "an operator of expressions stands beside a temporal formula"))
        diag_hint(parser->syntax.diagnostics, "\"[]\", \"<>\", \"X\" and \"!\" bind most: use parentheses");
    return (struct part){0};
}

/* An expression in parentheses may go on as an expression: (a) + b. */
static struct part parse_primary(struct pml_parser *parser)
{
    struct span span = parser->token->span;
    if (!pml_take(parser, PMT_OPEN)) {
        struct pml_expr *expr = pml_parse_operand(parser);
        return (struct part){expr, NULL, expr ? expr->span : span};
    }
    struct part part = parse_part(parser, LEVEL_IMPLIES);
    pml_close_parenthesis(parser);
    return parser->syntax.lost ? (struct part){0} : part;
}

static struct part parse_prefixed(struct pml_parser *parser)
{
    enum pml_formula_kind kind;
    struct span span = parser->token->span;
    size_t tokens = prefix_here(parser, &kind);
    struct part none = {0}, part = none;
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return none;
    if (!tokens)
        part = parse_primary(parser);
    else {
        parser->token += tokens;
        part = parse_prefixed(parser);
    }
    syntax_leave(&parser->syntax);
    if (parser->syntax.lost || !tokens)
        return part;
    if (kind == PML_F_NOT && part.expr)
        return (struct part){pml_unary(parser, PML_NOT, span, part.expr), NULL, span_join(span, part.span)};
    return made(parser, kind, span_join(span, part.span), part, none);
}

static struct part parse_part(struct pml_parser *parser, int lowest)
{
    enum pml_formula_kind kind = PML_ATOM;
    enum pml_op op = PML_OR;
    size_t tokens, steps = 0;
    struct part left = parse_prefixed(parser);
    for (int level; !parser->syntax.lost && (level = infix_here(parser, &kind, &op, &tokens)) >= lowest && level;) {
        enum pml_formula_kind this_kind = kind;
        enum pml_op this_op = op;
        parser->token += tokens;
        struct part right = parse_part(parser, level + 1);
        if (!parser->syntax.lost)
            left = combine(parser, level, this_kind, this_op, left, right);
        if (++steps > PML_MAX_HEIGHT)
            syntax_error(&parser->syntax, left.span, "the formula has more than %d operators in a row", PML_MAX_HEIGHT);
    }
    return parser->syntax.lost ? (struct part){0} : left;
}

static void check_name(struct pml_parser *parser, const struct pml_ltl *formula)
{
    for (size_t i = 0; i < parser->model->formulas.count; i++)
        if (!strcmp(parser->model->formulas.items[i]->name, formula->name))
            report_error(parser->syntax.diagnostics, formula->span, "there is an ltl formula \"%s\" already",
                         formula->name);
}

static void parse_formula(struct pml_parser *parser, uint32_t *unnamed)
{
    struct pml_ltl *ltl = ARENA_NEW(parser->arena, struct pml_ltl);
    ltl->span = parser->token->span;
    pml_advance(parser);
    if (pml_at(parser, PMT_NAME)) {
        ltl->span = parser->token->span;
        ltl->name = parser->token->text;
        pml_advance(parser);
    } else
        ltl->name = arena_format(parser->arena, "ltl_%u", (*unnamed)++);
    pml_expect(parser, PMT_OPEN_BRACE, "before the formula");
    struct part part = parser->syntax.lost ? (struct part){0} : parse_part(parser, LEVEL_IMPLIES);
    if (!pml_take(parser, PMT_SEMI))
        pml_take(parser, PMT_ARROW);
    pml_expect(parser, PMT_CLOSE_BRACE, "after the formula");
    if (parser->syntax.lost)
        return;
    ltl->formula = as_formula(parser, part);
    check_name(parser, ltl);
    VEC_PUSH(&parser->model->formulas, ltl);
}

void pml_parse_formulas(struct pml_parser *parser)
{
    uint32_t unnamed = 0;
    parser->in_formula = true;
    for (size_t i = 0; i < parser->formulas.count && !parser->syntax.lost; i++) {
        parser->token = parser->formulas.items[i];
        parse_formula(parser, &unnamed);
    }
    parser->in_formula = false;
}
