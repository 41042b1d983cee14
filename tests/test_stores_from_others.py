"""A store, a certificate or a scheduler from somebody else: shown, counted or refused, and never what runs here."""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
import zlib
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fairdeck import folders, lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab import Program
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.runs import account, keeping, registration
from fairdeck.lab.runs.registration import hashes
from fairdeck.lab.runs.store import Store

FUNCTION = "import random\ndef shuffle(deck):\n    random.shuffle(deck)\n"
PROGRAM = "import random\nwhile True: print(*random.sample(range(6), 6), flush=True)\n"
EVIL = "open('EVIL', 'w').close()\n" + FUNCTION
DECKS = "".join(" ".join(map(str, order)) + "\n" for order in ([2, 0, 1, 3], [0, 1, 3, 2], [3, 2, 1, 0]) * 40)


def stop(trial):
    if trial.decks:
        raise KeyboardInterrupt


def begun(folder, what, **options):
    """Begin a run in run.db of a folder, and stop it after some decks; return the store."""
    store = folder / "run.db"
    options = {"cards": 6, "decks": 3_000, "only": "descents"} | options
    with pytest.raises(KeyboardInterrupt):
        lab.test(what, store=store, progress=stop, **options)
    return store


def edited(store, **fields):
    """Change fields of the registration, as somebody who sends a store can."""
    with closing(sqlite3.connect(store)) as file:
        ((text,),) = file.execute("select registration from runs").fetchall()
        found = json.loads(text) | fields
        found["files"] = hashes(found["kind"], found["what"])
        text = json.dumps(found, sort_keys=True, separators=(",", ":"))
        file.execute("update runs set registration = ?", [text])
        file.commit()


