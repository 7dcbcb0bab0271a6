import { expect, it } from "vitest";
import { refusal, result, seat, view } from "../tests/view";
import type { OpenTable, SeatView, View } from "../src/wire";
import { misfits, violations } from "./access";
import { House } from "./house";
import { DESKTOP, LAPTOP, LOW_PHONE, PHONE, SIDEWAYS, SMALL_PHONE, TABLET, WALL } from "./player";
import { Prepared } from "./prepared";
import { visit } from "./visit";

const here = visit();

const SCREENS = { DESKTOP, LAPTOP, TABLET, PHONE, LOW_PHONE, SMALL_PHONE, SIDEWAYS, WALL };

async function at(table: string): Promise<Prepared> {
  here.house = await House.open("");
  const prepared = await Prepared.at(here.browser, here.house, table);
  await here.with(Promise.resolve(prepared.player));
  return prepared;
}

/** Looks at what is shown on every screen: nothing may lie on anything else, or be cut off. */
async function fits({ player }: Prepared, name: string): Promise<void> {
  const found: string[] = [];
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    await player.page.setViewportSize(viewport);
    await player.picture(`${screen.toLowerCase().replace("_", "-")}-${name}`);
    found.push(...(await misfits(player)).map((misfit) => `${screen}: ${misfit}`));
  }
  expect(found).toEqual([]);
  await player.page.setViewportSize(DESKTOP);
  expect(await violations(player), name).toEqual([]);
}

const EVEN = { end: "pay", odds: { pays: 1, to: 1 } } as const;
const LOST = { end: "take" } as const;

const NAMES = ["ann", "guest-4f21", "a-very-long-name-that-no-plate-has-room-for", "bob", "cat", "dan", "eve"];

/** Four hands that were split, of which one was doubled and one has many cards. */
const FOUR = {
  hands: [
    ["8c", "3d", "Kh"],
    ["8d", "2c", "2d", "3h", "5s"],
    ["8h", "Td"],
    ["8s", "9c"],
  ],
  sideways: [true, false, false, false],
  lifted: [0, 0, 0, 0],
  holds: [{ hard: 21 }, { hard: 20 }, { hard: 18 }, { hard: 17 }],
  surrendered: [false, false, false, false],
};

const WAGERS = [
  { hand: 1, circle: "main", amount: "25", free: false },
  { hand: 1, circle: "double", amount: "25", free: true },
  { hand: 2, circle: "split", amount: "25", free: true },
  { hand: 3, circle: "split", amount: "25", free: true },
  { hand: 4, circle: "split", amount: "25", free: true },
  { hand: 1, circle: "push22", amount: "5", free: false },
];

/** Seven boxes of a Free Bet table, all split three times. */
function full(change: Partial<View>, of: (box: SeatView) => Partial<SeatView>): View {
  const seats = NAMES.map((name, index) => {
    const box = seat({ seat: index + 1, name, rack: "1234.50", ...FOUR });
    return { ...box, ...of(box) };
  });
  return view({
    table: "free-1",
    seats,
    me: 4,
    mine: ["4"],
    dealer: ["6d", "??"],
    dealer_holds: { hard: 6 },
    ...change,
  });
}

const DEALT = {
  shoe: { number: 1, seal: "", size: 312, batch: 1 },
  mix: null,
  pile: { left: 200, discarded: 60, before_cut_card: 130, cut_card_reached: false },
};

const waitsFor = (what: View["awaited"]["what"], ...seats: number[]) => ({ what, seats, within_ms: null, of_ms: null });

it("seven boxes with four hands each fit on every screen, while they are played", async () => {
  const free = await at("free-1");
  const awaited: View["awaited"] = { what: "act", seats: [4], within_ms: 20_000, of_ms: 30_000 };
  const offers = ["hit", "stand", "double", "split"].map((call) => ({
    at: "4",
    call,
    words: call,
    stake: call === "double" ? "25" : null,
    free: call === "split",
    amounts: null,
    loses: null,
    circle: null,
    hand: null,
  }));
  await free.show(
    full({ betting: false, awaited, offers, ...DEALT, prompt: "Seat 4: hit, stand, double or split?" }, (box) => ({
      wagers: WAGERS,
      playing: box.seat === 4 ? 2 : null,
    })),
  );
  await fits(free, "four-hands");
});

