#include "lang/murphi/murphi.h"

#include <string.h>

#include "rewrite/antecedents.h"
#include "rewrite/search_loops.h"
#include "base/mend.h"
#include "base/report.h"
#include "base/scan.h"
#include "lang/murphi/format.h"
#include "lang/murphi/lint.h"
#include "lang/murphi/parse.h"

static void lower_item(struct lower *lower, const struct ast_item *item)
{
    if (item->function)
        lower_function(lower, item->function);
    else if (item->rule)
        lower_rule(lower, item->rule);
    else
        lower_decls(lower, &item->decls, NULL);
}

static void lower_items(struct lower *lower, const struct ast_model *model, size_t count)
{
    for (size_t i = 0;
         i < count && lower->diagnostics->errors < DIAGNOSTICS_MAX_ERRORS && !diag_is_late(lower->diagnostics); i++)
        lower_item(lower, &model->items[i]);
}

static void answer_question(struct lower *lower, struct question *question)
{
    struct tokens tokens = {0};
    struct ast_expr *ast = NULL;
    lexer_read(question->text, lower->reading->manner.dialect, lower->arena, lower->diagnostics, &tokens);
    if (!lower->diagnostics->errors)
        ast = parse_question(lower->arena, &tokens, lower->diagnostics);
    if (!lower->diagnostics->errors)
        lower_question(lower, ast, question);
    tokens_free(&tokens);
}

static void release(struct lower *lower)
{
    scope_free(&lower->scope);
    VEC_FREE(&lower->prioritised);
    VEC_FREE(&lower->enclosing);
    VEC_FREE(&lower->used);
    VEC_FREE(&lower->quantified);
    VEC_FREE(&lower->fairness);
    VEC_FREE(&lower->repeated);
    VEC_FREE(&lower->type_depths);
    VEC_FREE(&lower->sized);
}

static void lower_model(struct lower *lower, struct ast_model *const properties[2], const struct source *source)
{
    lower->has_priorities = model_has_priorities(lower->model);
    note_symbols(lower);
    scope_open(&lower->scope);
    lower_items(lower, lower->model, lower->model->count);
    for (size_t i = 0; i < 2; i++)
        if (properties[i])
            lower_items(lower, properties[i], properties[i]->count);
    if (!lower->diagnostics->errors)
        lower_fairness(lower);
    if (!lower->diagnostics->errors)
        report_unused_defines(lower, source);
    if (!lower->diagnostics->errors && lower->reading->question)
        answer_question(lower, lower->reading->question);
    if (!lower->diagnostics->errors)
        lint_declarations(lower);
    lower_population(lower);
    scope_close(&lower->scope);
    apply_priorities(lower);
    release(lower);
}

static void check_complete(struct system *system, const struct source *source, struct diagnostics *diagnostics)
{
    struct span whole = {.source = source};
    search_loops_complete(system);
    antecedents_add(system);
    if (!system->starts.count && report_error(diagnostics, whole, "the model has no start state"))
        diag_hint(diagnostics, "add: startstate begin ... end;");
    else if (!diagnostics->errors && !system_finish(system))
        report_error(diagnostics, whole, "the variables of the model take too much memory");
}

struct text_reading {
    struct tokens tokens;
    bool is_model;
    struct ast_model *model;
};

static void parse_text(void *user, struct arena *arena, struct diagnostics *diagnostics)
{
    struct text_reading *text = user;
    text->model = text->is_model ? parse_model(arena, &text->tokens, diagnostics)
                                 : parse_properties(arena, &text->tokens, diagnostics);
}

static struct span span_of_token(void *user, size_t token)
{
    return ((struct text_reading *)user)->tokens.items[token].span;
}

static const char *text_of_token(void *user, size_t token)
{
    return ((struct text_reading *)user)->tokens.items[token].text;
}

static const char *guess_token(void *user, size_t token, size_t choice)
{
    return token_guess(&((struct text_reading *)user)->tokens.items[token], choice);
}

static void change_token(void *user, size_t token, const char *text)
{
    token_become(&((struct text_reading *)user)->tokens.items[token], text);
}

/* Text to tree, with its errors. */
static struct ast_model *read_tree(const struct source *source, bool is_model, enum dialect dialect,
                                   struct arena *arena, struct diagnostics *diagnostics)
{
    struct text_reading text = {.is_model = is_model};
    struct diagnostics lexical = {0};
    lexer_read(source, dialect, arena, &lexical, &text.tokens);
    struct mend mend = {&text, text.tokens.count, parse_text, span_of_token, text_of_token, guess_token, change_token};
    mend_read(&mend, arena, diagnostics);
    report_lexical(diagnostics, &lexical);
    tokens_free(&text.tokens);
    return text.model;
}

