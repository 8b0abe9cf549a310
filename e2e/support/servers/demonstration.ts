import { bind } from "@/e2e/support/organization";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { withoutWorker } from "@/e2e/support/servers/without-worker";
import { sessionCookie } from "@/e2e/support/session";
import { configure } from "@/lib/config";
import { signIn } from "@/lib/sign-in/sign-in";
import { encryptionKey } from "@/server/data-dir";
import { people } from "@/server/demo/people";
import { createDemoData } from "@/server/demo/story";

/** Creates the demonstration on a server with embedded databases. Resolves to the session cookie of its admin. */
export async function createDemonstration(server: Sealwatch): Promise<string> {
  bind(server);
  configure({ ENCRYPTION_KEY: encryptionKey(server.dataDir), SESSION_SECRET: server.sessionSecret });
  const issuer = "https://id.test";
  await withoutWorker(server, () => createDemoData(issuer, Date.now()));
  const { id: subject, email, name } = people.ada;
  return sessionCookie(server, await signIn({ issuer, subject, email, name, isVerified: true }));
}
