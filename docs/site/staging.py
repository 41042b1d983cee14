"""What Sphinx reads: the documents as they are, with links that the site can follow.

A document is written for a reader of the repository: it links to documents, to source files and to folders. In the
site these links lead

* to the page itself, where a document names the folder of a page that explains (``src/fairdeck/explore/fair``) or of
  the dealing page (``src/fairdeck/page``);
* to the reference made from the docstrings, where it names a package of `PACKAGES`;
* to a page that shows the file, where it names any other file of the repository. Below a link that is a paragraph of
  its own, such as ``[`program.c`](program.c)``, the page itself shows the file.

Each ``index.md`` becomes the place of the documents that its lists begin with: nothing is listed twice. A
``README.md`` in a folder of numbered documents becomes the place of them all.
"""

import ast
import re
from collections.abc import Mapping
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

PAGE = "page"
PACKAGES = ("fairdeck", "fairdeck.lab", "fairdeck.bulk", "fairdeck.shuffles", "fairdeck.packets")
LANGUAGES = {
    ".cpp": "cpp", ".rs": "rust", ".go": "go", ".java": "java", ".mjs": "javascript", ".js": "javascript",
    ".py": "python", ".c": "c", ".sh": "sh", ".json": "json", ".toml": "toml", ".awk": "awk", ".pl": "perl",
}  # fmt: skip
PICTURES = (".png", ".jpg", ".svg")
FENCED = re.compile(r"(^ *```.*?^ *```[ \t]*$)", re.M | re.S)
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
ALONE = re.compile(r"(?<=\n\n)\[`([^`/]+)`\]\([^)]+\)(?=\n\n)")
LISTED = re.compile(r"^- \[[^]]*\]\(([^)#\s]+\.md)\)", re.M)


def package_file(name: str) -> str:
    """Return the file that a document links to for the reference of a package.

    >>> package_file("fairdeck.lab")
    'src/fairdeck/lab/__init__.py'
    """
    return f"src/{name.replace('.', '/')}/__init__.py"


class Staging:
    """The documents of a repository, as Sphinx reads them: ``files`` maps a name to its content.

    Args:
        root: the folder of the repository.

    Raises:
        FileNotFoundError: a link names a file that does not exist; the message has both names.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, bytes] = {}
        for file in sorted((root / "docs").rglob("*")):
            name = file.relative_to(root / "docs").as_posix()
            if file.suffix == ".md":
                self._document(f"docs/{name}", name)
            elif file.suffix in PICTURES:
                self.files[name] = file.read_bytes()
        for package in PACKAGES:
            self.files[f"reference/api/{package}.md"] = reference_of(package).encode()
        self._contents()

    def _document(self, source: str, name: str, before: str = "") -> None:
        self.files[name] = b""  # known already to the documents that it links to
        parts = FENCED.split((self.root / source).read_text(encoding="utf-8"))
        parts[::2] = [LINK.sub(lambda link: self._link(link, source, name), part) for part in parts[::2]]
        beside = PurePosixPath(source).parent
        parts[::2] = [
            ALONE.sub(lambda link: f"{link[0]}\n\n{self._code(f'{beside}/{link[1]}')}", part) for part in parts[::2]
        ]
        self.files[name] = (before + "".join(parts)).encode()

    def _link(self, link: re.Match[str], source: str, name: str) -> str:
        target = link[2]
        if target.startswith("#") or re.match(r"[a-z]+:", target):
            return link[0]
        path, hash_, part = target.partition("#")
        file = normpath((PurePosixPath(source).parent / path).as_posix())
        if not (self.root / file).exists():
            raise FileNotFoundError(f"{source} links to {target}: there is no {file}")
        return f"{link[1]}{self._place(file, name)}{hash_}{part}{link[3]}"

    def _place(self, file: str, name: str) -> str:
        here = PurePosixPath(name).parent.as_posix()
        folder, _, last = file.rpartition("/")
        if folder == "src/fairdeck/explore":
            return f"{PAGE}:{last}.html"
        if file == "src/fairdeck/page":
            return f"{PAGE}:index.html"
        for package in PACKAGES:
            if file == package_file(package):
                return relpath(f"reference/api/{package}.md", here)
        if (self.root / file).is_dir():
            file += "/README.md"
        inside = file.removeprefix("docs/")
        if inside != file and file.endswith((".md", *PICTURES)):
            return relpath(inside, here)
        return relpath(self._shown(file), here)

    def _shown(self, file: str) -> str:
        """Return the document that shows a file from elsewhere in the repository."""
        before = "---\norphan: true\n---\n\n"  # no document lists it
        name = file.lower() if "/" not in file and file.endswith(".md") else f"files/{file.removesuffix('.md')}.md"
        if name in self.files:
            return name
        if file.endswith(".md"):
            self._document(file, name, before)
        else:
            self.files[name] = f"{before}# {file}\n\n{self._code(file)}\n".encode()
        return name

    def _code(self, file: str) -> str:
        text = (self.root / file).read_text(encoding="utf-8")
        return f"````{LANGUAGES.get(Path(file).suffix, 'text')}\n{text.rstrip()}\n````"

    def _contents(self) -> None:
        for name in [name for name in self.files if name.endswith(("index.md", "README.md"))]:
            text, folder = self.files[name].decode(), PurePosixPath(name).parent.as_posix()
            if name.endswith("index.md"):
                listed = list(dict.fromkeys(LISTED.findall(text)))
            else:
                listed = sorted(
                    relpath(other, folder) for other in self.files if re.fullmatch(rf"{folder}/\d+-[^/]*\.md", other)
                )
            if listed:
                text += "\n```{toctree}\n:hidden:\n\n" + "\n".join(listed) + "\n```\n"
                self.files[name] = text.encode()

    def write(self, folder: Path) -> None:
        """Write what changed, and delete what is no longer there: Sphinx reads only changed files again."""
        for name, content in self.files.items():
            file = folder / name
            if not file.is_file() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        for file in folder.rglob("*"):
            if file.is_file() and file.relative_to(folder).as_posix() not in self.files:
                file.unlink()


def reference_of(package: str) -> str:
    """Return the document with the public names of a package, to be filled from its docstrings."""
    module = import_module(package)
    lines = [f"# `{package}`", "", "```{eval-rst}", f".. automodule:: {package}", "   :no-members:", "```", ""]
    names = {name: getattr(module, name) for name in module.__all__}
    groups: Mapping[str, list[tuple[str, str]]] = {
        "Functions": [("function", name) for name, value in names.items() if isfunction(value) or _wraps(value)],
        "Classes": [
            ("exception" if issubclass(value, BaseException) else "class", name)
            for name, value in names.items()
            if isclass(value)
        ],
    }
    told = {name for group in groups.values() for _, name in group}
    others = {"Values": [("data", name) for name in names if name not in told]}
    for title, members in {**groups, **others}.items():
        if members:
            lines += [f"## {title}", ""]
        for kind, name in members:
            where = source_of(package, name) if kind == "data" else package
            lines += ["```{eval-rst}", f".. auto{kind}:: {where}.{name}", "```", ""]
    return "\n".join(lines)


def source_of(package: str, name: str) -> str:
    """Return the module that a package has a value from: the comment that explains the value is there.

    >>> source_of("fairdeck", "PRESETS")
    'fairdeck.dealing.mat'
    """
    tree = ast.parse(Path(str(import_module(package).__file__)).read_text(encoding="utf-8"))
    imported = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return next((str(node.module) for node in imported if name in [each.name for each in node.names]), package)


def _wraps(value: object) -> bool:
    return callable(value) and hasattr(value, "__wrapped__")
