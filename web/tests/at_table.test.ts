import { beforeEach, describe, expect, it, vi } from "vitest";
import { AtTable } from "../src/at_table.svelte";
import type { Socket } from "../src/connection";
import { commitmentOf } from "../src/proof/contribution";
import { contributions, seals, shoeName } from "../src/proof/kept";
import { type Cutting, ownCut } from "../src/proof/own_cut.svelte";
import type {
  AboutTable,
  AmountsView,
  CommitmentView,
  FromClient,
  FromHouse,
  MixView,
  PlayerCommand,
  View,
} from "../src/wire";
import { offer, refusal as refused, result, seat, view } from "./view";

const opening = (least: string, required: boolean): AmountsView => ({
  least,
  most: "500",
  step: "1",
  required,
});

const ABOUT: AboutTable = {
  table: "war-1",
  house: "h1",
  game: "casino-war",
  title: "Casino War",
  terms: [],
  options: "",
  circles: [
    { circle: "main", title: "Initial", opening: opening("5", true) },
    { circle: "tie", title: "Tie", opening: opening("1", false) },
    { circle: "war", title: "War", opening: null },
  ],
  pays: [],
  signs: [],
  buy_in: opening("1", true),
  decks: { cards: [], times: 1 },
  coach: "off",
};

let socket: Socket;
let said: FromClient[];
let at: AtTable;
let version: number;
/** The number of the last view on the socket. */
let number = 0;
/** How long the last card lies there before anybody is paid. */
let beat = 0;
/** What is to happen after a while. */
let later: (() => void)[] = [];
/** Our rounds, as the house has them. */
let played: { round: number; net: string | null }[] = [];

const hear = (message: FromHouse) => socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);

const show = (shown: View) =>
  hear({ type: "event", version: ++version, events: [], story: [], number: ++number, change: shown });

/** What was asked for, without `watch`. */
const asked = (): PlayerCommand[] => said.flatMap(({ do: what }) => ("player" in what ? [what.player] : []));

/** Answers the last message. */
async function answer(sentence?: string): Promise<void> {
  const id = said.at(-1)?.id ?? "";
  const refusal = sentence ? refused("below-table-minimum", "CW-6-b", sentence) : null;
  hear({ type: "answer", id, ok: !refusal, seq: null, refusal });
  await Promise.resolve();
  await Promise.resolve();
}

/** The table with these wagers of ours on it. */
function with_(wagers: Record<string, string>, change: Partial<View> = {}): View {
  const shown = view(change);
  const mine = shown.seats[0];
  if (mine) {
    mine.wagers = Object.entries(wagers).map(([circle, amount]) => ({ hand: 1, circle, amount, free: false }));
  }
  return shown;
}

const main = (amount: string): PlayerCommand => ({ type: "wager", amounts: [{ circle: "main", amount }], at: "1" });

beforeEach(() => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  };
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("localStorage", storage);
  [said, version] = [[], 1];
  socket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text) => said.push(JSON.parse(text) as FromClient),
    close: () => {},
  };
  let ids = 0;
  const world = {
    connect: () => socket,
    isKnown: async () => true,
    roundsSince: async (_: string, __: string, round: number) => played.filter((one) => one.round > round),
    newId: () => String(++ids),
    now: () => 0,
    after: (_: number, then: () => void) => {
      later.push(then);
      return () => {};
    },
    chance: () => 1,
    beat: () => beat,
  };
  at = new AtTable("war-1", { world });
  socket.onopen?.({} as Event);
  hear({ type: "table", about: ABOUT });
  hear({ type: "account", name: "ann", balance: "900" });
  hear({ type: "state", version, number: ++number, view: view() });
});

