import { WithCode } from "@/components/api-reference/with-code";
import { type ErrorCode, errorMeaning, errorStatus } from "@/lib/http/errors";

/** Every error code with its status and when it is returned. */
export function ErrorList() {
  return (
    <section aria-labelledby="errors" className="mb-6">
      <h2 id="errors" className="px-4 pb-1 font-medium sm:px-5">
        Errors
      </h2>
      <ul className="border-t">
        {Object.entries(errorStatus).map(([code, status]) => (
          <li key={code} className="flex min-h-8 items-baseline gap-2 border-b px-4 py-1 max-lg:flex-wrap sm:px-5">
            <span className="inline-block w-14 shrink-0 font-mono text-second text-sm">{status}</span>
            <span className="min-w-0 break-all font-mono text-sm lg:w-[26rem] lg:shrink-0">{code}</span>
            <span className="min-w-0 text-second max-lg:w-full">
              <WithCode text={errorMeaning[code as ErrorCode]} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
