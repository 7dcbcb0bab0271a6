const KEY = "pitboss";

/** Where the side panel has a place beside the felt. */
const WIDE = matchMedia("(min-width: 1100px)");

/** What someone likes, kept in this browser and told to nobody. */
class Preferences {
  /** Whether each suit has a colour of its own. */
  fourColours = $state(false);
  /** Whether the side panel is open: by default where it covers nothing. */
  panel = $state(WIDE.matches);

  constructor() {
    WIDE.addEventListener("change", ({ matches }) => (this.panel = matches));
    try {
      this.fourColours = localStorage.getItem(KEY) === "four colours";
    } catch {
      // Nothing may be kept here.
    }
  }

  setFourColours(fourColours: boolean): void {
    this.fourColours = fourColours;
    try {
      localStorage.setItem(KEY, fourColours ? "four colours" : "two colours");
    } catch {
      // It holds for this page then.
    }
  }
}

export const preferences = new Preferences();
