// The page itself. What a deal shows is a function of the plan and one number, the step; Undo is
// the number less one. Setup, planning and advice know nothing of the screen.

const $ = (id) => document.getElementById(id);
const deal = { plan: null, at: 0, began: 0 };
const counted = (n, noun, plural = `${noun}s`) => `${n} ${n === 1 ? noun : plural}`;

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

function readMat() {
  if (chosenMat !== "own") {
    complain("mat-error", ["columns", "rows"], "");
    return makeMat(...chosenMat.split("x").map(Number));
  }
  const columns = wholeNumber("columns", 1, LARGEST_SIDE), rows = wholeNumber("rows", 1, LARGEST_SIDE);
  const fine = complain("mat-error", ["columns", "rows"], columns && rows ? "" : `Columns and rows: 1 to ${LARGEST_SIDE}, in digits.`);
  return fine ? makeMat(columns, rows) : null;
}

function readGoal(cards) {
  const kind = $("form").elements.goal.value, fields = ["players", "each", "top"];
  complain("goal-error", fields, "");
  if (kind === "deck") return wholeDeck();
  if (kind === "top") {
    const ordered = wholeNumber("top", 1, cards);
    return complain("goal-error", ["top"], ordered ? "" : `Cards from the top: 1 to ${cards}, in digits.`) ? topCards(cards, ordered) : null;
  }
  const players = wholeNumber("players", 1, cards), each = wholeNumber("each", 1, cards);
  const wrong = !players ? `Hands: 1 to ${cards}, in digits.` : !each ? `Cards each: 1 to ${cards}, in digits.`
    : players * each > cards ? `${players} hands of ${each} take ${players * each} cards; the deck has ${cards}. Deal fewer or smaller hands.` : "";
  if (!complain("goal-error", ["players", "each"], wrong)) return null;
  return hands(cards, Array(players).fill(each), $("stock").checked ? "stock" : "rest");
}

function readTask() {
  const cards = wholeNumber("cards", 1, LARGEST_DECK);
  complain("cards-error", ["cards"], cards ? "" : `A whole number from 1 to ${LARGEST_DECK}, in digits, such as 60.`);
  const mat = readMat(), goal = readGoal(cards || LARGEST_DECK);
  if (!cards || !mat || !goal) return null;
  const task = { cards, mat, goal, dealers: 1, leastPasses: 1, classic: false, bottom: $("bottom").checked ? "pass" : "never" };
  try {
    checkTask(task);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const what = goal.piles.length ? "These hands" : "This deck";
    complain("mat-error", ["columns", "rows"], `${what} need${goal.piles.length ? "" : "s"} a mat of at least ${error.cause} spaces.`);
    return null;
  }
  return task;
}

