// Dealing on the beat. A tap anywhere pauses, and it goes on two cards back. `zero` is when the card shown is, or
// will be, called; `due` is the beat whose sounds come next. Sounds are set a little ahead, the screen follows.

const tempo = { timer: 0, zero: 0, due: 0, called: false };
const COUNT_IN = 3, BACK = 2, TICK_MS = 20;

const wantsCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const clock = () => performance.now() / 1000;
const beatLength = () => Number($("beat").value);
const onBeat = () => view() === "tempo" || view() === "stream";
const running = () => tempo.timer !== 0;
const countNow = () => (running() ? Math.min(COUNT_IN, Math.max(0, Math.ceil((tempo.zero - clock()) / beatLength()))) : 0);

// Back only over cards that were called: not after a pause in the count, or a step by hand.
const cardsBack = ({ index }) => (tempo.called ? Math.min(BACK, index) : 0);

function startTempo() {
  const step = stepAt(deal, deal.at);
  if (step.kind === "open") deal.at++;
  if (step.kind === "card") deal.at -= cardsBack(step);
  if (stepAt(deal, deal.at).kind !== "card") return show();
  tempo.zero = clock() + AHEAD + COUNT_IN * beatLength();
  tempo.due = tempo.zero - COUNT_IN * beatLength();
  tempo.timer = setInterval(tick, TICK_MS);
  tempo.called = false;
  $("said").textContent = "";
  show();
  if (view() === "stream") requestAnimationFrame(fall);
}

function stopTempo() {
  clearInterval(tempo.timer);
  tempo.timer = 0;
}

function pauseTempo() {
  if (!running()) return;
  stopTempo();
  hush();
  show();
}

const toggleTempo = () => (running() ? pauseTempo() : startTempo());

function tick() {
  const now = clock(), length = beatLength(), silent = sound.context && wantsSound() && sound.context.state !== "running";
  // A device that stood still, or whose sound a call took away, must not run on past cards nobody heard.
  if (now > tempo.due + length / 2 || (silent && sound.ran)) return pauseTempo();
  sound.ran = sound.context?.state === "running";
  while (tempo.due < now + AHEAD) {
    soundBeat(Math.round((tempo.due - tempo.zero) / length), tempo.due - now);
    tempo.due += length;
  }
  if (now >= tempo.zero) tempo.called = true;
  if (now >= tempo.zero + length) {
    tempo.zero += length;
    // A tap that was to pause the last card must not answer the check.
    if (stepAt(deal, deal.at + 1).kind !== "card") stopTempo(), changed();
    goTo(deal.at + 1);
    tempo.called = true;
    if (!running()) callOut();
    buzz();
  } else if (now < tempo.zero + length / 2) {
    showCount();
  }
}

// The sounds of a beat, `wait` seconds from now; beats before 0 are the count.
function soundBeat(beat, wait) {
  const { number, index } = stepAt(deal, deal.at), list = deal.lists[number], card = index + beat;
  const when = sound.context ? sound.context.currentTime + Math.max(0, wait) : 0;
  if (beat >= 0 && card >= list.length) return;
  if (sound.context && $("click").checked) clickAt(when, beat >= 0 && isAgain(list, card));
  const word = beat < 0 ? String(-beat) : deal.task.mat.labels[list[card]];
  if (sound.context && $("voice").checked) sayLabel(word, when, beatLength());
}

const shownAhead = () => Math.max(2, Math.min(6, Math.floor($("lanes").clientHeight / 56)));

function drawLanes() {
  const { number, kind, index } = stepAt(deal, deal.at), lanes = $("lanes"), { columns } = shownGrid();
  const list = kind === "card" ? deal.lists[number] : [], labels = deal.task.mat.labels;
  const tiles = list.slice(index, index + shownAhead() + 1).map((space, ahead) => {
    const tile = element("span", labels[space], rowLook(space));
    tile.dataset.middle = (shownColumn(space) + 0.5) / columns;
    tile.style.zIndex = -ahead;
    tile.dataset.ahead = ahead;
    return tile;
  });
  lanes.replaceChildren(element("i"), ...tiles);
  placeTiles();
}

function placeTiles() {
  const beats = running() ? (tempo.zero - clock()) / beatLength() : 0;
  const most = shownAhead(), shift = wantsCalm() ? Math.min(COUNT_IN, Math.ceil(beats)) : beats, height = $("lanes").clientHeight, width = $("lanes").clientWidth;
  for (const tile of $("lanes").querySelectorAll("span")) {
    const away = Number(tile.dataset.ahead) + shift, low = height - tile.offsetHeight - 6;
    const left = Math.max(0, Math.min(width - tile.offsetWidth, tile.dataset.middle * width - tile.offsetWidth / 2));
    tile.style.transform = `translate(${left}px, ${Math.min(low, low * (1 - away / most))}px)`;
    tile.style.opacity = away > most || away < -0.5 ? 0 : 1;
  }
}

function fall() {
  if (!running() || view() !== "stream") return;
  placeTiles();
  requestAnimationFrame(fall);
}