def fairdeck(*words):
    """Return the exit code of a command, and what it says on both streams."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(list(map(str, words)))
    return code, out.getvalue(), err.getvalue()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to work in, where the files that stores name are."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FUNCTION)
    Path("evil.py").write_text(EVIL)
    Path("decks.txt").write_text(DECKS)
    Path("program.py").write_text(PROGRAM)
    return tmp_path


RUNS = {
    "a program": {"kind": "program", "what": "touch EVIL; sleep 9", "layout": "text"},
    "a program in parts": {"kind": "program", "what": "touch EVIL; sleep 9", "layout": "text", "in_parts": True},
    "a function": {"kind": "function", "what": "evil.py:shuffle"},
    "a module": {"kind": "function", "what": "evil:shuffle"},
    "a function in parts": {"kind": "function", "what": "evil.py:shuffle", "in_parts": True},
    "a file": {"kind": "file", "what": "/etc/passwd", "seed": "", "start": "sorted"},
    "a device": {"kind": "file", "what": "/dev/zero", "seed": ""},
    "a function that is called known": {"kind": "known", "what": "evil.py:shuffle"},
    "a function in parts that is called known": {"kind": "known", "what": "evil.py:shuffle", "in_parts": True},
    "a program that is called a monitor": {"kind": "monitor", "what": "touch EVIL"},
    "a kind that nobody knows": {"kind": "shell", "what": "touch EVIL"},
}
VICTIMS = {"known": "fisher-yates", "function": "mine.py:shuffle"}


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("run", RUNS)
def test_an_edited_registration_runs_nothing(run, victim, place):
    """Neither from a store of this account nor from one of another, by command or by call."""
    store = begun(place, VICTIMS[victim])
    edited(store, **RUNS[run])
    for words in (
        ("test", "--resume", "run.db"),
        ("test", "--resume", "run.db", "--workers", "2"),
        ("runs", "run.db"),
        ("runs", "run.db", "--run", "1", "--html", "report.html"),
        ("verify", "run.db"),
        ("monitor", "decks.txt", "--once", "--store", "run.db"),
    ):
        code, out, err = fairdeck(*words)
        assert not Path("EVIL").exists(), words
        assert code in ((0, 1, 2) if words[0] in ("runs", "monitor") else (2,)), (words, out, err)
        assert "root:" not in out + err
    with pytest.raises(FairdeckError):
        lab.resume(store)
    assert not Path("EVIL").exists()


@pytest.mark.parametrize("what", ["mine.py:shuffle", Program(f"{sys.executable} program.py"), Path("decks.txt")])
def test_whoever_began_a_run_continues_it_without_naming_anything(what, place):
    """The line that a nightly job runs: no key that the account has, no resuming without the name."""
    options = {} if isinstance(what, Path) else {"cards": 6}
    store = begun(place, what, **({"cards": None, "decks": None} if isinstance(what, Path) else options))
    copy = place / "sent.db"
    shutil.copy(store, copy)
    assert lab.resume(store).counted >= 100
    key = folders.settings() / account.KEY
    assert key.stat().st_mode & 0o777 == 0o600
    aside = key.rename(key.with_name("aside"))  # now it is somebody else's store
    try:
        with pytest.raises(FairdeckError, match="this account did not begin it"):
            lab.resume(copy)
        with pytest.raises(FairdeckError, match="name the right one"):
            lab.resume(copy, what="evil.py:shuffle")
        assert lab.resume(copy, what=what).counted >= 100
    finally:
        aside.rename(key)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("mine.py:shuffle", ["mine.py:shuffle"]),
        (Program(f"{sys.executable} program.py"), ["--exec", f"{sys.executable} program.py"]),
    ],
)
def test_the_command_says_what_to_type_and_takes_it(what, words, place, monkeypatch):
    begun(place, what)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "another account"))
    code, _, said = fairdeck("test", "--resume", "run.db")
    assert code == 2 and said.count("\n") == 1
    assert "type its name again, as in fairdeck test" in said and "--resume run.db" in said
    assert fairdeck("test", "--resume", "run.db", "--exec", "true")[0] == 2
    code, out, said = fairdeck("test", *words, "--resume", "run.db", "--json")
    assert code == 0, said
    assert json.loads(out)["counted"] == 3_000


def test_a_tag_is_of_one_registration_and_one_key(place, monkeypatch):
    store = begun(place, "mine.py:shuffle")
    with Store(store) as file:
        run = file.run(1)
    tag = run.tag
    assert tag == account.tag_of(run.registration)
    other = registration.Registration(Inquiry(kind="program", what="x", cards=5))
    assert account.is_ours(run.registration, tag) and not account.is_ours(other, tag)
    for stolen in (b"", tag[:-1], tag[::-1], bytes(32)):
        assert not account.is_ours(run.registration, stolen)
    key = folders.settings() / account.KEY
    for mode in (0o640, 0o604, 0o666):  # a key that others can read is nobody's
        key.chmod(mode)
        assert not account.is_ours(run.registration, tag)
    key.chmod(0o600)
    assert account.is_ours(run.registration, tag)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/proc/nowhere")
    assert account.tag_of(run.registration) == b"" and not account.is_ours(run.registration, b"")
    assert not account.is_ours(run.registration, tag)


def test_a_name_of_a_known_shuffle_is_never_taken_for_a_file(place):
    """A file that is called like a shuffle, in the folder where somebody resumes, is not read."""
    store = begun(place, "fisher-yates")
    Path("fisher-yates").write_text(DECKS)
    assert lab.resume(store).counted == 3_000


# --- what a store says, and what of it is checked

SMALL = {"cards": 6, "decks": 1_200, "only": "descents,repeats", "seed": 5}
STRANGE = [None, -1, 1.5, "\x1b[31m\nno", b"\xff\x00", "9" * 5_000]
STRANGE_IN_JSON = [None, -1, 10**400, True, "\x1b[31m\nx", {}, float("nan")]
GONE = object()


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A run that passed and one that failed, in several ranges."""
    folder = tmp_path_factory.mktemp("stores")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"EVERY": 0.0, "COST": 0}.items():
            patch.setattr(keeping, name, value)
        lab.test("fisher-yates", store=folder / "passed.db", **SMALL)
        lab.test("sattolo", store=folder / "failed.db", **SMALL)
    return folder


def cells(store, rows=2):
    """Yield each cell of a store: a statement that sets it, the values of its key, what it is called, its value."""
    with closing(sqlite3.connect(store)) as file:
        for (table,) in file.execute("select name from sqlite_master where type = 'table'").fetchall():
            columns = file.execute(f"pragma table_info({table})").fetchall()
            names, keys = [each[1] for each in columns], [each[1] for each in columns if each[5]]
            for row in file.execute(f"select * from {table}").fetchall()[:rows]:
                where = [row[names.index(key)] for key in keys]
                for name, value in zip(names, row, strict=True):
                    statement = f"update {table} set {name} = ? where " + " and ".join(f"{key} = ?" for key in keys)
                    yield statement, where, f"{table}.{name}", value