/* How many items stand wholly before the place, those of which the next one begins there or before it, and before the
 * first one that is broken. */
static size_t count_before(const struct ast_model *model, struct span place)
{
    size_t count = 0;
    while (count + 1 < model->count && !model->items[count].is_broken &&
           !span_is_before(place, model->items[count + 1].span))
        count++;
    return count;
}

/* What is wrong before the first error of syntax is said before it. */
static void report_earlier(struct lower *lower, struct diagnostics *found)
{
    struct diagnostics earlier = {0};
    lower->diagnostics = &earlier;
    note_symbols(lower);
    if (lower->reading->names)
        lower->reading->names->is_partial = true;
    scope_open(&lower->scope);
    lower_items(lower, lower->model, count_before(lower->model, found->items[0].span));
    scope_close(&lower->scope);
    release(lower);
    if (earlier.errors) {
        diag_append(&earlier, found);
        diag_free(found);
        *found = earlier;
    } else
        diag_free(&earlier);
}

struct system *murphi_read(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics)
{
    struct arena *arena = arena_create();
    struct ast_model *model = read_tree(source, true, reading->manner.dialect, arena, diagnostics);
    note_outline(reading->names, model);
    struct system *system = system_create(source->shown);
    struct lower lower = {.system = system,
                          .arena = arena,
                          .diagnostics = diagnostics,
                          .reading = reading,
                          .model = model,
                          .scope = {.arena = arena}};
    system->language = &language_murphi;
    const struct source *extra[] = {reading->properties, reading->asked};
    struct ast_model *properties[2] = {NULL, NULL};
    if (diagnostics->errors && !diagnostics->is_late)
        report_earlier(&lower, diagnostics);
    if (!diagnostics->errors)
        recursion_check(model, arena, diagnostics);
    for (size_t i = 0; i < 2 && !diagnostics->errors; i++)
        properties[i] = extra[i] ? read_tree(extra[i], false, reading->manner.dialect, arena, diagnostics) : NULL;
    for (size_t i = 0; i < 2; i++)
        note_outline(reading->names, properties[i]);
    if (!diagnostics->errors) {
        lower_model(&lower, properties, source);
        if (!diagnostics->errors)
            check_complete(system, source, diagnostics);
    }
    arena_destroy(arena);
    if (!diagnostics->errors)
        return system;
    system_destroy(system);
    return NULL;
}

static bool murphi_is_name(const char *text)
{
    struct arena *arena = arena_create();
    struct diagnostics diagnostics = {0};
    struct tokens tokens = {0};
    struct source source = {.path = "", .shown = "", .text = text, .length = strlen(text)};
    lexer_read(&source, DIALECT_AUTO, arena, &diagnostics, &tokens);
    bool is_name = !diagnostics.errors && tokens.count == 2 && tokens.items[0].kind == TOKEN_NAME &&
                   !tokens.items[0].soft && !strcmp(tokens.items[0].text, text);
    tokens_free(&tokens);
    diag_free(&diagnostics);
    arena_destroy(arena);
    return is_name;
}

/* Behind such a word stands a name or a condition: elsewhere cover may be a variable, as in cover=1. */
static bool murphi_begins_property(const char *text)
{
    const char *words = "invariant assert assume cover liveness ctl ltl final fair fairness ruleset", *next = text;
    while (scan_is_letter(*next))
        next++;
    next += strspn(next, " \t\r\n");
    bool is_operand = scan_is_letter(*next) || *next == '"' || *next == '(' || (*next == '!' && next[1] != '=');
    return is_operand && scan_begins_with(text, words);
}

const struct language language_murphi = {.name = "murphi",
                                         .title = "Murphi",
                                         .extensions = ".m",
                                         .openings = "type var rule ruleset startstate",
                                         .manners = "undefined dialect",
                                         .declares_types = true,
                                         .declares_final = true,
                                         .spans_are_whole = true,
                                         .begins_property = murphi_begins_property,
                                         .property_form = "invariant \"name\" CONDITION, ltl \"name\" FORMULA or "
                                                          "ctl \"name\" FORMULA",
                                         .is_name = murphi_is_name,
                                         .lay_out = murphi_format,
                                         .read = murphi_read};
