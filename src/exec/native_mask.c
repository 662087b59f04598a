/* Guards of all instances at once.
 *
 * What the guard of a rule begins with mostly compares fields of one process with constants. The loader (native_load.c)
 * evaluates that for all values of the rule's first parameter: each part of the guard is two words, t and u, whose bits
 * are positions of the parameter. A bit of t is set where the part is true, one of u where it cannot be told: it would
 * fault, or leave a trace in `covered`. The instances with a bit in one of them are selected; where no u is set, the
 * rule does not evaluate that part of its guard again. Where one is, it does, and faults as it should.
 *
 * A part that reads one cell is a table of the packed values of that cell. The parts that read the same field of all
 * processes are lanes of a table: an entry has one bit for each of them, as far apart as there are positions; shifted
 * by the position, the entries of all processes make one word. */
#include "exec/native_emit.h"
#include "ir/arith.h"

enum {
    MASK_MOST = 64,       /* rules; in a model with many of them, few are enabled in a state */
    MASK_SIZE = 256,      /* of an expression */
    MASK_VALUES = 64,     /* packed values of a cell: bits of a word */
    MASK_WORDS = 128,     /* variables of the loader, which computes all of them for every state */
    MASK_EFFORT = 1 << 20 /* visits of expressions, all in all, while the tables are made */
};

/* The variable whose values are the positions. */
struct mask_scope {
    struct native_emitter *emitter;
    const struct parameter *index; /* NULL: there is one position */
    uint32_t count;
    uint64_t all;
};

/* A part of a guard that reads one cell, at most, and the index. */
struct atom {
    const struct mask_scope *scope;
    struct aim aim;
    bool has_cell, has_index, is_definite; /* the cell always has a value */
    int64_t code, at;                      /* what they are, while it is evaluated */
};

/* Variables of the loader, by number; NO_WORD: it would be 0. */
struct masked {
    uint32_t t, u;
};

static struct mask_scope scope_of(struct native_emitter *emitter, const struct parameter *index)
{
    uint32_t count = index ? index->type->size : 1;
    return (struct mask_scope){emitter, index, count, UINT64_MAX >> (64 - count)};
}

static bool parameter_is_fit(const struct parameter *parameter)
{
    int64_t low, high;
    return parameter->type->size > 0 && parameter->type->size <= 64 && type_interval(parameter->type, &low, &high);
}

/* --- what one cell decides --- */

static bool atom_is_index(const struct atom *atom, const struct place *place)
{
    return atom->scope->index && place->kind == PLACE_VARIABLE && place->variable == atom->scope->index->variable;
}

static bool atom_add_place(struct atom *atom, const struct place *place)
{
    struct native_emitter *emitter = atom->scope->emitter;
    struct aim aim = {.parameter = NO_PARAMETER};
    if (atom_is_index(atom, place)) {
        atom->has_index = true;
        return emit_facts(&emitter->facts, place->variable)->is_sure;
    }
    if (!aim_at(emitter, atom->scope->index, atom->scope->index ? 1 : 0, place, &aim) ||
        (atom->has_cell && (aim.cell != atom->aim.cell || aim.stride != atom->aim.stride)))
        return false;
    atom->aim = aim;
    atom->has_cell = true;
    atom->is_definite = place_is_definite(emitter, place);
    return true;
}

static bool atom_add(struct atom *atom, const struct expr *expr)
{
    int64_t value;
    if (expr_static_value(&atom->scope->emitter->facts, expr, &value))
        return true;
    switch (expr->kind) {
    case EXPR_READ:
        return !expr->raw && atom_add_place(atom, expr->place);
    case EXPR_IS_UNDEFINED:
        return type_is_scalar(expr->place->type) && atom_add_place(atom, expr->place);
    case EXPR_UNARY:
    case EXPR_IS_MEMBER:
        return atom_add(atom, expr->left);
    case EXPR_BINARY:
        return atom_add(atom, expr->left) && atom_add(atom, expr->right);
    case EXPR_COND:
        return atom_add(atom, expr->condition) && atom_add(atom, expr->left) && atom_add(atom, expr->right);
    default:
        return false;
    }
}

static bool atom_evaluate(const struct atom *atom, const struct expr *expr, int64_t *value);

