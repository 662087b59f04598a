#include "lang/prism/symbols.h"

#include <string.h>

#include "lang/prism/resolve.h"

/* The first symbol that is not before the name. */
static size_t place_of(const struct prism_reader *reader, const char *name)
{
    size_t low = 0, high = reader->symbols.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(reader->symbols.items[middle]->name.text, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct prism_symbol *prism_symbols_find(const struct prism_reader *reader, const char *name)
{
    size_t at = place_of(reader, name);
    bool is_there = at < reader->symbols.count && !strcmp(reader->symbols.items[at]->name.text, name);
    return is_there ? reader->symbols.items[at] : NULL;
}

/* Says that there are two; is the new one to be added nevertheless? Constants of a properties file are there before
 * the variables of the model. Theirs is the mistake, and the name means the variable from then on, so that it is the
 * only error. */
static bool replace(struct prism_reader *reader, struct prism_symbol *other, struct prism_symbol symbol)
{
    struct span span = symbol.name.span, first = other->name.span;
    bool is_model = symbol.kind != PRISM_SYMBOL_CONSTANT;
    if (span.source == first.source) {
        prism_error(reader, span, "the name \"%s\" is declared twice, first on line %u", symbol.name.text, first.line);
        return false;
    }
    prism_error(reader, is_model ? first : span, "the name \"%s\" is declared in the model already, on line %u",
                symbol.name.text, is_model ? span.line : first.line);
    if (is_model)
        *other = symbol;
    return is_model;
}

bool prism_symbols_add(struct prism_reader *reader, struct prism_symbol symbol)
{
    if (!symbol.name.text)
        return false; /* the parser has reported it */
    struct prism_symbol *other = prism_symbols_find(reader, symbol.name.text);
    if (other)
        return replace(reader, other, symbol);
    if (diag_is_late(reader->diagnostics))
        return false;
    struct prism_symbol *kept = arena_copy(reader->arena, &symbol, sizeof symbol);
    size_t at = place_of(reader, symbol.name.text), behind = reader->symbols.count - at;
    VEC_PUSH(&reader->symbols, kept);
    memmove(reader->symbols.items + at + 1, reader->symbols.items + at, behind * sizeof *reader->symbols.items);
    reader->symbols.items[at] = kept;
    return true;
}

void prism_symbols_unknown(struct prism_reader *reader, struct prism_name name)
{
    if (!name.text || !prism_error(reader, name.span, "unknown name \"%s\"", name.text))
        return;
    if (!strcmp(name.text, "final")) {
        diag_hint(reader->diagnostics, "final conditions are for Murphi models; a PRISM model stays where nothing is "
                                       "enabled");
        return;
    }
    VEC(const char *) names = {0};
    for (size_t i = 0; i < reader->symbols.count; i++)
        VEC_PUSH(&names, reader->symbols.items[i]->name.text);
    VEC_PUSH(&names, "true");
    VEC_PUSH(&names, "false");
    const char *closest = diag_closest(name.text, names.items, names.count);
    if (closest)
        diag_hint(reader->diagnostics, "did you mean \"%s\"?", closest);
    VEC_FREE(&names);
}

/* "3", "0.5", "1/3", "true". PRISM's ranges 1:2:9 are several checks (cli/experiment.c). */
static const struct prism_value *parse_define(struct prism_reader *reader, const struct prism_symbol *symbol,
                                              const struct define *define)
{
    enum prism_type type = symbol->constant->type;
    struct rational *real = prism_values_new(&reader->values);
    int64_t integer;
    if (strchr(define->value, ':'))
        prism_error(reader, symbol->name.span, "\"%s\" was given the range %s: only check takes ranges", define->name,
                    define->value);
    else if (type == PRISM_TYPE_BOOL && (!strcmp(define->value, "true") || !strcmp(define->value, "false")))
        return prism_value_bool(&reader->values, !strcmp(define->value, "true"));
    else if (type != PRISM_TYPE_BOOL && rational_parse(real, define->value)) {
        if (type == PRISM_TYPE_REAL)
            return prism_value_real(&reader->values, real, false);
        if (rational_fits_i64(real, &integer))
            return prism_value_int(&reader->values, integer);
        prism_error(reader, symbol->name.span, "\"%s\" is an int and was given %s", define->name, define->value);
    } else
        prism_error(reader, symbol->name.span, "\"%s\" is %s and was given %s", define->name, prism_type_phrase(type),
                    define->value);
    return NULL;
}

static const struct prism_value *evaluate(struct prism_reader *reader, struct prism_symbol *symbol, struct span use)
{
    const struct prism_constant *constant = symbol->constant;
    const struct define *define = reading_define(&reader->reading, symbol->name.text);
    if (define) {
        if (!constant->definition)
            return parse_define(reader, symbol, define);
        if (prism_error(reader, symbol->name.span, "the constant \"%s\" has a value in the model already",
                        define->name))
            diag_hint(reader->diagnostics, "-D is for constants without one: leave the value out in the model");
        return NULL;
    }
    if (!constant->definition) {
        if (!symbol->is_missing && prism_error(reader, use, "the constant \"%s\" has no value", symbol->name.text))
            diag_hint(reader->diagnostics, "give it one with -D %s=VALUE", symbol->name.text);
        symbol->is_missing = true;
        return NULL;
    }
    const struct prism_value *value =
        prism_resolve_constant(reader, constant->definition, NULL, constant->type, "the value of a constant");
    return value && constant->type == PRISM_TYPE_REAL ? prism_value_widen(&reader->values, value) : value;
}

const struct prism_value *prism_symbols_value(struct prism_reader *reader, struct prism_symbol *symbol, struct span use)
{
    if (symbol->value || reader->diagnostics->errors >= DIAGNOSTICS_MAX_ERRORS)
        return symbol->value;
    if (symbol->is_busy) {
        prism_error(reader, symbol->name.span, "the constant \"%s\" is defined by itself", symbol->name.text);
        return NULL;
    }
    symbol->is_busy = true;
    symbol->value = evaluate(reader, symbol, use);
    symbol->is_busy = false;
    return symbol->value;
}
