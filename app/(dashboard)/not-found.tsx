import Link from "next/link";

export default function NotFound() {
  return (
    <div className="grid gap-1 px-4 py-10 sm:px-5">
      <h1 className="font-semibold text-xl tracking-tight">Page not found</h1>
      <p className="max-w-prose text-pretty text-second">
        It was deleted, is older than the retention of your plan, or belongs to another organization.{" "}
        <Link href="/" className="text-seal underline">
          Go to the overview
        </Link>
      </p>
    </div>
  );
}
