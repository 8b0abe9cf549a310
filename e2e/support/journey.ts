import { test as base } from "@playwright/test";
import { newPerson, type Person } from "@/e2e/support/person";
import { type Installation, Sealwatch } from "@/e2e/support/sealwatch";

/** Carries the server that `start-journeys.ts` started into Playwright's worker processes. */
export const INSTALLATION = "SEALWATCH_TEST_INSTALLATION";

interface Fixtures {
  /** Someone who has an account and never signed in: no two journeys share an organization. */
  person: Person;
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
  baseURL: async ({ sealwatch }, use) => use(sealwatch.url),
  person: async ({ sealwatch }, use) => use(await newPerson(sealwatch)),
});
