#include "lsp/transport.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"

enum { HEAD_MOST = 4096, READ_AT_ONCE = 1 << 16 };

static const char length_word[] = "Content-Length:";

void transport_fill(struct lsp_transport *transport)
{
    char buffer[READ_AT_ONCE];
    ssize_t count = read(transport->in, buffer, sizeof buffer);
    if (count > 0)
        text_append_n(&transport->got, buffer, (size_t)count);
    else if (!count || (errno != EINTR && errno != EAGAIN))
        transport->is_over = true;
}

/* What was taken is forgotten when it is most of what there is: each byte is moved once or twice. */
static void forget(struct lsp_transport *transport)
{
    size_t left = transport->got.length - transport->taken;
    if (!transport->taken || (left && transport->taken < left))
        return;
    if (!left) {
        text_free(&transport->got);
    } else {
        memmove(transport->got.chars, transport->got.chars + transport->taken, left);
        transport->got.length = left;
        transport->got.chars[left] = '\0';
    }
    transport->taken = 0;
}

/* The end of the first empty line, or 0. */
static size_t head_end(const char *chars, size_t length)
{
    const char *end = memmem(chars, length, "\r\n\r\n", 4);
    return end ? (size_t)(end - chars) + 4 : 0;
}

/* The last word of its kind in the head: before it may stand the rest of a message whose length was wrong. */
static const char *find_length(const char *head, size_t length)
{
    const char *found = NULL;
    for (size_t i = 0; i + sizeof length_word - 1 <= length; i++)
        if (!strncasecmp(head + i, length_word, sizeof length_word - 1))
            found = head + i + sizeof length_word - 1;
    return found;
}

/* False: it is no number. More than 18 digits are as good as any. */
static bool read_length(const char *chars, uint64_t *length)
{
    while (*chars == ' ' || *chars == '\t')
        chars++;
    size_t digits = strspn(chars, "0123456789");
    *length = 0;
    for (size_t i = 0; i < digits; i++)
        *length = *length < UINT64_MAX / 100 ? 10 * *length + (uint64_t)(chars[i] - '0') : UINT64_MAX;
    return digits && chars[digits] == '\r';
}

static void skip(struct lsp_transport *transport)
{
    uint64_t left = transport->got.length - transport->taken;
    uint64_t count = left < transport->skipped ? left : transport->skipped;
    transport->taken += (size_t)count;
    transport->skipped -= count;
}

enum lsp_transport_event transport_next(struct lsp_transport *transport, const char **chars, size_t *length)
{
    for (;;) {
        skip(transport);
        forget(transport);
        const char *head = text_chars(&transport->got) + transport->taken;
        size_t left = transport->got.length - transport->taken, end = head_end(head, left);
        if (!end) {
            const char *word = find_length(head, left);
            if (left > HEAD_MOST && !word) /* no head begins here; one may be cut in its middle */
                transport->taken += left - (sizeof length_word - 1);
            else if (left > HEAD_MOST && left - (size_t)(word - head) > HEAD_MOST)
                transport->taken += (size_t)(word - head);
            return TRANSPORT_WAIT;
        }
        const char *word = find_length(head, end);
        uint64_t size;
        if (!word || !read_length(word, &size)) {
            transport->taken += end;
            continue;
        }
        if (size > TRANSPORT_MOST) {
            transport->taken += end;
            transport->skipped = size;
            return TRANSPORT_TOO_LONG;
        }
        if (left - end < size)
            return TRANSPORT_WAIT;
        *chars = head + end;
        *length = (size_t)size;
        transport->taken += end + (size_t)size;
        return TRANSPORT_MESSAGE;
    }
}

static void write_all(struct lsp_transport *transport, const char *chars, size_t length)
{
    for (size_t done = 0; done < length && !transport->is_over;) {
        ssize_t count = write(transport->out, chars + done, length - done);
        if (count > 0)
            done += (size_t)count;
        else if (errno != EINTR && errno != EAGAIN)
            transport->is_over = true;
    }
}

void transport_send(struct lsp_transport *transport, struct json *message)
{
    struct text body = {0}, framed = {0};
    json_print_compact(message, &body);
    json_free(message);
    text_format(&framed, "Content-Length: %zu\r\n\r\n", body.length);
    text_append_n(&framed, text_chars(&body), body.length);
    write_all(transport, framed.chars, framed.length);
    text_free(&body);
    text_free(&framed);
}

void transport_free(struct lsp_transport *transport)
{
    text_free(&transport->got);
}
