/* system ... endsystem: how the modules are put together. Hiding and renaming bind tightest, then the parallel
 * operators, all of one strength and to the left. */
#include "lang/prism/parse.h"

static struct prism_process *parse_parallel(struct prism_parser *parser);

static struct prism_process *new_process(struct prism_parser *parser, enum prism_process_kind kind, struct span span)
{
    struct prism_process *process = ARENA_NEW(parser->arena, struct prism_process);
    process->kind = kind;
    process->span = span;
    return process;
}

static void parse_actions(struct prism_parser *parser, struct prism_process *process)
{
    VEC(struct prism_name) actions = {0};
    do {
        struct prism_name action = {0};
        if (prism_expect_name(parser, &action, "an action"))
            VEC_PUSH(&actions, action);
    } while (prism_take(parser, PRISM_COMMA));
    process->action_count = (uint32_t)actions.count;
    process->actions = VEC_SEAL(&actions, parser->arena);
}

static struct prism_process *parse_basic(struct prism_parser *parser)
{
    if (prism_take(parser, PRISM_OPEN_PAREN)) {
        struct prism_process *inner = parse_parallel(parser);
        prism_expect(parser, PRISM_CLOSE_PAREN, "after the modules");
        return inner;
    }
    struct prism_process *process = new_process(parser, PRISM_PROCESS_MODULE, parser->token->span);
    prism_expect_name(parser, &process->name, "the name of a module");
    return process;
}

static struct prism_process *parse_hidden(struct prism_parser *parser)
{
    struct prism_process *process = parse_basic(parser);
    while (!parser->syntax.lost && (prism_at(parser, PRISM_DIVIDE) || prism_at(parser, PRISM_OPEN_BRACE))) {
        bool is_hiding = prism_take(parser, PRISM_DIVIDE);
        struct prism_process *outer =
            new_process(parser, is_hiding ? PRISM_PROCESS_HIDE : PRISM_PROCESS_RENAME, process->span);
        outer->left = process;
        prism_expect(parser, PRISM_OPEN_BRACE, "before the actions");
        if (is_hiding) {
            parse_actions(parser, outer);
            prism_expect(parser, PRISM_CLOSE_BRACE, "after the actions");
        } else
            outer->renamings = prism_parse_renamings(parser, PRISM_RENAME, PRISM_CLOSE_BRACE, &outer->renaming_count);
        process = outer;
    }
    return process;
}

/* "||", "|||" or "|[a,b]|" */
static struct prism_process *parse_parallel(struct prism_parser *parser)
{
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return new_process(parser, PRISM_PROCESS_MODULE, parser->token->span);
    struct prism_process *left = parse_hidden(parser);
    while (prism_take(parser, PRISM_OR)) {
        struct prism_process *both = new_process(parser, PRISM_PROCESS_SYNCHRONOUS, left->span);
        both->left = left;
        if (prism_take(parser, PRISM_OPEN_BRACKET)) {
            both->kind = PRISM_PROCESS_ON;
            parse_actions(parser, both);
            prism_expect(parser, PRISM_CLOSE_BRACKET, "after the actions");
        }
        prism_expect(parser, PRISM_OR, "to close the operator");
        if (both->kind == PRISM_PROCESS_SYNCHRONOUS && prism_take(parser, PRISM_OR))
            both->kind = PRISM_PROCESS_INTERLEAVED;
        both->right = parse_hidden(parser);
        left = both;
    }
    syntax_leave(&parser->syntax);
    return left;
}

struct prism_process *prism_parse_process(struct prism_parser *parser)
{
    prism_advance(parser);
    struct prism_process *process = parse_parallel(parser);
    prism_expect(parser, WORD_ENDSYSTEM, "at the end of the system");
    return process;
}
