import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { logFailure } from "@/lib/db/outage-log";
import { slide } from "@/lib/rate-limits/window";

/** Maximum events of wrong passwords in 60 seconds: the page is on loopback, but a program there could flood the log. */
const MAX_A_MINUTE = 100;
const recordedAt: number[] = [];

/**
 * Records that the embedded sign-in refused a password, as a security event of the operator's log, because the organization is
 * unknown. `address` is that of the TCP peer. Never throws: the response does not depend on whether the log could be written.
 */
export async function recordRefusedPassword(
  email: string,
  address: string | null,
  isThrottled: boolean,
): Promise<void> {
  try {
    if (!slide(recordedAt, performance.now(), MAX_A_MINUTE, true).admitted) return;
    await withAuditEvent({ action: "session.sign_in" }, async (event) => {
      Object.assign(event.row, { auth_type: "anonymous", ip_address: address });
      const reason = isThrottled ? "too many wrong passwords" : "wrong e-mail address or password";
      event.row.error_message = `The embedded sign-in refused ${email.slice(0, 200)}: ${reason}.`;
      event.flag("sign_in_refused");
    });
  } catch (error) {
    logFailure("a refused sign-in could not be recorded", error);
  }
}
