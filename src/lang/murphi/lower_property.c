#include <string.h>

#include "lang/murphi/lower.h"
#include "lang/murphi/parse.h"

struct property *lower_add_property(struct lower *lower, enum property_kind kind, const char *title,
                                    struct expr *formula, struct span span)
{
    for (size_t i = 0; i < lower->repeated.count; i++) {
        struct property *other = lower->repeated.items[i];
        if (other->kind == kind && other->span.line == span.line && other->span.column == span.column)
            return other;
    }
    uint32_t number = ++lower->counts[kind];
    const char *name = title ? title : arena_format(lower->arena, "%s %u", property_kind_name(kind), number);
    struct property *property = system_add_property(lower->system, kind, name, formula, span);
    if (lower->is_repeated)
        VEC_PUSH(&lower->repeated, property);
    return property;
}

/* One variable of the rulesets and chooses around a property: the property is quantified over it. */
struct murphi_level {
    struct murphi_bound bound;
    struct expr *condition; /* or NULL: only where it holds */
};

struct levels {
    struct murphi_level *items;
    size_t count, capacity;
};

static bool enclose_choose(struct lower *lower, const struct ast_rule *ast, struct levels *levels)
{
    struct murphi_value set = lower_multiset(lower, ast->set);
    scope_open(&lower->scope);
    const struct variable *slot = set.ok ? declare_slot(lower, ast->name, set.type) : NULL;
    if (!slot) {
        declare(lower, SYMBOL_ERROR, ast->name);
        return false;
    }
    struct span span = ast->name.span;
    struct expr *read = expr_read(lower->system, place_variable(lower->system, slot, span), false, span);
    struct murphi_level level = {.bound = {.variable = slot, .domain = {.type = slot->type}}};
    level.condition = expr_slot_taken(lower->system, set.place, read, span);
    VEC_PUSH(levels, level);
    return true;
}

static bool enclose_ruleset(struct lower *lower, const struct ast_rule *ast, struct levels *levels)
{
    bool ok = true;
    for (size_t i = 0; i < ast->quantifiers.count; i++) {
        struct murphi_level level = {0};
        ok &= lower_quantifier(lower, &ast->quantifiers.items[i], "a parameter of the property", &level.bound);
        VEC_PUSH(levels, level);
    }
    if (levels->count > PARSE_MAX_DEPTH) {
        report_error(lower->diagnostics, ast->span, "more than %d parameters around a property", PARSE_MAX_DEPTH);
        ok = false;
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
        const struct murphi_level *level = &levels->items[i - 1];
        if (level->condition)
            formula = expr_binary(lower->system, join, level->condition, formula, span);
        formula = expr_quantifier(lower->system, op, level->bound.variable, level->bound.domain, formula, span);
    }
    return formula;
}

struct expr *lower_enabled(struct lower *lower, const struct ast_rule *ast)
{
    size_t depth = lower->scope.starts.count;
    struct levels levels = {0};
    lower->pure = "the guard of a rule";
    bool ok = enclose_all(lower, &levels);
    struct expr *guard = ast->guard ? lower_condition(lower, ast->guard, "the guard of a rule")
                                    : expr_const(lower->system, lower->system->boolean, 1, ast->span);
    lower->pure = NULL;
    scope_close_to(&lower->scope, depth);
    if (ok && guard)
        guard = quantify(lower, &levels, PROPERTY_COVER, guard, ast->span);
    VEC_FREE(&levels);
    return ok ? guard : NULL;
}

/* A liveness property inside rulesets stands for one property for each choice of the parameters: "for all" would be
 * another, stronger one. */
struct expansion {
    struct lower *lower;
    const struct ast_rule *ast;
    size_t count;
};

enum { MAX_EXPANSION = 1000 };

static void expand_liveness(struct expansion *expansion, size_t outer, size_t quantifier, const char *values);

