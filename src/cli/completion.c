/* Completions for shells, from the option table. The build writes and installs them. */
#include <string.h>

#include "cli/cli.h"

static bool takes_file(const struct option_row *row)
{
    return row->kind == KIND_TEXT && row->argument && !strcmp(row->argument, "FILE");
}

/* "a|b|c" as "a b c" */
static void append_choices(const char *list, struct text *out)
{
    for (; *list; list++)
        text_char(out, *list == '|' ? ' ' : *list);
}

static void append_commands(struct text *out)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        text_format(out, "%s%s", i ? " " : "", command_rows[i].name);
}

/* A case of the shell for options of one kind: "--json|--trace)". False when there is none. */
static bool bash_cases(bool (*is_of_kind)(const struct option_row *row), struct text *out)
{
    const char *separator = "        ";
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_rows[i];
        if (!is_of_kind(row))
            continue;
        text_format(out, "%s--%s", separator, row->name);
        if (row->letter)
            text_format(out, "|-%c", row->letter);
        separator = "|";
    }
    return separator[0] == '|';
}

static bool takes_anything(const struct option_row *row)
{
    return row->argument && row->kind != KIND_CHOICE && !takes_file(row);
}

static void bash_values(struct text *out)
{
    text_append(out, "    case $prev in\n");
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (option_rows[i].kind != KIND_CHOICE)
            continue;
        text_format(out, "        --%s) COMPREPLY=($(compgen -W \"", option_rows[i].name);
        append_choices(option_rows[i].argument, out);
        text_append(out, "\" -- \"$cur\")); return ;;\n");
    }
    if (bash_cases(takes_file, out))
        text_append(out, ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
    if (bash_cases(takes_anything, out))
        text_append(out, ") return ;;\n");
    text_append(out, "    esac\n");
}

static void bash_options(struct text *out)
{
    text_append(out, "    case ${COMP_WORDS[1]} in\n");
    for (int command = 0; command < COMMAND_COUNT; command++) {
        text_format(out, "        %s) options=\"", command_rows[command].name);
        const char *separator = "";
        for (int i = 0; i < OPTION_COUNT; i++) {
            if (!(option_rows[i].commands & 1 << command))
                continue;
            text_format(out, "%s--%s", separator, option_rows[i].name);
            separator = " ";
        }
        text_append(out, "\" ;;\n");
    }
    text_append(out, "    esac\n");
}

void completion_bash(struct text *out)
{
    text_append(out,
                "# Completion for bash; made by \"noether help bash\".\n"
                "_noether()\n{\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
                "    # bash takes --name=value for three words\n"
                "    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                "    COMPREPLY=()\n"
                "    if ((COMP_CWORD == 1)); then\n"
                "        COMPREPLY=($(compgen -W \"");
    append_commands(out);
    text_append(out, " --help --version\" -- \"$cur\"))\n        return\n    fi\n");
    bash_values(out);
    bash_options(out);
    text_append(out, "    if [[ $cur == -* ]]; then\n"
                     "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                     "    elif [[ ${COMP_WORDS[1]} == help ]]; then\n"
                     "        COMPREPLY=($(compgen -W \"");
    append_commands(out);
    text_append(out, " man bash zsh\" -- \"$cur\"))\n"
                     "    else\n"
                     "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                     "    fi\n}\n"
                     "complete -o filenames -F _noether noether\n");
}

/* Inside single quotes, in a specification of _arguments or _describe. */
static void zsh_escaped(const char *words, struct text *out)
{
    for (; *words; words++) {
        if (*words == '\'')
            text_append(out, "'\\'");
        else if (strchr("[]:\\", *words))
            text_char(out, '\\');
        text_char(out, *words);
    }
}

static void zsh_option(const struct option_row *row, struct text *out)
{
    text_format(out, " \\\n        '%s--%s%s[", row->kind == KIND_DEFINE ? "*" : "", row->name,
                row->argument ? "=" : "");
    zsh_escaped(row->help, out);
    text_char(out, ']');
    if (row->kind == KIND_CHOICE) {
        text_append(out, ":value:(");
        append_choices(row->argument, out);
        text_char(out, ')');
    } else if (takes_file(row)) {
        text_append(out, ":file:_files");
    } else if (row->argument) {
        text_append(out, ":");
        zsh_escaped(row->argument, out);
        text_char(out, ':');
    }
    text_char(out, '\'');
}

static void zsh_command(int command, struct text *out)
{
    text_format(out, "    %s)\n      _arguments -s", command_rows[command].name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].commands & 1 << command)
            zsh_option(&option_rows[i], out);
    if (command == COMMAND_HELP) {
        text_append(out, " \\\n        '1:command:(");
        append_commands(out);
        text_append(out, " man bash zsh)' ;;\n");
    } else {
        text_append(out, " \\\n        '*:file:_files' ;;\n");
    }
}

void completion_zsh(struct text *out)
{
    text_append(out, "#compdef noether\n# Completion for zsh; made by \"noether help zsh\".\n"
                     "_noether() {\n  local -a commands\n  commands=(\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        text_format(out, "    '%s:", command_rows[i].name);
        zsh_escaped(command_rows[i].summary, out);
        text_append(out, "'\n");
    }
    text_append(out, "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
                     "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        zsh_command(i, out);
    text_append(out, "  esac\n}\n_noether \"$@\"\n");
}