describe("chips", () => {
  it("are placed as soon as the limits allow it, and not before", async () => {
    at.move(1_00);
    expect(asked()).toEqual([]);
    expect(at.isPending).toBe(true);
    at.move(5_00);
    expect(asked()).toEqual([main("6")]);
    expect(at.isPending).toBe(false);
    await answer();
    expect(at.slip.get("main"), "shown until the house shows it").toBe(6_00);
    show(with_({ main: "6" }));
    expect([at.isPlaced, at.slip.get("main")]).toEqual([true, 6_00]);
  });

  it("that are moved while a wager is under way follow in one more", async () => {
    at.move(5_00);
    at.move(5_00);
    at.move(5_00);
    expect(asked()).toEqual([main("5")]);
    await answer();
    expect(asked()).toEqual([main("5"), main("15")]);
    await answer();
    show(with_({ main: "5" }));
    show(with_({ main: "15" }));
    expect(asked().length).toBe(2);
    expect(at.slip.get("main")).toBe(15_00);
  });

  it("that are taken back before the house has shown them are taken back", async () => {
    at.move(5_00);
    at.move(5_00);
    await answer();
    show(with_({ main: "5" }));
    expect(asked()).toEqual([main("5"), main("10")]);
    at.move(-5_00);
    await answer();
    expect(asked().at(-1), "the table still shows the first five").toEqual(main("5"));
    show(with_({ main: "10" }));
    await answer();
    show(with_({ main: "5" }));
    expect([at.slip.get("main"), at.isPlaced, asked().length]).toEqual([5_00, true, 3]);
  });

  it("beyond the rack stay there, and the page says so", async () => {
    at.move(500_00);
    expect([asked(), at.left, at.slip.size]).toEqual([[], 100_00, 0]);
    expect(at.refusal?.sentence).toBe("You have 100 left. Buy chips to bet more.");
    at.move(60_00);
    at.double();
    expect([at.left, at.slip.get("main")]).toEqual([40_00, 60_00]);
    at.move(5_00);
    expect(at.refusal).toBeNull();
    await answer();
  });

  it("are moved back one move after the other", async () => {
    at.move(5_00);
    at.double();
    at.move(1_00, "tie");
    at.clear();
    for (const [main_, tie] of [
      [10_00, 1_00],
      [10_00, undefined],
      [5_00, undefined],
      [undefined, undefined],
    ]) {
      at.undo();
      expect([at.slip.get("main"), at.slip.get("tie")]).toEqual([main_, tie]);
    }
    expect(at.canUndo).toBe(false);
    await answer();
  });

  it("of the last round are not bet again where the rack has become too small", async () => {
    at.move(80_00);
    await answer();
    show(with_({ main: "80" }));
    show(
      view({
        betting: false,
        seats: [seat({ name: "ann", rack: "20", wagers: with_({ main: "80" }).seats[0]?.wagers ?? [] })],
      }),
    );
    show(view({ round: 2, seats: [seat({ name: "ann", rack: "20" })] }));
    expect(at.canRebet).toBe(true);
    at.rebet();
    expect([at.slip.size, at.left, asked().length]).toEqual([0, 20_00, 1]);
    expect(at.refusal?.sentence).toBe("You have 20 left. Buy chips to bet more.");
  });

  it("that are refused stay in sight with the reason, until they are moved", async () => {
    at.move(1_00);
    const dealt = at.deal();
    expect(asked()).toEqual([main("1")]);
    await answer("the table minimum is 5");
    await dealt;
    expect(asked().length, "nobody is ready with a refused wager").toBe(1);
    expect(at.refusal?.sentence).toBe("the table minimum is 5");
    expect([at.isPending, at.slip.get("main")]).toEqual([true, 1_00]);
    at.move(5_00);
    expect(at.refusal).toBeNull();
  });

  it("are taken back with one word, however often", async () => {
    for (const amount of ["5", "10"]) {
      show(with_({ main: amount }));
      at.clear();
      expect(asked().at(-1)).toEqual({ type: "clear", at: "1" });
      await answer();
      show(with_({}));
      expect(at.slip.size).toBe(0);
    }
    expect(asked().length).toBe(2);
  });

  it("follow what another tab does", async () => {
    at.move(5_00);
    await answer();
    show(with_({ main: "5" }));
    show(with_({ main: "25" }));
    expect(at.slip.get("main")).toBe(25_00);
    expect(at.isPending).toBe(false);
  });

  it("that were not placed are ours again when bets close", () => {
    at.move(1_00);
    show(view({ betting: false, awaited: { what: "dealer", seats: [], within_ms: null, of_ms: null } }));
    show(view({ round: 2 }));
    expect(at.slip.size).toBe(0);
  });
});

