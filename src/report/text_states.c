/* The states that filter(print, ...) shows, a line for each. */
#include "report/style.h"
#include "report/text_states.h"
#include "report/trace_file.h"

enum { MOST_STATES = 1000 };

struct member_print {
    struct text *out;
    bool is_later;
};

static void print_member(void *user, const char *name, const struct json *value)
{
    struct member_print *print = user;
    const char *text = json_read_text(value);
    text_format(print->out, "%s%s=", print->is_later ? ", " : "", name);
    if (text)
        text_append(print->out, text);
    else
        json_print_compact(value, print->out);
    print->is_later = true;
}

static void print_value(const struct state_value *value, struct text *out)
{
    if (value->is_truth)
        text_append(out, value->holds ? "true" : "false");
    else if (value->exact)
        text_append(out, value->exact);
    else
        style_bounds(value->lower, value->upper, out);
}

void text_print_states(const struct quantity *quantity, struct text *out)
{
    size_t count = quantity->printed.count;
    for (size_t i = 0; i < count && i < MOST_STATES; i++) {
        struct json *state = state_to_json(quantity->layout, quantity->printed.items[i].cells);
        struct member_print print = {out, false};
        text_append(out, "            ");
        json_each(state, print_member, &print);
        text_append(out, ": ");
        print_value(&quantity->printed.items[i], out);
        text_char(out, '\n');
        json_free(state);
    }
    if (count > MOST_STATES)
        text_format(out, "            and %zu more states: see --json\n", count - MOST_STATES);
}
