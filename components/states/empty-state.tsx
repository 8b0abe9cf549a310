import type { ReactNode } from "react";

/** The content of an empty list: why it is empty, and what to do about it. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-1 border-t px-4 py-10 sm:px-5">
      <h2 className="font-medium">{title}</h2>
      <div className="max-w-prose text-pretty text-second">{children}</div>
      {action && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}
