import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { get, grow, PATH, stored } from "@/e2e/audit/destinations/streaming";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import type { Destination, DestinationTest, DestinationWithSecret } from "@/lib/destinations/contract";
import type { DestinationType } from "@/lib/destinations/shapes";

const SECRET = "the-secret-of-the-receiver";

/** What each kind is created with, and what its receiver answers when it takes everything. */
const kinds: Partial<
  Record<DestinationType, { settings: (url: string) => object; secrets: object; taken: (text: string) => object }>
> = {
  splunk: {
    settings: (url) => ({ url }),
    secrets: { token: SECRET },
    taken: () => ({ text: "Success", code: 0 }),
  },
  elastic: {
    settings: (url) => ({ url }),
    secrets: { api_key: SECRET },
    taken: (text) => ({
      errors: false,
      items: text.match(/^\{"create"/gm)?.map(() => ({ create: { status: 201 } })) ?? [],
    }),
  },
  datadog: {
    settings: (url) => ({ intake_url: `${url}/api/v2/logs` }),
    secrets: { api_key: SECRET },
    taken: () => ({}),
  },
  otlp: {
    settings: (url) => ({ url: `${url}/v1/logs` }),
    secrets: { header_value: SECRET },
    taken: () => ({ partialSuccess: null }),
  },
};

const server = sharedServer();

describe.each(Object.entries(kinds))("%s", (type, { settings, secrets, taken }) => {
  let [owner, sink] = [] as unknown as [Organization, Sink];
  beforeAll(async () => {
    owner = await newOrganization(server);
    sink = await newSink(({ text }) => ({ status: 200, body: taken(text) }));
  });
  afterAll(() => sink.close());

  test("is tested, created, fails with the receiver's answer, and sends every event once it takes them", async () => {
    const [first = ""] = await grow(owner, 1);
    const body = { type, name: "SIEM", settings: settings(sink.url), secrets };
    const tried = await owner.admin.post<DestinationTest>(`${PATH}/test`, body);
    expect(tried.data).toMatchObject({ ok: true, error: null, exchanges: [{ answer: expect.anything() }] });
    expect(tried.text).toContain(first);
    expect(tried.text).not.toContain(SECRET);
    sink.arrivals.length = 0;
    sink.next.push({ status: 503, headers: { "retry-after": "1" }, body: { text: "Server is busy", code: 9 } });
    const made = await owner.admin.post<DestinationWithSecret>(PATH, { ...body, start: "oldest" });
    expect(made.status, made.text).toBe(201);
    const ids = [first, ...(await grow(owner, 20))];
    await until("all are taken", async () => {
      const text = sink.arrivals
        .slice(1)
        .map((request) => request.text)
        .join("\n");
      return ids.every((id) => text.includes(id));
    });
    await until("the state follows", async () => (await stored(owner, made.data.id)).next > 20);
    const shown = await owner.admin.get<Destination>(`${PATH}/${made.data.id}`);
    expect(shown.data).toMatchObject({
      type,
      state: "working",
      secrets: Object.keys(secrets),
      format: made.data.format,
    });
    expect(shown.text).not.toContain(SECRET);
    expect((await get(owner, made.data)).last_failed_at).not.toBeNull();
  });
});

test("settings that a kind does not have, and formats that it does not support, are refused", async () => {
  const { admin } = await newOrganization(server);
  const refused = await admin.post(PATH, {
    ...{ type: "syslog", name: "SIEM", settings: { host: "https://syslog.test", port: 0, url: "x" }, format: "cef" },
  });
  expect(refused.status).toBe(400);
  for (const name of ["settings.host", "settings.port", "settings"]) expect(refused.text).toContain(name);
  const format = await admin.post(PATH, {
    ...{ type: "datadog", name: "SIEM", settings: {}, secrets: { api_key: SECRET }, format: "cef" },
  });
  expect(format.status).toBe(400);
  expect(format.text).toContain("must be sealwatch or ocsf or ecs for Datadog Logs");
});