static bool atom_evaluate_binary(const struct atom *atom, const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    if (!atom_evaluate(atom, expr->left, &left))
        return false;
    bool is_logical = expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES;
    if (is_logical && (expr->op == OP_OR) == (left != 0)) {
        *value = expr->op != OP_AND;
        return true;
    }
    return atom_evaluate(atom, expr->right, &right) && arith_binary(expr->op, left, right, value) == ARITH_OK;
}

/* False: not here. */
static bool atom_evaluate(const struct atom *atom, const struct expr *expr, int64_t *value)
{
    if (expr_static_value(&atom->scope->emitter->facts, expr, value))
        return true;
    switch (expr->kind) {
    case EXPR_READ:
        *value = atom_is_index(atom, expr->place) ? atom->at : atom->code;
        return *value != UNDEFINED;
    case EXPR_IS_UNDEFINED:
        *value = !atom_is_index(atom, expr->place) && atom->code == UNDEFINED;
        if (!*value || !expr->is_implied)
            return true;
        atom->scope->emitter->mask_is_exact = false; /* nothing faults, but it leaves a trace */
        return false;
    case EXPR_UNARY:
        return atom_evaluate(atom, expr->left, value) && arith_unary(expr->op, *value, value) == ARITH_OK;
    case EXPR_BINARY:
        return atom_evaluate_binary(atom, expr, value);
    case EXPR_COND:
        return atom_evaluate(atom, expr->condition, value) &&
               atom_evaluate(atom, *value ? expr->left : expr->right, value);
    case EXPR_IS_MEMBER:
        if (!atom_evaluate(atom, expr->left, value))
            return false;
        *value = type_has(expr->member, *value);
        return true;
    default:
        return false;
    }
}

/* Is the cell of every position packed in the same way, in few bits? */
static bool atom_is_fit(const struct atom *atom)
{
    const struct layout *layout = atom->scope->emitter->layout;
    uint32_t cell = (uint32_t)atom->aim.cell;
    bool is_element = atom->aim.parameter != NO_PARAMETER;
    if (!atom->has_cell)
        return true;
    if ((is_element && atom->has_index) || !layout->cells[cell].type || cell_most(layout, cell) >= MASK_VALUES)
        return false;
    for (uint32_t i = 0; is_element && i < atom->scope->count; i++)
        if (!cells_are_alike(layout, cell, cell + i * atom->aim.stride))
            return false;
    return true;
}

/* The least packed value that the cell can have: 0 is none. */
static uint32_t atom_least(const struct atom *atom)
{
    return atom->has_cell && atom->is_definite;
}

/* The cell has that packed value. */
static void atom_set(struct atom *atom, uint32_t packed)
{
    int32_t base = atom->has_cell ? atom->scope->emitter->layout->placements[atom->aim.cell].base : 0;
    atom->code = packed ? (int64_t)base + packed : UNDEFINED;
}

/* --- as text --- */

static struct text *mask_text(const struct mask_scope *scope)
{
    return &scope->emitter->mask_code;
}

/* Back to what it was. */
static void mask_cut(const struct mask_scope *scope, size_t length, size_t words)
{
    mask_text(scope)->length = length;
    if (mask_text(scope)->chars)
        mask_text(scope)->chars[length] = '\0';
    scope->emitter->words.count = words;
}

/* The declaration of another variable begins: its number. */
static uint32_t word_begin(const struct mask_scope *scope)
{
    uint32_t number = scope->emitter->mask_words++;
    text_format(mask_text(scope), "    uint64_t w%u_ = ", number);
    return number;
}

static void word_end(const struct mask_scope *scope)
{
    text_append(mask_text(scope), ";\n");
}

static struct mask_field *field_of(const struct mask_scope *scope, const struct aim *aim, size_t *number)
{
    struct native_emitter *emitter = scope->emitter;
    for (*number = 0; *number < emitter->fields.count; ++*number) {
        struct mask_field *field = &emitter->fields.items[*number];
        if (field->first == aim->cell && field->stride == aim->stride && field->count == scope->count)
            return field;
    }
    const struct mask_field field = {.first = (uint32_t)aim->cell, .stride = aim->stride, .count = scope->count};
    VEC_PUSH(&emitter->fields, field);
    return &VEC_LAST(&emitter->fields);
}

