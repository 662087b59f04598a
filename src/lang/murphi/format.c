#include "lang/murphi/format.h"

#include "lang/murphi/parse.h"

enum part_kind {
    PART_LIST,       /* of statements, rules or arms */
    PART_EXPRESSION, /* what stands before a list, or between parentheses */
    PART_SECTION     /* declarations, until something else comes */
};

struct murphi_part {
    enum part_kind kind;
    enum token_kind opener;
};

struct murphi_nesting {
    VEC(struct murphi_part) parts;
    const struct token *tokens;
    bool begins;        /* a statement, a rule or a declaration begins with the next token */
    uint32_t questions; /* that wait for their colon: c ? a : b */
};

static bool is_end(const struct token *token)
{
    switch (token->kind) {
    case KEY_END:
    case KEY_ENDALIAS:
    case KEY_ENDEXISTS:
    case KEY_ENDFOR:
    case KEY_ENDFORALL:
    case KEY_ENDFUNCTION:
    case KEY_ENDIF:
    case KEY_ENDPROCEDURE:
    case KEY_ENDRECORD:
    case KEY_ENDRULE:
    case KEY_ENDRULESET:
    case KEY_ENDSTARTSTATE:
    case KEY_ENDSWITCH:
    case KEY_ENDWHILE:
        return true;
    default:
        return token->soft == SOFT_ENDCHOOSE;
    }
}

static bool is_closer(enum token_kind kind)
{
    return kind == TOKEN_CLOSE_PAREN || kind == TOKEN_CLOSE_BRACKET || kind == TOKEN_CLOSE_BRACE;
}

static bool is_opener(enum token_kind kind)
{
    return kind == TOKEN_OPEN_PAREN || kind == TOKEN_OPEN_BRACKET || kind == TOKEN_OPEN_BRACE;
}

static bool is_section(enum token_kind kind)
{
    return kind == KEY_CONST || kind == KEY_TYPE || kind == KEY_VAR;
}

static bool at_bracket(const struct murphi_nesting *nesting)
{
    return nesting->parts.count && is_opener(VEC_LAST(&nesting->parts).opener);
}

/* What has an end of its own. "choose" opens a part only as a rule: choose i: m do. */
static bool opens_part(const struct murphi_nesting *nesting, const struct token *token)
{
    switch (token->kind) {
    case KEY_RULE:
    case KEY_RULESET:
    case KEY_STARTSTATE:
    case KEY_FUNCTION:
    case KEY_PROCEDURE:
    case KEY_IF:
    case KEY_SWITCH:
    case KEY_FOR:
    case KEY_WHILE:
    case KEY_ALIAS:
    case KEY_FORALL:
    case KEY_EXISTS:
    case KEY_RECORD:
        return true;
    default:
        return token->soft == SOFT_CHOOSE && nesting->begins && token[1].kind == TOKEN_NAME;
    }
}

/* After them the part is a list. Before, it has a condition, quantifiers or parameters. */
static bool begins_list(const struct murphi_nesting *nesting, const struct token *token)
{
    enum token_kind opener = nesting->parts.count ? VEC_LAST(&nesting->parts).opener : TOKEN_EOF;
    switch (token->kind) {
    case KEY_BEGIN:
    case KEY_THEN:
    case TOKEN_LONG_ARROW:
    case KEY_ELSE:
        return true;
    case KEY_DO:
        return opener != KEY_FORALL && opener != KEY_EXISTS;
    case TOKEN_COLON: /* CMurphi's do, and the end of the values of a case */
        return opener == KEY_SWITCH;
    default:
        return false;
    }
}

static bool turns(const struct murphi_nesting *nesting, const struct token *token)
{
    enum token_kind opener = nesting->parts.count ? VEC_LAST(&nesting->parts).opener : TOKEN_EOF;
    switch (token->kind) {
    case KEY_ELSE:
    case KEY_ELSIF:
        return opener == KEY_IF || opener == KEY_SWITCH;
    case KEY_CASE:
        return opener == KEY_SWITCH;
    case KEY_BEGIN:
        return opener == KEY_RULE || opener == KEY_STARTSTATE || opener == KEY_FUNCTION || opener == KEY_PROCEDURE;
    case TOKEN_LONG_ARROW:
        return opener == KEY_RULE;
    default:
        return false;
    }
}

