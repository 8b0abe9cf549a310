import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { exclusively } from "@/server/exclusive.mjs";

export interface Person {
  email: string;
  name: string;
  password: string;
}

/** Creates an account at the embedded identity provider. Its first sign-in creates an organization. */
export async function newPerson(server: Sealwatch, address?: string): Promise<Person> {
  const tag = randomBytes(6).toString("hex");
  const person = {
    email: address ?? `${tag}@sealwatch.local`,
    name: `Person ${tag}`,
    password: randomBytes(9).toString("hex"),
  };
  const file = join(server.dataDir, "accounts.json");
  await exclusively("test-accounts", async () => {
    const accounts = JSON.parse(readFileSync(file, "utf8")) as unknown[];
    writeFileSync(`${file}.draft`, JSON.stringify([...accounts, person]));
    renameSync(`${file}.draft`, file);
  });
  return person;
}
