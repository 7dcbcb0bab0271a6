import { expect, it } from "vitest";
import { result, seat, view } from "../tests/view";
import type { SeatView, View } from "../src/wire";
import { misfits, violations } from "./access";
import { House } from "./house";
import { DESKTOP, LAPTOP, LOW_PHONE, PHONE, SMALL_PHONE, TABLET } from "./player";
import { Prepared } from "./prepared";
import { visit } from "./visit";

const here = visit();

const SCREENS = { DESKTOP, LAPTOP, TABLET, PHONE, LOW_PHONE, SMALL_PHONE };

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

const NAMES = ["ann", "guest-4f21", "a-very-long-name-that-no-plate-has-room-for", "bob", "cat", "dan", "eve"];

/** Four hands that were split, of which one was doubled and one has many cards. */
const FOUR = {
  hands: [["8c", "3d", "Kh"], ["8d", "2c", "2d", "3h", "5s"], ["8h", "Td"], ["8s", "9c"]],
  sideways: [true, false, false, false],
  lifted: [0, 0, 0, 0],
  holds: ["21", "20", "18", "17"],
  given_up: [false, false, false, false],
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
  return view({ table: "free-1", seats, me: 4, mine: ["4"], dealer: ["6d", "??"], dealer_holds: "6", ...change });
}

it("seven boxes with four hands each fit on every screen, while they are played", async () => {
  const free = await at("free-1");
  const shoe = { number: 1, seal: "", size: 312, left: 200, discarded: 60, before_cut_card: 130, cut_card_reached: false, batch: 1 };
  const awaited: View["awaited"] = { what: "act", seats: [4], within_ms: 20_000, of_ms: 30_000 };
  const offers = ["hit", "stand", "double", "split"].map((call) => ({
    at: "4", call, words: call, stake: call === "double" ? "25" : null, free: call === "split", amounts: null, circle: null, hand: null,
  }));
  await free.show(full({ betting: false, awaited, offers, shoe, said: "Seat 4: hit, stand, double or split?" }, (box) => ({
    wagers: WAGERS,
    playing: box.seat === 4 ? 2 : null,
  })));
  await fits(free, "four-hands");
});

it("seven boxes with four hands each fit on every screen, and say what each wager came to", async () => {
  const free = await at("free-1");
  const results = WAGERS.map(({ hand, circle }, index) =>
    result(index % 2 ? "+25" : "-25", { hand, circle, words: index % 2 ? "wins 1 to 1" : "loses", clause: "FBB-10-a" }),
  );
  await free.show(full({}, () => ({ results })));
  await fits(free, "four-hands-paid");
  for (const box of [4, 3]) {
    await free.player.box(box).getByRole("button", { name: /all results of this box/ }).first().click();
    const bill = free.player.page.getByRole("complementary", { name: "What became of each wager" });
    await bill.getByText("Split, hand 2").waitFor();
    expect(await bill.getByText("wins 1 to 1").count()).toBe(3);
    expect(await bill.getByRole("button", { name: "What FBB-10-a says" }).count()).toBe(6);
    await free.player.page.keyboard.press("Escape");
  }
});
