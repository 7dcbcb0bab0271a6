import { describe, expect, it } from "vitest";
import { House, Wire } from "./house";
import type { Locator } from "playwright-core";
import { DESKTOP, PHONE, Player } from "./player";
import { cardsIn, dealtIn, expectNothingUnseen } from "./unseen";
import { visit } from "./visit";

const here = visit();

async function enter(address = here.house.address): Promise<Player> {
  return here.with(Player.enter(here.browser, address));
}

/** The first one at the table: sits at seat 1, which buys chips. */
async function first(address = here.house.address): Promise<Player> {
  const ann = await enter(address);
  await ann.sit(1);
  await ann.button("Deal").waitFor();
  return ann;
}

describe("a table of Casino War", () => {
  it("takes two browsers through a war and a surrender, and shows nobody a card too early", async () => {
    // Ann, Bob, the dealer; three burn cards; Ann, the dealer.
    here.house = await House.open("9d 9c 9h 2c 2d 2h Kc 4h");
    const ann = await first();
    const [bob, eve] = [await enter(), await enter()];
    await bob.sit(2);
    await ann.put("Tie", 5);
    await ann.bet(5, 5);
    await bob.bet(5, 5, 5, 5);

    await ann.reads("It is your decision.");
    await ann.box(1).getByRole("img", { name: "nine of diamonds" }).waitFor();
    await ann.page.getByRole("region", { name: "Dealer" }).getByLabel("nine of hearts").waitFor();
    await bob.button("Surrender").click();
    await bob.reads("Waiting for ");
    await eve.reads(/Every seat|Take a seat/);
    await ann.button("Go to war 10").click();

    // 10 on the first card comes back, 10 on war and 5 on the tie win 10 and 50.
    await ann.box(1).getByText("160", { exact: true }).waitFor();
    await ann.box(1).getByRole("img", { name: "king of clubs" }).waitFor();
    await bob.box(2).getByText("half lost").waitFor();
    await bob.box(2).getByText("90", { exact: true }).waitFor();
    await eve.box(2).getByText("90", { exact: true }).waitFor();
    await ann.reads("net +60");
    await bob.reads("net −10");

    // A result opens to its clause, and the keyboard closes it.
    await ann.button(/^War wins 1 to 1 \+10/).click();
    const note = ann.page.getByRole("complementary", { name: "What the rules say" });
    await note.getByText("CW-8-g-2").waitFor();
    await ann.page.keyboard.press("Escape");
    await note.waitFor({ state: "hidden" });

    const dealt = dealtIn(await here.house.log());
    expect(dealt).toEqual(["9d", "9c", "9h", "Kc", "4h"]);
    for (const player of [ann, bob, eve]) expectNothingUnseen(player.frames, dealt);
    expect(await here.house.verify()).toContain("everything is in order");
  });

  it("goes on with the same round after the house was killed in the middle of it", async () => {
    here.house = await House.open("9d 9h 2c 2d 2h Kc 4h");
    const ann = await first();
    await ann.bet(25);
    await ann.reads("It is your decision.");
    const seal = /"seal":"(\w+)"/.exec(ann.frames.join(""))?.[1];

    await here.house.kill();
    await ann.reads("Not connected.");
    expect(await ann.button("Go to war").isDisabled()).toBe(true);
    await here.house.start();
    await ann.reads("It is your decision.");
    expect(await ann.printed(1)).toMatch(/25.*75/);
    await ann.button("Go to war 25").click();
    await ann.box(1).getByText("125", { exact: true }).waitFor();

    const log = await here.house.log();
    expect(log.match(/< wager 1 main 25/g)).toHaveLength(1);
    expect(log.match(/< act 1 war/g)).toHaveLength(1);
    expect(log.match(/> shuffled /g)).toHaveLength(1);
    expect(log).toContain(seal);
    expect(dealtIn(log)).toEqual(["9d", "9h", "Kc", "4h"]);
    expectNothingUnseen(ann.frames, dealtIn(log));
    expect(await here.house.verify()).toContain("everything is in order");
  });

  it("does what was asked once, though the line broke before the answer came", async () => {
    here.house = await House.open("9d 9h 2c 2d 2h Kc 4h");
    const wire = await Wire.to(here.house.address);
    const ann = await first(wire.address);
    await ann.bet(25);
    await ann.reads("It is your decision.");

    wire.deafen();
    await ann.button("Go to war 25").click();
    await expect.poll(() => here.house.log()).toMatch(/< act 1 war/);
    wire.cut();
    await ann.reads("Not connected.");
    wire.mend();
    await ann.button("Try now").click();
    await ann.box(1).getByText("125", { exact: true }).waitFor();
    expect((await here.house.log()).match(/< act 1 war/g)).toHaveLength(1);

    // A wager that was under way is sent again with its id, and taken once.
    wire.deafen();
    await ann.put("Initial", 5);
    await expect.poll(() => here.house.log()).toMatch(/< wager 1 main 5$/m);
    wire.cut();
    await ann.reads("Not connected.");
    wire.mend();
    await ann.button("Deal").click();
    await expect.poll(async () => (await here.house.log()).match(/> bets-closed/g)?.length).toBe(2);
    expect((await here.house.log()).match(/< wager 1 main 5$/gm)).toHaveLength(1);
    wire.close();
  });

  it("takes a double click for one, and Enter for what was read", async () => {
    here.house = await House.open("9d 9h 2c 2d 2h Kc 4h", "--pace", "500", "--contributions", "0");
    const ann = await enter();
    await ann.box(1).getByRole("button", { name: "Sit" }).dblclick();
    await ann.put("Initial", 25);
    await ann.button("Deal").dblclick();
    await ann.button("Go to war 25").dblclick();
    await ann.box(1).getByText("125", { exact: true }).waitFor();
    expect(await ann.page.getByRole("alert").count()).toBe(0);
    const log = await here.house.log();
    for (const line of ["sit 1", "cut dealer 52", "buy-in 1 100", "wager 1 main 25", "deal", "act 1 war"]) {
      expect(log.match(new RegExp(`< ${line}`, "g")), line).toHaveLength(1);
    }
  });

  it("notices a house that says nothing, and comes back to it", async () => {
    here.house = await House.open("9d 4h");
    const wire = await Wire.to(here.house.address);
    const ann = await first(wire.address);
    wire.deafen();
    await ann.put("Initial", 5);
    await ann.reads("The house is not responding.");
    wire.mend();
    await ann.button("Try now").click();
    await ann.reads("Bets are open.");
    expect((await here.house.log()).match(/< wager 1 main 5$/gm)).toHaveLength(1);
    wire.close();
  });

  it("shows the clause or limit that refuses a wager, where it was refused", async () => {
    here.house = await House.open("9d 4h");
    const ann = await first();
    await ann.put("Initial", 1);
    await ann.button("Deal").click();
    const refusal = ann.page.getByRole("alert");
    await refusal.getByText("The table minimum is 5.").waitFor();
    await refusal.getByRole("button").click();
    await ann.reads("Smallest opening wager on a box.");
    await ann.page.keyboard.press("Escape");

    // A tie wager is added to an initial one, and none by itself.
    await ann.button("Clear").click();
    await ann.put("Tie", 5);
    await ann.button("Deal").click();
    await refusal.getByRole("button", { name: "What CW-1-initial-wager says" }).click();
    await ann.page.getByRole("complementary", { name: "What the rules say" }).getByText("CW-1-initial-wager").waitFor();
    await ann.page.keyboard.press("Escape");
    await ann.button("Clear").click();
    await ann.bet(5);
    await ann.box(1).getByText("105", { exact: true }).waitFor();
    expect(await refusal.count()).toBe(0);
  });

  it("is played with the keyboard alone", async () => {
    here.house = await House.open("9d 9h 2c 2d 2h Kc 4h 3s 3c");
    const ann = await here.with(Player.arrive(here.browser, here.house.address));
    const keys = (...pressed: string[]) => ann.keys(...pressed);
    await ann.tabTo(ann.watch("Casino War"));
    await keys("Enter");
    await ann.reads("Take a seat to play:");
    await keys("1");
    await ann.button("Deal").waitFor();
    // 25 and 5, the 5 back; 1 on the tie; all of it doubled, and cleared.
    await keys("3", "2", "-", "ArrowRight", "1", "1", "-", "d");
    await ann.button("Initial: 50").waitFor();
    await ann.button("Tie: 2").waitFor();
    await keys("z");
    await ann.button("Initial: 25").waitFor();
    await keys("c", "ArrowLeft", "2", "2", "Enter");
    await ann.reads("It is your decision.");
    await keys("w");
    await ann.box(1).getByText("110", { exact: true }).waitFor();
    await keys("r", "Enter");
    await ann.reads("It is your decision.");
    await keys("u");
    await ann.box(1).getByText("105", { exact: true }).waitFor();
    await keys("l");
    await ann.reads("Take a seat to play:");
  });

  it("commits, cuts and opens while an order is sealed, and cuts where the card lies when time is up", async () => {
    here.house = await House.open("", "--contributions", "2000");
    const ann = await enter();
    await ann.sit(1);
    await ann.page.getByRole("slider").waitFor();
    await ann.page.keyboard.press("Home");
    await ann.reads("It is cut there when time is up.");
    await ann.button("Deal").waitFor();
    const log = await here.house.log();
    expect(log).toMatch(/< commit cut 1 52 house [0-9a-f]{16} 1 [0-9a-f]{64}\n/);
    expect(log).toMatch(/< open 1 [0-9a-f]{64}\n/);
    expect(log).toMatch(/> mixed 1\n/);
    expect(await ann.page.evaluate(() => localStorage.getItem("pitboss cut"))).toBe("0");
    // Whoever has cut once is asked again, until they want something else.
    expect(await ann.page.evaluate(() => localStorage.getItem("pitboss cutting"))).toBeNull();
  });

  it("cuts where somebody said ahead, without asking", async () => {
    here.house = await House.open("", "--contributions", "2000");
    const ann = await enter();
    await ann.button("Rules").click();
    await ann.page.getByLabel("Cutting the cards").selectOption("always at the same place");
    await ann.page.getByLabel("Where, from the front").fill("100");
    await ann.sit(1);
    await ann.button("Deal").waitFor();
    expect(await here.house.log()).toMatch(/< commit cut 1 260 house /);
    await ann.page.reload();
    await ann.button("Rules").click();
    expect(await ann.page.getByLabel("Cutting the cards").inputValue()).toBe("same");
  });

  it("lets a guest sit down with one click", async () => {
    here.house = await House.open("9d 4h");
    const ann = await here.with(Player.arrive(here.browser, here.house.address));
    await ann.button("Sit down at Casino War").click();
    await ann.button("Deal").waitFor();
    // The middle of the table was free.
    await ann
      .box(4)
      .getByText(await ann.name())
      .waitFor();
  });

  it("keeps two tabs of one player in step", async () => {
    here.house = await House.open("9d 4h");
    const ann = await first();
    const other = await ann.context.newPage();
    await other.goto(`${here.house.address}/table/war-1`);
    await ann.put("Initial", 5, 5);
    await other.getByRole("button", { name: "Initial: 10" }).waitFor();
    await other.getByRole("button", { name: "Initial: 10" }).click();
    await ann.button("Initial: 15").waitFor();
    await other.getByRole("button", { name: "Deal" }).click();
    await ann.box(1).getByText("115", { exact: true }).waitFor();
  });

  it("says that the house closes, and lets nobody in whom it does not know", async () => {
    here.house = await House.open("9d 4h");
    const ann = await enter();
    await here.house.kill("SIGINT");
    await ann.reads("The house is closing.");
    await here.house.start();
    await ann.reads("Take a seat to play:");
    await ann.context.clearCookies();
    await ann.page.reload();
    await ann.reads("You come in as a guest");
    await ann.watch("Casino War").click();
    await ann.reads("Take a seat to play:");
  });
});

