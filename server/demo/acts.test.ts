import { expect, test } from "vitest";
import { random } from "@/bench/audit/events";
import type { FoundKey } from "@/lib/auth/find-key";
import { groupBy } from "@/lib/group-by";
import { groupLimits } from "@/lib/http/groups";
import { idTime, newIdAt } from "@/lib/ids";
import { WINDOW_MS } from "@/lib/rate-limits/window";
import { acts } from "@/server/demo/acts";
import { isAlerting } from "@/server/demo/alerts";

const now = Date.UTC(2026, 0, 31, 12);
const when = (daysAgo: number, hour: number) => Date.UTC(2026, 0, 31 - daysAgo) + hour * 3_600_000;

function key(name: string, state: Partial<FoundKey> = {}): FoundKey {
  return {
    ...{ organizationId: newIdAt(0), plan: "business", id: newIdAt(0), name, hint: "…", permission: "read" },
    ...{ scope: null, ipWhitelist: [], expiresAt: null, revokedAt: null, retiredAt: null },
    ...state,
  };
}

const keys = {
  prometheus: key("prometheus"),
  edge: key("edge"),
  terraform: key("terraform", { ipWhitelist: ["198.51.100.0/24"] }),
  ci: key("ci", { retiredAt: new Date(when(9, 9.2)) }),
  rotatedCi: key("rotated-ci"),
  contractor: key("contractor", { revokedAt: new Date(when(30, 17)) }),
};
const rows = [...acts({ now, when, next: random(1), keys })].map(({ row }) => row);
const isSuccess = ({ status_code }: { status_code: number | null }) => (status_code ?? 500) < 400;

test("every request that succeeds is a read", () => {
  expect(new Set(rows.filter(isSuccess).map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("each unknown origin of the leaked key begins with an event that alerts are about", () => {
  const strangers = groupBy(
    rows.filter((row) => row.api_key_name === "ci" && row.user_agent?.startsWith("python-httpx")),
    ({ country }) => country,
  );
  expect([...strangers.keys()]).toEqual(["NL", "SG", "BR"]);
  for (const mine of strangers.values()) {
    expect(mine.filter(isSuccess).map(isAlerting).indexOf(true)).toBe(0);
    expect(mine.filter((row) => row.flags.includes("new_country"))).toHaveLength(1);
  }
});

test("requests are rate limited only above the limit", () => {
  const limit = groupLimits.certificates;
  const terraform = rows.filter(({ api_key_name }) => api_key_name === "terraform");
  const limited = terraform.filter(({ status_code }) => status_code === 429);
  const admitted = terraform.filter(isSuccess).map(({ id }) => idTime(id));
  expect(new Set(limited.map(({ id }) => Math.floor(idTime(id) / 86_400_000))).size).toBe(4);
  for (const row of limited) {
    const at = idTime(row.id);
    expect(admitted.filter((time) => time <= at && time > at - WINDOW_MS - 1).length).toBeGreaterThanOrEqual(limit);
    expect(row).toMatchObject({ error_code: "RATE_LIMITED", rate_limit_remaining: 0, flags: ["rate_limited"] });
  }
  expect(terraform.filter((row) => isSuccess(row) && row.rate_limit_remaining === 0)).toHaveLength(4);
});

test("a list always exists, and what is not found has an id", () => {
  const missing = rows.filter(({ status_code }) => status_code === 404);
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.filter((row) => row.resource_id === null || !row.path?.endsWith(row.resource_id))).toEqual([]);
});
