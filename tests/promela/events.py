"""trace and notrace assertions of random Promela models."""
from vocabulary import MTYPES


def pattern(maker, kind):
    """What a field of an event is compared with."""
    if maker.chance(0.45):
        return "_"
    if kind == "mtype":
        return maker.pick(MTYPES)
    narrow = [variable.name for variable in maker.shared if variable.type in ("bit", "unsigned") and not variable.size]
    if narrow and maker.chance(0.2):
        maker.use("event with eval")
        return f"eval({maker.pick(narrow)})"
    return maker.pick(["0", "1", "1", "2"])


def event(maker, channel, sign):
    """A rendezvous is an event of its receive: pan also reads sends for which nobody is ready."""
    sign = "?" if not channel.capacity else sign
    maker.use("event of a send" if sign == "!" else "event of a receive", *(["event of a rendezvous"] if not channel.capacity else []))
    index = f"[{maker.random.randrange(channel.size)}]" if channel.size else ""
    fields = [pattern(maker, kind) for kind in channel.fields]
    if sign == "!":
        fields = [maker.pick(["0", "1"]) if "eval" in field else field for field in fields]
    return f"{channel.name}{index}{sign}{','.join(fields)}"


def sequence(maker, channels, signs, length):
    return ";\n  ".join(event(maker, maker.pick(channels), maker.pick(signs)) for _ in range(length))


def add_trace(maker):
    """Some shape: a loop, with choices, or a sequence that comes to its end."""
    channels = [channel for channel in maker.channels if not channel.is_reference]
    if not channels:
        return
    word = maker.pick(["trace", "notrace"])
    maker.use(word)
    signs, shape = maker.pick([["!"], ["?"], ["?", "!"]]), maker.random.random()
    if word == "notrace" and shape < 0.7 or shape < 0.15:
        body = sequence(maker, channels, signs, maker.pick([1, 2, 2, 3]))
    else:
        options = [sequence(maker, channels, signs, maker.pick([1, 1, 2])) for _ in range(maker.pick([1, 2, 3]))]
        maker.use(*(["trace with a choice"] if len(options) > 1 else []))
        label = "end_trace: " if maker.chance(0.7) else ""
        maker.use(*(["trace with an end label", "end label"] if label else []))
        leave = [sequence(maker, channels, signs, 1) + " -> break"] if maker.chance(0.3) else []
        body = f"{label}do\n  :: " + "\n  :: ".join([*options, *leave]) + "\n  od"
    maker.model.trace = f"{word} {{\n  {body}\n}}"
