/* "// RESULT (N=3): 0.5": what PRISM's regression suite says about the result of a property. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lang/prism/resolve.h"
#include "lang/prism/symbols.h"

struct prism_piece {
    const char *chars;
    size_t length;
};

static struct prism_piece trim(struct prism_piece piece)
{
    while (piece.length && isspace((unsigned char)*piece.chars)) {
        piece.chars++;
        piece.length--;
    }
    while (piece.length && isspace((unsigned char)piece.chars[piece.length - 1]))
        piece.length--;
    return piece;
}

/* What follows a space is a remark. */
static struct prism_piece first_word(struct prism_piece piece)
{
    size_t length = 0;
    while (length < piece.length && !isspace((unsigned char)piece.chars[length]))
        length++;
    return (struct prism_piece){piece.chars, length};
}

/* What is before the character; the piece is left with what is after it. All of it when there is none. */
static struct prism_piece split(struct prism_piece *piece, char at)
{
    const char *end = memchr(piece->chars, at, piece->length);
    struct prism_piece before = {piece->chars, end ? (size_t)(end - piece->chars) : piece->length};
    size_t taken = before.length + (end != NULL);
    *piece = (struct prism_piece){piece->chars + taken, piece->length - taken};
    return before;
}

/* A constant expression; NULL when it is none. Nobody is told of mistakes in a comment. */
static const struct prism_value *evaluate(struct prism_reader *reader, struct prism_piece piece)
{
    struct diagnostics *diagnostics = reader->diagnostics, own = {0};
    struct source *source = source_from_text("RESULT", piece.chars, piece.length);
    struct prism_tokens tokens = {0};
    const struct prism_value *value = NULL;
    reader->diagnostics = &own;
    prism_lexer_read(source, reader->arena, &own, &tokens);
    struct prism_parser parser = {.arena = reader->arena,
                                  .syntax = {&own, .most = PRISM_MAX_DEPTH},
                                  .token = tokens.items,
                                  .tokens = tokens.items};
    struct prism_expr *expr = prism_parse_expr(&parser);
    if (!own.errors && prism_at(&parser, PRISM_EOF)) {
        expr = prism_resolve(reader, expr, NULL);
        value = own.errors || expr->kind != PRISM_EXPR_VALUE ? NULL : expr->value;
    }
    reader->diagnostics = diagnostics;
    prism_tokens_free(&tokens);
    diag_free(&own);
    source_free(source);
    return value;
}

/* "N=3": has the constant that value? */
static bool is_so(struct prism_reader *reader, struct prism_piece piece)
{
    struct prism_piece name = trim(split(&piece, '='));
    struct prism_symbol *symbol = prism_symbols_find(reader, arena_string_n(reader->arena, name.chars, name.length));
    const struct prism_value *wanted = evaluate(reader, trim(piece));
    if (!wanted || !symbol || symbol->kind != PRISM_SYMBOL_CONSTANT || !symbol->value)
        return false;
    if (wanted->type == PRISM_TYPE_BOOL || symbol->value->type == PRISM_TYPE_BOOL)
        return wanted->type == symbol->value->type && wanted->integer == symbol->value->integer;
    const struct prism_value *left = prism_value_widen(&reader->values, wanted);
    const struct prism_value *right = prism_value_widen(&reader->values, symbol->value);
    return !rational_compare(left->real, right->real);
}

static bool are_so(struct prism_reader *reader, struct prism_piece piece)
{
    while (piece.length)
        if (!is_so(reader, split(&piece, ',')))
            return false;
    return true;
}

static bool is_word(const char *text)
{
    return !strncmp(text, "Error", 5) || !strcmp(text, "NaN") || !strcmp(text, "Infinity") || *text == '[';
}

/* Literals stay as they are written; expressions become their value. */
static const char *settle(struct prism_reader *reader, struct prism_piece piece)
{
    struct rational *number = prism_values_new(&reader->values);
    const char *text = arena_string_n(reader->arena, piece.chars, piece.length);
    bool is_about = *text == '~';
    if (!strcmp(text, "?") || !*text)
        return NULL;
    if (!strcasecmp(text, "true") || !strcasecmp(text, "false"))
        return strcasecmp(text, "true") ? "false" : "true";
    if (is_word(text) || rational_parse(number, text + is_about))
        return text;
    const struct prism_value *value =
        evaluate(reader, (struct prism_piece){piece.chars + is_about, piece.length - is_about});
    size_t first = strcspn(text, " \t;");
    if (!value) /* "0.5 (=1/2)", "0 ; as ever": the first word, if it is a number */
        return first < piece.length ? settle(reader, (struct prism_piece){piece.chars, first}) : NULL;
    struct text digits = {0};
    prism_value_print(value, &digits);
    text = arena_format(reader->arena, "%s%s", is_about || value->is_rounded ? "~" : "", text_chars(&digits));
    text_free(&digits);
    return text;
}

const char *prism_expected(struct prism_reader *reader, const char *lines)
{
    struct prism_piece rest = {lines, strlen(lines)};
    while (rest.length) {
        struct prism_piece line = trim(split(&rest, '\n')), constants = {0};
        if (line.length && *line.chars == '(') {
            split(&line, '(');
            constants = split(&line, ')');
        }
        struct prism_piece before = split(&line, ':');
        if (!trim(before).length && are_so(reader, constants))
            return settle(reader, first_word(trim(line)));
    }
    return NULL;
}
