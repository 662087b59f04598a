#include "ir/ctl.h"

#include "base/text.h"
#include "ir/print.h"
#include "ir/walk.h"

static struct ctl *ctl_new(struct system *system, enum ctl_kind kind, struct span span)
{
    ENSURE(!system->finished);
    struct ctl *ctl = ARENA_NEW(system->arena, struct ctl);
    ctl->kind = kind;
    ctl->span = span;
    return ctl;
}

struct ir_mention {
    const struct variable *variable;
    bool is_found;
};

static bool mention_on_place(void *user, const struct place *place, bool is_written)
{
    struct ir_mention *mention = user;
    (void)is_written;
    mention->is_found |= place->variable == mention->variable;
    return true;
}

static bool ctl_mentions(const struct expr *formula, const struct variable *variable)
{
    struct ir_mention mention = {variable, false};
    struct walker walker = {.on_place = mention_on_place, .user = &mention};
    walk_expr(&walker, formula);
    return mention.is_found;
}

static struct proposition *proposition_add(struct system *system, struct expr *formula)
{
    struct proposition *proposition = ARENA_NEW(system->arena, struct proposition);
    proposition->id = (uint32_t)system->propositions.count;
    proposition->formula = formula;
    VEC_PUSH(&system->propositions, proposition);
    return proposition;
}

const struct proposition *proposition_create(struct system *system, struct expr *formula)
{
    return proposition_add(system, formula);
}

struct ctl *ctl_proposition(struct system *system, struct expr *formula, const struct variable *const *bound,
                            size_t bound_count, struct span span)
{
    struct ctl *ctl = ctl_new(system, CTL_PROPOSITION, span);
    struct proposition *proposition = proposition_add(system, formula);
    const struct variable **list = ARENA_ARRAY(system->arena, const struct variable *, bound_count + 1);
    for (size_t i = 0; i < bound_count; i++)
        if (ctl_mentions(formula, bound[i]))
            list[ctl->free_count++] = bound[i];
    proposition->variables = ctl->free = list;
    proposition->variable_count = ctl->free_count;
    ctl->proposition = proposition;
    return ctl;
}

struct ctl *ctl_deadlock(struct system *system, struct span span)
{
    return ctl_new(system, CTL_DEADLOCK, span);
}

static bool ctl_has_free(const struct ctl *ctl, const struct variable *variable)
{
    for (uint32_t i = 0; i < ctl->free_count; i++)
        if (ctl->free[i] == variable)
            return true;
    return false;
}

static void ctl_merge_free(struct system *system, struct ctl *ctl)
{
    const struct ctl *left = ctl->left, *right = ctl->right;
    uint32_t right_count = right ? right->free_count : 0;
    const struct variable **list =
        ARENA_ARRAY(system->arena, const struct variable *, left->free_count + right_count + 1);
    for (uint32_t i = 0; i < left->free_count; i++)
        list[ctl->free_count++] = left->free[i];
    for (uint32_t i = 0; i < right_count; i++)
        if (!ctl_has_free(left, right->free[i]))
            list[ctl->free_count++] = right->free[i];
    ctl->free = list;
}

struct ctl *ctl_operator(struct system *system, enum ctl_kind kind, struct ctl *left, struct ctl *right,
                         struct span span)
{
    struct ctl *ctl = ctl_new(system, kind, span);
    ctl->left = left;
    ctl->right = right;
    ctl->is_past = kind == CTL_EY || kind == CTL_EP || left->is_past || (right && right->is_past);
    ctl_merge_free(system, ctl);
    return ctl;
}

struct ctl *ctl_quantifier(struct system *system, enum ctl_kind kind, const struct variable *variable, struct ctl *body,
                           struct span span)
{
    if (!ctl_has_free(body, variable)) /* no type is empty */
        return body;
    struct ctl *ctl = ctl_new(system, kind, span);
    const struct variable **list = ARENA_ARRAY(system->arena, const struct variable *, body->free_count + 1);
    ctl->left = body;
    ctl->variable = variable;
    ctl->is_past = body->is_past;
    for (uint32_t i = 0; i < body->free_count; i++)
        if (body->free[i] != variable)
            list[ctl->free_count++] = body->free[i];
    ctl->free = list;
    return ctl;
}

struct ctl *ctl_never(struct system *system, const struct never *never, struct ctl *conditions, struct span span)
{
    struct ctl *ctl = ctl_operator(system, LTL_NEVER, conditions, NULL, span);
    ctl->never = never;
    return ctl;
}

/* They are joined from the left. */
const struct ctl *ctl_never_condition(const struct ctl *ctl, uint32_t number)
{
    const struct ctl *at = ctl->left;
    for (uint32_t behind = ctl->never->condition_count; behind > number + 1; behind--)
        at = at->left;
    return number ? at->right : at;
}

bool ctl_has_temporal(const struct ctl *ctl)
{
    return ctl_is_temporal(ctl) || (ctl->left && ctl_has_temporal(ctl->left)) ||
           (ctl->right && ctl_has_temporal(ctl->right));
}

