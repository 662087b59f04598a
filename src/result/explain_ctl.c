#include "result/explain_ctl.h"

#include "ir/written.h"
#include "result/path.h"

enum { MOST_PARTS = 8, MOST_WORK = 1000000 };

struct result_known {
    const struct ctl *ctl;
    enum path_truth *truths;
};

struct result_teller {
    const struct trace *trace;
    struct result_path *path;
    struct arena *arena;
    struct bindings bindings;
    VEC(struct result_known) known; /* under these bindings */
    uint64_t work;                  /* done so far: states looked at */
};

/* --- what the run says --- */

static void teller_forget(struct result_teller *teller)
{
    for (size_t i = 0; i < teller->known.count; i++)
        free(teller->known.items[i].truths);
    VEC_CLEAR(&teller->known);
}

static void teller_bind(struct result_teller *teller, const struct variable *variable, int32_t value)
{
    teller_forget(teller);
    path_bind(teller->path, variable, value);
    VEC_PUSH(&teller->bindings.items, ((struct binding){variable, value}));
}

static void teller_unbind(struct result_teller *teller)
{
    teller_forget(teller);
    teller->bindings.items.count--;
}

static enum path_truth teller_truth(struct result_teller *teller, const struct ctl *ctl, uint32_t at)
{
    for (size_t i = 0; i < teller->known.count; i++)
        if (teller->known.items[i].ctl == ctl)
            return teller->known.items[i].truths[at];
    struct result_known known = {ctl, memory_alloc(((size_t)path_count(teller->path) + 1) * sizeof *known.truths)};
    path_fill(teller->path, ctl, known.truths);
    teller->work += path_count(teller->path);
    VEC_PUSH(&teller->known, known);
    return known.truths[at];
}

/* An explanation must not take longer than the search: what is not found by then is not followed. */
static bool is_tired(const struct result_teller *teller)
{
    return teller->work > MOST_WORK;
}

static bool is_opposite(enum path_truth truth, bool is_true)
{
    return truth == (is_true ? PATH_FALSE : PATH_TRUE);
}

/* What is meant there is only said. */
static bool is_end(const struct result_teller *teller, uint32_t at)
{
    return !teller->trace->has_loop && at + 1 == path_count(teller->path);
}

/* --- can the rest of the run be what shows it? --- */

static bool fits(struct result_teller *teller, const struct ctl *ctl, bool is_true, uint32_t at);

/* One run can show that an E-formula is true or an A-formula false. */
static bool can_be_shown(const struct ctl *ctl, bool is_true)
{
    return is_true ? ctl->kind >= CTL_EX && ctl->kind <= CTL_EU : ctl->kind >= CTL_AX && ctl->kind <= CTL_AU;
}

/* A position from here on where the operand is what it is said to be, and before which `until` (or NULL) does not
 * contradict: the first one that the run decides, else the last that fits (what is only said is said at the end). */
static uint32_t find_position(struct result_teller *teller, const struct ctl *operand, const struct ctl *until,
                              bool is_true, uint32_t from)
{
    VEC(uint32_t) open = {0};
    uint32_t at = from, found = PATH_END;
    for (uint32_t steps = 0; at != PATH_END && found == PATH_END && steps < path_count(teller->path); steps++) {
        enum path_truth truth = teller_truth(teller, operand, at);
        if (truth == (is_true ? PATH_TRUE : PATH_FALSE))
            found = at;
        else if (truth == PATH_UNKNOWN)
            VEC_PUSH(&open, at);
        if (until && is_opposite(teller_truth(teller, until, at), is_true))
            break;
        at = path_next(teller->path, at);
    }
    for (size_t i = open.count; i-- && found == PATH_END && !is_tired(teller);)
        if (fits(teller, operand, is_true, open.items[i]))
            found = open.items[i];
    VEC_FREE(&open);
    return found;
}

