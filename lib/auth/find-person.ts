import { withoutSlash } from "@/lib/auth/issuer";
import type { Transaction } from "@/lib/db/app";
import type { User } from "@/lib/db/generated/app/client";

/** The person with this subject at the issuer, with or without its final slash. If each has one, the issuer as given decides. */
export async function findPerson(
  tx: Transaction,
  { issuer, subject }: Pick<User, "issuer" | "subject">,
): Promise<User | null> {
  const bare = withoutSlash(issuer);
  const found = await tx.user.findMany({ where: { issuer: { in: [bare, `${bare}/`] }, subject } });
  return found.find((person) => person.issuer === issuer) ?? found[0] ?? null;
}
