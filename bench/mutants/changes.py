"""The faults: every small change to a function or a constant of a module that could be a slip.

A comparison, an operator, a number, a text or a call of `min` for `max` is replaced by its nearest neighbour; a
condition is set to true and to false; a returned value is replaced by None; a statement is removed. Annotations,
decorators, `assert`, the fields of classes, and everything within a message or a docstring stay as they are.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NEIGHBOURS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
CONDITIONS = (ast.If, ast.IfExp, ast.While)
SKIPPED = (ast.Assert, ast.Raise, ast.JoinedStr, ast.ImportFrom, ast.Import)
FIELDS_SKIPPED = ("annotation", "returns", "decorator_list")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Change:
    """One small change.

    Attributes:
        owner: the function or the constant that is changed, by its qualified name.
        lines: the first and the last line of the statement that is changed, in the file.
        before: the first line that is changed, as Python writes it, and `after` what it becomes.
        condition: line and column of a condition that is set to true or to false; else None.
        code: the changed definition of the owner, without decorators.
    """

    owner: str
    lines: tuple[int, int]
    before: str
    after: str
    condition: tuple[int, int] | None
    code: str

    @property
    def shown(self) -> str:
        """The change in a line."""
        return f"`{self.before}` → `{self.after}`"


def _swap(holder: Any, key: Any, new: Any) -> Any:
    """Put `new` into a field of a node, or at a place of a list; return what was there."""
    if isinstance(holder, list):
        old, holder[key] = holder[key], new
    else:
        old = getattr(holder, key)
        setattr(holder, key, new)
    return old


def changes(text: str) -> Iterator[Change]:
    """Yield every change to the functions and constants of a module with this text."""
    yield from _of_body(ast.parse(text).body, "")


def _of_body(body: list[ast.stmt], prefix: str) -> Iterator[Change]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _of_body(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If):
            yield from _of_body(node.body, prefix)
        elif isinstance(node, Function) or (not prefix and isinstance(node, ast.Assign) and not _of_types(node)):
            name = node.name if isinstance(node, Function) else ast.unparse(node.targets[0])
            if isinstance(node, Function):
                node.decorator_list = []
            was = ast.unparse(node)
            for lines, condition, holder, key, new in _within(node, (node.lineno, node.end_lineno or 0)):
                old = _swap(holder, key, new)
                code = ast.unparse(node)
                _swap(holder, key, old)
                pairs = zip(was.splitlines(), code.splitlines(), strict=False)
                before, after = next((a.strip(), b.strip()) for a, b in pairs if a != b)
                yield Change(f"{prefix}{name}", lines, before, after, condition, code)


def _of_types(node: ast.Assign) -> bool:
    """Tell whether an assignment makes a type variable: its name means nothing to the program."""
    return isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "TypeVar"


def _within(node: ast.AST, lines: tuple[int, int]) -> Iterator[tuple[Any, ...]]:
    for field, value in ast.iter_fields(node):
        if field in FIELDS_SKIPPED:
            continue
        for holder, key, child in (
            [(value, at, each) for at, each in enumerate(value)] if isinstance(value, list) else [(node, field, value)]
        ):
            if not isinstance(child, ast.AST) or _is_docstring(child):
                continue
            inside = lines
            if isinstance(child, ast.stmt):
                body = getattr(child, "body", None)
                inside = (child.lineno, max(child.lineno, body[0].lineno - 1) if body else child.end_lineno or 0)
            decides = field == "values" or (field == "test" and isinstance(node, CONDITIONS)) or field == "ifs"
            for new, condition in _instead(child, decides, isinstance(node, ast.While)):
                yield inside, condition, holder, key, new
            if not isinstance(child, SKIPPED):
                yield from _within(child, inside)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _instead(node: Any, decides: bool, of_while: bool) -> Iterator[tuple[ast.AST, tuple[int, int] | None]]:
    """Yield what can stand in place of a node, and where a condition is, if it is one."""
    if decides and isinstance(node, ast.expr) and not isinstance(node, ast.BoolOp | ast.Constant):
        for value in (False,) if of_while else (True, False):  # a loop without an end only costs time
            yield ast.Constant(value), (node.lineno, node.col_offset)
    yield from ((new, None) for new in (_other_statement(node) if isinstance(node, ast.stmt) else _other_value(node)))


def _other_value(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            yield ast.Compare(node.left, [*node.ops[:at], _other(operator), *node.ops[at + 1 :]], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in NEIGHBOURS:
        yield ast.BinOp(node.left, _other(node.op), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(_other(node.op), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and node.value is not None and node.value is not ...:
        yield ast.Constant(_other_constant(node.value))
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield ast.Name(NAMES[node.id])


def _other_statement(node: Any) -> Iterator[ast.stmt]:
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield ast.Return(ast.Constant(None))
    if isinstance(node, ast.AugAssign) and type(node.op) in NEIGHBOURS:
        yield ast.AugAssign(node.target, _other(node.op), node.value)
    changed = isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name)
    if changed or isinstance(node, ast.AugAssign | ast.Expr | ast.Raise | ast.Continue | ast.Break):
        yield ast.Pass()


def _other(operator: Any) -> Any:
    return NEIGHBOURS[type(operator)]()


def _other_constant(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + " "
    if isinstance(value, bytes):
        return value + b" "
    return value + 1 if isinstance(value, int) else value * 1.25 or 1.0
