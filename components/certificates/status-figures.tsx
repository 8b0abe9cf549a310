import Link from "next/link";
import { statusTone } from "@/components/certificates/finding-titles";
import { byUrgency, statusWords } from "@/components/certificates/urgency";
import { toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { plural } from "@/components/ui/time-format";
import type { CertificateEndpoint, EndpointStatus } from "@/lib/certificates/contract";

/** How many endpoints are in which state; each narrows the list to itself, and once more takes that off. */
export function StatusFigures({ endpoints, chosen }: { endpoints: CertificateEndpoint[]; chosen: string | undefined }) {
  const count = (status: EndpointStatus) => endpoints.filter((endpoint) => endpoint.status === status).length;
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-0.5 px-4 pb-2.5 text-second sm:px-5">
      <Link href="/certificates" className="hover:underline">
        <strong className="font-semibold text-ink tabular-nums">{endpoints.length}</strong>{" "}
        {plural(endpoints.length, "endpoint").replace(/^\S+ /, "")}
      </Link>
      {byUrgency
        .filter((status) => count(status) > 0)
        .map((status) => (
          <Link
            key={status}
            href={chosen === status ? "/certificates" : `/certificates?status=${status}`}
            aria-current={chosen === status ? "true" : undefined}
            className="rounded-sm hover:underline aria-current:underline"
          >
            <strong
              className={cx("font-semibold tabular-nums", status === "ok" ? "text-ink" : toneText[statusTone[status]])}
            >
              {count(status)}
            </strong>{" "}
            {statusWords[status]}
          </Link>
        ))}
    </p>
  );
}
