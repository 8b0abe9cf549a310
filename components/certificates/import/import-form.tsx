"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { ImportResults } from "@/components/certificates/import/import-results";
import { formatOf, type ImportFormat } from "@/components/certificates/import/split-import";
import { useImport } from "@/components/certificates/import/use-import";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Button, LinkButton } from "@/components/ui/button";
import { Field, Input, Select, Textarea } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { protocols } from "@/lib/certificates/targets";
import { formatCount, plural } from "@/lib/text/counts";

type Protocol = (typeof protocols)[number];

const FIELDS = ["text"];

/** Imports endpoints from text. A preview comes first and shows the result of each line before anything changes. */
export function ImportForm({
  trustStores,
  reason,
}: {
  trustStores: readonly { id: string; name: string; is_default: boolean }[];
  reason: string | null;
}) {
  const router = useRouter();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [format, setFormat] = useState<ImportFormat>("lines");
  const [protocol, setProtocol] = useState<Protocol | "">("");
  const [tags, setTags] = useState("");
  const [trustStore, setTrustStore] = useState("");
  const byDefault = trustStores.find(({ is_default }) => is_default);
  const preview = useImport();
  const run = useImport();

  /** Clears the preview, which no longer matches the input. */
  function clearPreview() {
    preview.reset();
    run.reset();
  }

  function setInput(next: string) {
    setText(next);
    setFormat(formatOf(next));
    clearPreview();
  }

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const [chosen] = event.target.files ?? [];
    if (chosen) setInput(await chosen.text());
    event.target.value = "";
  }

  const defaults = {
    ...(protocol !== "" && { protocol }),
    ...(tags.trim() !== "" && { tags: tags.split(/[\s,]+/).filter((tag) => tag !== "") }),
    ...(trustStore !== "" && { trust_store_id: trustStore }),
  };
  const request = { format, text, defaults };
  const importable = preview.data?.filter(({ status }) => status === "created" || status === "updated").length ?? 0;
  const failure = failureOf(run.error ?? preview.error, FIELDS);

  function submit(event: FormEvent) {
    event.preventDefault();
    run.reset();
    preview.mutate({ ...request, dryRun: true });
  }

  return (
    <>
      <form
        onSubmit={submit}
        noValidate
        className="grid grid-cols-1 gap-x-8 gap-y-4 px-4 sm:px-5 lg:grid-cols-[minmax(0,1fr)_18rem]"
      >
        {/* A change would clear the results of the import that runs. */}
        <fieldset disabled={run.isPending} className="contents">
          <Field
            label="Endpoints"
            hint="One host, host:port or protocol://host:port per line; # starts a comment. Or a CSV with a header, in the format of the export."
            error={failure.fields.text}
          >
            {(control) => (
              <Textarea
                {...control}
                mono
                rows={14}
                required
                placeholder={"www.example.com\nexample.com:8443\nsmtp://mail.example.com"}
                value={text}
                onChange={(event) => setInput(event.target.value)}
              />
            )}
          </Field>
          <div className="grid content-start gap-4">
            <div>
              <input
                ref={file}
                type="file"
                accept=".csv,.txt,text/plain,text/csv"
                aria-label="Endpoint file"
                className="sr-only"
                tabIndex={-1}
                onChange={choose}
              />
              <Button onClick={() => file.current?.click()}>Choose file…</Button>
            </div>
            <Field label="Format">
              {(control) => (
                <Select
                  {...control}
                  value={format}
                  onChange={(event) => {
                    setFormat(event.target.value === "csv" ? "csv" : "lines");
                    clearPreview();
                  }}
                >
                  <option value="lines">One endpoint per line</option>
                  <option value="csv">CSV with a header</option>
                </Select>
              )}
            </Field>
            <Field label="Protocol" hint="For lines without one.">
              {(control) => (
                <Select
                  {...control}
                  value={protocol}
                  onChange={(event) => {
                    setProtocol(event.target.value as Protocol | "");
                    clearPreview();
                  }}
                >
                  <option value="">TLS from the start</option>
                  {protocols
                    .filter((each) => each !== "tls")
                    .map((each) => (
                      <option key={each} value={each}>
                        {each}
                      </option>
                    ))}
                </Select>
              )}
            </Field>
            <Field
              label="Tags"
              optional
              hint={`Separated by commas or spaces, for ${format === "csv" ? "rows without tags" : "every line"}.`}
            >
              {(control) => (
                <Input
                  {...control}
                  value={tags}
                  onChange={(event) => {
                    setTags(event.target.value);
                    clearPreview();
                  }}
                />
              )}
            </Field>
            {trustStores.length > 0 && (
              <Field label="Trust store">
                {(control) => (
                  <Select
                    {...control}
                    value={trustStore}
                    onChange={(event) => {
                      setTrustStore(event.target.value);
                      clearPreview();
                    }}
                  >
                    <option value="">{byDefault ? `Default: ${byDefault.name}` : "Public roots only"}</option>
                    {trustStores.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            )}
          </div>
        </fieldset>
        <div className="grid gap-3 lg:col-span-2">
          <FormFailure error={run.error ?? preview.error} message={failure.message} />
          <div className="flex flex-wrap items-center gap-2">
            <GuardedButton
              reason={reason}
              type="submit"
              kind={preview.data ? "plain" : "primary"}
              pending={preview.isPending}
              disabled={run.isPending}
            >
              {preview.isPending ? "Previewing…" : "Preview import"}
            </GuardedButton>
            {preview.data && !run.data && (
              <GuardedButton
                kind="primary"
                reason={reason ?? (importable === 0 ? "There is nothing to import." : null)}
                pending={run.isPending}
                onClick={() => run.mutate({ ...request, dryRun: false }, { onSuccess: () => router.refresh() })}
              >
                {run.isPending ? "Importing…" : `Import ${plural(importable, "endpoint")}`}
              </GuardedButton>
            )}
            {run.data && (
              <LinkButton kind="primary" href="/certificates">
                View endpoints
              </LinkButton>
            )}
            {!preview.data && !preview.isPending && <span className="text-second">A preview changes nothing.</span>}
          </div>
          {run.isPending && <Progress {...run.progress} />}
        </div>
      </form>
      {run.results.length > 0 && !run.isIdle ? (
        <ImportResults results={run.results} isPreview={false} />
      ) : (
        preview.data && <ImportResults results={preview.data} isPreview />
      )}
    </>
  );
}

function Progress({ done, of }: { done: number; of: number }) {
  return (
    <div className="flex items-center gap-3">
      <progress
        aria-label="Import progress"
        className="h-1.5 w-72 max-w-full accent-seal"
        value={done}
        max={Math.max(1, of)}
      />
      <span role="status" className="text-second tabular-nums">
        {formatCount(done)} of {formatCount(of)}
      </span>
    </div>
  );
}
