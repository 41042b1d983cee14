// The page itself. What a deal shows is a function of the plan and one number, the step; Undo is
// the number less one. Setup, planning and advice know nothing of the screen.

const $ = (id) => document.getElementById(id);
const deal = { plan: null, at: 0, began: 0, kept: false };
const grouped = (n) => n.toLocaleString("en");
const counted = (n, noun, plural = `${noun}s`) => `${grouped(n)} ${n === 1 ? noun : plural}`;
const element = (kind, text, className = "") => Object.assign(document.createElement(kind), { textContent: text, className });

// --- Setup -------------------------------------------------------------------------------------

let chosenMat = "5x2";

// Whole numbers only: 1e3 and 12.7 are mistakes, not numbers.
function wholeNumber(id, least, most) {
  const text = $(id).value.trim();
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}

function complain(id, fields, message) {
  $(id).textContent = message;
  for (const field of fields) $(field).setAttribute("aria-invalid", message ? "true" : "false");
  return !message;
}

// What to say of a field: nothing if its value is one of least..most.
function faultOf(id, what, least, most) {
  if (wholeNumber(id, least, most)) return "";
  const typed = $(id).value.trim(), range = `${grouped(least)} to ${grouped(most)}`;
  return typed ? `${what}: “${typed.slice(0, 20)}” is not a whole number from ${range}.` : `${what}: write a whole number from ${range}.`;
}

function readMat() {
  complain("mat-error", ["columns", "rows"], "");
  if (chosenMat !== "own") return makeMat(...chosenMat.split("x").map(Number));
  for (const [id, what] of [["columns", "Columns"], ["rows", "Rows"]]) {
    if (!complain("mat-error", [id], faultOf(id, what, 1, LARGEST_SIDE))) return null;
  }
  return makeMat(wholeNumber("columns", 1, LARGEST_SIDE), wholeNumber("rows", 1, LARGEST_SIDE));
}

function readGoal(cards) {
  const kind = $("form").elements.goal.value;
  complain("goal-error", ["players", "each", "top"], "");
  if (kind === "deck") return wholeDeck();
  const asked = kind === "top" ? [["top", "Cards from the top"]] : [["players", "Hands"], ["each", "Cards each"]];
  for (const [id, what] of asked) if (!complain("goal-error", [id], faultOf(id, what, 1, cards))) return null;
  const [first, second] = asked.map(([id]) => wholeNumber(id, 1, cards));
  if (kind === "top") return topCards(cards, first);
  const taken = first * second;
  const wrong = taken > cards ? `${first} hands of ${second} take ${grouped(taken)} cards; the deck has ${grouped(cards)}. Deal fewer or smaller hands.` : "";
  if (!complain("goal-error", ["players", "each"], wrong)) return null;
  return hands(cards, Array(first).fill(second), $("stock").checked ? "stock" : "rest");
}

function readTask() {
  const cards = wholeNumber("cards", 1, LARGEST_DECK);
  complain("cards-error", ["cards"], faultOf("cards", "Cards", 1, LARGEST_DECK));
  const mat = readMat(), goal = readGoal(cards || LARGEST_DECK);
  if (!cards || !mat || !goal) return null;
  const task = { cards, mat, goal, dealers: 1, leastPasses: 1, classic: false, bottom: $("bottom").checked ? "pass" : "never" };
  try {
    checkTask(task);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    if (goal.piles.length) complain("goal-error", ["players"], `These hands need a mat of at least ${error.cause} spaces: choose a larger mat, or fewer hands.`);
    else complain("mat-error", ["columns", "rows"], `This deck needs a mat of at least ${error.cause} spaces.`);
    return null;
  }
  return task;
}

function rarely(chance) {
  if (chance < 1e-7) return "";
  return chance < 0.01 ? ` (one more in 1 deal of ${grouped(Math.round(1 / chance))})` : ` (one more in ${Math.round(100 * chance)} % of deals)`;
}

function aboutTime(minutes) {
  if (minutes >= 120) return `about ${grouped(Math.round(minutes / 60))} hours`;
  return `about ${minutes < 10 ? Math.max(0.5, Math.round(minutes * 2) / 2) : Math.round(minutes)} min`;
}