/* The lane, among those of these cells, that has a bit where a packed value is in the set. */
static void write_lane(const struct mask_scope *scope, const struct aim *aim, uint64_t values)
{
    size_t number, lane = 0, in_word = 64 / scope->count;
    struct mask_field *field = field_of(scope, aim, &number);
    while (lane < field->lanes.count && field->lanes.items[lane] != values)
        lane++;
    if (lane == field->lanes.count)
        VEC_PUSH(&field->lanes, values);
    text_format(mask_text(scope), "lanes_%zu_%zu_ >> %u & 0x%llxu", number, lane / in_word,
                (unsigned)(lane % in_word * scope->count), (unsigned long long)scope->all);
}

/* Set everywhere or nowhere. */
static void write_broadcast(const struct mask_scope *scope, uint32_t cell, uint64_t values)
{
    text_format(mask_text(scope), "-((uint64_t)0x%llxu >> v_%u_ & 1) & 0x%llxu", (unsigned long long)values, cell,
                (unsigned long long)scope->all);
}

/* The positions whose cell has one of these packed values. Rules ask the same of the same cells. */
static uint32_t mask_values(const struct atom *atom, uint64_t values)
{
    struct native_emitter *emitter = atom->scope->emitter;
    struct mask_word word = {(uint32_t)atom->aim.cell, atom->aim.stride, atom->scope->count, 0, values};
    for (size_t w = 0; w < emitter->words.count; w++) {
        const struct mask_word *known = &emitter->words.items[w];
        if (known->cell == word.cell && known->stride == word.stride && known->count == word.count &&
            known->values == word.values)
            return known->number;
    }
    word.number = word_begin(atom->scope);
    if (atom->aim.parameter != NO_PARAMETER)
        write_lane(atom->scope, &atom->aim, values);
    else
        write_broadcast(atom->scope, word.cell, values);
    word_end(atom->scope);
    VEC_PUSH(&emitter->words, word);
    return word.number;
}

/* By the values of the cell alone. */
static struct masked mask_by_value(struct atom *atom, const struct expr *expr)
{
    uint64_t values = 0, unsure = 0;
    int64_t value;
    for (uint32_t v = atom_least(atom); v <= cell_most(atom->scope->emitter->layout, (uint32_t)atom->aim.cell); v++) {
        atom_set(atom, v);
        bool is_sure = atom_evaluate(atom, expr, &value);
        values |= (uint64_t)(is_sure && value) << v;
        unsure |= (uint64_t)!is_sure << v;
    }
    struct masked masked = {.t = mask_values(atom, values)};
    masked.u = unsure ? mask_values(atom, unsure) : NO_WORD;
    return masked;
}

/* The positions for which it is true while the cell has its value, and those of which it cannot be told. */
static uint64_t atom_positions(struct atom *atom, const struct expr *expr, uint64_t *unsure)
{
    uint64_t positions = 0;
    int64_t value, low = 0, high;
    if (atom->scope->index)
        type_interval(atom->scope->index->type, &low, &high);
    *unsure = 0;
    for (uint32_t i = 0; i < atom->scope->count; i++) {
        atom->at = low + i;
        bool is_sure = atom_evaluate(atom, expr, &value);
        positions |= (uint64_t)(is_sure && value) << i;
        *unsure |= (uint64_t)!is_sure << i;
    }
    return positions;
}

/* The entry of a table for the value of the cell. */
static uint32_t mask_table(const struct atom *atom, const struct text *entries)
{
    struct native_emitter *emitter = atom->scope->emitter;
    uint32_t number = word_begin(atom->scope);
    text_format(&emitter->mask_tables, "static const uint64_t table_%u_[] = {%s};\n", number, entries->chars);
    if (atom->has_cell)
        text_format(mask_text(atom->scope), "table_%u_[v_%u_]", number, (uint32_t)atom->aim.cell);
    else
        text_format(mask_text(atom->scope), "table_%u_[0]", number);
    word_end(atom->scope);
    return number;
}

