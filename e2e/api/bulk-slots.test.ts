import { expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { type OpenRequest, openRequest, rawRequest } from "@/e2e/support/raw";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { LARGEST_BULK_BODY } from "@/lib/http/body";
import { MAX_BYTES, MAX_CONCURRENT } from "@/lib/http/bulk-slots";

const server = sharedServer();
const BODY = '{"items":[{}],"dry_run":true}';

const head = ({ adminKey }: Organization, size: number) =>
  `POST /api/v1/uptime/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey.secret}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;

/** A bulk request with a body of `size` bytes. */
const ask = (of: Organization, size = BODY.length) => rawRequest(server, head(of, size) + BODY.padEnd(size));

/**
 * Keeps `count` requests open, each with half a body of `size` bytes, until another one of `next` bytes is refused: then all of them
 * certainly have their slots. If the other one came before one of them, that one is refused and opened again.
 */
async function fillSlots(of: Organization, count: number, size: number, next: number) {
  let open: OpenRequest[] = [];
  const refusal = await until("a bulk request is refused", async () => {
    open = open.filter(({ isAnswered }) => !isAnswered);
    while (open.length < count) open.push(openRequest(server, head(of, size) + BODY.slice(0, 5)));
    const answer = await ask(of, next);
    return answer?.status === 503 && answer;
  });
  return { open, refusal };
}

test("bulk requests of an organization beyond the limit are answered 503 with retry_after", async () => {
  const [own, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
  const { open, refusal } = await fillSlots(own, MAX_CONCURRENT, BODY.length, BODY.length);
  expect(JSON.parse(refusal.body).error).toMatchObject({ code: "UNAVAILABLE", retry_after: 5 });
  expect(refusal.headers).toMatchObject({ "retry-after": "5", connection: "close" });
  expect((await ask(other))?.status).toBe(200);
  expect((await own.admin.get("/uptime")).status).toBe(200);
  for (const request of open) request.send(BODY.slice(5));
  const answers = await Promise.all(open.map(({ answer }) => answer));
  expect(answers.map((answer) => answer?.status)).toEqual(Array(MAX_CONCURRENT).fill(200));
  expect((await ask(own))?.status).toBe(200);
});

test("a bulk request that was refused until its body arrived needs a slot then", async () => {
  const own = await newOrganization(server);
  const key = await own.newKey({ permission: "admin", ip: ["192.0.2.1"] });
  const late = openRequest(server, head({ ...own, adminKey: key }, BODY.length) + BODY.slice(0, 5));
  // Answered after the other one was judged.
  expect((await key.api.post("/uptime/bulk", "{}")).status).toBe(403);
  expect((await own.admin.put(`/api-keys/${key.id}`, { ip_whitelist: [] })).status).toBe(200);
  const { open } = await fillSlots(own, MAX_CONCURRENT, BODY.length, BODY.length);
  late.send(BODY.slice(5));
  const answer = await late.answer;
  expect(answer?.status).toBe(503);
  expect(JSON.parse(answer?.body ?? "").error).toMatchObject({ code: "UNAVAILABLE", retry_after: 5 });
  for (const request of open) request.hangUp();
});

test("the bytes of an organization's concurrent bulk requests are limited, until their senders disconnect", async () => {
  const own = await newOrganization(server);
  const count = Math.floor(MAX_BYTES / LARGEST_BULK_BODY);
  const room = MAX_BYTES - count * LARGEST_BULK_BODY;
  const { open } = await fillSlots(own, count, LARGEST_BULK_BODY, room + 1);
  expect((await ask(own, room))?.status).toBe(200);
  for (const request of open) request.hangUp();
  await until("their room is free", async () => (await ask(own, room + 1))?.status === 200);
});
