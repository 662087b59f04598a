"""What generate.py makes: every construct of the language by name. run.py fails if one of them stands in none of many models."""

PROCESSES = ["active", "active [N]", "init", "init with other processes", "run", "run in atomic", "run in a loop", "run as a guard",
             "run in an assignment", "parameter", "channel as a parameter", "several parameters", "process ends", "pid reused",
             "_pid", "_nr_pr", "provided", "priority", "set_priority", "_priority assigned", "get_priority", "_priority", "_last", "initial values of locals", "local that reads a global",
             "enabled", "enabled in provided", "channel of a process that ends", "D_proctype", "dispatcher", "provided beside d_step", "enabled of itself"]
CONTROL = ["if", "do", "else", "goto", "goto back", "goto first in an option", "break", "break first in an option",
           "break behind statements", "for", "for in array", "for in channel", "select", "select with expressions", "unless",
           "nested unless", "unless in atomic", "atomic in unless", "d_step in unless", "atomic as an escape", "d_step as an escape", "atomic", "atomic that blocks", "nested atomic", "goto out of atomic", "goto out of nested atomic",
           "goto into atomic", "break out of atomic", "if at the end of atomic", "do in atomic", "atomic first in an option",
           "d_step", "d_step first in an option", "d_step that chooses", "d_step that loops", "d_step that blocks",
           "d_step in atomic", "block", "declaration in a block", "declaration in the middle", "choice in a choice",
           "loop in a choice", "label", "end label", "label at the end", "skip", "printf", "assert", "timeout",
           "timeout in atomic", "timeout in a condition", "inline", "inline with parameters", "inline with a local", "macro",
           "macro with parameters", "conditional compilation", "false as a guard", "arrow", "statement without a separator",
           "else in an inner choice", "else beside an inner choice", "else in an escape", "choice first in an option of d_step"]
CHANNELS = ["capacity 0", "capacity 1", "capacity 2", "capacity 3", "send", "send in parentheses", "sorted send", "receive", "random receive",
            "peek", "random peek", "eval", "constant in a receive", "_ in a receive", "poll", "random poll", "full", "empty", "nfull",
            "nempty", "len", "several fields", "mtype field", "channel field", "record field", "local channel",
            "array of channels", "rendezvous", "rendezvous in atomic", "rendezvous in d_step", "rendezvous in an escape",
            "xr", "xs", "channel variable", "channel in a byte", "else beside a send", "receive into an array",
            "channel in a record", "channel in an array of records", "channels of several kinds"]
DATA = ["bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "mtype subtype", "typedef", "typedef in typedef", "array",
        "array of records", "array in a record", "wrap-around", "hidden", "local", "show", "local variable", "local array", "local record",
        "index out of bounds", "mtype assigned", "list of initial values"]
EXPRESSIONS = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||", "!", "~", "unary -", "==", "!=", "<", "<=", ">", ">=",
               "conditional", "++", "--", "true", "false"]
PROPERTIES = ["ltl", "ltl []", "ltl <>", "ltl U", "ltl W", "ltl V", "ltl !", "ltl &&", "ltl ||", "ltl ->", "ltl <->",
              "ltl with words", "remote label in ltl", "remote variable in ltl", "never", "accept label", "progress label",
              "remote label", "remote variable", "remote label with a pid", "remote label of no process", "remote variable of no process",
              "never with accept labels", "enabled in a claim", "_last in a claim", "trace", "notrace", "event of a send", "event of a receive", "event of a rendezvous",
              "event with eval", "trace with a choice", "trace with an end label",
              "label inside atomic", "label inside d_step", "label first in an option", "_nr_pr in ltl"]
CONSTRUCTS = PROCESSES + CONTROL + CHANNELS + DATA + EXPRESSIONS + PROPERTIES
