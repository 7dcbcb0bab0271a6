/** How far a pointer moves before a press becomes a drag, in pixels. */
const SLACK = 6;

/** Lets a chip be dragged to a circle: a copy of it follows the pointer, and `drop` hears where it was let go. */
export function drag(chip: HTMLElement, drop: (target: Element) => void) {
  function press(down: PointerEvent) {
    if (down.button !== 0) return;
    let copy: HTMLElement | null = null;
    const move = (event: PointerEvent) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!copy && Math.hypot(x, y) > SLACK) copy = lift(chip);
      if (copy) copy.style.transform = `translate(${x}px, ${y}px)`;
    };
    const end = (event: PointerEvent) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!copy) return;
      copy.remove();
      const target = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-circle]");
      if (target && event.type === "pointerup") drop(target);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
  chip.addEventListener("pointerdown", press);
  return { destroy: () => chip.removeEventListener("pointerdown", press) };
}

/** A copy of a chip over where it lies. */
function lift(chip: HTMLElement): HTMLElement {
  const { left, top, width, height } = chip.getBoundingClientRect();
  const copy = chip.cloneNode(true) as HTMLElement;
  copy.removeAttribute("aria-label");
  copy.setAttribute("aria-hidden", "true");
  Object.assign(copy.style, {
    position: "fixed",
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    pointerEvents: "none",
    zIndex: "10",
  });
  document.body.append(copy);
  return copy;
}