it("seven boxes with four hands each fit on every screen, and say what each wager came to", async () => {
  const free = await at("free-1");
  const results = WAGERS.map(({ hand, circle }, index) =>
    result(index % 2 ? "+25" : "-25", { hand, circle, ...(index % 2 ? EVEN : LOST), clause: "FBB-10-a" }),
  );
  await free.show(full({}, () => ({ results })));
  await fits(free, "four-hands-paid");
  for (const box of [4, 3]) {
    await free.player
      .box(box)
      .getByRole("button", { name: /all results of this box/ })
      .first()
      .click();
    const bill = free.player.page.getByRole("complementary", { name: "Result of each wager" });
    await bill.getByText("Split, hand 2").waitFor();
    expect(await bill.getByText("wins 1 to 1").count()).toBe(3);
    expect(await bill.getByRole("button", { name: "What FBB-10-a says" }).count()).toBe(6);
    await free.player.page.keyboard.press("Escape");
  }
});

it("two hands of our own have large cards on a desktop, also where every box is taken", async () => {
  const free = await at("free-1");
  const two = { hands: FOUR.hands.slice(2), holds: FOUR.holds.slice(2), sideways: [false, false] };
  const wagers = [
    { hand: 1, circle: "main", amount: "25", free: false },
    { hand: 2, circle: "split", amount: "25", free: true },
  ];
  for (const [others, name] of [
    [7, "two-hands-full"],
    [4, "two-hands"],
  ] as const) {
    const played = full(
      { betting: false, awaited: waitsFor("act", 4), ...DEALT, prompt: "Seat 4: hit or stand?" },
      ({ seat: box }) =>
        box <= others ? { ...two, lifted: [0, 0], surrendered: [false, false], wagers } : seat({ seat: box }),
    );
    await free.show(played);
    await fits(free, name);
    const widths = await free.player.page
      .locator(".own .card")
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().width));
    expect(widths.length).toBe(4);
    expect(Math.min(...widths), name).toBeGreaterThanOrEqual(110);
  }
});

it("new cards lie spread face up, by suit and in sequence, until the first player has seen them", async () => {
  for (const [table, decks] of [
    ["war-1", "6 decks of 52"],
    ["attack-1", "8 decks of 48"],
  ] as const) {
    const opening = await at(table);
    const { page } = opening.player;
    const awaited = waitsFor("inspection", 1);
    await opening.show(
      view({
        table,
        betting: false,
        awaited,
        spread: true,
        prompt: "Seat 1, please look at the cards before they are shuffled.",
      }),
    );
    await page.getByRole("img", { name: `${decks} cards spread face up` }).waitFor();
    expect(await page.locator(".fan span").count()).toBe(Number(decks.slice(-2)));
    // Double Attack is played without tens (DAB-2-a).
    expect(await page.locator(".fan span", { hasText: "10" }).count()).toBe(table === "war-1" ? 4 : 0);
    await opening.player.button("The cards are in order").waitFor();
    await fits(opening, `spread-${table}`);
    await opening.show(view({ table, betting: false, awaited, spread: false }));
    await page.getByRole("img", { name: `${decks} cards spread face down` }).waitFor();
    await opening.show(view({ table }));
    await page.locator(".spread").waitFor({ state: "detached" });
    if (table === "war-1") await here.house.close();
  }
});

it("who is away is marked, and so is who bets after the shuffle", async () => {
  const deck = await at("deck-1");
  const seats = [
    seat({ name: "ann", rack: "90" }),
    seat({ seat: 2, name: "bob", rack: "90", away: true, hands: [["??", "??"]], lifted: [0] }),
    seat({ seat: 3, name: "cat", rack: "90", waits: true }),
    seat({ seat: 4, name: "house-ada", rack: "90", bot: true }),
    ...[5, 6, 7].map((number) => seat({ seat: number })),
  ];
  const company = { asked: 2, most: 4, seats: [4] };
  await deck.show(view({ table: "deck-1", seats, company, ...DEALT }));
  await deck.player.box(4).getByText("house", { exact: true }).waitFor();
  await fits(deck, "company");
  await deck.player.page.getByRole("region", { name: "Seat 2, bob, away" }).waitFor();
  await deck.player.box(3).getByText("next shoe").waitFor();
  await deck.show(view({ table: "deck-1", seats, ...DEALT, betting: false, awaited: waitsFor("act", 2) }));
  await deck.player.reads("Waiting for bob (away).");
  await fits(deck, "away");
});

