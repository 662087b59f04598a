#include "lang/promela/lexer.h"

#include <errno.h>
#include <string.h>

#include "base/report.h"
#include "base/scan.h"

static const struct scan_spelling operators[] = {
    {"::", PMT_SEPARATOR},
    {":", PMT_COLON},
    {";", PMT_SEMI},
    {"->", PMT_ARROW},
    {",", PMT_COMMA},
    {"..", PMT_DOTS},
    {".", PMT_DOT},
    {"@", PMT_AT},
    {"##", PMT_PASTE},
    {"#", PMT_HASH},
    {"\\", PMT_BACKSLASH},
    {"(", PMT_OPEN},
    {")", PMT_CLOSE},
    {"[", PMT_OPEN_BRACKET},
    {"]", PMT_CLOSE_BRACKET},
    {"{", PMT_OPEN_BRACE},
    {"}", PMT_CLOSE_BRACE},
    {"==", PMT_EQ},
    {"=", PMT_BECOMES},
    {"++", PMT_INCREMENT},
    {"--", PMT_DECREMENT},
    {"!=", PMT_NE},
    {"!!", PMT_SORTED_SEND},
    {"!", PMT_SEND},
    {"??", PMT_RANDOM_RECEIVE},
    {"?", PMT_RECEIVE},
    {"+", PMT_PLUS},
    {"-", PMT_MINUS},
    {"*", PMT_STAR},
    {"/", PMT_SLASH},
    {"%", PMT_PERCENT},
    {"<<", PMT_SHIFT_LEFT},
    {">>", PMT_SHIFT_RIGHT},
    {"<=", PMT_LE},
    {"<", PMT_LT},
    {">=", PMT_GE},
    {">", PMT_GT},
    {"&&", PMT_AND},
    {"&", PMT_BIT_AND},
    {"||", PMT_OR},
    {"|", PMT_BIT_OR},
    {"^", PMT_BIT_XOR},
    {"~", PMT_TILDE},
};

static const char *const words[] = {
    "D_proctype",   "active", "assert",   "atomic",  "bit",          "bool",     "break",    "byte",
    "c_code",       "c_decl", "c_expr",   "c_state", "c_track",      "chan",     "d_step",   "do",
    "else",         "empty",  "enabled",  "eval",    "false",        "fi",       "for",      "full",
    "get_priority", "goto",   "hidden",   "if",      "init",         "inline",   "int",      "len",
    "local",        "ltl",    "mtype",    "nempty",  "never",        "nfull",    "notrace",  "np_",
    "od",           "of",     "pc_value", "pid",     "printf",       "printm",   "priority", "proctype",
    "provided",     "return", "run",      "select",  "set_priority", "short",    "show",     "skip",
    "timeout",      "trace",  "true",     "typedef", "unless",       "unsigned", "xr",       "xs",
};

enum { OPERATOR_COUNT = sizeof operators / sizeof *operators, WORD_COUNT = sizeof words / sizeof *words };
_Static_assert((int)WORD_COUNT == PMT_XS - PMT_FIRST_WORD + 1, "the words and their kinds are in the same order");

/* What stands in front of the next token. */
struct gap {
    bool has_blank, has_line;
};

const char *pml_token_spelling(enum pml_token_kind kind)
{
    if (kind >= PMT_FIRST_WORD)
        return words[kind - PMT_FIRST_WORD];
    const char *text = scan_spelling_of(operators, OPERATOR_COUNT, (int)kind);
    return text ? text : kind == PMT_NAME ? "a name" : "a number";
}

const char *pml_token_describe(const struct pml_token *token, struct arena *arena)
{
    if (token->kind == PMT_EOF)
        return "the end of the file";
    return token->kind == PMT_STRING ? "a string" : arena_format(arena, "\"%s\"", token->text);
}

bool pml_token_is_word(const struct pml_token *token)
{
    return token->kind >= PMT_FIRST_WORD;
}