/* A[f U g] is false: here f is, and g has not been true. */
static uint32_t find_break(struct result_teller *teller, const struct ctl *ctl, uint32_t from)
{
    uint32_t at = from;
    for (uint32_t steps = 0; at != PATH_END && steps < path_count(teller->path); steps++) {
        if (teller_truth(teller, ctl->right, at) == PATH_TRUE)
            return PATH_END;
        if (fits(teller, ctl->left, false, at))
            return at;
        at = path_next(teller->path, at);
    }
    return PATH_END;
}

static bool fits_for_ever(struct result_teller *teller, const struct ctl *operand, bool is_true, uint32_t from)
{
    uint32_t at = from;
    for (uint32_t steps = 0; at != PATH_END && steps < path_count(teller->path); steps++) {
        if (is_opposite(teller_truth(teller, operand, at), is_true))
            return false;
        at = path_next(teller->path, at);
    }
    return path_is_maximal(teller->path);
}

static bool fits_temporal(struct result_teller *teller, const struct ctl *ctl, bool is_true, uint32_t at)
{
    uint32_t next = path_next(teller->path, at);
    switch (ctl->kind) {
    case CTL_EX:
    case CTL_AX:
        return next != PATH_END && fits(teller, ctl->left, is_true, next);
    case CTL_EG:
    case CTL_AF:
        return fits_for_ever(teller, ctl->left, is_true, at);
    case CTL_EU:
        return find_position(teller, ctl->right, ctl->left, true, at) != PATH_END;
    case CTL_AU:
        return find_break(teller, ctl, at) != PATH_END || fits_for_ever(teller, ctl->right, false, at);
    default:
        return find_position(teller, ctl->left, NULL, is_true, at) != PATH_END;
    }
}

/* What the operands of a connective are when it is_true, and whether one of them is enough for that. */
struct result_operands {
    bool left, right, one_suffices;
};

static struct result_operands operands_of(const struct ctl *ctl, bool is_true)
{
    return (struct result_operands){ctl->kind == CTL_IMPLIES ? !is_true : is_true, is_true,
                                    is_true != (ctl->kind == CTL_AND)};
}

static bool fits_connective(struct result_teller *teller, const struct ctl *ctl, bool is_true, uint32_t at)
{
    struct result_operands operands = operands_of(ctl, is_true);
    if (operands.one_suffices)
        return fits(teller, ctl->left, operands.left, at) || fits(teller, ctl->right, operands.right, at);
    enum path_truth left = teller_truth(teller, ctl->left, at), right = teller_truth(teller, ctl->right, at);
    if (left == PATH_UNKNOWN && right == PATH_UNKNOWN)
        return is_end(teller, at);
    return fits(teller, ctl->left, operands.left, at) && fits(teller, ctl->right, operands.right, at);
}

/* The value of the variable with which the body is what it is said to be: the first decided one, or the first that
 * fits. */
static bool find_witness(struct result_teller *teller, const struct ctl *ctl, bool is_true, uint32_t at,
                         int32_t *witness)
{
    for (int attempt = 0; attempt < 2; attempt++)
        for (uint32_t i = 0; i < ctl->variable->type->size && !is_tired(teller); i++) {
            *witness = type_code(ctl->variable->type, i);
            teller_bind(teller, ctl->variable, *witness);
            bool is_it = attempt ? fits(teller, ctl->left, is_true, at)
                                 : teller_truth(teller, ctl->left, at) == (is_true ? PATH_TRUE : PATH_FALSE);
            teller_unbind(teller);
            if (is_it)
                return true;
        }
    return false;
}

static bool fits(struct result_teller *teller, const struct ctl *ctl, bool is_true, uint32_t at)
{
    enum path_truth truth = teller_truth(teller, ctl, at);
    int32_t witness;
    if (truth != PATH_UNKNOWN)
        return !is_opposite(truth, is_true);
    if (is_tired(teller))
        return false;
    teller->work++;
    switch (ctl->kind) {
    case CTL_NOT:
        return fits(teller, ctl->left, !is_true, at);
    case CTL_AND:
    case CTL_OR:
    case CTL_IMPLIES:
        return fits_connective(teller, ctl, is_true, at);
    case CTL_FORALL:
    case CTL_EXISTS:
        return is_true == (ctl->kind == CTL_FORALL) ? is_end(teller, at)
                                                    : find_witness(teller, ctl, is_true, at, &witness);
    default:
        return can_be_shown(ctl, is_true) ? fits_temporal(teller, ctl, is_true, at) : is_end(teller, at);
    }
}

