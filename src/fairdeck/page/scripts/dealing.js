// A deal under way: {task, order, plan, dealer, at}; at counts the steps taken, so Undo is at less one.
// Nothing here knows the screen.

// The deal of one dealer: their part of each pass's list and their heights.
function dealOf(task, order, dealer = 0, at = 0) {
  const plan = planFor(task, order), spaces = task.mat.columns * task.mat.rows;
  const lists = plan.passes.map((pass) => shareOf(pass, dealer));
  return { task, order, plan, dealer, at, lists, heights: lists.map((list) => countsOf(list, spaces)) };
}

function shareOf(pass, dealer) {
  if (!pass.packets) return pass.deal;
  const start = sum(pass.packets.slice(0, dealer));
  return pass.deal.slice(start, start + pass.packets[dealer]);
}

// How many steps of each kind a pass has. The hands and the gathering are the first dealer's.
function stagesOf(deal, number) {
  const pass = deal.plan.passes[number];
  return [
    ["open", 1], ["card", deal.lists[number].length], ["check", 1], ["join", deal.task.dealers > 1 ? 1 : 0],
    ...(deal.dealer ? [] : [["hands", finishedSpaces(pass).length ? 1 : 0], ["gather", Math.max(0, pass.stack.length - 1)]]),
  ];
}

// {kind, number, index}: the index counts steps of that kind within the pass.
function stepAt(deal, at) {
  for (let number = 0; number < deal.plan.passes.length; number++) {
    for (const [kind, length] of stagesOf(deal, number)) {
      if (at < length) return { kind, number, index: at };
      at -= length;
    }
  }
  return { kind: "done", number: deal.plan.passes.length - 1, index: 0 };
}

function startOf(deal, number) {
  let start = 0;
  for (let earlier = 0; earlier < number; earlier++) start += sum(stagesOf(deal, earlier).map((stage) => stage[1]));
  return start;
}

// The pile that must end on top is put on the next one, both on the next, and so on.
function moveOf(pass, index) {
  const place = pass.stack.length - 1 - index;
  return { pile: pass.stack[place], onto: pass.stack[place - 1], carried: pass.stack.slice(place + 1) };
}

// Where every card lies after the steps before `at`: {deck, piles, hands}, each base first.
function tableAfter(deal, at) {
  let deck = deal.order.map((_, i) => i), piles = new Map(), hands = [];
  for (let step = 0; step < at; step++) {
    const { kind, number, index } = stepAt(deal, step), pass = deal.plan.passes[number];
    if (kind === "done" || (kind === "open" && number)) deck = [...piles.values()].flat(), piles = new Map();
    if (kind === "card") {
      const space = pass.deal[index];
      piles.set(space, [...(piles.get(space) || []), pass.from === "base" ? deck.shift() : deck.pop()]);
    }
    if (kind === "hands") for (const space of finishedSpaces(pass)) hands.push(piles.get(space)), piles.delete(space);
    if (kind === "gather") {
      const { pile, onto } = moveOf(pass, index);
      piles.get(onto).push(...piles.get(pile));
      piles.delete(pile);
    }
  }
  return { deck, piles, hands };
}
