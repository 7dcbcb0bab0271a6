import { expect, it } from "vitest";
import { misfits } from "./access";
import { House } from "./house";
import { DESKTOP, PHONE, Player, SIDEWAYS } from "./player";
import { visit } from "./visit";

const here = visit();

/**
 * What somebody who has read nothing can say of a picture: what happened in ten results and more, and what to do
 * next in ten situations and more. Each is kept as a picture at three sizes, to be shown to strangers.
 */
interface Scene {
  name: string;
  game: string;
  /** The cards that are dealt first. */
  cards: string;
  /** Chips that are bet, by key; none where nothing is. */
  bets: string[];
  /** What is pressed once something is asked for: the words on the button, and its key. */
  calls: [words: RegExp, key: string][];
  /** How the house is opened, where that matters. */
  options?: string[];
  /** What a stranger reads there. */
  reads: (string | RegExp)[];
}

const RESULTS: Scene[] = [
  {
    name: "war-won-outright",
    game: "Casino War",
    cards: "Kd 9s",
    bets: ["3"],
    calls: [],
    reads: ["Your king beats the nine", "+25"],
  },
  {
    name: "war-won-after-a-tie",
    game: "Casino War",
    cards: "9d 9s 2c 2d 2h Qh Jd",
    bets: ["3"],
    calls: [[/^Go to war/, "w"]],
    reads: [/You win the war: your queen beats the jack/],
  },
  {
    name: "war-lost-though-the-tie-won",
    game: "Casino War",
    cards: "9d 9s 2c 2d 2h 7h Jd",
    bets: ["3", "ArrowRight", "2"],
    calls: [[/^Go to war/, "w"]],
    reads: ["You lose the war: jack beats your seven", "Tie pays 10 to 1", "0"],
  },
  {
    name: "deck-time-ran-out",
    game: "Double Deck",
    cards: "7d Ts 5h 8c",
    bets: ["3"],
    calls: [],
    options: ["--answer", "2500"],
    reads: ["Time ran out, so you stand.", "Dealer 18 beats your 12", "−25"],
  },
  {
    name: "stud-a-pair-that-pays",
    game: "Double Down Stud",
    cards: "Kd Kc 6s Td 2h",
    bets: ["3"],
    calls: [[/^Pass/, "n"]],
    reads: [/Pair of kings pays 1 to 1/, "+25"],
  },
  {
    name: "stud-nothing",
    game: "Double Down Stud",
    cards: "4d 9c 6s Td 2h",
    bets: ["3"],
    calls: [[/^Pass/, "n"]],
    reads: [/No pair: no pay/, "−25"],
  },
  {
    name: "deck-beaten",
    game: "Double Deck",
    cards: "Kd Ts 7h Qc",
    bets: ["3"],
    calls: [[/^Stand/, "s"]],
    reads: ["Dealer 20 beats your 17", "−25"],
  },
  {
    name: "deck-blackjack",
    game: "Double Deck",
    cards: "Ad Ts Kh 7c",
    bets: ["3"],
    calls: [],
    reads: ["Blackjack pays 3 to 2", "+37.50"],
  },
  {
    name: "deck-bust",
    game: "Double Deck",
    cards: "Kd Ts 7h Qc 9d",
    bets: ["3"],
    calls: [[/^Hit/, "h"]],
    reads: ["You bust with 26", "−25"],
  },
  {
    name: "attack-dealer-busts",
    game: "Double Attack",
    cards: "6d Ks Qh Jc 9d",
    bets: ["3"],
    calls: [
      [/^Double attack/, "a"],
      [/^Stand/, "s"],
    ],
    reads: ["Dealer busts with 25", "+50"],
  },
  {
    name: "attack-surrendered",
    game: "Double Attack",
    cards: "9d Js 6h Kd",
    bets: ["3"],
    calls: [
      [/^Pass/, "n"],
      [/^Surrender/, "u"],
    ],
    reads: ["Surrendered: half is returned", "−12.50"],
  },
  {
    name: "free-dealer-has-22",
    game: "Free Bet",
    cards: "Kh 6d 9c Tc 6s",
    bets: ["3"],
    calls: [[/^Stand/, "s"]],
    reads: ["Dealer 22: push"],
  },
];