/* --- the tree --- */

static struct explanation *tell(struct result_teller *teller, const struct ctl *ctl, bool is_true, uint32_t at);

/* Where a part cannot be evaluated, that is why the whole is what it is. */
static void tell_part(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, bool is_true,
                      uint32_t at)
{
    struct explanation *part = tell(teller, ctl, is_true, at);
    if (part->outcome == EXPLAINED_FAULT)
        node->outcome = EXPLAINED_FAULT;
    explanation_add(teller->arena, node, part);
}

/* One of two operands is enough: the one that the run decides, else the one that fits. */
static bool is_left_enough(struct result_teller *teller, const struct ctl *ctl, const struct result_operands *operands,
                           uint32_t at)
{
    enum path_truth left = teller_truth(teller, ctl->left, at), right = teller_truth(teller, ctl->right, at);
    if (left != PATH_UNKNOWN)
        return !is_opposite(left, operands->left);
    if (right != PATH_UNKNOWN)
        return is_opposite(right, operands->right);
    return fits(teller, ctl->left, operands->left, at);
}

static void tell_connective(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, bool is_true,
                            uint32_t at)
{
    struct result_operands operands = operands_of(ctl, is_true);
    bool is_left = operands.one_suffices && is_left_enough(teller, ctl, &operands, at);
    if (!operands.one_suffices || is_left)
        tell_part(teller, node, ctl->left, operands.left, at);
    if (!operands.one_suffices || !is_left)
        tell_part(teller, node, ctl->right, operands.right, at);
}

static void tell_element(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, bool is_true,
                         uint32_t at, int32_t value)
{
    struct text name = {0};
    teller_bind(teller, ctl->variable, value);
    tell_part(teller, node, ctl->left, is_true, at);
    teller_unbind(teller);
    type_print_value(ctl->variable->type, value, &name);
    node->parts[node->part_count - 1]->variable = ctl->variable;
    node->parts[node->part_count - 1]->witness = arena_string(teller->arena, text_chars(&name));
    text_free(&name);
}

static void tell_quantifier(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, bool is_true,
                            uint32_t at)
{
    const struct type *type = ctl->variable->type;
    int32_t witness;
    node->elements = type->size;
    if (is_true != (ctl->kind == CTL_FORALL)) {
        if (find_witness(teller, ctl, is_true, at, &witness))
            tell_element(teller, node, ctl, is_true, at, witness);
        return;
    }
    for (uint32_t i = 0; i < type->size && i < MOST_PARTS; i++)
        tell_element(teller, node, ctl, is_true, at, type_code(type, i));
    node->omitted = type->size - node->part_count;
}

/* Every state from here on, each once. */
static void tell_for_ever(struct result_teller *teller, struct explanation *node, const struct ctl *operand,
                          bool is_true, uint32_t from)
{
    const struct trace *trace = teller->trace;
    uint32_t at = from, count = path_count(teller->path),
             begin = trace->has_loop && trace->loop < from ? trace->loop : from;
    for (uint32_t i = begin; i < count && i - begin < MOST_PARTS; i++, at = path_next(teller->path, at))
        tell_part(teller, node, operand, is_true, at);
    node->omitted = count - begin - node->part_count;
    node->is_for_ever = true;
    node->note =
        trace->has_loop
            ? arena_format(teller->arena, "for ever: the run is a cycle, the state after step %u is that after step %u",
                           trace_number(trace, trace->count - 1), trace_number(trace, trace->loop))
            : arena_format(teller->arena, "to the end: after step %u nothing follows",
                           trace_number(trace, trace->count - 1));
}

