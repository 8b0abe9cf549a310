import type { ReactNode } from "react";

/** The message of a section without rows. */
export function EmptySection({ children }: { children: ReactNode }) {
  return <p className="border-y px-4 py-2.5 text-second sm:px-5">{children}</p>;
}
