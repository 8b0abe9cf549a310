// The hand-written floor: the same answers, from the same databases and with the same durability, in the least code that does it.
// It has no limits, permissions, validation or log, and is one process, like one web process.
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const { DATABASE_URL, AUDIT_DATABASE_URL, PORT, POOL = "10" } = process.env;
const [app, audit] = [DATABASE_URL, AUDIT_DATABASE_URL].map(
  (connectionString) => new pg.Pool({ connectionString, max: Number(POOL) }),
);
const IDENTIFY = { name: "identify", text: "SELECT organization_id FROM api_key_secrets WHERE hash = $1" };
const PAGE = {
  name: "page",
  text: `SELECT id, encode(sha256, 'hex') AS sha256, subject, common_name, issuer, serial_number, sans, not_before, not_after, key_type,
    key_bits, signature_algorithm, is_ca, first_seen_at, encode(public_key_sha256, 'hex') AS public_key_sha256, added_at, obtained_at,
    key_usages, extended_key_usages FROM certificates WHERE organization_id = $1 ORDER BY id DESC LIMIT 51`,
};
const CREATE = {
  name: "create",
  text: "INSERT INTO floor_endpoints (organization_id, id, host, port) VALUES ($1, $2, $3, $4) RETURNING *",
};
const UPDATE = {
  name: "update",
  text: "UPDATE floor_endpoints SET tags = $3 WHERE organization_id = $1 AND id = $2 RETURNING *",
};
const EVENTS = {
  name: "events",
  text: `INSERT INTO floor_events (organization_id, id, method, path, status, ip, user_agent, occurred_at)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::inet[], $7::text[], $8::timestamptz[])`,
};

/** Group commit: an event waits for the batch in flight, and an answer for the batch of its event. */
let [waiting, isWriting] = [[], false];
async function write() {
  isWriting = true;
  for (let batch = waiting; batch.length > 0; batch = waiting) {
    waiting = [];
    const columns = batch[0].values.map((_, column) => batch.map(({ values }) => values[column]));
    await audit.query({ ...EVENTS, values: columns });
    for (const { resolve } of batch) resolve();
  }
  isWriting = false;
}
const record = (...values) =>
  new Promise((resolve) => {
    waiting.push({ values, resolve });
    if (!isWriting) write();
  });

async function read(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

async function work(request, organization) {
  if (request.method === "GET") return [200, (await app.query({ ...PAGE, values: [organization] })).rows];
  const body = await read(request);
  const id = request.url.split("/")[5];
  if (request.method === "PUT")
    return [200, (await app.query({ ...UPDATE, values: [organization, id, body.tags] })).rows[0]];
  const values = [organization, randomUUID(), body.host, body.port];
  return [201, (await app.query({ ...CREATE, values })).rows[0]];
}

createServer(async (request, response) => {
  const hash = createHash("sha256").update(request.headers.authorization.slice(7)).digest();
  const [{ organization_id: organization }] = (await app.query({ ...IDENTIFY, values: [hash] })).rows;
  const [status, data] = await work(request, organization);
  const [id, ip] = [randomUUID(), request.socket.remoteAddress];
  await record(
    organization,
    id,
    request.method,
    request.url,
    status,
    ip,
    request.headers["user-agent"] ?? "",
    new Date(),
  );
  const body = JSON.stringify({ data });
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": id,
  });
  response.end(body);
}).listen(Number(PORT), "127.0.0.1");
