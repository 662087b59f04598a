"""Makes a model on which two programs disagree smaller, as long as they disagree in the same way."""
import time

from tree import smaller_models, text_of


def size(model):
    return len(text_of(model))


def shrink(model, disagrees, seconds=40):
    """The smallest that was found. disagrees(model): whether it still shows it."""
    until = time.time() + seconds
    changed = True
    while changed and time.time() < until:
        changed = False
        for smaller in sorted(smaller_models(model), key=size):
            if time.time() >= until:
                break
            if size(smaller) < size(model) and disagrees(smaller):
                model, changed = smaller, True
                break
    return model
