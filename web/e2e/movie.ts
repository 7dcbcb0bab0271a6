import type { Page } from "playwright-core";

/** A picture of a page as the browser drew it, and when, in milliseconds. */
interface Shot {
  png: string;
  at: number;
}

/** A part of a picture that differs from the one before, and how long it is shown. */
interface Frame {
  webp: string;
  x: number;
  y: number;
  width: number;
  height: number;
  duration: number;
}

/** How many times slower everything moves while it is filmed, so that a slow machine misses nothing. */
export const SLOWER = 4;

/** The shortest that a picture stays, in milliseconds. */
const SHORTEST = 50;

/** The longest that a picture stays, in milliseconds. */
const LONGEST = 1_600;

/** Films a page while something happens on it: what the browser draws, at the speed at which it should be seen. */
export async function film(page: Page, during: () => Promise<void>): Promise<Shot[]> {
  const session = await page.context().newCDPSession(page);
  const shots: Shot[] = [];
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    shots.push({ png: data, at: (1000 * (metadata.timestamp ?? 0)) / SLOWER });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: 1 / SLOWER });
  await session.send("Page.startScreencast", { format: "png" });
  await during();
  await session.send("Page.stopScreencast");
  return shots;
}

/** An animated WebP of pictures, at most so wide: each frame is the part that differs from the one before. */
export async function movie(page: Page, shots: readonly Shot[], width: number): Promise<Buffer> {
  const kept = apart(shots);
  const frames: Frame[] = [];
  let size = { width, height: 0 };
  for (const [index, { png, at }] of kept.entries()) {
    const duration = Math.min(LONGEST, (kept[index + 1]?.at ?? at + LONGEST) - at);
    const { part, ...whole } = await page.evaluate(difference, { png, width });
    size = whole;
    const last = frames.at(-1);
    if (part) frames.push({ ...part, duration });
    else if (last) last.duration += duration;
  }
  const body = [
    chunk("VP8X", Buffer.concat([Buffer.from([2, 0, 0, 0]), three(size.width - 1), three(size.height - 1)])),
    chunk("ANIM", Buffer.alloc(6)),
    ...frames.map((frame) => chunk("ANMF", framed(frame))),
  ];
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...body]));
}

/** Those that are shown long enough to be seen. */
function apart(shots: readonly Shot[]): Shot[] {
  const kept: Shot[] = [];
  for (const shot of shots) {
    const last = kept.at(-1);
    if (last && shot.at - last.at < SHORTEST) kept[kept.length - 1] = { ...shot, at: last.at };
    else kept.push(shot);
  }
  return kept;
}

function framed({ webp, x, y, width, height, duration }: Frame): Buffer {
  const place = [x / 2, y / 2, width - 1, height - 1, Math.round(duration)].map(three);
  const file = Buffer.from(webp, "base64");
  // Of a file of one picture the picture alone, without what is told about it; nothing is blended.
  const from = file.indexOf("VP8 ");
  const to = from + 8 + file.readUInt32LE(from + 4);
  return Buffer.concat([...place, Buffer.from([2]), file.subarray(from, to + (to % 2))]);
}

function chunk(name: string, payload: Buffer): Buffer {
  const head = Buffer.alloc(8, name.padEnd(4), "latin1");
  head.writeUInt32LE(payload.length, 4);
  return Buffer.concat([head, payload, Buffer.alloc(payload.length % 2)]);
}

function three(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}

/** What is new in a picture. It runs in a page, whose canvas writes WebP and keeps the picture before. */
async function difference({ png, width }: { png: string; width: number }) {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const size = { width, height: 2 * Math.round((picture.height * width) / picture.width / 2) };
  const canvas = Object.assign(document.createElement("canvas"), size);
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (!context) throw new Error("there is no canvas");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, size.width, size.height);
  const pixels = context.getImageData(0, 0, size.width, size.height).data;
  const page = window as unknown as { before?: Uint8ClampedArray };
  const { before } = page;
  let [left, top, right, bottom] = before ? [size.width, size.height, 0, 0] : [0, 0, size.width, size.height];
  for (let index = 0; before && index < pixels.length; index += 4) {
    const change = [0, 1, 2].reduce((sum, one) => sum + Math.abs(pixels[index + one]! - before[index + one]!), 0);
    if (change <= 12) continue;
    const [x, y] = [(index / 4) % size.width, Math.floor(index / 4 / size.width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  if (right <= left) return { ...size, part: null };
  page.before = pixels;
  [left, top] = [left - (left % 2), top - (top % 2)];
  const part = Object.assign(document.createElement("canvas"), { width: right - left, height: bottom - top });
  part.getContext("2d", { alpha: false })?.drawImage(canvas, -left, -top);
  const webp = part.toDataURL("image/webp", 0.72).split(",")[1] ?? "";
  return { ...size, part: { webp, x: left, y: top, width: right - left, height: bottom - top } };
}
