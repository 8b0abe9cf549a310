import Link from "next/link";
import { type KeyNotice, keyNotices } from "@/components/overview/key-notices";
import { Quiet } from "@/components/overview/part";
import { Ago } from "@/components/ui/time";
import { listApiKeys } from "@/lib/api-keys/list";
import type { Principal } from "@/lib/auth/principal";

const MOST = 7;

const kinds: Record<KeyNotice["kind"], { words: string; colour: string }> = {
  expires: { words: "expires", colour: "text-warn" },
  overdue: { words: "should have been rotated", colour: "text-warn" },
  idle: { words: "was last used", colour: "text-second" },
  unused: { words: "was never used; created", colour: "text-second" },
};

/** Keys that want a look, one a line; or that none does. */
export async function KeysPart({ principal }: { principal: Principal }) {
  const { items } = await listApiKeys(principal, { limit: 200, cursor: undefined });
  const notices = keyNotices(items, Date.now()).slice(0, MOST);
  if (notices.length === 0) {
    const isAny = items.some(({ status }) => status === "active");
    return (
      <Quiet>
        {isAny ? "None expires soon, none is overdue for rotation, none lies idle." : "There is no active key."}
      </Quiet>
    );
  }
  return (
    <ul className="border-t">
      {notices.map(({ id, name, kind, at }) => (
        <li key={id}>
          <Link
            prefetch={false}
            href="/api-keys"
            className="grid h-7 grid-cols-[minmax(0,1fr)_auto] items-center gap-3 border-b px-4 hover:bg-sunken focus-visible:-outline-offset-2 sm:px-5 pointer-coarse:h-10"
          >
            <span className="truncate font-medium">{name}</span>
            <span className={kinds[kind].colour}>
              {kinds[kind].words} <Ago value={at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
