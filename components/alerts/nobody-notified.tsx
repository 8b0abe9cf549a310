import { gapWarnings } from "@/components/alerts/gap-words";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { readNotificationGaps } from "@/lib/alerts/coverage/notification-gaps";
import type { Principal } from "@/lib/http/principal";

/** Warns where nobody would be notified, with a link to the fix; nothing if everything is covered. */
export async function NobodyNotified({ principal }: { principal: Principal }) {
  const warnings = gapWarnings(await readNotificationGaps(principal));
  if (warnings.length === 0) return null;
  return (
    <div className="grid gap-2 px-4 pb-3 sm:px-5">
      {warnings.map(({ words, fix }) => (
        <Note key={words} tone="warn">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {words}
            <LinkButton prefetch={false} href={fix.href}>
              {fix.label}
            </LinkButton>
          </span>
        </Note>
      ))}
    </div>
  );
}
