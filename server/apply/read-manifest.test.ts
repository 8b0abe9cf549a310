// biome-ignore-all lint/suspicious/noTemplateCurlyInString: manifests have variables in this form.
import { describe, expect, test } from "vitest";
import { readManifest } from "@/server/apply/read-manifest";

const env = { TOKEN: "token-1", KEY: "R".repeat(32), EMPTY: "" };

/** The lines of what is refused; none if it is accepted. */
function faultsOf(text: string): string[] {
  try {
    readManifest(text, env);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n");
  }
}

function monitorWith(lines: string): string {
  return `version: 1\nmonitors:\n  - name: Shop\n    type: http\n    target: https://shop.example\n${lines}`;
}

describe("a manifest", () => {
  test("is completed and normalized by the contract of the API", () => {
    const { wanted, managed, organization } = readManifest(
      "version: 1\norganization: acme\nendpoints:\n  - host: Bücher.example\n    sni: bücher.example\n    tags: [b, A]\n  - { host: db.example, protocol: postgres, connect_to: 192.0.2.1 }\nalert_rules: []\n",
      env,
    );
    expect([organization, [...managed]]).toEqual(["acme", ["endpoints", "alert_rules"]]);
    expect(wanted.map(({ name, identity }) => [name, identity.port])).toEqual([
      ["xn--bcher-kva.example:443", 443],
      ["db.example:5432 (at 192.0.2.1)", 5432],
    ]);
    expect(wanted[0]?.key).toBe('["xn--bcher-kva.example",443,null,null]');
    expect(wanted[0]?.fields).toMatchObject({ tags: ["a", "b"], interval_seconds: 3600, agent: null });
    expect(wanted[0]?.fields).not.toHaveProperty("trust_store");
  });

  test("may be JSON, and may merge anchors", () => {
    const json = JSON.stringify({ version: 1, api_keys: [{ name: "ci" }] });
    expect(readManifest(json, env).wanted.map(({ name }) => name)).toEqual(["ci"]);
    const merged =
      "version: 1\nmonitors:\n  - &a { name: A, type: http, target: 'https://a.example' }\n  - { <<: *a, name: B }\n";
    expect(readManifest(merged, env).wanted.map(({ fields }) => fields.target)).toEqual(
      Array(2).fill("https://a.example"),
    );
  });

  test("takes secrets from the environment, and says nothing of their values", () => {
    const { wanted } = readManifest(
      monitorWith(
        "    headers: { A: 'x ${TOKEN} y', B: '$${TOKEN}', C: $5 }\n    authentication: { type: bearer, token: '${TOKEN}' }\n",
      ),
      env,
    );
    const secrets = {
      headers: { A: "x token-1 y", B: "${TOKEN}", C: "$5" },
      authentication: { type: "bearer", token: "token-1" },
    };
    expect(wanted[0]?.secrets).toEqual(secrets);
    expect(JSON.stringify(wanted[0]?.fields)).not.toContain("token-1");
    const faults = faultsOf(
      "version: 1\nnotification_channels:\n  - name: A\n    type: pagerduty\n    settings: { routing_key: '${TOKEN}' }\n",
    );
    expect(faults).toEqual([
      "line 5: notification_channels.0.settings.routing_key: must be an integration key of 32 letters and digits",
    ]);
  });

  test("does not fill in variables elsewhere", () => {
    const { wanted } = readManifest(monitorWith("    expected_text: '${TOKEN}'\n"), env);
    expect(wanted[0]?.fields.expected_text).toBe("${TOKEN}");
  });
});

