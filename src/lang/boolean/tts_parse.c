#include <string.h>

#include "base/scan.h"
#include "lang/boolean/tts.h"

enum { TTS_MAX_STATES = 1 << 20 };

struct tts_reader {
    struct scanner scanner;
    struct diagnostics *diagnostics;
};

static void skip_blanks(struct tts_reader *reader)
{
    while (scan_skip_blank(&reader->scanner) || scan_peek(&reader->scanner, 0) == '#')
        if (scan_peek(&reader->scanner, 0) == '#')
            reader->scanner.at += scan_line_rest(&reader->scanner);
}

static bool is_over(struct tts_reader *reader)
{
    skip_blanks(reader);
    return scan_is_over(&reader->scanner);
}

static size_t number_length(const struct tts_reader *reader)
{
    size_t length = 0;
    while (scan_is_digit(scan_peek(&reader->scanner, length)))
        length++;
    return length;
}

/* Says what was expected where something else stands. */
static bool expected(struct tts_reader *reader, const char *what)
{
    bool is_end = is_over(reader);
    report_error(reader->diagnostics, scan_span(&reader->scanner, 1), "expected %s%s", what,
                 is_end ? ", found the end of the file" : "");
    return false;
}

/* A number below `limit`, of which there are `what`. */
static bool read_number(struct tts_reader *reader, uint32_t limit, const char *what, uint32_t *number)
{
    skip_blanks(reader);
    size_t length = number_length(reader);
    if (!length)
        return expected(reader, "a number");
    uint64_t value = 0;
    for (size_t i = 0; i < length && value < limit; i++)
        value = 10 * value + (uint64_t)(scan_peek(&reader->scanner, i) - '0');
    if (value >= limit) {
        report_error(reader->diagnostics, scan_span(&reader->scanner, length), "there are only %u %s (0 to %u)", limit,
                     what, limit - 1);
        return false;
    }
    *number = (uint32_t)value;
    reader->scanner.at += length;
    return true;
}

/* How many there are, at least 1. */
static bool read_count(struct tts_reader *reader, const char *what, uint32_t *count)
{
    skip_blanks(reader);
    struct span span = scan_span(&reader->scanner, number_length(reader));
    if (!number_length(reader))
        return expected(reader, "a number of states");
    bool ok = span.length <= 7;
    ok = ok && read_number(reader, 10000000, "states", count) && *count >= 1 && *count <= TTS_MAX_STATES;
    if (!ok)
        report_error(reader->diagnostics, span, "the number of %s must be between 1 and %d", what, TTS_MAX_STATES);
    return ok;
}

static bool read_arrow(struct tts_reader *reader, bool *is_spawn)
{
    skip_blanks(reader);
    *is_spawn = scan_starts_with(&reader->scanner, "+>");
    if (scan_starts_with(&reader->scanner, "~>")) {
        report_error(reader->diagnostics, scan_span(&reader->scanner, 2), "edges \"~>\" are not supported");
        return false;
    }
    if (!*is_spawn && !scan_starts_with(&reader->scanner, "->"))
        return expected(reader, "\"->\" or \"+>\"");
    reader->scanner.at += 2;
    return true;
}

static bool read_edge(struct tts_reader *reader, struct tts *tts)
{
    skip_blanks(reader);
    struct tts_edge edge = {.span = scan_span(&reader->scanner, scan_line_rest(&reader->scanner))};
    while (edge.span.length > 1 && strchr(" \t\r", scan_peek(&reader->scanner, edge.span.length - 1)))
        edge.span.length--;
    bool ok = read_number(reader, tts->shared_count, "shared states", &edge.shared) &&
              read_number(reader, tts->local_count, "local states", &edge.local) &&
              read_arrow(reader, &edge.is_spawn) &&
              read_number(reader, tts->shared_count, "shared states", &edge.next_shared) &&
              read_number(reader, tts->local_count, "local states", &edge.next_local);
    if (ok)
        VEC_PUSH(&tts->edges, edge);
    return ok;
}

/* After an error, what stands on the next line. */
static void go_on(struct tts_reader *reader)
{
    reader->scanner.at += scan_line_rest(&reader->scanner);
}

void tts_parse(const struct source *source, struct diagnostics *diagnostics, struct tts *tts)
{
    struct tts_reader reader = {scan_begin(source), diagnostics};
    skip_blanks(&reader);
    tts->span = scan_span(&reader.scanner, 1);
    if (!read_count(&reader, "shared states", &tts->shared_count) ||
        !read_count(&reader, "local states", &tts->local_count)) {
        if (diagnostics->count)
            diag_hint(diagnostics, "a thread transition system begins with the numbers of shared and of local states");
        return;
    }
    while (!is_over(&reader) && diagnostics->errors < DIAGNOSTICS_MAX_ERRORS && !diag_is_late(diagnostics))
        if (!read_edge(&reader, tts))
            go_on(&reader);
}

static bool take(struct tts_reader *reader, char c)
{
    skip_blanks(reader);
    bool is_there = scan_peek(&reader->scanner, 0) == c;
    reader->scanner.at += is_there;
    return is_there;
}

static bool read_bad(struct tts_reader *reader, struct tts *tts)
{
    skip_blanks(reader);
    struct tts_bad bad = {.span = scan_span(&reader->scanner, 1)};
    size_t start = reader->scanner.at;
    if (!read_number(reader, tts->shared_count, "shared states", &bad.shared))
        return false;
    if (!take(reader, '|'))
        return expected(reader, "\"|\" between the shared and the local state");
    do {
        if (bad.count == TTS_MAX_TOGETHER)
            return expected(reader, "no more than 8 local states");
        if (!read_number(reader, tts->local_count, "local states", &bad.locals[bad.count++]))
            return false;
        bad.span.length = (uint32_t)(reader->scanner.at - start);
    } while (take(reader, ','));
    VEC_PUSH(&tts->bad, bad);
    return true;
}

void tts_parse_bad(const struct source *source, struct diagnostics *diagnostics, struct tts *tts)
{
    struct tts_reader reader = {scan_begin(source), diagnostics};
    while (!is_over(&reader) && diagnostics->errors < DIAGNOSTICS_MAX_ERRORS && !diag_is_late(diagnostics))
        if (!read_bad(&reader, tts)) {
            if (diagnostics->count)
                diag_hint(diagnostics, "a property is a pair SHARED|LOCAL that is never reached, as in 4|20");
            go_on(&reader);
        }
}

void tts_free(struct tts *tts)
{
    VEC_FREE(&tts->edges);
    VEC_FREE(&tts->bad);
}