const NEXT: Scene[] = [
  {
    name: "war-bet",
    game: "Casino War",
    cards: "",
    bets: [],
    calls: [],
    reads: ["Pick a chip below and tap the glowing circle."],
  },
  {
    name: "war-tie",
    game: "Casino War",
    cards: "9d 9s",
    bets: ["3"],
    calls: [],
    reads: [/^Go to war/, /^Surrender/, "A tie: go to war, or surrender?"],
  },
  {
    name: "attack-insurance",
    game: "Double Attack",
    cards: "Ad Ks Qh Jc",
    bets: ["3"],
    calls: [[/^Pass/, "n"]],
    reads: [/^Insurance/, /13 against blackjack/],
  },
  {
    name: "stud-double-or-pass",
    game: "Double Down Stud",
    cards: "Jd 2c 6s Td Jh",
    bets: ["3"],
    calls: [],
    reads: [/^Double/, /^Pass/],
  },
  {
    name: "deck-hit-or-stand",
    game: "Double Deck",
    cards: "Kd 6s 6h Tc",
    bets: ["3"],
    calls: [],
    reads: [/^Hit/, /stay on 16/],
  },
  {
    name: "deck-double",
    game: "Double Deck",
    cards: "9d 6s 2h Tc",
    bets: ["3"],
    calls: [],
    reads: [/^Double/, /25 more/],
  },
  {
    name: "deck-chips-are-down",
    game: "Double Deck",
    cards: "9d 6s 2h Tc",
    bets: ["3"],
    calls: [],
    reads: [/^Deal/],
  },
  {
    name: "attack-offer",
    game: "Double Attack",
    cards: "6d Ks Qh Jc",
    bets: ["3"],
    calls: [],
    reads: [/^Double attack/, /^Pass/],
  },
  {
    name: "attack-split",
    game: "Double Attack",
    cards: "6d 8s 8h Jc",
    bets: ["3"],
    calls: [[/^Pass/, "n"]],
    reads: [/^Split/, /25 more/],
  },
  {
    name: "free-split",
    game: "Free Bet",
    cards: "8h 6d 8c Tc",
    bets: ["3"],
    calls: [],
    reads: [/^Split free/, /the house covers it/],
  },
  {
    name: "free-double",
    game: "Free Bet",
    cards: "6h 6d 5c Tc",
    bets: ["3"],
    calls: [],
    reads: [/^Double free/, /the house covers it/],
  },
];

/** Plays a scene as far as it goes. */
async function play({ game, cards, bets, calls, name, options = [] }: Scene, isNew: boolean): Promise<Player> {
  here.house = await House.open(cards, ...options);
  const ann = await here.with(Player.arrive(here.browser, here.house.address, { viewport: DESKTOP }));
  if (isNew) {
    await ann.page.evaluate(() => localStorage.setItem("pitboss has bet casino-war", "no"));
    await ann.page.reload();
  }
  await ann.sitDownByKeys(game);
  await ann.keys(...bets);
  if (bets.length > 0 && name !== "deck-chips-are-down") await ann.keys("Enter");
  for (const [words, key] of calls) {
    await ann.button(words).waitFor();
    await ann.keys(key);
  }
  return ann;
}

/** Keeps a picture at each size, on which nothing lies on anything else. */
async function show(ann: Player, name: string): Promise<void> {
  for (const [size, viewport] of [
    ["phone", PHONE],
    ["sideways", SIDEWAYS],
    ["desktop", DESKTOP],
  ] as const) {
    await ann.page.setViewportSize(viewport);
    await ann.page.mouse.move(0, 0);
    expect(await misfits(ann)).toEqual([]);
    await ann.picture(`stranger-${name}-${size}`);
  }
}

it.each(RESULTS)("a stranger sees what happened: $name", async (scene) => {
  const ann = await play(scene, false);
  const said = ann.page.locator(".felt .line");
  for (const text of scene.reads) await said.getByText(text).first().waitFor();
  await ann.button("Rebet").waitFor();
  await show(ann, `result-${scene.name}`);
});

it.each(NEXT)("a stranger sees what to do: $name", async (scene) => {
  const ann = await play(scene, scene.bets.length === 0);
  for (const text of scene.reads) {
    const read = typeof text === "string" ? ann.page.getByText(text) : ann.page.locator(".bar").getByText(text);
    await read.first().waitFor();
  }
  await show(ann, `next-${scene.name}`);
});
