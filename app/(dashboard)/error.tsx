"use client";

import { ErrorState } from "@/components/states/error-state";

export default function DashboardError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return <ErrorState digest={error.digest} retry={retry} />;
}
