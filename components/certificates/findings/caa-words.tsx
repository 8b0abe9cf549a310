import { type Evidence, few, object, objects, text, texts } from "@/components/certificates/findings/evidence";
import type { Words } from "@/components/certificates/findings/usage-words";
import { shortName } from "@/components/certificates/inventory/names";

const namesIn = (evidence: Evidence, list: string) =>
  few(
    [...new Set(objects(evidence, list).map((each) => text(each, "name")))],
    Number(text(evidence, `${list}_total`)) || undefined,
  );

/** The new records of the first name that changed. */
function change(evidence: Evidence): string {
  const [first = {}] = objects(evidence, "names");
  const accounts = object(first, "accounts");
  const added = texts(accounts, "to").filter((uri) => !texts(accounts, "from").includes(uri));
  const records = `now ${few(texts(first, "to")) || "no records"}, before ${few(texts(first, "from")) || "no records"}`;
  return added.length > 0 ? `${records}; new accounts: ${few(added)}` : records;
}

/** Findings about who may issue (CAA), in words, with their evidence. */
export const caaWords = {
  caa_forbids_renewal: (evidence: Evidence): Words => ({
    says: `CAA records do not permit ${shortName(text(evidence, "issuer"))} to issue for ${namesIn(evidence, "names")}.`,
    advice: `The next renewal will be refused. Add a CAA record with issue "${texts(evidence, "issuer_domains")[0] ?? ""}", or renew with an authority that is permitted.`,
  }),
  caa_changed: (evidence: Evidence): Words => ({
    says: `Who may issue for ${namesIn(evidence, "names")} has changed: ${change(evidence)}.`,
    advice: "If nobody in your organization changed it, find out who can edit your DNS.",
  }),
  account_unexpected: (evidence: Evidence): Words => ({
    says: `DNS permits accounts to issue for ${namesIn(evidence, "accounts")} that are not expected: ${few([...new Set(objects(evidence, "accounts").map((each) => text(each, "uri")))])}.`,
    advice:
      "The owner of the account can obtain certificates. Remove the record, or add the account to the expected accounts.",
  }),
};
