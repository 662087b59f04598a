#include "lang/promela/format.h"

#include "base/report.h"
#include "ir/language.h"
#include "lang/promela/parse.h"

/* The tokens before the preprocessor: directives are lines of their own and stay as they are. Whether there is a blank
 * between two tokens is left to the author, but for commas, semicolons, arrows and "::". */

enum pml_part { PML_PART_STEPS, PML_PART_VALUE };

struct pml_nesting {
    VEC(enum pml_part) parts;
    bool begins; /* a step or declaration begins with the next token */
};

static bool is_opener(enum pml_token_kind kind)
{
    return kind == PMT_OPEN || kind == PMT_OPEN_BRACKET || kind == PMT_OPEN_BRACE || kind == PMT_IF || kind == PMT_DO;
}

static bool is_closer(enum pml_token_kind kind)
{
    return kind == PMT_CLOSE || kind == PMT_CLOSE_BRACKET || kind == PMT_CLOSE_BRACE || kind == PMT_FI ||
           kind == PMT_OD;
}

/* Braces around values: mtype = { a, b }, of { byte, bit }. */
static enum pml_part part_of(const struct pml_token *token, bool is_first)
{
    enum pml_token_kind before = is_first ? PMT_EOF : token[-1].kind;
    bool is_block = token->kind == PMT_OPEN_BRACE && before != PMT_BECOMES && before != PMT_OF && before != PMT_MTYPE;
    return is_block || token->kind == PMT_IF || token->kind == PMT_DO ? PML_PART_STEPS : PML_PART_VALUE;
}

static bool begins_behind(const struct pml_nesting *nesting, const struct pml_token *token, bool was_label)
{
    bool in_value = nesting->parts.count && VEC_LAST(&nesting->parts) == PML_PART_VALUE;
    switch (token->kind) {
    case PMT_SEMI:
    case PMT_ARROW:
    case PMT_SEPARATOR:
    case PMT_CLOSE_BRACE:
    case PMT_FI:
    case PMT_OD:
    case PMT_ELSE:
        return !in_value;
    case PMT_OPEN_BRACE:
    case PMT_IF:
    case PMT_DO:
        return true;
    default:
        return was_label;
    }
}

static void nest(struct pml_nesting *nesting, const struct pml_token *tokens, size_t at, size_t count,
                 struct format_token *made)
{
    const struct pml_token *token = &tokens[at];
    bool in_value = nesting->parts.count && VEC_LAST(&nesting->parts) == PML_PART_VALUE;
    bool is_label = nesting->begins && token->kind == PMT_NAME && at + 1 < count && token[1].kind == PMT_COLON;
    bool was_label = token->kind == PMT_COLON && at && token[-1].kind == PMT_NAME && !in_value &&
                     (at < 2 || token[-2].kind != PMT_COLON);
    made->turns = !in_value && (token->kind == PMT_SEPARATOR || is_label);
    made->hangs = !nesting->begins && !in_value && !made->turns && token->kind != PMT_OPEN_BRACE;
    if (is_closer(token->kind) && nesting->parts.count) {
        made->closes = true;
        made->turns = made->hangs = false;
        (void)VEC_POP(&nesting->parts);
    } else if (is_opener(token->kind)) {
        made->opens = true;
        VEC_PUSH(&nesting->parts, part_of(token, !at));
    }
    nesting->begins = begins_behind(nesting, token, was_label);
}

static bool is_glued(const struct pml_token *tokens, size_t at)
{
    if (!at)
        return true;
    enum pml_token_kind kind = tokens[at].kind, before = tokens[at - 1].kind;
    if (kind == PMT_SEMI || kind == PMT_COMMA)
        return before != PMT_SEMI || format_touches(tokens[at - 1].span, tokens[at].span);
    if (before == PMT_SEMI || before == PMT_COMMA || before == PMT_ARROW || kind == PMT_ARROW ||
        before == PMT_SEPARATOR)
        return false;
    return format_touches(tokens[at - 1].span, tokens[at].span);
}

/* The directive that begins there, as one token; returns the one behind it. */
static size_t add_directive(const struct pml_tokens *tokens, size_t at, struct format_tokens *out)
{
    struct format_token made = {.span = tokens->items[at].span, .is_raw = true};
    size_t last = at;
    while (last + 1 < tokens->count && !tokens->items[last + 1].has_line)
        last++;
    made.span.length = tokens->items[last].to - tokens->items[at].from;
    VEC_PUSH(out, made);
    return last + 1;
}

static void add_tokens(const struct pml_tokens *tokens, struct format_tokens *out)
{
    struct pml_nesting nesting = {.begins = true};
    for (size_t i = 0; i < tokens->count;) {
        if (tokens->items[i].kind == PMT_HASH && tokens->items[i].has_line) {
            i = add_directive(tokens, i, out);
            continue;
        }
        struct format_token made = {.span = tokens->items[i].span, .is_glued = is_glued(tokens->items, i)};
        nest(&nesting, tokens->items, i, tokens->count, &made);
        VEC_PUSH(out, made);
        i++;
    }
    VEC_FREE(&nesting.parts);
}

bool promela_format(const struct source *source, bool asks, struct format_tokens *out, struct diagnostics *diagnostics)
{
    struct arena *arena = arena_create();
    struct reading reading = {0};
    struct pml_tokens tokens = {0};
    if (asks)
        diag_error(diagnostics, (struct span){.source = source}, "there is no layout for properties of Promela models");
    struct pml_model *model = asks ? NULL : pml_parse(source, &reading, arena, diagnostics);
    if (model)
        pml_model_free(model);
    pml_lexer_read(source, arena, diagnostics, &tokens);
    if (!diagnostics->errors)
        add_tokens(&tokens, out);
    out->indent = "\t"; /* as SPIN's own models have it */
    out->line_comment = "//";
    out->has_blocks = true;
    VEC_FREE(&tokens);
    arena_destroy(arena);
    return !diagnostics->errors;
}
