"""The table of docs/explanation/trust.md: what comes from somebody else, and what it may cause at most. A test a row.

Where a file is only read, the commands that read it run here, with hostile texts in every place that takes a text, in a
process that notes each program that is started, each connection, and each file that is opened to be written.
"""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeck import Mat, Task
from fairdeck.cards.boards import write_boards
from fairdeck.cli import main
from fairdeck.trust import files
from fairdeck.trust.draws import Drawn
from fairdeck.trust.files import Transcript
from fairdeck.trust.messages import announcement_message, commitment_message
from tests.draws import SECRETS, attempt, listed, owns_of, product_draw, seed_draw
from tests.test_pbn import random_boards

HERE = Path(__file__).parent
TABLE = HERE.parent / "docs" / "explanation" / "trust.md"
HEAD = "| from somebody else | it may cause at most |"
TESTS = {
    "code or link": (
        "test_page_deals.py::test_a_code_asks_before_it_takes_the_place_of_a_deal",
        "test_page_codes.py::test_other_texts_are_refused_as_codes_and_at_once",
        "test_code.py::test_the_page_refuses_altered_codes",
    ),
    "plan": ("test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",),
    "list of cards": (
        "test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",
        "test_boards.py::test_names_of_cards_are_only_text_on_pages",
    ),
    "PBN file": ("test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",),
    "list": (
        "test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",
        "test_boards.py::test_lists_of_two_days_never_join",
    ),
    "message": (
        "test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",
        "test_draw_attacks.py::test_every_message_in_every_state_does_the_same_on_the_page_and_in_python",
        "test_draw_attacks.py::test_page_and_python_go_through_every_cell_alike",
        "test_explore_two.py::test_what_is_refused_changes_nothing_and_the_deal_goes_on",
        "test_trust.py::test_given_all_secrets_but_one_every_order_is_equally_likely",
    ),
    "file of a draw": (
        "test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",
        "test_draw_files.py::test_every_step_takes_its_own_files_only_and_a_refusal_writes_nothing",
        "test_draw_files.py::test_no_file_of_a_draw_is_replaced_and_each_step_can_be_repeated",
    ),
    "transcript": (
        "test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",
        "test_draw_files.py::test_every_change_of_a_byte_is_noticed",
        "test_draw_files.py::test_a_file_is_read_and_in_another_spelling_it_is_refused_or_is_the_same",
    ),
    "rounds": ("test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",),
    "value of a beacon": ("test_draw_files.py::test_what_quicknet_did_not_sign_is_refused_by_name",),
    "store": (
        "test_stores_from_others.py::test_an_edited_registration_runs_nothing",
        "test_stores_from_others.py::test_every_field_of_a_store_is_checked_or_named_as_unchecked",
    ),
    "report or certificate": (
        "test_trust_table.py::test_what_is_read_starts_nothing_and_writes_nothing",
        "test_runs.py::test_a_certificate_is_compared_with_itself_and_with_its_store",
    ),
    "log": ("test_trust_table.py::test_a_log_and_a_file_of_decks_are_read_and_never_executed",),
    "tested program or function": ("test_sources.py::test_the_shell_runs_what_needs_it_and_nothing_else",),
    "scheduler": (
        "test_cluster.py::test_no_other_account_reaches_the_workers_of_this_machine",
        "test_trust_table.py::test_whoever_names_a_scheduler_is_told_to_trust_it",
    ),
}
NO_INPUT_IS_REPLACED = ("test_apart.py::test_no_command_takes_one_file_for_two_purposes",)


def rows():
    """Return what stands in bold in the first column of the table."""
    lines = TABLE.read_text("utf-8").split("\n")
    found = []
    for line in lines[lines.index(HEAD) + 2 :]:
        if not line.startswith("|"):
            break
        found.append(re.match(r"\| \*\*(.+?)\*\*", line)[1])
    return found


