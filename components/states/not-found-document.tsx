import { Mark } from "@/components/layout/mark";

/** The whole document for an address that does not exist, for visitors without a session. */
export function NotFoundDocument() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-2 px-5">
      <Mark className="mb-2 size-7" />
      <h1 className="font-semibold text-xl tracking-tight">Page not found</h1>
      <p className="text-second">
        The address is wrong, or the page was deleted or belongs to another organization.{" "}
        <a href="/" className="text-seal underline">
          Go to the overview
        </a>
      </p>
    </main>
  );
}
