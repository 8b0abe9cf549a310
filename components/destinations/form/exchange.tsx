import { formatMs } from "@/components/time/time-format";
import { CodeBlock } from "@/components/ui/code-block";
import { Note } from "@/components/ui/note";
import type { DestinationTest } from "@/lib/destinations/contract";

/** The result of a test: the requests that were sent, with their secrets masked, and the responses. */
export function TestResult({ test: { ok, error, milliseconds, exchanges } }: { test: DestinationTest }) {
  return (
    <div className="grid gap-4">
      <Note tone={ok ? "seal" : "bad"} alert>
        {ok
          ? `The receiver accepted the newest event in ${formatMs(milliseconds)}.`
          : `The test failed after ${formatMs(milliseconds)}: ${error}.`}
      </Note>
      {exchanges.map(({ request, answer }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: exchanges are in the order in which they happened
        <div key={at} className="grid gap-3">
          <Part title={exchanges.length > 1 ? `Request ${at + 1}` : "Request"} what="the request" {...request} />
          {answer === null ? (
            <p className="text-second">No response.</p>
          ) : (
            <Part title={exchanges.length > 1 ? `Response ${at + 1}` : "Response"} what="the response" {...answer} />
          )}
        </div>
      ))}
    </div>
  );
}

function Part({ title, what, head, body }: { title: string; what: string; head: string; body: string }) {
  const text = body === "" ? head : `${head}\n\n${body}`;
  return (
    <section className="min-w-0">
      <h3 className="mb-1 font-medium">{title}</h3>
      <CodeBlock text={text} what={what} wrap />
    </section>
  );
}
