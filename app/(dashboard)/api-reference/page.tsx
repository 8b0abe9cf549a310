import type { Metadata } from "next";
import { ErrorList } from "@/components/api-reference/error-list";
import { OperationList } from "@/components/api-reference/operation-list";
import { operations } from "@/components/api-reference/schema";
import { type SearchParams, single } from "@/components/layout/search-params";
import { buttonClass } from "@/components/ui/button-class";
import { CodeBlock } from "@/components/ui/code-block";
import { cx } from "@/components/ui/cx";
import { Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { config } from "@/lib/config";
import { API_PREFIX } from "@/lib/http/endpoint";

export const metadata: Metadata = { title: "API reference" };

export default async function ApiReferencePage({ searchParams }: { searchParams: SearchParams }) {
  await requirePrincipal();
  const { q = "" } = await single(searchParams);
  const base = `${config().PUBLIC_URL}${API_PREFIX}`;
  return (
    <>
      <PageHeader
        title="API reference"
        actions={
          <a href={`${API_PREFIX}/openapi.json`} className={buttonClass()}>
            OpenAPI document
          </a>
        }
      >
        The HTTP API does everything that this dashboard does, and more. Send an API key with each request. A key with
        read permission can only send GET requests. Rate limits apply per API key and group, in any 60 seconds. Guides
        to the audit log, keys and limits, alerts and operations are in the{" "}
        <code className="font-mono text-sm">docs</code> folder of Sealwatch’s source code.
      </PageHeader>
      <div className="grid max-w-3xl gap-3 px-4 pb-5 sm:px-5">
        <CodeBlock text={`curl "${base}/api-keys" \\\n  -H "Authorization: Bearer $SECRET"`} what="the command" wrap />
        <form action="/api-reference" className="flex gap-2">
          <Input
            type="search"
            name="q"
            defaultValue={q}
            key={q}
            aria-label="Search endpoints"
            placeholder="Method, path or description"
          />
          <button type="submit" className={cx(buttonClass(), "h-8 pointer-coarse:h-10")}>
            Search
          </button>
        </form>
      </div>
      <OperationList operations={operations()} search={q} />
      {q === "" && <ErrorList />}
    </>
  );
}
