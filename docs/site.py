#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out the sources of the site: site.py FOLDER

README.md becomes the first page; the pages of docs, CHANGELOG.md and CONTRIBUTING.md keep their names; other files of the project that a page
links to are copied to source/. A page that docs/mkdocs.yml does not list is added to its navigation, under "More topics".
The entries of docs/errors/ have their code folded.
"""
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r'(\]\(|src="|href=")([^)\s"]+)')
ERRORS = ROOT / "docs" / "errors"


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


def folded(text):
    """A page of errors with the code of each entry folded."""
    first, *entries = re.split(r"^(?=## )", text, flags=re.M)
    return first + "\n".join(re.sub(r"(^```.*^```$)", r"/// details | Wrong and right\n\n\1\n\n///", entry.rstrip(), flags=re.M | re.S) + "\n" for entry in entries)


def lay_out(page, target_folder, copied):
    """The text of a page with its links changed to where the files are in the site."""
    here = place(page)

    def change(match):
        link, _, anchor = match[2].partition("#")
        if not link or re.match(r"[a-z]+:", link):
            return match[0]
        file = (page.parent / link).resolve()
        if not file.exists() or not file.is_relative_to(ROOT):
            sys.exit(f"{page}: {match[2]} leads to no file of the project")
        if file.is_dir():
            sys.exit(f"{page}: {match[2]} is a folder")
        to = place(file)
        if to.parts[0] == "source" and to not in copied:
            copied.add(to)
            (target_folder / to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target_folder / to)
        up = Path(*[".."] * (len(here.parts) - 1))
        return match[1] + (up / to).as_posix() + (f"#{anchor}" if anchor else "")

    text = re.sub(r"^<!-- (?:quote:|from:|figures:).*-->\n", "", page.read_text(encoding="utf-8"), flags=re.M)
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.M | re.S)
    text = "".join(part if part.startswith("`") else LINK.sub(change, part) for part in parts)
    if page.parent == ERRORS:
        text = folded(text)
    if 'class="columns' in text:  # the columns need the room of the table of contents
        text = f"---\nhide: [toc]\n---\n{text}"
    # Images written in HTML are resolved from the page's own address, which is a folder, except for the first page.
    return text if here == Path("index.md") else re.sub(r'(src=")(?![a-z]+:)', r"\1../", text)


def main(folder):
    target = Path(folder).resolve()
    sources = target / "src"
    shutil.rmtree(sources, ignore_errors=True)
    copied = set()
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "bench/RESULTS.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        to = sources / place(page)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(lay_out(page, sources, copied), encoding="utf-8")
    for name in ("site.css", "plan.schema.json"):
        shutil.copy(ROOT / "docs" / name, sources / name)
    shutil.copytree(ROOT / "docs" / "pictures", sources / "pictures")
    settings = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": (\S+\.md)$", settings, re.M))
    missing = [place(p) for p in pages if place(p).as_posix() not in listed]
    if missing:
        lines = "".join(f"      - {page.as_posix()}\n" for page in missing)
        settings = settings.replace("  - Reference:\n", f"  - More topics:\n{lines}  - Reference:\n")
    (target / "mkdocs.yml").write_text(f"docs_dir: {sources}\nsite_dir: {target / 'site'}\n{settings}", encoding="utf-8")
    print(f"{len(pages)} pages laid out")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(sys.argv[1])
