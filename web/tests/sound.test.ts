import { expect, it, vi } from "vitest";
import { offer, result, seat, view } from "./view";

vi.mock("../src/preferences.svelte", () => ({ preferences: { isMuted: true } }));
const { heard } = await import("../src/sound");

it("hears the most important of what happened, and no loss", () => {
  const bets = view();
  const wager = { hand: 1, circle: "main", amount: "5", free: false };
  expect(heard(bets, bets)).toBeNull();
  expect(heard(bets, view({ seats: [seat({ name: "ann", wagers: [wager] }), seat({ seat: 2 })] }))).toBe("chip");
  const dealt = view({ betting: false, dealer: ["9d", "??"] });
  expect(heard(bets, dealt)).toBe("card");
  expect(heard(dealt, { ...dealt, dealer: ["9d", "Kc"] })).toBe("card");
  expect(heard(dealt, { ...dealt, offers: [offer()] })).toBe("knock");
  const ended = (gain: string) => view({ round: 2, seats: [seat({ name: "ann", results: [result(gain)] })] });
  expect(heard(dealt, { ...ended("+10"), dealer: dealt.dealer })).toBe("chord");
  expect(heard(dealt, { ...ended("-10"), dealer: dealt.dealer })).toBeNull();
});