static void tell_no_until(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, uint32_t at)
{
    uint32_t end = find_break(teller, ctl, at);
    if (end == PATH_END) {
        tell_for_ever(teller, node, ctl->right, false, at);
        return;
    }
    tell_part(teller, node, ctl->left, false, end);
    tell_part(teller, node, ctl->right, false, end);
    node->note = end == at ? NULL : "before that the right side was not true either";
}

static void tell_shown(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, bool is_true,
                       uint32_t at)
{
    switch (ctl->kind) {
    case CTL_EX:
    case CTL_AX:
        tell_part(teller, node, ctl->left, is_true, path_next(teller->path, at));
        return;
    case CTL_EG:
    case CTL_AF:
        tell_for_ever(teller, node, ctl->left, is_true, at);
        return;
    case CTL_AU:
        tell_no_until(teller, node, ctl, at);
        return;
    case CTL_EU:
        tell_part(teller, node, ctl->right, true, find_position(teller, ctl->right, ctl->left, true, at));
        node->note = "until then the left side is true";
        return;
    default:
        tell_part(teller, node, ctl->left, is_true, find_position(teller, ctl->left, NULL, is_true, at));
    }
}

/* What looking at all runs has found. */
static const char *note_of(const struct ctl *ctl, bool is_true)
{
    switch (ctl->kind) {
    case CTL_DEADLOCK:
        return is_true ? "nothing can move here" : "something can move here";
    case CTL_EX:
    case CTL_AX:
        return can_be_shown(ctl, is_true) ? "another next state shows it"
               : is_true                  ? "in every next state"
                                          : "in no next state";
    case CTL_EF:
        return is_true ? "another run shows it" : "no run from here leads to where it would be true";
    case CTL_EG:
    case CTL_EU:
        return is_true ? "another run shows it" : "no run from here does that";
    case CTL_AF:
    case CTL_AG:
    case CTL_AU:
        return is_true ? "every run from here does that" : "another run shows it";
    case CTL_EY:
        return is_true ? "some state one step before shows it" : "no reachable state one step before";
    case CTL_EP:
        return is_true ? "some way here shows it" : "on no way here";
    default:
        return NULL;
    }
}

static struct explanation *tell_temporal(struct result_teller *teller, struct explanation *node, const struct ctl *ctl,
                                         bool is_true, uint32_t at)
{
    bool is_shown = can_be_shown(ctl, is_true) && fits_temporal(teller, ctl, is_true, at);
    if (is_shown)
        tell_shown(teller, node, ctl, is_true, at);
    else
        node->note = is_tired(teller) ? "not followed any further" : note_of(ctl, is_true);
    return node;
}

/* --- linear time: the run decides every part --- */

static uint32_t find_first(struct result_teller *teller, const struct ctl *operand, bool is_true, uint32_t from)
{
    uint32_t at = from;
    for (uint32_t steps = 0; at != PATH_END && steps < path_count(teller->path); steps++) {
        if (teller_truth(teller, operand, at) == (is_true ? PATH_TRUE : PATH_FALSE))
            return at;
        at = path_next(teller->path, at);
    }
    return PATH_END;
}

/* Both operands of U, W, R and M: what ends it (right of U and W, left of R and M), what is so until then. */
static void tell_ended(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, bool is_true,
                       uint32_t at)
{
    bool is_until = ctl->kind == LTL_U || ctl->kind == LTL_W;
    const struct ctl *end = is_until ? ctl->right : ctl->left, *meanwhile = is_until ? ctl->left : ctl->right;
    uint32_t first = find_first(teller, is_true ? end : meanwhile, is_true, at);
    if (first == PATH_END) { /* nothing ends it, or it never ends */
        tell_for_ever(teller, node, is_true ? meanwhile : end, is_true, at);
        return;
    }
    tell_part(teller, node, is_true ? end : meanwhile, is_true, first);
    if (!is_true && is_until)
        tell_part(teller, node, end, false, first);
    node->note = is_true ? "until then the other side is true" : first == at ? NULL : "nothing ended it before";
}