function showAdvice() {
  $("own").hidden = chosenMat !== "own";
  const kind = $("form").elements.goal.value;
  $("hands-fields").hidden = kind !== "hands";
  $("top-fields").hidden = kind !== "top";
  for (const button of $("presets").children) button.setAttribute("aria-pressed", String(button.value === chosenMat));
  const task = readTask();
  $("advice").replaceChildren();
  if (!task) return;
  const advice = advise(task), spaces = `${advice.spaces} of ${task.mat.columns * task.mat.rows} spaces`;
  const line = element("p", `${counted(advice.passes, "pass", "passes")}${rarely(advice.chanceOfOneMorePass)}, ${spaces}, ` +
    `piles up to about ${grouped(advice.tallest)} high, ${aboutTime(advice.minutes)}`);
  line.id = "line";
  $("advice").append(line);
  if (task.goal.loose) {
    const ordered = task.cards - task.goal.loose;
    $("advice").append(element("p", `Only the top ${ordered === 1 ? "card" : `${ordered} cards`} will be random: do not use the others.`, "mild"));
  }
  const better = (way) => way.passes < advice.passes || (way.passes === advice.passes && advice.chanceOfOneMorePass > 0.01);
  for (const way of suggestionsFor(task).filter(better).slice(0, 2)) {
    const button = element("button", `Use ${way.columns} × ${way.rows}: ${counted(way.passes, "pass", "passes")}`);
    button.type = "button";
    button.addEventListener("click", () => chooseMat(way.columns, way.rows));
    $("advice").append(button);
  }
}

function chooseMat(columns, rows) {
  const name = `${columns}x${rows}`;
  if (PRESETS.some(([c, r]) => c === columns && r === rows)) chosenMat = name;
  else {
    chosenMat = "own";
    $("columns").value = columns;
    $("rows").value = rows;
  }
  showAdvice();
}

function drawPresets() {
  for (const [columns, rows] of [...PRESETS, [0, 0]]) {
    const button = document.createElement("button"), grid = document.createElement("i");
    button.type = "button";
    button.value = columns ? `${columns}x${rows}` : "own";
    grid.style.gridTemplateColumns = `repeat(${columns}, auto)`;
    for (let space = 0; space < columns * rows; space++) grid.append(document.createElement("b"));
    button.append(grid, columns ? `${columns} × ${rows}` : "My mat");
    button.addEventListener("click", () => { chosenMat = button.value; showAdvice(); });
    $("presets").append(button);
  }
}

function start(event) {
  event.preventDefault();
  const task = readTask();
  if (!task) {
    const wrong = document.querySelector("[aria-invalid=true]");
    if (wrong) wrong.focus();
    return;
  }
  remember(SETTINGS, settings());
  begin(drawPlan(task, systemWords()), 0, Date.now());
}

function begin(plan, at, began) {
  Object.assign(deal, { plan, at, began, kept: remember(DEAL, { plan, began }) });
  turnTo("deal");
  show();
  stayAwake();
}

// --- What was, when the page opens -------------------------------------------------------------

const TEXTS = ["cards", "columns", "rows", "players", "each", "top"], CHECKS = ["stock", "bottom"];

const settings = () => ({
  mat: chosenMat, goal: $("form").elements.goal.value,
  ...Object.fromEntries(TEXTS.map((id) => [id, $(id).value])), ...Object.fromEntries(CHECKS.map((id) => [id, $(id).checked])),
});

function restoreSettings() {
  const last = recall(SETTINGS) || {};
  for (const id of TEXTS) if (typeof last[id] === "string") $(id).value = last[id].slice(0, 20);
  for (const id of CHECKS) if (typeof last[id] === "boolean") $(id).checked = last[id];
  if ([...$("presets").children].some((button) => button.value === last.mat)) chosenMat = last.mat;
  const goal = [...$("form").elements.goal].find((choice) => choice.value === last.goal);
  if (goal) goal.checked = true;
}

// A deal that was interrupted goes on where it was, without a question.
function resume() {
  const { plan, began } = recall(DEAL) || {}, at = recall(STEP);
  if (isDealable(plan) && isCount(at) && isCount(began) && stepAt(plan, at).kind !== "done") begin(plan, at, began);
  else forgetDeal();
}

// --- Steps -------------------------------------------------------------------------------------

