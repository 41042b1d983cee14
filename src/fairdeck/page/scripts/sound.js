// What is heard: recorded clips for the labels, a click on the beat, the device's own voice for sentences.
// All of it is unlocked inside the tap that starts the deal.

const sound = { context: null, buffer: null, clips: null, spoken: "", playing: [], click: null, keys: null, ran: false };
const AHEAD = 0.12, FASTEST_SPEECH = 1.4, FADING = 0.015;

const wantsSound = () => $("voice").checked || $("click").checked;
const voices = () => JSON.parse($("voices")?.textContent || "{}");

function unlockSound() {
  const Context = window.AudioContext || window.webkitAudioContext;
  const tapped = !navigator.userActivation || navigator.userActivation.hasBeenActive;
  if (!Context || !wantsSound() || !tapped) return;
  sound.context = sound.context || new Context();
  if (sound.context.state !== "running") sound.context.resume().catch(() => {});
  if ($("voice").checked) loadVoice();
  catchHeadsetKeys();
}

// A browser that cannot decode the clips, or a page without them, leaves the labels to the device's own voice.
async function loadVoice() {
  if (sound.spoken === language) return;
  Object.assign(sound, { spoken: language, buffer: null, clips: null });
  const voice = voices()[language];
  if (!voice) return;
  try {
    const bytes = Uint8Array.from(atob(voice.ogg), (letter) => letter.charCodeAt(0));
    sound.buffer = await sound.context.decodeAudioData(bytes.buffer);
    sound.clips = voice.clips;
  } catch {
    sound.buffer = null;
  }
}

// As [start, length] in seconds; none if the label is no letter and number.
function clipsFor(label) {
  const parts = /^([A-Z])(\d+)$/.exec(label) || /^(\d+)$/.exec(label);
  const clips = parts && sound.buffer ? parts.slice(1).map((word) => sound.clips[word]) : [];
  // All of them or none: B99 without its number would be another label.
  return clips.every(Boolean) ? clips.map(([start, end]) => [start / 1000, (end - start) / 1000]) : [];
}

const hasClips = (label) => clipsFor(label).length > 0;

// Says a label at the audio time `when`, within `room` seconds if it can; gives the seconds it takes.
function sayLabel(label, when, room) {
  if (!hasClips(label)) saySentence(label);
  stopClips(when);
  return playClips(clipsFor(label), when, room);
}

function stopClips(when) {
  for (const source of sound.playing) source.stop(when);
  sound.playing = [];
}

function playClips(clips, when, room = Infinity) {
  const length = sum(clips.map((clip) => clip[1])), rate = Math.min(FASTEST_SPEECH, Math.max(1, length / room));
  for (const [start, duration] of clips) {
    const source = sound.context.createBufferSource();
    source.buffer = sound.buffer;
    source.playbackRate.value = rate;
    source.connect(sound.context.destination);
    source.start(when, start, duration + FADING);
    sound.playing.push(source);
    when += duration / rate;
  }
  return length / rate;
}

function clickAt(when, again) {
  const tone = sound.context.createOscillator(), volume = sound.context.createGain();
  tone.frequency.value = again ? 1760 : 1100;
  volume.gain.setValueAtTime(0.25, when);
  volume.gain.exponentialRampToValueAtTime(0.001, when + 0.04);
  tone.connect(volume).connect(sound.context.destination);
  tone.start(when);
  tone.stop(when + 0.05);
  sound.click = tone;
}

function saySentence(text) {
  if (!$("voice").checked || !window.speechSynthesis) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

// For the views that a tap moves on.
function sayLabels(labels) {
  if (!$("voice").checked) return;
  if (!sound.context || !labels.every(hasClips)) return saySentence(labels.join(", "));
  let when = sound.context.currentTime + 0.02;
  stopClips(when);
  for (const label of labels) when += playClips(clipsFor(label), when) + 0.12;
}

function hush() {
  stopClips();
  sound.click?.stop();
  window.speechSynthesis?.cancel();
}

// Headset keys reach a page only while it plays something: six seconds of silence, over and over.
function catchHeadsetKeys() {
  if (!navigator.mediaSession) return;
  if (!sound.keys) {
    sound.keys = new Audio(silence(6));
    sound.keys.loop = true;
    const actions = { nexttrack: next, previoustrack: undo, play: next, pause: next };
    for (const [action, answer] of Object.entries(actions)) navigator.mediaSession.setActionHandler(action, () => listening() && answer());
  }
  sound.keys.play().catch(() => {});
}

// A WAV file: one channel, 8 bits, 8,000 a second.
function silence(seconds) {
  const size = 8000 * seconds, head = new DataView(new ArrayBuffer(44));
  const letters = (at, text) => [...text].forEach((letter, i) => head.setUint8(at + i, letter.charCodeAt(0)));
  for (const [at, text] of [[0, "RIFF"], [8, "WAVEfmt "], [36, "data"]]) letters(at, text);
  for (const [at, value] of [[4, 36 + size], [16, 16], [24, 8000], [28, 8000], [40, size]]) head.setUint32(at, value, true);
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]]) head.setUint16(at, value, true);
  return "data:audio/wav;base64," + btoa(String.fromCharCode(...new Uint8Array(head.buffer)) + "\x80".repeat(size));
}
