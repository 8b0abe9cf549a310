import Link from "next/link";
import { EndpointState } from "@/components/certificates/endpoints/endpoint-state";
import { Findings } from "@/components/certificates/findings/findings";
import { Chain } from "@/components/certificates/inventory/chain";
import { endpointName } from "@/components/certificates/inventory/names";
import { getCertificateEndpoint } from "@/lib/certificates/endpoints/get-endpoint";
import type { Principal } from "@/lib/http/principal";

/** The findings of an endpoint, and the chain that it serves. */
export async function SiteCertificate({ principal, id, now }: { principal: Principal; id: string; now: number }) {
  const endpoint = await getCertificateEndpoint(principal, { id });
  const { findings, served_chain } = endpoint;
  return (
    <section className="px-4 pt-8 sm:px-5">
      <div className="flex flex-wrap items-baseline gap-x-4 pb-2">
        <h2 className="font-medium text-lg">
          Certificate at{" "}
          <Link href={`/certificates/endpoints/${id}`} className="font-mono text-seal underline underline-offset-2">
            {endpointName(endpoint)}
          </Link>
        </h2>
        <EndpointState endpoint={endpoint} />
      </div>
      {findings.length > 0 && <Findings findings={findings} renewal={endpoint.renewal_method} />}
      <h3 className="pt-4 pb-2 text-second text-xs">Served chain</h3>
      {served_chain.length > 0 ? (
        <Chain chain={served_chain} now={now} />
      ) : (
        <p className="text-second">No certificate seen yet.</p>
      )}
    </section>
  );
}