void pml_token_refuse(const struct pml_token *token, struct diagnostics *diagnostics)
{
    unsigned char first = (unsigned char)token->text[0];
    if (first == '"')
        report_error(diagnostics, token->span, "the string does not end");
    else if (first == '/')
        report_error(diagnostics, token->span, "the comment does not end");
    else if (first >= ' ' && first != 0x7f && (first < 0x80 || token->text[1]))
        report_error(diagnostics, token->span, "unexpected character \"%s\"", token->text);
    else
        report_error(diagnostics, token->span, "unexpected byte 0x%02x", first);
}

void pml_token_lists_free(struct pml_token_lists *lists)
{
    for (size_t i = 0; i < lists->count; i++)
        VEC_FREE(&lists->items[i]);
    VEC_FREE(lists);
}

static char escaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'f':
        return '\f';
    default:
        return c;
    }
}

int64_t pml_wrap(int64_t number)
{
    uint32_t low = (uint32_t)number;
    return low > INT32_MAX ? (int64_t)low - ((int64_t)UINT32_MAX + 1) : (int64_t)low;
}

int64_t pml_token_value(const struct pml_token *token)
{
    if (token->kind == PMT_CHARACTER)
        return token->text[1] == '\\' ? escaped(token->text[2]) : token->text[1];
    errno = 0;
    return pml_wrap(strtoll(token->text, NULL, 10));
}

static void add_token(struct scanner *scanner, struct arena *arena, enum pml_token_kind kind, size_t length,
                      struct gap *gap, struct pml_tokens *tokens)
{
    struct pml_token token = {.kind = kind,
                              .span = scan_span(scanner, length),
                              .text = arena_string_n(arena, scanner->source->text + scanner->at, length),
                              .from = (uint32_t)scanner->at,
                              .to = (uint32_t)(scanner->at + length),
                              .has_blank = gap->has_blank,
                              .has_line = gap->has_line};
    VEC_PUSH(tokens, token);
    scanner->at += length;
    *gap = (struct gap){0};
}

static enum pml_token_kind word_kind(const char *text)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (!strcmp(text, words[i]))
            return PMT_FIRST_WORD + i;
    return PMT_NAME;
}

static void read_name(struct scanner *scanner, struct arena *arena, struct gap *gap, struct pml_tokens *tokens)
{
    add_token(scanner, arena, PMT_NAME, scan_word_length(scanner), gap, tokens);
    VEC_LAST(tokens).kind = word_kind(VEC_LAST(tokens).text);
}

static void read_number(struct scanner *scanner, struct arena *arena, struct gap *gap, struct pml_tokens *tokens)
{
    size_t length = 1;
    while (scan_is_digit(scan_peek(scanner, length)))
        length++;
    add_token(scanner, arena, PMT_NUMBER, length, gap, tokens);
}

static void read_string(struct scanner *scanner, struct arena *arena, struct gap *gap, struct pml_tokens *tokens)
{
    size_t length = 1, rest = scan_line_rest(scanner);
    while (length < rest && scan_peek(scanner, length) && scan_peek(scanner, length) != '"')
        length += scan_peek(scanner, length) == '\\' && scan_peek(scanner, length + 1) ? 2 : 1;
    bool is_closed = length < rest && scan_peek(scanner, length) == '"';
    add_token(scanner, arena, is_closed ? PMT_STRING : PMT_BAD, is_closed ? length + 1 : 1, gap, tokens);
    if (!is_closed)
        scanner->at += rest - 1;
}

/* 0: there is none. */
static size_t character_length(const struct scanner *scanner)
{
    size_t length = scan_peek(scanner, 1) == '\\' ? 3 : 2;
    bool is_one = scan_peek(scanner, 1) != '\n' && scan_peek(scanner, 1) != '\0';
    return scan_peek(scanner, 0) == '\'' && is_one && scan_peek(scanner, length) == '\'' ? length + 1 : 0;
}

