/* Guards of all instances at once (native_mask.c), as text of the loader: the tables, the words that the cells of all
 * positions make, and which rules are called. */
#include "exec/native_emit.h"

static void write_lane_table(struct native_emitter *emitter, size_t g, size_t first, size_t end)
{
    const struct mask_field *field = &emitter->fields.items[g];
    text_format(emitter->out, "static const uint64_t lane_%zu_%zu_[] = {", g, first / (64 / field->count));
    for (uint64_t v = 0; v <= cell_most(emitter->layout, field->first); v++) {
        uint64_t entry = 0;
        for (size_t lane = first; lane < end; lane++)
            entry |= (field->lanes.items[lane] >> v & 1) << (lane - first) * field->count;
        text_format(emitter->out, "0x%llxu, ", (unsigned long long)entry);
    }
    text_append(emitter->out, "};\n");
}

/* The lanes of a field that stand in one word: from `first`, up to the one that is returned. */
static size_t field_word_end(const struct mask_field *field, size_t first)
{
    size_t end = first + 64 / field->count;
    return end < field->lanes.count ? end : field->lanes.count;
}

void write_mask_tables(struct native_emitter *emitter)
{
    text_append(emitter->out, text_chars(&emitter->mask_tables));
    for (size_t g = 0; g < emitter->fields.count; g++)
        for (size_t first = 0, end; first < emitter->fields.items[g].lanes.count; first = end) {
            end = field_word_end(&emitter->fields.items[g], first);
            write_lane_table(emitter, g, first, end);
        }
}

static void write_lane_words(struct native_emitter *emitter, size_t g)
{
    const struct mask_field *field = &emitter->fields.items[g];
    for (size_t first = 0; first < field->lanes.count; first = field_word_end(field, first)) {
        size_t word = first / (64 / field->count);
        text_format(emitter->out, "    uint64_t lanes_%zu_%zu_ = 0", g, word);
        for (uint32_t i = 0; i < field->count; i++)
            text_format(emitter->out, " | lane_%zu_%zu_[v_%u_] << %u", g, word, field->first + i * field->stride, i);
        text_append(emitter->out, ";\n");
    }
}

static void write_mask(struct native_emitter *emitter, size_t number)
{
    const struct mask *mask = &emitter->masks.items[number];
    struct text positions = {0};
    text_format(&positions, "w%u_", mask->t);
    if (mask->u != NO_WORD)
        text_format(&positions, " | w%u_", mask->u);
    if (mask->u != NO_WORD)
        text_format(emitter->out, "    unsure[%zu] = w%u_;\n", number, mask->u);
    else
        text_format(emitter->out, "    unsure[%zu] = 0;\n", number);
    if (mask->selection >= 0)
        text_format(emitter->out, "    selected[%lld] = %s;\n", (long long)mask->selection, positions.chars);
    text_format(emitter->out, "    called[%u] |= (uint64_t)((%s) != 0) << %u;\n", mask->rule / 64, positions.chars,
                mask->rule % 64);
    text_free(&positions);
}

void write_masks(struct native_emitter *emitter)
{
    for (size_t g = 0; g < emitter->fields.count; g++)
        write_lane_words(emitter, g);
    text_append(emitter->out, text_chars(&emitter->mask_code));
    for (size_t k = 0; k < emitter->masks.count; k++)
        write_mask(emitter, k);
}
