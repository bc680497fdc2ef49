"""A page taken apart, for tests to look into, and the schema of its numbers."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import analysis.report

SCHEMA = json.loads(
    (Path(analysis.report.__file__).parent / "report.schema.json").read_text(encoding="utf-8")
)

VOID = {"meta", "br", "line", "circle", "path", "rect", "polygon", "polyline", "link", "img"}


class Page(HTMLParser):
    """Collects what a page is made of, and notices tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]