/* By the value of one cell, and the position: tables of positions. */
static struct masked mask_by_position(struct atom *atom, const struct expr *expr)
{
    struct text yes = {0}, unknown = {0};
    uint64_t most = atom->has_cell ? cell_most(atom->scope->emitter->layout, (uint32_t)atom->aim.cell) : 0;
    uint64_t unsure, all_unsure = 0;
    if (atom_least(atom)) {
        text_append(&yes, "0, ");
        text_append(&unknown, "0, ");
    }
    for (uint32_t v = atom_least(atom); v <= most; v++) {
        atom_set(atom, v);
        text_format(&yes, "0x%llxu, ", (unsigned long long)atom_positions(atom, expr, &unsure));
        text_format(&unknown, "0x%llxu, ", (unsigned long long)unsure);
        all_unsure |= unsure;
    }
    struct masked masked = {.t = mask_table(atom, &yes)};
    masked.u = all_unsure ? mask_table(atom, &unknown) : NO_WORD;
    text_free(&yes);
    text_free(&unknown);
    return masked;
}

/* --- of several cells --- */

static bool mask_formula(const struct mask_scope *scope, const struct expr *expr, struct masked *masked);

/* What is unknown of the right counts only where the left has not decided. */
static uint32_t mask_join_unsure(const struct mask_scope *scope, struct masked left, struct masked right, bool is_and)
{
    if (right.u == NO_WORD)
        return left.u;
    uint32_t unsure = word_begin(scope);
    text_format(mask_text(scope), is_and ? "w%u_ & w%u_" : "~w%u_ & w%u_", left.t, right.u);
    if (left.u != NO_WORD)
        text_format(mask_text(scope), " | w%u_", left.u);
    word_end(scope);
    return unsure;
}

/* Left to right. */
static struct masked mask_join(const struct mask_scope *scope, struct masked left, struct masked right, bool is_and)
{
    struct masked both = {.t = word_begin(scope)};
    text_format(mask_text(scope), is_and ? "w%u_ & w%u_" : "w%u_ | w%u_", left.t, right.t);
    if (!is_and && left.u != NO_WORD)
        text_format(mask_text(scope), " & ~w%u_", left.u);
    word_end(scope);
    both.u = mask_join_unsure(scope, left, right, is_and);
    return both;
}

static struct masked mask_not(const struct mask_scope *scope, struct masked of)
{
    struct masked not = {.t = word_begin(scope), .u = of.u};
    text_format(mask_text(scope), "0x%llxu & ~w%u_", (unsigned long long)scope->all, of.t);
    if (of.u != NO_WORD)
        text_format(mask_text(scope), " & ~w%u_", of.u);
    word_end(scope);
    return not ;
}

/* Its body speaks of its own variable only. (Where it is unknown for one value, it may be known all the same: the rule
 * finds out.) */
static bool mask_quantifier(const struct mask_scope *scope, const struct expr *expr, struct masked *masked)
{
    const struct parameter index = {.variable = expr->variable, .type = expr->domain.type};
    struct masked body;
    if (expr->domain.from || !parameter_is_fit(&index))
        return false;
    struct mask_scope inner = scope_of(scope->emitter, &index);
    if (!mask_formula(&inner, expr->left, &body))
        return false;
    unsigned long long all = scope->all, every = inner.all;
    masked->u = NO_WORD;
    if (body.u != NO_WORD) {
        scope->emitter->mask_is_exact = false;
        masked->u = word_begin(scope);
        text_format(mask_text(scope), "-(uint64_t)(w%u_ != 0) & 0x%llxu", body.u, all);
        word_end(scope);
    }
    masked->t = word_begin(scope);
    text_format(mask_text(scope), "-(uint64_t)(w%u_ %s 0x%llxu) & 0x%llxu", body.t,
                expr->op == OP_FORALL ? "==" : "!=", expr->op == OP_FORALL ? every : 0, all);
    if (masked->u != NO_WORD)
        text_format(mask_text(scope), " & ~w%u_", masked->u);
    word_end(scope);
    return true;
}

static bool mask_binary(const struct mask_scope *scope, const struct expr *expr, struct masked *masked)
{
    struct masked left, right;
    if ((expr->op != OP_AND && expr->op != OP_OR && expr->op != OP_IMPLIES) ||
        !mask_formula(scope, expr->left, &left) || !mask_formula(scope, expr->right, &right))
        return false;
    if (expr->op == OP_IMPLIES)
        left = mask_not(scope, left);
    *masked = mask_join(scope, left, right, expr->op == OP_AND);
    return true;
}

