import Link from "next/link";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { Note } from "@/components/ui/note";
import type { Issue } from "@/lib/http/errors";

/** Replaces the list: says what is invalid in the URL. */
export function ViewRefused({ issues }: { issues: Issue[] }) {
  return (
    <div className="px-4 pb-3 sm:px-5">
      <Note tone="bad" alert>
        <p>This view cannot be shown:</p>
        <ul>
          {issues.map(({ path: name, message }) => (
            <li key={`${name} ${message}`}>
              <span className="font-mono text-sm">{name}</span> {message}.
            </li>
          ))}
        </ul>
        <Link href={EXPLORER} className="font-medium underline">
          Reset the view
        </Link>
      </Note>
    </div>
  );
}