def test_every_row_of_the_table_has_its_test_and_every_test_its_row():
    assert sorted(rows()) == sorted(TESTS)
    for row, names in {**TESTS, "inputs": NO_INPUT_IS_REPLACED}.items():
        assert names, row
        for file, _, test in (name.partition("::") for name in names):
            defined = {
                node.name
                for node in ast.parse((HERE / file).read_text("utf-8")).body
                if isinstance(node, ast.FunctionDef)
            }
            assert test in defined, f"{row}: {file} has no {test}"


@pytest.mark.parametrize("changed", ["| **plan** | x |\n| **parrot** |", "| plan |", "| **plane** |"])
def test_a_row_without_a_test_is_heard(changed, tmp_path, monkeypatch):
    (tmp_path / "trust.md").write_text(TABLE.read_text("utf-8").replace("| **plan** |", changed), "utf-8")
    monkeypatch.setattr("tests.test_trust_table.TABLE", tmp_path / "trust.md")
    with pytest.raises((AssertionError, TypeError)):
        test_every_row_of_the_table_has_its_test_and_every_test_its_row()


# --- what is only read

GUARD = """
import contextlib, io, json, os, sys

STARTS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.startfile", "pty.")
CONNECTS = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "urllib.", "http.", "ftplib.")
CHANGES = ("os.remove", "os.rename", "os.link", "os.symlink", "os.mkdir", "os.rmdir", "os.chmod", "os.trunc", "shutil.")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
noted = []

def hook(event, told):
    if event.startswith(STARTS + CONNECTS + CHANGES) or event == "pickle.find_class":
        noted.append([event, repr(told)[:200]])
    elif event == "open" and told[0] != os.devnull and (told[2] or 0) & WRITES:
        noted.append([event, repr(told)[:200]])

from fairdeck.cli import main
sys.addaudithook(hook)
ends = []
for words in json.load(sys.stdin):
    sys.stdin, out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO(), io.StringIO()
    noted.clear()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    ends.append([code, list(noted), out.getvalue(), err.getvalue()])
json.dump(ends, sys.stdout)
"""
# Texts that do something where a text is executed, unpacked, or taken for a name: each makes a file, or asks for one.
HOSTILE = (
    "$(touch made)",
    "`touch made`",
    "; touch made #",
    "__import__('os').system('touch made')",
    "cos\nsystem\n(S'touch made'\ntR.",
    "../../made",
    "/etc/passwd",
    "file:///etc/passwd",
    "http://127.0.0.1:9/made",
    "{0.__class__}",
    "%s%n",
    "<script>made</script>",
    "\x1b]0;made\x07",
    "--exec=touch made",
    "-o made",
)


def guarded(calls):
    """Run commands in one process of their own; return for each: exit code, what was noted, output, what was said."""
    command, given = [sys.executable, "-c", GUARD], json.dumps(calls)
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def an_agreement(text="Pairs"):
    visible = " ".join(text.split())[:40]
    usable = visible if visible.isprintable() else "x"
    names = tuple(f"{usable[:36]} {place}" for place in range(5))
    return seed_draw(Task(5, Mat(3, 1)), (usable, "Ben"), names=names, note=usable)


def planted(value, text):
    """Yield copies of a JSON value with a hostile text in place of each text in it, one at a time."""
    if isinstance(value, str):
        yield text
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from ({**value, name: other} for other in planted(inner, text))
        yield {**value, text: text}
    elif isinstance(value, list) and value:
        yield from ([other, *value[1:]] for other in planted(value[0], text))


