/* A system as Murphi text. Names are taken as they are: whoever makes a system to be written sees to it that they are
 * identifiers and differ. */
#include "lang/murphi/murphi.h"

#include "ir/fairness.h"
#include "ir/print.h"
#include "ir/walk.h"

struct writer {
    const struct system *system;
    enum dialect dialect; /* in which it will be read */
    struct text *out;
    bool *is_used;                       /* by type: it has to be declared */
    VEC(const struct variable *) locals; /* of the rule being written */
    bool has_bits;                       /* met an operator that has no spelling */
};

static void write_indent(struct writer *writer, int indent)
{
    for (int i = 0; i < indent; i++)
        text_append(writer->out, "  ");
}

static void write_string(struct writer *writer, const char *text)
{
    text_char(writer->out, '"');
    for (; *text; text++)
        text_char(writer->out, *text == '"' || *text == '\\' || *text == '\n' ? '\'' : *text);
    text_char(writer->out, '"');
}

static void use_type(struct writer *writer, const struct type *type)
{
    if (writer->is_used[type->id])
        return;
    writer->is_used[type->id] = true;
    if (type->index)
        use_type(writer, type->index);
    if (type->element)
        use_type(writer, type->element);
    for (uint32_t f = 0; f < type->field_count; f++)
        use_type(writer, type->fields[f].type);
    for (uint32_t b = 0; type->kind == TYPE_UNION && b < type->block_count; b++)
        use_type(writer, type->blocks[b].owner);
}

static bool note_expr(void *user, const struct expr *expr)
{
    struct writer *writer = user;
    if (expr->kind == EXPR_IS_MEMBER)
        use_type(writer, expr->member);
    if ((expr->kind == EXPR_UNARY && expr->op == OP_BIT_NOT) ||
        (expr->kind == EXPR_BINARY && expr->op >= OP_BIT_AND && expr->op <= OP_SHR))
        writer->has_bits = true;
    return true;
}

static bool note_place(void *user, const struct place *place, bool is_written)
{
    struct writer *writer = user;
    (void)is_written;
    if (place->kind != PLACE_VARIABLE || place->variable->is_global)
        return true;
    for (size_t i = 0; i < writer->locals.count; i++)
        if (writer->locals.items[i] == place->variable)
            return true;
    VEC_PUSH(&writer->locals, place->variable);
    use_type(writer, place->variable->type);
    return true;
}

static void note_rule(struct writer *writer, const struct rule *rule)
{
    struct walker walker = {.on_expr = note_expr, .on_place = note_place, .user = writer};
    VEC_CLEAR(&writer->locals);
    walk_rule(&walker, rule);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        use_type(writer, rule->parameters[p].type);
}

static void note_all(struct writer *writer)
{
    const struct system *system = writer->system;
    struct walker walker = {.on_expr = note_expr, .user = writer};
    for (size_t g = 0; g < system->globals.count; g++)
        use_type(writer, system->globals.items[g]->type);
    for (size_t i = 0; i < system->starts.count; i++)
        note_rule(writer, system->starts.items[i]);
    for (size_t i = 0; i < system->rules.count; i++)
        note_rule(writer, system->rules.items[i]);
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->formula)
            walk_expr(&walker, system->properties.items[i]->formula);
    for (size_t i = 0; i < system->propositions.count; i++)
        walk_expr(&walker, system->propositions.items[i]->formula);
}

static void write_type(struct writer *writer, const struct type *type);

/* What stands behind its name. */
static void write_structure(struct writer *writer, const struct type *type)
{
    if (type->kind == TYPE_RECORD) {
        text_append(writer->out, "record ");
        for (uint32_t f = 0; f < type->field_count; f++) {
            text_format(writer->out, "%s: ", type->fields[f].name);
            write_type(writer, type->fields[f].type);
            text_append(writer->out, "; ");
        }
        text_append(writer->out, "end");
    } else if (type->kind == TYPE_ARRAY) {
        text_append(writer->out, "array [");
        write_type(writer, type->index);
        text_append(writer->out, "] of ");
        write_type(writer, type->element);
    } else
        type_print_structure(type, writer->out);
}

static void write_type(struct writer *writer, const struct type *type)
{
    if (type == writer->system->integer) /* of an alias of a number: it has no name */
        type_print_structure(type, writer->out);
    else if (type->name)
        text_append(writer->out, type->name);
    else
        write_structure(writer, type);
}

static void write_types(struct writer *writer)
{
    const struct system *system = writer->system;
    bool is_first = true;
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        if (!writer->is_used[t] || !type->name || type == system->boolean || type == system->integer)
            continue;
        text_append(writer->out, is_first ? "type\n" : "");
        is_first = false;
        text_format(writer->out, "  %s: ", type->name);
        write_structure(writer, type);
        text_append(writer->out, ";\n");
    }
    text_append(writer->out, is_first ? "" : "\n");
}