describe("a round", () => {
  const closed: Partial<View> = {
    betting: false,
    awaited: { what: "dealer", seats: [], within_ms: null, of_ms: null },
  };

  it("can be bet on again", async () => {
    expect(at.canRebet).toBe(false);
    show(with_({ main: "10", tie: "5" }));
    show(with_({ main: "10", tie: "5" }, closed));
    show(view({ round: 2 }));
    expect(at.canRebet).toBe(true);
    at.rebet();
    expect(asked()).toEqual([
      {
        type: "wager",
        amounts: [
          { circle: "main", amount: "10" },
          { circle: "tie", amount: "5" },
        ],
        at: "1",
      },
    ]);
    await answer();
    show(with_({ main: "10", tie: "5" }, { round: 2 }));
    expect(at.canRebet).toBe(false);
    at.double();
    expect(asked().at(-1)).toMatchObject({ amounts: [{ amount: "20" }, { amount: "10" }] });
  });

  it("begins when the wager is placed and its owner is ready, in this order", async () => {
    at.move(5_00);
    void at.deal();
    expect(asked()).toEqual([main("5")]);
    await answer();
    await vi.waitFor(() => expect(asked()).toEqual([main("5"), { type: "ready" }]));
  });

  it("can be sat out once others bet", async () => {
    expect(at.canDeal).toBe(false);
    await at.deal();
    expect(asked()).toEqual([]);
    const shown = view();
    const other = shown.seats[1];
    if (other) Object.assign(other, { name: "bob", wagers: [{ hand: 1, circle: "main", amount: "5", free: false }] });
    show(shown);
    void at.deal();
    expect(asked()).toEqual([{ type: "ready" }]);
  });

  describe("and the net of them", () => {
    /** Bets are open again after a round that came to so much for us. */
    const after = (round: number, gain: string) =>
      view({ round: round + 1, seats: [seat({ name: "ann", rack: "1", results: [result(gain)] })] });

    it("is what the wagers came to, whatever chips were bought or given meanwhile", async () => {
      expect(at.net).toBe(0);
      show(with_({ main: "10" }, closed));
      show(after(1, "+10"));
      await vi.waitFor(() => expect(at.net).toBe(10_00));
      hear({ type: "account", name: "ann", balance: "5000" });
      show(with_({}, { ...closed, round: 2 }));
      show(after(2, "-2.50"));
      await vi.waitFor(() => expect(at.net).toBe(7_50));
    });

    it("is not lost by leaving before bets are open again", async () => {
      show(with_({ main: "10" }, closed));
      show(view({ ...after(1, "+10"), betting: false }));
      show(view({ round: 2, betting: false, mine: [], seats: [seat({})] }));
      show(view({ round: 2, mine: [], seats: [seat({})] }));
      await vi.waitFor(() => expect(at.net).toBe(10_00));
    });

    it("counts a round once, and asks the house for those that ended unseen", async () => {
      show(with_({ main: "10" }, closed));
      show(after(1, "+10"));
      await vi.waitFor(() => expect(at.net).toBe(10_00));
      hear({ type: "state", version: ++version, number: ++number, view: with_({}, closed) });
      hear({ type: "state", version: ++version, number: ++number, view: after(1, "+10") });
      await Promise.resolve();
      expect(at.net).toBe(10_00);
      played = [
        { round: 4, net: "-5" },
        { round: 3, net: null },
        { round: 2, net: "+1" },
        { round: 1, net: "+10" },
      ];
      show(with_({}, { ...closed, round: 4 }));
      show(after(4, "-5"));
      await vi.waitFor(() => expect(at.net).toBe(6_00));
    });
  });

  it("takes its sentences with it", () => {
    hear({
      type: "event",
      version: ++version,
      events: [],
      story: [{ type: "dealer-card", card: "4h" }],
      number: ++number,
      change: { round: 2 },
    });
    expect(at.told).toEqual([{ number: 0, round: 1, sentence: "Dealer: four of hearts." }]);
  });
});

