// The settings by name: the fields in TEXTS_KEPT, CHECKS_KEPT and CHOICES_KEPT.

const settingsShown = () => Object.fromEntries([
  ["beat", $("beat").value], ["language", language],
  ...TEXTS_KEPT.map((id) => [id, $(id).value]), ...CHECKS_KEPT.map((id) => [id, $(id).checked]), ...CHOICES_KEPT.map((name) => [name, chosen(name)]),
]);

function applyShown(last) {
  for (const id of TEXTS_KEPT) if (typeof last[id] === "string") $(id).value = last[id].slice(0, 2000);
  for (const id of CHECKS_KEPT) if (typeof last[id] === "boolean") $(id).checked = last[id];
  for (const name of CHOICES_KEPT) for (const choice of document.getElementsByName(name)) if (choice.value === last[name]) choice.checked = true;
  if (last.beat) $("beat").value = last.beat;
}