def files_and_commands():
    """Write right files in this folder; return the commands that read each kind of them, and the right files."""
    agreement, owns = an_agreement(), SECRETS[:2]
    whole, void = listed(agreement, owns), attempt(agreement, owns, (owns[0], b""))
    second = agreement.again(bytes([1]) * 16, void.named)
    transcript = Transcript(Drawn(attempt(second, owns)), voids=(void,))
    closed = product_draw((Task(5, Mat(3, 1), classic=True),) * 2)
    ordered = owns_of((2, 0, 4, 1, 3), (1, 4, 0, 3, 2))
    assert main(["boards", "--random", "2", "-o", "lists.json"]) == 0
    boards = write_boards(list(random_boards(2, 3)), "PBN").decode()
    texts = {
        "transcript.json": transcript.to_json(),
        "product.json": Transcript(Drawn(attempt(closed, ordered))).to_json(),
        "announcement.json": files.Announcement(agreement).to_json(),
        "list.json": files.CommitmentList(whole).to_json(),
        "commitment.json": files.Commitment(
            agreement.digest, "Ben", whole.commitments[1], "2026-12-01T18:00Z"
        ).to_json(),
        "own.json": files.Own(closed, 1, ordered[1]).to_json(),
        "shown.json": files.Shown(whole.listed, "Ben", owns[1]).to_json(),
        "void.json": files.write_void(transcript.voids),
        "boards.pbn": boards,
        "cards.txt": "\n".join(transcript.drawn.named()),
        "rounds.json": json.dumps([{"server": "a", "hash": "b", "client": "c", "nonce": "1", "cards": ["SA", "H2"]}]),
    }
    for name, text in texts.items():
        Path(name).write_text(text, "utf-8")
    return {
        "transcript.json": [
            ["verify", "X"],
            ["verify", "X", "--json"],
            ["together", "deal", "X", "--json", "--reveal"],
        ],
        "product.json": [["verify", "X"]],
        "rounds.json": [["verify", "X", "--as", "stake-deck"]],
        "announcement.json": [["together", "join", "X", "--as", "Nobody"]],
        "list.json": [["together", "finish", "X"], ["together", "show", "X", "commitment.json"]],
        "commitment.json": [["together", "list", "announcement.json", "X"]],
        "own.json": [["together", "show", "void.json", "X"], ["together", "deal", "X", "--json"]],
        "shown.json": [["together", "finish", "list.json", "X"]],
        "void.json": [["together", "announce", "--people", "A,B", "--cards", "5", "--mat", "3x1", "--after", "X"]],
        "lists-1.json": [["boards", "--lists", "X"], ["boards", "--records", "X", "lists-2.json"]],
        "boards.pbn": [["boards", "X", "--json"]],
        "cards.txt": [["verify", "transcript.json", "--deck", "1", "--played", "X"]],
    }


