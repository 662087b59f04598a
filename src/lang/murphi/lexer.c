#include "lang/murphi/lexer.h"

#include <string.h>

#include "base/printable.h"
#include "base/report.h"
#include "base/scan.h"

struct murphi_lexer {
    struct scanner scanner;
    struct arena *names;
    struct diagnostics *diagnostics;
    struct tokens *tokens;
    enum dialect dialect;
    bool saw_slashes; /* comments of other languages are reported once */
};

static const struct scan_spelling operators[] = {
    {"==>", TOKEN_LONG_ARROW},
    {":=", TOKEN_ASSIGN},
    {"..", TOKEN_DOTDOT},
    {"->", TOKEN_IMPLIES},
    {"=>", TOKEN_DOUBLE_ARROW},
    {"<=", TOKEN_LE},
    {">=", TOKEN_GE},
    {"!=", TOKEN_NE},
    {"==", TOKEN_EQ},
    {"<<", TOKEN_SHL},
    {">>", TOKEN_SHR},
    {"&&", TOKEN_AND},
    {"||", TOKEN_OR},
    {";", TOKEN_SEMICOLON},
    {",", TOKEN_COMMA},
    {":", TOKEN_COLON},
    {".", TOKEN_DOT},
    {"?", TOKEN_QUESTION},
    {"(", TOKEN_OPEN_PAREN},
    {")", TOKEN_CLOSE_PAREN},
    {"[", TOKEN_OPEN_BRACKET},
    {"]", TOKEN_CLOSE_BRACKET},
    {"{", TOKEN_OPEN_BRACE},
    {"}", TOKEN_CLOSE_BRACE},
    {"|", TOKEN_PIPE},
    {"^", TOKEN_CARET},
    {"&", TOKEN_AMP},
    {"!", TOKEN_NOT},
    {"~", TOKEN_TILDE},
    {"=", TOKEN_EQ},
    {"<", TOKEN_LT},
    {">", TOKEN_GT},
    {"+", TOKEN_PLUS},
    {"-", TOKEN_MINUS},
    {"*", TOKEN_STAR},
    {"/", TOKEN_SLASH},
    {"%", TOKEN_PERCENT},
    {"\xe2\x88\x80", KEY_FORALL},       /* for all */
    {"\xe2\x88\x83", KEY_EXISTS},       /* there exists */
    {"\xe2\x89\x94", TOKEN_ASSIGN},     /* colon equals */
    {"\xe2\x89\xa5", TOKEN_GE},         /* greater or equal */
    {"\xe2\x89\xa4", TOKEN_LE},         /* less or equal */
    {"\xe2\x89\xa0", TOKEN_NE},         /* not equal */
    {"\xe2\x86\x92", TOKEN_IMPLIES},    /* arrow */
    {"\xe2\x87\x92", TOKEN_LONG_ARROW}, /* double arrow */
    {"\xc2\xac", TOKEN_NOT},            /* not sign */
    {"\xe2\x88\xa7", TOKEN_AND},        /* logical and */
    {"\xe2\x88\xa8", TOKEN_OR},         /* logical or */
    {"\xc3\xb7", TOKEN_SLASH},          /* division sign */
    {"\xe2\x88\x95", TOKEN_SLASH},      /* division slash */
    {"\xe2\x88\x92", TOKEN_MINUS},      /* minus sign */
    {"\xc3\x97", TOKEN_STAR},           /* multiplication sign */
};