describe("the last card of a round", () => {
  it("lies there for a moment before anybody is paid", () => {
    [beat, later] = [500, []];
    const wagers = with_({ main: "10" }).seats[0]?.wagers ?? [];
    const playing = (change: Partial<View>) =>
      view({ betting: false, seats: [seat({ name: "ann", rack: "90", hands: [["9d"]], wagers })], ...change });
    show(playing({}));
    const paid = seat({ name: "ann", rack: "110", hands: [["9d"]], results: [result("+10")] });
    show(view({ round: 2, seats: [paid], dealer: ["4h"] }));
    expect([at.view?.dealer, at.view?.betting, at.rack]).toEqual([["4h"], false, 90_00]);
    expect(at.mine?.results).toEqual([]);
    later.forEach((then) => then());
    expect([at.view?.betting, at.rack, at.mine?.results.length]).toEqual([true, 110_00, 1]);
    beat = 0;
  });

  it("is not told before it is shown, and a key goes on at once", () => {
    [beat, later] = [500, []];
    const wagers = with_({ main: "10" }).seats[0]?.wagers ?? [];
    show(view({ betting: false, seats: [seat({ name: "ann", rack: "90", hands: [["9d"]], wagers })] }));
    const change = view({ round: 2, dealer: ["4h"] });
    const story = [{ type: "dealer-card" as const, card: "4h" }];
    hear({ type: "event", version: ++version, events: [], story, number: ++number, change });
    expect([at.told, at.view?.betting]).toEqual([[], false]);
    at.pay();
    expect([at.told.map(({ sentence }) => sentence), at.view?.betting]).toEqual([["Dealer: four of hearts."], true]);
    // What was to happen after the moment does not happen twice.
    later.forEach((then) => then());
    expect(at.told.length).toBe(1);
    beat = 0;
  });
});

describe("a decision that the clock made", () => {
  const acts = (at_: string, timed_out: boolean) => {
    const story = [{ type: "acted" as const, at: at_, call: "stand", words: "Stand", timed_out }];
    const change = view({ betting: false, offers: [offer({ call: "hit" })] });
    hear({ type: "event", version: ++version, events: [], story, number: ++number, change });
    return [at.ranOut, at.told.at(-1)?.sentence];
  };

  it("is said of the first of several hands too, until the next round", () => {
    show(view({ betting: false }));
    expect(acts("1", true)).toEqual(["stand", "Seat 1, out of time: stand."]);
    expect(acts("1", false), "the next hand").toEqual(["stand", "Seat 1: stand."]);
    show(view({ round: 2 }));
    show(view({ round: 2, betting: false }));
    expect(at.ranOut).toBe("");
  });

  it("is told of others, and not as theirs", () => {
    show(view({ betting: false }));
    expect(acts("2", true)).toEqual(["", "Seat 2, out of time: stand."]);
  });
});

it("cannot undo what lay there before somebody left and came again", async () => {
  at.move(5_00);
  await answer();
  show(with_({ main: "5" }));
  expect(at.canUndo).toBe(true);
  show(view({ seats: [seat(), seat({ seat: 2 })], me: null, mine: [] }));
  show(view());
  expect(at.canUndo).toBe(false);
  at.undo();
  expect(asked().length).toBe(1);
});

