import { NotFoundDocument } from "@/components/states/not-found-document";
import { NotFoundState } from "@/components/states/not-found-state";
import { currentSession } from "@/lib/auth/session";

export default async function NotFound() {
  if ((await currentSession()) === null) return <NotFoundDocument />;
  return <NotFoundState>The address is wrong, or the page has moved.</NotFoundState>;
}
