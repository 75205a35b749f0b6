#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out the sources of the site: site.py FOLDER

README.md becomes the first page; the pages of docs, CHANGELOG.md and CONTRIBUTING.md keep their names; other files of the project that a page
links to are copied to source/. A page that docs/mkdocs.yml does not list is added to its navigation, under "More topics".
docs/errors.md, which tests read as a whole, becomes a page for each of its sections, whose entries have their code folded.
"""
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r'(\]\(|src="|href=")([^)\s"]+)')


ERRORS = ROOT / "docs" / "errors.md"


def name_of(title):
    """The last part of the address of a section."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def sections(text):
    """The beginning of docs/errors.md, and its sections by name, each with its entries by name."""
    first, *rest = re.split(r"^## ", text, flags=re.M)
    found = {}
    for section in rest:
        beginning, *entries = re.split(r"^### ", section, flags=re.M)
        found[name_of(beginning.split("\n")[0])] = (beginning, {entry.split("\n")[0]: entry for entry in entries})
    return first, found


def pages_of_errors():
    """By anchor of docs/errors.md, the page of the site that has it; a section's own page has no anchor in it."""
    pages = {}
    for name, (_, entries) in sections(ERRORS.read_text(encoding="utf-8"))[1].items():
        if entries:
            pages |= {name: (f"errors/{name}.md", ""), **{entry: (f"errors/{name}.md", entry) for entry in entries}}
    return pages


def write_errors(text, sources):
    """Divides the laid out text of docs/errors.md."""
    first, found = sections(text)
    index = []
    for name, (beginning, entries) in found.items():
        title = beginning.split("\n")[0]
        if not entries:
            first += f"## {beginning}"
            continue
        index.append(f"**[{title}](errors/{name}.md)** ({len(entries)}): " + " · ".join(f"[{e}](errors/{name}.md#{e})" for e in sorted(entries)))
        folded = [re.sub(r"(^```.*^```$)", r"/// details | Wrong and right\n\n\1\n\n///", entry.rstrip(), flags=re.M | re.S) + "\n" for entry in entries.values()]
        page = f"# {beginning}" + "".join(f"## {entry}\n" for entry in folded)
        page = re.sub(r"(\]\()(?!errors/|#|[a-z]+:)([^)]+)\)", r"\1../\2)", page).replace("](errors/", "](")
        to = sources / "errors" / f"{name}.md"
        to.parent.mkdir(exist_ok=True)
        to.write_text(page, encoding="utf-8")
    first = re.sub(r"^- \[.*\n(?:^- \[.*\n)*", lambda _: "## All reasons\n\n" + "\n\n".join(index) + "\n", first, count=1, flags=re.M)
    (sources / "errors.md").write_text(first, encoding="utf-8")


def place(path):
    """Where a file of the project lies in the site's sources."""
    inside = path.relative_to(ROOT)
    if inside == Path("README.md"):
        return Path("index.md")
    if inside == Path("bench/RESULTS.md"):
        return Path("RESULTS.md")
    if inside.parts[0] == "docs":
        return Path(*inside.parts[1:])
    if inside.suffix == ".md" and len(inside.parts) == 1:
        return inside
    return Path("source") / inside


def lay_out(page, target_folder, copied, errors):
    """The text of a page with its links changed to where the files are in the site."""
    here = place(page)

    def change(match):
        link, _, anchor = match[2].partition("#")
        if page == ERRORS and not link and anchor in errors:
            link = ERRORS.name
        if not link or re.match(r"[a-z]+:", link):
            return match[0]
        file = (page.parent / link).resolve()
        if not file.exists() or not file.is_relative_to(ROOT):
            sys.exit(f"{page}: {match[2]} leads to no file of the project")
        if file.is_dir():
            sys.exit(f"{page}: {match[2]} is a folder")
        to = place(file)
        if file == ERRORS and anchor in errors:
            to, anchor = Path(errors[anchor][0]), errors[anchor][1]
        if to.parts[0] == "source" and to not in copied:
            copied.add(to)
            (target_folder / to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target_folder / to)
        up = Path(*[".."] * (len(here.parts) - 1))
        return match[1] + (up / to).as_posix() + (f"#{anchor}" if anchor else "")

    text = re.sub(r"^<!-- (?:quote:|not compiled|figures:).*-->\n", "", page.read_text(encoding="utf-8"), flags=re.M)
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.M | re.S)
    text = "".join(part if part.startswith("`") else LINK.sub(change, part) for part in parts)
    # Images written in HTML are resolved from the page's own address, which is a folder, except for the first page.
    return text if here == Path("index.md") else re.sub(r'(src=")(?![a-z]+:)', r"\1../", text)


def main(folder):
    target = Path(folder).resolve()
    sources = target / "src"
    shutil.rmtree(sources, ignore_errors=True)
    copied, errors = set(), pages_of_errors()
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "bench/RESULTS.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        to = sources / place(page)
        to.parent.mkdir(parents=True, exist_ok=True)
        text = lay_out(page, sources, copied, errors)
        if page == ERRORS:
            write_errors(text, sources)
        else:
            to.write_text(text, encoding="utf-8")
    for name in ("site.css", "plan.schema.json"):
        shutil.copy(ROOT / "docs" / name, sources / name)
    shutil.copytree(ROOT / "docs" / "pictures", sources / "pictures")
    settings = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": (\S+\.md)$", settings, re.M))
    first = "          - How errors read, all reasons: errors.md\n"
    parts = sections(ERRORS.read_text(encoding="utf-8"))[1].items()
    settings = settings.replace(first, first + "".join("          - {}: errors/{}.md\n".format(beginning.split("\n")[0], name) for name, (beginning, entries) in parts if entries))
    missing = [place(p) for p in pages if place(p).as_posix() not in listed]
    if missing:
        lines = "".join(f"      - {page.as_posix()}\n" for page in missing)
        settings = settings.replace("  - Reference:\n", f"  - More topics:\n{lines}  - Reference:\n")
    (target / "mkdocs.yml").write_text(f"docs_dir: {sources}\nsite_dir: {target / 'site'}\n{settings}", encoding="utf-8")
    print(f"{len(pages)} pages laid out")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
