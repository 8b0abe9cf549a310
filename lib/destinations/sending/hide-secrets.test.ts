import { expect, test } from "vitest";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { withoutSecrets } from "@/lib/destinations/sending/hide-secrets";

const target = {
  id: "1",
  settings: { username: "sealwatch" },
  secrets: { authorization: "Bearer of-the-sink", password: 'a "word"', api_key: null },
  signingSecrets: ["whsec_signing"],
};
const basic = Buffer.from('sealwatch:a "word"').toString("base64");

test("a failure has no secret of its destination, however the receiver wrote it", async () => {
  const evidence = `authorization: Bearer of-the-sink, of-the-sink, {"password":"a \\"word\\""}, Basic ${basic}, whsec_sign`;
  const failure = new SendFailure("HTTP status 401: whsec_signing", { status: 401, retryAfterMs: 7, evidence });
  await expect(withoutSecrets(Promise.reject(failure), target)).rejects.toMatchObject({
    ...{ name: "SendFailure", message: "HTTP status 401: [secret]", status: 401, retryAfterMs: 7 },
    evidence: 'authorization: [secret], [secret], {"password":"[secret]"}, Basic [secret], [secret]',
  });
});

test("other errors are passed on", async () => {
  await expect(withoutSecrets(Promise.reject(new TypeError("x")), target)).rejects.toThrow(TypeError);
});
