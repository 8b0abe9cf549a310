import type { ReactNode } from "react";

/** A part of the operator's page; without children it could not be read. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h2 className="px-4 pb-2 font-medium sm:px-5">{title}</h2>
      {children ?? <p className="border-t px-4 py-2 text-bad sm:px-5">Could not be read within 5 s.</p>}
    </section>
  );
}

/** What a part says if there is nothing to list. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="border-t px-4 py-2 text-second sm:px-5">{children}</p>;
}
