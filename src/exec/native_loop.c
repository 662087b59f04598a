/* Loops: statements, quantifiers, the slots of multisets. */
#include "exec/native_emit.h"

/* The variable as something to assign to. */
static void write_variable(struct native_emitter *emitter, const struct variable *variable)
{
    if (home_of(emitter, variable)->home == HOME_LOCAL)
        text_append(emitter->out, name_local(emitter, variable));
    else
        text_format(emitter->out, "m[%s]", name_address(emitter, variable));
}

/* It counts by itself when nothing in the body changes it. */
static bool counts_itself(struct native_emitter *emitter, const struct variable *variable)
{
    return emit_facts(&emitter->facts, variable)->is_sure && home_of(emitter, variable)->home == HOME_LOCAL;
}

/* From a constant up to a constant: over `count` consecutive numbers from `low`. */
static void write_interval(struct native_emitter *emitter, const struct variable *variable, int64_t low, int64_t high)
{
    write_indent(emitter);
    if (counts_itself(emitter, variable)) {
        const char *name = name_local(emitter, variable);
        text_format(emitter->out, "for (%s = %lld; %s <= %lld; %s++) {\n", name, (long long)low, name, (long long)high,
                    name);
        emitter->indent++;
        return;
    }
    text_format(emitter->out, "for (int64_t next_ = %lld; next_ <= %lld; next_++) {\n", (long long)low,
                (long long)high);
    emitter->indent++;
    write_indent(emitter);
    write_variable(emitter, variable);
    text_append(emitter->out, " = (int32_t)next_;\n");
}

/* The codes of a type with gaps. */
static void write_codes(struct native_emitter *emitter, const struct variable *variable, const struct type *type)
{
    const char *helper = type_ordinal_helper(emitter, type);
    write_line(emitter, "for (int next_ = 0; next_ < %u; next_++) {", type->size);
    emitter->indent++;
    write_indent(emitter);
    write_variable(emitter, variable);
    text_format(emitter->out, " = code_%s(next_);\n", helper);
}

static void write_bound(struct native_emitter *emitter, const char *name, const struct expr *bound)
{
    write_indent(emitter);
    text_format(emitter->out, "int64_t %s = ", name);
    if (bound)
        write_expr(emitter, bound);
    else
        text_append(emitter->out, "1");
    text_append(emitter->out, ";\n");
}

static void write_progression(struct native_emitter *emitter, const struct variable *variable,
                              const struct domain *domain, struct span span)
{
    int64_t low, high;
    write_bound(emitter, "next_", domain->from);
    write_bound(emitter, "last_", domain->to);
    write_bound(emitter, "step_", domain->by);
    if (domain->by)
        write_line(emitter, "if (UNLIKELY(step_ == 0)) return fault(run, %u, 0);",
                   write_site(emitter, FAULT_LOOP_LIMIT, span, NULL, NULL));
    write_line(emitter, "for (bool more_ = true; more_ && (step_ > 0 ? next_ <= last_ : next_ >= last_);"
                        " more_ = !__builtin_add_overflow(next_, step_, &next_)) {");
    emitter->indent++;
    uint32_t site = write_site(emitter, FAULT_RANGE, span, NULL, variable->type);
    bool is_interval = type_interval(variable->type, &low, &high);
    const char *helper = is_interval ? NULL : type_ordinal_helper(emitter, variable->type);
    write_indent(emitter);
    write_variable(emitter, variable);
    if (is_interval)
        text_format(emitter->out, " = IN_RANGE(next_, %lld, %lld, %u);\n", (long long)low, (long long)high, site);
    else
        text_format(emitter->out, " = IN_TYPE(next_, %s, %u);\n", helper, site);
}

void write_loop_begin(struct native_emitter *emitter, const struct variable *variable, const struct domain *domain,
                      struct span span)
{
    int64_t low, high;
    write_line(emitter, "{");
    emitter->indent++;
    bool is_long = domain->from || domain->type->size >= NATIVE_LONG_LOOP;
    if (domain->from)
        write_progression(emitter, variable, domain, span);
    else if (type_interval(domain->type, &low, &high) && high < INT32_MAX)
        write_interval(emitter, variable, low, high);
    else
        write_codes(emitter, variable, domain->type);
    if (is_long)
        write_line(emitter, "LOOK();");
}

void write_loop_end(struct native_emitter *emitter)
{
    emitter->indent--;
    write_line(emitter, "}");
    emitter->indent--;
    write_line(emitter, "}");
}

void write_slots_begin(struct native_emitter *emitter, const struct variable *variable, const struct type *multiset)
{
    write_line(emitter, "for (int slot_ = 0; slot_ < %u; slot_++) {", multiset->capacity);
    emitter->indent++;
    write_line(emitter, "if (!m[base_ + %u * slot_]) continue;", multiset_stride(multiset));
    write_indent(emitter);
    write_variable(emitter, variable);
    text_append(emitter->out, " = slot_;\n");
}

void write_slots_end(struct native_emitter *emitter)
{
    emitter->indent--;
    write_line(emitter, "}");
}

/* Over an index type every element is looked at (ir/expr.h); else the first that decides ends it. */
void write_quantifier(struct native_emitter *emitter, const struct expr *expr)
{
    bool is_exists = expr->op == OP_EXISTS;
    bool is_exhaustive = !expr->domain.from && type_has_index(expr->domain.type);
    const char *name = is_exists ? "some_" : "all_";
    text_format(emitter->out, "({ bool %s = %s;\n", name, is_exists ? "false" : "true");
    emitter->indent += 2;
    write_loop_begin(emitter, expr->variable, &expr->domain, expr->span);
    write_indent(emitter);
    text_append(emitter->out, is_exists ? "if (" : "if (!");
    write_expr(emitter, expr->left);
    text_format(emitter->out, is_exists ? ") { %s = true;%s }\n" : ") { %s = false;%s }\n", name,
                is_exhaustive ? "" : " break;");
    write_loop_end(emitter);
    write_indent(emitter);
    text_format(emitter->out, "%s; })", name);
    emitter->indent -= 2;
}

void write_count(struct native_emitter *emitter, const struct expr *expr)
{
    text_append(emitter->out, "({ int base_ = ");
    write_address(emitter, expr->place);
    text_append(emitter->out, ", count_ = 0;\n");
    emitter->indent += 2;
    write_slots_begin(emitter, expr->variable, expr->place->type);
    write_indent(emitter);
    text_append(emitter->out, "if (");
    write_expr(emitter, expr->left);
    text_append(emitter->out, ") count_++;\n");
    write_slots_end(emitter);
    write_indent(emitter);
    text_append(emitter->out, "count_; })");
    emitter->indent -= 2;
}
