/* Names: constants, formulas and variables share one space, as in PRISM. */
#ifndef NOETHER_LANG_PRISM_SYMBOLS_H
#define NOETHER_LANG_PRISM_SYMBOLS_H

#include "lang/prism/reader.h"

struct prism_scope;

enum prism_symbol_kind { PRISM_SYMBOL_CONSTANT, PRISM_SYMBOL_FORMULA, PRISM_SYMBOL_VARIABLE };

struct prism_symbol {
    enum prism_symbol_kind kind;
    struct prism_name name;
    const struct prism_constant *constant;
    const struct prism_formula *formula;
    const struct prism_variable *variable;
    const struct prism_value *value; /* CONSTANT, once it is evaluated */
    bool is_missing;                 /* CONSTANT: that it has no value is said already */
    bool is_busy;                    /* being evaluated or expanded: meeting it again is a cycle */
    /* FORMULA: what it became in the module it was expanded in last, which its other uses there share */
    const struct prism_scope *expanded_in;
    struct prism_expr *expanded;
};

/* False (and an error) when the name is taken. */
bool prism_symbols_add(struct prism_reader *reader, struct prism_symbol symbol);
struct prism_symbol *prism_symbols_find(const struct prism_reader *reader, const char *name);
/* "unknown name", with the closest known one as a hint. */
void prism_symbols_unknown(struct prism_reader *reader, struct prism_name name);
/* The value of a constant, evaluated now if it was not before; NULL after an error. */
const struct prism_value *prism_symbols_value(struct prism_reader *reader, struct prism_symbol *symbol,
                                              struct span use);

#endif