static void write_variable(struct writer *writer, int indent, const struct variable *variable)
{
    write_indent(writer, indent);
    text_format(writer->out, "%s: ", variable->name);
    write_type(writer, variable->type);
    text_append(writer->out, ";\n");
}

static void write_block(struct writer *writer, int indent, const struct block *block);

static void write_if(struct writer *writer, int indent, const struct stmt *stmt)
{
    const char *keyword = "if ";
    for (;;) {
        write_indent(writer, indent);
        text_append(writer->out, keyword);
        ir_print_formula(stmt->value, writer->out);
        text_append(writer->out, " then\n");
        write_block(writer, indent + 1, &stmt->body);
        if (stmt->otherwise.count != 1 || stmt->otherwise.items[0]->kind != STMT_IF)
            break;
        stmt = stmt->otherwise.items[0];
        keyword = "elsif ";
    }
    if (stmt->otherwise.count) {
        write_indent(writer, indent);
        text_append(writer->out, "else\n");
        write_block(writer, indent + 1, &stmt->otherwise);
    }
    write_indent(writer, indent);
    text_append(writer->out, "end;\n");
}

static void write_check(struct writer *writer, const char *keyword, const struct stmt *stmt)
{
    text_format(writer->out, "%s ", keyword);
    if (stmt->value) {
        ir_print_formula(stmt->value, writer->out);
        text_char(writer->out, ' ');
    }
    write_string(writer, stmt->property->name);
}

/* `x := y` copies an undefined value; an expression that reads y is a run-time error then. */
static bool is_read_alone(const struct expr *value)
{
    return value->kind == EXPR_READ && !value->raw;
}

static void write_copy(struct writer *writer, const struct stmt *stmt)
{
    ir_print_place(stmt->place, writer->out);
    text_append(writer->out, " := ");
    if (stmt->value && is_read_alone(stmt->value)) {
        text_append(writer->out, "(true ? ");
        ir_print_formula(stmt->value, writer->out);
        text_append(writer->out, " : ");
        ir_print_formula(stmt->value, writer->out);
        text_char(writer->out, ')');
    } else if (stmt->value)
        ir_print_formula(stmt->value, writer->out);
    else
        ir_print_place(stmt->source, writer->out);
}

/* c ? a : b with a and b of two members of a union: Murphi refuses it. */
static bool is_mixed(const struct stmt *stmt)
{
    const struct expr *value = stmt->kind == STMT_ASSIGN ? stmt->value : NULL;
    return value && value->kind == EXPR_COND && value->left->type != value->right->type &&
           (value->left->type->kind != TYPE_RANGE || value->right->type->kind != TYPE_RANGE);
}

/* place := c ? a : b, as an if statement. */
static void write_mixed(struct writer *writer, int indent, const struct stmt *stmt)
{
    struct stmt sides[2] = {*stmt, *stmt}, *left = &sides[0], *right = &sides[1];
    left->value = stmt->value->left;
    right->value = stmt->value->right;
    write_if(
        writer, indent,
        &(struct stmt){.kind = STMT_IF, .value = stmt->value->condition, .body = {&left, 1}, .otherwise = {&right, 1}});
}

/* A copy of a value that may be undefined, where `:=` would stop at it. */
static bool is_copy_by_hand(const struct writer *writer, const struct stmt *stmt)
{
    return writer->dialect != DIALECT_AUTO && stmt->kind == STMT_ASSIGN && stmt->value->kind == EXPR_READ &&
           stmt->value->raw;
}

static void write_copy_by_hand(struct writer *writer, int indent, const struct stmt *stmt)
{
    struct stmt undefine = {.kind = STMT_UNDEFINE, .place = stmt->place}, *body = &undefine;
    struct expr question = {.kind = EXPR_IS_UNDEFINED, .type = writer->system->boolean, .place = stmt->value->place};
    struct expr value = *stmt->value;
    struct stmt assign = *stmt, *otherwise = &assign;
    value.raw = false;
    assign.value = &value;
    write_if(writer, indent,
             &(struct stmt){.kind = STMT_IF, .value = &question, .body = {&body, 1}, .otherwise = {&otherwise, 1}});
}