describe("is refused with line and field", () => {
  test.each([
    ["an empty file", "", ["line 1: manifest: must be an object"]],
    ["a list", "- a\n", ["line 1: manifest: must be an object"]],
    ["another version", "version: 2\n", ["line 1: version: must be 1"]],
    ["no version", "monitors: []\n", ["line 1: version: must be 1"]],
    ["an unknown list", "version: 1\n\nmonitor: []\n", ["line 3: monitor: is not a known field"]],
    ["a list that is none", "version: 1\nmonitors: {}\n", ["line 2: monitors: must be an array"]],
    ["an unknown field", monitorWith("    tag: x\n"), ["line 6: monitors.0.tag: is not a known field"]],
    [
      "a reserved name",
      monitorWith("    __proto__: { a: 1 }\n"),
      ["line 6: monitors.0.__proto__: is not a known field"],
    ],
    [
      "several faults in the order of the file",
      monitorWith("    timeout_seconds: 99\n    ip_version: 5\n"),
      [
        "line 6: monitors.0.timeout_seconds: must be a whole number from 1 to 30",
        "line 7: monitors.0.ip_version: must be one of 4, 6, any",
      ],
    ],
    [
      "fields that do not fit each other",
      monitorWith("    request_body: x\n"),
      ["line 6: monitors.0.request_body: must be null for GET and HEAD"],
    ],
    [
      "a variable that is not set",
      monitorWith("    headers:\n      X: ${NOPE}\n      Y: ${EMPTY}\n"),
      [
        "line 7: monitors.0.headers.X: the environment variable NOPE is not set",
        "line 8: monitors.0.headers.Y: the environment variable EMPTY is not set",
      ],
    ],
    [
      "a secret in the file",
      monitorWith("    authentication: { type: bearer, token: abc }\n"),
      [
        "line 6: monitors.0.authentication.token: must have an environment variable, such as ${NAME}: secrets do not belong here",
      ],
    ],
    [
      "a secret whose variable is escaped",
      monitorWith("    authentication: { type: bearer, token: '$${TOKEN}' }\n"),
      [
        "line 6: monitors.0.authentication.token: must have an environment variable, such as ${NAME}: secrets do not belong here",
      ],
    ],
    [
      "a channel of no type",
      "version: 1\nnotification_channels:\n  - { name: A, type: pager, settings: {} }\n",
      ["line 3: notification_channels.0.type: is not a known type"],
    ],
    [
      "an inconsistent rule",
      "version: 1\nalert_rules:\n  - name: A\n    condition: { type: monitor_down }\n    steps:\n      - channels: [X]\n      - days_left: 5\n",
      [
        "line 7: alert_rules.0.steps.1.days_left: is only allowed for conditions about the time left",
        "line 7: alert_rules.0.steps.1.after_minutes: must be more than in the previous step",
      ],
    ],
    [
      "a scope without its permission",
      "version: 1\napi_keys:\n  - name: A\n    scope: agent\n",
      ["line 4: api_keys.0.scope: needs the permission admin"],
    ],
    [
      "the same twice",
      "version: 1\nendpoints:\n  - host: a.example\n  - host: A.example\n    protocol: https\n    sni: a.example\n",
      ["line 4: endpoints.1: is the same as in line 3"],
    ],
    ["a key twice", "version: 1\nversion: 1\n", ["line 2: Map keys must be unique"]],
    ["tabs", "version: 1\nmonitors:\n\t- name: a\n", ["line 3: Tabs are not allowed as indentation"]],
    ["a tag", "version: 1\nmonitors: !!js/function x\n", ["line 2: Unresolved tag: tag:yaml.org,2002:js/function"]],
    ["a value that contains itself", "version: 1\nmonitors: &a [*a]\n", ["line 2: monitors.0: must be an object"]],
  ])("%s", (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  test("two documents", () => {
    expect(faultsOf("version: 1\n---\nversion: 1\n")).toEqual([expect.stringMatching(/^line 2: .*multiple documents/)]);
  });

  test("control characters that would change how the message reads", () => {
    expect(faultsOf('version: 1\n"\\u202Ex": 1\n')).toEqual(["line 2: \\E2\\80\\AEx: is not a known field"]);
  });

  test("more faults than a message lists", () => {
    const faults = faultsOf(`version: 1\napi_keys:\n${"  - nome: x\n".repeat(200)}`);
    expect([faults.length, faults.at(-1)]).toEqual([51, "and 350 more"]);
  });
});

describe("a hostile file is refused before it takes long", () => {
  const bomb = [
    "a: &a [x, x]",
    ..."bcdefghijklmnopq".split("").map((name, at, all) => {
      const before = all[at - 1] ?? "a";
      return `${name}: &${name} [*${before}, *${before}, *${before}]`;
    }),
  ].join("\n");

  test.each([
    ["brackets", "[".repeat(200_000)],
    ["closed brackets", "[".repeat(20_000) + "]".repeat(20_000)],
    ["braces", "{a: ".repeat(100_000)],
    ["lists in lists", `${"- ".repeat(100_000)}x`],
    ["keys of keys", "? ".repeat(100_000)],
    ["indentation", Array.from({ length: 3000 }, (_, at) => `${" ".repeat(at)}- `).join("\n")],
  ])("%s", (_, text) => {
    expect(faultsOf(text)).toEqual(["The manifest is nested too deeply."]);
  });

  test("aliases of aliases", () => {
    expect(faultsOf(bomb)).toEqual([expect.stringContaining("The manifest cannot be read: Excessive alias count")]);
  });
});
