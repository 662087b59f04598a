#include "cli/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/model.h"

enum { CHOICES_MAX = 32 }; /* values of an option */

const struct option_row option_rows[OPTION_COUNT] = {
#define OPTION(id, letter, name, kind, argument, standard, commands, help)                                             \
    {letter, name, kind, argument, standard, commands, USED_BY_ALL, USED_BY_ALL, help},
#define SETTING(id, letter, name, kind, argument, standard, commands, field, murphi, prism, help)                      \
    {letter, name, kind, argument, standard, (commands) | IN_ANSWER, murphi, prism, help},
    OPTIONS(OPTION, SETTING)
#undef SETTING
#undef OPTION
};

const struct command_row command_rows[COMMAND_COUNT] = {
#define COMMAND(id, name, operands, count, summary) {name, operands, count, summary},
    COMMANDS(COMMAND)
#undef COMMAND
};

const struct comparison_row comparison_rows[] = {
#define COMPARISON(id, values, help) {OPTION_##id, values, help},
    OPTION_COMPARISONS(COMPARISON)
#undef COMPARISON
};
const size_t comparison_row_count = sizeof comparison_rows / sizeof *comparison_rows;

enum command_id options_find_command(const char *name)
{
    int id = 0;
    while (id < COMMAND_COUNT && strcmp(command_rows[id].name, name))
        id++;
    return (enum command_id)id;
}

static bool belongs(const struct options *options, int id)
{
    return option_rows[id].commands & 1 << options->command;
}

int options_position(const char *list, const char *value, size_t length)
{
    for (int position = 0;; position++) {
        size_t here = strcspn(list, "|");
        if (here == length && !memcmp(list, value, length))
            return position;
        if (!list[here])
            return -1;
        list += here + 1;
    }
}

static bool add_define(struct options *options, const char *value, size_t length, struct text *message)
{
    const char *equals = memchr(value, '=', length), *end = value + length;
    bool good = equals && equals > value && equals + 1 < end && (isalpha((unsigned char)value[0]) || value[0] == '_');
    for (const char *c = value; good && c < equals; c++)
        good = isalnum((unsigned char)*c) || *c == '_';
    if (!good) {
        text_format(message, "-D wants NAME=VALUE, as in -D N=4, not \"%.*s\"", (int)length, value);
        return false;
    }
    struct text name = {0}, given = {0};
    text_append_n(&name, value, (size_t)(equals - value));
    text_append_n(&given, equals + 1, (size_t)(end - equals - 1));
    for (size_t i = 0; i < options->defines.count; i++)
        if (!strcmp(options->defines.items[i].name, name.chars)) { /* the last one counts */
            free((char *)options->defines.items[i].value);
            options->defines.items[i].value = given.chars;
            text_free(&name);
            return true;
        }
    VEC_PUSH(&options->defines, ((struct define){name.chars, given.chars}));
    return true;
}

/* Several at once, as PRISM has them: "N=4,K=2". */
static bool add_defines(struct options *options, const char *list, struct text *message)
{
    for (;; list++) {
        size_t length = strcspn(list, ",");
        if (!add_define(options, list, length, message))
            return false;
        list += length;
        if (!*list)
            return true;
    }
}

static void add_property(struct options *options, const char *word, const char *value, const char *end)
{
    if (options->asked.length)
        text_char(&options->asked, '\n');
    text_format(&options->asked, "%s%s%s", word, value, end);
    options->values[OPTION_PROPERTY] = options->asked.chars;
}

static bool is_of_kind(const struct option_row *row, const char *value)
{
    uint64_t number;
    double share;
    switch (row->kind) {
    case KIND_CHOICE:
        return options_position(row->argument, value, strlen(value)) >= 0;
    case KIND_SIZE:
        return amount_size(value, &number);
    case KIND_TIME:
        return amount_time(value, &share);
    case KIND_COUNT:
        return amount_count(value, &number);
    case KIND_SHARE:
        return amount_share(value, &share);
    default:
        return *value;
    }
}

