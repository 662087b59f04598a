/* Murphi functions are kept in fixed cells. One that calls itself is lowered once for each level (lower_function); one
 * that calls itself through others could only do so before it is declared. */
#include <string.h>

#include "lang/murphi/lower.h"

struct murphi_search {
    const struct ast_function **functions;
    size_t count;
    uint8_t *color; /* 0: new, 1: on the path, 2: done */
    struct arena *arena;
    struct diagnostics *diagnostics;
    VEC(size_t) path;
    VEC(size_t) next_call; /* for each on the path: the call to look at next */
};

static size_t find_function(const struct murphi_search *search, const char *name)
{
    for (size_t i = 0; i < search->count; i++)
        if (!strcmp(search->functions[i]->name.text, name))
            return i;
    return SIZE_MAX;
}

static void report_cycle(struct murphi_search *search, size_t callee, struct ast_name call)
{
    size_t start = search->path.count;
    while (search->path.items[start - 1] != callee)
        start--;
    struct text cycle = {0};
    for (size_t i = start - 1; i < search->path.count; i++)
        text_format(&cycle, "%s -> ", search->functions[search->path.items[i]]->name.text);
    text_append(&cycle, call.text);
    if (report_error(search->diagnostics, call.span, "recursion through other functions is not supported: %s",
                     text_chars(&cycle)))
        diag_hint(search->diagnostics, "a function may call itself; else write it as a loop");
    text_free(&cycle);
}

static void enter_function(struct murphi_search *search, size_t function)
{
    search->color[function] = 1;
    VEC_PUSH(&search->path, function);
    VEC_PUSH(&search->next_call, 0);
}

/* Depth first, with a stack of its own: chains of calls may be long. Ends at the first cycle. */
static bool search_from(struct murphi_search *search, size_t root)
{
    enter_function(search, root);
    while (search->path.count) {
        size_t current = VEC_LAST(&search->path);
        const struct ast_function *function = search->functions[current];
        size_t *next = &VEC_LAST(&search->next_call);
        if (*next == function->call_count) {
            search->color[current] = 2;
            (void)VEC_POP(&search->path);
            (void)VEC_POP(&search->next_call);
            continue;
        }
        struct ast_name call = function->calls[(*next)++];
        size_t callee = find_function(search, call.text);
        if (callee == SIZE_MAX || callee == current || search->color[callee] == 2)
            continue;
        if (search->color[callee] == 1) {
            report_cycle(search, callee, call);
            return false;
        }
        enter_function(search, callee);
    }
    return true;
}

bool recursion_check(const struct ast_model *model, struct arena *arena, struct diagnostics *diagnostics)
{
    struct murphi_search search = {.arena = arena, .diagnostics = diagnostics};
    search.functions = ARENA_ARRAY(arena, const struct ast_function *, model->count);
    for (size_t i = 0; i < model->count; i++)
        if (model->items[i].function)
            search.functions[search.count++] = model->items[i].function;
    search.color = ARENA_ARRAY(arena, uint8_t, search.count);
    bool ok = true;
    for (size_t i = 0; i < search.count && ok; i++)
        if (!search.color[i])
            ok = search_from(&search, i);
    VEC_FREE(&search.path);
    VEC_FREE(&search.next_call);
    return ok;
}

bool calls_itself(const struct ast_function *function)
{
    for (size_t i = 0; i < function->call_count; i++)
        if (!strcmp(function->calls[i].text, function->name.text))
            return true;
    return false;
}
