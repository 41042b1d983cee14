"""What strangers get: the packages, the one file, the workflows. Quick tests read them; long ones build them."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from release import commit, notes, pyz, sbom
from release.pythons import claimed

import fairdeck
from fairdeck.cli.commands import SUMMARIES
from fairdeck.extras import EXTRAS
from fairdeck.page import build

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = PROJECT["urls"]["Homepage"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
# Python with nothing but the standard library: -S leaves out what is installed.
BARE = [sys.executable, "-I", "-S"]


def steps(document):
    jobs = document.get("jobs", {"action": document.get("runs", {})})
    return [step for job in jobs.values() for step in job["steps"]]


def workflow(name):
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))


# --- what is said of the project


def test_the_versions_of_python_are_the_same_everywhere():
    assert PROJECT["requires-python"] == f">={claimed()[0]}"
    for job in ("all", "core"):
        assert workflow("ci.yml")["jobs"][job]["strategy"]["matrix"]["python"] == claimed()


def test_the_address_of_the_project_is_the_same_everywhere_and_one_command_changes_it():
    """CONTRIBUTING has the command, which replaces owner/name in every file: all addresses, and nothing else."""
    address = HOME.removeprefix("https://github.com/")
    folders = [ROOT / name for name in (".github", "bench", "docs", "examples", "release", "requirements", "src")]
    files = [*ROOT.glob("*"), *(file for folder in folders for file in folder.rglob("*"))]
    written = "\n".join(file.read_bytes().decode("utf-8", "replace") for file in files if file.is_file())
    found = re.findall(r"(?:https://github\.com/|uses: |--repo |'s#)([\w-]+/fairdeck)\b", written)
    assert set(found) == {address} and len(found) == written.count(address) - 1
    assert f"git grep -l {address} | xargs sed -i 's#{address}#" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(url.startswith(HOME) for url in PROJECT["urls"].values())


def test_the_citation_names_this_version_and_licence():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (fairdeck.__version__, PROJECT["license"])
    assert citation["repository-code"] == HOME


# --- workflows, the action, the hook


@pytest.mark.parametrize("file", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda file: file.name)
def test_every_action_is_pinned_and_no_value_of_a_stranger_becomes_a_command(file):
    text = file.read_text(encoding="utf-8")
    for line in re.findall(r"uses: (.*)", text):
        assert re.fullmatch(r"\./|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line
    for step in steps(yaml.safe_load(text)):
        assert "${{" not in step.get("run", ""), step  # values come as variables of the environment


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_may_no_more_than_it_must_and_ends(file):
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert document["permissions"] in ({}, {"contents": "read"})
    assert "secrets." not in file.read_text(encoding="utf-8")
    for job in document["jobs"].values():
        assert job["timeout-minutes"] <= 120
    for step in steps(document):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}


def test_only_the_job_that_publishes_has_the_right_to():
    rights = {name: job["permissions"] for name, job in workflow("release.yml")["jobs"].items()}
    writing = {name: {key for key, value in each.items() if value == "write"} for name, each in rights.items()}
    assert writing == {
        "build": set(),
        "compare": {"id-token", "attestations"},
        "publish": {"id-token"},
        "release": {"contents"},
    }


def test_the_workflows_call_targets_that_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    called = {target for file in WORKFLOWS for target in re.findall(r"\bmake ([a-z]+)", file.read_text("utf-8"))}
    assert called == {"test", "long", "notes", "alone"}
    assert called <= targets


def test_the_action_uses_each_of_its_inputs():
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    document = (ROOT / "docs/how-to/test-your-shuffle.md").read_text("utf-8")
    assert not [name for name in ACTION["inputs"] if f"`{name}`" not in document]


def test_the_hook_installs_what_the_lab_needs():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert tuple(hook["additional_dependencies"]) == EXTRAS["lab"]


def acted(folder, programs=Path(sys.executable).parent, **inputs):
    """Run the step of the action that tests a shuffle, with the fairdeck that is installed here, or elsewhere."""
    given = {"target": "", "exec": "", "cards": "52", "decks": "20000", "alpha": "1e-9", "format": "text"}
    given |= {"options": "", "report_folder": "fairness"} | inputs
    (step,) = [step for step in steps(ACTION) if step.get("id") == "test"]
    for name in ("outputs", "summary"):
        (folder / name).touch()
    environment = {
        **os.environ,
        "FAIRDECK": str(programs),
        "GITHUB_OUTPUT": str(folder / "outputs"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        **{
            name: given[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)[1].replace("-", "_")]
            for name, value in step["env"].items()
        },
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    outputs = dict(line.split("=", 1) for line in (folder / "outputs").read_text().splitlines())
    return done, outputs, (folder / "summary").read_text()


def test_what_the_action_and_the_container_install_has_hashes_or_is_here():
    """A package of the index is fetched by its hash; all else comes from what is here already."""
    (step,) = [step for step in steps(ACTION) if step.get("name") == "Install fairdeck"]
    for text in (step["run"], (ROOT / "Containerfile").read_text(encoding="utf-8")):
        installs = [row for row in text.splitlines() if re.search(r"\bpip (install )?--", row) and "pip()" not in row]
        assert len(installs) == 2
        for line in installs:
            assert "--no-index" in line or "--require-hashes --only-binary :all:" in line, line
    lab = [each.split(";")[0] for each in EXTRAS["lab"]]
    assert all(f"'{each}'" in step["run"] for each in lab)


def test_the_action_imports_nothing_from_the_repository_that_is_tested(tmp_path):
    """A file json.py, or a package fairdeck, of that repository is not what runs the test or writes the summary."""
    evil = "open('EVIL', 'w').close(); raise SystemExit(0)\n"
    for name in ("json", "pathlib", "fairdeck", "numpy", "re", "argparse"):
        (tmp_path / f"{name}.py").write_text(evil)
    (tmp_path / "mine.sh").write_text("while :; do seq 0 5 | sort -R | tr '\\n' ' '; echo; done\n")
    done, outputs, _ = acted(tmp_path, exec="sh mine.sh", cards="6", decks="3000", options="--only descents")
    assert (done.returncode, outputs["verdict"]) == (0, "pass"), done.stderr
    assert not (tmp_path / "EVIL").exists()
    for step in steps(ACTION):
        for line in re.findall(r'^.*(?:python3?"|python") .*', step.get("run", ""), re.M):
            assert re.search(r'python" -[IP] ', line), line


@pytest.mark.parametrize(("inputs", "says"), [({}, "give a function"), ({"target": "a:b", "exec": "c"}, "not both")])
def test_the_action_refuses_what_is_no_question(inputs, says, tmp_path):
    done, outputs, _ = acted(tmp_path, **inputs)
    assert (done.returncode, outputs) == (2, {})
    assert done.stdout.startswith("::error::") and says in done.stdout


@pytest.mark.long
def test_the_action_names_the_fault_of_a_function(tmp_path):
    shutil.copy(ROOT / "examples" / "shuffle.py", tmp_path)
    done, outputs, summary = acted(tmp_path, target="shuffle.py:naive", options="--seed 1")
    assert (done.returncode, outputs["verdict"]) == (1, "fail")
    assert 0 < float(outputs["p-value"]) < 1e-9
    assert "::error title=The shuffle is not fair::shuffle.py:naive is not fair: " in done.stdout
    assert "shuffle.py:naive is not fair: " in summary
    assert "**not fair**" in summary and "| test | p | what it says |" in summary
    assert "<failure" in (tmp_path / "fairness" / "fairness.xml").read_text()
    assert (tmp_path / "fairness" / "fairness.html").stat().st_size > 10_000


@pytest.mark.long
def test_the_action_passes_a_fair_program_and_says_why_nothing_was_counted(tmp_path):
    shutil.copy(ROOT / "examples" / "shuffle.sh", tmp_path)
    done, outputs, summary = acted(tmp_path, exec="sh shuffle.sh {cards}", decks="2000")
    assert (done.returncode, outputs["verdict"]) == (0, "pass"), done.stderr
    assert "**no fault found**, 2,000 decks of 52 cards" in summary
    few, outputs, summary = acted(tmp_path, exec="sh shuffle.sh {cards}", decks="20")
    assert (few.returncode, outputs["verdict"]) == (2, "insufficient"), few.stderr
    assert "::error title=Too few decks::" in few.stdout and "Count more: `decks` says how many." in summary
    (tmp_path / "outputs").unlink()
    done, outputs, summary = acted(tmp_path, target="nothing.py:f")
    assert (done.returncode, outputs) == (2, {"verdict": ""})
    assert "there is no file nothing.py" in done.stdout and "Nothing was counted" in summary


@pytest.mark.long
def test_the_action_installs_what_has_the_hashes_and_runs_it(tmp_path):
    (step,) = [step for step in steps(ACTION) if step.get("name") == "Install fairdeck"]
    wrong = tmp_path / "wrong"
    shutil.copytree(ROOT / "requirements", wrong / "requirements")
    lock = wrong / "requirements" / "lab.txt"
    lock.write_text(re.sub(r"sha256:[0-9a-f]{4}", "sha256:0000", lock.read_text()))
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    path = f"{sys.base_prefix}/bin:/usr/bin:/bin"
    bash = step["run"].replace(" --system-site-packages", "")  # else what this Python has would do
    said = {}
    for action in (ROOT, wrong):
        folder = tmp_path / f"runner of {action.name}"
        folder.mkdir()
        told = {"PATH": path, "RUNNER_TEMP": folder, "GITHUB_ACTION_PATH": action, "GITHUB_ENV": folder / "env"}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", bash]
        done = subprocess.run(command, env={**bare, **told}, capture_output=True, text=True)
        said[action] = done.returncode, done.stderr
        if "No matching distribution" in done.stderr or "NewConnectionError" in done.stderr:
            pytest.skip("no index of packages is reached")
    assert said[ROOT][0] == 0, said[ROOT]
    assert said[wrong][0] and "DO NOT MATCH THE HASHES" in said[wrong][1]
    (programs,) = re.findall("FAIRDECK=(.*)", (tmp_path / f"runner of {ROOT.name}" / "env").read_text())
    shutil.copy(ROOT / "examples" / "shuffle.sh", tmp_path)
    done, outputs, _ = acted(tmp_path, programs, exec="sh shuffle.sh {cards}", decks="2000")
    assert (done.returncode, outputs["verdict"]) == (0, "pass"), done.stderr


# --- what is installed for development


@pytest.mark.parametrize("lock", LOCKS, ids=lambda file: file.name)
def test_a_lock_names_versions_and_hashes_and_no_place(lock):
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text and "/" not in re.sub(r"#.*", "", text)
    entries = re.split(r"^(?=[a-z])", text, flags=re.M)[1:]
    for entry in entries:
        assert re.match(r"[\w.\[\]-]+==[\w.+!]+( ;.*)? \\\n", entry), entry[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry)
    assert len(entries) > 3


@pytest.mark.parametrize("name", ["core", "lab", "cluster"])
def test_every_lock_has_the_versions_of_development(name):
    mine, all_ = (
        set(sbom.PINNED.findall((ROOT / "requirements" / f"{each}.txt").read_text(encoding="utf-8")))
        for each in (name, "dev")
    )
    assert mine <= all_, "run make lock"
    assert {Requirement(text).name for text in EXTRAS.get(name, ())} <= {each for each, _ in mine}, "run make lock"


def test_the_lock_fulfils_the_ranges_of_pyproject_and_the_core_has_the_same_versions():
    versions = sbom.pinned()
    for text in PROJECT["optional-dependencies"]["dev"]:
        wanted = Requirement(text)
        assert wanted.specifier.contains(versions[sbom.normal(wanted.name)]), f"{text}: run make lock"
    named = set((ROOT / "requirements" / "core.in").read_text(encoding="utf-8").split("\n")[1:]) - {""}
    assert named <= {Requirement(text).name for text in PROJECT["optional-dependencies"]["dev"]}


def test_developers_have_the_packages_of_every_extra():
    dev = set(PROJECT["optional-dependencies"]["dev"])
    assert not [package for extra in EXTRAS.values() for package in extra if package not in dev]


# --- fairdeck in one file


@pytest.fixture(scope="module")
def one_file(tmp_path_factory):
    """Give fairdeck in one file, in a folder that nobody can write to, made from the files as they are here."""
    folder = tmp_path_factory.mktemp("one file")
    (folder / commit.PYZ).write_bytes(pyz.packed(pyz.contents(ROOT), 1_800_000_000))
    (folder / commit.PYZ).chmod(0o444)
    folder.chmod(0o555)
    yield folder / commit.PYZ
    folder.chmod(0o755)


def from_one_file(one_file, *words, cwd, python=BARE):
    environment = {**os.environ, "HOME": str(cwd)}
    command = [*python, str(one_file), *words]
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL
    )


def test_one_file_deals_and_writes_the_same_page(one_file, tmp_path):
    plan = json.loads(from_one_file(one_file, "deal", "60", "--mat", "5x2", "--json", cwd=tmp_path).stdout)
    assert plan["cards"] == 60
    assert from_one_file(one_file, "page", "-o", "deal.html", cwd=tmp_path).returncode == 0
    assert (tmp_path / "deal.html").read_bytes() == build().encode()


def test_one_file_says_what_is_missing_and_which_python_it_needs(one_file, tmp_path):
    done = from_one_file(one_file, "test", "naive", cwd=tmp_path)
    assert done.returncode == 69
    assert done.stderr.startswith("fairdeck: the lab needs numpy and scipy: ") and "Traceback" not in done.stderr
    old = (
        "import sys; sys.version_info = (3, 10, 2); import runpy; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])"
    )
    done = from_one_file(one_file, cwd=tmp_path, python=[*BARE, "-c", old])
    assert (done.returncode, done.stderr) == (2, "fairdeck: this is Python 3.10; fairdeck needs 3.11 or newer\n")


def test_one_file_has_the_same_bytes_whatever_time_the_files_have():
    found = pyz.contents(ROOT)
    assert pyz.packed(found, 1_800_000_000) == pyz.packed(dict(reversed(found.items())), 1_800_000_000)
    assert pyz.packed(found, 1_800_000_000) != pyz.packed(found, 1_800_000_002)


# Every command, with words that need no extra; and those that need one.
CORE_COMMANDS = [
    ("deal", "60", "--html", "deal.html"), ("check", "150", "--mat", "5x1"), ("mat", "5x2", "-o", "mat.svg"),
    ("page", "--site", "site", "--voices", "en,de"), ("page", "riffle"), ("shuffles",), ("shuffle", "52"),
    ("rank", "2,0,1"), ("rank", "--of", "5", "--cards", "3"), ("mix", "riffle*7", "--cards", "52"), ("advise", "52"),
    ("packets", "two-way", "--cards", "104"),
    ("boards", "--random", "2"), ("verify", "plan.json"), ("together", "--help"),
    ("together", "announce", "--help"), ("exact", "naive", "--cards", "4"),
    ("exact", "mine.py:fair", "--cards", "4"),
    ("completion", "bash"), ("doctor",), ("config", "--help"),
    ("serve", "--help"), ("monitor", "--help"), ("runs", "--help"), ("verify", "--help"),
]  # fmt: skip
LAB_COMMANDS = [
    ("test", "naive"),
    ("hands", "RRBRBBRBRRBBRBRB", "RBBRRBRBRBBRRBBR", "BRBRRBBRBRBRBRRB"),
    ("histogram", "naive"),
    ("deal", "9", "--pdf", "a.pdf"),
]


@pytest.mark.long
def test_every_command_works_from_one_file(one_file, tmp_path):
    assert {words[0] for words in CORE_COMMANDS + LAB_COMMANDS} == set(SUMMARIES)
    plan = from_one_file(one_file, "deal", "9", "--json", "--reveal", cwd=tmp_path).stdout
    (tmp_path / "plan.json").write_text(plan, encoding="utf-8")
    (tmp_path / "mine.py").write_text("def fair(deck, rng):\n    rng.shuffle(deck)\n", encoding="utf-8")
    for words in CORE_COMMANDS:
        done = from_one_file(one_file, *words, cwd=tmp_path)
        assert done.returncode == (1 if "naive" in words else 0), (words, done.stderr)
    for words in LAB_COMMANDS:
        done = from_one_file(one_file, *words, cwd=tmp_path)
        assert (done.returncode, "install" in done.stderr) == (69, True), (words, done.stderr)


@pytest.mark.long
def test_the_lab_works_from_one_file_where_its_packages_are_installed(one_file, tmp_path):
    shutil.copy(ROOT / "examples" / "shuffle.py", tmp_path)
    here = [sys.executable, "-I"]
    done = from_one_file(one_file, "test", "shuffle.py:naive", "--decks", "2000", cwd=tmp_path, python=here)
    assert (done.returncode, "is not fair" in done.stdout) == (1, True), done.stderr


# --- the release


def test_the_list_of_contents_names_the_packages_of_each_extra(tmp_path):
    for name in (commit.WHEEL, commit.ARCHIVE, commit.PYZ):
        (tmp_path / name).write_text(name)
    found = sbom.described(tmp_path)
    assert found == sbom.described(tmp_path)
    extras = {(part["name"], each["value"]) for part in found["components"] for each in part["properties"]}
    wanted = {(sbom.normal(package), extra) for extra, packages in EXTRAS.items() for package in packages}
    assert extras == wanted
    hashes = {
        each["url"]: each["hashes"][0]["content"] for each in found["metadata"]["component"]["externalReferences"][1:]
    }
    assert hashes[commit.PYZ] == hashlib.sha256(commit.PYZ.encode()).hexdigest()
    (tmp_path / commit.PYZ).write_text("changed")
    assert sbom.described(tmp_path)["serialNumber"] != found["serialNumber"]


def test_the_notes_have_the_hash_of_the_page_and_the_hash_at_its_end(tmp_path):
    page = build()
    (tmp_path / commit.PAGE).write_text(page, encoding="utf-8")
    for name in (commit.WHEEL, commit.ARCHIVE, commit.PYZ, commit.SBOM):
        (tmp_path / name).write_text(name)
    written = notes.notes(tmp_path)
    check, sums = ["sha256sum", "--check"], written["SHA256SUMS"]
    told = subprocess.run(check, input=sums, cwd=tmp_path, text=True, capture_output=True)
    assert (told.returncode, told.stdout.count(": OK")) == (0, 5)
    assert f"| `deal.html` | `{hashlib.sha256(page.encode()).hexdigest()}` |" in written[commit.NOTES]
    own = re.search(r'"hash": ?"([0-9a-f]{16})"', page)[1]
    assert f"*fairdeck {fairdeck.__version__} · page {own}*" in written[commit.NOTES]
    assert "### For players" in written[commit.NOTES]
    with pytest.raises(LookupError):
        notes.own_hash("<p>nothing</p>")


@pytest.fixture(scope="module")
def built_twice(tmp_path_factory):
    """Give two folders with the same commit, built under circumstances that differ in all that could matter."""
    if not commit.has_history():
        pytest.skip("an unpacked source archive has no history")
    folders = []
    for name, umask, more in (
        ("a", 0o022, {"TZ": "UTC", "LC_ALL": "C"}),
        ("elsewhere, schön", 0o077, {"TZ": "Pacific/Chatham", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "7"}),
    ):
        folder = tmp_path_factory.mktemp("clone") / name
        subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True, umask=umask)
        if umask == 0o077:
            (folder / "src" / "fairdeck" / "left_over.py").touch()
            for file in folder.rglob("*.py"):
                os.utime(file, (1_000_000_000, 1_000_000_000))
        environment = {**os.environ, "PYTHONPATH": str(folder / "src"), **more}
        environment.pop("SOURCE_DATE_EPOCH", None)
        for module in ("build", "pyz", "sbom", "notes"):
            subprocess.run(
                [sys.executable, "-m", f"release.{module}"],
                cwd=folder, env=environment, umask=umask, check=True, capture_output=True,
            )  # fmt: skip
        folders.append(folder)
    return folders


@pytest.mark.long
def test_two_builds_are_the_same_byte_for_byte(built_twice):
    first, second = (folder / "dist" for folder in built_twice)
    names = {commit.WHEEL, commit.ARCHIVE, commit.PYZ, commit.SBOM, commit.PAGE, commit.NOTES, "SHA256SUMS"}
    assert {file.name for file in first.iterdir()} == {file.name for file in second.iterdir()} == names
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


@pytest.mark.long
def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(built_twice):
    folder = built_twice[0]
    with zipfile.ZipFile(folder / "dist" / commit.WHEEL) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
        about = wheel.read(f"fairdeck-{commit.VERSION}.dist-info/METADATA").decode()
        licences = {name.rpartition("/")[2] for name in wheel.namelist() if "/licenses/" in name}
    listed = subprocess.run(["git", "ls-files", "src"], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert held == {name.removeprefix("src/") for name in listed.split("\n") if name}
    assert "fairdeck/py.typed" in held and licences == {"LICENSE", "THIRD_PARTY.md"}
    assert f"Project-URL: Homepage, {HOME}\n" in about and "License-Expression: MIT\n" in about


@pytest.mark.long
def test_the_source_archive_builds_the_same_wheel_and_its_tests_run(built_twice, tmp_path):
    shutil.unpack_archive(built_twice[0] / "dist" / commit.ARCHIVE, tmp_path)
    folder = tmp_path / f"fairdeck-{commit.VERSION}"
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    environment.pop("SOURCE_DATE_EPOCH", None)
    build = [sys.executable, "-m", "release.build"]
    subprocess.run(build, cwd=folder, env=environment, check=True, capture_output=True)
    wheel = (built_twice[0] / "dist" / commit.WHEEL).read_bytes()
    assert (folder / "dist" / commit.WHEEL).read_bytes() == wheel
    words = ["-q", "-p", "no:cacheprovider", "-m", "not long", "tests/test_plan.py", "tests/test_release.py"]
    again = [sys.executable, "-m", "pytest", *words]
    done = subprocess.run(again, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.long
def test_the_page_is_the_same_from_the_wheel_the_one_file_and_the_source(built_twice, tmp_path):
    folder = built_twice[0]
    shutil.unpack_archive(folder / "dist" / commit.WHEEL, tmp_path / "installed", "zip")
    pages = []
    for command in (["-m", "fairdeck"], [str(folder / "dist" / commit.PYZ)]):
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
        words = [sys.executable, *command, "page"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True)
        pages.append(done.stdout)
    assert pages[0] == pages[1] == (folder / "dist" / commit.PAGE).read_bytes()
    sums = (folder / "dist" / "SHA256SUMS").read_text()
    assert f"{hashlib.sha256(pages[0]).hexdigest()}  {commit.PAGE}\n" in sums