describe("whoever sits down", () => {
  const TITLES = ["Casino War", "Double Down Stud", "Double Deck", "Double Attack", "Free Bet"];

  /** Sits down, and bets as soon as that is possible: how long it takes, in milliseconds. */
  async function firstBet(title: string): Promise<number> {
    const ann = await here.with(Player.arrive(here.browser, here.house.address));
    await ann.page.evaluate(() => localStorage.setItem("pitboss ceremony", "moment"));
    await ann.page.reload();
    await ann.button(new RegExp(`^Sit down at ${title}`)).click();
    const began = Date.now();
    await ann.page.getByRole("button", { name: /^(Initial|Original|Bet): empty/ }).click();
    const took = Date.now() - began;
    await ann.page.getByRole("button", { name: /^(Initial|Original|Bet): 5/ }).waitFor();
    return took;
  }

  it.each(TITLES)("can bet within five seconds at %s, though nothing else is pressed", async (title) => {
    here.house = await House.open("", "--pace", "350");
    expect(await firstBet(title)).toBeLessThan(5_000);
  });

  it.each(TITLES)("can bet within five seconds at %s of the program as it is, with all its clocks", async (title) => {
    here.house = await House.served();
    expect(await firstBet(title)).toBeLessThan(5_000);
  });

  it("is shown how the game goes, once, and finds it again", async () => {
    here.house = await House.open("");
    const ann = await here.with(Player.arrive(here.browser, here.house.address));
    await ann.page.evaluate(() => localStorage.clear());
    await ann.page.goto(here.house.address, { waitUntil: "commit" });
    await ann.watch("Casino War").waitFor();
    await ann.page.evaluate(() => localStorage.removeItem("pitboss knows casino-war"));
    await ann.watch("Casino War").click();
    const intro = ann.page.getByRole("complementary", { name: "How to play Casino War" });
    await intro.getByRole("button", { name: "Play" }).click();
    await intro.waitFor({ state: "hidden" });
    await ann.button("How to play").click();
    await intro.getByText("go to war").waitFor();
    await ann.page.keyboard.press("Escape");
    await ann.page.keyboard.press("?");
    await ann.page.getByRole("complementary", { name: "Keys" }).getByText("undo the last move").waitFor();
  });

  it("says what beat what, and keeps the totals in sight until the next bet", async () => {
    // 17 against a ten, under which lies a queen.
    here.house = await House.open("Kd Ts 7h Qc");
    const ann = await here.with(Player.arrive(here.browser, here.house.address));
    await ann.sitDownByKeys("Double Deck");
    await ann.keys("3", "Enter");
    await ann.button("Stand stay on 17").click();
    await ann.reads("Dealer 20 beats your 17");
    await ann.page.getByText("−25", { exact: true }).first().waitFor();
    await ann.page.getByRole("region", { name: "Dealer" }).getByText("20", { exact: true }).waitFor();
    await ann.box(1).getByText("17", { exact: true }).waitFor();
    await ann.keys("2");
    await ann.box(1).getByText("17", { exact: true }).waitFor({ state: "detached" });
  });

  it("drags a chip to a circle, and finds it in the tray again where it is let go elsewhere", async () => {
    here.house = await House.open("");
    const ann = await first();
    const { mouse } = ann.page;
    const drag = async (to: Locator) => {
      const [from, target] = [await ann.chip(25).boundingBox(), await to.boundingBox()];
      if (!from || !target) throw new Error("what is dragged is not in sight");
      await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await mouse.down();
      await mouse.move(from.x, from.y - 40, { steps: 3 });
      // A copy of the chip is at the pointer, and looks like it.
      const copies = ann.page.locator("body > .chip.disc");
      expect(await copies.evaluate((copy) => [copy.clientWidth, getComputedStyle(copy).borderTopWidth])).toEqual([
        from.width,
        "0px",
      ]);
      await mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 5 });
      await mouse.up();
      expect(await copies.count()).toBe(0);
    };
    await drag(ann.page.getByRole("button", { name: /^Tie:/ }));
    await ann.page.getByRole("button", { name: /^Tie: 25/ }).waitFor();
    await drag(ann.page.getByRole("region", { name: "Dealer" }));
    await drag(ann.page.getByRole("button", { name: /^Initial:/ }));
    await ann.button("Initial: 25").waitFor();
    await ann.page.getByRole("button", { name: /^Tie: 25/ }).waitFor();
    await ann.box(1).locator(".rack").getByText("50", { exact: true }).waitFor();
    await ann.button("Undo").click();
    await ann.button("Initial: empty").waitFor();
  });

  it.each([1, 4, 7])("asks why not without covering a hand at seat %i", async (seat) => {
    // 17 against a six.
    here.house = await House.open("Kh 6d 7c Tc");
    const ann = await here.with(Player.enterGame("Free Bet", here.browser, here.house.address));
    await ann.sit(seat);
    await ann.put("Bet", 5);
    await ann.button("Deal").click();
    await ann.button("Why not").click();
    const note = ann.page.getByRole("complementary", { name: "Why not?" });
    await note.getByRole("listitem").first().waitFor();
    for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      await ann.page.setViewportSize(viewport);
      await ann.picture(`${size}-why-not-${seat}`);
      const [sheet, cards] = [await note.boundingBox(), await ann.box(seat).locator(".card").all()];
      expect(cards.length).toBe(2);
      for (const card of cards) {
        const lies = await card.boundingBox();
        if (!sheet || !lies) throw new Error("nothing is in sight");
        const isApart =
          sheet.x + sheet.width <= lies.x ||
          lies.x + lies.width <= sheet.x ||
          sheet.y + sheet.height <= lies.y ||
          lies.y + lies.height <= sheet.y;
        expect(isApart, `${size}: ${JSON.stringify([sheet, lies])}`).toBe(true);
      }
    }
  });

  it("is asked before leaving chips on the felt", async () => {
    here.house = await House.open("");
    const ann = await first();
    await ann.put("Initial", 5);
    await ann.button("Leave").click();
    await ann.reads("Your chips are on the felt.");
    await ann.button("Stay").click();
    await ann.button("Initial: 5").waitFor();
    await ann.keys("l", "Enter");
    await ann.reads("Take a seat to play:");
  });

  it("is asked before a link or the way back leads away from chips on the felt", async () => {
    here.house = await House.open("");
    const ann = await first();
    await ann.put("Initial", 5);
    const lobby = `${here.house.address}/`;
    for (const way of [() => ann.page.getByRole("link", { name: "Pitboss" }).click(), () => ann.page.goBack()]) {
      await way();
      await ann.reads("Leave this page?");
      await ann.button("Stay").click();
      await ann.button("Initial: 5").waitFor();
      expect(ann.page.url()).toBe(`${lobby}table/war-1`);
    }
    await ann.page.goBack();
    await ann.reads("Leave this page?");
    await ann.keys("Enter");
    await ann.watch("Casino War").waitFor();
    expect(ann.page.url()).toBe(lobby);
    // Without chips on the felt nothing is asked.
    await ann.watch("Casino War").click();
    await ann.button("Clear").click();
    await ann.button("Initial: empty").waitFor();
    await ann.page.getByRole("link", { name: /^account/ }).click();
    await ann.page.getByRole("heading", { name: "Your own limits" }).waitFor();
  });
});

it("finds a card in whatever way it is written", () => {
  expect(cardsIn('"9d","??" card 1 Ts; A♠ and 10♥; the jack of clubs; ab9dcd 9dx')).toEqual([
    "9d",
    "Ts",
    "As",
    "Th",
    "Jc",
  ]);
});