static const struct scan_spelling words[] = {
    {"alias", KEY_ALIAS},
    {"array", KEY_ARRAY},
    {"assert", KEY_ASSERT},
    {"assume", SOFT_ASSUME},
    {"begin", KEY_BEGIN},
    {"boolean", KEY_BOOLEAN},
    {"by", KEY_BY},
    {"case", KEY_CASE},
    {"choose", SOFT_CHOOSE},
    {"clear", KEY_CLEAR},
    {"const", KEY_CONST},
    {"cover", SOFT_COVER},
    {"ctl", SOFT_CTL},
    {"do", KEY_DO},
    {"else", KEY_ELSE},
    {"elsif", KEY_ELSIF},
    {"end", KEY_END},
    {"endalias", KEY_ENDALIAS},
    {"endchoose", SOFT_ENDCHOOSE},
    {"endexists", KEY_ENDEXISTS},
    {"endfor", KEY_ENDFOR},
    {"endforall", KEY_ENDFORALL},
    {"endfunction", KEY_ENDFUNCTION},
    {"endif", KEY_ENDIF},
    {"endprocedure", KEY_ENDPROCEDURE},
    {"endrecord", KEY_ENDRECORD},
    {"endrule", KEY_ENDRULE},
    {"endruleset", KEY_ENDRULESET},
    {"endstartstate", KEY_ENDSTARTSTATE},
    {"endswitch", KEY_ENDSWITCH},
    {"endwhile", KEY_ENDWHILE},
    {"enum", KEY_ENUM},
    {"error", KEY_ERROR},
    {"exists", KEY_EXISTS},
    {"externfun", SOFT_EXTERNFUN},
    {"externproc", SOFT_EXTERNPROC},
    {"fair", SOFT_FAIR},
    {"fairness", SOFT_FAIRNESS},
    {"false", KEY_FALSE},
    {"final", SOFT_FINAL},
    {"for", KEY_FOR},
    {"forall", KEY_FORALL},
    {"function", KEY_FUNCTION},
    {"if", KEY_IF},
    {"invariant", KEY_INVARIANT},
    {"ismember", KEY_ISMEMBER},
    {"isundefined", KEY_ISUNDEFINED},
    {"liveness", SOFT_LIVENESS},
    {"ltl", SOFT_LTL},
    {"multiset", SOFT_MULTISET},
    {"multisetadd", SOFT_MULTISETADD},
    {"multisetcount", SOFT_MULTISETCOUNT},
    {"multisetremove", SOFT_MULTISETREMOVE},
    {"multisetremovepred", SOFT_MULTISETREMOVEPRED},
    {"of", KEY_OF},
    {"pctl", SOFT_PCTL},
    {"procedure", KEY_PROCEDURE},
    {"put", KEY_PUT},
    {"real", SOFT_REAL},
    {"record", KEY_RECORD},
    {"return", KEY_RETURN},
    {"rule", KEY_RULE},
    {"ruleset", KEY_RULESET},
    {"scalarset", KEY_SCALARSET},
    {"startstate", KEY_STARTSTATE},
    {"switch", KEY_SWITCH},
    {"then", KEY_THEN},
    {"to", KEY_TO},
    {"true", KEY_TRUE},
    {"type", KEY_TYPE},
    {"undefine", KEY_UNDEFINE},
    {"undefined", SOFT_UNDEFINED},
    {"union", KEY_UNION},
    {"var", KEY_VAR},
    {"while", KEY_WHILE},
};

enum { OPERATOR_COUNT = sizeof operators / sizeof *operators, WORD_COUNT = sizeof words / sizeof *words };

const char *token_kind_spelling(enum token_kind kind)
{
    const char *text = kind == TOKEN_EQ ? "=" : scan_spelling_of(operators, OPERATOR_COUNT, (int)kind);
    if (!text)
        text = scan_spelling_of(words, WORD_COUNT, (int)kind);
    return text ? text : kind == TOKEN_NAME ? "a name" : "a token";
}

const char *token_describe(const struct token *token, struct arena *arena)
{
    if (token->kind == TOKEN_EOF)
        return "the end of the file";
    if (token->kind == TOKEN_STRING)
        return "a string";
    return arena_format(arena, "\"%s\"", token->text);
}

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* In lower case; "" when it is longer than any keyword. */
struct folded {
    char chars[20];
};

