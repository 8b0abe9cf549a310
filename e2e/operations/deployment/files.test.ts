import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type PodTemplate, type Resource, render } from "@/e2e/operations/deployment/manifests";
import { parseConfig } from "@/lib/config";
import { settings } from "@/lib/settings";
import { partArguments, requireSettingsOf } from "@/server/start/parts";

const KEY = Buffer.alloc(32, 7).toString("base64");
/** What docs/operations/containers.md says to put into the secrets and environment files. */
const SECRETS: Record<string, Record<string, string>> = {
  sealwatch: {
    DATABASE_URL: "postgresql://sealwatch:x@db/sealwatch",
    AUDIT_DATABASE_URL: "postgresql://sealwatch_audit_web:x@db/sealwatch_audit",
    OIDC_CLIENT_SECRET: "secret",
    REDIS_URL: "redis://redis",
    SESSION_SECRET: "a secret of thirty-two characters",
    ENCRYPTION_KEY: KEY,
  },
  "sealwatch-owner": {
    AUDIT_MAINTENANCE_DATABASE_URL: "postgresql://sealwatch_audit_owner:x@db/sealwatch_audit",
    AUDIT_SEAL_KEY: Buffer.alloc(32, 8).toString("base64"),
  },
};
const OWNER_SETTINGS = ["AUDIT_MAINTENANCE_DATABASE_URL", "AUDIT_SEAL_KEY"];

/** Whether a part can start with these settings, and has those of the owner only if it needs them. */
function expectStartable(args: readonly string[], env: Record<string, string>): void {
  const [argument = ""] = args;
  const part = partArguments[argument];
  if (part === undefined || args.length !== 1) throw new Error(`${args} starts no part`);
  expect(Object.keys(env).filter((name) => !(name in settings.shape))).toEqual([]);
  requireSettingsOf(part, parseConfig(env));
  expect(OWNER_SETTINGS.filter((name) => name in env)).toEqual(part === "web" ? [] : OWNER_SETTINGS);
}

test("the documentation names what is in the secrets", () => {
  const text = readFileSync("docs/operations/containers.md", "utf8");
  for (const names of Object.values(SECRETS))
    for (const name of Object.keys(names)) expect(text).toContain(`\`${name}\``);
});

describe.each(["small", "large"])("the overlay %s", (overlay) => {
  const resources = render(`deploy/kubernetes/overlays/${overlay}`);
  const all = (kind: string) => resources.filter((each) => each.kind === kind);
  const workloads = resources.flatMap((each): [Resource, PodTemplate][] =>
    each.spec?.template === undefined ? [] : [[each, each.spec.template]],
  );
  const podsWith = (labels: Record<string, string> = {}) =>
    workloads.filter(([, { metadata }]) =>
      Object.entries(labels).every(([name, value]) => metadata.labels[name] === value),
    );

  test("starts each part with the settings that it needs", () => {
    const parts = workloads.map(([, { spec }]) => spec.containers.map(({ args }) => args));
    expect(parts.flat(2).sort()).toEqual(Object.keys(partArguments).sort());
    for (const [, { spec }] of workloads) {
      for (const { args, envFrom, image } of spec.containers) {
        const env = envFrom.flatMap(({ configMapRef, secretRef }) => {
          const map = all("ConfigMap").find(({ metadata }) => metadata.name === configMapRef?.name);
          const found = map?.data ?? SECRETS[secretRef?.name ?? ""];
          if (found === undefined) throw new Error(`${args}: no ${configMapRef?.name ?? secretRef?.name}`);
          return Object.entries(found);
        });
        expectStartable(args, Object.fromEntries(env));
        expect(image).toBe("registry.example.com/sealwatch:0.2.0");
      }
    }
  });

  test("has a read-only root, no privileges, and mounts and ports that exist", () => {
    for (const [{ metadata, spec: workload }, { spec }] of workloads) {
      const claims = workload.volumeClaimTemplates?.map((claim) => claim.metadata) ?? [];
      const volumes = [...(spec.volumes ?? []), ...claims].map(({ name }) => name);
      expect(spec, metadata.name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const { securityContext, volumeMounts = [], ports = [], ...container } of spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
        const named = ports.map(({ name }) => name);
        for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
          const asked = container[probe] as { httpGet: { port: string; path: string } } | undefined;
          if (asked === undefined) continue;
          expect(named).toContain(asked.httpGet.port);
          // A worker's web server does not exist, and a web process is judged by its own.
          expect(asked.httpGet.path).toBe(probe === "readinessProbe" ? "/readyz" : "/healthz");
        }
      }
    }
  });

  test("has selectors that find pods", () => {
    for (const [{ spec }, template] of workloads) {
      if (spec.selector === undefined) continue;
      expect(podsWith(spec.selector.matchLabels).map(([, found]) => found)).toEqual([template]);
    }
    const ports = (found: typeof workloads) =>
      new Set(
        found.flatMap(([, { spec }]) => spec.containers.flatMap((each) => each.ports ?? []).map(({ name }) => name)),
      );
    for (const { spec } of all("Service")) {
      expect(podsWith(spec.selector)).toHaveLength(1);
      for (const { targetPort = "" } of spec.ports ?? []) expect(ports(podsWith(spec.selector))).toContain(targetPort);
    }
    for (const { spec } of all("PodDisruptionBudget")) expect(podsWith(spec.selector?.matchLabels)).toHaveLength(1);
    for (const { spec } of all("NetworkPolicy")) {
      const found = podsWith(spec.podSelector?.matchLabels);
      expect(found).toHaveLength(workloads.length);
      for (const { port } of (spec.ingress ?? []).flatMap((rule) => rule.ports)) expect(ports(found)).toContain(port);
    }
    for (const { spec } of all("PodMonitor")) {
      const found = podsWith(spec.selector?.matchLabels);
      expect(found).toHaveLength(workloads.length);
      for (const { port } of spec.podMetricsEndpoints ?? []) expect(ports(found)).toContain(port);
    }
  });

  test("has a disruption budget only with several web processes", () => {
    const replicas = all("Deployment")[0]?.spec.replicas ?? 0;
    expect(all("PodDisruptionBudget")).toHaveLength(replicas > 1 ? 1 : 0);
    expect(all("PodMonitor")).toHaveLength(overlay === "large" ? 1 : 0);
    expect(resources.every(({ metadata }) => metadata.namespace === "sealwatch")).toBe(true);
  });
});

