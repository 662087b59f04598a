#include "lang/promela/macro.h"

#include <string.h>

#include "base/report.h"
#include "lang/promela/preprocess.h"

enum { MOST_NESTED = 200 };

/* Tokens that are still to be looked at; the results of a macro are looked at again, the macro itself not expanded. */
struct pml_frame {
    struct pml_tokens tokens;
    const struct pml_token *items;
    size_t at, count;
    struct macro *macro;
};

struct pml_frames {
    struct pml_frame *items;
    size_t count, capacity;
};

/* A use of a macro in the text: what its results point to. */
struct pml_use {
    struct pml_token name;
    uint32_t to;
};

struct macro *macro_find(const struct preprocessor *pp, const char *name)
{
    for (size_t i = 0; i < pp->macros.count; i++)
        if (pp->macros.items[i]->is_defined && !strcmp(pp->macros.items[i]->name, name))
            return pp->macros.items[i];
    return NULL;
}

struct macro *macro_define(struct preprocessor *pp, const char *name)
{
    struct macro *macro = macro_find(pp, name);
    if (!macro) {
        macro = ARENA_NEW(pp->arena, struct macro);
        VEC_PUSH(&pp->macros, macro);
    }
    VEC_CLEAR(&macro->parameters);
    VEC_CLEAR(&macro->body);
    macro->name = name;
    macro->is_defined = true;
    macro->is_function = false;
    return macro;
}

void macro_free_all(struct preprocessor *pp)
{
    for (size_t i = 0; i < pp->macros.count; i++) {
        VEC_FREE(&pp->macros.items[i]->parameters);
        VEC_FREE(&pp->macros.items[i]->body);
    }
    VEC_FREE(&pp->macros);
}

static bool is_too_much(struct preprocessor *pp, struct span span)
{
    if (pp->is_over || diag_is_late(pp->diagnostics))
        return pp->is_over = true;
    if (++pp->work <= PML_MAX_TOKENS)
        return false;
    report_error(pp->diagnostics, span, "the macros expand to more than %d tokens", PML_MAX_TOKENS);
    return pp->is_over = true;
}

static void pop_frame(struct pml_frames *frames)
{
    struct pml_frame *frame = &VEC_LAST(frames);
    if (frame->macro)
        frame->macro->is_busy = false;
    VEC_FREE(&frame->tokens);
    frames->count--;
}

/* The next token, or NULL at the end. */
static const struct pml_token *next_token(struct pml_frames *frames)
{
    while (frames->count && VEC_LAST(frames).at == VEC_LAST(frames).count)
        pop_frame(frames);
    return frames->count ? &VEC_LAST(frames).items[VEC_LAST(frames).at] : NULL;
}

/* ( a, b ): the arguments as they are written; false: the parenthesis is not closed. */
static bool take_arguments(struct preprocessor *pp, struct pml_frames *frames, struct pml_token_lists *list,
                           uint32_t *to)
{
    uint32_t depth = 0;
    VEC_PUSH(list, (struct pml_tokens){0});
    for (const struct pml_token *found; (found = next_token(frames));) {
        struct pml_token token = *found;
        VEC_LAST(frames).at++;
        if (is_too_much(pp, token.span))
            return false;
        *to = token.to;
        depth += token.kind == PMT_OPEN;
        depth -= token.kind == PMT_CLOSE;
        if (!depth)
            return true;
        if (depth == 1 && token.kind == PMT_OPEN)
            continue;
        if (depth == 1 && token.kind == PMT_COMMA)
            VEC_PUSH(list, (struct pml_tokens){0});
        else
            VEC_PUSH(&VEC_LAST(list), token);
    }
    return false;
}

static size_t find_parameter(const struct macro *macro, const struct pml_token *token)
{
    for (size_t i = 0; i < macro->parameters.count; i++)
        if (!strcmp(macro->parameters.items[i], token->text))
            return i;
    return SIZE_MAX;
}

