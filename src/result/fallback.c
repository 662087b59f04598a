#include "result/fallback.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "result/verdict.h"

static void fallback_free(struct fallback *fallback)
{
    for (size_t i = 0; i < fallback->names.count; i++)
        free(fallback->names.items[i]);
    VEC_FREE(&fallback->names);
    VEC_FREE(&fallback->lines);
    free(fallback->what);
    free(fallback->why);
}

/* The fallback with these words, about properties or about the search; a new one if there is none. */
static struct fallback *fallbacks_find(fallback_list *list, const char *what, const char *why, bool is_about_search)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].what, what) && !strcmp(list->items[i].why, why) &&
            is_about_search == !list->items[i].names.count)
            return &list->items[i];
    VEC_PUSH(list, ((struct fallback){.what = memory_string(what), .why = memory_string(why)}));
    return &VEC_LAST(list);
}

static void fallback_add_property(struct fallback *fallback, const char *name, uint32_t line)
{
    for (size_t i = 0; i < fallback->names.count; i++)
        if (!strcmp(fallback->names.items[i], name) && fallback->lines.items[i] == line)
            return;
    VEC_PUSH(&fallback->names, memory_string(name));
    VEC_PUSH(&fallback->lines, line);
}

void result_fall_back(struct result *result, const struct property *property, const char *what, const char *why, ...)
{
    struct text words = {0};
    va_list arguments;
    va_start(arguments, why);
    text_vformat(&words, why, arguments);
    va_end(arguments);
    struct fallback *fallback = fallbacks_find(&result->fallbacks, what, text_chars(&words), !property);
    if (property)
        fallback_add_property(fallback, property->name, property->span.line);
    text_free(&words);
}

void result_take_fallbacks(struct result *to, struct result *from)
{
    for (size_t i = 0; i < from->fallbacks.count; i++) {
        const struct fallback *taken = &from->fallbacks.items[i];
        struct fallback *own = fallbacks_find(&to->fallbacks, taken->what, taken->why, !taken->names.count);
        for (size_t n = 0; n < taken->names.count; n++)
            fallback_add_property(own, taken->names.items[n], taken->lines.items[n]);
    }
    fallbacks_free(&from->fallbacks);
}

void fallbacks_free(fallback_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        fallback_free(&list->items[i]);
    VEC_FREE(list);
}