test("each file of the base is one of its resources", () => {
  const base = "deploy/kubernetes/base";
  const { resources } = parse(readFileSync(join(base, "kustomization.yaml"), "utf8")) as { resources: string[] };
  expect(
    readdirSync(base)
      .filter((name) => name !== "kustomization.yaml")
      .sort(),
  ).toEqual([...resources].sort());
});

test("the compose file starts each part with the settings that it needs, from files that exist", () => {
  const file = "deploy/compose/compose.yaml";
  interface Service {
    image: string;
    command?: string[];
    environment?: Record<string, string>;
    healthcheck?: { test: string[] };
    read_only?: boolean;
    depends_on?: Record<string, unknown> | string[];
    volumes?: string[];
  }
  const { services, volumes } = parse(readFileSync(file, "utf8"), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
  const own = Object.values(services).filter(({ image }) => image.includes("SEALWATCH_IMAGE"));
  expect(own.flatMap(({ command = [] }) => command).sort()).toEqual([
    "--migrate-only",
    "--web-only",
    "--web-only",
    "--worker-only",
  ]);
  for (const { command = [], environment = {}, read_only } of own) {
    // Variables of the shell, which are empty by default.
    const env = Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-(.*?)\}/g, "$1")]);
    expectStartable(command, Object.fromEntries(env));
    expect(read_only).toBe(true);
  }
  for (const { depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const name of needed) expect(services).toHaveProperty([name]);
    for (const mount of mounts) {
      const [source = ""] = mount.split(":");
      if (source.startsWith(".")) expect(existsSync(join(dirname(file), source)), source).toBe(true);
      else expect(volumes).toHaveProperty([source]);
    }
  }
  // While the image creates the databases, its PostgreSQL listens on a Unix socket alone.
  expect(services.postgres?.healthcheck?.test).toEqual(expect.arrayContaining(["psql", "--host=127.0.0.1"]));
  const upstreams = [...readFileSync("deploy/compose/nginx.conf", "utf8").matchAll(/server ([\w-]+):3000/g)];
  expect(upstreams.map(([, name = ""]) => services[name]?.command)).toEqual([["--web-only"], ["--web-only"]]);
});

describe("the systemd units", () => {
  const units = readdirSync("deploy/systemd").map((name) => ({
    name,
    text: readFileSync(join("deploy/systemd", name), "utf8"),
  }));
  /** Those that start one part each. The other one starts everything on one machine, in one account. */
  const parts = units.filter(({ name }) => name !== "sealwatch.service");
  const valuesOf = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

  test("start each part, with the files of settings that it needs", () => {
    const files: Record<string, string> = {
      "/etc/sealwatch/environment": "sealwatch",
      "/etc/sealwatch/worker-environment": "sealwatch-owner",
    };
    const started = parts.map(({ text }) => {
      const [start = ""] = valuesOf(text, "ExecStart");
      const [, argument = ""] = /^\/usr\/bin\/node server\/start\.mjs (\S+)$/.exec(start) ?? [];
      const secrets = valuesOf(text, "EnvironmentFile").map((file) => SECRETS[files[file] ?? ""]);
      const own = valuesOf(text, "Environment").map((each) => each.split(/=(.*)/s).slice(0, 2));
      expectStartable([argument], {
        ...{ OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "sealwatch" },
        ...Object.assign({}, ...secrets),
        ...Object.fromEntries(own),
      });
      return argument;
    });
    expect(started.sort()).toEqual(Object.keys(partArguments).sort());
  });

  test("run web processes in an account that cannot read the environment of the others", () => {
    const [web, ...others] = parts
      .toSorted(({ text }) => (text.includes("--web-only") ? -1 : 1))
      .map(({ text }) => valuesOf(text, "User"));
    expect(web).toHaveLength(1);
    for (const user of others) expect(user).not.toEqual(web);
  });

  test("leave it to the supervisor to stop its processes and the embedded PostgreSQL", () => {
    const lasting = units.filter(({ text }) => !text.includes("Type=oneshot"));
    expect(lasting.length).toBe(3);
    for (const { name, text } of lasting) expect(valuesOf(text, "KillMode"), name).toEqual(["mixed"]);
  });

  test("have the same restrictions", () => {
    const restrictions = units.map(({ text }) => text.slice(text.indexOf("CapabilityBoundingSet=")).split("\n\n")[0]);
    expect(restrictions[0]).toContain("ProtectSystem=strict");
    expect(new Set(restrictions.map((each) => each?.trim())).size).toBe(1);
  });

  test("permit ping, which is started with the capability of its file and drops it", () => {
    for (const { text } of units) {
      expect(valuesOf(text, "CapabilityBoundingSet")).toEqual(["CAP_NET_RAW"]);
      // The last lines add to what the ones before have left.
      expect(valuesOf(text, "SystemCallFilter")).toEqual(["@system-service", "~@privileged", "capset setuid"]);
    }
  });
});
