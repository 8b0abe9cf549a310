import type { Metadata } from "next";
import { Databases } from "@/components/operator/databases";
import { Jobs } from "@/components/operator/jobs";
import { Processes } from "@/components/operator/processes";
import { Volumes } from "@/components/operator/volumes";
import { Waiting } from "@/components/operator/waiting";
import { PageHeader } from "@/components/ui/page-header";
import { requireOperator } from "@/lib/auth/require-operator";
import { boundedPart } from "@/lib/operator/bounded-part";
import { readOutboxFigures, readSealingFigures, readSigningFigures } from "@/lib/operator/figures";
import { readAuditDatabase, readMonitoringDatabase } from "@/lib/operator/read-databases";
import { readProcesses } from "@/lib/operator/read-processes";
import { readStreams } from "@/lib/operator/read-streams";
import { readVolumes } from "@/lib/operator/read-volumes";

export const metadata: Metadata = { title: "Operator" };

export default async function OperatorPage() {
  await requireOperator();
  const [running, outbox, sealing, signing, streams, monitoring, audit, volumes] = await Promise.all([
    boundedPart(readProcesses),
    boundedPart(() => readOutboxFigures("report")),
    boundedPart(() => readSealingFigures("report")),
    boundedPart(() => readSigningFigures("report")),
    boundedPart(readStreams),
    boundedPart(readMonitoringDatabase),
    boundedPart(readAuditDatabase),
    boundedPart(readVolumes),
  ]);
  return (
    <>
      <PageHeader title="Operator">
        The state of this installation. Only people whom OPERATORS names see this page.
      </PageHeader>
      <Waiting outbox={outbox} sealing={sealing} signing={signing} streams={streams} />
      <Processes processes={running?.processes ?? null} />
      <Jobs jobs={running?.jobs ?? null} />
      <Databases monitoring={monitoring} audit={audit} />
      <Volumes volumes={volumes} />
    </>
  );
}
