#include "base/scan.h"

#include <string.h>
#include <strings.h>

#include "base/report.h"

struct scanner scan_begin(const struct source *source)
{
    struct scanner scanner = {source, 0, 0, 1};
    if (scan_starts_with(&scanner, "\xef\xbb\xbf"))
        scanner.at = 3;
    return scanner;
}

bool scan_begins_with(const char *text, const char *words)
{
    while (*words) {
        size_t size = strcspn(words, " ");
        if (!strncasecmp(text, words, size) && !scan_is_letter(text[size]) && !scan_is_digit(text[size]))
            return true;
        words += size + (words[size] == ' ');
    }
    return false;
}

bool scan_starts_with(const struct scanner *scanner, const char *text)
{
    size_t length = strlen(text);
    return scanner->source->length - scanner->at >= length &&
           !memcmp(scanner->source->text + scanner->at, text, length);
}

struct span scan_span(const struct scanner *scanner, size_t length)
{
    return (struct span){scanner->source, scanner->line, (uint32_t)(scanner->at - scanner->line_start + 1),
                         (uint32_t)length};
}

bool scan_skip_blank(struct scanner *scanner)
{
    char c = scan_peek(scanner, 0);
    if (c != ' ' && !(c >= '\t' && c <= '\r'))
        return false;
    scanner->at++;
    if (c == '\n') {
        scanner->line++;
        scanner->line_start = scanner->at;
    }
    return true;
}

size_t scan_line_rest(const struct scanner *scanner)
{
    size_t length = 0;
    while (scanner->at + length < scanner->source->length && scan_peek(scanner, length) != '\n')
        length++;
    return length;
}

size_t scan_word_length(const struct scanner *scanner)
{
    size_t length = 1;
    while (scan_is_letter(scan_peek(scanner, length)) || scan_is_digit(scan_peek(scanner, length)))
        length++;
    return length;
}

const struct scan_spelling *scan_find(const struct scanner *scanner, const struct scan_spelling *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (scan_starts_with(scanner, table[i].text))
            return &table[i];
    return NULL;
}

const char *scan_spelling_of(const struct scan_spelling *table, size_t count, int kind)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].kind == kind)
            return table[i].text;
    return NULL;
}

/* Of the UTF-8 character that stands here; 1 if there is none. */
static size_t character_length(const struct scanner *scanner)
{
    size_t length = 1;
    while ((unsigned char)scan_peek(scanner, 0) >= 0xc0 && length < 4 &&
           ((unsigned char)scan_peek(scanner, length) & 0xc0) == 0x80)
        length++;
    return length;
}

void scan_refuse(struct scanner *scanner, struct diagnostics *diagnostics)
{
    unsigned char c = (unsigned char)scan_peek(scanner, 0);
    size_t length = character_length(scanner);
    bool is_text = length > 1 || (c >= ' ' && c < 0x7f);
    if (is_text)
        report_error(diagnostics, scan_span(scanner, length), "unexpected character \"%.*s\"", (int)length,
                     scanner->source->text + scanner->at);
    else
        report_error(diagnostics, scan_span(scanner, 1), "unexpected byte 0x%02x", c);
    scanner->at = is_text ? scanner->at + length : scanner->source->length;
}

struct span scan_end_span(const struct scanner *scanner, const struct span *last, const struct diagnostics *lexical)
{
    struct span span = last ? *last : scan_span(scanner, 1);
    if (last) {
        span.column += span.length ? span.length - 1 : 0;
        span.length = 1;
    }
    const struct diagnostic *error = lexical->count ? &lexical->items[lexical->count - 1] : NULL;
    return error && error->span.source == span.source && span_is_before(span, error->span) ? error->span : span;
}
