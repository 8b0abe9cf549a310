import { severityTone } from "@/components/certificates/findings/finding-tones";
import { findingWords } from "@/components/certificates/findings/finding-words";
import { otherCertificate } from "@/components/certificates/findings/scan-words";
import { Ago } from "@/components/time/time";
import { toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { Finding } from "@/lib/certificates/contract";
import { findingLabels } from "@/lib/certificates/finding-labels";
import type { RenewalMethod } from "@/lib/certificates/renewal-fields";

type Shown = Pick<Finding, "code" | "severity" | "evidence"> & { opened_at?: string };

/** Findings in words, most severe first, each with the evidence that the API returns. */
export function Findings({ findings, renewal = null }: { findings: Shown[]; renewal?: RenewalMethod | null }) {
  return (
    <ul className="border-t">
      {findings.map(({ code, severity, evidence, opened_at }) => {
        const { says, advice } = findingWords[code](evidence, renewal);
        const other = otherCertificate(evidence);
        return (
          <li
            key={code}
            className="grid grid-cols-1 gap-x-4 gap-y-0.5 border-b py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)]"
          >
            <div>
              <h3 className={cx("font-medium", toneText[severityTone[severity]])}>{findingLabels[code]}</h3>
              <p className="text-second text-sm">
                {severity}
                {opened_at && (
                  <>
                    {" "}
                    · found <Ago value={opened_at} />
                  </>
                )}
              </p>
            </div>
            <div className="min-w-0 max-w-prose">
              <p className="break-words">{says}</p>
              {other !== null && <p className="break-words">{other}</p>}
              <p className="text-pretty text-second">{advice}</p>
              <details className="mt-1 text-sm">
                <summary className="w-max cursor-pointer rounded-xs text-second hover:text-ink">Evidence</summary>
                <pre className="mt-1 whitespace-pre-wrap break-all rounded-sm bg-sunken px-2 py-1.5 font-mono">
                  {JSON.stringify(evidence, null, 2)}
                </pre>
              </details>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
