import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { exampleCurl, exampleOf, jsonOf } from "@/components/api-reference/example";
import { Fields } from "@/components/api-reference/fields";
import { limitOf, Method } from "@/components/api-reference/operation-list";
import { fieldsOf, type Listed, operations, resolve, typeWords } from "@/components/api-reference/schema";
import { WithCode } from "@/components/api-reference/with-code";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { config } from "@/lib/config";

type Params = Promise<{ operation: string }>;

async function find(params: Params): Promise<Listed | undefined> {
  const { operation } = await params;
  return operations().find(({ operationId }) => operationId === operation);
}

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const operation = await find(params);
  return { title: operation ? `${operation.method} ${operation.path}` : "API reference" };
}

export default async function OperationPage({ params }: { params: Params }) {
  await requirePrincipal();
  const operation = await find(params);
  if (operation === undefined) notFound();
  const { method, path, description, parameters, responses, tags } = operation;
  const body = jsonOf(operation.requestBody);
  const [status = "200", success] = Object.entries(responses)[0] ?? [];
  const answer = jsonOf(success);
  const data = answer && (resolve(answer).properties?.data ?? answer);
  const fields = data ? fieldsOf(resolve(data).items ?? data) : [];
  return (
    <>
      <PageHeader
        back={{ href: "/api-reference", label: "API reference" }}
        title={
          <span className="flex flex-wrap items-baseline gap-x-2">
            <Method method={method} />
            <span className="break-all font-mono text-lg">{path}</span>
          </span>
        }
      >
        <WithCode text={description.split("\n\n", 1)[0] ?? ""} />
      </PageHeader>
      <div className="grid gap-x-10 gap-y-6 px-4 pb-8 sm:px-5 xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-6">
          <Part title="Access">
            <p className="text-pretty text-second">
              {accessOf(operation)} Rate limit: {limitOf(tags[0] ?? "")} requests in any 60 seconds per API key, in the
              group {tags[0]}.
            </p>
          </Part>
          {parameters.length > 0 && (
            <Part title="Parameters">
              <Fields
                label="Parameters"
                fields={parameters.map(({ name, schema, required, description, ...parameter }) => ({
                  path: name,
                  type: `${typeWords(schema)}, in the ${parameter.in}`,
                  required,
                  description: description ?? "",
                }))}
              />
            </Part>
          )}
          {body && (
            <Part title="Body">
              <Fields label="Body" fields={fieldsOf(body)} />
            </Part>
          )}
          {fields.length > 0 && (
            <Part title="Response">
              <Fields label="Response" fields={fields} answers />
            </Part>
          )}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <Part title="Request">
            <CodeBlock text={exampleCurl(operation, config().PUBLIC_URL)} what="the command" wrap />
          </Part>
          <Part title={`Success: ${status}`}>
            {answer && fields.length > 0 ? (
              <CodeBlock text={JSON.stringify(exampleOf(answer, false), null, 2)} what="the response" />
            ) : (
              <p className="text-second">Returns {Object.keys(success?.content ?? {}).join(", ") || "a document"}.</p>
            )}
          </Part>
          <Part title="Error">
            <p className="pb-2 text-pretty text-second">
              Every error has this shape. Its request ID is the ID of the request’s entry in the audit log.
            </p>
            <CodeBlock text={JSON.stringify(failure, null, 2)} what="the error" />
          </Part>
        </div>
      </div>
    </>
  );
}

const failure = {
  error: {
    code: "NOT_FOUND",
    message: "There is no such resource.",
    request_id: "01a1fd09-138a-732b-878b-cbdb1158cd55",
  },
};

function accessOf({ method, security }: Listed): string {
  const isPublic = security?.some((each) => Object.keys(each as object).length === 0);
  if (isPublic) return "Public: no credential is required.";
  if (method === "GET") return "Any API key of the organization, or any signed-in member.";
  return "An API key with admin permission, or a signed-in admin.";
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="pb-1.5 font-medium">{title}</h2>
      {children}
    </section>
  );
}
