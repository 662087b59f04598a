#include "lang/prism/format.h"

#include "base/report.h"
#include "lang/prism/parse.h"

/* Whether there is a blank between two tokens is left to the author, but for commas, semicolons and arrows: PRISM
 * models have no common habit. */

struct prism_nesting {
    VEC(enum prism_token_kind) openers;
    bool begins; /* a command or declaration begins with the next token */
    bool asks;   /* properties: they end without a mark, so that nothing is known to go on */
};

static bool is_opener(enum prism_token_kind kind)
{
    return kind == PRISM_OPEN_PAREN || kind == PRISM_OPEN_BRACKET || kind == PRISM_OPEN_BRACE;
}

static bool is_closer(enum prism_token_kind kind)
{
    switch (kind) {
    case PRISM_CLOSE_PAREN:
    case PRISM_CLOSE_BRACKET:
    case PRISM_CLOSE_BRACE:
    case WORD_ENDMODULE:
    case WORD_ENDREWARDS:
    case WORD_ENDINIT:
    case WORD_ENDSYSTEM:
        return true;
    default:
        return false;
    }
}

/* "init" also stands in declarations. */
static bool opens_part(const struct prism_nesting *nesting, enum prism_token_kind kind)
{
    return kind == WORD_MODULE || kind == WORD_REWARDS ||
           ((kind == WORD_INIT || kind == WORD_SYSTEM) && nesting->begins);
}

static bool begins_declaration(enum prism_token_kind kind)
{
    switch (kind) {
    case WORD_CONST:
    case WORD_FORMULA:
    case WORD_LABEL:
    case WORD_GLOBAL:
    case WORD_MODULE:
    case WORD_REWARDS:
        return true;
    default:
        return false;
    }
}

/* Is what is open a list of commands, declarations or rewards? */
static bool in_list(const struct prism_nesting *nesting)
{
    enum prism_token_kind opener = nesting->openers.count ? VEC_LAST(&nesting->openers) : PRISM_EOF;
    return opener == WORD_MODULE || opener == WORD_REWARDS || (opener == PRISM_EOF && !nesting->asks);
}

static bool begins_behind(const struct prism_token *token, bool is_first)
{
    enum prism_token_kind before = is_first ? PRISM_EOF : token[-1].kind;
    switch (token->kind) {
    case PRISM_SEMICOLON:
    case WORD_DTMC:
    case WORD_CTMC:
    case WORD_MDP:
    case WORD_PROBABILISTIC:
    case WORD_STOCHASTIC:
    case WORD_NONDETERMINISTIC:
        return true;
    case PRISM_NAME:
        return before == WORD_MODULE;
    case PRISM_QUOTED:
        return before == WORD_REWARDS;
    case WORD_REWARDS:
        return token[1].kind != PRISM_QUOTED;
    default:
        return token->kind == WORD_ENDMODULE || token->kind == WORD_ENDREWARDS || token->kind == WORD_ENDINIT ||
               token->kind == WORD_ENDSYSTEM;
    }
}

static void nest(struct prism_nesting *nesting, const struct prism_token *token, bool is_first,
                 struct format_token *made)
{
    made->hangs = in_list(nesting) && !nesting->begins && !begins_declaration(token->kind);
    if (is_closer(token->kind) && nesting->openers.count) {
        made->closes = true;
        made->hangs = false;
        (void)VEC_POP(&nesting->openers);
    } else if (is_opener(token->kind) || opens_part(nesting, token->kind)) {
        made->opens = true;
        VEC_PUSH(&nesting->openers, token->kind);
    }
    nesting->begins = begins_behind(token, is_first);
}

static bool is_glued(const struct prism_token *token, bool is_first)
{
    if (is_first)
        return true;
    enum prism_token_kind before = token[-1].kind;
    if (token->kind == PRISM_SEMICOLON || token->kind == PRISM_COMMA)
        return true;
    if (before == PRISM_SEMICOLON || before == PRISM_COMMA || before == PRISM_ARROW || token->kind == PRISM_ARROW)
        return false;
    return format_touches(token[-1].span, token->span);
}

bool prism_format(const struct source *source, bool asks, struct format_tokens *out, struct diagnostics *diagnostics)
{
    struct arena *arena = arena_create();
    struct prism_tokens tokens = {0};
    struct diagnostics lexical = {0};
    prism_lexer_read(source, arena, &lexical, &tokens);
    if (asks)
        prism_parse_properties(arena, &tokens, diagnostics, ARENA_NEW(arena, struct prism_properties));
    else
        prism_parse_model(arena, &tokens, diagnostics);
    report_lexical(diagnostics, &lexical);
    struct prism_nesting nesting = {.begins = true, .asks = asks};
    for (size_t i = 0; i + 1 < tokens.count && !diagnostics->errors; i++) {
        struct format_token made = {.span = tokens.items[i].span, .is_glued = is_glued(&tokens.items[i], !i)};
        nest(&nesting, &tokens.items[i], !i, &made);
        VEC_PUSH(out, made);
    }
    out->line_comment = "//";
    VEC_FREE(&nesting.openers);
    prism_tokens_free(&tokens);
    arena_destroy(arena);
    return !diagnostics->errors;
}
