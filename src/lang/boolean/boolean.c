#include "lang/boolean/boolean.h"

#include "lang/boolean/lexer.h"
#include "lang/boolean/lower.h"
#include "lang/boolean/names.h"
#include "lang/boolean/parse.h"

enum { DEFAULT_RECURSION = 4 };

static void read_program(const struct source *source, struct names *names, struct arena *arena,
                         struct diagnostics *diagnostics, struct bp_program *program)
{
    struct bp_tokens tokens = {0};
    struct diagnostics lexical = {0};
    bp_lexer_read(source, arena, &lexical, &tokens);
    bp_parse(arena, source, &tokens, diagnostics, program);
    report_lexical(diagnostics, &lexical);
    VEC_FREE(&tokens);
    if (names)
        names->is_partial = diagnostics->errors;
    if (!diagnostics->errors) {
        bp_resolve(program, arena, diagnostics);
        bp_note_names(names, program);
    }
    if (!diagnostics->errors && !program->main &&
        report_error(diagnostics, (struct span){.source = source}, "there is no procedure main"))
        diag_hint(diagnostics, "add: void main() begin ... end");
}

static struct system *lower_program(struct bp_program *program, const struct source *source,
                                    const struct reading *reading, struct arena *arena, struct diagnostics *diagnostics)
{
    struct bp_flow flow;
    struct system *system = NULL;
    const struct source *asked[] = {reading->properties, reading->asked};
    uint32_t recursion = reading->manner.recursion ? reading->manner.recursion : DEFAULT_RECURSION;
    if (flow_build(&flow, program, recursion, arena, diagnostics)) {
        uint32_t count = reading->manner.threads ? reading->manner.threads : flow_count_threads(&flow);
        if (!diagnostics->errors)
            system = bp_lower(program, &flow, source->shown, count ? count : THREADS_DEFAULT_COUNT, asked, arena,
                              diagnostics);
        if (system)
            system->is_unbounded = !count;
    }
    flow_free(&flow);
    return system;
}

static struct system *boolean_read(const struct source *source, const struct reading *reading,
                                   struct diagnostics *diagnostics)
{
    struct arena *arena = arena_create();
    struct bp_program program = {0};
    struct system *system = NULL;
    if (reading->question)
        report_error(diagnostics, (struct span){.source = reading->question->text},
                     "expressions cannot be asked for in a Boolean program");
    else if (threads_check(source, reading, diagnostics))
        read_program(source, reading->names, arena, diagnostics, &program);
    if (!diagnostics->errors)
        system = lower_program(&program, source, reading, arena, diagnostics);
    bp_program_free(&program);
    arena_destroy(arena);
    return system;
}

const struct language language_boolean = {.name = "boolean",
                                          .title = "Boolean program",
                                          .extensions = ".bp",
                                          .openings = "decl void bool dfs",
                                          .manners = "threads-of-model recursion",
                                          .is_name = bp_is_name,
                                          .read = boolean_read};
