#include "lang/prism/lexer.h"

#include <string.h>

#include "base/printable.h"
#include "base/report.h"
#include "base/scan.h"

struct prism_lexer {
    struct scanner scanner;
    struct arena *names;
    struct diagnostics *diagnostics;
    struct prism_tokens *tokens;
    const char *result; /* of the last "//RESULT:", until a token takes it */
};

static const struct scan_spelling operators[] = {
    {"<=>", PRISM_IFF},       {"=>", PRISM_IMPLIES},     {"->", PRISM_ARROW},
    {"<-", PRISM_RENAME},     {"<=", PRISM_LE},          {">=", PRISM_GE},
    {"!=", PRISM_NE},         {"..", PRISM_DOTS},        {"!", PRISM_NOT},
    {"&", PRISM_AND},         {"|", PRISM_OR},           {":", PRISM_COLON},
    {";", PRISM_SEMICOLON},   {",", PRISM_COMMA},        {"(", PRISM_OPEN_PAREN},
    {")", PRISM_CLOSE_PAREN}, {"[", PRISM_OPEN_BRACKET}, {"]", PRISM_CLOSE_BRACKET},
    {"{", PRISM_OPEN_BRACE},  {"}", PRISM_CLOSE_BRACE},  {"=", PRISM_EQ},
    {"<", PRISM_LT},          {">", PRISM_GT},           {"+", PRISM_PLUS},
    {"-", PRISM_MINUS},       {"*", PRISM_TIMES},        {"/", PRISM_DIVIDE},
    {"^", PRISM_POWER},       {"'", PRISM_PRIME},        {"?", PRISM_QUESTION},
};

static const char *const words[] = {
    "A",          "C",
    "E",          "F",
    "G",          "I",
    "P",          "Pmax",
    "Pmin",       "R",
    "Rmax",       "Rmin",
    "S",          "U",
    "W",          "X",
    "bool",       "clock",
    "const",      "ctmc",
    "double",     "dtmc",
    "endinit",    "endinvariant",
    "endmodule",  "endobservables",
    "endrewards", "endsystem",
    "false",      "filter",
    "formula",    "func",
    "global",     "init",
    "int",        "invariant",
    "label",      "max",
    "mdp",        "min",
    "module",     "nondeterministic",
    "observable", "observables",
    "pomdp",      "popta",
    "prob",       "probabilistic",
    "pta",        "rate",
    "rewards",    "stochastic",
    "system",     "true",
};

enum { OPERATOR_COUNT = sizeof operators / sizeof *operators, WORD_COUNT = sizeof words / sizeof *words };
_Static_assert((int)WORD_COUNT == WORD_TRUE - PRISM_FIRST_WORD + 1, "the words and their kinds are in the same order");

const char *prism_token_spelling(enum prism_token_kind kind)
{
    if (kind >= PRISM_FIRST_WORD)
        return words[kind - PRISM_FIRST_WORD];
    const char *text = scan_spelling_of(operators, OPERATOR_COUNT, (int)kind);
    return text ? text : kind == PRISM_NAME ? "a name" : "a token";
}

const char *prism_token_describe(const struct prism_token *token, struct arena *arena)
{
    if (token->kind == PRISM_EOF)
        return "the end of the file";
    return arena_format(arena, token->kind == PRISM_QUOTED ? "the name \"%s\" in quotes" : "\"%s\"", token->text);
}

static enum prism_token_kind word_kind(const char *text)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (!strcmp(text, words[i]))
            return PRISM_FIRST_WORD + i;
    return PRISM_NAME;
}

