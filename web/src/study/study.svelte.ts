import type {
  ChartView,
  OddsLine,
  OddsPart,
  OddsTable,
  OptionTried,
  RemovalView,
  TrainingAnswer,
  TrainingView,
  WagerOdds,
} from "../wire";

/** How long a table has to stay as it is before it is asked about, in milliseconds. */
export const PAUSE = 120;

/** Asks the house about a table, and hears every line of the answer until it is told to stop. */
export type Ask = (path: string, hear: (line: OddsLine) => void, stop: AbortSignal) => Promise<void>;

/** What is known of a table that is explored. What is not known again yet stays, and is marked as stale. */
export class Study {
  table = $state.raw<OddsTable | null>(null);
  wagers = $state.raw<WagerOdds[]>([]);
  charts = $state.raw<ChartView[]>([]);
  removal = $state.raw<RemovalView[]>([]);
  options = $state.raw<OptionTried[]>([]);
  /** Parts that are of the table as it was. */
  stale = $state.raw<ReadonlySet<OddsPart>>(new Set());
  progress = $state.raw<{ part: OddsPart; done: number; of: number } | null>(null);
  failure = $state("");
  isComplete = $state(false);
  private stop = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: Ask) {}

  /** Asks about a table, and about no other any more. */
  look(path: string, pause = PAUSE): void {
    this.end();
    this.stale = new Set(["wagers", "chart", "removal", "options"]);
    [this.isComplete, this.failure] = [false, ""];
    this.timer = setTimeout(() => void this.hearAll(path), pause);
  }

  end(): void {
    clearTimeout(this.timer);
    this.stop.abort();
    this.stop = new AbortController();
    this.progress = null;
  }

  private async hearAll(path: string): Promise<void> {
    const { signal } = this.stop;
    try {
      await this.ask(path, (line) => !signal.aborted && this.hear(line), signal);
    } catch (error) {
      if (signal.aborted) return;
      this.failure = (error as Error).message;
    }
    if (!signal.aborted) this.progress = null;
  }

  private hear(line: OddsLine): void {
    switch (line.type) {
      case "table":
        this.table = line;
        break;
      case "wagers":
        this.wagers = line.wagers;
        this.renew("wagers");
        break;
      case "chart":
        this.charts = this.renew("chart") ? [line] : [...this.charts, line];
        break;
      case "removal":
        this.removal = line.wagers;
        this.renew("removal");
        break;
      case "option":
        this.options = this.renew("options") ? [line] : [...this.options, line];
        break;
      case "progress":
        this.progress = line;
        break;
      case "end":
        this.isComplete = line.complete;
        // A table may have no option that changes anything.
        if (line.complete && this.renew("options")) this.options = [];
        this.progress = null;
    }
  }

  /** A part is of the table as it is now; whether it was not before. */
  private renew(part: OddsPart): boolean {
    const wasStale = this.stale.has(part);
    if (wasStale) this.stale = new Set([...this.stale].filter((other) => other !== part));
    return wasStale;
  }
}

/** Grades an answer and asks the next question. */
export type Teach = (drill: string, answer: TrainingAnswer | null) => Promise<TrainingView>;

/** Somebody who trains: a question, the answer to it, and the next one. */
export class Lesson {
  view = $state.raw<TrainingView | null>(null);
  /** What was said to the last answer; the next question waits until it is read. */
  graded = $state.raw<TrainingView["graded"]>(null);
  failure = $state("");
  isBusy = $state(false);
  drill = $state("decision");
  /** How many answers were right since this page was opened, and how many there were. */
  right = $state(0);
  answers = $state(0);
  private since = 0;

  constructor(
    private readonly teach: Teach,
    private readonly now: () => number,
  ) {}

  /** Begins a drill. */
  async begin(drill: string): Promise<void> {
    this.drill = drill;
    this.graded = null;
    await this.take(null);
    this.since = this.now();
  }

  async answer(said: string): Promise<void> {
    const question = this.view?.question;
    if (!question || this.graded || this.isBusy) return;
    const milliseconds = Math.max(0, Math.min(Math.round(this.now() - this.since), 0xffff_ffff));
    await this.take({ question: question.name, answer: said, milliseconds });
    const graded = this.view?.graded ?? null;
    if (graded && this.failure === "") {
      [this.graded, this.answers] = [graded, this.answers + 1];
      if (graded.right) this.right += 1;
    }
  }

  /** The answer has been read. */
  goOn(): void {
    this.graded = null;
    this.since = this.now();
  }

  /** What takes time before one can answer does not count. */
  start(): void {
    this.since = this.now();
  }

  private async take(answer: TrainingAnswer | null): Promise<void> {
    [this.isBusy, this.failure] = [true, ""];
    try {
      this.view = await this.teach(this.drill, answer);
    } catch (error) {
      this.failure = (error as Error).message;
    }
    this.isBusy = false;
  }
}
