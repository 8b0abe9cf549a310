import { bodyView } from "@/components/audit-logs/entry/body-view";
import { DownloadBody } from "@/components/audit-logs/entry/download-body";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";

/** The body exactly as it was submitted. */
export function Body({ event }: { event: AuditEventWithBody }) {
  const { request } = event;
  if (request === null) return null;
  const { method, body, body_encoding, body_size } = request;
  if (body === null || body_encoding === null) {
    const isRefused = (body_size ?? 0) > 0;
    if (event.seal?.redaction?.body) return <p className="text-second">The body was redacted.</p>;
    return (
      <p className="text-second">
        {isRefused
          ? "The body was too large and was rejected without being read. Only its declared size is known."
          : method === "GET"
            ? "A GET request has no body."
            : "The body was not stored."}
      </p>
    );
  }
  if (body === "") return <p className="text-second">The request had no body.</p>;
  const { pretty, raw, isCut } = bodyView(body, body_encoding);
  const asSubmitted = (
    <>
      <CodeBlock text={isCut ? raw : body} shown={raw} what={isCut ? "the part shown" : "the body as submitted"} wrap />
      {body_encoding === "base64" && (
        <p className="mt-1 text-second text-sm">The body is not valid UTF-8, so it is shown as base64.</p>
      )}
      <p className="mt-1 text-right">
        <DownloadBody id={event.id} body={body} encoding={body_encoding} />
      </p>
      {isCut && (
        <p className="mt-1 text-second text-sm">Only the beginning is shown. Download the body to see all of it.</p>
      )}
    </>
  );
  if (pretty === null) return asSubmitted;
  return (
    <Tabs
      tabs={[
        { value: "pretty", label: "Formatted", content: <CodeBlock text={pretty} what="the formatted body" wrap /> },
        { value: "raw", label: "As submitted", content: asSubmitted },
      ]}
    />
  );
}
