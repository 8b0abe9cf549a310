import type { Destination as Row } from "@/lib/db/generated/app/client";
import type { Target } from "@/lib/destinations/kinds/kind";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { openSecrets, parseValues, type Values } from "@/lib/destinations/secrets";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { isApiError } from "@/lib/http/errors";
import { signingSecretsAt } from "@/lib/notification-channels/stored-secrets";

type Stored = Pick<Row, "organizationId" | "id" | "type" | "settings" | "secrets">;

const NOT_SIGNED =
  "it has no signing secret: rotate it, because ENCRYPTION_KEY has changed and the other secrets were given again";

/** The target of a stored destination. Throws SendFailure if its secrets cannot be opened, or a release has other settings. */
export function targetOf(row: Stored, now: number): Target<Values["settings"], Values["secrets"]> {
  const type = row.type as DestinationType;
  try {
    const secrets = openSecrets(row);
    const signingSecrets = signingSecretsAt(secrets, now);
    if (shapeOf(type).isSigned === true && signingSecrets.length === 0) throw new SendFailure(NOT_SIGNED);
    const values = { settings: row.settings as Values["settings"], secrets: secrets.fields };
    return { id: row.id, ...parseValues(type, values), signingSecrets };
  } catch (error) {
    if (error instanceof SendFailure) throw error;
    if (isApiError(error)) throw new SendFailure(`its settings are invalid: ${error.message}`);
    throw new SendFailure("its secrets cannot be decrypted: ENCRYPTION_KEY has changed since they were saved");
  }
}
