#include "base/format.h"

#include <string.h>

enum { TAB_WIDTH = 8, BLANKS_BEFORE_COMMENT = 2, WIDEST_ALIGNED = 80 };

/* A token or a comment, with what stood before it. */
struct format_piece {
    const char *chars;
    size_t length;
    const struct format_token *token; /* NULL: a comment */
    uint32_t breaks;                  /* ends of lines before it, at most 2 */
};

struct format_pieces {
    struct format_piece *items;
    size_t count, capacity;
};

/* A part that is open: how far lines inside it, and its end, are indented. */
struct format_part {
    uint32_t inner, outer;
};

struct format_writer {
    const struct format_pieces *pieces;
    VEC(struct format_part) parts;
    uint32_t indent; /* of the current line */
    const char *line_end, *level;
    struct text *out;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

bool format_touches(struct span first, struct span second)
{
    return first.line == second.line && first.column + first.length == second.column;
}

/* --- pieces --- */

/* The comment that begins here; 0: none does. */
static size_t comment_length(const struct format_tokens *tokens, const char *chars, size_t left)
{
    size_t opener = strlen(tokens->line_comment);
    if (left >= opener && !memcmp(chars, tokens->line_comment, opener)) {
        const char *end = memchr(chars, '\n', left);
        size_t length = end ? (size_t)(end - chars) : left;
        while (is_blank(chars[length - 1]))
            length--;
        return length;
    }
    const char *end =
        tokens->has_blocks && left >= 4 && !memcmp(chars, "/*", 2) ? memmem(chars + 2, left - 2, "*/", 2) : NULL;
    return end ? (size_t)(end - chars) + 2 : 0;
}

/* Comments between two tokens, and the ends of lines before the second one. False: there is something else. */
static bool add_gap(const struct format_tokens *tokens, const char *chars, size_t length, struct format_pieces *pieces,
                    uint32_t *breaks)
{
    *breaks = 0;
    for (size_t at = 0; at < length;) {
        if (is_blank(chars[at])) {
            *breaks += chars[at] == '\n';
            at++;
            continue;
        }
        size_t size = comment_length(tokens, chars + at, length - at);
        if (!size)
            return false;
        struct format_piece comment = {.chars = chars + at, .length = size, .breaks = *breaks < 2 ? *breaks : 2};
        VEC_PUSH(pieces, comment);
        *breaks = 0;
        at += size;
    }
    *breaks = *breaks < 2 ? *breaks : 2;
    return true;
}

static size_t mark_length(const struct source *source)
{
    return source->length >= 3 && !memcmp(source->text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/* Walks along the text with the tokens: lines are counted by \n and columns in bytes, as in all front ends. */
static bool find_pieces(const struct source *source, const struct format_tokens *tokens, struct format_pieces *pieces)
{
    size_t at = mark_length(source), line_start = 0;
    uint32_t line = 1, breaks;
    for (size_t i = 0; i < tokens->count; i++) {
        struct span span = tokens->items[i].span;
        while (line < span.line) {
            const char *end = memchr(source->text + line_start, '\n', source->length - line_start);
            if (!end)
                return false;
            line_start = (size_t)(end - source->text) + 1;
            line++;
        }
        size_t from = line_start + span.column - 1;
        if (line != span.line || from < at || from + span.length > source->length ||
            !add_gap(tokens, source->text + at, from - at, pieces, &breaks))
            return false;
        struct format_piece piece = {source->text + from, span.length, &tokens->items[i], breaks};
        VEC_PUSH(pieces, piece);
        at = from + span.length;
    }
    return add_gap(tokens, source->text + at, source->length - at, pieces, &breaks);
}

/* --- writing --- */

static void end_line(struct format_writer *writer)
{
    text_append(writer->out, writer->line_end);
}

static void drop(struct format_writer *writer, uint32_t count)
{
    for (; count && writer->parts.count; count--)
        (void)VEC_POP(&writer->parts);
}

static uint32_t inner(const struct format_writer *writer)
{
    return writer->parts.count ? VEC_LAST(&writer->parts).inner : 0;
}

static uint32_t token_indent(const struct format_writer *writer, const struct format_token *token)
{
    if (token->is_raw)
        return 0;
    if ((token->closes || token->turns) && writer->parts.count)
        return VEC_LAST(&writer->parts).outer;
    return inner(writer) + token->hangs;
}

/* Behind a part without an end of its own, a comment after an empty line belongs to what follows. */
static uint32_t comment_indent(struct format_writer *writer, size_t at)
{
    size_t next = at;
    while (next < writer->pieces->count && !writer->pieces->items[next].token)
        next++;
    bool is_last = next == writer->pieces->count;
    uint32_t drops = is_last ? (uint32_t)writer->parts.count : writer->pieces->items[next].token->drops;
    if (!drops || writer->pieces->items[at].breaks < 2)
        return inner(writer);
    size_t left = drops < writer->parts.count ? writer->parts.count - drops : 0;
    return left ? writer->parts.items[left - 1].inner : 0;
}

static void nest(struct format_writer *writer, const struct format_token *token)
{
    if (token->closes)
        drop(writer, 1);
    if (token->opens) {
        struct format_part part = {.inner = writer->indent + 1, .outer = writer->indent};
        VEC_PUSH(&writer->parts, part);
    }
}

/* The ends of lines inside a comment become those of the text. */
static void write_piece(const struct format_writer *writer, const struct format_piece *piece)
{
    for (size_t i = 0; i < piece->length; i++)
        if (piece->chars[i] == '\n')
            text_append(writer->out, writer->line_end);
        else if (piece->chars[i] != '\r' || i + 1 == piece->length || piece->chars[i + 1] != '\n')
            text_char(writer->out, piece->chars[i]);
}

static void begin_line(struct format_writer *writer, const struct format_piece *piece, bool is_first, size_t at)
{
    for (uint32_t i = 0; i < piece->breaks && !is_first; i++)
        end_line(writer);
    if (piece->token)
        writer->indent = token_indent(writer, piece->token);
    else if (is_first || piece->breaks > 1 || writer->pieces->items[at - 1].token)
        writer->indent = comment_indent(writer, at); /* those that follow it stand below it */
    for (uint32_t i = 0; i < writer->indent; i++)
        text_append(writer->out, writer->level);
}

static size_t width(const char *chars, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += chars[i] == '\t' ? TAB_WIDTH : ((unsigned char)chars[i] & 0xc0) != 0x80;
    return count;
}

/* --- comments at the ends of lines --- */

/* Blanks are put before the comments of neighbouring lines, so that they begin in one column. `marks`: where such
 * comments stand in `chars`. */
static void align_comments(const char *chars, size_t length, const size_t *marks, size_t count, struct text *out)
{
    size_t done = 0;
    for (size_t first = 0; first < count;) {
        size_t last = first, widest = 0;
        for (;; last++) {
            const char *line = memrchr(chars, '\n', marks[last]);
            size_t own = width(line ? line + 1 : chars, marks[last] - (line ? (size_t)(line - chars) + 1 : 0));
            if (own <= WIDEST_ALIGNED && own > widest)
                widest = own;
            const char *end = memchr(chars + marks[last], '\n', length - marks[last]);
            const char *next = end ? memchr(end + 1, '\n', length - (size_t)(end + 1 - chars)) : NULL;
            size_t next_end = next ? (size_t)(next - chars) : length;
            if (last + 1 == count || !end || marks[last + 1] > next_end)
                break;
        }
        for (; first <= last; first++) {
            const char *line = memrchr(chars, '\n', marks[first]);
            size_t own = width(line ? line + 1 : chars, marks[first] - (line ? (size_t)(line - chars) + 1 : 0));
            text_append_n(out, chars + done, marks[first] - done);
            for (size_t blanks = BLANKS_BEFORE_COMMENT + (own < widest ? widest - own : 0); blanks; blanks--)
                text_char(out, ' ');
            done = marks[first];
        }
    }
    text_append_n(out, chars + done, length - done);
}

/* --- all of it --- */

static bool ends_line(const struct format_pieces *pieces, size_t at)
{
    return at + 1 == pieces->count || pieces->items[at + 1].breaks;
}

static void write_text(const struct source *source, const char *level, const struct format_pieces *pieces,
                       struct text *out)
{
    struct text raw = {0};
    VEC(size_t) marks = {0};
    const char *first_end = memchr(source->text, '\n', source->length);
    bool has_returns = first_end && first_end > source->text && first_end[-1] == '\r';
    struct format_writer writer = {
        .pieces = pieces, .line_end = has_returns ? "\r\n" : "\n", .level = level ? level : "  ", .out = &raw};
    text_append_n(&raw, source->text, mark_length(source));
    for (size_t i = 0; i < pieces->count; i++) {
        const struct format_piece *piece = &pieces->items[i];
        if (piece->token)
            drop(&writer, piece->token->drops);
        if (!i || piece->breaks)
            begin_line(&writer, piece, !i, i);
        else if (!piece->token && ends_line(pieces, i))
            VEC_PUSH(&marks, raw.length);
        else if (!piece->token || !pieces->items[i - 1].token || !piece->token->is_glued)
            text_char(&raw, ' ');
        write_piece(&writer, piece);
        if (piece->token)
            nest(&writer, piece->token);
    }
    if (pieces->count)
        end_line(&writer);
    align_comments(text_chars(&raw), raw.length, marks.items, marks.count, out);
    text_free(&raw);
    VEC_FREE(&marks);
    VEC_FREE(&writer.parts);
}

/* --- the proof --- */

static bool same_piece(const struct format_piece *a, const struct format_piece *b)
{
    size_t i = 0, j = 0;
    while (i < a->length || j < b->length) {
        i += i < a->length && a->chars[i] == '\r';
        j += j < b->length && b->chars[j] == '\r';
        if (i == a->length || j == b->length)
            break;
        if (a->chars[i++] != b->chars[j++])
            return false;
    }
    return i == a->length && j == b->length && !a->token == !b->token;
}

static bool same_pieces(const struct format_pieces *a, const struct format_pieces *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_piece(&a->items[i], &b->items[i]))
            return false;
    return true;
}

/* Does what was written have the same tokens and comments, and is it laid out? */
static bool is_proved(const struct format_pieces *pieces, const struct source *made, bool asks, format_reader *read)
{
    struct format_tokens tokens = {0};
    struct format_pieces again = {0};
    struct diagnostics diagnostics = {0};
    struct text twice = {0};
    bool is_good =
        read(made, asks, &tokens, &diagnostics) && find_pieces(made, &tokens, &again) && same_pieces(pieces, &again);
    if (is_good) {
        write_text(made, tokens.indent, &again, &twice);
        is_good = twice.length == made->length && !memcmp(text_chars(&twice), made->text, made->length);
    }
    text_free(&twice);
    VEC_FREE(&tokens);
    VEC_FREE(&again);
    diag_free(&diagnostics);
    return is_good;
}

bool format_source(const struct source *source, bool asks, format_reader *read, struct text *out,
                   struct diagnostics *diagnostics)
{
    struct format_tokens tokens = {0};
    struct format_pieces pieces = {0};
    struct text made = {0};
    bool is_good = read(source, asks, &tokens, diagnostics);
    if (is_good) {
        is_good = find_pieces(source, &tokens, &pieces);
        if (is_good)
            write_text(source, tokens.indent, &pieces, &made);
        struct source *result = source_from_text(source->path, text_chars(&made), made.length);
        is_good = is_good && is_proved(&pieces, result, asks, read);
        source_free(result);
        if (!is_good)
            diag_error(diagnostics, (struct span){.source = source},
                       "internal error: the layout would change the text, which stays as it is");
    }
    if (is_good)
        text_append_n(out, text_chars(&made), made.length);
    text_free(&made);
    VEC_FREE(&tokens);
    VEC_FREE(&pieces);
    return is_good;
}