describe("several places of one person", () => {
  const onMain = (amount: string, at_: string): PlayerCommand => ({
    type: "wager",
    amounts: [{ circle: "main", amount }],
    at: at_,
  });
  const both = (change: Partial<View> = {}) =>
    view({
      seats: [seat({ name: "ann", rack: "100" }), seat({ seat: 2, name: "ann", rack: "100" })],
      mine: ["1", "2"],
      ...change,
    });

  it("have chips of their own, out of one rack", async () => {
    show(both());
    at.move(60_00);
    expect(asked()).toEqual([onMain("60", "1")]);
    await answer();
    at.choose("2");
    at.move(60_00);
    expect(asked().length, "there is no chip left for it").toBe(1);
    at.move(40_00);
    expect(asked().at(-1)).toEqual(onMain("40", "2"));
    expect(at.left).toBe(0);
  });

  it("are turned to one after the other, and are asked in the house's order", () => {
    show(both());
    expect([at.place, at.box]).toEqual(["1", 1]);
    at.turn(1);
    expect(at.place).toBe("2");
    at.turn(1);
    expect(at.place).toBe("1");
    const offers = [offer({ at: "2", call: "hit" }), offer({ at: "2", call: "stand" })];
    show(both({ betting: false, offers, awaited: { what: "act", seats: [2], within_ms: null, of_ms: null } }));
    expect([at.place, at.offers.length]).toEqual(["2", 2]);
  });

  it("can be behind somebody else", async () => {
    const behind = [
      {
        at: "1b",
        name: "ann",
        rack: "30",
        bot: false,
        ready: false,
        away: false,
        waits: false,
        wagers: [],
        results: [],
      },
    ];
    show(view({ seats: [seat({ name: "bob", rack: "5", behind })], mine: ["1b"] }));
    expect([at.mine?.name, at.rack, at.box]).toEqual(["ann", 30_00, 1]);
    at.move(5_00);
    expect(asked()).toEqual([onMain("5", "1b")]);
  });
});

describe("a second click", () => {
  const sit: PlayerCommand = { type: "sit", seat: 1, behind: false };

  it("means nothing before the first one is answered and shown", async () => {
    const first = at.do(sit);
    show(view());
    expect(at.isBusy, "what others do is no answer").toBe(true);
    expect(await at.do(sit)).toBeNull();
    await answer();
    expect(await first).toEqual({ is: "done" });
    expect(at.isBusy).toBe(true);
    expect(await at.do(sit)).toBeNull();
    show(view());
    expect([at.isBusy, at.refusal]).toEqual([false, null]);
    expect(asked()).toEqual([sit]);
  });

  it("counts as soon as the table has gone on, whenever the answer comes", async () => {
    const hit: PlayerCommand = { type: "act", call: "hit", amount: null };
    const asks = (card: string) =>
      view({
        betting: false,
        seats: [seat({ name: "ann", rack: "90", hands: [["9d", card]] })],
        offers: [offer()],
        awaited: { what: "act", seats: [1], within_ms: null, of_ms: null },
      });
    show(asks("2c"));
    void at.do(hit);
    show(asks("3c"));
    expect(at.isBusy, "another hand is another question").toBe(false);
    await answer();
    expect(at.isBusy).toBe(false);
    void at.do(hit);
    expect(asked()).toEqual([hit, hit]);
  });

  it("counts again after a refusal", async () => {
    void at.do(sit);
    await answer("somebody sits there");
    expect(at.isBusy).toBe(false);
    void at.do(sit);
    expect(asked()).toEqual([sit, sit]);
  });

  it("on Deal places and deals once", async () => {
    at.move(5_00);
    void at.deal();
    void at.deal();
    await answer();
    await vi.waitFor(() => expect(asked()).toEqual([main("5"), { type: "ready" }]));
    await answer();
    expect(asked().length).toBe(2);
  });

  it("does not hold chips back", async () => {
    void at.do({ type: "ready" });
    at.move(5_00);
    expect(asked()).toEqual([{ type: "ready" }, main("5")]);
  });
});

it("asks for what it missed when a version was left out", () => {
  version += 1;
  show(view({ round: 5 }));
  expect(said.at(-1)?.do).toEqual({ client: { type: "watch", table: "war-1", from: 1 } });
  expect(at.view?.round).toBe(1);
});

