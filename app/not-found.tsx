import { NotFoundDocument } from "@/components/states/not-found-document";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return <NotFoundDocument />;
}
