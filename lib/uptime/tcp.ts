import * as z from "zod";
import { parseName } from "@/lib/network/host";
import { expectedPattern, wantedText } from "@/lib/uptime/assertions";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Not a transformation, because the schema of answers has it too. */
const serverName = z.string().check((given) => {
  try {
    given.value = parseName(given.value);
  } catch (error) {
    given.issues.push({ code: "custom", message: (error as Error).message, input: given.value });
  }
});

/** What monitors of the type tcp do besides connecting. */
export const tcpSettings = z
  .strictObject({
    tls: z
      .boolean()
      .default(false)
      .describe(
        "Negotiates TLS at once, with `trust_store_id`, `verify_tls` and a client certificate of `authentication`.",
      ),
    server_name: serverName
      .nullable()
      .default(null)
      .describe("With `tls`: the name to ask for and to verify, by default that in target."),
    send: z
      .string()
      .min(1, "must not be empty")
      .max(4096, "must have at most 4096 characters")
      .nullable()
      .default(null)
      .describe("Sent as soon as the connection is established. Everybody in the organization can read it."),
    send_encoding: z
      .enum(["text", "base64"])
      .default("text")
      .describe("Whether `send` is UTF-8 text or bytes in base64."),
    expected_text: wantedText.nullable().default(null).describe("Text in the first 4 KiB that the server sends."),
    expected_pattern: expectedPattern
      .nullable()
      .default(null)
      .describe("A regular expression in RE2 syntax that matches in the first 4 KiB that the server sends."),
  })
  .refine(({ tls, server_name }) => tls || server_name === null, { path: ["server_name"], message: "needs tls" })
  .refine(({ send, send_encoding }) => send === null || send_encoding === "text" || BASE64.test(send), {
    path: ["send"],
    message: "must be base64",
  });
export type TcpSettings = z.output<typeof tcpSettings>;
