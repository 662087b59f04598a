#include "lang/boolean/lexer.h"

#include <string.h>

#include "base/report.h"
#include "base/scan.h"

static const struct scan_spelling operators[] = {
    {":=", BP_BECOMES},     {"=>", BP_IMPLIES},      {"!=", BP_DIFFERS}, {"==", BP_EQUALS}, {"&&", BP_AND},
    {"||", BP_OR},          {"=", BP_EQUALS},        {"!", BP_NOT},      {"~", BP_NOT},     {"&", BP_AND},
    {"|", BP_OR},           {"^", BP_XOR},           {"*", BP_STAR},     {"'", BP_TICK},    {"?", BP_QUESTION},
    {":", BP_COLON},        {";", BP_SEMICOLON},     {",", BP_COMMA},    {"(", BP_OPEN},    {")", BP_CLOSE},
    {"[", BP_OPEN_BRACKET}, {"]", BP_CLOSE_BRACKET}, {"<", BP_LESS},     {">", BP_GREATER},
};

static const char *const words[] = {
    "abortif",    "assert",       "assume", "atomic_begin", "atomic_end",   "begin", "bool",   "broadcast",
    "constrain",  "dead",         "decl",   "dfs",          "do",           "else",  "elsif",  "end",
    "end_thread", "enforce",      "fi",     "goto",         "if",           "od",    "return", "schoose",
    "skip",       "start_thread", "sync",   "then",         "thread_local", "void",  "wait",   "while",
};

enum { OPERATOR_COUNT = sizeof operators / sizeof *operators, WORD_COUNT = sizeof words / sizeof *words };
_Static_assert((int)WORD_COUNT == BP_WHILE - BP_FIRST_WORD + 1, "the words and their kinds are in the same order");

const char *bp_token_spelling(enum bp_token_kind kind)
{
    if (kind >= BP_FIRST_WORD)
        return words[kind - BP_FIRST_WORD];
    const char *text = scan_spelling_of(operators, OPERATOR_COUNT, (int)kind);
    return text ? text : kind == BP_IDENTIFIER ? "a name" : "a number";
}

const char *bp_token_describe(const struct bp_token *token, struct arena *arena)
{
    return token->kind == BP_EOF ? "the end of the file" : arena_format(arena, "\"%s\"", token->text);
}

static void add_token(struct scanner *scanner, struct arena *names, enum bp_token_kind kind, size_t length,
                      struct bp_tokens *tokens)
{
    struct bp_token token = {.kind = kind,
                             .span = scan_span(scanner, length),
                             .text = arena_string_n(names, scanner->source->text + scanner->at, length),
                             .from = scanner->at,
                             .to = scanner->at + length};
    VEC_PUSH(tokens, token);
    scanner->at += length;
}

static bool is_name_start(char c)
{
    return scan_is_letter(c) || c == '$';
}

static bool is_name_part(char c)
{
    return is_name_start(c) || scan_is_digit(c) || c == '#';
}

static void read_name(struct scanner *scanner, struct arena *names, struct bp_tokens *tokens)
{
    size_t length = 1;
    while (is_name_part(scan_peek(scanner, length)) ||
           (scan_peek(scanner, length) == '-' && is_name_part(scan_peek(scanner, length + 1))))
        length++;
    add_token(scanner, names, BP_IDENTIFIER, length, tokens);
    struct bp_token *token = &VEC_LAST(tokens);
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (!strcmp(token->text, words[i]))
            token->kind = BP_FIRST_WORD + i;
}

static void read_number(struct scanner *scanner, struct arena *names, struct bp_tokens *tokens)
{
    size_t length = 1;
    while (scan_is_digit(scan_peek(scanner, length)))
        length++;
    add_token(scanner, names, BP_NUMBER, length, tokens);
}

static void skip_long_comment(struct scanner *scanner, struct diagnostics *diagnostics)
{
    struct span span = scan_span(scanner, 2);
    scanner->at += 2;
    while (!scan_is_over(scanner) && !scan_starts_with(scanner, "*/"))
        if (!scan_skip_blank(scanner))
            scanner->at++;
    if (scan_is_over(scanner))
        report_error(diagnostics, span, "the comment does not end");
    else
        scanner->at += 2;
}

static bool skip_comment(struct scanner *scanner, struct diagnostics *diagnostics)
{
    if (scan_starts_with(scanner, "//"))
        scanner->at += scan_line_rest(scanner);
    else if (scan_starts_with(scanner, "/*"))
        skip_long_comment(scanner, diagnostics);
    else
        return false;
    return true;
}

static void read_one(struct scanner *scanner, struct arena *names, struct diagnostics *diagnostics,
                     struct bp_tokens *tokens)
{
    const struct scan_spelling *operator= scan_find(scanner, operators, OPERATOR_COUNT);
    if (is_name_start(scan_peek(scanner, 0)))
        read_name(scanner, names, tokens);
    else if (scan_is_digit(scan_peek(scanner, 0)))
        read_number(scanner, names, tokens);
    else if (operator)
        add_token(scanner, names, operator->kind, strlen(operator->text), tokens);
    else
        scan_refuse(scanner, diagnostics);
}

void bp_lexer_read(const struct source *source, struct arena *names, struct diagnostics *diagnostics,
                   struct bp_tokens *tokens)
{
    struct scanner scanner = scan_begin(source);
    while (!scan_is_over(&scanner) && !diag_is_late(diagnostics))
        if (!scan_skip_blank(&scanner) && !skip_comment(&scanner, diagnostics))
            read_one(&scanner, names, diagnostics, tokens);
    struct bp_token end = {.kind = BP_EOF, .text = "", .from = source->length, .to = source->length};
    end.span = scan_end_span(&scanner, tokens->count ? &VEC_LAST(tokens).span : NULL, diagnostics);
    VEC_PUSH(tokens, end);
}
