#include "lang/murphi/scope.h"

#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/hash.h"

void scope_open(struct scope *scope)
{
    VEC_PUSH(&scope->starts, scope->symbols.count);
}

void scope_close(struct scope *scope)
{
    size_t start = VEC_POP(&scope->starts);
    while (scope->symbols.count > start) {
        struct symbol *symbol = VEC_POP(&scope->symbols);
        scope->buckets[symbol->hash % SCOPE_BUCKETS] = symbol->hidden;
        if (scope->forget)
            scope->forget(scope->user, symbol);
    }
}

void scope_close_to(struct scope *scope, size_t depth)
{
    while (scope->starts.count > depth)
        scope_close(scope);
}

struct symbol *scope_find(const struct scope *scope, const char *name)
{
    uint64_t hash = hash_bytes(name, strlen(name));
    struct symbol *symbol = scope->buckets[hash % SCOPE_BUCKETS];
    while (symbol && (symbol->hash != hash || strcmp(symbol->name, name)))
        symbol = symbol->hidden;
    return symbol;
}

struct symbol *scope_find_here(const struct scope *scope, const char *name)
{
    struct symbol *symbol = scope_find(scope, name);
    return symbol && symbol->scope == scope->starts.count ? symbol : NULL;
}

struct symbol *scope_add(struct scope *scope, enum symbol_kind kind, struct ast_name name)
{
    struct symbol *symbol = ARENA_NEW(scope->arena, struct symbol);
    symbol->kind = kind;
    symbol->name = name.text;
    symbol->hash = hash_bytes(name.text, strlen(name.text));
    symbol->scope = (uint32_t)scope->starts.count;
    symbol->span = name.span;
    symbol->parameter = -1;
    struct symbol **bucket = &scope->buckets[symbol->hash % SCOPE_BUCKETS];
    symbol->hidden = *bucket;
    *bucket = symbol;
    VEC_PUSH(&scope->symbols, symbol);
    return symbol;
}

/* A name of one or two letters is close to every other: only a difference of case is a likely slip. */
static const char *suggest_short(const struct scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->symbols.count; i++)
        if (!strcasecmp(scope->symbols.items[i]->name, name) && scope->symbols.items[i]->kind != SYMBOL_ERROR)
            return scope->symbols.items[i]->name;
    return NULL;
}

const char *scope_suggest(const struct scope *scope, const char *name, const char *const *keywords)
{
    if (strlen(name) < 3)
        return suggest_short(scope, name);
    VEC(const char *) names = {0};
    for (size_t i = 0; i < scope->symbols.count; i++)
        if (scope->symbols.items[i]->kind != SYMBOL_ERROR)
            VEC_PUSH(&names, scope->symbols.items[i]->name);
    for (; *keywords; keywords++)
        VEC_PUSH(&names, *keywords);
    const char *closest = names.count ? diag_closest(name, names.items, names.count) : NULL;
    VEC_FREE(&names);
    return closest;
}

void scope_free(struct scope *scope)
{
    VEC_FREE(&scope->symbols);
    VEC_FREE(&scope->starts);
}
