/* A rule as a function of C that fires one instance: where the loader has evaluated the whole guard (native_mask.c),
 * and there is at most one parameter. The loops, which native_rule.c writes for other rules, are the host's
 * (native_fire.c): most of the time that a C compiler takes would go into them. */
#include "exec/native_emit.h"

enum {
    SPLIT_RULES = 64,   /* the loader is written for their sake, however long it becomes because of others */
    SPLIT_JOINED = 1500 /* characters of an effect that stands in one function with others */
};

bool split_is_possible(const struct native_emitter *emitter, const struct rule_plan *plan)
{
    const struct rule *rule = plan->rule;
    return emitter->mask >= 0 && emitter->masked_items == plan->items.count && plan->is_pure && !rule->joint &&
           rule->parameter_count <= 1 && rule->instance_count && emitter->answer == NATIVE_MUTE &&
           emitter->system->rules.count <= SPLIT_RULES && !emitter->layout->multiset_count;
}

void split_note(struct native_emitter *emitter, const struct rule *rule, bool is_split)
{
    struct native_split split = {.is_split = is_split};
    if (is_split) {
        split.has_parameter = rule->parameter_count;
        split.has_test = !emitter->mask_is_exact;
        split.selection = rule->parameter_count ? (uint32_t)selection_of(emitter, 0) : 0;
        split.mask = (uint32_t)emitter->mask;
        split.first = system_first_number(emitter->system, rule);
        split.is_astride = split.first && split.first % 64 + rule->instance_count > 64;
        emitter->has_split = true;
    }
    VEC_PUSH(&emitter->source->splits, split);
}

/* As they stand in the guard, for the instance that is chosen. */
static void write_test(struct native_emitter *emitter, const struct rule_plan *plan)
{
    write_line(emitter, "if (UNLIKELY(run->is_asked)) {");
    emitter->indent++;
    for (size_t i = 0; i < plan->items.count; i++) {
        if (!plan->items.items[i].conjunct)
            continue;
        emitter->level = (int32_t)plan->items.items[i].level;
        write_indent(emitter);
        text_append(emitter->out, "if (!");
        write_expr(emitter, plan->items.items[i].conjunct);
        text_append(emitter->out, ") return NATIVE_FALSE;\n");
    }
    write_line(emitter, "return NATIVE_TRUE;");
    emitter->indent--;
    write_line(emitter, "}");
}

void write_split(struct native_emitter *emitter, const struct rule_plan *plan)
{
    const struct rule *rule = plan->rule;
    if (rule->parameter_count)
        write_set_parameter(emitter, 0);
    if (!emitter->mask_is_exact)
        write_test(emitter, plan);
    emitter->level = (int32_t)rule->parameter_count;
    write_block(emitter, &rule->body);
    if (emitter->has_return)
        write_line(emitter, "fired:;");
    write_line(emitter, "return NATIVE_STATE;");
}

/* A function costs the compiler as much as ten lines of it. Those that call no other, and so need neither a stack nor
 * registers that are to be saved, are as fast in one. */
static bool split_is_joined(const struct native_emitter *emitter, const struct body *body)
{
    return !emitter->has_call && !emitter->has_return && body->text.length <= SPLIT_JOINED;
}

void split_end(struct native_emitter *emitter, struct body *body, const struct rule *rule)
{
    struct text head = {0}, *out = body->outer;
    bool is_joined = split_is_joined(emitter, body);
    emitter->source->splits.items[rule->id].is_joined = is_joined;
    if (is_joined) {
        body->outer = &emitter->effects;
        text_format(&head, "effect_%u:", rule->id);
    } else {
        text_format(&head, "static int rule_%u_", rule->id);
        write_identifier(&head, rule->name, 40);
        text_append(&head, "(struct native_run *run, int32_t *m, uint32_t rule)");
    }
    body_end(emitter, body, "rule", rule->name, rule->span, head.chars);
    emitter->out = out;
    text_free(&head);
}

/* By number of the rule; a switch would compare it again and again. */
static void write_joined(struct native_emitter *emitter)
{
    text_append(emitter->out, "static int native_effects(struct native_run *run, int32_t *m, uint32_t rule)\n{\n"
                              "    static const void *const labels_[] = {\n");
    for (size_t r = 0; r < emitter->source->splits.count; r++)
        if (emitter->source->splits.items[r].is_joined)
            text_format(emitter->out, "        [%zu] = &&effect_%zu,\n", r, r);
    text_format(emitter->out, "    };\n    goto *labels_[rule];\n%s}\n\n", emitter->effects.chars);
}

void write_effects(struct native_emitter *emitter)
{
    if (emitter->effects.length)
        write_joined(emitter);
    text_append(emitter->out, "static native_effect *const effects[] = {\n");
    for (size_t r = 0; r < emitter->source->splits.count; r++) {
        const struct native_split *split = &emitter->source->splits.items[r];
        if (split->is_split && !split->is_joined) {
            text_format(emitter->out, "    rule_%zu_", r);
            write_identifier(emitter->out, emitter->system->rules.items[r]->name, 40);
            text_append(emitter->out, ",\n");
        } else {
            text_append(emitter->out, split->is_split ? "    native_effects,\n" : "    0,\n");
        }
    }
    text_append(emitter->out, "    0,\n};\n");
}
