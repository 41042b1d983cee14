// Clips for labels, a click on the beat, the device's own voice for sentences. The first tap unlocks them.

import { $ } from "./elements.js";
import { sum } from "./planner.js";
import { language } from "./texts.js";

/** @type {Record<string, any>} */
export const sound = { context: null, buffer: null, clips: null, spoken: "", playing: [], click: null, keys: null, ran: false, later: 0 };
export const AHEAD = 0.12, FASTEST_SPEECH = 1.4, FADING = 0.015;

export const wantsSound = () => $("voice").checked || $("click").checked;
/** @type {() => Record<string, { clips: Record<string, number[]>, ogg: string }>} */
export const voices = () => JSON.parse($("voices")?.textContent || "{}");

export function unlockSound() {
  const tapped = !navigator.userActivation || navigator.userActivation.hasBeenActive;
  if (!wantsSound() || !tapped) return;
  try {
    sound.context = sound.context || new AudioContext();
    sound.voice = sound.voice || loud(sound.context);
  } catch {
    // the deal goes on without sound
    return;
  }
  if (sound.context.state !== "running") sound.context.resume().catch(() => {});
  if ($("voice").checked) loadVoice();
  catchHeadsetKeys();
}

// The clips have -20 LUFS and peaks of -1 dB; after this they have -16, from each side.
/** @type {(context: BaseAudioContext) => AudioNode} */
function loud(context) {
  const squeezed = new DynamicsCompressorNode(context, { threshold: -20, knee: 10, ratio: 8 });
  // A compressor may give two equal channels; both on one side would be too loud.
  sound.side = new StereoPannerNode(context, { channelCount: 1, channelCountMode: "explicit" });
  squeezed.connect(new GainNode(context, { gain: 1.3 })).connect(sound.side).connect(context.destination);
  return squeezed;
}

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

// [start, length] in seconds; empty unless the label is a letter and a number.
/** @type {(label: string) => number[][]} */
function clipsFor(label) {
  const parts = /^([A-Z])(\d+)$/.exec(label) || /^(\d+)$/.exec(label);
  const clips = parts && sound.buffer ? parts.slice(1).map((word) => sound.clips[word]) : [];
  // All or none: B99 without its number would be another label.
  return clips.every(Boolean) ? clips.map(([start, end]) => [start / 1000, (end - start) / 1000]) : [];
}

/** @type {(label: string) => boolean} */
const hasClips = (label) => clipsFor(label).length > 0;

// Within `room` seconds if possible, from where the space lies: -1 is left, 1 is right. The device's own voice has no side.
/** @type {(label: string, when: number, room: number, side: number) => void} */
export function sayLabel(label, when, room, side) {
  if (!hasClips(label)) saySentence(label);
  stopClips(when);
  playClips(clipsFor(label), when, room, side);
}

/** @type {(when?: number) => void} */
function stopClips(when = undefined) {
  for (const source of sound.playing) source.stop(when);
  sound.playing = [];
}

// Returns the seconds it takes.
/** @type {(clips: number[][], when: number, room: number, side: number) => number} */
function playClips(clips, when, room, side) {
  const length = sum(clips.map((clip) => clip[1])), rate = Math.min(FASTEST_SPEECH, Math.max(1, length / room));
  sound.side.pan.setValueAtTime(side, when);
  for (const [start, duration] of clips) {
    const source = sound.context.createBufferSource();
    source.buffer = sound.buffer;
    source.playbackRate.value = rate;
    source.connect(sound.voice);
    source.start(when, start, duration + FADING);
    sound.playing.push(source);
    when += duration / rate;
  }
  return length / rate;
}

/** @type {(when: number, again: boolean) => void} */
export function clickAt(when, again) {
  sound.click = toneAt(again ? 1760 : 1100, when, 0.04);
}

/** @type {(pitch: number, when: number, length: number) => OscillatorNode} */
function toneAt(pitch, when, length) {
  const tone = sound.context.createOscillator(), volume = sound.context.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.25, when);
  volume.gain.exponentialRampToValueAtTime(0.001, when + length);
  tone.connect(volume).connect(sound.context.destination);
  tone.start(when);
  tone.stop(when + length + 0.01);
  return tone;
}

// The deal is done: a chord, from the bottom.
export function chord() {
  if (sound.context && wantsSound()) [392, 494, 587, 784].forEach((pitch, i) => toneAt(pitch, sound.context.currentTime + 0.07 * i, 0.9));
}

/** @type {(text: string) => void} */
export function saySentence(text) {
  if (!$("voice").checked || !window.speechSynthesis) return;
  clearTimeout(sound.later);
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

// For the views without a beat: labels, each from its side, and then some words.
/** @type {(labels: string[], sides: number[], words: string) => void} */
export function sayLabels(labels, sides, words) {
  if (!$("voice").checked) return;
  if (!sound.context || !labels.every(hasClips)) return saySentence([...labels, words].filter(Boolean).join(", "));
  hush();
  const now = sound.context.currentTime + 0.02;
  let when = now;
  labels.forEach((label, i) => { when += playClips(clipsFor(label), when, Infinity, sides[i]) + 0.12; });
  if (words) sound.later = setTimeout(() => saySentence(words), 1000 * (when - now));
}

export function hush() {
  stopClips();
  sound.side?.pan.cancelScheduledValues(0);
  clearTimeout(sound.later);
  sound.click?.stop();
  window.speechSynthesis?.cancel();
}

// Headset keys reach a page only while it plays something: here silence.
function catchHeadsetKeys() {
  if (!navigator.mediaSession) return;
  if (!sound.keys) {
    sound.keys = new Audio(SILENCE);
    sound.keys.loop = true;
  }
  sound.keys.play().catch(() => {});
}

// A WAV file, one channel, 8 bits, 8,000 a second: the head, then 128 all the time.
const SILENCE = "data:audio/wav;base64,UklGRqi7AABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YYS7AACA" + "gICA".repeat(16001);
