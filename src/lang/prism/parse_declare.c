/* What models and properties files have in common: constants, formulas, labels; and the properties file itself. */
#include "lang/prism/parse.h"

/* "const int n = 3;", "const double p;", "const k;" (an int), and the old "rate r" and "prob p". */
struct prism_constant prism_parse_constant(struct prism_parser *parser)
{
    struct prism_constant constant = {.type = PRISM_TYPE_INT};
    if (prism_take(parser, WORD_RATE) || prism_take(parser, WORD_PROB))
        constant.type = PRISM_TYPE_REAL;
    else {
        prism_expect(parser, WORD_CONST, "here");
        if (prism_take(parser, WORD_DOUBLE) || prism_take(parser, WORD_RATE) || prism_take(parser, WORD_PROB))
            constant.type = PRISM_TYPE_REAL;
        else if (prism_take(parser, WORD_BOOL))
            constant.type = PRISM_TYPE_BOOL;
        else
            prism_take(parser, WORD_INT);
    }
    prism_expect_name(parser, &constant.name, "the name of a constant");
    if (prism_take(parser, PRISM_EQ))
        constant.definition = prism_parse_expr(parser);
    prism_expect(parser, PRISM_SEMICOLON, "after the constant");
    return constant;
}

struct prism_formula prism_parse_formula(struct prism_parser *parser)
{
    struct prism_formula formula = {0};
    prism_advance(parser);
    prism_expect_name(parser, &formula.name, "the name of a formula");
    prism_expect(parser, PRISM_EQ, "after the name");
    formula.definition = prism_parse_expr(parser);
    prism_expect(parser, PRISM_SEMICOLON, "after the formula");
    return formula;
}

struct prism_formula prism_parse_label(struct prism_parser *parser)
{
    struct prism_formula label = {0};
    prism_advance(parser);
    prism_expect_quoted(parser, &label.name, "the name of a label in quotes");
    prism_expect(parser, PRISM_EQ, "after the name");
    label.definition = prism_parse_expr(parser);
    prism_expect(parser, PRISM_SEMICOLON, "after the label");
    return label;
}

/* "\"name\": P=? [ F x=1 ];" The name and the semicolon may be missing. */
static struct prism_property parse_property(struct prism_parser *parser)
{
    struct prism_property property = {.span = parser->token->span, .result = parser->token->result};
    if (prism_at(parser, PRISM_QUOTED) && prism_ahead(parser, 1)->kind == PRISM_COLON) {
        prism_expect_quoted(parser, &property.name, "a name");
        prism_advance(parser);
    }
    parser->allows_properties = true;
    property.formula = prism_parse_expr(parser);
    parser->allows_properties = false;
    property.span = property.formula->span;
    while (prism_take(parser, PRISM_SEMICOLON))
        ;
    return property;
}

void prism_parse_properties(struct arena *arena, const struct prism_tokens *tokens, struct diagnostics *diagnostics,
                            struct prism_properties *properties)
{
    struct prism_parser parser = {.arena = arena,
                                  .syntax = {diagnostics, .most = PRISM_MAX_DEPTH},
                                  .token = tokens->items,
                                  .tokens = tokens->items};
    VEC(struct prism_constant) constants = {0};
    VEC(struct prism_formula) labels = {0};
    VEC(struct prism_property) items = {0};
    for (uint32_t i = 0; i < properties->constant_count; i++)
        VEC_PUSH(&constants, properties->constants[i]);
    for (uint32_t i = 0; i < properties->label_count; i++)
        VEC_PUSH(&labels, properties->labels[i]);
    for (uint32_t i = 0; i < properties->count; i++)
        VEC_PUSH(&items, properties->items[i]);
    while (!prism_at(&parser, PRISM_EOF)) {
        const struct prism_token *before = parser.token;
        if (prism_at(&parser, WORD_CONST) || prism_at(&parser, WORD_RATE) || prism_at(&parser, WORD_PROB))
            VEC_PUSH(&constants, prism_parse_constant(&parser));
        else if (prism_at(&parser, WORD_LABEL))
            VEC_PUSH(&labels, prism_parse_label(&parser));
        else
            VEC_PUSH(&items, parse_property(&parser));
        if (parser.syntax.lost)
            prism_recover(&parser);
        if (parser.token == before)
            prism_advance(&parser);
    }
    properties->constant_count = (uint32_t)constants.count;
    properties->constants = VEC_SEAL(&constants, arena);
    properties->label_count = (uint32_t)labels.count;
    properties->labels = VEC_SEAL(&labels, arena);
    properties->count = (uint32_t)items.count;
    properties->items = VEC_SEAL(&items, arena);
}
