/* The whole system as text. */
#include "ir/print.h"

#include <string.h>

#include "base/hash.h"
#include "ir/chain.h"

static void print_type_declaration(const struct type *type, struct text *out)
{
    text_format(out, "type %s: ", type->name);
    type_print_structure(type, out);
    text_char(out, '\n');
}

static void print_variable(const char *keyword, const struct variable *variable, struct text *out)
{
    text_format(out, "%s %s: ", keyword, variable->name);
    type_print(variable->type, out);
    text_format(out, " @%u\n", variable->address);
}

static void print_function(const struct function *function, struct text *out)
{
    text_format(out, "\nfunction %s(", function->name);
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        text_format(out, "%s%s%s: ", p ? ", " : "", parameter->is_reference ? "var " : "", parameter->name);
        type_print(parameter->type, out);
    }
    text_char(out, ')');
    if (function->result) {
        text_append(out, ": ");
        type_print(function->result->type, out);
    }
    text_char(out, '\n');
    ir_print_block(&function->body, 1, out);
    text_append(out, "end\n");
}

static void print_parameters(const struct rule *rule, struct text *out)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct parameter *parameter = &rule->parameters[p];
        text_format(out, "%s%s: ", p ? ", " : " (", parameter->variable->name);
        if (parameter->choose) {
            text_append(out, "slot of ");
            ir_print_place(parameter->choose, out);
        } else {
            type_print(parameter->type, out);
        }
    }
    text_append(out, rule->parameter_count ? ")\n" : "\n");
}

static void print_weight(const struct weight *weight, struct text *out)
{
    char *factor = rational_digits(weight->factor);
    text_append(out, factor);
    free(factor);
    if (weight->top) {
        text_append(out, " * ");
        ir_print_expr(weight->top, out);
    }
    if (weight->bottom) {
        text_append(out, " / ");
        ir_print_expr(weight->bottom, out);
    }
}

static void print_joint(const struct joint *joint, struct text *out)
{
    for (uint32_t p = 0; p < joint->part_count; p++)
        for (uint32_t c = 0; c < joint->parts[p].command_count; c++) {
            const struct joint_command *command = &joint->parts[p].commands[c];
            text_format(out, "  command %u of %s: weights", c, joint->parts[p].name);
            for (uint32_t i = 0; i < command->outcome_count; i++) {
                text_append(out, i ? ", " : " ");
                print_weight(command->outcomes[i].weight, out);
            }
            text_char(out, '\n');
        }
}

static void print_rule(const char *keyword, const struct rule *rule, struct text *out)
{
    text_format(out, "\n%s \"%s\"", keyword, rule->name);
    print_parameters(rule, out);
    ir_print_block(&rule->prelude, 1, out);
    if (rule->guard) {
        text_append(out, "  guard ");
        ir_print_expr(rule->guard, out);
        text_char(out, '\n');
    }
    if (rule->joint)
        print_joint(rule->joint, out);
    text_append(out, "begin");
    if (rule->weight) {
        text_append(out, " with weight ");
        print_weight(rule->weight, out);
    }
    text_char(out, '\n');
    ir_print_block(&rule->body, 1, out);
    text_append(out, "end\n");
}

static void print_property(const struct property *property, struct text *out)
{
    text_format(out, "%s \"%s\"", property_kind_name(property->kind), property->name);
    if (property->formula) {
        text_append(out, ": ");
        ir_print_expr(property->formula, out);
    }
    if (property->ctl) {
        text_append(out, ": ");
        ctl_print(property->ctl, out);
    }
    text_char(out, '\n');
}

void ir_print_system(const struct system *system, struct text *out)
{
    text_format(out, "system \"%s\"\n", system->name);
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        bool is_built_in = type == system->boolean || type == system->integer;
        if (type->name && !is_built_in) /* anonymous types are written out where they stand */
            print_type_declaration(type, out);
    }
    for (size_t g = 0; g < system->globals.count; g++)
        print_variable("state", system->globals.items[g], out);
    for (size_t s = 0; s < system->scratch.count; s++)
        print_variable(system->scratch.items[s]->is_reference ? "reference" : "scratch", system->scratch.items[s], out);
    for (size_t f = 0; f < system->functions.count; f++)
        print_function(system->functions.items[f], out);
    for (size_t r = 0; r < system->starts.count; r++)
        print_rule("startstate", system->starts.items[r], out);
    for (size_t r = 0; r < system->rules.count; r++)
        print_rule("rule", system->rules.items[r], out);
    text_char(out, '\n');
    for (size_t p = 0; p < system->properties.count; p++)
        print_property(system->properties.items[p], out);
}

uint64_t ir_hash_system(const struct system *system)
{
    struct text text = {0};
    ir_print_system(system, &text);
    const char *body = strchr(text_chars(&text), '\n'); /* the first line has the path, as the user wrote it */
    uint64_t hash = hash_bytes(body, strlen(body));
    text_free(&text);
    return hash;
}
