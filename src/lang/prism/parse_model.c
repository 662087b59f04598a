#include "lang/prism/parse.h"

struct model_parts {
    VEC(struct prism_constant) constants;
    VEC(struct prism_formula) formulas;
    VEC(struct prism_formula) labels;
    VEC(struct prism_declaration) globals;
    VEC(struct prism_module) modules;
    VEC(struct prism_rewards) rewards;
    struct span type_span;
    bool has_type;
};

/* "guard : value;" for states, "[action] guard : value;" for transitions. */
static struct prism_reward_item parse_reward_item(struct prism_parser *parser)
{
    struct prism_reward_item item = {0};
    if (prism_take(parser, PRISM_OPEN_BRACKET)) {
        item.is_transition = true;
        if (prism_at(parser, PRISM_NAME))
            prism_expect_name(parser, &item.action, "an action");
        prism_expect(parser, PRISM_CLOSE_BRACKET, "after the action");
    }
    item.guard = prism_parse_expr(parser);
    prism_expect(parser, PRISM_COLON, "after the guard");
    item.value = prism_parse_expr(parser);
    prism_expect(parser, PRISM_SEMICOLON, "after the reward");
    return item;
}

static struct prism_rewards parse_rewards(struct prism_parser *parser)
{
    struct prism_rewards rewards = {.span = parser->token->span};
    prism_advance(parser);
    if (prism_at(parser, PRISM_QUOTED))
        prism_expect_quoted(parser, &rewards.name, "the name of the rewards");
    VEC(struct prism_reward_item) items = {0};
    while (!prism_at(parser, WORD_ENDREWARDS) && !prism_at(parser, PRISM_EOF) && !prism_at(parser, WORD_REWARDS)) {
        const struct prism_token *before = parser->token;
        VEC_PUSH(&items, parse_reward_item(parser));
        if (parser->syntax.lost)
            prism_recover(parser);
        if (parser->token == before)
            prism_advance(parser);
    }
    rewards.end = parser->token->span;
    prism_expect(parser, WORD_ENDREWARDS, "at the end of the rewards");
    rewards.item_count = (uint32_t)items.count;
    rewards.items = VEC_SEAL(&items, parser->arena);
    return rewards;
}

static void set_type(struct prism_parser *parser, struct prism_model *model, struct model_parts *parts,
                     enum prism_model_type type)
{
    if (parts->has_type)
        syntax_error(&parser->syntax, parser->token->span, "the type of the model was given before, on line %u",
                     parts->type_span.line);
    model->type = type;
    parts->has_type = true;
    parts->type_span = parser->token->span;
    prism_advance(parser);
}

static void refuse(struct prism_parser *parser, const char *what)
{
    if (syntax_error(&parser->syntax, parser->token->span, "%s are not supported", what))
        diag_hint(parser->syntax.diagnostics, "Noether checks dtmc, mdp and ctmc models");
    prism_skip_rest(parser);
}

/* PRISM 4.8's interval models and the games of its sibling begin with names, not words. */
static bool refuse_named_type(struct prism_parser *parser)
{
    static const char *const types[][2] = {
        {"idtmc", "interval models"}, {"imdp", "interval models"},           {"smg", "games"}, {"csg", "games"},
        {"player", "games"},          {"lts", "labelled transition systems"}};
    if (!prism_at(parser, PRISM_NAME))
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *text = parser->token->text, *type = types[i][0];
        while (*text && *text == *type)
            text++, type++;
        if (*text || *type)
            continue;
        refuse(parser, types[i][1]);
        return true;
    }
    return false;
}

static void parse_initial(struct prism_parser *parser, struct prism_model *model)
{
    struct span span = parser->token->span;
    prism_advance(parser);
    if (model->initial)
        syntax_error(&parser->syntax, span, "the initial states were given before");
    model->initial = prism_parse_expr(parser);
    prism_expect(parser, WORD_ENDINIT, "after the initial states");
}

