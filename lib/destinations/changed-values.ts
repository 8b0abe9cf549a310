import type { Destination as Row } from "@/lib/db/generated/app/client";
import type * as contract from "@/lib/destinations/contract";
import { parseValues, refuseSecretsAtNewOrigin, sealContextOf, type Values } from "@/lib/destinations/secrets";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import type { Input } from "@/lib/http/endpoint";
import { type StoredSecrets, secretsToChange } from "@/lib/notification-channels/stored-secrets";

type Changes = Pick<Input<typeof contract.updateDestination>, "settings" | "secrets">;

/** The settings and secrets of a destination after changes. Throws 400, also if kept secrets would move to another origin, 409. */
export function changedValues(
  before: Row,
  { settings, secrets = {} }: Changes,
): Values & Pick<StoredSecrets, "signing"> {
  const type = before.type as DestinationType;
  const change = { part: "secrets", given: secrets, isSigned: shapeOf(type).isSigned === true } as const;
  const { fields, signing } = secretsToChange(before, sealContextOf(before), change);
  const old = { settings: before.settings as Record<string, unknown>, secrets: fields };
  const values = parseValues(type, {
    settings: { ...old.settings, ...settings },
    secrets: { ...old.secrets, ...secrets },
  });
  refuseSecretsAtNewOrigin(type, old, values, secrets);
  return { ...values, signing };
}