/* Is it evaluated for all values and positions soon enough? A visit of an expression looks at what is below, too. */
static bool atom_is_soon(const struct atom *atom, const struct expr *expr)
{
    struct native_emitter *emitter = atom->scope->emitter;
    uint64_t values = atom->has_cell ? cell_most(emitter->layout, (uint32_t)atom->aim.cell) + 1 : 1;
    uint64_t positions = atom->has_cell && !atom->has_index ? 1 : atom->scope->count;
    uint64_t effort = values * positions * expr->size * expr->size;
    if (effort > MASK_EFFORT - emitter->mask_effort)
        return false;
    emitter->mask_effort += effort;
    return true;
}

static bool mask_formula(const struct mask_scope *scope, const struct expr *expr, struct masked *masked)
{
    struct atom atom = {.scope = scope, .aim = {.parameter = NO_PARAMETER}};
    if (atom_add(&atom, expr) && atom_is_fit(&atom)) {
        if (!atom_is_soon(&atom, expr))
            return false;
        *masked = atom.has_cell && !atom.has_index ? mask_by_value(&atom, expr) : mask_by_position(&atom, expr);
        return true;
    }
    if (expr->kind == EXPR_BINARY)
        return mask_binary(scope, expr, masked);
    if (expr->kind == EXPR_QUANTIFIER)
        return mask_quantifier(scope, expr, masked);
    if (expr->kind != EXPR_UNARY || expr->op != OP_NOT || !mask_formula(scope, expr->left, masked))
        return false;
    *masked = mask_not(scope, *masked);
    return true;
}

/* --- of a rule --- */

/* The items that it begins with, as far as they can be evaluated so; how many. */
static size_t mask_items(const struct mask_scope *scope, const struct rule_plan *plan, struct masked *masked,
                         bool *is_any)
{
    size_t i = 0;
    for (; i < plan->items.count && plan->items.items[i].level <= 1; i++) {
        const struct item *item = &plan->items.items[i];
        struct masked one;
        size_t length = mask_text(scope)->length, words = scope->emitter->words.count;
        if (item->stmt && item_is_plain(scope->emitter, item))
            continue;
        if (!item->conjunct || item->conjunct->size > MASK_SIZE || scope->emitter->mask_words >= MASK_WORDS ||
            !mask_formula(scope, item->conjunct, &one)) {
            mask_cut(scope, length, words);
            break;
        }
        *masked = *is_any ? mask_join(scope, *masked, one, true) : one;
        *is_any = true;
    }
    return i;
}

/* The selection that the positions go to: that of the rule's first parameter, or a new one. */
static int64_t mask_selection(struct native_emitter *emitter, const struct mask_scope *scope)
{
    for (size_t s = emitter->first_selection; s < emitter->selections.count; s++) {
        struct selection *selection = &emitter->selections.items[s];
        selection->is_masked = select_caller(selection) != UINT32_MAX;
    }
    if (!scope->index || selection_of(emitter, 0) >= 0)
        return selection_of(emitter, 0);
    const struct selection open = {
        .rule = emitter->rule->id, .parameter = 0, .count = scope->count, .is_open = true, .is_masked = true};
    VEC_PUSH(&emitter->selections, open);
    return (int64_t)emitter->selections.count - 1;
}

void mask_instances(struct native_emitter *emitter, const struct rule_plan *plan)
{
    const struct rule *rule = plan->rule;
    const struct parameter *index = rule->parameter_count ? &rule->parameters[0] : NULL;
    struct masked masked;
    bool is_any = false;
    emitter->mask_is_exact = true;
    if (emitter->masks.count == MASK_MOST || !loader_is_possible(emitter) || (index && !parameter_is_fit(index)))
        return;
    struct mask_scope scope = scope_of(emitter, index);
    size_t items = mask_items(&scope, plan, &masked, &is_any);
    if (!is_any)
        return;
    const struct mask mask = {rule->id, mask_selection(emitter, &scope), masked.t, masked.u};
    emitter->mask = (int64_t)emitter->masks.count;
    emitter->masked_items = items;
    emitter->is_bulk = items == plan->items.count && rule->parameter_count == 1 && rule->instance_count &&
                       system_first_number(emitter->system, rule);
    VEC_PUSH(&emitter->masks, mask);
}
