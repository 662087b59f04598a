#include "ir/instance.h"

#include "base/text.h"
#include "ir/face.h"

void instance_values(const struct rule *rule, uint64_t instance, int32_t *values)
{
    for (uint32_t p = rule->parameter_count; p-- > 0;) {
        const struct type *type = rule->parameters[p].type;
        values[p] = type_code(type, (uint32_t)(instance % type->size));
        instance /= type->size;
    }
}

uint64_t instance_number(const struct rule *rule, const int32_t *values)
{
    uint64_t instance = 0;
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct type *type = rule->parameters[p].type;
        int64_t ordinal = type_ordinal(type, values[p]);
        ENSURE(ordinal >= 0);
        instance = instance * type->size + (uint64_t)ordinal;
    }
    return instance;
}

static void print_pieces(const struct rule *rule, uint64_t instance, struct text *out)
{
    int32_t *values = memory_zeroed(rule->parameter_count + 1, sizeof *values);
    instance_values(rule, instance, values);
    for (uint32_t i = 0; i < rule->shown->piece_count; i++) {
        const struct face_piece *piece = &rule->shown->pieces[i];
        text_append(out, piece->text);
        if (piece->parameter >= 0)
            type_print_value(rule->parameters[piece->parameter].type, values[piece->parameter], out);
    }
    free(values);
}

void instance_print(const struct rule *rule, uint64_t instance, struct text *out)
{
    if (rule->shown) {
        print_pieces(rule, instance, out);
        return;
    }
    text_append(out, rule->name);
    if (!rule->parameter_count || rule->joint) /* that they act together is all there is to say */
        return;
    int32_t *values = memory_alloc(rule->parameter_count * sizeof *values);
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        text_format(out, "%s%s: ", p ? ", " : " (", rule->parameters[p].variable->name);
        type_print_value(rule->parameters[p].type, values[p], out);
    }
    text_char(out, ')');
    free(values);
}