/* "a, b: T" goes on with a section; what else begins, ends it. */
static bool ends_section(const struct murphi_nesting *nesting, const struct token *token)
{
    bool declares = token->kind == TOKEN_NAME && (token[1].kind == TOKEN_COLON || token[1].kind == TOKEN_COMMA);
    return nesting->parts.count && VEC_LAST(&nesting->parts).kind == PART_SECTION && nesting->begins && !declares &&
           token->kind != TOKEN_SEMICOLON;
}

static void push(struct murphi_nesting *nesting, enum token_kind opener, enum part_kind kind)
{
    struct murphi_part part = {kind, opener};
    VEC_PUSH(&nesting->parts, part);
}

/* Where a line may begin with it, is it the beginning of something? */
static bool hangs(const struct murphi_nesting *nesting, const struct token *token)
{
    bool is_expression = nesting->parts.count && VEC_LAST(&nesting->parts).kind == PART_EXPRESSION;
    return !nesting->begins && !is_expression && token->kind != TOKEN_EOF;
}

static bool opens_list_at_once(const struct token *token)
{
    return token->kind == KEY_RECORD || token->kind == KEY_STARTSTATE || token->soft == SOFT_CHOOSE;
}

/* A rule or start state may begin with statements, functions with declarations. */
static bool begins_behind(const struct murphi_nesting *nesting, const struct token *token)
{
    const struct murphi_part *part = nesting->parts.count ? &VEC_LAST(&nesting->parts) : NULL;
    if (token->kind == TOKEN_SEMICOLON)
        return !at_bracket(nesting);
    if (token->kind == TOKEN_STRING) /* the title of a start state */
        return part && part->opener == KEY_STARTSTATE && token[-1].kind == KEY_STARTSTATE;
    return is_section(token->kind) || opens_list_at_once(token) || begins_list(nesting, token);
}

static void enter(struct murphi_nesting *nesting, const struct token *token, struct format_token *made)
{
    bool is_part = opens_part(nesting, token);
    if (is_opener(token->kind)) {
        made->opens = true;
        push(nesting, token->kind, PART_EXPRESSION);
    } else if (is_part) {
        made->opens = true;
        push(nesting, token->kind, opens_list_at_once(token) ? PART_LIST : PART_EXPRESSION);
    } else if (is_section(token->kind) && !at_bracket(nesting)) {
        made->opens = true;
        push(nesting, token->kind, PART_SECTION);
    }
    nesting->begins = (!is_part || opens_list_at_once(token)) && begins_behind(nesting, token);
}

/* Behind the end of a statement or rule another one may begin; behind that of an expression it goes on. */
static void leave(struct murphi_nesting *nesting)
{
    struct murphi_part part = VEC_POP(&nesting->parts);
    bool is_value =
        is_opener(part.opener) || part.opener == KEY_FORALL || part.opener == KEY_EXISTS || part.opener == KEY_RECORD;
    nesting->begins = !is_value;
}

static void nest(struct murphi_nesting *nesting, const struct token *token, struct format_token *made)
{
    while (ends_section(nesting, token) || ((is_end(token) || token->kind == KEY_BEGIN) && nesting->parts.count &&
                                            VEC_LAST(&nesting->parts).kind == PART_SECTION)) {
        (void)VEC_POP(&nesting->parts);
        made->drops++;
    }
    made->turns = turns(nesting, token);
    made->hangs = !made->turns && hangs(nesting, token);
    if ((is_end(token) || is_closer(token->kind)) && nesting->parts.count) {
        made->closes = true;
        made->hangs = false;
        leave(nesting);
        return;
    }
    bool is_case = made->turns && token->kind == KEY_CASE;
    if (is_case || (made->turns && token->kind == KEY_ELSIF))
        VEC_LAST(&nesting->parts).kind = PART_EXPRESSION;
    else if (begins_list(nesting, token) && nesting->parts.count && !at_bracket(nesting))
        VEC_LAST(&nesting->parts).kind = PART_LIST;
    enter(nesting, token, made);
}

