import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import pg from "pg";

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

export const auth = betterAuth({
  database: pool,
  secret: "a-secret-for-measurements-on-loopback",
  baseURL: "http://127.0.0.1",
  telemetry: { enabled: false },
  plugins: [apiKey({ rateLimit: { enabled: true, timeWindow: 60_000, maxRequests: 1_000_000 } })],
});
