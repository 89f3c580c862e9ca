#!/usr/bin/env python3
"""build.py SOURCE OUT: the documentation as a small site of plain HTML pages.

Markdown becomes HTML with cmark-gfm; contents.txt says which pages there are. Every link is checked: one that leads nowhere
ends the build with its page and target. Pages need no script and nothing from elsewhere.
"""

import html
import os
import re
import shutil
import subprocess
import sys

STYLE = """
:root{color-scheme:light dark;--soft:#8886;--link:#0b62c4}
@media(prefers-color-scheme:dark){:root{--link:#6cb0ff}}
body{font:16px/1.55 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:16rem minmax(0,1fr)}
nav{padding:1.2rem;border-right:1px solid var(--soft);min-height:100vh;box-sizing:border-box}
nav h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;margin:1.2rem 0 .3rem;opacity:.65}
nav a{display:block;padding:.1rem .4rem;border-radius:4px;color:inherit;text-decoration:none}
nav a:hover{background:var(--soft)}nav a[aria-current]{background:var(--soft);font-weight:600}
nav .name{font-size:1.2rem;font-weight:700}
main{padding:1.2rem 2.5rem 4rem;max-width:56rem}
a{color:var(--link)}
pre{overflow-x:auto;padding:.8rem 1rem;border:1px solid var(--soft);border-radius:6px;font-size:.85rem;line-height:1.4}
code{font-family:ui-monospace,monospace;font-size:.92em}
table{border-collapse:collapse;display:block;overflow-x:auto;margin:1rem 0}
th,td{border-bottom:1px solid var(--soft);padding:.3rem .7rem;text-align:left;vertical-align:top}
img{max-width:100%;background:#fff;border:1px solid var(--soft);border-radius:6px}
h1{margin-top:.2rem}h2{margin-top:2.2rem}
@media(max-width:50rem){body{display:block}nav{min-height:0;border:0;border-bottom:1px solid var(--soft)}main{padding:1rem}}
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def contents(source):
    groups = []
    for line in read(os.path.join(source, "docs/site/contents.txt")).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if "|" not in line:
            groups.append((line.strip(), []))
        else:
            file, title = (part.strip() for part in line.split("|"))
            groups[-1][1].append((file, title))
    return groups


def page_name(file):
    """docs/cli.md: cli.html; README.md: index.html; runtime/README.md: runtime.html."""
    if file == "README.md":
        return "index.html"
    stem = file[len("docs/"):] if file.startswith("docs/") else file
    stem = stem.replace("/README.md", ".md").replace("/", "-")
    return stem[:-3].lower() + ".html"


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"<[^>]*>", "", html.unescape(text)).lower()).strip("-")


def body(source, file, pages, copied):
    """The page's HTML: headings have names, links lead to pages, pictures are copied."""
    text = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", os.path.join(source, file)], check=True,
                          capture_output=True, text=True).stdout
    text = re.sub(r"<h([1-6])>(.*?)</h\1>", lambda m: '<h%s id="%s">%s</h%s>' % (m[1], slug(m[2]), m[2], m[1]), text)

    def link(match):
        kind, target = match[1], match[2]
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match[0]
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(file), path))
        if path in pages:
            return '%s="%s%s"' % (kind, pages[path], "#" + anchor if anchor else "")
        if not os.path.isfile(os.path.join(source, path)):
            raise SystemExit("%s: a link leads nowhere: %s" % (file, target))
        name = path.replace("/", "-")
        copied[path] = name
        return '%s="%s"' % (kind, name)

    return re.sub(r'(href|src)="([^"]*)"', link, text)


def check_links(out):
    names = {name: set(re.findall(r'id="([^"]*)"', read(os.path.join(out, name))))
             for name in os.listdir(out) if name.endswith(".html")}
    for name in names:
        for target in re.findall(r'(?:href|src)="([^"]*)"', read(os.path.join(out, name))):
            if re.match(r"[a-z]+:", target):
                continue
            page, _, anchor = target.partition("#")
            page = page or name
            if not os.path.exists(os.path.join(out, page)):
                raise SystemExit("%s: a link leads nowhere: %s" % (name, target))
            if anchor and anchor not in names.get(page, set()):
                raise SystemExit("%s: there is no such heading: %s" % (name, target))


def main():
    source, out = sys.argv[1], sys.argv[2]
    groups = contents(source)
    pages = {file: page_name(file) for _, entries in groups for file, _ in entries}
    decisions = sorted(os.listdir(os.path.join(source, "docs/decisions")))
    for name in decisions:
        pages["docs/decisions/" + name] = page_name("docs/decisions/" + name)
    written = {name for name in os.listdir(os.path.join(source, "docs")) if name.endswith(".md")}
    lacking = written - {os.path.basename(file) for file in pages if file.startswith("docs/")}
    if lacking:
        raise SystemExit("not in docs/site/contents.txt: %s" % ", ".join(sorted(lacking)))
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    copied = {}
    for file, name in pages.items():
        menu = '<div class="name">whittle</div>'
        for group, entries in groups:
            menu += "<h2>%s</h2>" % html.escape(group)
            for other, title in entries:
                here = ' aria-current="page"' if other == file else ""
                menu += '<a href="%s"%s>%s</a>' % (pages[other], here, html.escape(title))
        text = body(source, file, pages, copied)
        if file == "docs/architecture.md":
            text += '<h2 id="decisions">Decisions</h2><ul>%s</ul>' % "".join(
                '<li><a href="%s">%s</a></li>' % (pages["docs/decisions/" + d], html.escape(d[:-3].replace("-", " ")))
                for d in decisions)
        title = re.search(r"<h1[^>]*>(.*?)</h1>", text)
        title = re.sub(r"<[^>]*>", "", title[1]) if title else "whittle"
        with open(os.path.join(out, name), "w", encoding="utf-8") as page:
            page.write("<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
                       "<meta name=viewport content=\"width=device-width,initial-scale=1\"><title>%s · whittle</title>"
                       "<style>%s</style></head><body><nav>%s</nav><main>\n%s</main></body></html>\n"
                       % (title, STYLE, menu, text))
    for path, name in copied.items():
        shutil.copyfile(os.path.join(source, path), os.path.join(out, name))
    check_links(out)
    print("%d pages in %s" % (len(pages), out))


main()
