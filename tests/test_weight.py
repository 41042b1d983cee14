"""The weight of the house: each total stays under its ceiling, and each room has somebody who would miss it."""

from collections import Counter

from tests import weight


def test_no_total_is_above_its_ceiling():
    most = weight.ceilings()
    totals = weight.totals()
    assert set(most) == set(totals)
    above = {name: (total, most[name]) for name, total in totals.items() if total > most[name]}
    assert not above, "take something out, or raise the ceiling and say in the commit what left for it"


def test_no_ceiling_is_far_above_its_total():
    for name, total in weight.totals().items():
        assert weight.ceilings()[name] <= total * 1.05 + 5, f"lower the ceiling of {name} to what it is now"


def test_each_file_stands_in_one_room():
    homes = Counter(file for room in weight.rooms() for file in room.files())
    assert set(homes.values()) == {1}
    assert set(homes) == set(weight.SOURCE.rglob("*.py"))


def test_each_room_is_used_where_a_newcomer_looks():
    for room in weight.rooms():
        file, text = room.used.split(": ", 1)
        assert file == "README.md" or file.startswith("docs/tutorials/"), room.name
        assert text in (weight.ROOT / file).read_text(encoding="utf-8"), room.name
        assert room.user
        assert all(list(weight.ROOT.glob(pattern)) for pattern in room.docs), room.name


def test_code_is_counted_without_blanks_comments_and_docstrings(tmp_path):
    file = tmp_path / "sample.py"
    docstrings = '"""Says\n\nthree lines."""\n\n# why\n', '\n\ndef f():\n    """No."""\n    return X\n'
    file.write_text('X = """a\nb"""  # not a docstring\n'.join(docstrings))
    assert weight.lines_of_code(file) == 4