def fields_of(tree, path=()):
    for key, value in list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)):
        yield (*path, key), value
        if isinstance(value, dict | list):
            yield from fields_of(value, (*path, key))


def with_field(tree, path, value):
    tree = json.loads(json.dumps(tree))
    inside = tree
    for key in path[:-1]:
        inside = inside[key]
    if value is GONE:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def edits(store, strange, strange_in_json):
    """Yield each edit of a cell, or of a field in one: the name, the statement, its values."""
    for statement, where, name, value in cells(store):
        for other in strange(value):
            if other != value:
                yield name, statement, [other, *where]
        if isinstance(value, str) and value.startswith("{"):
            for path, old in fields_of(json.loads(value)):
                for other in strange_in_json(old):
                    if other is GONE or other != old:
                        yield (
                            ".".join([name, *map(str, path)]),
                            statement,
                            [with_field(json.loads(value), path, other), *where],
                        )


def after(store, copy, statement, values):
    shutil.copy(store, copy)
    with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as file:
        file.execute(statement, values)
        file.commit()
    return copy


@pytest.mark.parametrize("name", ["passed.db", "failed.db"])
def test_no_edited_store_ends_a_command_with_an_internal_error(name, stores, tmp_path):
    """Every cell and every field in it, each with strange values: a report, or a line that names the remedy."""
    copy, tries = tmp_path / "run.db", 0
    for label, statement, values in edits(stores / name, lambda _: STRANGE, lambda _: [*STRANGE_IN_JSON, GONE]):
        after(stores / name, copy, statement, values)
        full = label.startswith("runs.") and "registration" not in label
        for words in (("runs", "--json"), ("runs", "--run", "1"))[: 1 + full]:
            code, out, err = fairdeck(words[0], str(copy), *words[1:])
            assert code in (0, 1, 2), (label, values, err)
            assert "\x1b" not in out + err and err.count("\n") <= 1, (label, values, err)
        tries += 1
    assert tries > 250


def nearby(value):
    """Return other values that a forger could write in place of one."""
    if isinstance(value, bool) or value is None:
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(0, value - 1)]
    if isinstance(value, float):
        return [value * 0.9 + 0.001]
    if isinstance(value, bytes):
        return [value[:-1] + bytes([value[-1] ^ 1]) if value else b"x"]
    if isinstance(value, list):
        return [[*value, "x"], value[1:]]
    return ["2020-01-01T00:00:00+00:00", f"{value}0"] if isinstance(value, str) else []


# What a store says beside what is checked; `verify` prints it as said only, or not at all.
SAID_ONLY = {
    "runs.begun": "when the run began (2020-01-01T00:00:00+00:00)",
    "runs.sessions": "its sessions (2)",
    "runs.commits": "",
}


@pytest.mark.parametrize("name", ["passed.db", "failed.db"])
def test_every_field_of_a_store_is_checked_or_named_as_unchecked(name, stores, tmp_path):
    with Store(stores / name) as file:
        known = ["--registered", file.run(1).registration.digest]
    copy, noticed, unnoticed = tmp_path / "run.db", set(), set()
    for label, statement, values in edits(stores / name, nearby, nearby):
        after(stores / name, copy, statement, values)
        code, out, _ = fairdeck("verify", str(copy), *known)
        if code:
            noticed.add(label)
            continue
        unnoticed.add(label)
        assert label in SAID_ONLY, (label, values, out)
        if label != "runs.begun" or "2020-01-01T00:00:00+00:00" in values:
            assert SAID_ONLY[label] in out or "runs.sessions" in label, (label, out)
    assert {"runs.begun", "runs.sessions"} <= unnoticed
    assert {label.split(".")[-1] for label in noticed} >= {"seed", "decks", "alpha", "what", "data", "tag", "more"}
    assert not [label for label in noticed if label in ("runs.begun", "runs.commits")]


