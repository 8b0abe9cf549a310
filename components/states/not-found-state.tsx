import Link from "next/link";

/** The content of a page that does not exist, inside of the dashboard. */
export function NotFoundState({ children }: { children: string }) {
  return (
    <div className="grid gap-1 px-4 py-10 sm:px-5">
      <h1 className="font-semibold text-xl tracking-tight">Page not found</h1>
      <p className="max-w-prose text-pretty text-second">
        {children}{" "}
        <Link href="/" className="text-seal underline">
          Go to the overview
        </Link>
      </p>
    </div>
  );
}
