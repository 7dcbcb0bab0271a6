import { expect, it } from "vitest";
import { misfits, violations } from "./access";
import { House } from "./house";
import { DESKTOP, PHONE, Player, SIDEWAYS, SMALL_PHONE } from "./player";
import { visit } from "./visit";

const here = visit();

it.each([
  ["desktop", DESKTOP],
  ["phone", PHONE],
  ["sideways", SIDEWAYS],
  ["small-phone", SMALL_PHONE],
])("a browser that asks for Spanish gets it, on a %s", async (size, viewport) => {
  // 17 against a ten, under which lies a queen.
  here.house = await House.open("Kd Ts 7h Qc");
  const ann = await here.with(Player.arrive(here.browser, here.house.address, { viewport, locale: "es-ES" }));
  await ann.button(/^Mirar Double Deck/).waitFor();
  expect(await ann.page.locator("html").getAttribute("lang")).toBe("es");
  expect(await violations(ann)).toEqual([]);
  await ann.picture(`${size}-es-lobby`, true);
  await ann.button(/^Mirar Double Deck/).click();
  await ann.reads("Siéntate para jugar:");
  await ann.keys("1");
  await ann.button("Repartir").waitFor();
  expect(await misfits(ann)).toEqual([]);

  // A refusal by its code and parameters.
  await ann.keys("1");
  await ann.button("Repartir").click();
  await ann.page.getByRole("alert").getByText("El mínimo de la mesa es 5.").waitFor();
  expect(await misfits(ann)).toEqual([]);

  await ann.keys("c", "3", "Enter");
  await ann.button("Plantarse te quedas con 17").waitFor();
  expect(await misfits(ann)).toEqual([]);
  expect(await violations(ann)).toEqual([]);
  await ann.picture(`${size}-es-act`);
  await ann.button("Plantarse").click();
  await ann.reads("El 20 del crupier gana a tu 17");
  expect(await misfits(ann)).toEqual([]);
  await ann.picture(`${size}-es-result`);
});

it("another language is chosen on one's own page, and remembered", async () => {
  here.house = await House.open("");
  const ann = await here.with(Player.arrive(here.browser, here.house.address));
  await ann.watch("Casino War").waitFor();
  await ann.page.getByRole("link", { name: "Me" }).click();
  await ann.page.getByLabel("Language").selectOption("Español");
  await ann.page.getByRole("link", { name: "Mesas" }).click();
  await ann.button(/^Sentarse en Casino War/).waitFor();
  await ann.page.reload();
  await ann.button(/^Sentarse en Casino War/).waitFor();
  expect(await ann.page.locator("html").getAttribute("lang")).toBe("es");
  await ann.page.getByRole("link", { name: "Yo" }).click();
  await ann.page.getByLabel("Idioma").selectOption("English");
  await ann.page.getByRole("link", { name: "Tables" }).click();
  await ann.watch("Casino War").waitFor();
});