/* Results are shown as the use of the macro; what comes from the arguments is reported where it stands. */
static struct pml_token marked(const struct pml_use *use, struct pml_token token, bool is_argument)
{
    if (!is_argument || token.span.source != use->name.span.source)
        token.span = use->name.span;
    token.from = use->name.from;
    token.to = use->to;
    token.use = use->name.use;
    token.has_line = false;
    return token;
}

/* Several tokens as the text of a string. */
static struct pml_token as_string(struct preprocessor *pp, const struct pml_tokens *tokens, struct pml_token model)
{
    struct text text = {0};
    text_char(&text, '"');
    for (size_t i = 0; i < tokens->count; i++) {
        if (i && tokens->items[i].has_blank)
            text_char(&text, ' ');
        for (const char *c = tokens->items[i].text; *c; c++) {
            if (*c == '"' || (*c == '\\' && tokens->items[i].kind == PMT_STRING))
                text_char(&text, '\\');
            text_char(&text, *c);
        }
    }
    text_char(&text, '"');
    model.kind = PMT_STRING;
    model.text = arena_string(pp->arena, text_chars(&text));
    text_free(&text);
    return model;
}

/* a ## b: one token where the two make one. */
static void paste(struct preprocessor *pp, struct pml_tokens *out, const struct pml_token *right)
{
    struct pml_token *left = &VEC_LAST(out);
    char *text = arena_format(pp->arena, "%s%s", left->text, right->text);
    struct source source = {"", "", text, strlen(text)};
    struct pml_tokens made = {0};
    pml_lexer_read(&source, pp->arena, pp->diagnostics, &made);
    if (made.count == 1) {
        left->kind = made.items[0].kind;
        left->text = made.items[0].text;
    } else
        VEC_PUSH(out, *right);
    VEC_FREE(&made);
}

static bool is_beside_paste(const struct macro *macro, size_t i)
{
    return (i && macro->body.items[i - 1].kind == PMT_PASTE) ||
           (i + 1 < macro->body.count && macro->body.items[i + 1].kind == PMT_PASTE);
}

/* One token of the body, `should_paste` to what stands there. */
static void substitute_one(struct preprocessor *pp, const struct pml_use *use, const struct pml_tokens *argument,
                           struct pml_token token, bool should_paste, struct pml_tokens *out)
{
    const struct pml_token *items = argument ? argument->items : &token;
    size_t count = argument ? argument->count : 1;
    for (size_t i = 0; i < count; i++) {
        struct pml_token result = marked(use, items[i], argument != NULL);
        if (!i)
            result.has_blank = token.has_blank;
        if (!i && should_paste && out->count)
            paste(pp, out, &result);
        else
            VEC_PUSH(out, result);
    }
}

static void substitute(struct preprocessor *pp, const struct macro *macro, const struct pml_use *use,
                       const struct pml_token_lists *written, const struct pml_token_lists *expanded,
                       struct pml_tokens *out)
{
    bool should_paste = false;
    for (size_t i = 0; i < macro->body.count && !is_too_much(pp, use->name.span); i++) {
        struct pml_token token = macro->body.items[i];
        if (token.kind == PMT_PASTE && i && i + 1 < macro->body.count) {
            should_paste = true;
            continue;
        }
        if (token.kind == PMT_HASH && macro->is_function && i + 1 < macro->body.count &&
            find_parameter(macro, &macro->body.items[i + 1]) != SIZE_MAX) {
            size_t parameter = find_parameter(macro, &macro->body.items[++i]);
            struct pml_token string = as_string(pp, &written->items[parameter], token);
            substitute_one(pp, use, NULL, string, should_paste, out);
        } else {
            size_t parameter = macro->is_function ? find_parameter(macro, &token) : SIZE_MAX;
            const struct pml_token_lists *list = is_beside_paste(macro, i) ? written : expanded;
            substitute_one(pp, use, parameter == SIZE_MAX ? NULL : &list->items[parameter], token, should_paste, out);
        }
        should_paste = false;
    }
}

