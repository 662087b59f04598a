#include "lang/prism/prism.h"

#include <ctype.h>
#include <string.h>

#include "base/mend.h"
#include "base/scan.h"
#include "ir/pctl.h"
#include "lang/prism/format.h"
#include "lang/prism/symbols.h"

bool prism_error(struct prism_reader *reader, struct span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_new = report_verror(reader->diagnostics, span, format, arguments);
    va_end(arguments);
    return is_new;
}

struct prism_text {
    struct prism_tokens tokens;
    struct prism_model *model; /* what is made of a model; */
    /* of a file of properties: NULL for a model, what there was before, and with what the file adds */
    const struct prism_properties *before;
    struct prism_properties properties;
};

static void parse_text(void *user, struct arena *arena, struct diagnostics *diagnostics)
{
    struct prism_text *text = user;
    if (!text->before) {
        text->model = prism_parse_model(arena, &text->tokens, diagnostics);
        return;
    }
    text->properties = *text->before;
    prism_parse_properties(arena, &text->tokens, diagnostics, &text->properties);
}

static struct span span_of_token(void *user, size_t token)
{
    return ((struct prism_text *)user)->tokens.items[token].span;
}

static const char *text_of_token(void *user, size_t token)
{
    return ((struct prism_text *)user)->tokens.items[token].text;
}

static const char *guess_token(void *user, size_t token, size_t choice)
{
    return prism_token_guess(&((struct prism_text *)user)->tokens.items[token], choice);
}

static void change_token(void *user, size_t token, const char *text)
{
    prism_token_become(&((struct prism_text *)user)->tokens.items[token], text);
}

static void read_text(struct prism_reader *reader, const struct source *source, struct prism_text *text)
{
    struct diagnostics lexical = {0};
    prism_lexer_read(source, reader->arena, &lexical, &text->tokens);
    struct mend mend = {text, text->tokens.count, parse_text, span_of_token, text_of_token, guess_token, change_token};
    mend_read(&mend, reader->arena, reader->diagnostics);
    report_lexical(reader->diagnostics, &lexical);
    prism_tokens_free(&text->tokens);
}

static void parse(struct prism_reader *reader, const struct source *source)
{
    struct prism_text model = {0};
    read_text(reader, source, &model);
    reader->model = model.model;
    const struct source *sources[] = {reader->reading.properties, reader->reading.asked};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (!sources[i])
            continue;
        if (!reader->properties)
            reader->properties = ARENA_NEW(reader->arena, struct prism_properties);
        struct prism_text properties = {.before = reader->properties};
        read_text(reader, sources[i], &properties);
        *reader->properties = properties.properties;
    }
}

struct prism_reader *prism_reader_create(const struct source *source, const struct reading *reading,
                                         struct diagnostics *diagnostics)
{
    struct prism_reader *reader = memory_zeroed(1, sizeof *reader);
    reader->arena = reader->values.arena = arena_create();
    reader->diagnostics = diagnostics;
    reader->source = source;
    reader->reading = *reading;
    parse(reader, source);
    if (reading->names && !reading->question)
        prism_note_names(reader);
    if (!diagnostics->errors)
        prism_elaborate(reader);
    if (!diagnostics->errors)
        prism_compose(reader);
    if (!diagnostics->errors)
        prism_elaborate_properties(reader);
    VEC_FREE(&reader->symbols);
    VEC_FREE(&reader->variables);
    if (!diagnostics->errors)
        return reader;
    prism_reader_destroy(reader);
    return NULL;
}

void prism_reader_destroy(struct prism_reader *reader)
{
    if (!reader)
        return;
    prism_values_free(&reader->values);
    arena_destroy(reader->arena);
    free(reader);
}

/* What is asked is a property of PRISM, too: a condition, or an integer. */
static bool answer_question(const struct system *system, struct question *question, struct diagnostics *diagnostics)
{
    const struct property *asked = system->properties.items[system->properties.count - 1];
    const struct pctl *formula = asked->pctl;
    const struct weight *number = formula && formula->kind == PCTL_NUMBER ? formula->number : NULL;
    if (formula && formula->kind == PCTL_TRUTH)
        question->value = formula->proposition->formula;
    else if (number && number->top && !number->bottom && number->value == 1 && !number->is_rounded)
        question->value = number->top;
    if (question->value)
        question->type = question->value->type;
    else
        diag_error(diagnostics, asked->span,
                   "only conditions and integers that depend on the state can be asked for here");
    return question->value;
}

struct system *prism_read(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics)
{
    struct reading own = *reading;
    if (reading->question)
        own.asked = reading->question->text;
    struct prism_reader *reader = prism_reader_create(source, &own, diagnostics);
    struct system *system = reader ? prism_lower(reader, source->shown) : NULL;
    prism_reader_destroy(reader);
    if (!system || !reading->question || answer_question(system, reading->question, diagnostics))
        return system;
    system_destroy(system);
    return NULL;
}

static bool prism_is_name(const char *text)
{
    struct arena *arena = arena_create();
    struct diagnostics diagnostics = {0};
    struct prism_tokens tokens = {0};
    struct source source = {.path = "", .shown = "", .text = text, .length = strlen(text)};
    prism_lexer_read(&source, arena, &diagnostics, &tokens);
    bool is_name = !diagnostics.errors && tokens.count == 2 && tokens.items[0].kind == PRISM_NAME &&
                   !strcmp(tokens.items[0].text, text);
    prism_tokens_free(&tokens);
    diag_free(&diagnostics);
    arena_destroy(arena);
    return is_name;
}

static const char *past_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* P=? [...], Pmax>=0.5 [...], R{"steps"}=? [...], A [...] */
static bool begins_with_operator(const char *text)
{
    const char *bound = text + strcspn(text, " \t=<>{[\n");
    if (*bound == '{')
        bound += strcspn(bound, "}\n");
    bound = past_blanks(bound + (*bound == '}'));
    bool has_bound = *bound == '<' || *bound == '>' || !strncmp(bound, "=?", 2);
    return isupper((unsigned char)*text) && ((scan_begins_with(text, "P Pmin Pmax R Rmin Rmax S") && has_bound) ||
                                             (scan_begins_with(text, "A E") && *bound == '['));
}

/* "name": ... */
static bool begins_with_title(const char *text)
{
    size_t length = *text == '"' ? strcspn(text + 1, "\"\n") : 0;
    return length && text[length + 1] == '"' && *past_blanks(text + length + 2) == ':';
}

static bool prism_begins_property(const char *text)
{
    return begins_with_operator(text) || begins_with_title(text) || scan_begins_with(text, "filter multi label");
}

const struct language language_prism = {
    .name = "prism",
    .title = "PRISM",
    .extensions = ".prism .pm .nm .sm",
    .openings = "dtmc ctmc mdp pta pomdp probabilistic nondeterministic stochastic module",
    .begins_property = prism_begins_property,
    .property_form = "\"name\": P>=1 [ G CONDITION ], \"name\": P=? [ F CONDITION ] or \"name\": R=? [ F CONDITION ]",
    .is_name = prism_is_name,
    .lay_out = prism_format,
    .asks = ".props .pctl .csl",
    .read = prism_read,
    .is_ground = true,
    .outcomes_share_names = true,
};

const struct prism_network *prism_reader_network(const struct prism_reader *reader)
{
    return &reader->network;
}
