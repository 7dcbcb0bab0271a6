const KEY = "pitboss";

interface Kept {
  fourColours: boolean;
  panel: boolean;
}

/** What someone likes, kept in this browser and told to nobody. */
class Preferences implements Kept {
  fourColours = $state(false);
  panel = $state(matchMedia("(min-width: 1100px)").matches);

  constructor() {
    try {
      Object.assign(this, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    } catch {
      // Nothing kept, or nothing may be kept: the defaults do.
    }
  }

  set(changed: Partial<Kept>): void {
    Object.assign(this, changed);
    const { fourColours, panel } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ fourColours, panel }));
    } catch {
      // It holds for this page then.
    }
  }
}

export const preferences = new Preferences();
