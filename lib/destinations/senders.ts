import { sendHttps } from "@/lib/destinations/kinds/https/send";
import type { Send, SendOf } from "@/lib/destinations/kinds/kind";
import type { DestinationType, shapes } from "@/lib/destinations/shapes";

/** The code of every kind. */
const senders: { [Type in DestinationType]: SendOf<(typeof shapes)[Type]> } = {
  https: sendHttps,
};

/** The code of a type, for settings and secrets that its shape accepted. */
export function senderOf(type: DestinationType): Send {
  return senders[type] as Send;
}
