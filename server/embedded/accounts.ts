import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { readOrCreate } from "@/server/data-dir";
import { Refusal } from "@/server/web/refusal";

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;
const FREE_FAILURES = 5;
const LONGEST_LOCK_MS = 60_000;
const FORGET_FAILURES_MS = 15 * 60_000;

const accountsShape = z.array(
  z.object({
    /** The subject in tokens; derived from the address when absent. */
    id: z.string().optional(),
    email: z.email(),
    name: z.string().min(1),
    /** `scrypt:<salt>:<key>`, base64url. Either this or `password` is required. */
    password_hash: z.string().optional(),
    /** In plain text, for accounts that are added by hand. */
    password: z.string().min(8).optional(),
  }),
);

export type Account = { id: string; email: string; name: string };
type StoredAccount = z.output<typeof accountsShape>[number] & { id: string };

async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, KEY_BYTES);
  return `scrypt:${salt.toString("base64url")}:${key.toString("base64url")}`;
}

async function matches(password: string, account: StoredAccount | undefined): Promise<boolean> {
  const [, salt = "", key = ""] = account?.password_hash?.split(":") ?? [];
  // The same work whether or not the account exists, so that the response time does not reveal it.
  const derived = await derive(password, Buffer.from(salt, "base64url"), KEY_BYTES);
  const expected = Buffer.from(key, "base64url");
  if (expected.length === KEY_BYTES) return timingSafeEqual(derived, expected);
  if (account?.password === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(password), digest(account.password));
}

const normalize = (email: string) => email.trim().toLowerCase();

/** The accounts of the embedded identity provider: `DATA_DIR/accounts.json`, read again for every lookup. */
export class Accounts {
  readonly #file: string;
  /** Wrong passwords by e-mail address, and when the next attempt is allowed (milliseconds since the epoch). */
  readonly #failures = new Map<string, { count: number; lockedUntil: number; last: number }>();

  private constructor(file: string) {
    this.#file = file;
  }

  /** Opens the file, or creates it with one account and `initialPassword`. Throws Refusal. */
  static async open(dataDir: string, initialPassword: string): Promise<Accounts> {
    const owner = {
      id: randomUUID(),
      email: "owner@sealwatch.local",
      name: "Owner",
      password_hash: await hashPassword(initialPassword),
    };
    readOrCreate(dataDir, "accounts.json", () => `${JSON.stringify([owner], null, 2)}\n`);
    const accounts = new Accounts(join(dataDir, "accounts.json"));
    accounts.#read();
    return accounts;
  }

  #read(): StoredAccount[] {
    try {
      return accountsShape.parse(JSON.parse(readFileSync(this.#file, "utf8"))).map((account) => ({
        ...account,
        id: account.id ?? createHash("sha256").update(normalize(account.email)).digest("base64url"),
      }));
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      throw new Refusal(`${this.#file} does not hold a list of accounts {email, name, password}: ${why}`);
    }
  }

  find(id: string): Account | undefined {
    return this.#read().find((account) => account.id === id);
  }

  /** The first account, and whether `password` is still its password. */
  async firstWith(password: string): Promise<{ email: string; hasPassword: boolean } | undefined> {
    const first = this.#read()[0];
    return first && { email: first.email, hasPassword: await matches(password, first) };
  }

  /** Checks a password. Each wrong password delays the next attempt for the same address for longer. */
  async signIn(email: string, password: string): Promise<Account | { waitSeconds: number } | undefined> {
    const key = normalize(email).slice(0, 200);
    const now = Date.now();
    for (const [other, { last }] of this.#failures) if (now - last > FORGET_FAILURES_MS) this.#failures.delete(other);
    const before = this.#failures.get(key) ?? { count: 0, lockedUntil: 0, last: now };
    if (before.lockedUntil > now) return { waitSeconds: Math.ceil((before.lockedUntil - now) / 1000) };
    // Counted before the slow check, so that parallel attempts are throttled too.
    const count = before.count + 1;
    const wait = count < FREE_FAILURES ? 0 : Math.min(1000 * 2 ** (count - FREE_FAILURES), LONGEST_LOCK_MS);
    this.#failures.set(key, { count, lockedUntil: now + wait, last: now });
    const account = this.#read().find((candidate) => normalize(candidate.email) === key);
    if (!(await matches(password, account))) return undefined;
    this.#failures.delete(key);
    return account;
  }
}
