#include "base/scan.h"

#include <string.h>

#include "base/report.h"

struct scanner scan_begin(const struct source *source)
{
    struct scanner scanner = {source, 0, 0, 1};
    if (scan_starts_with(&scanner, "\xef\xbb\xbf"))
        scanner.at = 3;
    return scanner;
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

void scan_refuse_byte(struct scanner *scanner, struct diagnostics *diagnostics)
{
    unsigned char c = (unsigned char)scan_peek(scanner, 0);
    if (c < ' ' || c >= 0x7f)
        report_error(diagnostics, scan_span(scanner, 1), "unexpected byte 0x%02x", c);
    else
        report_error(diagnostics, scan_span(scanner, 1), "unexpected character \"%c\"", c);
    scanner->at++;
}

struct span scan_end_span(const struct scanner *scanner, const struct span *last)
{
    if (!last)
        return scan_span(scanner, 1);
    struct span span = *last;
    span.column += span.length ? span.length - 1 : 0;
    span.length = 1;
    return span;
}
