#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "driver/graph.h"

enum graph_form { GRAPH_DOT, GRAPH_SVG, GRAPH_JSON }; /* as in the table */
/* What is explored when --states does not say otherwise: much more than anybody can look at. */
enum { GRAPH_STATES = 20000, GRAPH_NODES = 200 /* that are shown when --max-nodes does not say otherwise */ };

static enum graph_form form_of(const struct options *options)
{
    const char *path = options->values[OPTION_OUTPUT];
    const char *extension = path ? strrchr(path, '.') : NULL;
    if (options->values[OPTION_AS])
        return (enum graph_form)options_choice(options, OPTION_AS);
    if (extension && !strcmp(extension, ".svg"))
        return GRAPH_SVG;
    return extension && !strcmp(extension, ".json") ? GRAPH_JSON : GRAPH_DOT;
}

static bool form_graph(const struct options *options, const struct report *report, const struct chart *chart,
                       const volatile int *interrupted, struct text *out)
{
    struct text dot = {0}, message = {0};
    bool ok = true;
    switch (form_of(options)) {
    case GRAPH_JSON: {
        struct json *document = report_json_chart(report, chart);
        json_print(document, out);
        json_free(document);
        break;
    }
    case GRAPH_DOT:
        report_dot_chart(report, chart, out);
        break;
    case GRAPH_SVG:
        report_dot_chart(report, chart, &dot);
        ok = graphviz_run(&dot, interrupted, out, &message);
        if (!ok && !watch_is_up())
            cli_fail("%s", text_chars(&message));
    }
    text_free(&dot);
    text_free(&message);
    return ok;
}

static int write_graph(const struct options *options, const struct chart *chart, const volatile int *interrupted)
{
    const char *path = options->values[OPTION_OUTPUT] ? options->values[OPTION_OUTPUT] : "-";
    struct report_option *defines = memory_zeroed(options->defines.count + 1, sizeof *defines);
    for (size_t i = 0; i < options->defines.count; i++)
        defines[i] = (struct report_option){options->defines.items[i].name, options->defines.items[i].value};
    struct report report = {
        .model = options->operands.items[0], .defines = defines, .define_count = options->defines.count};
    struct text text = {0}, cut = {0};
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    bool ok = form_graph(options, &report, chart, interrupted, &text);
    ok = cli_end_text(&epilogue, path) && ok && cli_write_text(path, &text);
    report_text_chart_cut(chart, &cut);
    if (ok && cut.length)
        cli_fail("%s", cut.chars);
    free(defines);
    text_free(&text);
    text_free(&cut);
    return ok ? 0 : EXIT_USAGE;
}

static int draw(const struct options *options, const struct model *model)
{
    uint64_t most = options_number(options, OPTION_MAX_NODES), states = options_number(options, OPTION_STATES);
    struct graph_request request = {
        .symmetry = (enum symmetry_choice)options_choice(options, OPTION_SYMMETRY),
        .deadlock = (enum deadlock_mode)options_choice(options, OPTION_DEADLOCK),
        .states = states ? states : GRAPH_STATES,
        .most = !most               ? GRAPH_NODES
                : most > UINT32_MAX ? UINT32_MAX
                                    : (uint32_t)most,
        .is_about_path = !most,
        .around = options->values[OPTION_AROUND],
        .interrupted = interrupt_flag(),
    };
    struct drawing drawing;
    struct text message = {0};
    int code = EXIT_USAGE;
    if (graph_draw(model, &request, &drawing, &message))
        code = write_graph(options, drawing.chart, request.interrupted);
    else
        cli_fail("%s", text_chars(&message));
    drawing_free(&drawing);
    text_free(&message);
    return interrupt_code(options, code);
}

int command_graph(const struct options *options)
{
    const char *path = options->values[OPTION_OUTPUT];
    if (path && !cli_can_write(path, options))
        return EXIT_USAGE;
    int code;
    struct model *model = cli_load(options, options->defines.items, options->defines.count, &code);
    if (model) /* setting up what draws a large state would take longer than there is time */
        code = watch_is_up() ? interrupt_code(options, 0) : draw(options, model);
    model_destroy(model);
    return code;
}
