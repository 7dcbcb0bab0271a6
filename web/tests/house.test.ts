import { expect, it, vi } from "vitest";
import { decide } from "../src/house";
import type { SupervisorCommand } from "../src/wire";

it("sends a decision under the same id until the house confirms it", async () => {
  const ids: string[] = [];
  let isLost = true;
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    ids.push((JSON.parse(body) as { id: string }).id);
    if (isLost) throw new TypeError("the connection is lost");
    return Response.json({ seq: 7 });
  });
  const what: SupervisorCommand = { type: "change_dealer", dealer: "eve" };
  await expect(decide("war-1", what)).rejects.toThrow("lost");
  await expect(decide("stud-1", what)).rejects.toThrow("lost");
  isLost = false;
  await decide("war-1", what);
  await decide("war-1", what);
  const [first, elsewhere, again, later] = ids;
  expect(again).toBe(first);
  expect(new Set([first, elsewhere, later]).size).toBe(3);
});
