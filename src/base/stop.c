#include "base/stop.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"

struct stop stop_vbecause(enum stop_kind kind, const char *format, va_list arguments)
{
    struct stop stop = {.kind = kind};
    text_set_once(&stop.detail, format, arguments);
    return stop;
}

struct stop stop_because(enum stop_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct stop stop = stop_vbecause(kind, format, arguments);
    va_end(arguments);
    return stop;
}

struct stop stop_copy(const struct stop *stop)
{
    struct stop copy = *stop;
    copy.detail = stop->detail ? memory_string(stop->detail) : NULL;
    return copy;
}

void stop_free(struct stop *stop)
{
    free(stop->detail);
    *stop = (struct stop){0};
}

void stop_once(struct stop *slot, struct stop reason)
{
    if (stop_is_set(slot))
        stop_free(&reason);
    else
        *slot = reason;
}

static void print_limit(const struct stop *stop, struct text *out)
{
    switch (stop->kind) {
    case STOP_TIME:
        text_format(out, "time limit (%g s)", stop->seconds);
        break;
    case STOP_MEMORY:
        if (!stop->limit) {
            text_append(out, "out of memory");
            break;
        }
        text_append(out, "memory limit (");
        text_bytes(out, stop->limit);
        text_char(out, ')');
        break;
    case STOP_STATES:
        text_format(out, "state limit (%llu)", (unsigned long long)stop->limit);
        break;
    case STOP_DEPTH:
        text_format(out, "depth limit (%llu)", (unsigned long long)stop->limit);
        break;
    default:
        text_append(out, "work limit");
    }
}

/* What is said where there is no detail. */
static const char *plain_words(enum stop_kind kind)
{
    switch (kind) {
    case STOP_NONE:
        return "";
    case STOP_INTERRUPTED:
        return "interrupted";
    case STOP_VIOLATION:
        return "first violation";
    case STOP_DECIDED:
        return "every property is decided";
    case STOP_FAULT:
        return "run-time error";
    case STOP_REFUSED:
        return "not supported";
    case STOP_FAILED:
        return "internal error";
    default:
        return "undecided";
    }
}

void stop_print(const struct stop *stop, struct text *out)
{
    bool is_limit = stop->kind >= STOP_TIME && stop->kind <= STOP_WORK;
    if (is_limit)
        print_limit(stop, out);
    else if (!stop->detail || stop->kind == STOP_INTERRUPTED)
        text_append(out, plain_words(stop->kind));
    if (stop->detail && (is_limit || stop->kind == STOP_INTERRUPTED))
        text_append(out, ", ");
    if (stop->detail)
        text_append(out, stop->detail);
    if (stop->line)
        text_format(out, " (line %u)", stop->line);
}

const char *stop_kind_name(enum stop_kind kind)
{
    static const char *const names[] = {
        [STOP_INTERRUPTED] = "interrupted", [STOP_TIME] = "time",           [STOP_MEMORY] = "memory",
        [STOP_STATES] = "states",           [STOP_DEPTH] = "depth",         [STOP_WORK] = "work",
        [STOP_VIOLATION] = "violation",     [STOP_DECIDED] = "decided",     [STOP_FAULT] = "fault",
        [STOP_REFUSED] = "refused",         [STOP_UNDECIDED] = "undecided", [STOP_FAILED] = "failed",
    };
    return names[kind];
}
