import Link from "next/link";
import type { Listed } from "@/components/api-reference/schema";
import { WithCode } from "@/components/api-reference/with-code";
import { cx } from "@/components/ui/cx";
import { groupBy } from "@/lib/group-by";
import { groupLimits } from "@/lib/http/groups";

const tones: Record<string, string> = { GET: "text-second", POST: "text-good", PUT: "text-warn", DELETE: "text-bad" };

/** The method, shown before a path. */
export function Method({ method, className }: { method: string; className?: string }) {
  return <span className={cx("shrink-0 font-medium font-mono text-sm", tones[method], className)}>{method}</span>;
}

/** `api_keys` as people write it. */
function groupTitle(group: string): string {
  const words = group.replaceAll("_", " ");
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Api\b/, "API");
}

/** The operations that match every word of the search, by group. */
export function OperationList({ operations, search }: { operations: readonly Listed[]; search: string }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter(({ method, path, description, tags }) => {
    const text = `${method} ${path} ${description} ${tags.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = groupBy(found, ({ tags }) => tags[0] ?? "other");
  if (found.length === 0) {
    return (
      <p className="border-t px-4 py-8 text-second sm:px-5">
        No endpoint matches “{search}”.{" "}
        <Link href="/api-reference" className="text-ink underline underline-offset-2">
          Show all endpoints
        </Link>
      </p>
    );
  }
  return [...groups].map(([group, listed]) => (
    <section key={group} aria-labelledby={`group-${group}`} className="mb-6">
      <h2 id={`group-${group}`} className="flex items-baseline gap-3 px-4 pb-1 font-medium sm:px-5">
        {groupTitle(group)}
        <span className="font-normal text-second text-sm">{limitOf(group)} requests in any 60 seconds</span>
      </h2>
      <ul className="border-t">
        {listed.map(({ operationId, method, path, summary }) => (
          <li key={operationId}>
            <Link
              href={`/api-reference/${operationId}`}
              prefetch={false}
              className="flex min-h-8 items-baseline gap-2 border-b px-4 py-1 hover:bg-sunken max-lg:flex-wrap sm:px-5 pointer-coarse:min-h-11"
            >
              <Method method={method} className="w-14" />
              <span className="min-w-0 break-all font-mono text-sm lg:w-[26rem] lg:shrink-0">{path}</span>
              <span className="min-w-0 text-second max-lg:w-full">
                <WithCode text={summary} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** Requests in any 60 seconds per API key. */
export function limitOf(group: string): number {
  return group in groupLimits ? groupLimits[group as keyof typeof groupLimits] : groupLimits.other;
}