/* ; did you mean "explicit"? */
static void suggest_value(const char *list, const char *value, struct text *message)
{
    const char *values[CHOICES_MAX];
    size_t count = 0;
    struct arena *arena = arena_create();
    while (*list && count < CHOICES_MAX) {
        size_t length = strcspn(list, "|");
        values[count++] = arena_string_n(arena, list, length);
        list += length + (list[length] == '|');
    }
    const char *closest = diag_closest(value, values, count);
    if (closest)
        text_format(message, "; did you mean \"%s\"?", closest);
    arena_destroy(arena);
}

/* What follows the word is a matter of the model. */
static bool check_fairness(const char *value, struct text *message)
{
    static const char list[] = "weak|strong";
    struct text word = {0};
    value += strspn(value, " ");
    text_append_n(&word, value, strcspn(value, " \t\r\n;\""));
    bool is_good = options_position(list, text_chars(&word), word.length) >= 0;
    if (!is_good) {
        text_format(message,
                    "--fairness takes weak or strong, perhaps with a type or a rule (strong \"enter\"), not \"%s\"",
                    value);
        suggest_value(list, text_chars(&word), message);
    }
    text_free(&word);
    return is_good;
}

static bool check_value(int id, const char *value, struct text *message)
{
    static const char *const wanted[] = {
        [KIND_SIZE] = "an amount of memory such as 512M or 4G",
        [KIND_TIME] = "a time such as 90, 10m or 2h",
        [KIND_COUNT] = "a positive number",
        [KIND_SHARE] = "a number between 0 and 1 such as 1e-6",
    };
    const struct option_row *row = &option_rows[id];
    if (is_of_kind(row, value))
        return id != OPTION_FAIRNESS || check_fairness(value, message);
    if (row->kind == KIND_TEXT)
        text_format(message, "--%s wants %s", row->name, row->argument);
    else
        text_format(message, "--%s takes %s, not \"%s\"", row->name,
                    row->kind == KIND_CHOICE ? row->argument : wanted[row->kind], value);
    if (row->kind == KIND_CHOICE)
        suggest_value(row->argument, value, message);
    return false;
}

static bool set_value(struct options *options, int id, const char *value, struct text *message)
{
    if (option_rows[id].kind == KIND_DEFINE)
        return add_defines(options, value, message);
    if (!check_value(id, value, message))
        return false;
    if (id == OPTION_PROPERTY)
        add_property(options, "", value, "");
    else if (id == OPTION_FINAL)
        add_property(options, "final ", value, "");
    else if (id == OPTION_FAIRNESS)
        add_property(options, "fairness ", value, ";");
    if (id != OPTION_PROPERTY) /* all of them together */
        options->values[id] = value;
    return true;
}

/* `attached`: the value in the same word, or NULL; `next`: the word after it, or NULL. */
static bool take_option(struct options *options, int id, const char *attached, const char *next, bool *took_next,
                        struct text *message)
{
    const struct option_row *row = &option_rows[id];
    *took_next = false;
    if (id == OPTION_GENERATORS && attached && *attached)
        options->values[OPTION_GIVEN] = attached;
    if (row->kind == KIND_FLAG) {
        bool is_taken = !attached || options->values[OPTION_GIVEN] == attached;
        if (!is_taken)
            text_format(message, "--%s takes no value", row->name);
        options->values[id] = "yes";
        return is_taken;
    }
    if (!attached && !next) {
        text_format(message, "--%s wants %s", row->name, row->argument);
        return false;
    }
    *took_next = !attached;
    return set_value(options, id, attached ? attached : next, message);
}

