import { preferences } from "./preferences.svelte";
import type { View } from "./wire";
import { bettorAt } from "./people";
import { net } from "./words";

/** What can be heard at a table. */
export type Sound = "card" | "chip" | "knock" | "chord";

/** What is heard when a table goes from one view to the next: the most important of it alone. */
export function heard(before: View, view: View): Sound | null {
  const cards = ({ dealer, seats }: View) => dealer.length + seats.flatMap(({ hands }) => hands).flat().length;
  const chips = ({ seats }: View) =>
    JSON.stringify(seats.map(({ wagers, behind }) => [wagers, behind.map((one) => one.wagers)]));
  const won = (of: View) => of.mine.reduce((sum, place) => sum + net(bettorAt(of, place)), 0);
  if (view.round !== before.round && won(view) > 0) return "chord";
  if (cards(view) > cards(before) || view.dealer.join() !== before.dealer.join()) return "card";
  if (view.offers.length > 0 && before.offers.length === 0) return "knock";
  return view.betting && before.betting && chips(view) !== chips(before) ? "chip" : null;
}

/** How loud everything is: low. */
const VOLUME = 0.12;

let context: AudioContext | null = null;

/** Makes ready to play, which takes a moment, while nothing else happens. */
export function warmUp(): void {
  if (preferences.isMuted || !navigator.userActivation?.hasBeenActive) return;
  const later = window.requestIdleCallback ?? setTimeout;
  later(() => {
    context ??= new AudioContext();
    rustle ??= noiseOf(context);
  });
}

/** Plays a sound, short and dry; nothing where the table is silent, or nobody has touched the page yet. */
export function play(sound: Sound): void {
  if (preferences.isMuted || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  switch (sound) {
    case "card":
      return noise(context, now, 0.07, 2600);
    case "chip":
      tone(context, now, 0.05, 2900);
      return tone(context, now + 0.045, 0.06, 2300);
    case "knock":
      tone(context, now, 0.09, 180);
      return tone(context, now + 0.13, 0.09, 180);
    case "chord":
      return [523, 659, 784].forEach((pitch, place) => tone(context as AudioContext, now + 0.05 * place, 0.5, pitch));
  }
}

/** A tone that fades at once. */
function tone(audio: AudioContext, at: number, lasts: number, pitch: number): void {
  const source = audio.createOscillator();
  source.type = "sine";
  source.frequency.value = pitch;
  fade(audio, source, at, lasts);
}

let rustle: AudioBuffer | null = null;

/** A second of noise, which every card has a piece of. */
function noiseOf(audio: AudioContext): AudioBuffer {
  const samples = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const data = samples.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = 2 * Math.random() - 1;
  return samples;
}

/** A breath of noise, as paper makes it. */
function noise(audio: AudioContext, at: number, lasts: number, pitch: number): void {
  const [source, filter] = [audio.createBufferSource(), audio.createBiquadFilter()];
  source.buffer = rustle ??= noiseOf(audio);
  [filter.type, filter.frequency.value] = ["bandpass", pitch];
  source.connect(filter);
  fade(audio, source, at, lasts, filter);
}

function fade(
  audio: AudioContext,
  source: AudioScheduledSourceNode,
  at: number,
  lasts: number,
  through: AudioNode = source,
): void {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(VOLUME, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  through.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + lasts);
}
