import { describe, expect, it } from "vitest";
import { House } from "./house";
import { DESKTOP, PHONE, Player } from "./player";
import { visit } from "./visit";

const here = visit();

/** Comes to a table of a new house, and takes seat 1 with chips for 100. */
async function sitDown(title: string, cards: string, viewport = DESKTOP): Promise<Player> {
  here.house = await House.open(cards);
  const ann = await here.with(Player.arrive(here.browser, here.house.address, { viewport }));
  await ann.sitDownByKeys(title);
  return ann;
}

/** What the rack holds in the end. */
async function ends(ann: Player, rack: string): Promise<void> {
  await ann.button("Rebet").waitFor();
  await ann.box(1).getByText(rack, { exact: true }).waitFor();
}

describe.each([
  ["desktop", DESKTOP],
  ["phone", PHONE],
])("a round by keyboard alone on a %s", (size, viewport) => {
  it("of Double Down Stud", async () => {
    // The seat, the card that lies face down, three open ones: three jacks pay 3 to 1.
    const ann = await sitDown("Double Down Stud", "Jd Jc 6s Td Jh", viewport);
    await ann.keys("2", "2", "Enter");
    await ann.button("Double 10").waitFor();
    const dealer = ann.page.getByRole("region", { name: "Dealer" });
    expect(await dealer.getByRole("img", { name: /of|face down/ }).count()).toBe(4);
    await dealer.getByRole("img", { name: "a card face down" }).waitFor();
    await ann.picture(`${size}-stud`);
    await ann.keys("d");
    await ends(ann, "160");
  });

  it("of Double Deck, whose double for less lies across the hand", async () => {
    // The seat, the dealer, the seat, the hole card: 11 against 6. A king, and the dealer draws to 25.
    const ann = await sitDown("Double Deck", "9d 6s 2h Tc Kh 9s", viewport);
    await ann.keys("2", "2", "Enter");
    await ann.button("Double 10").waitFor();
    await ann.box(1).getByText("11", { exact: true }).waitFor();
    // Our cards are for our eyes.
    await ann.box(1).getByRole("img", { name: "nine of diamonds, seen only by you" }).waitFor();
    expect(await ann.box(1).locator(".lifted").count()).toBe(2);
    await ann.button("No mid-shoe entry").waitFor();
    await ann.picture(`${size}-deck`);
    await ann.tabTo(ann.page.getByLabel("Double, "));
    await ann.keys(...Array<string>(5).fill("ArrowLeft"), "Enter");
    await ann.box(1).locator(".sideways[aria-label='king of hearts']").waitFor();
    await ends(ann, "115");
  });

  it("of Double Attack, with an attack before the first card", async () => {
    // The dealer; the seat twice; a nine for the double; the dealer stands on 17.
    const ann = await sitDown("Double Attack", "7d 5s 6h 9c Kd", viewport);
    await ann.keys("2", "2", "Enter");
    await ann.button("Double attack 10").waitFor();
    await ann.picture(`${size}-attack`);
    await ann.keys("a");
    await ann.button("Double 20").waitFor();
    await ann.keys("d");
    await ann.box(1).locator(".sideways[aria-label='nine of clubs']").waitFor();
    await ann.button("Double 20").waitFor({ state: "detached" });
    await ann.button("Stand").waitFor();
    await ann.keys("s");
    await ends(ann, "140");
  });

  it("of Free Bet, with a free split and a free double as lammers", async () => {
    // 8 and 8 against 6; a three and a ten on the first hand, a five on the second; the dealer has 22.
    const ann = await sitDown("Free Bet", "8h 6d 8c Tc 3d Ts 5h 6s", viewport);
    await ann.keys("2", "2", "ArrowRight", "2", "Enter");
    await ann.button("Split free").waitFor();
    await ann.keys("p");
    await ann.button("Double free").waitFor();
    await ann.box(1).getByRole("img", { name: "Split: 10 free" }).waitFor();
    await ann.picture(`${size}-free`);
    await ann.keys("d");
    await ann.box(1).getByRole("img", { name: "Double: 10 free" }).waitFor();
    await ann.box(1).getByRole("group", { name: "Hand 2 of 2" }).getByText("13").waitFor();
    await ann.keys("s");
    await ends(ann, "140");
    expect(await here.house.verify("free-1")).toContain("everything is in order");
  });
});

it("lets nobody bet at Double Deck in mid-shoe, and says so before, by which clause", async () => {
  // 20 against 17; what comes then does not matter.
  const ann = await sitDown("Double Deck", "Kd 7s Qh Tc");
  await ann.keys("2", "2", "Enter");
  await ann.button("Stand").waitFor();
  // A watcher sees backs where Ann sees her cards.
  const bob = await here.with(Player.enterGame("Double Deck", here.browser, here.house.address));
  await ann.box(1).getByRole("img", { name: "king of diamonds, seen only by you" }).waitFor();
  expect(await bob.box(1).getByRole("img", { name: "a card face down" }).count()).toBe(2);
  await ann.keys("s");
  await ann.box(1).getByText("110", { exact: true }).waitFor();
  await bob.reads("Take a seat now, bet after the next shuffle:");
  await bob.sit(2);
  await bob.reads("You can bet after the shuffle.");
  await bob.button("What DDB-P22 says").waitFor();
  expect(await bob.page.getByRole("radiogroup", { name: "Chip in hand" }).count()).toBe(0);
  await bob.picture("desktop-mid-shoe");
  // And nobody waits for Bob.
  await ann.box(2).getByText("next shoe").waitFor();
  await ann.keys("2", "Enter");
  await expect.poll(() => here.house.log("deck-1")).toMatch(/> bets-closed[^]*> bets-closed/);
});