static void add_instance(struct expansion *expansion, const char *values)
{
    struct lower *lower = expansion->lower;
    const struct ast_rule *ast = expansion->ast;
    if (++expansion->count > MAX_EXPANSION) {
        report_error(lower->diagnostics, ast->span, "the liveness property has more than %d instances", MAX_EXPANSION);
        return;
    }
    struct expr *formula = lower_condition(lower, ast->guard, "a property");
    const char *title = ast->title ? ast->title : "liveness";
    if (formula)
        lower_add_property(lower, PROPERTY_LIVENESS, arena_format(lower->arena, "%s (%s)", title, values), formula,
                           ast->span);
}

static void expand_value(struct expansion *expansion, size_t outer, size_t quantifier, const struct type *type,
                         int32_t code, const char *values)
{
    struct lower *lower = expansion->lower;
    struct ast_name name = lower->enclosing.items[outer]->quantifiers.items[quantifier].name;
    struct text text = {0};
    text_format(&text, "%s%s%s: ", values, *values ? ", " : "", name.text);
    type_print_value(type, code, &text);
    scope_open(&lower->scope);
    scope_add(&lower->scope, SYMBOL_VALUE, name)->value = expr_const(lower->system, type, code, name.span);
    expand_liveness(expansion, outer, quantifier + 1, arena_string(lower->arena, text_chars(&text)));
    scope_close(&lower->scope);
    text_free(&text);
}

static void expand_parameter(struct expansion *expansion, size_t outer, size_t quantifier, const char *values)
{
    struct lower *lower = expansion->lower;
    const struct ast_quantifier *ast = &lower->enclosing.items[outer]->quantifiers.items[quantifier];
    struct murphi_bound bound;
    bool ok = lower_quantifier(lower, ast, "a parameter", &bound);
    scope_close(&lower->scope);
    if (!ok)
        return;
    const struct type *type = bound.variable->type;
    if (bound.domain.from || type_scalarset_in(type)) {
        if (report_error(lower->diagnostics, expansion->ast->span,
                         "a liveness property cannot have the parameter \"%s\"", bound.variable->name))
            diag_hint(lower->diagnostics, "its parameters are booleans, enums and ranges");
        return;
    }
    for (uint32_t i = 0; i < type->size && expansion->count <= MAX_EXPANSION; i++)
        expand_value(expansion, outer, quantifier, type, type_code(type, i), values);
}

static void expand_liveness(struct expansion *expansion, size_t outer, size_t quantifier, const char *values)
{
    struct lower *lower = expansion->lower;
    if (outer == lower->enclosing.count) {
        add_instance(expansion, values);
        return;
    }
    const struct ast_rule *around = lower->enclosing.items[outer];
    if (around->kind == AST_CHOOSE)
        report_error(lower->diagnostics, expansion->ast->span, "a liveness property cannot stand inside a choose");
    else if (around->kind == AST_ALIAS_RULE) {
        scope_open(&lower->scope);
        if (lower_aliases(lower, &around->aliases, NULL))
            expand_liveness(expansion, outer + 1, 0, values);
        scope_close(&lower->scope);
    } else if (quantifier == around->quantifiers.count)
        expand_liveness(expansion, outer + 1, 0, values);
    else
        expand_parameter(expansion, outer, quantifier, values);
}

/* An end is allowed where one of the final conditions is true. */
static void lower_final(struct lower *lower, const char *title, struct expr *formula, struct span span)
{
    struct property *deadlock = lower->system->properties.items[SYSTEM_DEADLOCK];
    struct arena *arena = lower->system->arena;
    bool is_here = !strcmp(span.source->path, lower->system->name); /* else in a file of properties, or an option */
    const char *name = title     ? arena_format(arena, "\"%s\"", title)
                       : is_here ? arena_format(arena, "line %u", span.line)
                                 : arena_format(arena, "%s", span.source->shown);
    deadlock->finals = deadlock->finals ? arena_format(arena, "%s, %s", deadlock->finals, name) : name;
    deadlock->formula =
        deadlock->formula ? expr_binary(lower->system, OP_OR, deadlock->formula, formula, span) : formula;
}

