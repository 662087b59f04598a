#!/usr/bin/env python3
"""tests/docs/run.py: links between pages lead somewhere (files and headings), every example is in the gallery and says what to try, pictures are those that
their script draws, and the site can be made and has no dead links."""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "editors/README.md", ROOT / "python/README.md",
         *sorted((ROOT / "docs").rglob("*.md"))]
problems, checked = [], 0


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def anchors(path):
    """The headings of a page, as GitHub names them."""
    names = {}
    for line in re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S).splitlines():
        if not line.startswith("#"):
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = names.get(name, 0)
        names[name] = count + 1
        if count:
            names[f"{name}-{count}"] = 1
    return set(names)


def check_link(page, target):
    path, _, anchor = target.partition("#")
    if re.match(r"[a-z]+:", target):
        return
    file = (page.parent / urllib.parse.unquote(path)).resolve() if path else page
    if not file.exists():
        problems.append(f"{page.relative_to(ROOT)}: there is no {target}")
    elif anchor and file.suffix == ".md" and anchor not in anchors(file):
        problems.append(f"{page.relative_to(ROOT)}: {target}: there is no such heading")


for page in PAGES:
    text = without_code(page.read_text())
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
    for link in links:
        check_link(page, link)
        checked += 1

gallery = (ROOT / "docs/gallery.md").read_text()
for example in sorted((ROOT / "examples").iterdir()):
    checked += 1
    if example.suffix != ".props" and f"../examples/{example.name})" not in gallery:
        problems.append(f"docs/gallery.md: {example.name} is missing")
    # The gallery says that each has a head comment with what to try.
    head = re.match(r"(?:--.*\n|//.*\n|/\*(?:.|\n)*?\*/)+", example.read_text())
    if example.suffix != ".props" and not (head and re.search(rf"^\W+noether \w+ examples/{re.escape(example.name)}", head[0], re.M)):
        problems.append(f"{example}: its head comment has no command to try")

checked += 1
before = {path: path.read_text() for path in (ROOT / "docs/pictures").glob("*.svg")}
subprocess.run([ROOT / "script/pictures"], check=True)
for path, text in before.items():
    if path.read_text() != text:
        path.write_text(text)
        problems.append(f"{path.name} is not what script/pictures draws")


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("href", "src") and value:
                self.targets.append(value)
            if key == "id":
                self.names.add(value)


def read(path):
    links = Links()
    links.feed(path.read_text())
    return links


if shutil.which("pandoc"):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ROOT / "script/site", folder], capture_output=True, text=True)
        if done.returncode:
            problems.append(f"script/site: {done.stderr}")
        site = pathlib.Path(folder)
        pages = {path.resolve(): read(path) for path in site.rglob("*.html")}
        for path, links in pages.items():
            for target in links.targets:
                checked += 1
                file, _, anchor = target.partition("#")
                if re.match(r"[a-z]+:", target):
                    continue
                other = (path.parent / urllib.parse.unquote(file)).resolve() if file else path
                if not other.exists():
                    problems.append(f"site: {path.name}: {target} is dead")
                elif anchor and other in pages and anchor not in pages[other].names:
                    problems.append(f"site: {path.name}: {target}: no such place")
        index = (site / "search.js").read_text() if (site / "search.js").exists() else ""
        checked += 1
        if "orbit" not in index or len(pages) < 20:
            problems.append("site: the search has no words, or pages are missing")
else:
    print("skipped: there is no pandoc, no site was made")

for problem in problems:
    print(problem)
print(f"{checked - len(problems)} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