static void tell_linear(struct result_teller *teller, struct explanation *node, const struct ctl *ctl, bool is_true,
                        uint32_t at)
{
    uint32_t next = path_next(teller->path, at);
    if (ctl->kind == LTL_NEVER)
        node->note = is_true ? "the claim cannot follow this run for ever" : "the claim follows this run";
    else if (ctl->kind == LTL_X)
        tell_part(teller, node, ctl->left, is_true, next == PATH_END ? at : next);
    else if (ctl->kind >= LTL_U)
        tell_ended(teller, node, ctl, is_true, at);
    else if (is_true == (ctl->kind == LTL_F))
        tell_part(teller, node, ctl->left, is_true, find_first(teller, ctl->left, is_true, at));
    else
        tell_for_ever(teller, node, ctl->left, is_true, at);
}

/* Where the run does not decide a part, it depends on what follows, or cannot be evaluated. */
static void tell_linear_decided(struct result_teller *teller, struct explanation *node, const struct ctl *ctl,
                                bool is_true, uint32_t at)
{
    if (teller_truth(teller, ctl, at) == (is_true ? PATH_TRUE : PATH_FALSE))
        tell_linear(teller, node, ctl, is_true, at);
    else
        node->note = "this run does not decide it";
}

static struct explanation *tell(struct result_teller *teller, const struct ctl *ctl, bool is_true, uint32_t at)
{
    struct explanation *node;
    if (ctl->kind == CTL_PROPOSITION) {
        node = explain_bound(teller->arena, teller->trace->layout, ctl->proposition->formula, &teller->bindings,
                             teller->trace->steps[at].cells);
        node->has_step = true;
        node->step = trace_number(teller->trace, at);
        return node;
    }
    struct text text = {0};
    node = ARENA_NEW(teller->arena, struct explanation);
    written_print_ctl(teller->trace->system, ctl, &text);
    node->text = arena_string(teller->arena, text_chars(&text));
    text_free(&text);
    node->outcome = is_true ? EXPLAINED_TRUE : EXPLAINED_FALSE;
    node->value = is_true ? "true" : "false";
    node->has_step = true;
    node->step = trace_number(teller->trace, at);
    if (ctl->kind == CTL_NOT)
        tell_part(teller, node, ctl->left, !is_true, at);
    else if (ctl->kind == CTL_AND || ctl->kind == CTL_OR || ctl->kind == CTL_IMPLIES)
        tell_connective(teller, node, ctl, is_true, at);
    else if (ctl->kind == CTL_FORALL || ctl->kind == CTL_EXISTS)
        tell_quantifier(teller, node, ctl, is_true, at);
    else if (ctl_is_linear(ctl))
        tell_linear_decided(teller, node, ctl, is_true, at);
    else
        tell_temporal(teller, node, ctl, is_true, at);
    return node;
}

struct explanation *explain_ctl(const struct trace *trace, const struct ctl *ctl, bool is_true)
{
    struct result_teller teller = {.trace = trace, .path = path_create(trace), .arena = arena_create()};
    struct explanation *root = tell(&teller, ctl, is_true, 0);
    root->arena = teller.arena;
    teller_forget(&teller);
    VEC_FREE(&teller.known);
    VEC_FREE(&teller.bindings.items);
    path_destroy(teller.path);
    return root;
}

void explain_fails(const struct explanation *root, struct text *out)
{
    struct text values = {0};
    const struct explanation *node = root;
    bool is_for_ever = false;
    while (node->part_count && !is_for_ever) {
        is_for_ever = node->is_for_ever;
        node = node->parts[is_for_ever ? 0 : node->part_count - 1];
        if (node->variable)
            text_format(&values, "%s%s: %s", values.length ? ", " : " (", node->variable->name, node->witness);
    }
    text_format(out, "%s is %s ", node->text, node->value);
    text_format(out, is_for_ever ? "for ever from step %u on" : "after step %u", (unsigned)node->step);
    if (values.length)
        text_format(out, "%s)", values.chars);
    text_free(&values);
}