bool ctl_has_future(const struct ctl *ctl)
{
    bool is_future = ctl_is_temporal(ctl) && ctl->kind != CTL_EY && ctl->kind != CTL_EP;
    return is_future || (ctl->left && ctl_has_future(ctl->left)) || (ctl->right && ctl_has_future(ctl->right));
}

bool ctl_has(const struct ctl *ctl, enum ctl_kind kind)
{
    return ctl->kind == kind || (ctl->left && ctl_has(ctl->left, kind)) || (ctl->right && ctl_has(ctl->right, kind));
}

const struct ctl *ctl_antecedent(const struct ctl *ctl, bool *is_everywhere)
{
    *is_everywhere = false;
    for (; ctl->kind == CTL_FORALL || ctl->kind == CTL_AG || ctl->kind == LTL_G; ctl = ctl->left)
        *is_everywhere |= ctl->kind != CTL_FORALL;
    return ctl->kind == CTL_IMPLIES && ctl->left->kind == CTL_PROPOSITION ? ctl->left : NULL;
}

const char *ctl_kind_name(enum ctl_kind kind)
{
    static const char *const names[] = {"proposition", "deadlock", "!",  "&",     "|",  "->", "forall", "exists", "EX",
                                        "EF",          "EG",       "EU", "AX",    "AF", "AG", "AU",     "EY",     "EP",
                                        "X",           "F",        "G",  "never", "U",  "W",  "R",      "M"};
    return names[kind];
}

/* How tightly an operator binds: what binds less than its surroundings goes in parentheses. */
enum ctl_binding { LOOSE, IMPLICATION, DISJUNCTION, CONJUNCTION, BOUND, COMPARISON, TIGHT };

static enum ctl_binding ctl_binding(const struct ctl *ctl)
{
    if (ctl->kind == CTL_IMPLIES)
        return IMPLICATION;
    if (ctl->kind == CTL_OR || ctl->kind == CTL_AND)
        return ctl->kind == CTL_OR ? DISJUNCTION : CONJUNCTION;
    if (ctl->kind >= LTL_U)
        return BOUND;
    if (ctl->kind != CTL_PROPOSITION)
        return TIGHT;
    const struct expr *formula = ctl->proposition->formula;
    if (formula->kind == EXPR_QUANTIFIER || formula->kind == EXPR_COND)
        return LOOSE;
    if (formula->kind != EXPR_BINARY)
        return formula->kind == EXPR_EQUAL ? COMPARISON : TIGHT;
    return formula->op == OP_IMPLIES ? IMPLICATION
           : formula->op == OP_OR    ? DISJUNCTION
           : formula->op == OP_AND   ? CONJUNCTION
                                     : COMPARISON;
}

static void ctl_print_in(const struct ctl *ctl, enum ctl_binding outer, struct text *out)
{
    bool in_parentheses = ctl_binding(ctl) < outer;
    text_append(out, in_parentheses ? "(" : "");
    ctl_print(ctl, out);
    text_append(out, in_parentheses ? ")" : "");
}

static void ctl_print_binary(const struct ctl *ctl, struct text *out)
{
    enum ctl_binding own = ctl_binding(ctl);
    bool is_left = ctl->kind == CTL_AND || ctl->kind == CTL_OR; /* a chain of them needs no parentheses */
    ctl_print_in(ctl->left, is_left ? own : own + 1, out);
    text_format(out, " %s ", ctl_kind_name(ctl->kind));
    ctl_print_in(ctl->right, own + 1, out);
}

/* Behind the word of a temporal operator, which a model may use as a name: "AF -1 < x" would be a difference. */
static void ctl_print_operand(const struct ctl *ctl, struct text *out)
{
    struct text operand = {0};
    ctl_print_in(ctl, COMPARISON, &operand);
    bool is_signed = text_chars(&operand)[0] == '-';
    text_format(out, is_signed ? "(%s)" : "%s", text_chars(&operand));
    text_free(&operand);
}

void ctl_print(const struct ctl *ctl, struct text *out)
{
    const char *name = ctl_kind_name(ctl->kind);
    switch (ctl->kind) {
    case CTL_PROPOSITION:
        ir_print_formula(ctl->proposition->formula, out);
        return;
    case CTL_DEADLOCK:
        text_append(out, name);
        return;
    case LTL_NEVER:
        text_append(out, "never claim");
        return;
    case CTL_AND:
    case CTL_OR:
    case CTL_IMPLIES:
    case LTL_U:
    case LTL_W:
    case LTL_R:
    case LTL_M:
        ctl_print_binary(ctl, out);
        return;
    case CTL_EU:
    case CTL_AU:
        text_format(out, "%c[", name[0]);
        ctl_print(ctl->left, out);
        text_append(out, " U ");
        ctl_print(ctl->right, out);
        text_char(out, ']');
        return;
    case CTL_FORALL:
    case CTL_EXISTS:
        text_format(out, "%s %s: ", name, ctl->variable->name);
        type_print(ctl->variable->type, out);
        text_append(out, " do ");
        ctl_print(ctl->left, out);
        text_append(out, " end");
        return;
    case CTL_NOT:
        text_append(out, name);
        ctl_print_in(ctl->left, TIGHT, out);
        return;
    default:
        text_format(out, "%s ", name);
        ctl_print_operand(ctl->left, out);
    }
}
