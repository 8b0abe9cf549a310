import Link from "next/link";
import { RiskBadges } from "@/components/api-keys/risk-badges";
import { EmptySection } from "@/components/states/empty-section";
import { listApiKeys } from "@/lib/api-keys/list";
import { risks } from "@/lib/api-keys/risks";
import type { Principal } from "@/lib/http/principal";

const MAX_ROWS = 7;

/** The newest keys with risks, the most urgent first, or a note that there are none. */
export async function KeysPart({ principal }: { principal: Principal }) {
  const { items, nextCursor } = await listApiKeys(principal, { limit: 200, cursor: undefined });
  const risky = items
    .flatMap((key) => {
      const [worst] = key.risks;
      return worst === undefined ? [] : [{ ...key, rank: risks.indexOf(worst) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_ROWS);
  if (risky.length === 0) {
    const isAny = items.some(({ status }) => status === "active");
    const newest = nextCursor === null ? null : `the newest ${items.length} keys`;
    if (!isAny)
      return <EmptySection>{newest ? `None of ${newest} is active.` : "There are no active keys."}</EmptySection>;
    return <EmptySection>No risks found in any {newest ? `of ${newest}` : "key"}.</EmptySection>;
  }
  return (
    <>
      <ul className="border-t">
        {risky.map((key) => (
          <li key={key.id}>
            <Link
              prefetch={false}
              href={`/api-keys/${key.id}`}
              className="grid h-7 grid-cols-[minmax(5rem,1fr)_auto] items-center gap-3 border-b px-4 hover:bg-sunken focus-visible:-outline-offset-2 sm:px-5 pointer-coarse:h-10"
            >
              <span className="truncate font-medium">{key.name}</span>
              <span className="truncate">
                <RiskBadges risks={key.risks} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {nextCursor !== null && <p className="px-4 pt-2 text-second sm:px-5">of the newest {items.length} keys</p>}
    </>
  );
}
