# A tour in cells, as Jupyter, Spyder and VS Code read them ("# %%"); it also runs as a script.
# Needs matplotlib for the last cell only.

# %% Load a model, check it
import pathlib

import noether

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
german = noether.load(EXAMPLES / "german.m")
answer = german.check()
print(answer.verdict, answer.states, "states for", answer.represented)

# %% Look at a counterexample
bug = noether.load(EXAMPLES / "german-bug.m").check()
violated = next(result for result in bug.results if result.verdict == "violated")
print(violated.name, "-", len(violated.trace) - 1, "steps")
for number, (before, step) in enumerate(zip(violated.trace, violated.trace[1:]), 1):
    changed = {name: value for name, value in step.state.items() if before.state.get(name) != value}
    print(number, step.rule, step.parameters, changed)

# %% Sweep a parameter: what symmetry saves
sizes = [(n, found.states, found.represented) for n, found in noether.sweep(EXAMPLES / "german.m", "NODE_NUM", range(1, 5))]
for n, orbits, states in sizes:
    print(n, "nodes:", orbits, "orbits for", states, "states")

# %% Sweep a probability
curve = [(steps, found["P=? [ F<=k \"elected\" ]"].value) for steps, found in noether.sweep(
    EXAMPLES / "leader.prism", "k", range(1, 8), properties='const int k; P=? [ F<=k "elected" ]')]
for steps, value in curve:
    print(steps, "rounds:", round(value, 4))

# %% Plot
try:
    import matplotlib.pyplot as plot
except ImportError:
    print("no matplotlib: nothing is drawn")
else:
    figure, (left, right) = plot.subplots(1, 2, figsize=(9, 3.5))
    left.semilogy([n for n, _, _ in sizes], [states for _, _, states in sizes], "o-", label="states")
    left.semilogy([n for n, _, _ in sizes], [orbits for _, orbits, _ in sizes], "s-", label="orbits")
    left.set(title="German's protocol", xlabel="nodes")
    left.legend()
    right.plot(*zip(*curve), "o-")
    right.set(title="A leader is elected", xlabel="rounds", ylabel="probability", ylim=(0, 1))
    figure.tight_layout()
    figure.savefig("tour.png")
    print("tour.png")
