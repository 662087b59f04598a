"""The two protocols of A. F. Donaldson and A. Miller, "Symmetry Reduction for Probabilistic Model Checking Using Generic
Representatives" (ATVA 2006), section 6, for any number of processes, as PRISM text.

    protocols.py leader|mutex N [dtmc|mdp]    prints the model
"""
import sys


def copies(name, variable, count):
    return [f"module {name}{i} = {name}1 [ {variable}1={variable}{i}, {variable}{i}={variable}1 ] endmodule"
            for i in range(2, count + 1)]


def any_of(count, condition):
    """Of one of the processes but the first: # stands for its variable."""
    return "(" + " | ".join(condition.replace("#", f"p{i}") for i in range(2, count + 1)) + ")"


def leader(count, kind="mdp"):
    """Leader election with one bit each (section 4)."""
    others = range(2, count + 1)
    started = " & ".join(f"s{i}!=2" for i in range(1, count + 1))
    rivals = " | ".join(f"s{i}=1" for i in others)
    alone = " & ".join(f"s{i}=0" for i in others)
    elected = " + ".join(f"(s{i}=1 ? 1 : 0)" for i in range(1, count + 1))
    lines = [kind, f"formula started = {started};", f"formula rivals = {rivals};", f"formula alone = {alone};",
             "module process1", "  s1 : [0..2] init 2;",
             "  [] s1=2 -> (s1'=0);", "  [] s1=2 -> (s1'=1);",
             "  [] s1=0 & started & alone -> 0.5:(s1'=0) + 0.5:(s1'=1);",
             "  [] s1=0 & started & (rivals) -> (s1'=0);",
             "  [] s1=1 & started & (rivals) -> 0.5:(s1'=0) + 0.5:(s1'=1);",
             "  [] s1=1 & started & alone -> (s1'=1);", "endmodule"]
    lines += copies("process", "s", count)
    lines.append(f'label "elected" = {started} & {elected} = 1;')
    return "\n".join(lines) + "\n"


LEADER_MDP = 'Pmax=? [ F "elected" ];\n'


def leader_dtmc(count):
    return f'P=? [ F<={2 * count} "elected" ];\n'


def mutex(count, kind="mdp"):
    """Mutual exclusion of Pnueli and Zuck, by the number of the location."""
    lines = [kind,
             f"formula busy = {any_of(count, '#>=4 & #<=13')};",
             f"formula leaving = {any_of(count, '#>=14')};",
             f"formula high = {any_of(count, '#=4 | #=5 | #>=10')};",
             f"formula tie = {any_of(count, '(#>=4 & #<=6) | #>=9')};",
             f"formula waiting = {any_of(count, '#=2 | #=3')};",
             "module process1", "  p1 : [0..15] init 0;",
             "  [] p1=0 -> (p1'=0);", "  [] p1=0 -> (p1'=1);", "  [] p1=1 -> (p1'=2);",
             "  [] p1=2 & (!busy | leaving) -> (p1'=3);", "  [] p1=2 & !(!busy | leaving) -> (p1'=2);",
             "  [] p1=3 -> (p1'=4);", "  [] p1=3 -> (p1'=7);",
             "  [] p1=4 & high -> (p1'=5);", "  [] p1=4 & !high -> (p1'=10);", "  [] p1=5 -> (p1'=6);",
             "  [] p1=6 & high -> (p1'=6);", "  [] p1=6 & !high -> (p1'=9);",
             "  [] p1=7 & !tie -> (p1'=8);", "  [] p1=7 & tie -> (p1'=7);", "  [] p1=8 -> (p1'=9);",
             "  [] p1=9 -> 0.5:(p1'=4) + 0.5:(p1'=7);", "  [] p1=10 -> (p1'=11);",
             "  [] p1=11 & !busy -> (p1'=13);", "  [] p1=11 & busy -> (p1'=12);",
             "  [] p1=12 -> (p1'=0);", "  [] p1=13 -> (p1'=14);",
             "  [] p1=14 & !waiting -> (p1'=15);", "  [] p1=14 & waiting -> (p1'=14);", "  [] p1=15 -> (p1'=0);",
             "endmodule"]
    lines += copies("process", "p", count)
    lines.append('label "critical" = ' + " | ".join(f"p{i}>=10" for i in range(1, count + 1)) + ";")
    return "\n".join(lines) + "\n"


MUTEX = 'filter(min, Pmax=? [ F !"critical" ], "critical");\n'

if __name__ == "__main__":
    print({"leader": leader, "mutex": mutex}[sys.argv[1]](int(sys.argv[2]), *sys.argv[3:]), end="")
