import { readOrCreate } from "@/server/data-dir";

/** The people of the demonstration's organization. The first two can sign in. */
export const people = {
  ada: { id: "ada", email: "ada@northwind.example", name: "Ada Lovelace", permission: "admin" },
  grace: { id: "grace", email: "grace@northwind.example", name: "Grace Hopper", permission: "read" },
  katherine: { id: "katherine", email: "katherine@northwind.example", name: "Katherine Johnson", permission: "admin" },
} as const;

/** Writes the accounts of the embedded identity provider unless the file exists. Throws Refusal. */
export function prepareAccounts(dataDir: string, password: string): void {
  const accounts = [people.ada, people.grace].map(({ id, email, name }) => ({ id, email, name, password }));
  readOrCreate(dataDir, "accounts.json", () => `${JSON.stringify(accounts, null, 2)}\n`);
}