function rarely(chance) {
  if (chance < 1e-7) return "";
  return chance < 0.01 ? ", one more in 1 deal of " + Math.round(1 / chance).toLocaleString("en") : `, one more in ${Math.round(100 * chance)} % of deals`;
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
  const advice = advise(task), line = document.createElement("p");
  const minutes = advice.minutes < 10 ? Math.max(0.5, Math.round(advice.minutes * 2) / 2) : Math.round(advice.minutes);
  line.id = "line";
  line.textContent = `${counted(advice.passes, "pass", "passes")}${rarely(advice.chanceOfOneMorePass)}; ` +
    `${advice.spaces} of ${task.mat.columns * task.mat.rows} spaces, piles up to about ${advice.tallest} high, about ${minutes} min.`;
  $("advice").append(line);
  if (task.goal.loose) {
    const only = document.createElement("p");
    only.className = "mild";
    only.textContent = `Only the top ${task.cards - task.goal.loose} cards will be random: do not use the others.`;
    $("advice").append(only);
  }
  const quicker = suggestionsFor(task).filter((way) => way.passes < advice.passes || (way.passes === advice.passes && advice.chanceOfOneMorePass > 0.01));
  for (const way of quicker.slice(0, 2)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${way.columns} × ${way.rows}: ${counted(way.passes, "pass", "passes")}`;
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
  Object.assign(deal, { plan: drawPlan(task, systemWords()), at: 0, began: Date.now() });
  turnTo("deal");
  show();
  stayAwake();
}

// --- Steps -------------------------------------------------------------------------------------

// Every pass: an opening, each card, the check of heights, each move of the gathering.
function stepAt(plan, at) {
  for (let number = 0; number < plan.passes.length; number++) {
    const pass = plan.passes[number], cards = pass.deal.length, moves = Math.max(0, pass.stack.length - 1);
    if (at === 0) return { kind: "open", number, pass };
    if (at <= cards) return { kind: "card", number, pass, card: at - 1 };
    if (at === cards + 1) return { kind: "check", number, pass };
    if (at <= cards + 1 + moves) return { kind: "gather", number, pass, move: moves - (at - cards - 2) };
    at -= cards + 2 + moves;
  }
  return { kind: "done", number: plan.passes.length - 1 };
}

const rowNumber = (space) => Math.floor(space / deal.plan.mat.columns);
const rowOf = (space) => rowNumber(space) % 6;

function drawMat(pass, now, then, text) {
  const { columns, labels } = deal.plan.mat, cells = [];
  const rows = Math.max(...deal.plan.passes.flatMap((each) => each.counts.map((count, space) => (count ? rowNumber(space) + 1 : 0))));
  labels.slice(0, rows * columns).forEach((label, space) => {
    const cell = document.createElement("div");
    cell.className = `row${rowOf(space)}` + (space === now ? " now" : space === then ? " then" : "") + (pass.counts[space] ? "" : " unused");
    cell.textContent = text ? text(space) : label;
    cells.push(cell);
  });
  $("mat").style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
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
  $("coming").replaceChildren(...coming.map((text) => Object.assign(document.createElement("span"), { textContent: text })));
}

const screens = {
  open({ pass, number }) {
    const bottom = pass.from === "base";
    const first = number === 0 ? "Hold the deck face down." : "Take the gathered deck, face down.";
    say(bottom ? "Deal from the bottom" : "Deal from the top", {
      words: true, note: `${first} ${bottom ? "This pass alone: take each card from the bottom of the deck." : "One card a step, onto the space shown."}`,
    });
    drawMat(pass);
    return ["Ready", 0];
  },
  card({ pass, card, plan }) {
    const labels = plan.mat.labels, space = pass.deal[card], again = card > 0 && pass.deal[card - 1] === space;
    say(labels[space], {
      space, again, coming: pass.deal.slice(card + 1, card + 3).map((next) => labels[next]), note: again ? "the same space again" : "",
    });
    drawMat(pass, space, pass.deal[card + 1]);
    return [`Card ${card + 1} of ${pass.deal.length}`, (card + 1) / pass.deal.length];
  },
  check({ pass, plan }) {
    const finished = finishedSpaces(pass).map((space) => plan.mat.labels[space]);
    const lastly = finished.length ? ` Then take away the finished piles: ${finished.join(", ")}.` : "";
    say("Hand empty?", { words: true, note: `Count a pile or two; they should be this high.${lastly}` });
    drawMat(pass, null, null, (space) => pass.counts[space] || "");
    return ["Check", 1];
  },
  gather({ pass, move, plan }) {
    const labels = plan.mat.labels, pile = pass.stack[move], onto = pass.stack[move - 1];
    say(`Put ${labels[pile]} on ${labels[onto]}`, { words: true, note: move < pass.stack.length - 1 ? "with all that lies there" : "" });
    drawMat(pass, onto, pile);
    return [`Gather ${pass.stack.length - move} of ${pass.stack.length - 1}`, 1];
  },
  done({ plan }) {
    const minutes = (Date.now() - deal.began) / 60000, loose = plan.goal.startsWith("top:") ? plan.goal.slice(4) : 0;
    const what = plan.goal.startsWith("hands:") ? "Every finished pile is a random hand" + (plan.goal.endsWith("stock") ? "; the deck gathered is the stock." : ".")
      : loose ? `The top ${loose} cards are random. Leave the others.` : "Every order was equally likely.";
    say(plan.goal.startsWith("hands:") ? "Hands dealt" : "Shuffled", {
      words: true, note: `${what} ${counted(plan.cards, "card")}, ${counted(plan.passes.length, "pass", "passes")}, ${minutes < 1 ? "under a minute" : `${Math.round(minutes)} min`}.`,
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
  if (deal.at > 0) {
    deal.at--;
    show();
  }
}

// The order is forgotten as soon as the deal is over.
function finish() {
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
addEventListener("beforeunload", (event) => { if (deal.plan && !isDone()) event.preventDefault(); });
