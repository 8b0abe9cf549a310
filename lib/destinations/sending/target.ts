import type { Destination as Row } from "@/lib/db/generated/app/client";
import type { Target } from "@/lib/destinations/kinds/kind";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { openSecrets, parseValues, type Values } from "@/lib/destinations/secrets";
import type { DestinationType } from "@/lib/destinations/shapes";
import { isApiError } from "@/lib/http/errors";
import { signingSecretsAt } from "@/lib/notification-channels/stored-secrets";

type Stored = Pick<Row, "organizationId" | "id" | "type" | "settings" | "secrets">;

/** The target of a stored destination. Throws SendFailure if its secrets cannot be opened, or a release has other settings. */
export function targetOf(row: Stored, now: number): Target<Values["settings"], Values["secrets"]> {
  try {
    const secrets = openSecrets(row);
    const values = { settings: row.settings as Values["settings"], secrets: secrets.fields };
    const parsed = parseValues(row.type as DestinationType, values);
    return { id: row.id, ...parsed, signingSecrets: signingSecretsAt(secrets, now) };
  } catch (error) {
    if (isApiError(error)) throw new SendFailure(`its settings are invalid: ${error.message}`);
    throw new SendFailure("its secrets cannot be decrypted: ENCRYPTION_KEY has changed since they were saved");
  }
}
