import { accountForIssued, askRenewals, findSilent, readRecords } from "@/e2e/faults/matrix/certificate-jobs";
import { streamLog } from "@/e2e/faults/matrix/destination-jobs";
import type { FaultName } from "@/e2e/faults/matrix/fault-table";
import { keepHeld } from "@/e2e/faults/matrix/hold-jobs";
import * as log from "@/e2e/faults/matrix/log-jobs";
import * as watch from "@/e2e/faults/matrix/watch-jobs";
import type { Give, Meaning } from "@/e2e/faults/work";

/** The background jobs, and how to give them work. */
export const jobs = {
  "certificate checks": watch.checkCertificates,
  "CAA records": readRecords,
  "renewal windows": askRenewals,
  "issued certificates": accountForIssued,
  "silent agents": findSilent,
  "uptime checks": watch.checkUptime,
  "alerts about monitors": watch.alertAboutMonitors,
  "alerts about events": watch.alertAboutEvents,
  deliveries: watch.sendDeliveries,
  "weekly e-mails": log.sendWeeklyEmails,
  "checkpoints for channels": log.sendCheckpoint,
  destinations: streamLog,
  "time stamps": log.stampCheckpoint,
  cosignatures: log.cosignCheckpoint,
  discovery: watch.discover,
  "deletion of organizations": watch.purge,
  "deletion of old checks": log.dropChecks,
  outbox: log.shipOutbox,
  "folding of counts": log.fold,
  retention: log.dropExpired,
  "legal holds": keepHeld,
  "self-check of sealed logs": log.checkSealedLog,
  redactions: log.redactBody,
  "change of class": log.moveClass,
  partitions: log.createPartitions,
  "exports under way": log.finishExport,
  requests: log.answerRequests,
  streams: log.stream,
} satisfies Record<string, Give>;

export type JobName = keyof typeof jobs;

/** Jobs that can get work during a fault, because it needs only the monitoring database and no lock of others. */
export const givenAgain: readonly JobName[] = [
  "certificate checks",
  "CAA records",
  "renewal windows",
  "issued certificates",
  "uptime checks",
  "alerts about monitors",
  "deliveries",
  "discovery",
];

const everything = Object.keys(jobs) as JobName[];
const ofWeb: JobName[] = ["exports under way", "requests", "streams"];
const ofAuditDatabase: JobName[] = [
  "alerts about events",
  "weekly e-mails",
  "checkpoints for channels",
  "destinations",
  "time stamps",
  "cosignatures",
  "outbox",
  "folding of counts",
  "retention",
  "legal holds",
  "self-check of sealed logs",
  "redactions",
  "change of class",
  "partitions",
  "exports under way",
  "streams",
];
const without = (jobs: JobName[]) => everything.filter((job) => !jobs.includes(job));

/** The jobs that wait for the end of a fault; all others continue during it. */
const waiting: Record<FaultName, JobName[]> = {
  "the monitoring database is unavailable": without([
    "cosignatures",
    "folding of counts",
    "partitions",
    "exports under way",
  ]),
  "the audit database is unavailable": ofAuditDatabase,
  "the audit database hangs": ofAuditDatabase,
  "connections are cut": everything,
  "Redis is unavailable": [],
  "the mail server hangs": ["weekly e-mails"],
  "the worker is killed": without(ofWeb),
  "a long reader holds locks": ["deletion of old checks", "retention", "legal holds"],
  "another tenant has too much of everything": [],
};

export function meaningOf(job: JobName, fault: FaultName): Meaning {
  return waiting[fault].includes(job) ? "catches up" : "goes on";
}
