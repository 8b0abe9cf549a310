import { nameForms } from "@/lib/network/names/name-forms";
import { MAX_OF_TYPE } from "@/lib/search/contract";
import { certificateKind, type Kind, kinds } from "@/lib/search/kinds";
import { isUuid } from "@/lib/text/shapes/uuid";

/** The id of a trace, which may also be a certificate's serial number. */
export const TRACE = /^[0-9a-f]{32}$/;
const HEX = /^[0-9a-f]{2}([: ]?[0-9a-f]{2})+$/;
const FINGERPRINT_LENGTH = 64;
/** Shorter ones would read every certificate for texts that are rather names. */
const MIN_SERIAL_LENGTH = 8;
const HINT = /^sw_[0-9a-z]{2}\u2026[0-9a-z]{4}$/;

/** One statement for all results of an organization that match the lower-case `q`, at most `MAX_OF_TYPE` + 1 of each type. */
export function searchQuery(organizationId: string, q: string): { text: string; values: unknown[] } {
  const values: unknown[] = [organizationId];
  const value = (each: unknown) => `$${values.push(each)}`;
  const parts: string[] = [];
  const add = (kind: Kind, condition: string, order: string) => {
    const { type, from, id, name, detail, status } = kind;
    parts.push(
      `(SELECT '${type}' AS type, ${id} AS id, ${name} AS name, ${detail} AS detail, ${status} AS status
        FROM ${from} WHERE organization_id = $1 AND (${condition}) ORDER BY ${order} LIMIT ${MAX_OF_TYPE + 1})`,
    );
  };
  if (isUuid(q)) {
    const given = value(q);
    for (const kind of [...kinds, certificateKind]) add(kind, `${kind.id} = ${given}::uuid`, kind.id);
  } else {
    const forms = nameForms(q);
    const [patterns, starts] = [value(forms.map((form) => `%${form.replace(/[\\%_]/g, "\\$&")}%`)), value(forms)];
    const hint = HINT.test(q) ? value(q) : null;
    for (const kind of kinds) {
      const conditions = kind.texts.map((each) => `${each} LIKE ANY (${patterns}::text[])`);
      if (kind.type === "api_key" && hint !== null) conditions.push(withHint(hint));
      // What begins with the text comes first, and then the shorter name.
      add(
        kind,
        conditions.join(" OR "),
        `NOT lower(${kind.name}) ^@ ANY (${starts}::text[]), length(${kind.name}), 3, 2`,
      );
    }
    const hex = HEX.test(q) ? q.replace(/[: ]/g, "") : "";
    if (hex.length === FINGERPRINT_LENGTH) add(certificateKind, `sha256 = decode(${value(hex)}, 'hex')`, "2");
    else if (hex.length >= MIN_SERIAL_LENGTH)
      add(certificateKind, `serial_number = ${value(hex)}`, "not_after DESC, 2");
  }
  return { text: parts.join(" UNION ALL "), values };
}

/** Keys of which any secret, current or rotated out, has the hint. */
function withHint(hint: string): string {
  return `id IN (SELECT api_key_id FROM api_key_secrets WHERE organization_id = $1 AND lower(hint) = ${hint})`;
}
