#include <string.h>

#include "base/report.h"
#include "lang/promela/macro.h"

enum { MOST_NESTED_CONDITION = 200 };

struct condition {
    struct preprocessor *pp;
    const struct pml_token *directive, *items;
    size_t count, at;
    uint32_t depth;
    bool is_wrong;
};

static const struct operator_level {
    enum pml_token_kind kind;
    int level;
} levels[] = {
    {PMT_OR, 1},          {PMT_AND, 2},  {PMT_BIT_OR, 3}, {PMT_BIT_XOR, 4}, {PMT_BIT_AND, 5}, {PMT_EQ, 6},
    {PMT_NE, 6},          {PMT_LT, 7},   {PMT_LE, 7},     {PMT_GT, 7},      {PMT_GE, 7},      {PMT_SHIFT_LEFT, 8},
    {PMT_SHIFT_RIGHT, 8}, {PMT_PLUS, 9}, {PMT_MINUS, 9},  {PMT_STAR, 10},   {PMT_SLASH, 10},  {PMT_PERCENT, 10},
};

static enum pml_token_kind kind_here(const struct condition *condition)
{
    return condition->at < condition->count ? condition->items[condition->at].kind : PMT_EOF;
}

static int64_t wrong(struct condition *condition, const char *why)
{
    if (!condition->is_wrong)
        report_error(condition->pp->diagnostics, condition->directive->span, "%s", why);
    condition->is_wrong = true;
    return 0;
}

static bool take(struct condition *condition, enum pml_token_kind kind)
{
    if (kind_here(condition) != kind)
        return false;
    condition->at++;
    return true;
}

static int level_of(enum pml_token_kind kind)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (levels[i].kind == kind)
            return levels[i].level;
    return 0;
}

static int64_t divide(struct condition *condition, enum pml_token_kind kind, int64_t left, int64_t right)
{
    if (!right)
        return wrong(condition, "the condition divides by zero");
    if (right == -1)
        return kind == PMT_SLASH ? (int64_t)(0 - (uint64_t)left) : 0;
    return kind == PMT_SLASH ? left / right : left % right;
}

static int64_t apply(struct condition *condition, enum pml_token_kind kind, int64_t left, int64_t right)
{
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    switch (kind) {
    case PMT_OR:
        return left || right;
    case PMT_AND:
        return left && right;
    case PMT_BIT_OR:
        return (int64_t)(a | b);
    case PMT_BIT_XOR:
        return (int64_t)(a ^ b);
    case PMT_BIT_AND:
        return (int64_t)(a & b);
    case PMT_EQ:
        return left == right;
    case PMT_NE:
        return left != right;
    case PMT_LT:
        return left < right;
    case PMT_LE:
        return left <= right;
    case PMT_GT:
        return left > right;
    case PMT_GE:
        return left >= right;
    case PMT_SHIFT_LEFT:
        return (int64_t)(a << (b & 63));
    case PMT_SHIFT_RIGHT:
        return left >> (b & 63);
    case PMT_PLUS:
        return (int64_t)(a + b);
    case PMT_MINUS:
        return (int64_t)(a - b);
    case PMT_STAR:
        return (int64_t)(a * b);
    default:
        return divide(condition, kind, left, right);
    }
}

static int64_t read_level(struct condition *condition, int level);

static int64_t read_choice(struct condition *condition)
{
    int64_t value = read_level(condition, 1);
    if (!take(condition, PMT_RECEIVE))
        return value;
    int64_t yes = read_choice(condition);
    if (!take(condition, PMT_COLON))
        return wrong(condition, "expected \":\" in the condition");
    int64_t no = read_choice(condition);
    return value ? yes : no;
}

static int64_t read_primary(struct condition *condition)
{
    enum pml_token_kind kind = kind_here(condition);
    if (take(condition, PMT_OPEN)) {
        int64_t value = read_choice(condition);
        return take(condition, PMT_CLOSE) ? value : wrong(condition, "expected \")\" in the condition");
    }
    if (kind == PMT_NUMBER || kind == PMT_CHARACTER)
        return pml_token_value(&condition->items[condition->at++]);
    if (kind == PMT_NAME || kind >= PMT_FIRST_WORD) {
        condition->at++;
        return 0; /* a name that is no macro */
    }
    return wrong(condition, "the condition is not an integer expression");
}

static int64_t read_unary(struct condition *condition)
{
    if (++condition->depth > MOST_NESTED_CONDITION)
        return wrong(condition, "the condition is nested too deep");
    int64_t value;
    if (take(condition, PMT_SEND))
        value = !read_unary(condition);
    else if (take(condition, PMT_SORTED_SEND))
        value = !!read_unary(condition);
    else if (take(condition, PMT_MINUS))
        value = (int64_t)(0 - (uint64_t)read_unary(condition));
    else if (take(condition, PMT_PLUS))
        value = read_unary(condition);
    else if (take(condition, PMT_TILDE))
        value = ~read_unary(condition);
    else
        value = read_primary(condition);
    condition->depth--;
    return value;
}

static int64_t read_level(struct condition *condition, int level)
{
    int64_t left = read_unary(condition);
    for (int here; !condition->is_wrong && (here = level_of(kind_here(condition))) >= level && here;) {
        enum pml_token_kind kind = condition->items[condition->at++].kind;
        int64_t right = read_level(condition, here + 1);
        bool is_decided = (kind == PMT_OR && left) || (kind == PMT_AND && !left);
        left = is_decided ? kind == PMT_OR : apply(condition, kind, left, right);
    }
    return left;
}

/* defined X, defined(X): 1 or 0 in its place. */
static size_t replace_defined(struct preprocessor *pp, const struct pml_token *items, size_t i, size_t count,
                              struct pml_tokens *out)
{
    bool is_closed = i + 3 < count && items[i + 1].kind == PMT_OPEN && items[i + 3].kind == PMT_CLOSE;
    size_t at = is_closed ? i + 2 : i + 1;
    struct pml_token token = items[i];
    struct macro *macro = at < count ? macro_find(pp, items[at].text) : NULL;
    if (macro)
        macro->is_used = true;
    token.kind = PMT_NUMBER;
    token.text = macro ? "1" : "0";
    VEC_PUSH(out, token);
    return is_closed ? i + 3 : at;
}

bool condition_holds(struct preprocessor *pp, const struct pml_token *at, const struct pml_token *items, size_t count)
{
    struct pml_tokens asked = {0}, expanded = {0};
    for (size_t i = 0; i < count; i++)
        if (!strcmp(items[i].text, "defined"))
            i = replace_defined(pp, items, i, count, &asked);
        else
            VEC_PUSH(&asked, items[i]);
    macro_expand(pp, asked.items, asked.count, &expanded);
    struct condition condition = {.pp = pp, .directive = at, .items = expanded.items, .count = expanded.count};
    int64_t value = expanded.count ? read_choice(&condition) : wrong(&condition, "#if has no condition");
    if (kind_here(&condition) != PMT_EOF)
        wrong(&condition, "the condition is not an integer expression");
    VEC_FREE(&asked);
    VEC_FREE(&expanded);
    return value && !condition.is_wrong;
}
