"""Is a document a SARIF 2.1.0 log (OASIS, March 2020)? Of each object the properties that we write, what the specification asks
of them (sections in brackets), and which of them must be there. What is not listed is a complaint: whoever writes more
looks up what is asked of it, and lists it here."""
import re

LEVELS = ("none", "note", "warning", "error")


class Whole:
    """An integer from `least` on."""

    def __init__(self, least):
        self.least = least

    def complaints(self, value, path):
        if isinstance(value, bool) or not isinstance(value, int) or value < self.least:
            yield f"{path}: {value!r} is no integer from {self.least} on"


class Text:
    def __init__(self, pattern=r"(?s).+"):
        self.pattern = re.compile(pattern)

    def complaints(self, value, path):
        if not isinstance(value, str) or not self.pattern.fullmatch(value):
            yield f"{path}: {value!r} does not match {self.pattern.pattern}"


class Truth:
    def complaints(self, value, path):
        if not isinstance(value, bool):
            yield f"{path}: {value!r} is neither true nor false"


class OneOf:
    def __init__(self, *values):
        self.values = values

    def complaints(self, value, path):
        if value not in self.values:
            yield f"{path}: {value!r} is none of {self.values}"


class ListOf:
    def __init__(self, item, least=0):
        self.item, self.least = item, least

    def complaints(self, value, path):
        if not isinstance(value, list) or len(value) < self.least:
            yield f"{path}: no array of {self.least} or more"
            return
        for at, item in enumerate(value):
            yield from self.item.complaints(item, f"{path}[{at}]")


class Object:
    def __init__(self, required, optional=None):
        self.required, self.known = required, {**required, **(optional or {})}

    def complaints(self, value, path):
        if not isinstance(value, dict):
            yield f"{path}: no object"
            return
        yield from (f"{path}: {name} is missing" for name in self.required if name not in value)
        for name, part in value.items():
            if name in self.known:
                yield from self.known[name].complaints(part, f"{path}.{name}")
            else:
                yield f"{path}: {name} is not a property that we are known to write"


MESSAGE = Object({"text": Text()})  # [3.11]: text or id
DESCRIPTION = Object({"text": Text()})  # multiformatMessageString [3.12]
# [3.4.3]: a URI reference (RFC 3986): no character in it that would have to be escaped
ARTIFACT = Object({"uri": Text(r"(?:[\w!$&'()*+,;=:@/.~-]|%[0-9A-F]{2})+")})
REGION = Object({"startLine": Whole(1)}, {"startColumn": Whole(1), "endLine": Whole(1), "endColumn": Whole(1)})  # [3.30]
PHYSICAL = Object({"artifactLocation": ARTIFACT}, {"region": REGION})  # [3.29]: this or address
LOCATION = Object({}, {"physicalLocation": PHYSICAL, "message": MESSAGE})  # [3.28]
STEP = Object({}, {"location": LOCATION, "executionOrder": Whole(-1)})  # threadFlowLocation [3.38]
THREAD = Object({"locations": ListOf(STEP, 1)})  # [3.37]
FLOW = Object({"threadFlows": ListOf(THREAD, 1)})  # [3.36]
RESULT = Object({"message": MESSAGE},  # [3.27]
                {"ruleId": Text(), "ruleIndex": Whole(-1), "level": OneOf(*LEVELS), "locations": ListOf(LOCATION),
                 "codeFlows": ListOf(FLOW)})
RULE = Object({"id": Text()},  # reportingDescriptor [3.49]
              {"name": Text(), "shortDescription": DESCRIPTION,
               "defaultConfiguration": Object({}, {"level": OneOf(*LEVELS)})})
DRIVER = Object({"name": Text()}, {"version": Text(), "rules": ListOf(RULE)})  # toolComponent [3.19]
RUN = Object({"tool": Object({"driver": DRIVER})},  # [3.14]
             {"columnKind": OneOf("utf16CodeUnits", "unicodeCodePoints"), "results": ListOf(RESULT),
              "invocations": ListOf(Object({"executionSuccessful": Truth()}))})
LOG = Object({"version": OneOf("2.1.0"), "runs": ListOf(RUN)}, {"$schema": Text(r"https://\S+")})  # [3.13]


def regions(value):
    if isinstance(value, dict):
        if "startLine" in value:
            yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        yield from regions(part)


def rule_complaints(run):
    """[3.27.5], [3.27.6], [3.49.3]: the index leads to the rule of that id, and ids are unique."""
    ids = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
    if len(set(ids)) != len(ids):
        yield f"rules: {ids} are not unique"
    for at, result in enumerate(run.get("results", [])):
        index = result.get("ruleIndex", -1)
        if index >= len(ids) or (index >= 0 and ids[index] != result.get("ruleId")):
            yield f"results[{at}]: rule {index} is not {result.get('ruleId')}"


def order_complaints(run):
    """[3.38.11]: what happens later has a larger executionOrder."""
    for result in run.get("results", []):
        for flow in result.get("codeFlows", []):
            for thread in flow["threadFlows"]:
                orders = [step["executionOrder"] for step in thread["locations"] if "executionOrder" in step]
                if orders != sorted(set(orders)):
                    yield f"the steps are not in order: {orders[:20]}"


def complaints(document):
    found = list(LOG.complaints(document, "$"))
    if found:
        return found
    for run in document["runs"]:
        found += [*rule_complaints(run), *order_complaints(run)]
        found += [f"{region}: it ends before it begins" for region in regions(run)
                  if "endLine" not in region and region.get("endColumn", 10**9) < region.get("startColumn", 1)]  # [3.30.8]
    return found