static void parse_item(struct prism_parser *parser, struct prism_model *model, struct model_parts *parts)
{
    switch (parser->token->kind) {
    case WORD_DTMC:
    case WORD_PROBABILISTIC:
        set_type(parser, model, parts, PRISM_DTMC);
        break;
    case WORD_MDP:
    case WORD_NONDETERMINISTIC:
        set_type(parser, model, parts, PRISM_MDP);
        break;
    case WORD_CTMC:
    case WORD_STOCHASTIC:
        set_type(parser, model, parts, PRISM_CTMC);
        break;
    case WORD_PTA:
        refuse(parser, "timed automata");
        break;
    case WORD_POPTA:
        refuse(parser, "partially observable timed automata");
        break;
    case WORD_POMDP:
    case WORD_OBSERVABLE:
    case WORD_OBSERVABLES:
        refuse(parser, "partially observable models");
        break;
    case WORD_CONST:
    case WORD_RATE:
    case WORD_PROB:
        VEC_PUSH(&parts->constants, prism_parse_constant(parser));
        break;
    case WORD_FORMULA:
        VEC_PUSH(&parts->formulas, prism_parse_formula(parser));
        break;
    case WORD_LABEL:
        VEC_PUSH(&parts->labels, prism_parse_label(parser));
        break;
    case WORD_GLOBAL:
        prism_advance(parser);
        VEC_PUSH(&parts->globals, prism_parse_declaration(parser));
        break;
    case WORD_MODULE:
        VEC_PUSH(&parts->modules, prism_parse_module(parser));
        break;
    case WORD_REWARDS:
        VEC_PUSH(&parts->rewards, parse_rewards(parser));
        break;
    case WORD_INIT:
        parse_initial(parser, model);
        break;
    case WORD_SYSTEM:
        if (model->process)
            syntax_error(&parser->syntax, parser->token->span, "the system was composed before, on line %u",
                         model->process->span.line);
        else
            model->process = prism_parse_process(parser);
        break;
    default:
        if (!refuse_named_type(parser))
            prism_unexpected(parser, "a declaration or a module");
    }
}

static void seal(struct prism_model *model, struct model_parts *parts, struct arena *arena)
{
    model->constant_count = (uint32_t)parts->constants.count;
    model->constants = VEC_SEAL(&parts->constants, arena);
    model->formula_count = (uint32_t)parts->formulas.count;
    model->formulas = VEC_SEAL(&parts->formulas, arena);
    model->label_count = (uint32_t)parts->labels.count;
    model->labels = VEC_SEAL(&parts->labels, arena);
    model->globals.count = (uint32_t)parts->globals.count;
    model->globals.items = VEC_SEAL(&parts->globals, arena);
    model->module_count = (uint32_t)parts->modules.count;
    model->modules = VEC_SEAL(&parts->modules, arena);
    model->reward_count = (uint32_t)parts->rewards.count;
    model->rewards = VEC_SEAL(&parts->rewards, arena);
}

/* A model without a type is an mdp, as in PRISM. */
struct prism_model *prism_parse_model(struct arena *arena, const struct prism_tokens *tokens,
                                      struct diagnostics *diagnostics)
{
    struct prism_parser parser = {.arena = arena,
                                  .syntax = {diagnostics, .most = PRISM_MAX_DEPTH},
                                  .token = tokens->items,
                                  .tokens = tokens->items};
    struct prism_model *model = ARENA_NEW(arena, struct prism_model);
    struct model_parts parts = {0};
    while (!prism_at(&parser, PRISM_EOF) && !diag_is_late(parser.syntax.diagnostics)) {
        const struct prism_token *before = parser.token;
        parse_item(&parser, model, &parts);
        if (parser.syntax.lost)
            prism_recover(&parser);
        if (parser.token == before)
            prism_advance(&parser);
    }
    seal(model, &parts, arena);
    return model;
}