/* Is it an operator with one operand here, which it stands close to? */
static bool is_prefix(const struct token *token, bool is_first)
{
    if (token->kind == TOKEN_NOT || token->kind == TOKEN_TILDE)
        return true;
    if ((token->kind != TOKEN_MINUS && token->kind != TOKEN_PLUS) || is_first)
        return token->kind == TOKEN_MINUS || token->kind == TOKEN_PLUS;
    switch (token[-1].kind) {
    case TOKEN_NAME:
    case TOKEN_NUMBER:
    case TOKEN_STRING:
    case TOKEN_CLOSE_PAREN:
    case TOKEN_CLOSE_BRACKET:
    case TOKEN_CLOSE_BRACE:
    case KEY_TRUE:
    case KEY_FALSE:
    case KEY_END:
    case KEY_ENDFORALL:
    case KEY_ENDEXISTS:
        return false;
    default:
        return true;
    }
}

/* Behind a name or keyword of a call or type the parenthesis follows at once: f(x), a[i], scalarset(3). */
static bool is_called(enum token_kind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_CLOSE_PAREN || kind == TOKEN_CLOSE_BRACKET || kind == KEY_SCALARSET ||
           kind == KEY_ISMEMBER || kind == KEY_ISUNDEFINED;
}

/* An operator between numbers: N-1 stays as it is, and so does N - 1. */
static bool is_arithmetic(const struct token *token)
{
    return token->kind >= TOKEN_PLUS && token->kind <= TOKEN_PERCENT;
}

static bool is_tight(const struct token *token)
{
    return is_arithmetic(token) && format_touches(token[-1].span, token->span) &&
           format_touches(token->span, token[1].span);
}

static bool is_glued(const struct token *tokens, size_t at)
{
    const struct token *token = &tokens[at], *before = at ? &tokens[at - 1] : NULL;
    if (!before)
        return true;
    /* Two dashes would be a comment, and an arrow one. */
    if (before->kind == TOKEN_MINUS && (token->kind == TOKEN_MINUS || token->kind == TOKEN_GT))
        return false;
    switch (token->kind) {
    case TOKEN_SEMICOLON:
    case TOKEN_COMMA:
    case TOKEN_DOT:
    case TOKEN_DOTDOT:
    case TOKEN_CLOSE_PAREN:
    case TOKEN_CLOSE_BRACKET:
        return true;
    case TOKEN_COLON:
        return true;
    case TOKEN_OPEN_PAREN:
    case TOKEN_OPEN_BRACKET:
        if (is_called(before->kind) && before->soft != SOFT_MULTISET &&
            !(token->kind == TOKEN_OPEN_PAREN && before->kind == TOKEN_CLOSE_PAREN))
            return true;
        break;
    default:
        break;
    }
    if ((at > 1 && !is_prefix(before, false) && is_tight(before)) || is_tight(token))
        return true;
    return before->kind == TOKEN_DOT || before->kind == TOKEN_DOTDOT || before->kind == TOKEN_OPEN_PAREN ||
           before->kind == TOKEN_OPEN_BRACKET || is_prefix(before, at == 1);
}

bool murphi_format(const struct source *source, bool asks, struct format_tokens *out, struct diagnostics *diagnostics)
{
    struct arena *arena = arena_create();
    struct tokens tokens = {0};
    struct diagnostics lexical = {0};
    lexer_read(source, DIALECT_AUTO, arena, &lexical, &tokens);
    if (asks)
        parse_properties(arena, &tokens, diagnostics);
    else
        parse_model(arena, &tokens, diagnostics);
    report_lexical(diagnostics, &lexical);
    struct murphi_nesting nesting = {.tokens = tokens.items, .begins = true};
    for (size_t i = 0; i + 1 < tokens.count && !diagnostics->errors; i++) {
        struct format_token made = {.span = tokens.items[i].span, .is_glued = is_glued(tokens.items, i)};
        nest(&nesting, &tokens.items[i], &made);
        if (tokens.items[i].kind == TOKEN_COLON && nesting.questions) {
            nesting.questions--;
            made.is_glued = false;
        }
        nesting.questions += tokens.items[i].kind == TOKEN_QUESTION;
        if (tokens.items[i].kind == TOKEN_SEMICOLON)
            nesting.questions = 0;
        VEC_PUSH(out, made);
    }
    out->line_comment = "--";
    out->has_blocks = true;
    VEC_FREE(&nesting.parts);
    tokens_free(&tokens);
    arena_destroy(arena);
    return !diagnostics->errors;
}