/* What other tools call it: rumur, and PRISM. */
static const char *foreign_option(const char *name)
{
    static const char *const pairs[][2] = {{"bound", "depth"},
                                           {"symmetry-reduction", "symmetry"},
                                           {"deadlock-detection", "deadlock"},
                                           {"max-errors", "keep-going"},
                                           {"maxmem", "memory"},
                                           {"timeout", "time"},
                                           {"absolute", "epsilon-absolute"},
                                           {"precision", "epsilon"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strcmp(name, pairs[i][0]))
            return pairs[i][1];
    return NULL;
}

/* What is written with one dash in PRISM or SPIN, and what does it here. */
static const char *single_dash_option(const char *word)
{
    static const char *const pairs[][2] = {
        {"exact", "use --exact"},
        {"epsilon", "use --epsilon NUMBER"},
        {"relative", "use --epsilon NUMBER"},
        {"absolute", "use --epsilon-absolute NUMBER"},
        {"fair", "use --fair"},
        {"sim", "values are computed, not sampled"},
        {"simpath", "use noether simulate MODEL"},
        {"exportresults", "use --csv FILE"},
        {"exportmodel", "use noether graph MODEL --as json --symmetry off --max-nodes NUMBER"},
        {"exporttrans", "use noether graph MODEL --as json --symmetry off --max-nodes NUMBER"},
        {"symm", "symmetry is found"},
        {"a", "formulas and labels are checked where they stand"},
        {"l", "progress labels are checked where they stand"},
        {"f", "use --fairness weak"},
        {"N", "every formula is checked"},
        {"m", "use --depth NUMBER"},
        {"t", "use --trail"},
        {"i", "use noether simulate MODEL"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strcmp(word, pairs[i][0]))
            return pairs[i][1];
    return NULL;
}

static void unknown_option(const struct options *options, const char *word, size_t length, struct text *message)
{
    const char *names[OPTION_COUNT];
    size_t count = 0;
    struct text name = {0};
    text_append_n(&name, word, length);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (belongs(options, id))
            names[count++] = option_rows[id].name;
    const char *closest = foreign_option(name.chars);
    if (!closest)
        closest = diag_closest(name.chars, names, count);
    text_format(message, "noether %s has no option --%s", command_rows[options->command].name, name.chars);
    if (closest)
        text_format(message, "; did you mean --%s?", closest);
    text_free(&name);
}

static bool parse_long(struct options *options, const char *word, const char *next, bool *took_next,
                       struct text *message)
{
    size_t length = strcspn(word, "=");
    const char *attached = word[length] ? word + length + 1 : NULL;
    if (length == 5 && !memcmp(word, "const", length)) /* PRISM's name of -D */
        return take_option(options, OPTION_DEFINE, attached, next, took_next, message);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (belongs(options, id) && strlen(option_rows[id].name) == length &&
            !memcmp(option_rows[id].name, word, length))
            return take_option(options, id, attached, next, took_next, message);
    unknown_option(options, word, length, message);
    return false;
}

static bool parse_short(struct options *options, const char *word, const char *next, bool *took_next,
                        struct text *message)
{
    const char *ours = single_dash_option(word);
    if (!strcmp(word, "const"))
        return parse_long(options, word, next, took_next, message);
    if (!strcmp(word, "pf") && belongs(options, OPTION_PROPERTY)) /* PRISM's name of --property */
        return take_option(options, OPTION_PROPERTY, NULL, next, took_next, message);
    if (ours && word[1]) {
        text_format(message, "noether %s has no option -%s; %s", command_rows[options->command].name, word, ours);
        return false;
    }
    for (int id = 0; id < OPTION_COUNT; id++)
        if (belongs(options, id) && option_rows[id].letter == word[0])
            return take_option(options, id, word[1] ? word + 1 : NULL, next, took_next, message);
    text_format(message, "noether %s has no option -%c", command_rows[options->command].name, word[0]);
    if (ours)
        text_format(message, "; %s", ours);
    return false;
}

static bool check_operands(const struct options *options, struct text *message)
{
    const struct command_row *row = &command_rows[options->command];
    int given = (int)options->operands.count, least = row->operand_count;
    for (const char *c = row->operands; *c; c++)
        least -= *c == '[';
    if (options->values[OPTION_HELP] || options_are_several(options))
        return true;
    bool takes_properties = strstr(row->operands, "[PROPERTIES]") != NULL;
    if (takes_properties && given > 1 && options_is_properties(options->operands.items[0])) {
        text_format(message, "properties stand behind their model: noether %s MODEL %s", row->name,
                    options->operands.items[0]);
        return false;
    }
    bool may_have_properties =
        takes_properties && given == row->operand_count && !options->values[OPTION_TRAIL]; /* then that is the trail */
    if (may_have_properties && !options_properties(options)) {
        text_format(message,
                    "noether %s takes %s; \"%s\" does not end in .props, .pctl or .csl; a property itself goes after "
                    "--property",
                    row->name, row->operands, options->operands.items[1]);
        return false;
    }
    if (may_have_properties && options->values[OPTION_PROPERTIES]) {
        text_format(message, "properties are given twice: %s and -p %s", options->operands.items[1],
                    options->values[OPTION_PROPERTIES]);
        return false;
    }
    bool is_open = strstr(row->operands, "...") != NULL; /* as many as one likes */
    if (given >= least && (is_open || given <= row->operand_count))
        return true;
    if (given < least)
        text_format(message, "noether %s wants %s", row->name, row->operands);
    else
        text_format(message, "noether %s takes %s; what is \"%s\"?", row->name,
                    *row->operands ? row->operands : "no file", options->operands.items[row->operand_count]);
    return false;
}

bool options_is_properties(const char *path)
{
    static const char *const extensions[] = {".props", ".pctl", ".csl"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        size_t tail = strlen(extensions[i]);
        if (length > tail && !strcmp(path + length - tail, extensions[i]))
            return true;
    }
    return false;
}

const char *options_properties(const struct options *options)
{
    if (options->values[OPTION_PROPERTIES])
        return options->values[OPTION_PROPERTIES];
    bool is_given = options->operands.count > 1 && options_is_properties(options->operands.items[1]);
    return is_given ? options->operands.items[1] : NULL;
}

bool options_are_several(const struct options *options)
{
    const char *language = options->values[OPTION_LANGUAGE];
    size_t models = 0;
    if (options->command != COMMAND_CHECK || options->values[OPTION_TRAIL])
        return false;
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *path = options->operands.items[i];
        bool is_model = !options_is_properties(path);
        if (is_model ? !model_language(language, path) : !i || options_is_properties(options->operands.items[i - 1]))
            return false;
        models += is_model;
    }
    return models > 1;
}

bool options_parse(struct options *options, enum command_id command, int count, char **words, struct text *message)
{
    bool only_operands = false;
    *options = (struct options){.command = command, .words = words, .word_count = (size_t)count};
    for (int id = 0; id < OPTION_COUNT; id++)
        options->values[id] = option_rows[id].standard;
    for (int i = 0; i < count; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : NULL;
        bool took_next = false, good = true;
        if (only_operands || word[0] != '-' || !word[1])
            VEC_PUSH(&options->operands, word);
        else if (!strcmp(word, "--"))
            only_operands = true;
        else if (word[1] == '-')
            good = parse_long(options, word + 2, next, &took_next, message);
        else
            good = parse_short(options, word + 1, next, &took_next, message);
        if (!good)
            return false;
        i += took_next;
    }
    return check_operands(options, message);
}

void options_free(struct options *options)
{
    for (size_t i = 0; i < options->defines.count; i++) {
        free((char *)options->defines.items[i].name);
        free((char *)options->defines.items[i].value);
    }
    text_free(&options->asked);
    VEC_FREE(&options->defines);
    VEC_FREE(&options->operands);
}

int options_choice(const struct options *options, enum option_id id)
{
    return options_position(option_rows[id].argument, options->values[id], strlen(options->values[id]));
}

uint64_t options_number(const struct options *options, enum option_id id)
{
    uint64_t number = 0;
    if (!options->values[id])
        return 0;
    if (option_rows[id].kind == KIND_SIZE)
        amount_size(options->values[id], &number);
    else
        amount_count(options->values[id], &number);
    return number;
}

double options_share(const struct options *options, enum option_id id)
{
    double share = 0;
    if (options->values[id])
        amount_share(options->values[id], &share);
    return share;
}

double options_seconds(const struct options *options, enum option_id id)
{
    double seconds = 0;
    if (options->values[id])
        amount_time(options->values[id], &seconds);
    return seconds;
}

void options_note_answer(int answers, int code)
{
    unsigned char byte = (unsigned char)code;
    if (answers && write(answers, &byte, sizeof byte) != sizeof byte)
        return; /* the parent then takes the check for one that has died */
}
