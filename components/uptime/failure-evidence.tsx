import { CodeBlock } from "@/components/ui/code-block";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { msWords } from "@/components/uptime/words";
import type { Evidence } from "@/lib/uptime/evidence";

/** The response of a failed check, as text. */
export function FailureEvidence({ evidence }: { evidence: Evidence }) {
  const { status_code, address, headers, body, body_truncated } = evidence;
  const phases = [
    ["DNS", evidence.dns_ms],
    ["connect", evidence.connect_ms],
    ["TLS", evidence.tls_ms],
    ["first byte", evidence.ttfb_ms],
    ["total", evidence.total_ms],
  ] as const;
  return (
    <div className="grid gap-x-10 gap-y-4 px-4 sm:px-5 lg:grid-cols-2">
      <DefinitionGroup>
        {status_code !== null && <Definition name="Status">{status_code}</Definition>}
        <Definition name="Address" mono>
          {address}
        </Definition>
        <Definition name="Time">
          {phases
            .filter(([, ms]) => ms !== null)
            .map(([name, ms]) => `${name} ${msWords(ms)}`)
            .join(" · ")}
        </Definition>
        {Object.entries(headers).map(([name, value]) => (
          <Definition key={name} name={name} mono>
            {value}
          </Definition>
        ))}
      </DefinitionGroup>
      <div className="min-w-0">
        <h3 className="mb-1 text-second text-xs">
          {status_code === null ? "Answer" : "Body"}
          {body_truncated && ", the first 4 KiB"}
        </h3>
        {body === null || body === "" ? (
          <p className="text-second">Empty, or not received in time.</p>
        ) : (
          <div className="max-h-96 overflow-auto">
            <CodeBlock text={body} what={status_code === null ? "the answer" : "the body"} wrap />
          </div>
        )}
      </div>
    </div>
  );
}
