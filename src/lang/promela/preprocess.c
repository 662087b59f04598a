#include "lang/promela/preprocess.h"

#include <string.h>

#include "base/report.h"
#include "ir/language.h"
#include "lang/promela/macro.h"

enum { MOST_INCLUDED = 30, MOST_FILES = 1000 };

/* One #if: is its text taken, was one of its branches taken before? */
struct branch {
    struct span span;
    bool is_taken, was_taken, is_skipped; /* is_skipped: all of it, by the #if around it */
    bool has_else;
};

/* A file that is being read. */
struct reader {
    struct preprocessor *pp;
    const struct source *source;
    struct pml_tokens tokens;
    size_t at;
    uint32_t depth;
    struct {
        struct branch *items;
        size_t count, capacity;
    } branches;
};

static void read_file(struct preprocessor *pp, const struct source *source, uint32_t depth);

static bool is_taken(const struct reader *reader)
{
    return !reader->branches.count || VEC_LAST(&reader->branches).is_taken;
}

/* Behind the last token of the line that `at` stands on. */
static size_t line_end(const struct reader *reader, size_t at)
{
    do
        at++;
    while (at < reader->tokens.count && !reader->tokens.items[at].has_line);
    return at;
}

/* The name behind the directive; NULL after an error. */
static const struct pml_token *macro_name(struct reader *reader, size_t at, size_t end)
{
    const struct pml_token *token = &reader->tokens.items[at];
    if (at < end && (token->kind == PMT_NAME || pml_token_is_word(token)))
        return token;
    report_error(reader->pp->diagnostics, reader->tokens.items[at - 1].span, "expected the name of a macro");
    return NULL;
}

static size_t read_parameters(struct reader *reader, struct macro *macro, size_t at, size_t end)
{
    const struct pml_token *items = reader->tokens.items;
    macro->is_function = true;
    for (at++; at < end && items[at].kind != PMT_CLOSE; at++)
        if (items[at].kind == PMT_NAME)
            VEC_PUSH(&macro->parameters, items[at].text);
        else if (items[at].kind != PMT_COMMA) {
            report_error(reader->pp->diagnostics, items[at].span, "expected a parameter of the macro %s", macro->name);
            return end;
        }
    if (at == end)
        report_error(reader->pp->diagnostics, items[at - 1].span, "the parameters of the macro %s do not end",
                     macro->name);
    return at < end ? at + 1 : end;
}

static void read_define(struct reader *reader, size_t at, size_t end)
{
    const struct pml_token *name = macro_name(reader, at, end);
    if (!name)
        return;
    struct macro *given = macro_find(reader->pp, name->text);
    if (given && given->is_given) {
        given->is_used = true;
        return;
    }
    struct macro *macro = macro_define(reader->pp, name->text);
    at++;
    if (at < end && reader->tokens.items[at].kind == PMT_OPEN && !reader->tokens.items[at].has_blank)
        at = read_parameters(reader, macro, at, end);
    for (; at < end; at++)
        VEC_PUSH(&macro->body, reader->tokens.items[at]);
}

static void read_undef(struct reader *reader, size_t at, size_t end)
{
    const struct pml_token *name = macro_name(reader, at, end);
    struct macro *macro = name ? macro_find(reader->pp, name->text) : NULL;
    if (macro)
        macro->is_used = true;
    if (macro && !macro->is_given)
        macro->is_defined = false;
}

/* A source that lives as long as the arena. */
static struct source *keep_source(struct arena *arena, struct source *read)
{
    struct source *source = ARENA_NEW(arena, struct source);
    source->path = arena_string(arena, read->path);
    source->shown = arena_string(arena, read->shown);
    source->text = arena_string_n(arena, read->text, read->length);
    source->length = read->length;
    source_free(read);
    return source;
}

static const char *beside(const struct reader *reader, const char *name)
{
    const char *slash = strrchr(reader->source->path, '/');
    if (!slash || name[0] == '/')
        return name;
    return arena_format(reader->pp->arena, "%.*s/%s", (int)(slash - reader->source->path), reader->source->path, name);
}