@pytest.mark.parametrize("kind", ["json", "texts", "messages"])
def test_what_is_read_starts_nothing_and_writes_nothing(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    commands = files_and_commands()
    assert main(["deal", "5", "--mat", "3x1", "--json", "--reveal"]) == 0
    shown = capsys.readouterr().out
    Path("plan.json").write_text(shown[shown.index("{") :], "utf-8")
    run = {"store": "x", "root": "0" * 64, "digest": "0" * 64, "number": 1}
    Path("report.json").write_text(json.dumps({"run": run}))
    commands |= {"plan.json": [["verify", "X"], ["verify", "X", "--trace"]], "report.json": [["verify", "X"]]}
    calls = {"json": json_calls, "texts": text_calls, "messages": message_calls}[kind](commands)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ends = guarded(calls)
    codes = [code for code, *_ in ends]
    for words, (code, noted, out, err) in zip(calls, ends, strict=True):
        assert noted == [], words
        assert code in (0, 1, 2), words
        assert "Traceback" not in err
        assert "\x1b" not in out + err, words
        if code == 2:
            assert len(err.strip().split("\n")) == 1 or words[0] == "together", err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert 2 in codes
    assert 0 in codes or kind == "messages"


def json_calls(commands):
    calls, number = [], 0
    for name, each in commands.items():
        if name.endswith(".json"):
            calls += [
                [name if word == "X" else word for word in words]
                for words in each
                if name in ("transcript.json", "plan.json")
            ]
            for turn, value in enumerate(planted(json.loads(Path(name).read_text("utf-8")), "PLANTED")):
                text = json.dumps(value).replace("PLANTED", json.dumps(HOSTILE[turn % len(HOSTILE)])[1:-1])
                number += 1
                Path(f"hostile-{number}.json").write_text(text, "utf-8")
                calls += [[f"hostile-{number}.json" if word == "X" else word for word in words] for words in each]
    return calls


def text_calls(commands):
    calls = []
    for number, hostile in enumerate(HOSTILE):
        pbn = Path("boards.pbn").read_text("utf-8")
        tags = re.sub(r'\[Event "[^"]*"\]', lambda _, hostile=hostile: f'[Event "{hostile}"]', pbn)
        texts = {
            "boards.pbn": f'% {hostile}\n{{ {hostile} }}\n{tags}\n[Note "{hostile}"]\n',
            "cards.txt": "\n".join([hostile] * 5),
        }
        for name, text in texts.items():
            Path(f"{number}-{name}").write_text(text, "utf-8")
            calls += [[f"{number}-{name}" if word == "X" else word for word in words] for words in commands[name]]
        # Hostile texts where they are allowed: as names of people and cards, and as a note.
        whole = attempt(an_agreement(hostile), SECRETS[:2])
        Path(f"{number}.json").write_text(Transcript(Drawn(whole)).to_json(), "utf-8")
        calls += [
            [f"{number}.json" if word == "X" else word for word in words] for words in commands["transcript.json"]
        ]
    return calls


def message_calls(commands):
    calls = []
    for hostile in HOSTILE:
        agreement = an_agreement(hostile)
        invited = announcement_message(agreement)
        for text in (hostile, f"T1-A-{hostile}", invited, commitment_message(agreement, 1, bytes(32))):
            calls += [["together", "--join", text, "--as", "Ben"]]
    return calls


def test_the_guard_notes_what_is_started_and_written(tmp_path, monkeypatch):
    """The alarm: commands that may do it."""
    monkeypatch.chdir(tmp_path)
    program = ["test", "--exec", "echo 1 2 3", "--cards", "3", "--decks", "1"]
    (_, wrote, *_), (_, started, *_) = guarded([["deal", "5", "--html", "deal.html"], program])
    assert any(event == "open" for event, _ in wrote)
    assert any(event.startswith(("subprocess", "os.posix_spawn", "os.fork")) for event, _ in started)


def test_a_log_and_a_file_of_decks_are_read_and_never_executed(tmp_path, monkeypatch):
    """Among decks: lines that would do something in a shell, in Python or on a terminal; and arrays of pickles."""
    monkeypatch.chdir(tmp_path)
    decks = [" ".join(map(str, [(card * 5 + turn) % 52 for card in range(52)])) for turn in range(400)]
    lines = [line for text in HOSTILE for line in text.split("\n")]
    Path("decks.log").write_text("\n".join([*decks, *lines, *decks]) + "\n", "utf-8")
    pickled = b"cos\nsystem\n(S'touch made'\ntR."
    Path("decks.pkl").write_bytes(pickled)
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(117) + b"\n"
    Path("decks.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00" + header + pickled)
    watch = ["monitor", "decks.log", "--store", "watch.db", "--once"]
    calls = [watch, *(["test", "--file", name, "--workers", "1"] for name in ("decks.log", "decks.pkl", "decks.npy"))]
    ends = guarded(calls)
    for words, (code, noted, out, err) in zip(calls, ends, strict=True):
        # What the programs of numba hold is read from its own cache, by a pickle; and a store is written.
        for event, told in noted:
            assert event.startswith(("open", "os.", "shutil.", "pickle.find_class")), (words, event)
            assert not event.startswith(("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork")), (
                words,
                event,
            )
            assert event != "pickle.find_class" or "'system'" not in told
        assert "Traceback" not in err
        assert "\x1b" not in out + err
        assert code in (0, 1, 2)
    assert f"{len(lines)} bad lines" in ends[0][2] + ends[0][3], "it read them all"
    assert {path.name for path in Path().iterdir()} <= {"decks.log", "decks.pkl", "decks.npy", "watch.db"}


def test_whoever_names_a_scheduler_is_told_to_trust_it():
    """A scheduler runs what it likes in the account that names it; so this stands before how to start one."""
    said = (HERE.parent / "docs" / "how-to" / "cluster.md").read_text("utf-8")
    assert said.index("Trust the scheduler like your own shell") < said.index("## Start a cluster")