/* A byte that no text has hides all of the rest, so that a binary file is one error. */
static void read_bad(struct scanner *scanner, struct arena *arena, struct gap *gap, struct pml_tokens *tokens)
{
    unsigned char first = (unsigned char)scan_peek(scanner, 0);
    size_t length = 1;
    while (first >= 0xc0 && length < 4 && ((unsigned char)scan_peek(scanner, length) & 0xc0) == 0x80)
        length++;
    bool is_text = length > 1 || (first >= ' ' && first < 0x7f);
    add_token(scanner, arena, PMT_BAD, length, gap, tokens);
    if (!is_text)
        scanner->at = scanner->source->length;
}

static void skip_long_comment(struct scanner *scanner, struct arena *arena, struct gap *gap, struct pml_tokens *tokens)
{
    struct scanner start = *scanner;
    scanner->at += 2;
    while (!scan_is_over(scanner) && !scan_starts_with(scanner, "*/"))
        if (!scan_skip_blank(scanner))
            scanner->at++;
    if (!scan_is_over(scanner)) {
        scanner->at += 2;
        return;
    }
    add_token(&start, arena, PMT_BAD, 2, gap, tokens);
}

/* A line that goes on: a backslash at its end. */
static size_t continuation_length(const struct scanner *scanner)
{
    if (scan_starts_with(scanner, "\\\n"))
        return 2;
    return scan_starts_with(scanner, "\\\r\n") ? 3 : 0;
}

static bool skip_gap(struct scanner *scanner, struct arena *arena, struct gap *gap, struct pml_tokens *tokens)
{
    uint32_t line = scanner->line;
    size_t length = continuation_length(scanner);
    if (length) {
        scanner->at += length - 1;
        scan_skip_blank(scanner);
        line = scanner->line;
    } else if (scan_starts_with(scanner, "//"))
        scanner->at += scan_line_rest(scanner);
    else if (scan_starts_with(scanner, "/*")) {
        skip_long_comment(scanner, arena, gap, tokens);
        line = scanner->line;
    } else if (!scan_skip_blank(scanner))
        return false;
    gap->has_blank = true;
    gap->has_line |= scanner->line != line;
    return true;
}

static void read_one(struct scanner *scanner, struct arena *arena, struct gap *gap, struct pml_tokens *tokens)
{
    const struct scan_spelling *found = scan_find(scanner, operators, OPERATOR_COUNT);
    if (scan_is_letter(scan_peek(scanner, 0)))
        read_name(scanner, arena, gap, tokens);
    else if (scan_is_digit(scan_peek(scanner, 0)))
        read_number(scanner, arena, gap, tokens);
    else if (scan_peek(scanner, 0) == '"')
        read_string(scanner, arena, gap, tokens);
    else if (character_length(scanner))
        add_token(scanner, arena, PMT_CHARACTER, character_length(scanner), gap, tokens);
    else if (found)
        add_token(scanner, arena, found->kind, strlen(found->text), gap, tokens);
    else
        read_bad(scanner, arena, gap, tokens);
}

void pml_lexer_read(const struct source *source, struct arena *arena, struct diagnostics *diagnostics,
                    struct pml_tokens *tokens)
{
    struct scanner scanner = scan_begin(source);
    struct gap gap = {true, true};
    while (!scan_is_over(&scanner) && !diag_is_late(diagnostics))
        if (!skip_gap(&scanner, arena, &gap, tokens))
            read_one(&scanner, arena, &gap, tokens);
}

struct pml_token pml_token_end(const struct source *source, const struct pml_tokens *tokens)
{
    struct diagnostics none = {0};
    struct scanner scanner = scan_begin(source);
    struct pml_token end = {.kind = PMT_EOF, .text = "", .has_blank = true, .has_line = true};
    end.span = scan_end_span(&scanner, tokens->count ? &VEC_LAST(tokens).span : NULL, &none);
    end.from = end.to = tokens->count ? VEC_LAST(tokens).to : 0;
    return end;
}