static void read_include(struct reader *reader, size_t at, size_t end)
{
    struct preprocessor *pp = reader->pp;
    const struct pml_token *token = &reader->tokens.items[at];
    if (at >= end || token->kind != PMT_STRING) {
        report_error(pp->diagnostics, reader->tokens.items[at - 1].span, "expected #include \"file\"");
        return;
    }
    if (reader->depth >= MOST_INCLUDED || ++pp->files > MOST_FILES) {
        if (report_error(pp->diagnostics, token->span, "too many files are included"))
            diag_hint(pp->diagnostics, "does a file include itself?");
        pp->is_over = true;
        return;
    }
    const char *name = arena_string_n(pp->arena, token->text + 1, strlen(token->text) - 2), *reason = NULL;
    struct source *read = source_read(beside(reader, name), &reason);
    if (read)
        read_file(pp, keep_source(pp->arena, read), reader->depth + 1);
    else
        report_error(pp->diagnostics, token->span, "cannot read %s: %s", token->text, reason);
}

static bool is_defined(struct reader *reader, size_t at, size_t end)
{
    const struct pml_token *name = macro_name(reader, at, end);
    struct macro *macro = name ? macro_find(reader->pp, name->text) : NULL;
    if (macro)
        macro->is_used = true;
    return macro != NULL;
}

static bool asks(struct reader *reader, const char *word, size_t at, size_t end)
{
    const struct pml_token *items = reader->tokens.items;
    if (!strcmp(word, "ifdef"))
        return is_defined(reader, at, end);
    if (!strcmp(word, "ifndef"))
        return !is_defined(reader, at, end);
    return condition_holds(reader->pp, &items[at - 1], items + at, end - at);
}

static void open_branch(struct reader *reader, const char *word, size_t at, size_t end)
{
    struct branch branch = {.span = reader->tokens.items[at - 1].span, .is_skipped = !is_taken(reader)};
    if (!branch.is_skipped)
        branch.is_taken = branch.was_taken = asks(reader, word, at, end);
    VEC_PUSH(&reader->branches, branch);
}

static void turn_branch(struct reader *reader, const char *word, size_t at, size_t end)
{
    struct branch *branch = &VEC_LAST(&reader->branches);
    bool is_else = !strcmp(word, "else");
    if (branch->has_else)
        report_error(reader->pp->diagnostics, reader->tokens.items[at - 1].span, "#%s after #else", word);
    branch->has_else |= is_else;
    branch->is_taken = !branch->is_skipped && !branch->was_taken && (is_else || asks(reader, "if", at, end));
    branch->was_taken |= branch->is_taken;
}

/* Was it a directive of conditions? */
static bool read_condition(struct reader *reader, const char *word, size_t at, size_t end)
{
    if (!strcmp(word, "if") || !strcmp(word, "ifdef") || !strcmp(word, "ifndef")) {
        open_branch(reader, word, at, end);
        return true;
    }
    bool is_end = !strcmp(word, "endif");
    if (!is_end && strcmp(word, "else") != 0 && strcmp(word, "elif") != 0)
        return false;
    if (!reader->branches.count)
        report_error(reader->pp->diagnostics, reader->tokens.items[at - 1].span, "#%s without #if", word);
    else if (is_end)
        reader->branches.count--;
    else
        turn_branch(reader, word, at, end);
    return true;
}

static void refuse_directive(struct preprocessor *pp, const struct pml_token *word)
{
    static const char *const words[] = {"define", "undef",  "include", "error", "if",
                                        "ifdef",  "ifndef", "elif",    "else",  "endif"};
    const char *closest = diag_closest(word->text, words, sizeof words / sizeof *words);
    if (report_error(pp->diagnostics, word->span, "unknown directive \"#%s\"", word->text) && closest)
        diag_hint(pp->diagnostics, "did you mean \"#%s\"?", closest);
}