it("remembers the seal that a shoe had when it was seen first", () => {
  const shoe = { number: 3, seal: "aa", size: 312, batch: 1 };
  show(view({ shoe }));
  show(view({ shoe: { ...shoe, seal: "bb" } }));
  expect(seals.get(shoeName("ann", "war-1", 3))).toBe("aa");
  expect(seals.get(shoeName("bob", "war-1", 3))).toBeNull();
});

it("drops a refusal when the table goes on", async () => {
  void at.do({ type: "ready" });
  await answer("take a seat first");
  expect(at.refusal).not.toBeNull();
  show(view({ round: 2 }));
  expect(at.refusal).toBeNull();
});

describe("the order of a shoe", () => {
  const shoe = { number: 3, seal: "aa", size: 312, batch: 1 };
  const place = { house: "h1", table: "war-1", shoe: 3, seal: "aa", seat: "1" };
  const stage = (stage: MixView["stage"], answered: boolean | null, list: CommitmentView[] = []) =>
    show(view({ shoe, mix: { stage, answered, list } }));
  const own = (opened: boolean) => {
    const bytes = contributions.get("aa") ?? "";
    return { at: "1", commitment: commitmentOf(place, bytes), opened };
  };

  it("is committed to and opened by itself, once each", () => {
    stage("commit", false);
    stage("commit", false);
    const bytes = contributions.get("aa");
    expect(asked()).toEqual([{ type: "commit", commitment: own(false).commitment }]);
    stage("open", false, [own(false)]);
    stage("open", false, [own(false)]);
    expect(asked().at(-1)).toEqual({ type: "open", bytes });
    expect(asked().length).toBe(2);
    stage("mixed", null, [own(true)]);
    expect(at.contribution).toBeNull();
  });

  it("is not opened where our commitment was left out, and that is said before any wager", () => {
    stage("commit", false);
    stage("open", false, [{ at: "2", commitment: "00", opened: false }]);
    expect(asked().length).toBe(1);
    expect(at.contribution).toContain("left out");
  });

  it("is opened after a reload too", () => {
    contributions.set("aa", "5c".repeat(32));
    stage("open", false, [own(false)]);
    expect(asked()).toEqual([{ type: "open", bytes: "5c".repeat(32) }]);
    stage("mixed", null, [own(false)]);
    expect(at.contribution).toContain("not recorded");
  });

  it("was fixed before we came, where we came late", () => {
    stage("mixed", null, [{ at: "2", commitment: "00", opened: true }]);
    expect(at.contribution).toContain("before you sat down");
  });

  it("is what was typed for it", () => {
    at.typed = "5d".repeat(32);
    stage("commit", false);
    expect(contributions.get("aa")).toBe("5d".repeat(32));
    expect(at.typed).toBe("");
  });

  const cutting = (how: Cutting) => {
    ownCut.keep(0.25);
    ownCut.choose(how);
    const cut = { least: 52, most: 260, cards: 312 };
    const awaited = { what: "cut" as const, seats: [1], within_ms: 1_000, of_ms: 1_000 };
    const asks = (number: number) => view({ shoe: { ...shoe, number }, mix: committed, cut, awaited });
    show(asks(1));
    show(asks(1));
    show(asks(2));
    ownCut.choose("ask");
    return asked();
  };
  const committed: MixView = { stage: "commit", answered: true, list: [] };

  it("is cut by us, or by the house, once for each shoe where that was said ahead", () => {
    expect(cutting("same")).toEqual([
      { type: "cut", at: 104 },
      { type: "cut", at: 104 },
    ]);
  });

  it("is cut by the house where somebody said ahead that it draws the place", () => {
    expect(cutting("house")).toEqual([
      { type: "cut", at: null },
      { type: "cut", at: null },
    ]);
  });

  it("is not cut without asking by somebody who cut before", () => {
    expect(cutting("ask")).toEqual([]);
    expect(localStorage.getItem("pitboss cut")).toBe("0.25");
  });
});
