import type { SendOf } from "@/lib/destinations/kinds/kind";
import { recordsOf } from "@/lib/destinations/kinds/records";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { deliver } from "@/lib/destinations/kinds/syslog/connection";
import { octetCounted, syslogMessage } from "@/lib/destinations/kinds/syslog/message";
import type { syslogShape } from "@/lib/destinations/kinds/syslog/shape";
import { parseHost } from "@/lib/network/host";

/** Characters of the messages that an exchange shows. */
const SHOWN = 4_000;

/** Sends a batch over one connection of its own. Syslog acknowledges nothing: see `deliver` for what counts as taken. */
export const sendSyslog: SendOf<typeof syslogShape> = async (batch, { settings, secrets }, context) => {
  const { port, ca_certificate, client_certificate } = settings;
  const { client_key } = secrets;
  if ((client_certificate === null) !== (client_key === null)) {
    throw new SendFailure("a client certificate needs its key, and a key its certificate");
  }
  const frames = recordsOf(batch, context).map((record, at) =>
    octetCounted(syslogMessage(record, at + 1, batch, context.now)),
  );
  if (frames.length === 0) return;
  const request = {
    head: `${settings.host}:${port}, TLS, octet counting, ${frames.length} messages`,
    body: (frames[0] ?? "").slice(0, SHOWN),
  };
  try {
    const protocol = await deliver({
      ...{ host: parseHost(settings.host), port, frames, guard: context.guard, signal: context.signal },
      tls: {
        ...(ca_certificate !== null && { ca: ca_certificate }),
        ...(client_certificate !== null && client_key !== null && { cert: client_certificate, key: client_key }),
      },
    });
    context.record({ request, answer: { head: `${protocol}: read, and closed without an error`, body: "" } });
  } catch (error) {
    context.record({ request, answer: null });
    throw error;
  }
};