// Every pass: an opening, each card, the check of heights, the hands if it finishes any, each move
// of the gathering.
function stepAt(plan, at) {
  for (let number = 0; number < plan.passes.length; number++) {
    const pass = plan.passes[number], cards = pass.deal.length, moves = Math.max(0, pass.stack.length - 1);
    const handing = finishedSpaces(pass).length ? 1 : 0;
    if (at === 0) return { kind: "open", number, pass };
    if (at <= cards) return { kind: "card", number, pass, card: at - 1 };
    if (at === cards + 1) return { kind: "check", number, pass };
    if (at === cards + 1 + handing) return { kind: "hands", number, pass };
    if (at <= cards + 1 + handing + moves) return { kind: "gather", number, pass, move: moves - (at - cards - 2 - handing) };
    at -= cards + 2 + handing + moves;
  }
  return { kind: "done", number: plan.passes.length - 1 };
}

const WIDE = 10;
const rowNumber = (space) => Math.floor(space / deal.plan.mat.columns);
const rowOf = (space) => rowNumber(space) % 6;

// Draws the used rows of the mat, and of a very wide mat only the used columns. `gone` are spaces
// whose piles have been moved; `heights` adds how high the piles are.
function drawMat(pass, { now = null, then = null, gone = [], heights = false } = {}) {
  const { columns, labels } = deal.plan.mat, cells = [];
  const used = deal.plan.passes.flatMap((each) => each.counts.flatMap((count, space) => (count ? [space] : [])));
  const rows = Math.max(...used.map(rowNumber)) + 1;
  const shown = columns <= WIDE ? columns : Math.max(WIDE, ...used.map((space) => (space % columns) + 1));
  labels.slice(0, rows * columns).forEach((label, space) => {
    if (space % columns >= shown) return;
    const there = pass.counts[space] && !gone.includes(space);
    const cell = element("div", there && !heights ? label : "", `row${rowOf(space)}`);
    if (there && heights) cell.append(element("small", label), element("b", pass.counts[space]));
    if (!there) cell.classList.add("unused");
    if (space === then) cell.classList.add("then");
    if (space === now) cell.classList.add("now");
    cells.push(cell);
  });
  $("mat").style.gridTemplateColumns = `repeat(${shown}, minmax(0, 1fr))`;
  $("mat").style.setProperty("--rows", rows);
  $("mat").replaceChildren(...cells);
}

function say(label, { words = false, coming = [], note = "", space = null, again = false } = {}) {
  const place = $("label");
  place.className = "label" + (words ? " words" : "") + (space === null ? "" : ` tinted row${rowOf(space)}`);
  if (again) {
    void place.offsetWidth; // restarts the beat, so that a repeated label is seen to be a new card
    place.classList.add("beat");
  }
  place.style.setProperty("--chars", Math.max(2, label.length));
  place.textContent = label;
  $("note").textContent = note;
  $("coming").replaceChildren(...coming.map((text) => element("span", text)));
}

const FROM_BOTTOM = "from the bottom of the deck";

const screens = {
  open({ pass, number }) {
    const bottom = pass.from === "base";
    const first = number === 0 ? "Hold the deck face down." : "Take the gathered deck, face down.";
    say(bottom ? "Deal from the bottom" : "Deal from the top", {
      words: true, note: `${first} ${bottom ? "In this pass take each card from the bottom of the deck." : "One card a step, onto the space shown."}`,
    });
    drawMat(pass);
    return ["Ready", 0];
  },
  card({ pass, card, plan }) {
    const labels = plan.mat.labels, space = pass.deal[card], again = card > 0 && pass.deal[card - 1] === space;
    const notes = [again ? "the same space again" : "", pass.from === "base" ? FROM_BOTTOM : ""];
    say(labels[space], {
      space, again, coming: pass.deal.slice(card + 1, card + 3).map((next) => labels[next]), note: notes.filter(Boolean).join(", "),
    });
    drawMat(pass, { now: space, then: pass.deal[card + 1] });
    return [`Card ${grouped(card + 1)} of ${grouped(pass.deal.length)}`, (card + 1) / pass.deal.length];
  },
  check({ pass }) {
    say("Hand empty?", { words: true, note: "Compare the piles with these heights. If one differs, a card went astray: undo back to it, or deal anew." });
    drawMat(pass, { heights: true });
    return ["Check", 1];
  },
  hands({ pass, plan }) {
    const labels = finishedSpaces(pass).map((space) => plan.mat.labels[space]);
    const rest = plan.goal.endsWith("+rest") ? ` The other cards lie on ${labels.pop()}.` : "";
    say(`Hand out ${labels.join(", ")}`, { words: true, note: `These are the hands; only within a hand the order is not random.${rest}` });
    drawMat(pass);
    return ["Hands", 1];
  },
  gather({ pass, move, plan }) {
    const labels = plan.mat.labels, pile = pass.stack[move], onto = pass.stack[move - 1];
    const all = move < pass.stack.length - 1 ? "with all that lies there, " : "";
    say(`Put ${labels[pile]} on ${labels[onto]}`, { words: true, note: `${all}face down` });
    drawMat(pass, { now: pile, then: onto, gone: [...finishedSpaces(pass), ...pass.stack.slice(move + 1)] });
    return [`Gather ${pass.stack.length - move} of ${pass.stack.length - 1}`, 1];
  },
  done({ plan }) {
    const minutes = (Date.now() - deal.began) / 60000, [kind, value] = plan.goal.split(":");
    const what = { deck: "Every order was equally likely", top: `The top ${value} are in random order; leave the others`, hands: "Every deal of the hands was equally likely" }[kind];
    say(kind === "hands" ? "Hands dealt" : "Shuffled", {
      words: true, note: `${what}, if all piles were as high as shown. ${counted(plan.cards, "card")}, ${counted(plan.passes.length, "pass", "passes")}, ` +
        `${minutes < 1 ? "under a minute" : `${Math.round(minutes)} min`}.`,
    });
    $("mat").replaceChildren();
    return ["Done", 1];
  },
};

