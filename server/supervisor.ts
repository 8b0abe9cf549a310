import { type Config, config, configure } from "@/lib/config";
import { log } from "@/lib/log";
import { setGauge } from "@/lib/metrics/metrics";
import { ensureBuild } from "@/server/build/ensure-build";
import { Child } from "@/server/child";
import { auditSealKey, encryptionKey, loadSecrets, prepareDataDir } from "@/server/data-dir";
import { awaitMigrations } from "@/server/database/await-migrations";
import { migrateDatabases, openDatabases, warnOfAuditPrivileges } from "@/server/database/databases";
import { prepareAccounts } from "@/server/demo/people";
import { type IdentityProvider, startIdentityProvider } from "@/server/embedded/identity-provider";
import { type EmbeddedPostgres, ensurePostgres } from "@/server/embedded/postgres";
import { assertSignInStaysHere } from "@/server/embedded/sign-in-stays-here";
import { takeSupervisorLock } from "@/server/embedded/supervisor-lock";
import { outputJson } from "@/server/json-output";
import { buildInfo } from "@/server/metrics/build-info";
import { MetricsServer } from "@/server/metrics/metrics-server";
import { measureRuntime } from "@/server/metrics/report-metrics";
import { awaitPort } from "@/server/port";
import type { Part } from "@/server/start/parts";
import { isRefusal, Refusal, showFailure } from "@/server/web/refusal";
import { SharedListener } from "@/server/web/shared-listener";

/** Processes enforce the grace period themselves; the supervisor kills them this much later. */
const MARGIN_MS = 10_000;

const graceMs = () => config().SHUTDOWN_GRACE_SECONDS * 1_000 + MARGIN_MS;

/** Web processes must not be able to change events or to sign. Empty rather than unset, because `.env` would provide an unset variable. */
const KEPT_FROM_WEB = { AUDIT_MAINTENANCE_DATABASE_URL: "", AUDIT_SEAL_KEY: "", AUDIT_SEAL_KEY_BEFORE: "" };

/** Everything that `npm start` starts, and stops in the opposite order. */
export class Supervisor {
  readonly #dev: boolean;
  readonly #demo: boolean;
  readonly #part: Part;
  readonly #stopping = new AbortController();
  /** Ends the wait for a PostgreSQL that died: later than `#stopping`, as processes that finish their work need it. */
  readonly #leaving = new AbortController();
  #postgres: EmbeddedPostgres | undefined;
  #identity: IdentityProvider | undefined;
  #web: Child[] = [];
  #worker: Child | undefined;
  #demoProcess: Child | undefined;
  /** Present if several web processes share the port. */
  #listener: SharedListener | undefined;
  #metrics: MetricsServer | undefined;
  /** The processes to wait for before the start-up message; empty after it. */
  readonly #awaited = new Set<string>();
  #started: Promise<void> | undefined;
  /** Resolves after every restart so far of a PostgreSQL that died. */
  #recovered: Promise<unknown> | undefined;
  #stopped: Promise<void> | undefined;

  /** `demo` fills the installation with a fictional organization, once. */
  constructor({ dev, demo, part }: { dev: boolean; demo: boolean; part: Part }) {
    this.#dev = dev;
    this.#demo = demo;
    this.#part = part;
  }

  /** Starts the embedded services that the settings do not replace, then web processes and worker. Throws Refusal. */
  start(): Promise<void> {
    this.#started ??= this.#bringUp();
    return this.#started;
  }

