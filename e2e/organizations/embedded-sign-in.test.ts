import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { Visitor } from "@/e2e/support/visitor";
import { NOBODY } from "@/lib/ids";

const server = sharedServer();

test("a wrong password at the embedded sign-in causes a security event without the password", async () => {
  const email = `${randomUUID()}@example.test`;
  const password = `wrong-${randomUUID()}`;
  const start = await new Visitor(server, server.url).start();
  const asked = await fetch(start, { redirect: "manual" });
  const form = new URL(asked.headers.get("location") ?? "", start);
  const cookie = asked.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const answer = await fetch(form, {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams({ email, password }),
  });
  expect(answer.status).toBe(401);
  const text = "SELECT * FROM audit_events WHERE action = 'session.sign_in' AND error_message LIKE '%' || $1 || '%'";
  const [event] = await until("it is on record", async () => {
    const rows = await query(server, "audit", text, [email]);
    return rows.length > 0 && rows;
  });
  expect(event).toMatchObject({
    organization_id: NOBODY,
    auth_type: "anonymous",
    ip_address: "127.0.0.1",
    flags: ["sign_in_refused"],
    is_security_event: true,
    error_message: `The embedded sign-in refused ${email}: wrong e-mail address or password.`,
  });
  expect(JSON.stringify(event)).not.toContain(password);
});
