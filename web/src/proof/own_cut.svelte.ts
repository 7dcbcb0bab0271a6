import { read, write } from "../memory";
import type { CutView } from "../wire";

/** How somebody cuts who is asked: there and then, always at the same place, or not at all, so that the house draws it. */
export type Cutting = "ask" | "same" | "house";

const WAYS: readonly string[] = ["ask", "same", "house"];

/** How we cut, which can be said ahead, as the window for it is short. It is kept in this browser. */
class OwnCut {
  how = $state<Cutting>("ask");
  /** Where we cut last, or mean to, from 0 (the front) to 1. */
  share = $state(0.5);

  constructor() {
    const [how, share] = [read("cutting"), Number.parseFloat(read("cut") ?? "")];
    if (how !== null && WAYS.includes(how)) this.how = how as Cutting;
    if (share >= 0 && share <= 1) this.share = share;
  }

  choose(how: Cutting): void {
    this.how = how;
    write("cutting", how);
  }

  keep(share: number): void {
    this.share = share;
    write("cut", String(share));
  }

  /** The same place in a shoe that is to be cut. */
  place({ least, most }: CutView): number {
    return least + Math.round(this.share * (most - least));
  }
}

export const ownCut = new OwnCut();
