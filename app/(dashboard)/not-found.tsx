import Link from "next/link";

export default function NotFound() {
  return (
    <div className="grid gap-1 px-4 py-10 sm:px-5">
      <h1 className="font-semibold text-xl tracking-tight">There is nothing here</h1>
      <p className="max-w-prose text-pretty text-second">
        What was here is gone, is older than your plan keeps, or belongs to another organization.{" "}
        <Link href="/" className="text-seal underline">
          Go to the overview
        </Link>
      </p>
    </div>
  );
}
