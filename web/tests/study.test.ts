import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lesson, PAUSE, Study } from "../src/study/study.svelte";
import type { OddsLine, TrainingAnswer, TrainingView } from "../src/wire";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const chart = (table: string): OddsLine => ({ type: "chart", table, ups: [], rows: [] });

/** A house that is asked, and answers when the test says so. */
function asked() {
  const all: { path: string; hear: (line: OddsLine) => void; stop: AbortSignal; fail: (why: Error) => void }[] = [];
  const study = new Study((path, hear, stop) => new Promise((_, fail) => void all.push({ path, hear, stop, fail })));
  return { all, study };
}

describe("a study", () => {
  it("asks once for what changes quickly, and hears nothing of what was given up", async () => {
    const { all, study } = asked();
    study.look("/one");
    await vi.advanceTimersByTimeAsync(PAUSE / 2);
    study.look("/two");
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(all.map(({ path }) => path)).toEqual(["/two"]);
    study.look("/three");
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(all[0]?.stop.aborted).toBe(true);
    all[0]?.hear({ type: "wagers", wagers: [] });
    all[0]?.fail(new Error("gone"));
    await vi.advanceTimersByTimeAsync(1);
    expect([study.stale.has("wagers"), study.failure]).toEqual([true, ""]);
  });

  it("shows what was known until it is known again", async () => {
    const { all, study } = asked();
    study.look("/one", 0);
    await vi.advanceTimersByTimeAsync(0);
    for (const table of ["hard", "soft"]) all[0]?.hear(chart(table));
    all[0]?.hear({ type: "option", key: "decks", to: "8", changes: [], refused: null });
    expect(study.charts.map(({ table }) => table)).toEqual(["hard", "soft"]);
    study.look("/two", 0);
    await vi.advanceTimersByTimeAsync(0);
    expect([study.charts.length, study.stale.has("chart")]).toEqual([2, true]);
    all[1]?.hear(chart("pairs"));
    expect(study.charts.map(({ table }) => table)).toEqual(["pairs"]);
    all[1]?.hear({ type: "end", complete: true });
    expect([study.options, study.isComplete, study.stale.has("options")]).toEqual([[], true, false]);
  });

  it("says why a table cannot be", async () => {
    const { all, study } = asked();
    study.look("/one", 0);
    await vi.advanceTimersByTimeAsync(0);
    all[0]?.fail(new Error("decks=5 is not allowed"));
    await vi.advanceTimersByTimeAsync(1);
    expect(study.failure).toBe("decks=5 is not allowed");
  });
});

describe("a lesson", () => {
  const view = (name: string, graded: TrainingView["graded"] = null): TrainingView => ({
    graded,
    question: {
      name,
      drill: "running",
      shown: null,
      field: null,
      chart: null,
      true_count: null,
      count: null,
    },
    drills: ["running"],
    decisions: 0,
    boxes: [],
    days: [],
  });

  it("keeps the next question until the answer has been read, and the time apart", async () => {
    let now = 1000;
    const said: (TrainingAnswer | null)[] = [];
    const first = view("running 1");
    const lesson = new Lesson(
      (_, answer) => {
        said.push(answer);
        const graded = {
          right: true,
          answer: "3",
          best: "+3",
          cost: 0,
          cost_method: "exact",
          question: first.question,
          over: null,
          index: null,
        };
        return Promise.resolve(answer ? view("running 2", graded) : first);
      },
      () => now,
    );
    await lesson.begin("running");
    now += 2500;
    await lesson.answer("3");
    expect(said[1]).toEqual({ question: "running 1", answer: "3", milliseconds: 2500 });
    expect([lesson.graded?.best, lesson.right, lesson.answers]).toEqual(["+3", 1, 1]);
    // Nothing is answered while the grade is read.
    await lesson.answer("4");
    expect(said.length).toBe(2);
    now += 60_000;
    lesson.goOn();
    now += 700;
    await lesson.answer("5");
    expect(said[2]).toEqual({ question: "running 2", answer: "5", milliseconds: 700 });
  });

  it("says what the house refuses, and asks the same again", async () => {
    const first = view("running 1");
    const lesson = new Lesson(
      (_, answer) => (answer ? Promise.reject(new Error("a whole number")) : Promise.resolve(first)),
      () => 0,
    );
    await lesson.begin("running");
    await lesson.answer("x");
    expect([lesson.failure, lesson.graded, lesson.view?.question.name]).toEqual(["a whole number", null, "running 1"]);
  });
});
