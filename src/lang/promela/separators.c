#include "lang/promela/separators.h"

struct separator {
    struct pml_tokens *out;
    bool is_in_body;
    uint32_t parentheses, braces;
    enum pml_token_kind last;
};

static bool ends_statement(enum pml_token_kind kind)
{
    switch (kind) {
    case PMT_CLOSE_BRACE:
    case PMT_CLOSE:
    case PMT_CLOSE_BRACKET:
    case PMT_OD:
    case PMT_FI:
    case PMT_ELSE:
    case PMT_BREAK:
    case PMT_NAME:
    case PMT_NUMBER:
    case PMT_CHARACTER:
    case PMT_TRUE:
    case PMT_FALSE:
    case PMT_SKIP:
    case PMT_INCREMENT:
    case PMT_DECREMENT:
        return true;
    default:
        return false;
    }
}

static bool may_follow_brace(enum pml_token_kind kind)
{
    switch (kind) {
    case PMT_PROCTYPE:
    case PMT_INIT:
    case PMT_NEVER:
    case PMT_SEPARATOR:
    case PMT_FI:
    case PMT_OD:
    case PMT_CLOSE_BRACE:
    case PMT_UNLESS:
    case PMT_SEMI:
    case PMT_ARROW:
    case PMT_EOF:
        return true;
    default:
        return false;
    }
}

static bool is_separator(enum pml_token_kind kind)
{
    return kind == PMT_SEMI || kind == PMT_ARROW;
}

static void insert(struct separator *separator)
{
    struct pml_token semicolon = VEC_LAST(separator->out);
    semicolon.kind = PMT_SEMI;
    semicolon.text = "the end of the line";
    VEC_PUSH(separator->out, semicolon);
    separator->last = PMT_SEMI;
}

static bool needs_separator(const struct separator *separator, const struct pml_token *token)
{
    enum pml_token_kind last = separator->last;
    bool is_unless = last == PMT_CLOSE_BRACE && token->text[0] == 'u';
    if (token->has_line && separator->is_in_body && !separator->parentheses && ends_statement(last) && !is_unless)
        return true;
    if (last == PMT_ELSE && !is_separator(token->kind) && token->kind != PMT_FI)
        return true;
    return last == PMT_CLOSE_BRACE && !may_follow_brace(token->kind);
}

static void put(struct separator *separator, const struct pml_token *token)
{
    struct pml_tokens *out = separator->out;
    if (needs_separator(separator, token))
        insert(separator);
    if ((is_separator(token->kind) || token->kind == PMT_CLOSE_BRACE) && is_separator(separator->last))
        out->count--;
    separator->parentheses += token->kind == PMT_OPEN;
    separator->parentheses -= token->kind == PMT_CLOSE && separator->parentheses;
    VEC_PUSH(out, *token);
    separator->last = token->kind;
}

void pml_separate_body(const struct pml_tokens *tokens, struct pml_tokens *out)
{
    struct separator separator = {.out = out, .is_in_body = true, .last = PMT_SEMI};
    for (size_t i = 0; i < tokens->count; i++) {
        if (!i)
            separator.last = PMT_EOF;
        put(&separator, &tokens->items[i]);
    }
}

static bool opens_body(enum pml_token_kind kind)
{
    return kind == PMT_PROCTYPE || kind == PMT_D_PROCTYPE || kind == PMT_INIT || kind == PMT_NEVER ||
           kind == PMT_TRACE || kind == PMT_NOTRACE || kind == PMT_TYPEDEF;
}

/* Copies up to the brace that closes the first one that opens, and says where that is. */
static size_t put_raw(struct separator *separator, const struct pml_tokens *tokens, size_t at)
{
    uint32_t depth = 0;
    put(separator, &tokens->items[at++]);
    for (; at < tokens->count && tokens->items[at].kind != PMT_EOF; at++) {
        const struct pml_token *token = &tokens->items[at];
        VEC_PUSH(separator->out, *token);
        depth += token->kind == PMT_OPEN_BRACE;
        if (token->kind == PMT_CLOSE_BRACE && depth <= 1) {
            separator->last = PMT_CLOSE_BRACE;
            return at;
        }
        depth -= token->kind == PMT_CLOSE_BRACE;
    }
    return at - 1;
}

void pml_separate_model(const struct pml_tokens *tokens, struct pml_tokens *out)
{
    struct separator separator = {.out = out, .last = PMT_EOF};
    bool will_be_body = false;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct pml_token *token = &tokens->items[i];
        if (!separator.braces && (token->kind == PMT_INLINE || token->kind == PMT_LTL)) {
            i = put_raw(&separator, tokens, i);
            continue;
        }
        put(&separator, token);
        if (!separator.braces && opens_body(token->kind))
            will_be_body = true;
        separator.braces += token->kind == PMT_OPEN_BRACE;
        separator.braces -= token->kind == PMT_CLOSE_BRACE && separator.braces;
        if (token->kind == PMT_OPEN_BRACE && separator.braces == 1 && will_be_body)
            separator.is_in_body = true;
        if (!separator.braces && token->kind == PMT_CLOSE_BRACE)
            separator.is_in_body = will_be_body = false;
    }
}
