import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, "..", "..");

/** A program of the workspace: where the environment says it is, or else built now. */
async function program(variable: string, ...which: string[]): Promise<string> {
  const given = process.env[variable];
  if (given) return given;
  const options = { cwd: ROOT, maxBuffer: 1 << 28 };
  const { stdout } = await run("cargo", ["build", "--message-format=json", ...which], options);
  const made = stdout.split("\n").flatMap((line) => {
    const executable = line.startsWith("{") ? (JSON.parse(line).executable as string | null) : null;
    return executable ? [executable] : [];
  });
  const last = made.at(-1);
  if (!last) throw new Error(`cargo build ${which.join(" ")} made no program`);
  return last;
}

let knownShoe = "";
let pitboss = "";

/** Finds or builds what the tests run. */
export async function programs(): Promise<void> {
  knownShoe ||= await program("PITBOSS_KNOWN_SHOE", "-p", "pitboss-house", "--example", "known_shoe");
  pitboss ||= await program("PITBOSS_PROGRAM", "-p", "pitboss", "--bin", "pitboss");
}

/** The cards that are dealt first, after the burn card, as long as nobody adds to the order. */
export type Cards = string;

/** A house whose shoe is known, in a process of its own that can be killed. */
export class House {
  private process: ChildProcess | null = null;
  private port = 0;
  private readonly data = mkdtempSync(join(tmpdir(), "pitboss-e2e-"));

  private constructor(
    private readonly options: string[],
    private readonly program = knownShoe,
  ) {}

  /** A house as `pitboss serve` opens it: with the odds and house players beside it, and cards that nobody chose. */
  static async served(...options: string[]): Promise<House> {
    const house = new House(options, pitboss);
    await house.start();
    return house;
  }

  /** The same with the tables of a configuration. */
  static async servedWith(tables: string): Promise<House> {
    const house = new House([], pitboss);
    house.configure("--config", tables);
    await house.start();
    return house;
  }

  static async open(cards: Cards, ...options: string[]): Promise<House> {
    const house = new House(["--cards", cards, ...options]);
    await house.start();
    return house;
  }

  /** A house with the tables of a configuration. */
  static async withTables(tables: string, cards: Cards, ...options: string[]): Promise<House> {
    const house = new House(["--cards", cards, ...options]);
    house.configure("--tables", tables);
    await house.start();
    return house;
  }

  private configure(option: string, tables: string): void {
    const file = join(this.data, "pitboss.toml");
    writeFileSync(file, tables);
    this.options.push(option, file);
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it, for the first time or again: with the same data at the same address. */
  async start(): Promise<void> {
    const serve = this.program === pitboss ? ["serve"] : [];
    const options = [...serve, "--data", this.data, "--port", String(this.port), ...this.options];
    const child = spawn(this.program, options, { stdio: ["ignore", "pipe", "inherit"] });
    this.process = child;
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (text) => {
        said += text;
        const found = /open at http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (found?.[1]) resolve(found[1]);
      });
      child.once("exit", () => reject(new Error("the house did not open")));
    });
    this.port = Number(address);
  }

  /** Ends it: by default as a power cut would. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.process;
    if (!child) return;
    this.process = null;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }

  /** Makes an account that runs the house, as whoever has the store can. */
  async operator(name: string, password: string): Promise<void> {
    const making = run(pitboss, ["operator", name, "--data", this.data]);
    making.child.stdin?.end(`${password}\n`);
    await making;
  }

  /** The log of the table, as anyone may have it. */
  async export(table = "war-1"): Promise<string> {
    const answer = await fetch(`${this.address}/api/export/${table}`);
    return answer.text();
  }

  /** The same without the times of its inputs. */
  async log(table = "war-1"): Promise<string> {
    return (await this.export(table)).replace(/ < \+\S+ /g, " < ");
  }

  /** What `pitboss verify` says of the log; it throws where the log is not clean. */
  async verify(table = "war-1"): Promise<string> {
    const file = join(this.data, "export.log");
    writeFileSync(file, await this.export(table));
    const { stdout } = await run(pitboss, ["verify", file]);
    return stdout;
  }

  /** What `pitboss check` says of a transcript; it throws where an expectation fails. */
  async check(transcript: string): Promise<string> {
    const file = join(this.data, "one.round");
    writeFileSync(file, transcript);
    const { stdout } = await run(pitboss, ["check", file]);
    return stdout;
  }
}

/** A wire between page and house that can be cut, or made deaf to what the house says. */
export class Wire {
  private sockets = new Set<Socket>();
  private isCut = false;
  private isDeaf = false;

  private constructor(private readonly server: Server) {}

  static async to(address: string): Promise<Wire> {
    const { hostname, port } = new URL(address);
    const server = createServer();
    const wire = new Wire(server);
    server.on("connection", (near) => {
      if (wire.isCut) return near.destroy();
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) {
        wire.sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => wire.sockets.delete(socket));
      }
      near.on("data", (bytes) => far.write(bytes));
      far.on("data", (bytes) => wire.isDeaf || near.write(bytes));
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
      return near;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return wire;
  }

  get address(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  }

  /** From now on nothing of the house arrives; what is sent to it does. */
  deafen(): void {
    this.isDeaf = true;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    [this.isCut, this.isDeaf] = [false, false];
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}
