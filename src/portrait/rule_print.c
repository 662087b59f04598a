/* Cells of processes, in the words of the model. */
#include "portrait/rule_partition.h"

#include "base/text.h"

static void print_element(const struct roster *roster, uint32_t element, struct text *out)
{
    type_print_value(roster->families[roster->family_of[element]].type, roster->code_of[element], out);
}

void rule_partition_print_set(const struct roster *roster, uint32_t family, const bool *has, struct text *out)
{
    uint32_t first = roster->families[family].first, end = first + roster->families[family].size;
    bool is_first = true;
    for (uint32_t e = first; e < end; e++) {
        uint32_t last = e;
        if (!has[e])
            continue;
        while (last + 1 < end && has[last + 1])
            last++;
        text_append(out, is_first ? "" : ", ");
        is_first = false;
        print_element(roster, e, out);
        if (last > e) {
            text_append(out, last == e + 1 ? ", " : "..");
            print_element(roster, last, out);
        }
        e = last;
    }
}

void rule_partition_print_cells(const struct roster *roster, const struct rule_class *class, uint32_t family,
                                struct text *out)
{
    uint32_t first = roster->families[family].first, end = first + roster->families[family].size;
    bool *has = memory_zeroed(roster->element_count, sizeof *has);
    for (uint32_t e = first; e < end; e++) {
        if (class->label_of[e] != e)
            continue;
        for (uint32_t other = first; other < end; other++)
            has[other] = class->label_of[other] == e;
        text_append(out, e == first ? "" : " | ");
        rule_partition_print_set(roster, family, has, out);
    }
    free(has);
}