static void write_stmt(struct writer *writer, int indent, const struct stmt *stmt)
{
    if (is_copy_by_hand(writer, stmt)) {
        write_copy_by_hand(writer, indent, stmt);
        return;
    }
    if (is_mixed(stmt)) {
        write_mixed(writer, indent, stmt);
        return;
    }
    if (stmt->kind == STMT_IF) {
        write_if(writer, indent, stmt);
        return;
    }
    write_indent(writer, indent);
    switch (stmt->kind) {
    case STMT_ASSIGN:
    case STMT_COPY:
        write_copy(writer, stmt);
        break;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        text_append(writer->out, stmt->kind == STMT_CLEAR ? "clear " : "undefine ");
        ir_print_place(stmt->place, writer->out);
        break;
    case STMT_ASSERT:
        write_check(writer, "assert", stmt);
        break;
    case STMT_ASSUME:
        write_check(writer, "assume", stmt);
        break;
    case STMT_COVER:
        write_check(writer, "cover", stmt);
        break;
    case STMT_ERROR:
        write_check(writer, "error", stmt);
        break;
    case STMT_RETURN:
        text_append(writer->out, "return");
        break;
    default:
        UNREACHABLE("a statement that cannot be written");
    }
    text_append(writer->out, ";\n");
}

static void write_block(struct writer *writer, int indent, const struct block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        write_stmt(writer, indent, block->items[i]);
}

static bool writer_is_parameter(const struct rule *rule, const struct variable *variable)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].variable == variable)
            return true;
    return false;
}

static void write_ruleset(struct writer *writer, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        text_format(writer->out, "%s%s: ", p ? "; " : "ruleset ", rule->parameters[p].variable->name);
        write_type(writer, rule->parameters[p].type);
    }
    if (rule->parameter_count)
        text_append(writer->out, " do\n");
}

static void write_rule(struct writer *writer, const struct rule *rule, bool is_start)
{
    bool has_locals = false;
    note_rule(writer, rule);
    write_ruleset(writer, rule);
    text_append(writer->out, is_start ? "startstate " : "rule ");
    write_string(writer, rule->name);
    text_char(writer->out, '\n');
    if (rule->guard && !is_start) {
        text_append(writer->out, "  ");
        ir_print_formula(rule->guard, writer->out);
        text_append(writer->out, "\n==>\n");
    } else if (!is_start) {
        text_append(writer->out, "  true\n==>\n");
    }
    for (size_t i = 0; i < writer->locals.count; i++) {
        if (writer_is_parameter(rule, writer->locals.items[i]))
            continue;
        text_append(writer->out, has_locals ? "" : "var\n");
        has_locals = true;
        write_variable(writer, 1, writer->locals.items[i]);
    }
    text_append(writer->out, "begin\n");
    write_block(writer, 1, &rule->body);
    text_append(writer->out, "end;\n");
    text_append(writer->out, rule->parameter_count ? "end;\n\n" : "\n");
}

/* A condition of fairness; that of processes and rules is never written. */
static void write_fairness(struct writer *writer, const struct fairness *fairness)
{
    text_append(writer->out, "fair\n  ");
    if (fairness->when) {
        ir_print_formula(fairness->when->formula, writer->out);
        text_append(writer->out, " => ");
    }
    ir_print_formula(fairness->then->formula, writer->out);
    text_append(writer->out, ";\n\n");
}

static void write_property(struct writer *writer, const struct property *property)
{
    static const char *const keywords[] = {[PROPERTY_INVARIANT] = "invariant",
                                           [PROPERTY_ASSUMPTION] = "assume",
                                           [PROPERTY_COVER] = "cover",
                                           [PROPERTY_LIVENESS] = "liveness",
                                           [PROPERTY_DEADLOCK] = "final"};
    const struct ctl *formula = property->ctl ? property->ctl : property->ltl;
    if (property->fairness)
        write_fairness(writer, property->fairness);
    if (!formula && (!property->formula || !keywords[property->kind]))
        return;
    text_format(writer->out, "%s ", property->ctl ? "ctl" : property->ltl ? "ltl" : keywords[property->kind]);
    if (property->kind != PROPERTY_DEADLOCK)
        write_string(writer, property->name);
    text_append(writer->out, "\n  ");
    if (formula)
        ctl_print(formula, writer->out);
    else
        ir_print_formula(property->formula, writer->out);
    text_append(writer->out, ";\n\n");
}

bool murphi_write(const struct system *system, enum dialect dialect, struct text *out)
{
    struct writer writer = {.system = system, .dialect = dialect, .out = out};
    writer.is_used = memory_zeroed(system->types.count + 1, sizeof(bool));
    note_all(&writer);
    write_types(&writer);
    text_append(out, "var\n");
    for (size_t g = 0; g < system->globals.count; g++)
        write_variable(&writer, 1, system->globals.items[g]);
    text_char(out, '\n');
    for (size_t i = 0; i < system->starts.count; i++)
        write_rule(&writer, system->starts.items[i], true);
    for (size_t i = 0; i < system->rules.count; i++)
        write_rule(&writer, system->rules.items[i], false);
    for (size_t i = 0; i < system->properties.count; i++)
        write_property(&writer, system->properties.items[i]);
    VEC_FREE(&writer.locals);
    free(writer.is_used);
    return !writer.has_bits;
}
