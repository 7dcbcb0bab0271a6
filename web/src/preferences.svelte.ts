/** Where the side panel has a place beside the felt. */
const WIDE = matchMedia("(min-width: 1100px)");

/** What someone likes, kept in this browser and told to nobody. */
class Preferences {
  /** Whether each suit has a colour of its own. */
  fourColours = $state(isKept("four colours"));
  /** Whether chance is added to the order of every shoe without asking. */
  addsChance = $state(isKept("adds chance"));
  /** Whether the side panel is open: by default where it covers nothing. */
  panel = $state(WIDE.matches);

  constructor() {
    WIDE.addEventListener("change", ({ matches }) => (this.panel = matches));
  }

  setFourColours(fourColours: boolean): void {
    this.fourColours = fourColours;
    keep("four colours", fourColours);
  }

  setAddsChance(addsChance: boolean): void {
    this.addsChance = addsChance;
    keep("adds chance", addsChance);
  }
}

function isKept(name: string): boolean {
  try {
    return localStorage.getItem(`pitboss ${name}`) === "yes";
  } catch {
    return false;
  }
}

function keep(name: string, isOn: boolean): void {
  try {
    localStorage.setItem(`pitboss ${name}`, isOn ? "yes" : "no");
  } catch {
    // It holds for this page then.
  }
}

export const preferences = new Preferences();
