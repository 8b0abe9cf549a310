import { notFound } from "next/navigation";

export const metadata = { title: "Not found" };

/** Every address that no other page has. */
export default function UnknownPage() {
  notFound();
}
