"use client";

import { ErrorState } from "@/components/states/error-state";

export default function RootError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <main className="mx-auto max-w-2xl pt-16">
      <ErrorState digest={error.digest} retry={retry} />
    </main>
  );
}
