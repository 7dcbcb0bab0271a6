import { read, write } from "./memory";

/** Where the side panel has a place beside the felt. */
const WIDE = matchMedia("(min-width: 1100px)");

/** What becomes of an invitation to look at the cards or to cut them: it passes by after a moment, at once, or never. */
export type Ceremony = "moment" | "skip" | "wait";

const CEREMONIES: readonly string[] = ["moment", "skip", "wait"];

/** The colour of the felt: that of the game, or one for all of them. */
export type Cloth = "game" | "green" | "midnight";

const CLOTHS: readonly string[] = ["game", "green", "midnight"];

/** What someone likes, kept in this browser and told to nobody. */
class Preferences {
  /** Whether each suit has a colour of its own. */
  fourColours = $state(isKept("four colours"));
  /** What becomes of an invitation to look at the cards or to cut them. */
  ceremony = $state<Ceremony>("moment");
  cloth = $state<Cloth>("game");
  /** Whether the table is silent. */
  isMuted = $state(isKept("muted"));
  /** Whether the coach speaks, where a table has one: until somebody wants none. */
  coach = $state(read("coach") !== "no");
  /** Whether the side panel is open: by default where it covers nothing. */
  panel = $state(WIDE.matches);

  constructor() {
    const ceremony = read("ceremony");
    const cloth = read("cloth");
    if (cloth !== null && CLOTHS.includes(cloth)) this.cloth = cloth as Cloth;
    if (ceremony !== null && CEREMONIES.includes(ceremony)) this.ceremony = ceremony as Ceremony;
    WIDE.addEventListener("change", ({ matches }) => (this.panel = matches));
  }

  setFourColours(fourColours: boolean): void {
    this.fourColours = fourColours;
    keep("four colours", fourColours);
  }

  setCeremony(ceremony: Ceremony): void {
    this.ceremony = ceremony;
    write("ceremony", ceremony);
  }

  setCloth(cloth: Cloth): void {
    this.cloth = cloth;
    write("cloth", cloth);
  }

  setMuted(isMuted: boolean): void {
    this.isMuted = isMuted;
    keep("muted", isMuted);
  }

  setCoach(isOn: boolean): void {
    this.coach = isOn;
    keep("coach", isOn);
  }

  /** Whether a bet was ever made on a game here: until then the table says how. */
  hasBet(game: string): boolean {
    return isKept(`has bet ${game}`);
  }

  setHasBet(game: string): void {
    keep(`has bet ${game}`, true);
  }

  /** Whether a game was explained here. */
  knows(game: string): boolean {
    return isKept(`knows ${game}`);
  }

  learn(game: string): void {
    keep(`knows ${game}`, true);
  }
}

function isKept(name: string): boolean {
  return read(name) === "yes";
}

function keep(name: string, isOn: boolean): void {
  write(name, isOn ? "yes" : "no");
}

export const preferences = new Preferences();
