/** Whether things are to appear where they belong, without a way there. */
export function isStill(): boolean {
  return document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
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
  const [x, y] = way(card, shoe);
  const options = { duration: FLIGHT, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };
  card.animate(
    [
      { transform: `translate(${x}px, ${y}px) rotate(-35deg) scaleX(0.8)` },
      { transform: `translate(${0.3 * x}px, ${0.3 * y - 18}px) rotate(-9deg) scaleX(0.04)`, offset: 0.55 },
      { transform: "none" },
    ],
    options,
  );
  cover(card, options);
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

/** Things that leave their place fly to another one and vanish there, as copies that nothing waits for. */
export function send(things: Iterable<Element>, felt: Element, to: Element | null): void {
  if (!to || isStill()) return;
  const room = felt.getBoundingClientRect();
  for (const thing of things) {
    const { left, top, width, height } = thing.getBoundingClientRect();
    if (width === 0) continue;
    const [x, y] = way(thing, to);
    const ghost = thing.cloneNode(true) as HTMLElement;
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
    });
    felt.append(ghost);
    const flight = ghost.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${x}px, ${y}px) scale(0.6)`, opacity: 0.2 },
      ],
      { duration: 320, easing: "ease-in", fill: "forwards" },
    );
    const gone = () => ghost.remove();
    flight.finished.then(gone, gone);
  }
}
