import { type BrowserContext, test as base, expect } from "playwright/test";
import { newPerson, type Person } from "@/e2e/support/person";
import { type Installation, Sealwatch } from "@/e2e/support/servers/sealwatch";

/** Carries the server that `start-journeys.ts` started into Playwright's worker processes. */
export const INSTALLATION = "SEALWATCH_TEST_INSTALLATION";

interface Fixtures {
  /** Someone who has an account and never signed in: no two journeys share an organization. */
  person: Person;
}

/** What the browser refused because a page's own policy forbids it, as its console tells. */
function refusals(context: BrowserContext): string[] {
  const seen: string[] = [];
  context.on("console", (message) => {
    if (/Content Security Policy|Permissions[- ]Policy/i.test(message.text())) {
      seen.push(`${message.page()?.url()}: ${message.text()}`);
    }
  });
  return seen;
}

interface WorkerFixtures {
  sealwatch: Sealwatch;
}

/** Playwright's `test` with a running Sealwatch and someone to sign in as. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  sealwatch: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from its parameter.
    async ({}, use) => {
      await use(new Sealwatch(JSON.parse(process.env[INSTALLATION] ?? "{}") as Installation));
    },
    { scope: "worker" },
  ],
  context: async ({ context }, use) => {
    const seen = refusals(context);
    await use(context);
    expect(seen, "no page does what its policy forbids").toEqual([]);
  },
  baseURL: async ({ sealwatch }, use) => use(sealwatch.url),
  person: async ({ sealwatch }, use) => use(await newPerson(sealwatch)),
});