it("who comes in mid-shoe is told before sitting down, and offered no chips that would be refused", async () => {
  const deck = await at("deck-1");
  const barred = refusal("mid-shoe", "DDB-P22", "Players who sat out must wait for the shuffle.");
  const empty = [1, 2, 3, 4, 5, 6, 7].map((number) => seat({ seat: number }));
  // Another table of the same game has room.
  await deck.player.page.route("**/api/tables", async (route) => {
    const tables = (await (await route.fetch()).json()) as OpenTable[];
    const other = tables.filter(({ table }) => table === "deck-1").map((one) => ({ ...one, table: "deck-2" }));
    await route.fulfill({ json: [...tables, ...other] });
  });
  await deck.show(view({ table: "deck-1", seats: empty, me: null, mine: [], barred, shuffle_in: 47, ...DEALT }));
  await deck.player.reads("Take a seat now, bet after the next shuffle:");
  await deck.player.reads("That is in about 50 seconds.");
  await fits(deck, "barred-spectator");
  const seated = [seat({ name: "ann", rack: "100", waits: true }), ...empty.slice(1)];
  await deck.show(view({ table: "deck-1", seats: seated, barred, shuffle_in: 200, ...DEALT }));
  await deck.player.reads("You can bet after the shuffle.");
  await deck.player.reads("That is in about 3 minutes.");
  await deck.player.page.getByRole("link", { name: "Play now at deck-2" }).waitFor();
  await deck.player.button("What DDB-P22 says").waitFor();
  expect(await deck.player.page.getByRole("radiogroup", { name: "Chip in hand" }).count()).toBe(0);
  await fits(deck, "barred");
  // The explanation and the way out stay while others play.
  const playing = seat({ seat: 2, name: "bob", rack: "90", hands: [["??", "??"]], lifted: [0] });
  const inPlay = { betting: false, awaited: waitsFor("act", 2), dealer: ["6d", "??"] };
  const seats = [seated[0] ?? seat(), playing, ...empty.slice(2)];
  await deck.show(view({ table: "deck-1", seats, barred, shuffle_in: 200, ...DEALT, ...inPlay }));
  await deck.player.reads("Waiting for bob.");
  await deck.player.reads("You can bet after the shuffle.");
  await deck.player.page.getByRole("link", { name: "Play now at deck-2" }).waitFor();
  await deck.player.button("Leave the table").waitFor();
  await fits(deck, "barred-in-play");
});

it("a frozen table says why, with the clause, and what the viewer may choose", async () => {
  const war = await at("war-1");
  const frozen = refusal(
    "frozen",
    "CW-10-a",
    "The table waits for a supervisor: a card was found face up, reported by dealer.",
  );
  await war.show(view({ betting: false, awaited: waitsFor("supervisor"), frozen, prompt: frozen.sentence }));
  const bar = war.player.page.getByRole("contentinfo");
  await bar.getByText("a card was found face up").waitFor();
  await bar.getByRole("button", { name: "What CW-10-a says" }).waitFor();
  await fits(war, "frozen");
  await war.show(
    view({
      betting: false,
      awaited: waitsFor("choice", 1),
      choices: [
        { choice: "take", words: "Take card" },
        { choice: "refuse", words: "No more cards" },
      ],
    }),
  );
  await war.player.button("No more cards").click();
  await expect.poll(() => war.asked.at(-1)).toEqual({ type: "choose", choice: "refuse" });
});

