let stillness: MediaQueryList | null = null;

/** Whether things are to appear where they belong, without a way there. */
export function isStill(): boolean {
  stillness ??= matchMedia("(prefers-reduced-motion: reduce)");
  return document.hidden || stillness.matches;
}

let waiting: (() => () => void)[] = [];

/** Measures before the next frame is drawn, and moves what was measured: after everything, so that it is laid out once. */
function measured(measure: () => () => void): void {
  if (waiting.push(measure) > 1) return;
  requestAnimationFrame(() => {
    const all = waiting;
    waiting = [];
    all.map((one) => one()).forEach((move) => move());
  });
}

/** How long a card is on its way, in milliseconds. */
const FLIGHT = 280;

/** From the middle of one element to that of another, in pixels. */
function way(from: Element, to: Element): [x: number, y: number] {
  const [one, other] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  return [
    other.left + other.width / 2 - one.left - one.width / 2,
    other.top + other.height / 2 - one.top - one.height / 2,
  ];
}

/** A card comes out of the shoe along a curve, and is turned over on its way where its face is to be seen. */
export function fly(card: Element): void {
  const shoe = card.closest(".felt")?.querySelector(".shoe .pile");
  if (!shoe || isStill()) return;
  const options = { duration: FLIGHT, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };
  measured(() => {
    const [x, y] = way(card, shoe);
    const frames = [
      { transform: `translate(${x}px, ${y}px) rotate(-35deg) scaleX(0.8)` },
      { transform: `translate(${0.3 * x}px, ${0.3 * y - 18}px) rotate(-9deg) scaleX(0.04)`, offset: 0.55 },
      { transform: "none" },
    ];
    return () => {
      card.animate(frames, options);
      cover(card, options);
    };
  });
}

/** A card is turned over where it lies. */
export function turn(card: Element): void {
  if (isStill() || !card.closest(".felt")) return;
  const options = { duration: FLIGHT, easing: "ease-in-out" };
  card.animate(
    [{ transform: "none" }, { transform: "translateY(-6px) scaleX(0.04)", offset: 0.55 }, { transform: "none" }],
    options,
  );
  cover(card, options);
}

/** Shows the back of a card until it is half turned. */
function cover(card: Element, options: KeyframeAnimationOptions): void {
  card
    .querySelector(".cover")
    ?.animate([{ opacity: 1 }, { opacity: 1, offset: 0.55 }, { opacity: 0, offset: 0.56 }, { opacity: 0 }], options);
}

/** Something that moves over the felt as a copy, and all the places that it comes by. */
interface Trip {
  ghost: HTMLElement;
  /** Where it lies at first. */
  at: Element;
  /** Where it goes, as frames of an animation, from the ways there. */
  frames: (ways: [x: number, y: number][]) => Keyframe[];
  by: Element[];
  options: KeyframeAnimationOptions;
}

/** Sends a copy on its way. */
function begin(felt: Element, trip: Trip): void {
  measured(() => {
    const [room, place] = [felt.getBoundingClientRect(), trip.at.getBoundingClientRect()];
    const ways = trip.by.map((other) => way(trip.at, other));
    return () => {
      if (place.width > 0) go(felt, trip, room, place, ways);
    };
  });
}

function go(
  felt: Element,
  { ghost, frames, options }: Trip,
  room: DOMRect,
  place: DOMRect,
  ways: [number, number][],
): void {
  const { left, top, width, height } = place;
  ghost.setAttribute("aria-hidden", "true");
  ghost.classList.add("ghost");
  Object.assign(ghost.style, {
    position: "absolute",
    left: `${left - room.left}px`,
    top: `${top - room.top}px`,
    width: `${width}px`,
    height: `${height}px`,
    margin: "0",
    zIndex: "3",
    pointerEvents: "none",
    animation: "none",
  });
  // Away from its place a copy does not know how large things are there.
  ghost.style.setProperty("--size", `${width}px`);
  ghost.style.setProperty("--spot", `${width + 4}px`);
  felt.append(ghost);
  const flight = ghost.animate(frames(ways), { fill: "forwards", ...options });
  const gone = () => ghost.remove();
  flight.finished.then(gone, gone);
}

const there = ([x, y]: [number, number] = [0, 0], scale = 1) => `translate(${x}px, ${y}px) scale(${scale})`;

/** Cards that leave their places are swept to another one, as copies that nothing waits for. */
export function sweep(cards: Iterable<Element>, felt: Element, to: Element | null): void {
  if (!to || isStill()) return;
  // They are gone in the next frame: their places are read now, all before anything is put anywhere.
  const room = felt.getBoundingClientRect();
  const read = [...cards].map((card) => ({ card, place: card.getBoundingClientRect(), ways: [way(card, to)] }));
  for (const { card, place, ways } of read) {
    if (place.width === 0) continue;
    const ghost = card.cloneNode(true) as HTMLElement;
    const frames = ([away]: [number, number][]) => [
      { transform: "none", opacity: 1 },
      { transform: there(away, 0.6), opacity: 0.2 },
    ];
    go(felt, { ghost, at: card, by: [], frames, options: { duration: 320, easing: "ease-in" } }, room, place, ways);
  }
}

/** What something looks like now, to be shown when it is gone. */
export function copyOf(thing: Element | null | undefined): HTMLElement | null {
  return (thing?.cloneNode(true) as HTMLElement | undefined) ?? null;
}

/** How long chips are on their way when a wager is decided, in milliseconds. */
const PAYING = 700;

/**
 * What became of chips: lost, the dealer takes them; returned, they go back to the rack; won, as many come
 * from the dealer, lie beside them for a moment, and go to the rack with them.
 */
export function settle(chips: HTMLElement, spot: Element, gain: number): void {
  const felt = spot.closest(".felt");
  const [dealer, rack] = [felt?.querySelector(".dealer .place"), spot.closest(".box")?.querySelector(".plate")];
  if (!felt || !dealer || !rack || isStill()) return;
  const by = [dealer, rack];
  const options = { duration: PAYING, easing: "ease-in-out" };
  const copy = () => chips.cloneNode(true) as HTMLElement;
  const trip = (frames: Trip["frames"]) => begin(felt, { ghost: copy(), at: spot, by, frames, options });
  if (gain < 0) {
    trip(([away]) => [
      { transform: "none", opacity: 1 },
      { transform: there(away, 0.7), opacity: 1, offset: 0.8 },
      { transform: there(away, 0.7), opacity: 0 },
    ]);
    return;
  }
  trip(([, home]) => [
    { transform: "none", opacity: 1 },
    { transform: "none", opacity: 1, offset: 0.6 },
    { transform: there(home, 0.6), opacity: 0 },
  ]);
  if (gain === 0) return;
  trip(([away, home]) => [
    { transform: there(away, 0.7), opacity: 0.6 },
    { transform: "translate(70%, 0)", opacity: 1, offset: 0.45 },
    { transform: "translate(70%, 0)", opacity: 1, offset: 0.6 },
    { transform: there(home, 0.6), opacity: 0 },
  ]);
}
