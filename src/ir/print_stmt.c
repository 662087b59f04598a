/* Statements as text, one to a line. */
#include "ir/print.h"

static void print_indent(int indent, struct text *out)
{
    for (int i = 0; i < indent; i++)
        text_append(out, "  ");
}

static void ir_print_stmt(const struct stmt *stmt, int indent, struct text *out);

void ir_print_block(const struct block *block, int indent, struct text *out)
{
    for (uint32_t s = 0; s < block->count; s++)
        ir_print_stmt(block->items[s], indent, out);
}

/* keyword expression */
static void print_with_value(const char *keyword, const struct stmt *stmt, struct text *out)
{
    text_format(out, "%s ", keyword);
    ir_print_expr(stmt->value, out);
}

static void print_with_property(const char *keyword, const struct stmt *stmt, struct text *out)
{
    text_append(out, keyword);
    if (stmt->value) {
        text_char(out, ' ');
        ir_print_expr(stmt->value, out);
    }
    text_format(out, " \"%s\"", stmt->property->name);
}

static void print_with_place(const char *keyword, const struct stmt *stmt, struct text *out)
{
    text_format(out, "%s ", keyword);
    ir_print_place(stmt->place, out);
}

/* What is assigned, returned, put or added: a scalar or an aggregate. */
static void print_operand(const struct stmt *stmt, struct text *out)
{
    if (stmt->value)
        ir_print_expr(stmt->value, out);
    else if (stmt->source)
        ir_print_place(stmt->source, out);
    else if (stmt->message)
        text_format(out, "\"%s\"", stmt->message);
}

static void print_nested(const struct stmt *stmt, int indent, struct text *out)
{
    text_char(out, '\n');
    ir_print_block(&stmt->body, indent + 1, out);
    if (stmt->otherwise.count) {
        print_indent(indent, out);
        text_append(out, "else\n");
        ir_print_block(&stmt->otherwise, indent + 1, out);
    }
    print_indent(indent, out);
    text_append(out, "end");
}

static void print_for(const struct stmt *stmt, int indent, struct text *out)
{
    text_format(out, "for %s: ", stmt->variable->name);
    ir_print_domain(&stmt->domain, out);
    print_nested(stmt, indent, out);
}

static void print_remove_if(const struct stmt *stmt, struct text *out)
{
    text_format(out, "removeall %s in ", stmt->variable->name);
    ir_print_place(stmt->place, out);
    text_append(out, ": ");
    ir_print_expr(stmt->value, out);
}

static void print_between(const char *keyword, const struct stmt *stmt, const char *between, struct text *out)
{
    text_append(out, keyword);
    print_operand(stmt, out);
    text_append(out, between);
    ir_print_place(stmt->place, out);
}

static void print_body(const struct stmt *stmt, int indent, struct text *out)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
    case STMT_COPY:
        ir_print_place(stmt->place, out);
        text_append(out, stmt->kind == STMT_COPY ? " :== " : " := ");
        print_operand(stmt, out);
        return;
    case STMT_IF:
        print_with_value("if", stmt, out);
        print_nested(stmt, indent, out);
        return;
    case STMT_FOR:
        print_for(stmt, indent, out);
        return;
    case STMT_WHILE:
        print_with_value("while", stmt, out);
        print_nested(stmt, indent, out);
        return;
    case STMT_CALL:
        print_with_value("call", stmt, out);
        return;
    case STMT_RETURN:
        text_append(out, stmt->value || stmt->source ? "return " : "return");
        print_operand(stmt, out);
        return;
    case STMT_ASSERT:
        print_with_property("assert", stmt, out);
        return;
    case STMT_ASSUME:
        print_with_property("assume", stmt, out);
        return;
    case STMT_COVER:
        print_with_property("cover", stmt, out);
        return;
    case STMT_ERROR:
        print_with_property("error", stmt, out);
        return;
    case STMT_PUT:
        text_append(out, "put ");
        print_operand(stmt, out);
        return;
    case STMT_CLEAR:
        print_with_place("clear", stmt, out);
        return;
    case STMT_UNDEFINE:
        print_with_place("undefine", stmt, out);
        return;
    case STMT_BIND:
        text_format(out, "bind %s to ", stmt->variable->name);
        ir_print_place(stmt->place, out);
        return;
    case STMT_REQUIRE:
        print_with_value("require", stmt, out);
        return;
    case STMT_MULTISET_ADD:
        print_between("add ", stmt, " to ", out);
        return;
    case STMT_MULTISET_REMOVE:
        print_between("remove slot ", stmt, " of ", out);
        return;
    case STMT_MULTISET_REMOVE_IF:
        print_remove_if(stmt, out);
        return;
    }
    UNREACHABLE("statement kind");
}

static void ir_print_stmt(const struct stmt *stmt, int indent, struct text *out)
{
    print_indent(indent, out);
    print_body(stmt, indent, out);
    text_char(out, '\n');
}
