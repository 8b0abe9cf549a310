import { EmptyState } from "@/components/states/empty-state";

/** The content of a list's page beyond the first that has become empty, which says nothing about the list. */
export function EmptyPage() {
  return (
    <EmptyState title="Nothing on this page">
      What it listed was removed or changed since. The first page may have more.
    </EmptyState>
  );
}
