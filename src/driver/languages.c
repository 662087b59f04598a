#include "driver/languages.h"

#include <string.h>

#include "base/scan.h"
#include "lang/boolean/boolean.h"
#include "lang/murphi/murphi.h"
#include "lang/prism/prism.h"
#include "lang/promela/promela.h"

const struct language *const languages[LANGUAGE_COUNT] = {&language_murphi, &language_prism, &language_boolean,
                                                          &language_tts, &language_promela};

/* Behind blanks and the comments of all languages. */
static const char *first_word(const char *text)
{
    for (;;) {
        const char *start = text, *end = NULL;
        text += strspn(text, " \t\r\n\v\f");
        if (!strncmp(text, "--", 2) || !strncmp(text, "//", 2))
            text += strcspn(text, "\n");
        else if (!strncmp(text, "/*", 2) && (end = strstr(text, "*/")))
            text = end + 2;
        if (text == start)
            return text;
    }
}

void report_other_language(const struct language *read, const struct source *source, struct diagnostics *diagnostics)
{
    const char *word = first_word(source->text);
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        if (languages[i] == read || scan_begins_with(word, read->openings) ||
            !scan_begins_with(word, languages[i]->openings))
            continue;
        diag_free(diagnostics);
        diag_error(diagnostics, (struct span){.source = source}, "this is a %s model, which was read as a %s model",
                   languages[i]->title, read->title);
        diag_hint(diagnostics, "say --language %s, or name it as %s models are (%s)", languages[i]->name,
                  languages[i]->title, languages[i]->extensions);
    }
}

static bool are_all_errors_in(const struct diagnostics *diagnostics, const struct source *source)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        if (diagnostics->items[i].severity == SEVERITY_ERROR && diagnostics->items[i].span.source != source)
            return false;
    return true;
}

static const struct language *language_of_property(const char *text)
{
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (languages[i]->begins_property && languages[i]->begins_property(text))
            return languages[i];
    return NULL;
}

/* The line from the word on. */
static struct span span_of_rest(const struct source *source, const char *word)
{
    struct span span = {.source = source, .line = 1, .length = (uint32_t)strcspn(word, "\r\n")};
    const char *line = source->text;
    for (const char *at = line; at < word; at++)
        if (*at == '\n') {
            span.line++;
            line = at + 1;
        }
    span.column = (uint32_t)(word - line) + 1;
    return span;
}

/* The first line that begins as properties of one language do tells the language; constants may stand before it. */
void report_other_properties(const struct language *read, const struct source *source, struct diagnostics *diagnostics)
{
    const struct language *found = NULL;
    if (!source || !read->begins_property || !are_all_errors_in(diagnostics, source))
        return;
    const char *word = first_word(source->text);
    while (*word && !(found = language_of_property(word)))
        word = first_word(word + strcspn(word, "\n"));
    if (!found || found == read)
        return;
    diag_free(diagnostics);
    diag_error(diagnostics, span_of_rest(source, word), "this is a %s property, and the model is a %s model",
               found->title, read->title);
    diag_hint(diagnostics, "write %s", read->property_form);
}
