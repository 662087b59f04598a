/* Where the time went: tables of rules and properties. */
#include <stdlib.h>

#include "report/report.h"
#include "report/style.h"

/* A line of a table. */
struct profile_line {
    const struct profile_row *row;
    const char *name;
};

static int compare_lines(const void *a, const void *b)
{
    const struct profile_line *left = a, *right = b;
    if (left->row->seconds != right->row->seconds)
        return left->row->seconds < right->row->seconds ? 1 : -1;
    return (left->row > right->row) - (left->row < right->row); /* all of one array */
}

static void print_cell(uint64_t count, struct text *out)
{
    struct text digits = {0};
    style_count(count, &digits);
    text_format(out, "%15s", text_chars(&digits));
    text_free(&digits);
}

static void print_line(const struct profile_line *line, double total, bool is_rule, struct text *out)
{
    const struct profile_row *row = line->row;
    uint64_t per = is_rule ? row->enabled : row->asked;
    text_format(out, "%5.1f%% %9.3f s", total > 0 ? 100 * row->seconds / total : 0.0, row->seconds);
    if (per)
        text_format(out, " %8.0f ns", row->seconds * 1e9 / (double)per);
    else
        text_append(out, "           -");
    print_cell(is_rule ? row->enabled : row->asked, out);
    if (is_rule)
        print_cell(row->fired, out);
    text_format(out, "  %s\n", line->name);
}

static void print_table(struct profile_line *lines, size_t count, double total, bool is_rule, struct text *out)
{
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++)
        print_line(&lines[i], total, is_rule, out);
}

static double total_of(const struct profile_row *rows, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += rows[i].seconds;
    return total;
}

void report_text_profile(const struct profile *profile, struct text *out)
{
    const struct system *system = profile->system;
    size_t rules = system->rules.count, properties = system->properties.count, count = 0;
    struct profile_line *lines = memory_zeroed(rules + properties + 1, sizeof *lines);
    double total = total_of(profile->rules, rules) + total_of(profile->properties, properties);
    text_append(out, "  time                  each        enabled          fired  rule\n");
    for (size_t r = 0; r < rules; r++)
        lines[count++] = (struct profile_line){&profile->rules[r], system->rules.items[r]->name};
    print_table(lines, count, total, true, out);
    count = 0;
    for (size_t p = 0; p < properties; p++)
        if (system->properties.items[p]->formula)
            lines[count++] = (struct profile_line){&profile->properties[p], system->properties.items[p]->name};
    if (count)
        text_append(out, "  time                  each      evaluated  property\n");
    print_table(lines, count, total, false, out);
    free(lines);
}

static struct json *rule_to_json(const struct rule *rule, const struct profile_row *row)
{
    struct json *object = json_make_object();
    json_set(object, "name", json_make_text(rule->name));
    json_set(object, "tried", json_make_count(row->asked));
    json_set(object, "enabled", json_make_count(row->enabled));
    json_set(object, "fired", json_make_count(row->fired));
    json_set(object, "seconds", json_make_real(row->seconds));
    return object;
}

static struct json *property_to_json(const struct property *property, const struct profile_row *row)
{
    struct json *object = json_make_object();
    json_set(object, "id", json_make_integer(property->id));
    json_set(object, "name", json_make_text(property->name));
    json_set(object, "evaluated", json_make_count(row->asked));
    json_set(object, "seconds", json_make_real(row->seconds));
    return object;
}

struct json *report_json_profile(const struct profile *profile)
{
    const struct system *system = profile->system;
    struct json *object = json_make_object(), *rules = json_make_array(), *properties = json_make_array();
    for (size_t r = 0; r < system->rules.count; r++)
        json_push(rules, rule_to_json(system->rules.items[r], &profile->rules[r]));
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->formula)
            json_push(properties, property_to_json(system->properties.items[p], &profile->properties[p]));
    json_set(object, "rules", rules);
    json_set(object, "properties", properties);
    return object;
}
