"""Scripts with short names and no comments do what they did."""

import json
import os
import random
import re
import shutil
import subprocess

import pytest
import quickjs

from fairdeck.explore import PAGES, explaining
from fairdeck.page import build, build_one
from fairdeck.page.modules import joined
from fairdeck.page.shortening import BROWSER, shorter
from tests.test_page_contract import HELPERS, given, random_task
from tests.test_page_looks import ONE_CODE

# Each ends with the value that it computes.
PROGRAMS = {
    "shorthand in patterns, values and defaults": """
const first = 3, { second, third: [last, ...rest] = [7, 8] } = { second: 4 };
let later = ({ first, second = 5, ...others }, [one, two = one]) => ({ first, second, others, one, two, ...{ last } });
[later({ first, unknown: 1 }, [9]), second, last, rest];
""",
    "what a property is called stays": """
const name = "cards", more = { [name + 1]: 3, text() { return this.row; }, get half() { return .5; } };
const row = { name, cards: 1, "row": 2, ...more };
const tag = (d) => [{ class: d }, { class: 1, more: [{ d }, { name }] }];
[row, tag(4), row.name, row?.cards, row.half ? row.text() : row, { row: row.cards ? name : row }];
""",
    "templates in templates, and braces in them": """
const cards = 2, text = (cards) => `a${cards}b\\`{${[1, 2].map((card) => `<${{ card }.card}>}`).join(`${cards}`)}c$d`;
[text(5), text(cards), `${cards}${"}`"}`];
""",
    "signs in texts and expressions are no comments": """
const half = 8 / 2 / 2, pattern = /[/"'`]+\\/(?:\\d{2})*/g, address = "http://x", other = '//"'; /* " */
[half, "a/\\"/12b".replace(pattern, "-"), address, other, half /* / */ / 2, [/;}/.test(";}"), ";}", `;}`]];
""",
    "signs that would join": """
let up = 1, down = 2;
const both = up + +down - -up, more = up-- - --down;
[both, more, typeof up, up in [1, 2], void up, -(-up), 1e-7, 0x1F, 1_000];
""",
    "classes, private fields and generators": """
class Deck { #cards = 3; size = 2 * this.#cards; static of(cards) { return new Deck(cards); }
  constructor(cards) { this.left = cards; }
  get cards() { return this.#cards; }
  each() { return [this.left, this.size]; } }
function* counted(most) { for (let next = 0; next < most; next++) yield next; }
[Deck.of(4).cards, Deck.of(5).size, [...Deck.of(6).each()], [...counted(3)]];
""",
    "the same letters for different things, and a name that is taken": """
const a = 1, b = 2, aa = 3, longer = (value) => { const aa = value; return aa + a; };
const outer = (x) => { const inner = (y) => ({ x, y, b, aa });
  for (const { x: z } of [inner(5)]) return [z, inner(x), longer(x)]; };
outer(7);
""",
    "conditions, loops and errors": """
function tried(number) {
  try { if (number > 2) throw new RangeError(`no ${number}`); else return { number }; }
  catch ({ message: said }) { return [said, number ? { a: number } : [number]]; }
  finally { for (const key in { number }) if (key !== "number") return key; }
}
const all = [1, 3, 0].map((number) => tried(number)), sum = all.reduce((total, { number = 4 }) => total + number, 0);
[all, sum];
""",
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_shorter_program_computes_the_same(program):
    script = PROGRAMS[program]
    statements, _, value = script.rstrip().rpartition("\n")
    written = f"{statements}\nJSON.stringify({value.removesuffix(';')});\n"
    usual, short = (quickjs.Context().eval(each) for each in (written, shorter(written)))
    assert usual == short
    assert len(json.loads(usual)) > 1
    assert len(shorter(written)) < len(written)


def test_planning_and_drawing_are_the_same_with_short_names():
    script = joined("advice", "randomness") + HELPERS + 'this["plan"] = planText;\nthis["advice"] = adviceText;\n'
    usual, short = quickjs.Context(), quickjs.Context()
    usual.eval(script)
    short.eval(shorter(script))
    chance = random.Random(20261126)
    for _ in range(60):
        task = given(random_task(chance))
        words = json.dumps([chance.getrandbits(32) for _ in range(1_500)])
        assert usual.get("plan")(task, words) == short.get("plan")(task, words)
        assert usual.get("advice")(task) == short.get("advice")(task)


def test_a_developer_gets_the_script_as_it_was_written(monkeypatch):
    monkeypatch.setenv("FAIRDECK_AS_WRITTEN", "1")
    script = "const order = 3; // Why.\nlog(order);\n"
    assert shorter(script) == script


@pytest.mark.skipif(not shutil.which("eslint"), reason="eslint tells which names a script does not declare")
def test_a_shorter_page_names_nothing_that_neither_it_nor_the_browser_defines(tmp_path):
    """A name of the browser that the list lacks would be shortened, and fail where it is called."""
    pages = {**{name: explaining(name) for name in PAGES}, "app": build([]), "one": build_one(ONE_CODE, "name", ())}
    for name, page in pages.items():
        script = re.search(r"<script type=module>(.*?)</script>", page, re.S)[1]
        (tmp_path / f"{name}.js").write_text(script, encoding="utf-8")
    parsed = "--parser-options=ecmaVersion:2022,sourceType:module"
    told = ["--no-eslintrc", parsed, "--rule", "no-undef:2", "--format", "json"]
    found = {"NODE_PATH": "/usr/share/nodejs", **os.environ}
    run = subprocess.run(["eslint", *told, "."], cwd=tmp_path, capture_output=True, text=True, check=False, env=found)
    messages = [message["message"] for file in json.loads(run.stdout) for message in file["messages"]]
    used = {name[1] for each in messages if (name := re.fullmatch(r"'([\w$]+)' is not defined\.", each))}
    assert len(used) > 50
    assert used - BROWSER == set()