static void expand_arguments(struct preprocessor *pp, const struct pml_token_lists *written,
                             struct pml_token_lists *list)
{
    for (size_t i = 0; i < written->count; i++) {
        struct pml_tokens expanded = {0};
        macro_expand(pp, written->items[i].items, written->items[i].count, &expanded);
        VEC_PUSH(list, expanded);
    }
}

static bool check_arguments(struct preprocessor *pp, const struct macro *macro, const struct pml_use *use,
                            const struct pml_token_lists *list)
{
    bool is_empty = list->count == 1 && !list->items[0].count;
    size_t count = is_empty && !macro->parameters.count ? 0 : list->count;
    if (count == macro->parameters.count)
        return true;
    report_error(pp->diagnostics, use->name.span, "the macro %s has %zu parameter%s, and is given %zu", macro->name,
                 macro->parameters.count, macro->parameters.count == 1 ? "" : "s", count);
    return false;
}

static void push_results(struct preprocessor *pp, struct pml_frames *frames, struct macro *macro,
                         const struct pml_use *use, const struct pml_token_lists *written)
{
    struct pml_token_lists expanded = {0};
    expand_arguments(pp, written, &expanded);
    struct pml_frame frame = {.macro = macro};
    substitute(pp, macro, use, written, &expanded, &frame.tokens);
    pml_token_lists_free(&expanded);
    frame.items = frame.tokens.items;
    frame.count = frame.tokens.count;
    if (frame.count) {
        frame.tokens.items[0].has_blank = use->name.has_blank;
        frame.tokens.items[0].has_line = use->name.has_line;
    }
    macro->is_busy = true;
    VEC_PUSH(frames, frame);
}

/* Is the name, which was taken, a use of the macro? Then its results are pushed. */
static bool expand_use(struct preprocessor *pp, struct pml_frames *frames, struct macro *macro, struct pml_token name)
{
    struct pml_use use = {name, name.to};
    struct pml_token_lists written = {0};
    macro->is_used = true;
    if (macro->is_function) {
        const struct pml_token *next = next_token(frames);
        if (!next || next->kind != PMT_OPEN)
            return false;
        if (!take_arguments(pp, frames, &written, &use.to)) {
            report_error(pp->diagnostics, name.span, "the arguments of the macro %s do not end", macro->name);
            pp->is_over = true;
        } else if (!check_arguments(pp, macro, &use, &written))
            pp->is_over = true;
    }
    if (!use.name.use)
        use.name.use = ++pp->uses;
    if (!pp->is_over)
        push_results(pp, frames, macro, &use, &written);
    pml_token_lists_free(&written);
    return true;
}

static bool expand_one(struct preprocessor *pp, struct pml_frames *frames, struct pml_token *token)
{
    bool is_name = token->kind == PMT_NAME || pml_token_is_word(token);
    struct macro *macro = is_name && !token->is_painted ? macro_find(pp, token->text) : NULL;
    if (!macro)
        return false;
    if (!macro->is_busy)
        return expand_use(pp, frames, macro, *token);
    token->is_painted = true;
    return false;
}

void macro_expand(struct preprocessor *pp, const struct pml_token *items, size_t count, struct pml_tokens *out)
{
    struct pml_frames frames = {0};
    bool has_line = false, has_blank = false; /* of uses that left nothing */
    if (++pp->depth > MOST_NESTED && count && !pp->is_over) {
        report_error(pp->diagnostics, items[0].span, "macros are nested more than %d deep", MOST_NESTED);
        pp->is_over = true;
    }
    VEC_PUSH(&frames, ((struct pml_frame){.items = items, .count = count}));
    for (const struct pml_token *found; (found = next_token(&frames)) && !is_too_much(pp, found->span);) {
        struct pml_token token = *found;
        VEC_LAST(&frames).at++;
        has_line |= token.has_line;
        has_blank |= token.has_blank;
        if (expand_one(pp, &frames, &token))
            continue;
        token.has_line |= has_line;
        token.has_blank |= has_blank;
        has_line = has_blank = false;
        VEC_PUSH(out, token);
    }
    while (frames.count)
        pop_frame(&frames);
    VEC_FREE(&frames);
    pp->depth--;
}