it("the wager of a surrendered hand lies on its cards, and the second batch has other backs", async () => {
  const attack = await at("attack-1");
  const lying = {
    hands: [["Kc", "6d"]],
    holds: [{ hard: 16 }],
    lifted: [0],
    sideways: [false],
    wagers: [
      { hand: 1, circle: "main", amount: "25", free: false },
      { hand: 1, circle: "bonus", amount: "5", free: false },
    ],
  };
  const seats = (isGivenUp: boolean) => [
    seat({ name: "ann", rack: "70", ...lying, surrendered: [isGivenUp] }),
    seat({ seat: 2, name: "bob", rack: "70", ...lying, surrendered: [isGivenUp] }),
    ...[3, 4, 5, 6, 7].map((number) => seat({ seat: number })),
  ];
  const back = () =>
    attack.player.page.locator(".felt").evaluate((felt) => getComputedStyle(felt).getPropertyValue("--back"));
  const shown = { table: "attack-1", betting: false, awaited: waitsFor("dealer"), dealer: ["As", "??"] };
  await attack.show(view({ ...shown, seats: seats(false), ...DEALT }));
  const first = await back();
  expect(await attack.player.box(1).locator(".with-hand").count()).toBe(0);
  await attack.show(view({ ...shown, seats: seats(true), ...DEALT, shoe: { ...DEALT.shoe, batch: 2 } }));
  expect(await back()).not.toBe(first);
  await attack.player.box(1).getByRole("group", { name: "Cards, surrendered" }).waitFor();
  await attack.player.box(1).locator(".given-up").getByRole("img", { name: "Bet: 25" }).waitFor();
  await attack.player.box(1).getByRole("img", { name: "Bonus: 5" }).waitFor();
  await fits(attack, "surrendered");
});

it("several results of one hand, and of somebody else, say title, odds and clause", async () => {
  const war = await at("war-1");
  const results = [
    result("0", { end: "push", clause: "CW-8-g-2" }),
    result("+10", { circle: "war", ...EVEN, clause: "CW-8-g-2" }),
    result("+50", { circle: "tie", stake: "5", end: "pay", odds: { pays: 10, to: 1 }, clause: "CW-9-a-2" }),
  ];
  const lying = { hands: [["9d", "Kc"]], lifted: [0], sideways: [false], holds: [null], surrendered: [false], results };
  const seats = NAMES.map((name, index) => seat({ seat: index + 1, name, rack: "160", ...lying }));
  await war.show(view({ seats, me: 4, mine: ["4"], dealer: ["9h", "4h"], ...DEALT, meter: "12345.67" }));
  await fits(war, "results");
  await war.player
    .box(2)
    .getByRole("button", { name: /all results of this box/ })
    .first()
    .click();
  const bill = war.player.page.getByRole("complementary", { name: "Result of each wager" });
  await bill.getByText("wins 10 to 1").waitFor();
  await bill.getByRole("button", { name: "What CW-9-a-2 says" }).click();
  await war.player.page.getByRole("complementary", { name: "What the rules say" }).getByText("CW-9-a-2").waitFor();
});

it("says what it waits for, of whom and how long, and when somebody is out of chips", async () => {
  const war = await at("war-1");
  const { player } = war;
  const bar = player.page.getByRole("contentinfo");
  const seats = [
    seat({ name: "ann", rack: "90", hands: [["9d"]], lifted: [0] }),
    seat({ seat: 2, name: "bob", rack: "90", hands: [["9c"]], lifted: [0] }),
  ];
  const empty = [seat(), seat({ seat: 2 })];
  await war.show(view({ seats: empty, me: null, mine: [], betting: false, awaited: waitsFor("player") }));
  await bar.getByText("Nobody is at the table yet.").waitFor();
  await bar.getByText("Take a seat to play:").waitFor();
  await war.show(view({ seats, betting: false, awaited: waitsFor("shuffle") }));
  await bar.getByText("The cards are being shuffled.").waitFor();
  await war.show(
    view({ seats, betting: false, awaited: { what: "act", seats: [2], within_ms: 600_000, of_ms: 600_000 } }),
  );
  await bar.getByText("Waiting for bob.").waitFor();
  await player
    .box(2)
    .getByText(/^\d{3} s$/)
    .waitFor();
  await fits(war, "waiting");
  war.say({ type: "account", name: "ann", balance: "0" });
  await war.show(view({ seats: [seat({ name: "ann", rack: "0" }), seat({ seat: 2 })] }));
  await bar.getByText("You are out of chips,").waitFor();
  await player.button("Ask the cashier").waitFor();
  await fits(war, "out-of-chips");
});

it("tells how to bet, the first time", async () => {
  const war = await at("war-1");
  await war.player.page.evaluate(() => localStorage.setItem("pitboss has bet casino-war", "no"));
  await war.show(view());
  await war.player.reads("Pick a chip below and tap the glowing circle.");
  await war.player.put("Initial", 5);
  await war.player.reads("Press Deal when you are ready.");
});