  async #bringUp(): Promise<void> {
    const settings = config();
    const { signal } = this.#stopping;
    const isWeb = this.#part !== "worker";
    if (isWeb) assertSignInStaysHere(settings);
    const migrate = () =>
      this.#part === "all" ? migrateDatabases().then(warnOfAuditPrivileges) : awaitMigrations(signal);
    const steps = [
      () => this.#startDatabases(settings),
      () => (isWeb ? awaitPort(settings.PORT, settings.HOST, signal) : undefined),
      () => this.#startMetrics(settings),
      () => this.#prepareKeys(settings),
      () => Promise.all([migrate(), isWeb ? this.#startSignIn(settings) : undefined]),
      () => (isWeb && !this.#dev ? ensureBuild(signal) : undefined),
      () => this.#startProcesses(),
    ];
    for (const step of steps) {
      if (signal.aborted) return;
      await step();
    }
  }

  /** Answers during the rest of the start, so that a monitoring system sees a start that takes long or fails. */
  async #startMetrics({ METRICS_PORT, METRICS_HOST }: Config): Promise<void> {
    if (METRICS_PORT === undefined) return;
    await awaitPort(METRICS_PORT, METRICS_HOST, this.#stopping.signal, { port: "METRICS_PORT", host: "METRICS_HOST" });
    setGauge("sealwatch_build_info", buildInfo(), 1);
    measureRuntime();
    this.#metrics = new MetricsServer(() => this.#processes());
    await this.#metrics.listen(METRICS_PORT, METRICS_HOST);
  }

  async #startDatabases({ DATA_DIR }: Config): Promise<void> {
    this.#postgres = await openDatabases(this.#stopping.signal);
    if (!this.#postgres) return;
    await takeSupervisorLock(this.#postgres.lease, DATA_DIR);
    this.#recoverWhenLost(this.#postgres);
  }

  #recoverWhenLost({ lost }: EmbeddedPostgres): void {
    void lost.then(() => {
      this.#recovered = Promise.all([this.#recovered, this.#recoverDatabases()]);
    });
  }

  /** Restarts a PostgreSQL that died, on the same port if possible, so that pools just reconnect. Never throws. */
  async #recoverDatabases(): Promise<void> {
    const { signal } = this.#stopping;
    const before = this.#postgres;
    if (signal.aborted || !before) return;
    log.error("the embedded PostgreSQL is gone; starting it again");
    const { DATA_DIR } = config();
    try {
      const postgres = await ensurePostgres(DATA_DIR, loadSecrets(DATA_DIR).database_password, {
        port: before.port,
        signal: this.#leaving.signal,
      });
      this.#postgres = postgres;
      await takeSupervisorLock(postgres.lease, DATA_DIR);
      this.#recoverWhenLost(postgres);
      if (postgres.port === before.port || signal.aborted) return;
      configure(postgres.urls);
      await Promise.all(this.#processes().map((child) => child.restart(graceMs(), signal)));
    } catch (error) {
      this.#fail(error);
    }
  }

  #prepareKeys({ DATA_DIR, ENCRYPTION_KEY, AUDIT_SEAL_KEY }: Config): void {
    if (this.#part === "web") return;
    // The worker keeps the last signed head there, even if both keys are settings.
    prepareDataDir(DATA_DIR);
    // Processes read the files themselves, because the keys can be changed while they run.
    if (!ENCRYPTION_KEY) encryptionKey(DATA_DIR);
    if (!AUDIT_SEAL_KEY) auditSealKey(DATA_DIR);
  }

  async #startSignIn({ DATA_DIR, PUBLIC_URL, OIDC_ISSUER, SESSION_SECRET }: Config): Promise<void> {
    if (OIDC_ISSUER && SESSION_SECRET) return;
    prepareDataDir(DATA_DIR);
    const secrets = loadSecrets(DATA_DIR);
    if (!SESSION_SECRET) configure({ SESSION_SECRET: secrets.session_secret });
    if (OIDC_ISSUER) return;
    if (this.#demo) prepareAccounts(DATA_DIR, secrets.initial_password);
    this.#identity = await startIdentityProvider(DATA_DIR, secrets, PUBLIC_URL);
    configure({
      OIDC_ISSUER: this.#identity.issuer,
      OIDC_CLIENT_ID: this.#identity.clientId,
      OIDC_CLIENT_SECRET: secrets.oidc_client_secret,
    });
  }

  async #startProcesses(): Promise<void> {
    const { HOST, PORT, PUBLIC_URL, SESSION_SECRET = "", WEB_CONCURRENCY } = config();
    const env = {
      NODE_ENV: this.#dev ? "development" : "production",
      PUBLIC_URL,
      NEXTAUTH_URL: PUBLIC_URL,
      NEXTAUTH_SECRET: SESSION_SECRET,
      NEXT_TELEMETRY_DISABLED: "1",
    };
    const onRefusal = (sentence: string) => this.#fail(new Refusal(sentence));
    const flags = this.#dev ? ["--dev"] : [];
    const startWorker = () => {
      if (this.#part === "worker") this.#awaited.add("worker");
      this.#worker = new Child({
        name: "worker",
        args: flags,
        env,
        onRefusal,
        onReady: () => this.#announce("worker"),
      });
      this.#worker.start();
    };
    if (this.#part === "worker") return startWorker();
    if (WEB_CONCURRENCY > 1) {
      this.#listener = new SharedListener();
      await this.#listener.listen(PORT, HOST);
    }
    this.#web = Array.from({ length: WEB_CONCURRENCY }, (_, index) => {
      const which = `web ${index}`;
      this.#awaited.add(which);
      return new Child({
        name: "web",
        label: `web-${index}`,
        args: flags,
        env: { ...env, ...KEPT_FROM_WEB },
        listener: this.#listener,
        onRefusal,
        onReady: () => this.#announce(which),
      });
    });
    for (const child of this.#web) child.start();
    if (this.#part === "web") return;
    if (!this.#demo) return startWorker();
    // The demonstration creates its data first: a worker would judge it as if it were now.
    this.#awaited.add("demo");
    this.#demoProcess = new Child({
      name: "demo",
      args: [],
      env,
      onRefusal,
      onReady: () => {
        if (!this.#worker && !this.#stopping.signal.aborted) startWorker();
        this.#announce("demo");
      },
    });
    this.#demoProcess.start();
  }

  /** Prints the start-up message on standard output, once every process is ready. */
  #announce(ready: string): void {
    if (!this.#awaited.delete(ready) || this.#awaited.size > 0 || this.#stopping.signal.aborted) return;
    const { email, password } = this.#identity?.owner ?? {};
    const hint = email ? ` — sign in as ${email}${password ? ` with password ${password}` : ""}` : "";
    if (!this.#dev) outputJson();
    const what = this.#part === "worker" ? "The worker runs" : `Sealwatch is ready at ${config().PUBLIC_URL}${hint}`;
    process.stdout.write(`${what}\n`);
  }

  #fail(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    if (!isRefusal(error) || error.message) showFailure(error);
    void this.stop().then(() => process.exit(1));
  }

  /** Finishes requests and jobs, then stops everything. Never throws; later calls wait for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#takeDown();
    return this.#stopped;
  }

  /** Stops waiting for requests: exports are cut off, and their events say so. */
  stopWaiting(): void {
    for (const child of this.#processes()) child.stopWaiting();
  }

  #processes(): Child[] {
    return [...this.#web, this.#worker, this.#demoProcess].filter((child) => child !== undefined);
  }

  async #takeDown(): Promise<void> {
    this.#stopping.abort();
    // The current step of the start may still start something. A PostgreSQL that is restarted no longer restarts processes.
    await this.#started?.catch(() => {});
    const steps = [
      () => this.#metrics?.close(),
      () => this.#listener?.close(),
      () => Promise.all(this.#processes().map((child) => child.stop(graceMs()))),
      () => this.#leaving.abort(),
      () => this.#recovered,
      () => this.#identity?.stop(),
      () => this.#postgres?.release(),
    ];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, "a part could not be stopped");
      }
    }
  }
}