@pytest.mark.parametrize("what", ["sattolo", "mine.py:shuffle", "decks.txt"])
def test_a_certificate_binds_every_column_of_its_store(what, place):
    """Each value of each row of each table, as SQLite lists them: none can change without being noticed."""
    named = ["--file", what] if what == "decks.txt" else [what, "--cards", "4", "--decks", "1200"]
    fairdeck("test", *named, "--only", "descents,repeats", "--store", "run.db", "--certificate", "c.html")
    assert fairdeck("verify", "c.html")[0] == 0
    seen = set()
    for statement, where, label, value in list(cells("run.db", rows=None)):
        for other in [*nearby(value), *STRANGE]:
            after("run.db", "copy.db", statement, [other, *where])
            if list(cells("copy.db", rows=None)) == list(cells("run.db", rows=None)):
                continue  # SQLite refused it, or took it for the same
            code, out, err = fairdeck("verify", "c.html", "--store", "copy.db")
            assert code == 2 or "It does not hold: the report states " in out, (label, other, out, err)
            seen.add(label)
    with closing(sqlite3.connect("run.db")) as file:
        tables = [name for (name,) in file.execute("select name from sqlite_master where type = 'table'")]
        columns = {f"{table}.{column[1]}" for table in tables for column in file.execute(f"pragma table_info({table})")}
    assert seen == columns


@pytest.mark.parametrize("name", ["passed", "failed"])
def test_every_field_of_a_report_is_compared_or_named_as_not_compared(name, stores, tmp_path):
    with Store(stores / f"{name}.db") as file:
        report = json.loads(keeping.report_of(file, file.run(1)).to_json())
    path = tmp_path / "report.json"
    unnoticed = set()
    for field in [*report, *(f"run.{each}" for each in report["run"]), "signed by"]:
        inside = report["run"] if field.startswith("run.") else report
        changed = json.loads(json.dumps(report))
        place = changed["run"] if inside is report["run"] else changed
        old = inside.get(field.removeprefix("run."))
        place[field.removeprefix("run.")] = (nearby(old) or [{"another": "thing"}])[0]
        assert changed != report
        path.write_text(json.dumps(changed))
        code, out, err = fairdeck("verify", str(path), "--store", str(stores / f"{name}.db"))
        assert code in (0, 1, 2), err
        if not code:
            unnoticed.add(field)
            assert field in out.partition("not compared: what the report says of ")[2] or field == "run.store", (
                field,
                out,
            )
    assert unnoticed <= {"seconds", "command", "notes", "environment", "causes", "headline", "labels", "run.store"}