function show() {
  const plan = deal.plan, step = stepAt(plan, deal.at);
  const [count, part] = screens[step.kind]({ ...step, plan });
  $("progress").textContent = `Pass ${step.number + 1} of ${plan.passes.length}`;
  $("count").textContent = count;
  $("bar").style.transform = `scaleX(${part})`;
  $("mat").setAttribute("aria-label", `Mat, ${plan.mat.columns} columns: ${count}`);
  const done = step.kind === "done";
  // The order is forgotten as soon as the deal is over.
  if (done) forgetDeal();
  else if (deal.kept) deal.kept = remember(STEP, deal.at);
  $("undo").disabled = deal.at === 0;
  $("leave").hidden = done;
  $("next").textContent = done ? "Deal another deck" : "Next";
}

const isDone = () => stepAt(deal.plan, deal.at).kind === "done";

function next() {
  if (isDone()) return finish();
  deal.at++;
  show();
}

function undo() {
  if (deal.at === 0) return;
  if (isDone()) remember(DEAL, { plan: deal.plan, began: deal.began }); // it is under way again
  deal.at--;
  show();
}

function finish() {
  forgetDeal();
  Object.assign(deal, { plan: null, at: 0 });
  turnTo("setup");
  showAdvice();
}

function turnTo(screen) {
  for (const id of ["setup", "deal"]) $(id).hidden = id !== screen;
  $(screen).focus();
  scrollTo(0, 0);
}

// A dark screen loses the place; browsers without a wake lock go on as before.
function stayAwake() {
  if (navigator.wakeLock) navigator.wakeLock.request("screen").catch(() => {});
}

const NEXT_KEYS = [" ", "Enter", "ArrowRight", "ArrowDown", "PageDown"], UNDO_KEYS = ["Backspace", "ArrowLeft", "ArrowUp", "PageUp"];

function onKey(event) {
  if (!deal.plan || $("sure").open || event.altKey || event.ctrlKey || event.metaKey) return;
  const onButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
  if (onButton) return; // the button itself answers
  if (NEXT_KEYS.includes(event.key)) next();
  else if (UNDO_KEYS.includes(event.key)) undo();
  else return;
  event.preventDefault();
}

drawPresets();
restoreSettings();
showAdvice();
$("form").addEventListener("input", showAdvice);
$("form").addEventListener("submit", start);
$("next").addEventListener("click", next);
$("undo").addEventListener("click", undo);
$("leave").addEventListener("click", () => {
  $("sure").returnValue = ""; // or the answer to an earlier question would count again
  $("sure").showModal();
});
$("sure").addEventListener("close", () => { if ($("sure").returnValue === "go") finish(); });
document.addEventListener("keydown", onKey);
document.addEventListener("visibilitychange", () => { if (deal.plan && !document.hidden) stayAwake(); });
addEventListener("beforeunload", (event) => { if (deal.plan && !deal.kept && !isDone()) event.preventDefault(); });
resume();
