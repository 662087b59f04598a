/* Hints for what other languages write otherwise. */
#include <string.h>

#include "lang/promela/parse.h"

static const struct foreign_word {
    const char *word, *hint;
} foreign_words[] = {
    {"and", "\"and\" is written &&"},
    {"or", "\"or\" is written ||"},
    {"not", "\"not\" is written !"},
    {"then", "behind a condition write ->"},
    {"while", "a loop is written: do :: condition -> ... :: else -> break od"},
    {"endif", "an if ends in fi"},
    {"elif", "each case is an option: if :: condition -> ... :: else -> ... fi"},
    {"elsif", "each case is an option: if :: condition -> ... :: else -> ... fi"},
    {"switch", "each case is an option: if :: x == 1 -> ... :: else -> ... fi"},
    {"boolean", "the type is called bool"},
    {"integer", "the type is called int"},
    {"uint", "write: unsigned x : 8, with the number of bits"},
    {"long", "the widest type is int"},
    {"char", "characters are numbers: byte"},
    {"void", "what is used in several places is an inline or a proctype"},
    {"G", "\"always\" is written []"},
    {"F", "\"eventually\" is written <>"},
};

const char *pml_foreign_word(const char *word)
{
    for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++)
        if (!strcmp(foreign_words[i].word, word))
            return foreign_words[i].hint;
    return NULL;
}

/* The character in front of the token, in the text. */
static char before(const struct pml_token *token)
{
    const char *text = token->span.source ? token->span.source->text : NULL;
    size_t at = text ? token->from : 0;
    return at ? text[at - 1] : ' ';
}

/* Two signs that are one in other languages. */
static const char *foreign_sign(const struct pml_token *token)
{
    char sign = before(token);
    if (token->kind == PMT_BECOMES && (sign == '+' || sign == '-' || sign == '*' || sign == '/'))
        return "there is no += and the like: write x = x + ...";
    if (token->kind == PMT_GT && sign == '<')
        return "\"not equal\" is written !=";
    if (token->kind == PMT_INCREMENT || token->kind == PMT_DECREMENT)
        return "++ and -- stand behind the variable, and are a statement: x++";
    return token->kind == PMT_NAME ? pml_foreign_word(token->text) : NULL;
}

void pml_hint_foreign(struct pml_parser *parser)
{
    const char *hint = foreign_sign(parser->token);
    if (hint)
        diag_hint(parser->syntax.diagnostics, "%s", hint);
}