def test_a_small_store_cannot_unpack_to_fill_the_memory(place):
    """Decks that wait and tallies are unpacked only as far as they say that they are large."""
    lab.monitor("decks.txt", "watch.db")
    bomb = zlib.compress(bytes(64 << 20), 9)
    with closing(sqlite3.connect("watch.db")) as file:
        ((text,),) = file.execute("select more from runs").fetchall()
        (log,) = json.loads(text)["logs"].values()
        name = hashlib.sha256(bomb).hexdigest()
        file.execute("update runs set more = ?", [text.replace(log["waiting"], name)])
        file.execute("update parts set name = ?, data = ? where name = ?", [name, bomb, log["waiting"]])
        file.commit()
    tracemalloc.start()
    try:
        with pytest.raises(FairdeckError, match="is damaged"):
            lab.monitor("decks.txt", "watch.db")
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_a_journal_beside_a_store_deletes_no_file(stores, place):
    """SQLite plays a journal back as soon as it reads a store, and then deletes the file that its end names."""
    victim = place / "diary.txt"
    for folder, name in ((place, "run.db"), (place / "sent", "link.db")):
        folder.mkdir(exist_ok=True)
        store = folder / "run.db"
        shutil.copy(stores / "passed.db", store)
        if name != store.name:
            (place / name).symlink_to(store)
        victim.write_text("dear diary")
        page = int.from_bytes(store.read_bytes()[16:18])
        pages, told = store.stat().st_size // page, bytes(victim)
        magic = bytes.fromhex("d9d505f920a163d7")
        numbers = [0, 1, pages, 512, page]
        head = (magic + b"".join(each.to_bytes(4) for each in numbers)).ljust(512, b"\0")
        tail = ((1 << 30) // page + 1).to_bytes(4) + told + len(told).to_bytes(4) + sum(told).to_bytes(4) + magic
        for words in (
            f"runs {name}",
            f"runs {name} --run 1 --html r.html",
            f"verify {name}",
            f"test --resume {name}",
            f"monitor decks.txt --once --store {name}",
        ):
            (folder / "run.db-journal").write_bytes(head + tail)
            code, _, said = fairdeck(*words.split())
            assert code == 2 and "do not trust it" in said, (words, said)
            assert victim.read_text() == "dear diary", words


@pytest.mark.parametrize(
    "statement",
    [
        "alter table runs add column other text generated always as (hex(zeroblob(450000000))) virtual",
        "alter table runs add column other text check (length(hex(zeroblob(450000000))) > 0)",
        "create index other on runs (hex(zeroblob(450000000)))",
        "create virtual table other using fts5(x)",
    ],
)
def test_a_store_holds_nothing_that_computes(statement, stores, tmp_path):
    """A file of 40 kB took 3 GB of memory and half a minute."""
    copy = tmp_path / "run.db"
    shutil.copy(stores / "passed.db", copy)
    with closing(sqlite3.connect(copy)) as file:
        file.execute("delete from runs" if "index" in statement or "check" in statement else "select 1")
        file.execute(statement)
        file.commit()
    code, _, said = fairdeck("runs", str(copy))
    assert code == 2 and "do not trust it" in said, said


# --- what else lies in the folder


def test_settings_of_numba_in_the_folder_load_nothing(place):
    """Numba takes a folder of compiled kernels from a file in the current folder, and runs what it finds there."""
    Path(".numba_config.yaml").write_text(f"cache_dir: {place / 'kernels'}\n")
    for words in (
        "test fisher-yates --cards 6 --decks 60000",
        "histogram naive --decks 9000",
        "mix riffle --decks 100000",
        "runs run.db",
    ):
        done = subprocess.run([sys.executable, "-m", "fairdeck", *words.split()], capture_output=True, text=True)
        assert not (place / "kernels").exists(), words
        assert done.returncode in (0, 2) and "Traceback" not in done.stderr, (words, done.stderr)
        if words.startswith(("test", "mix")):
            assert done.returncode == 2 and "move it away, or work in another folder" in done.stderr


def test_no_module_in_the_folder_is_run_by_a_worker_or_by_what_cleans_up_after_workers(tmp_path):
    """Python starts both with a command, and there it looks for modules in the current folder first."""
    folder, script = tmp_path / "folder", tmp_path / "elsewhere" / "script.py"
    folder.mkdir()
    script.parent.mkdir()
    for name in (*sys.stdlib_module_names, "numpy", "fairdeck", "sitecustomize"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'EVIL')!r}, 'a').write({name!r})\n")
    script.write_text(
        "import os\n"
        "from fairdeck.lab.runs.processes import spread\n"
        "if __name__ == '__main__':\n"
        "    with spread(2, 0) as mapped:\n"
        "        print(*mapped(os.getenv, ['PYTHONSAFEPATH'] * 2), os.getenv('PYTHONSAFEPATH'))\n"
    )
    for told in (None, "", "1"):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
        environment |= {} if told is None else {"PYTHONSAFEPATH": told}
        command = [sys.executable, str(script)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
        assert not (folder / "EVIL").exists(), (folder / "EVIL").read_text()
        # What a worker starts, such as a program that is tested, finds its modules as ever.
        assert done.stdout == " ".join([str(told)] * 3) + "\n", done.stderr


def test_names_from_a_store_are_text_in_every_report(place):
    """What is shown of a store from somebody else is escaped, in a terminal, in HTML and in XML."""
    store = begun(place, "mine.py:shuffle", decks=200)
    lab.resume(store)
    edited(store, what="<script>alert(1)</script>\x1b]0;x\x07:f")
    files = ["--html", "h.html", "--certificate", "c.html", "--junit", "j.xml"]
    code, out, err = fairdeck("runs", "run.db", "--run", "1", *files)
    assert code in (0, 1), err
    assert "\x1b" not in out and "\x07" not in out
    for name in ("h.html", "c.html"):
        assert "<script>alert" not in Path(name).read_text()
    ElementTree.parse("j.xml")
    assert fairdeck("runs", "run.db")[1].count("\x1b") == 0
