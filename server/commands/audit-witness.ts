import { addWitness } from "@/lib/audit-logs/cosign/add-witness";
import { removeWitness } from "@/lib/audit-logs/cosign/remove-witness";
import { listWitnesses, type WitnessState } from "@/lib/audit-logs/seal/list-witnesses";
import { readInstallation } from "@/lib/audit-logs/sign/installation";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { auditPool } from "@/lib/db/audit";
import { installationOrigin } from "@/lib/sealed-log/origin";
import { formatVkey, verifierKey } from "@/lib/sealed-log/vkey";
import { witness } from "@/lib/witness/identity";
import { CliError } from "@/server/cli-error";
import type { Answer } from "@/server/commands/command";

export const WITNESS_FORMS = ["add NAME VKEY URL", "list", "remove NAME"];

/** Adds, lists or removes the witnesses that cosign this installation's checkpoints. Throws CliError. */
export async function auditWitness(words: readonly string[]): Promise<Answer> {
  const [verb, name = "", vkey = "", url = ""] = words;
  if (verb === "list") return list();
  if (verb === "add") {
    const own = witness();
    if (own !== null && formatVkey(own.verifier) === vkey) throw new CliError("VKEY: is the key of this installation.");
    const added = await withAuditEvent({ action: "audit_log.add_witness" }, () => addWitness({ name, vkey, url }));
    return { json: added, text: `${added.name}  ${added.url}  is asked to cosign within seconds.` };
  }
  const removed = await withAuditEvent({ action: "audit_log.remove_witness" }, () => removeWitness(name));
  return { json: removed, text: `${removed.name}  ${removed.url}  removed` };
}

async function list(): Promise<Answer> {
  const witnesses = await listWitnesses(auditPool());
  const json = witnesses.map(({ cosigned_at, silent_since, ...rest }) => ({
    ...rest,
    cosigned_at: cosigned_at?.toISOString() ?? null,
    silent_since: silent_since?.toISOString() ?? null,
  }));
  return { json, text: witnesses.map(wordsOf).join("\n") || "No witnesses yet." };
}

function wordsOf({ name, vkey, url, cosigned_at, failure, refused, silent_since }: WitnessState): string {
  const last = cosigned_at === null ? "has not cosigned yet" : `cosigned at ${cosigned_at.toISOString()}`;
  const silent = silent_since === null ? "" : ", silent";
  const why = refused ?? (failure === null ? null : `It ${failure}.`);
  return [`${name}  ${last}${silent}`, `  ${url}`, `  ${vkey}`, ...(why === null ? [] : [`  ${why}`])].join("\n");
}

/** The key that verifies the installation's log, which its witnesses need. Throws CliError before the first checkpoint. */
export async function installationVkey(): Promise<Answer> {
  const { host, epoch, public_key } = await readInstallation();
  if (host === null || public_key === null) throw new CliError("No checkpoint has been signed yet.");
  const vkey = formatVkey(verifierKey(installationOrigin(host, epoch), public_key));
  return { json: { vkey }, text: vkey };
}
