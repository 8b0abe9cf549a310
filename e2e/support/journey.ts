import { type BrowserContext, test as base, expect } from "playwright/test";
import { newPerson, type Person } from "@/e2e/support/person";
import { type Installation, Sealwatch } from "@/e2e/support/servers/sealwatch";

/** Passes the server that `start-journeys.ts` started to Playwright's worker processes. */
export const INSTALLATION = "SEALWATCH_TEST_INSTALLATION";

interface Fixtures {
  /** A person who has an account and has never signed in, so that journeys do not share an organization. */
  person: Person;
}

/** Violations of a page's own policy, from the browser's console. */
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

/** Playwright's `test` with a running Sealwatch and a person who can sign in. */
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
    expect(seen, "no page violates its policy").toEqual([]);
  },
  baseURL: async ({ sealwatch }, use) => use(sealwatch.url),
  person: async ({ sealwatch }, use) => use(await newPerson(sealwatch)),
});