static struct folded fold(const char *text, size_t length)
{
    struct folded folded = {""};
    for (size_t i = 0; i < length && length < sizeof folded.chars; i++)
        folded.chars[i] = lower_case(text[i]);
    return folded;
}

static const struct scan_spelling *find_word(struct folded folded)
{
    for (size_t low = 0, high = WORD_COUNT; low < high;) {
        size_t middle = (low + high) / 2;
        int order = strcmp(folded.chars, words[middle].text);
        if (!order)
            return &words[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const char *close_keyword(const char *text, size_t rank)
{
    const char *names[WORD_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (strlen(words[i].text) > 2) /* others are close to every name */
            names[count++] = words[i].text;
    struct folded folded = fold(text, strlen(text));
    return strlen(folded.chars) > 1 ? diag_close(folded.chars, names, count, rank) : NULL;
}

const char *token_guess(const struct token *token, size_t choice)
{
    static const enum token_kind arrows[] = {TOKEN_LONG_ARROW, TOKEN_IMPLIES};
    switch (token->kind) {
    case TOKEN_NAME:
        return token->soft ? NULL : close_keyword(token->text, choice);
    case TOKEN_LONG_ARROW:
        return choice ? NULL : token_kind_spelling(TOKEN_IMPLIES);
    case TOKEN_IMPLIES:
        return choice ? NULL : token_kind_spelling(TOKEN_LONG_ARROW);
    case TOKEN_DOUBLE_ARROW:
        return choice < sizeof arrows / sizeof *arrows ? token_kind_spelling(arrows[choice]) : NULL;
    default:
        return NULL;
    }
}

static void set_word(struct token *token, const struct scan_spelling *word)
{
    token->kind = word && word->kind < SOFT_ASSUME ? (enum token_kind)word->kind : TOKEN_NAME;
    token->soft = word && word->kind >= SOFT_ASSUME ? (enum token_kind)word->kind : TOKEN_EOF;
}

void token_become(struct token *token, const char *text)
{
    token->text = text;
    for (size_t i = 0; i < OPERATOR_COUNT; i++)
        if (!strcmp(operators[i].text, text)) {
            token->kind = (enum token_kind)operators[i].kind;
            return;
        }
    set_word(token, find_word(fold(text, strlen(text))));
}

static char peek(const struct murphi_lexer *lexer, size_t ahead)
{
    return scan_peek(&lexer->scanner, ahead);
}

/* What comes next. */
static const char *rest(const struct murphi_lexer *lexer)
{
    return lexer->scanner.source->text + lexer->scanner.at;
}

static struct token *add_token(struct murphi_lexer *lexer, enum token_kind kind, size_t length)
{
    struct token token = {.kind = kind, .span = scan_span(&lexer->scanner, length)};
    token.text = arena_string_n(lexer->names, rest(lexer), length);
    VEC_PUSH(lexer->tokens, token);
    lexer->scanner.at += length;
    return &VEC_LAST(lexer->tokens);
}

static void skip_block_comment(struct murphi_lexer *lexer)
{
    struct span start = scan_span(&lexer->scanner, 2);
    lexer->scanner.at += 2;
    while (!scan_is_over(&lexer->scanner) && !scan_starts_with(&lexer->scanner, "*/"))
        if (!scan_skip_blank(&lexer->scanner))
            lexer->scanner.at++;
    if (!scan_is_over(&lexer->scanner)) {
        lexer->scanner.at += 2;
        return;
    }
    if (report_error(lexer->diagnostics, start, "the comment is never closed"))
        diag_hint(lexer->diagnostics, "end it with */");
}

static void read_word(struct murphi_lexer *lexer)
{
    size_t length = scan_word_length(&lexer->scanner);
    const struct scan_spelling *word = find_word(fold(rest(lexer), length));
    set_word(add_token(lexer, TOKEN_NAME, length), word);
}

static int digit_value(char c)
{
    c = lower_case(c);
    return scan_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* A leading zero is octal to rumur and decimal to CMurphi: a number on which they disagree is refused, unless the user
 * says whose rules hold. */
static void check_leading_zero(struct murphi_lexer *lexer, const struct token *token)
{
    if (token->text[0] != '0' || token->value < 8 || strlen(token->text) < 2 || lexer->dialect == DIALECT_CMURPHI)
        return;
    if (lexer->dialect == DIALECT_RUMUR)
        report_error(lexer->diagnostics, token->span, "the number %s is not octal", token->text);
    else if (report_error(lexer->diagnostics, token->span, "the number %s has a leading zero", token->text))
        diag_hint(lexer->diagnostics,
                  "CMurphi reads it as decimal, rumur as octal; write it without the zero, or say --dialect");
}

/* The base of the number that begins here; 8 only where all its digits are octal. */
static int number_base(const struct murphi_lexer *lexer)
{
    if (peek(lexer, 0) == '0' && lower_case(peek(lexer, 1)) == 'x' && digit_value(peek(lexer, 2)) < 16)
        return 16;
    size_t length = 0;
    while (digit_value(peek(lexer, length)) < 8)
        length++;
    bool is_octal = peek(lexer, 0) == '0' && !scan_is_digit(peek(lexer, length));
    return is_octal && lexer->dialect == DIALECT_RUMUR ? 8 : 10;
}

static void read_number(struct murphi_lexer *lexer)
{
    int base = number_base(lexer);
    bool is_hex = base == 16;
    size_t length = is_hex ? 2 : 0;
    int64_t value = 0;
    bool overflow = false;
    for (; digit_value(peek(lexer, length)) < base; length++)
        overflow |= __builtin_mul_overflow(value, base, &value) ||
                    __builtin_add_overflow(value, digit_value(peek(lexer, length)), &value);
    bool is_real = !is_hex && peek(lexer, length) == '.' && scan_is_digit(peek(lexer, length + 1));
    if (is_real)
        for (length++; scan_is_digit(peek(lexer, length));)
            length++;
    struct token *token = add_token(lexer, TOKEN_NUMBER, length);
    token->value = overflow ? 0 : value;
    token->is_real = is_real;
    if (overflow && !is_real)
        report_error(lexer->diagnostics, token->span, "the number %s does not fit 64 bits", token->text);
    if (base == 10 && !is_real && !overflow)
        check_leading_zero(lexer, token);
}

/* Bytes from `from` to the closing quote on this line, or SIZE_MAX. `quote` receives the length of that quote. */
static size_t find_quote(const struct murphi_lexer *lexer, size_t from, bool escapes, size_t *quote)
{
    const char *text = rest(lexer);
    size_t left = lexer->scanner.source->length - lexer->scanner.at;
    for (size_t i = from; i < left && text[i] != '\n'; i++) {
        if (escapes && text[i] == '\\' && i + 1 < left && text[i + 1] != '\n') {
            i++;
            continue;
        }
        *quote = text[i] == '"' ? 1 : left - i >= 3 && !memcmp(text + i, "\xe2\x80\x9d", 3) ? 3 : 0;
        if (*quote)
            return i - from;
    }
    return SIZE_MAX;
}

/* \" and \\ lose their backslash, in place; other escapes are kept as they are written. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from == '\\' && (from[1] == '\\' || from[1] == '"'))
            from++;
        *to++ = *from;
    }
    *to = '\0';
}

/* In rumur a backslash escapes; in CMurphi it is a character like any other. The first reading that ends on the line
 * wins. */
static void read_string(struct murphi_lexer *lexer, size_t opener)
{
    size_t quote = 0;
    size_t length = find_quote(lexer, opener, true, &quote);
    bool has_escapes = length != SIZE_MAX;
    if (!has_escapes)
        length = find_quote(lexer, opener, false, &quote);
    if (length != SIZE_MAX) {
        char *text = arena_string_n(lexer->names, rest(lexer) + opener, length);
        if (has_escapes)
            unescape(text);
        add_token(lexer, TOKEN_STRING, opener + length + quote)->text = arena_printable(lexer->names, text);
        return;
    }
    size_t all = scan_line_rest(&lexer->scanner);
    if (report_error(lexer->diagnostics, scan_span(&lexer->scanner, all), "the string is not closed on its line"))
        diag_hint(lexer->diagnostics, "end it with \"");
    add_token(lexer, TOKEN_STRING, all);
}

/* As far as its line goes, for the other languages that have it. */
static void skip_foreign_comment(struct murphi_lexer *lexer)
{
    size_t length = scan_line_rest(&lexer->scanner);
    if (!lexer->saw_slashes &&
        report_error(lexer->diagnostics, scan_span(&lexer->scanner, 2), "\"//\" does not begin a comment"))
        diag_hint(lexer->diagnostics, "comments begin with -- or stand between /* and */");
    lexer->saw_slashes = true;
    lexer->scanner.at += length;
}

/* 'name', as far as the next such quote of the line, or just the quote. */
static void read_foreign_string(struct murphi_lexer *lexer)
{
    const char *text = rest(lexer), *end = memchr(text + 1, '\'', scan_line_rest(&lexer->scanner) - 1);
    size_t length = end ? (size_t)(end - text) + 1 : 1;
    if (report_error(lexer->diagnostics, scan_span(&lexer->scanner, length), "unexpected character \"'\""))
        diag_hint(lexer->diagnostics, "strings stand between double quotes");
    add_token(lexer, TOKEN_STRING, length);
}

static void read_operator(struct murphi_lexer *lexer)
{
    const struct scan_spelling *found = scan_find(&lexer->scanner, operators, OPERATOR_COUNT);
    if (found) {
        add_token(lexer, (enum token_kind)found->kind, strlen(found->text));
        return;
    }
    bool is_comment = peek(lexer, 0) == '#' && !lexer->diagnostics->errors;
    scan_refuse(&lexer->scanner, lexer->diagnostics);
    if (is_comment)
        diag_hint(lexer->diagnostics, "comments begin with -- or stand between /* and */");
}

static void read_token(struct murphi_lexer *lexer)
{
    char c = peek(lexer, 0);
    if (scan_skip_blank(&lexer->scanner))
        return;
    if (scan_starts_with(&lexer->scanner, "--"))
        lexer->scanner.at += scan_line_rest(&lexer->scanner);
    else if (scan_starts_with(&lexer->scanner, "/*"))
        skip_block_comment(lexer);
    else if (scan_starts_with(&lexer->scanner, "//"))
        skip_foreign_comment(lexer);
    else if (c == '\'')
        read_foreign_string(lexer);
    else if (scan_is_letter(c))
        read_word(lexer);
    else if (scan_is_digit(c))
        read_number(lexer);
    else if (c == '"' || scan_starts_with(&lexer->scanner, "\xe2\x80\x9c"))
        read_string(lexer, c == '"' ? 1 : 3);
    else
        read_operator(lexer);
}

void lexer_read(const struct source *source, enum dialect dialect, struct arena *names, struct diagnostics *diagnostics,
                struct tokens *tokens)
{
    struct murphi_lexer lexer = {.scanner = scan_begin(source),
                                 .names = names,
                                 .diagnostics = diagnostics,
                                 .tokens = tokens,
                                 .dialect = dialect};
    while (!scan_is_over(&lexer.scanner) && !diag_is_late(diagnostics))
        read_token(&lexer);
    const struct span *last = tokens->count ? &VEC_LAST(tokens).span : NULL;
    struct token end = {.kind = TOKEN_EOF, .span = scan_end_span(&lexer.scanner, last, diagnostics), .text = ""};
    VEC_PUSH(tokens, end);
}

void tokens_free(struct tokens *tokens)
{
    VEC_FREE(tokens);
}