static const char *close_word(const char *text, size_t rank)
{
    const char *names[WORD_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (strlen(words[i]) > 2) /* others are close to every name */
            names[count++] = words[i];
    return strlen(text) > 1 ? diag_close(text, names, count, rank) : NULL;
}

/* "f" for F, and the operators of other languages. */
static const char *foreign_word(const char *text)
{
    static const char *const operators_of_others[][2] = {{"and", "&"}, {"or", "|"}, {"not", "!"}};
    for (size_t i = 0; i < sizeof operators_of_others / sizeof *operators_of_others; i++)
        if (!strcmp(text, operators_of_others[i][0]))
            return operators_of_others[i][1];
    for (size_t i = 0; i < WORD_COUNT && !text[1]; i++)
        if (!words[i][1] && words[i][0] - 'A' + 'a' == text[0])
            return words[i];
    return NULL;
}

const char *prism_token_guess(const struct prism_token *token, size_t choice)
{
    const char *foreign = token->kind == PRISM_NAME ? foreign_word(token->text) : NULL;
    if (token->kind == PRISM_NAME && !foreign)
        return close_word(token->text, choice);
    if (choice)
        return NULL;
    if (token->kind == PRISM_ARROW || token->kind == PRISM_IMPLIES)
        return prism_token_spelling(token->kind == PRISM_ARROW ? PRISM_IMPLIES : PRISM_ARROW);
    return foreign;
}

void prism_token_become(struct prism_token *token, const char *text)
{
    token->text = text;
    token->kind = word_kind(text);
    for (size_t i = 0; i < OPERATOR_COUNT; i++)
        if (!strcmp(operators[i].text, text))
            token->kind = (enum prism_token_kind)operators[i].kind;
}

static char peek(const struct prism_lexer *lexer, size_t ahead)
{
    return scan_peek(&lexer->scanner, ahead);
}

/* What comes next. */
static const char *rest(const struct prism_lexer *lexer)
{
    return lexer->scanner.source->text + lexer->scanner.at;
}

static struct prism_token *add_token(struct prism_lexer *lexer, enum prism_token_kind kind, size_t length)
{
    struct prism_token token = {.kind = kind, .span = scan_span(&lexer->scanner, length), .result = lexer->result};
    lexer->result = NULL;
    token.text = arena_string_n(lexer->names, rest(lexer), length);
    VEC_PUSH(lexer->tokens, token);
    lexer->scanner.at += length;
    return &VEC_LAST(lexer->tokens);
}

static void keep_result(struct prism_lexer *lexer, const char *chars, size_t length)
{
    const char *line = arena_printable(lexer->names, arena_string_n(lexer->names, chars, length));
    const char *before = lexer->result;
    lexer->result = before ? arena_format(lexer->names, "%s\n%s", before, line) : line;
}

/* "// RESULT: 0.5" and "//RESULT (n=3): 0.5" are PRISM's; the text after RESULT is kept, line by line. */
static void skip_comment(struct prism_lexer *lexer)
{
    size_t length = scan_line_rest(&lexer->scanner), from = 2;
    while (peek(lexer, from) == ' ')
        from++;
    size_t end = length;
    while (end > from && (peek(lexer, end - 1) == ' ' || peek(lexer, end - 1) == '\r'))
        end--;
    if (end - from > 6 && !memcmp(rest(lexer) + from, "RESULT", 6))
        keep_result(lexer, rest(lexer) + from + 6, end - from - 6);
    lexer->scanner.at += length;
}

static void read_word(struct prism_lexer *lexer)
{
    struct prism_token *token = add_token(lexer, PRISM_NAME, scan_word_length(&lexer->scanner));
    token->kind = word_kind(token->text);
}

/* The length of an exponent at `from`: "e-12" and the like, or 0. */
static size_t exponent_length(const struct prism_lexer *lexer, size_t from)
{
    if (peek(lexer, from) != 'e' && peek(lexer, from) != 'E')
        return 0;
    size_t length = 1;
    if (peek(lexer, from + 1) == '-' || peek(lexer, from + 1) == '+')
        length++;
    if (!scan_is_digit(peek(lexer, from + length)))
        return 0;
    while (scan_is_digit(peek(lexer, from + length)))
        length++;
    return length;
}

static void read_number(struct prism_lexer *lexer)
{
    size_t length = 0;
    int64_t value = 0;
    bool overflow = false;
    for (; scan_is_digit(peek(lexer, length)); length++)
        overflow |= __builtin_mul_overflow(value, 10, &value) ||
                    __builtin_add_overflow(value, peek(lexer, length) - '0', &value);
    bool is_decimal = peek(lexer, length) == '.' && peek(lexer, length + 1) != '.';
    if (is_decimal)
        for (length++; scan_is_digit(peek(lexer, length));)
            length++;
    size_t exponent = exponent_length(lexer, length);
    is_decimal |= exponent > 0;
    struct prism_token *token = add_token(lexer, is_decimal ? PRISM_DECIMAL : PRISM_INTEGER, length + exponent);
    token->value = overflow ? 0 : value;
    if (!is_decimal && (overflow || value > INT32_MAX)) {
        token->value = 0;
        report_error(lexer->diagnostics, token->span, "the number %s does not fit 32 bits", token->text);
    }
}

static void read_quoted(struct prism_lexer *lexer)
{
    size_t length = 1, end = scan_line_rest(&lexer->scanner);
    while (length < end && peek(lexer, length) != '"')
        length++;
    bool is_closed = peek(lexer, length) == '"';
    struct prism_token *token = add_token(lexer, PRISM_QUOTED, length + is_closed);
    token->text = arena_printable(lexer->names, arena_string_n(lexer->names, token->text + 1, length - 1));
    if (!is_closed && report_error(lexer->diagnostics, token->span, "the quoted name is not closed on its line"))
        diag_hint(lexer->diagnostics, "end it with \"");
}

static void read_operator(struct prism_lexer *lexer)
{
    const struct scan_spelling *found = scan_find(&lexer->scanner, operators, OPERATOR_COUNT);
    if (found)
        add_token(lexer, (enum prism_token_kind)found->kind, strlen(found->text));
    else
        scan_refuse(&lexer->scanner, lexer->diagnostics);
}

static void read_token(struct prism_lexer *lexer)
{
    char c = peek(lexer, 0);
    if (scan_skip_blank(&lexer->scanner))
        return;
    if (scan_starts_with(&lexer->scanner, "//"))
        skip_comment(lexer);
    else if (scan_is_letter(c))
        read_word(lexer);
    else if (scan_is_digit(c) || (c == '.' && scan_is_digit(peek(lexer, 1))))
        read_number(lexer);
    else if (c == '"')
        read_quoted(lexer);
    else
        read_operator(lexer);
}

void prism_lexer_read(const struct source *source, struct arena *names, struct diagnostics *diagnostics,
                      struct prism_tokens *tokens)
{
    struct prism_lexer lexer = {scan_begin(source), names, diagnostics, tokens, NULL};
    while (!scan_is_over(&lexer.scanner) && !diag_is_late(diagnostics))
        read_token(&lexer);
    const struct span *last = tokens->count ? &VEC_LAST(tokens).span : NULL;
    struct prism_token end = {.kind = PRISM_EOF, .span = scan_end_span(&lexer.scanner, last, diagnostics), .text = ""};
    VEC_PUSH(tokens, end);
}

void prism_tokens_free(struct prism_tokens *tokens)
{
    VEC_FREE(tokens);
}
