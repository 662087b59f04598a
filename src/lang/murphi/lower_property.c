#include "lang/murphi/lower.h"

const struct property *lower_add_property(struct lower *lower, enum property_kind kind, const char *title,
                                          struct expr *formula, struct span span)
{
    uint32_t number = ++lower->counts[kind];
    const char *name = title ? title : arena_format(lower->arena, "%s %u", property_kind_name(kind), number);
    return system_add_property(lower->system, kind, name, formula, span);
}

/* One variable of the rulesets and chooses around a property: the property is quantified over it. */
struct level {
    struct bound bound;
    struct expr *condition; /* or NULL: only where it holds */
};

struct levels {
    struct level *items;
    size_t count, capacity;
};

static bool enclose_choose(struct lower *lower, const struct ast_rule *ast, struct levels *levels)
{
    struct value set = lower_multiset(lower, ast->set);
    scope_open(&lower->scope);
    const struct variable *slot = set.ok ? declare_slot(lower, ast->name, set.type) : NULL;
    if (!slot) {
        declare(lower, SYMBOL_ERROR, ast->name);
        return false;
    }
    struct span span = ast->name.span;
    struct expr *read = expr_read(lower->system, place_variable(lower->system, slot, span), false, span);
    struct level level = {.bound = {.variable = slot, .domain = {.type = slot->type}}};
    level.condition = expr_slot_taken(lower->system, set.place, read, span);
    VEC_PUSH(levels, level);
    return true;
}

static bool enclose_ruleset(struct lower *lower, const struct ast_rule *ast, struct levels *levels)
{
    bool ok = true;
    for (size_t i = 0; i < ast->quantifiers.count; i++) {
        struct level level = {0};
        ok &= lower_quantifier(lower, &ast->quantifiers.items[i], "a parameter of the property", &level.bound);
        VEC_PUSH(levels, level);
    }
    return ok;
}

static bool enclose_all(struct lower *lower, struct levels *levels)
{
    bool ok = true;
    for (size_t i = 0; i < lower->enclosing.count; i++) {
        const struct ast_rule *outer = lower->enclosing.items[i];
        if (outer->kind == AST_RULESET)
            ok &= enclose_ruleset(lower, outer, levels);
        else if (outer->kind == AST_CHOOSE)
            ok &= enclose_choose(lower, outer, levels);
        else {
            scope_open(&lower->scope);
            ok &= lower_aliases(lower, &outer->aliases, NULL);
        }
    }
    return ok;
}

/* For all, except that a goal is met when it is met for some. */
static struct expr *quantify(struct lower *lower, const struct levels *levels, enum property_kind kind,
                             struct expr *formula, struct span span)
{
    enum operator op = kind == PROPERTY_COVER ? OP_EXISTS : OP_FORALL;
    enum operator join = kind == PROPERTY_COVER ? OP_AND : OP_IMPLIES;
    for (size_t i = levels->count; i > 0; i--) {
        const struct level *level = &levels->items[i - 1];
        if (level->condition)
            formula = expr_binary(lower->system, join, level->condition, formula, span);
        formula = expr_quantifier(lower->system, op, level->bound.variable, level->bound.domain, formula, span);
    }
    return formula;
}

static void refuse_liveness(struct lower *lower, const struct ast_rule *ast)
{
    if (report_error(lower->diagnostics, ast->span, "a liveness property inside a ruleset is not supported"))
        diag_hint(lower->diagnostics, "write one property for each value of the parameters");
}

void lower_property(struct lower *lower, const struct ast_rule *ast)
{
    size_t depth = lower->scope.starts.count;
    struct levels levels = {0};
    lower->pure = "a property";
    bool ok = enclose_all(lower, &levels);
    struct expr *formula = lower_condition(lower, ast->guard, "a property");
    lower->pure = NULL;
    scope_close_to(&lower->scope, depth);
    enum property_kind kind = (enum property_kind)ast->property;
    if (kind == PROPERTY_LIVENESS && levels.count)
        refuse_liveness(lower, ast);
    else if (ok && formula) {
        formula = quantify(lower, &levels, kind, formula, ast->guard->span);
        lower_add_property(lower, kind, ast->title, formula, ast->span);
    }
    VEC_FREE(&levels);
}
