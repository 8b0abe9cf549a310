import { NotFoundState } from "@/components/states/not-found-state";

export default function NotFound() {
  return (
    <NotFoundState>
      It was deleted, is older than the retention of your plan, or belongs to another organization.
    </NotFoundState>
  );
}
