import { describe, expect, it } from "vitest";
import { House } from "./house";
import { Player } from "./player";
import { visit } from "./visit";

const TABLES = `
[[table]]
name = "family-attack"
game = "double-attack"
terms = { max_bettors_per_box = 3, max_boxes_per_player = 2 }
`;

const here = visit();

async function enter(): Promise<Player> {
  return here.with(Player.enterGame("Double Attack", here.browser, here.house.address));
}

describe("a table of Double Attack with shared boxes", () => {
  it("lets somebody bet on the box of somebody else, who consents and decides", async () => {
    // The dealer; box 1 twice; its double: 5, 6 and 9 make 20 against 17.
    here.house = await House.withTables(TABLES, "7d 5s 6h 9c Kd");
    const ann = await enter();
    await ann.sit(1);
    const bob = await enter();

    // Without consent Bob only asks for it.
    const behind = bob.button(/Also bet on [\w-]+’s box/);
    await behind.click();
    await bob.button(/You have asked [\w-]+ to let you bet here/).waitFor();
    await ann.button("Share: new request").click();
    await ann.reads("asks to bet here.");
    await ann.button("Allow").first().click();
    await ann.reads(/may bet on seat 1\./);
    await ann.page.keyboard.press("Escape");
    await behind.click();
    await bob.buyIn("50");
    await ann
      .box(1)
      .getByRole("list", { name: "Also on this box" })
      .getByText(await bob.name())
      .waitFor();

    await ann.put("Bet", 5, 5);
    await ann.button("Deal").click();
    await bob.put("Bet", 5);
    await bob.button("Deal").click();
    await ann.button("Double attack 10").waitFor();
    await ann.button("Pass").click();
    await ann.button("Double 10").click();
    // Bob may follow the double and need not (DAB-13-d).
    await bob.button("Pass").click();
    await ann.button("Stand").click();
    await ann.box(1).getByText("120", { exact: true }).waitFor();
    await bob.box(1).locator(".rack").getByText("55", { exact: true }).waitFor();
    expect(await here.house.verify("family-attack")).toContain("everything is in order");
  });

  it("lets one person bet on two boxes, and asks for each", async () => {
    // The dealer; boxes 1, 2; boxes 1, 2 again; the dealer makes 17.
    here.house = await House.withTables(TABLES, "7d Ks 9h Qc 9c Kd");
    const ann = await enter();
    await ann.sit(1);
    await ann.sit(2);
    await ann.reads("Box 1");
    await ann.keys("2", "2", "ArrowUp");
    await ann.reads("Box 2");
    await ann.keys("3", "Enter");
    for (const box of ["Box 1", "Box 2"]) {
      await ann.reads(box);
      await ann.button("Pass").waitFor();
      await ann.keys("n");
    }
    // King and queen make 20, nine and nine make 18.
    for (const box of ["Box 1", "Box 2"]) {
      await ann.reads(box);
      await ann.button("Stand").waitFor();
      await ann.keys("s");
    }
    await ann.box(1).getByText("135", { exact: true }).waitFor();
    await ann.keys("r");
    await ann.box(2).getByRole("button", { name: "Bet: 25" }).waitFor();
    await ann.box(1).getByRole("button", { name: "Bet: 10" }).waitFor();
  });
});