/* Is some parameter around not to be written out: an element of a scalarset, or a number up to a bound? */
static bool has_open_parameter(struct lower *lower)
{
    for (size_t i = 0; i < lower->enclosing.count; i++) {
        const struct ast_rule *around = lower->enclosing.items[i];
        for (size_t q = 0; around->kind == AST_RULESET && q < around->quantifiers.count; q++) {
            struct murphi_bound bound;
            bool ok = lower_quantifier(lower, &around->quantifiers.items[q], "a parameter", &bound);
            scope_close(&lower->scope);
            if (!ok || bound.domain.from || type_scalarset_in(bound.variable->type))
                return ok;
        }
    }
    return false;
}

static struct ast_expr *temporal(struct lower *lower, enum ctl_kind kind, struct ast_expr *operand)
{
    struct ast_expr *expr = ARENA_NEW(lower->arena, struct ast_expr);
    *expr = (struct ast_expr){.kind = AST_TEMPORAL, .value = kind, .left = operand, .span = operand->span};
    return expr;
}

/* e | !e: true wherever e can be evaluated. */
static struct ast_expr *evaluable(struct lower *lower, struct ast_expr *condition)
{
    struct ast_expr *parts = ARENA_ARRAY(lower->arena, struct ast_expr, 2);
    parts[0] = (struct ast_expr){.kind = AST_UNARY, .op = OP_NOT, .left = condition, .span = condition->span};
    parts[1] = (struct ast_expr){
        .kind = AST_BINARY, .op = OP_OR, .left = condition, .right = &parts[0], .span = condition->span};
    return &parts[1];
}

/* From every reachable state one with the condition can be reached: AG EF, for all parameters. As of other liveness
 * properties, a state where the condition cannot be evaluated is a violation. */
static void lower_liveness_formula(struct lower *lower, const struct ast_rule *ast)
{
    struct ast_rule copy = *ast;
    copy.property = PROPERTY_CTL;
    copy.title = ast->title ? ast->title : "liveness";
    struct ast_expr *both = ARENA_NEW(lower->arena, struct ast_expr);
    *both = (struct ast_expr){.kind = AST_BINARY,
                              .op = OP_AND,
                              .left = evaluable(lower, ast->guard),
                              .right = temporal(lower, CTL_EF, ast->guard),
                              .span = ast->guard->span};
    copy.guard = temporal(lower, CTL_AG, both);
    lower_ctl_property(lower, &copy);
}

static void lower_liveness(struct lower *lower, const struct ast_rule *ast)
{
    if (has_open_parameter(lower))
        lower_liveness_formula(lower, ast);
    else
        expand_liveness(&(struct expansion){.lower = lower, .ast = ast}, 0, 0, "");
}

void lower_property(struct lower *lower, const struct ast_rule *ast)
{
    size_t depth = lower->scope.starts.count;
    struct levels levels = {0};
    lower->pure = "a property";
    if (ast->property == PROPERTY_FAIRNESS && ast->fairness != FAIRNESS_CONDITION) {
        VEC_PUSH(&lower->fairness, ast);
        if (lower->enclosing.count)
            report_error(lower->diagnostics, ast->span, "fairness of rules and processes stands outside of rulesets");
        lower->pure = NULL;
        return;
    }
    if (ast->property == PROPERTY_CTL || ast->property == PROPERTY_LTL || ast->property == PROPERTY_FAIRNESS) {
        if (ast->property == PROPERTY_FAIRNESS)
            lower_fair_condition(lower, ast);
        else
            lower_ctl_property(lower, ast);
        lower->pure = NULL;
        return;
    }
    if (ast->property == PROPERTY_LIVENESS && lower->enclosing.count) {
        lower_liveness(lower, ast);
        lower->pure = NULL;
        return;
    }
    bool ok = enclose_all(lower, &levels);
    struct expr *formula = lower_condition(lower, ast->guard, "a property");
    lower->pure = NULL;
    scope_close_to(&lower->scope, depth);
    enum property_kind kind = (enum property_kind)ast->property;
    if (ok && formula) {
        formula = quantify(lower, &levels, kind, formula, ast->guard->span);
        if (kind == PROPERTY_DEADLOCK)
            lower_final(lower, ast->title, formula, ast->span);
        else
            lower_add_property(lower, kind, ast->title, formula, ast->span);
    }
    VEC_FREE(&levels);
}
