// Prepares the database of the handler in this folder and prints the new keys as JSON: `node seed.js COUNT`.

import { getMigrations } from "better-auth/db/migration";
import { auth, pool } from "./auth.js";

const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
await pool.query(`CREATE TABLE audit_events (
  id uuid PRIMARY KEY, occurred_at timestamptz NOT NULL, method text NOT NULL, path text NOT NULL, api_key_id text,
  status_code smallint NOT NULL, ip_address inet, user_agent text)`);
const { rows } = await pool.query(`INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
  VALUES ('bench', 'Bench', 'bench@example.test', true, now(), now()) RETURNING id`);
const keys = [];
for (let n = 0; n < Number(process.argv[2]); n++) {
  const { key } = await auth.api.createApiKey({ body: { userId: rows[0].id, name: `Key ${n}` } });
  keys.push(key);
}
await pool.end();
process.stdout.write(JSON.stringify(keys));
