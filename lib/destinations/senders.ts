import { sendDatadog } from "@/lib/destinations/kinds/datadog/send";
import { sendElastic } from "@/lib/destinations/kinds/elastic/send";
import { sendHttps } from "@/lib/destinations/kinds/https/send";
import type { Send, SendOf } from "@/lib/destinations/kinds/kind";
import { sendOtlp } from "@/lib/destinations/kinds/otlp/send";
import { sendS3 } from "@/lib/destinations/kinds/s3/send";
import { sendSplunk } from "@/lib/destinations/kinds/splunk/send";
import { sendSyslog } from "@/lib/destinations/kinds/syslog/send";
import type { DestinationType, shapes } from "@/lib/destinations/shapes";

/** The code of every kind. */
const senders: { [Type in DestinationType]: SendOf<(typeof shapes)[Type]> } = {
  https: sendHttps,
  s3: sendS3,
  splunk: sendSplunk,
  otlp: sendOtlp,
  elastic: sendElastic,
  datadog: sendDatadog,
  syslog: sendSyslog,
};

/** The code of a type, for settings and secrets that its shape accepted. */
export function senderOf(type: DestinationType): Send {
  return senders[type] as Send;
}