static void read_directive(struct reader *reader, size_t at, size_t end)
{
    const struct pml_token *items = reader->tokens.items;
    const char *word = at + 1 < end ? items[at + 1].text : "";
    if (read_condition(reader, word, at + 2, end) || !is_taken(reader) || !*word)
        return;
    if (!strcmp(word, "define"))
        read_define(reader, at + 2, end);
    else if (!strcmp(word, "undef"))
        read_undef(reader, at + 2, end);
    else if (!strcmp(word, "include"))
        read_include(reader, at + 2, end);
    else if (!strcmp(word, "error"))
        report_error(reader->pp->diagnostics, items[at + 1].span, "an #error of the model is reached");
    else if (strcmp(word, "pragma") != 0 && strcmp(word, "ident") != 0 && strcmp(word, "warning") != 0 &&
             strcmp(word, "line") != 0 && items[at + 1].kind != PMT_NUMBER)
        refuse_directive(reader->pp, &items[at + 1]);
}

static bool is_directive(const struct pml_token *token)
{
    return token->has_line && token->kind == PMT_HASH;
}

/* The tokens up to the next directive. */
static void read_text(struct reader *reader)
{
    size_t from = reader->at;
    while (reader->at < reader->tokens.count && !is_directive(&reader->tokens.items[reader->at]))
        reader->at++;
    if (is_taken(reader))
        macro_expand(reader->pp, reader->tokens.items + from, reader->at - from, reader->pp->out);
}

static void read_file(struct preprocessor *pp, const struct source *source, uint32_t depth)
{
    struct reader reader = {.pp = pp, .source = source, .depth = depth};
    pml_lexer_read(source, pp->arena, pp->diagnostics, &reader.tokens);
    while (reader.at < reader.tokens.count && !pp->is_over && !diag_is_late(pp->diagnostics))
        if (is_directive(&reader.tokens.items[reader.at])) {
            size_t at = reader.at;
            reader.at = line_end(&reader, at);
            read_directive(&reader, at, reader.at);
        } else
            read_text(&reader);
    if (reader.branches.count && !pp->is_over)
        report_error(pp->diagnostics, VEC_LAST(&reader.branches).span, "the #if has no #endif");
    if (!depth)
        VEC_PUSH(pp->out, pml_token_end(source, &reader.tokens));
    VEC_FREE(&reader.tokens);
    VEC_FREE(&reader.branches);
}

static void give(struct preprocessor *pp, const struct define *define)
{
    struct macro *macro = macro_define(pp, define->name);
    struct source *source = ARENA_NEW(pp->arena, struct source);
    *source = (struct source){"-D", "-D", define->value, strlen(define->value)};
    pml_lexer_read(source, pp->arena, pp->diagnostics, &macro->body);
    macro->is_given = true;
}

static void check_given(struct preprocessor *pp, const struct source *source)
{
    for (size_t i = 0; i < pp->macros.count && !pp->is_over; i++)
        if (pp->macros.items[i]->is_given && !pp->macros.items[i]->is_used)
            report_error(pp->diagnostics, (struct span){.source = source}, "the model does not use \"%s\" of -D",
                         pp->macros.items[i]->name);
}

static void refuse_bad(struct preprocessor *pp)
{
    for (size_t i = 0; i < pp->out->count; i++)
        if (pp->out->items[i].kind == PMT_BAD)
            pml_token_refuse(&pp->out->items[i], pp->diagnostics);
}

void pml_preprocess(const struct source *source, const struct reading *reading, struct arena *arena,
                    struct diagnostics *diagnostics, struct pml_tokens *tokens, struct pml_tokens *asked)
{
    struct preprocessor pp = {.arena = arena, .diagnostics = diagnostics, .out = tokens};
    for (size_t i = 0; i < reading->define_count; i++)
        give(&pp, &reading->defines[i]);
    read_file(&pp, source, 0);
    check_given(&pp, source);
    refuse_bad(&pp);
    pp.out = asked;
    if (reading->question)
        read_file(&pp, reading->question->text, 0);
    refuse_bad(&pp);
    macro_free_all(&pp);
}
