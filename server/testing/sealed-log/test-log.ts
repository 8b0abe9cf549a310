import { createHash, type KeyObject } from "node:crypto";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { formatCheckpoint } from "@/lib/sealed-log/checkpoint";
import { privateKeyOf } from "@/lib/sealed-log/ed25519";
import { headEntry, installationEntry, UNUSED_SLOT } from "@/lib/sealed-log/heads";
import {
  commitmentOf,
  decodeBody,
  eventLeafHash,
  eventParts,
  MISSING,
  type Part,
  partHashes,
  parts,
  saltsOf,
} from "@/lib/sealed-log/leaf";
import { cosign, formatNote, type NoteSignature, signNote } from "@/lib/sealed-log/note";
import { installationOrigin, organizationOrigin } from "@/lib/sealed-log/origin";
import { formatTlogProof } from "@/lib/sealed-log/tlog-proof";
import type { Hash } from "@/lib/sealed-log/tree";
import { leafHash } from "@/lib/sealed-log/tree";
import { COSIGNATURE, formatVkey, verifierKeyOf } from "@/lib/sealed-log/vkey";
import { TestTree } from "@/server/testing/sealed-log/test-tree";

const HOST = "sealwatch.example";
export const ORGANIZATION = "0199d0a2-0000-7000-8000-00000000000a";
const SLOTS = 5;
const SLOT = 3;
export const START = Date.parse("2026-03-01T00:00:00.000Z");
/** Between two events of a test's log. */
export const STEP_MS = 60_000;

/** A JSON object that tests may edit. */
export type Json = { [name: string]: unknown };

interface Entry {
  id: string;
  event: Json;
  commitment: Hash;
  nonce: Uint8Array;
}

export const testKey = (name: string): KeyObject => privateKeyOf(createHash("sha256").update(name).digest());
const b64 = (hashes: readonly Hash[]) => hashes.map(encodeBase64);

/** An id with the time `time` (Unix milliseconds); `salt` makes it differ from others of that time. */
export function idAt(time: number, salt: string): string {
  const time48 = time.toString(16).padStart(12, "0");
  const rest = createHash("sha256").update(salt).digest("hex");
  return `${time48.slice(0, 8)}-${time48.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}

interface EventOptions {
  time?: number;
  id?: string;
  request?: Json | null;
  response?: Json;
  resource?: Json;
  security?: Json;
  details?: Json | null;
  user_agent?: string;
  /** Whose event it is, if not the log's. */
  organization_id?: string;
}

/** A log of one organization with its installation's, as the sealer makes them; all its secrets are known. */
export class TestLog {
  readonly tree = new TestTree();
  readonly entries: Entry[] = [];
  /** The installation's log and, per entry, the organization's size that it has. */
  readonly installation = new TestTree();
  private readonly rounds: { size: number; heads: TestTree }[] = [];
  readonly origin: string;
  readonly keys: KeyObject[];
  readonly changes: Json[] = [];

  constructor(
    readonly epoch = 1,
    readonly organizationId = ORGANIZATION,
    key = testKey("log"),
  ) {
    this.origin = organizationOrigin({ host: HOST, organizationId, slot: SLOT, epoch });
    this.keys = [key];
  }

  get key(): KeyObject {
    const key = this.keys.at(-1);
    if (key === undefined) throw new Error("no key");
    return key;
  }

  vkey(key = this.key): string {
    return formatVkey(verifierKeyOf(this.origin, key));
  }

  /** Seals an event. Returns its index. */
  add(options: EventOptions = {}): number {
    const index = this.tree.size;
    const time = options.time ?? START + index * STEP_MS;
    const id = options.id ?? idAt(time, `${this.organizationId} ${index}`);
    const event = this.event(id, index, options);
    const nonce = createHash("sha256").update(`nonce ${index}`).digest().subarray(0, 16);
    const commitment = commitmentOf(partHashes(nonce, eventParts({ ...event, id }, bodyOf(event))));
    return this.append({ id, event, commitment, nonce });
  }

  /** Seals an id whose event was not stored. */
  addMissing(time: number): number {
    const id = idAt(time, "missing");
    return this.append({ id, event: {}, commitment: MISSING, nonce: Buffer.alloc(16) });
  }

  private append(entry: Entry): number {
    this.entries.push(entry);
    return this.tree.append(eventLeafHash(entry.id, entry.commitment));
  }

  private event(id: string, index: number, options: EventOptions): Json {
    const body =
      index % 3 === 0
        ? { body: "/wA=", body_encoding: "base64" }
        : { body: `{"n": ${index}, "ü": "\\u00e9"}`, body_encoding: "utf8" };
    const { request, response, resource, security, details, user_agent } = options;
    return {
      id,
      occurred_at: new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toISOString(),
      request:
        request === undefined
          ? {
              method: "POST",
              path: `/api/v1/things/${index}`,
              route: null,
              query: "a=1",
              body_size: 2,
              content_type: null,
              ...body,
            }
          : request,
      authentication: {
        organization_id: options.organization_id ?? this.organizationId,
        type: "api_key",
        api_key: { id: ORGANIZATION, name: "Größe 😀", hint: "sw_1234" },
        user: null,
      },
      response: {
        status_code: 200,
        response_time_ms: index + 0.25,
        error_code: null,
        error_message: null,
        ...response,
      },
      client: { ip_address: "192.0.2.7", user_agent: user_agent ?? 'curl/8.5.0\t"x"', country: null },
      security: { rate_limit_remaining: 99, flags: [], is_security_event: index % 2 === 0, ...security },
      resource: { type: "thing", id: String(index), action: "thing.create", ...resource },
      details: details === undefined ? { b: null, a: [1e21, -0.000001, null], "\u20ac": { nested: null } } : details,
    };
  }

  entry(index: number): Entry {
    const entry = this.entries[index];
    if (entry === undefined) throw new RangeError(`no entry ${index}`);
    return entry;
  }

  checkpoint(size = this.tree.size, keys = [this.key]): string {
    return this.note(this.origin, this.tree.head(size), keys, []);
  }

  private note(origin: string, head: { size: number; root: Hash }, keys: KeyObject[], more: NoteSignature[]): string {
    const text = formatCheckpoint({ origin, ...head });
    const signatures = keys.map((key) => signNote(text, key, verifierKeyOf(origin, key)));
    return formatNote({ text, signatures: [...signatures, ...more] });
  }

  /** Puts the present head into the installation's log. */
  publish(): void {
    const head = headEntry({ origin: this.origin, ...this.tree.head() });
    const heads = new TestTree(Array.from({ length: SLOTS }, (_, slot) => (slot === SLOT ? head : UNUSED_SLOT)));
    this.installation.append(leafHash(installationEntry(SLOTS, heads.head().root)));
    this.rounds.push({ size: this.tree.size, heads });
  }

  /** The heads of the published checkpoint of `size`, cosigned by a witness at `time`, while the installation's log had `installed` entries. */
  heads(size: number, time?: number, installed?: number): Json {
    const index = this.rounds.findIndex((round) => round.size === size);
    const round = this.rounds[index];
    if (round === undefined) throw new RangeError(`no round of size ${size}`);
    const origin = installationOrigin(HOST, this.epoch);
    const head = this.installation.head(installed ?? index + 1);
    const text = formatCheckpoint({ origin, ...head });
    const witness = testKey("witness");
    const seen =
      time === undefined
        ? []
        : [cosign(text, Math.floor(time / 1000), witness, verifierKeyOf("witness.example", witness, COSIGNATURE))];
    return {
      ...{ slots: SLOTS, path: b64(round.heads.inclusion(SLOT)), index },
      proof: b64(this.installation.inclusion(index, head.size)),
      checkpoint: this.note(origin, head, [this.key], seen),
    };
  }

  /** Changes the key: an entry, and a checkpoint signed by both. */
  rotate(key: KeyObject): void {
    const [from, to] = [this.vkey(), this.vkey(key)];
    this.add({ request: null, resource: { action: "audit_log.key_rotated" }, details: { from, to } });
    this.changes.push({ vkey: to, note: this.checkpoint(this.tree.size, [this.key, key]) });
    this.keys.push(key);
  }

  /** The header of a bundle under the checkpoint of `size`, with other members if given. */
  header(header: Json = {}, size = this.tree.size): Json {
    const { first, end } = { first: 0, end: size, ...numbers(header) };
    return {
      ...{
        version: 1,
        origin: this.origin,
        vkey: this.vkey(),
        epoch: this.epoch,
        first,
        end,
        since: null,
        until: null,
      },
      ...{
        left: b64(this.tree.range(0, first)),
        right: b64(this.tree.range(end, size)),
        checkpoint: this.checkpoint(size),
      },
      ...{ checkpoints: [], keys: this.changes, heads: null, retention_days: 365, closed: null, previous: null },
      ...header,
    };
  }

  /** The line of an entry. */
  line(index: number): Json {
    const { event, nonce, commitment } = this.entry(index);
    const seal = { index, epoch: this.epoch, nonce: encodeBase64(nonce), commitment: encodeBase64(commitment) };
    return structuredClone({ ...event, seal });
  }

  /** What the commitment of an entry was made of. */
  partsOf(index: number): ReturnType<typeof eventParts> {
    const { event, id } = this.entry(index);
    return eventParts({ ...event, id }, bodyOf(event));
  }

  thin(index: number, reason = "expired"): Json {
    const { id, commitment } = this.entry(index);
    return { thin: { index, epoch: this.epoch, id, commitment: encodeBase64(commitment), reason } };
  }

  /** The line of an entry some of whose parts are not shown. */
  hiding(index: number, hidden: readonly Part[], redaction?: Json): Json {
    const { nonce, event, id } = this.entry(index);
    const line = this.line(index);
    const hashes = partHashes(nonce, eventParts({ ...event, id }, bodyOf(event)));
    const salts = saltsOf(nonce);
    const of = (names: readonly Part[], values: Record<Part, Uint8Array>) =>
      Object.fromEntries(names.map((part) => [part, encodeBase64(values[part])]));
    line.seal = {
      ...{ index, epoch: this.epoch, hashes: of(hidden, hashes) },
      salts: of(
        parts.filter((part) => !hidden.includes(part)),
        salts,
      ),
      ...(redaction && { redaction }),
    };
    if (hidden.includes("body")) line.request = without(line.request, ["body", "body_encoding"]);
    return hidden.includes("caller") ? without(line, ["authentication", "client"]) : line;
  }

  /** A consistency proof, as the API answers it. */
  consistency(from: number, to: number): string {
    return JSON.stringify({ from, to, hashes: b64(this.tree.consistency(from, to)) });
  }

  also(index: number, line = this.line(index)): Json {
    return { also: line, path: b64(this.tree.inclusion(index)) };
  }

  /** The bundle of a range, the whole log unless `header` says otherwise. */
  bundle(header: Json = {}, size = this.tree.size): TestBundle {
    const made = this.header(header, size);
    const { first, end } = { first: 0, end: size, ...numbers(made) };
    return new TestBundle(
      made,
      Array.from({ length: end - first }, (_, at) => this.line(first + at)),
    );
  }

  proof(index: number, size = this.tree.size): string {
    const { nonce, event, id } = this.entry(index);
    const extra = Buffer.concat([nonce, partHashes(nonce, eventParts({ ...event, id }, bodyOf(event))).body]);
    return formatTlogProof({
      extra,
      index,
      proof: this.tree.inclusion(index, size),
      checkpoint: this.checkpoint(size),
    });
  }
}

/** The lines of a bundle, to be edited before they are written. */
export class TestBundle {
  constructor(
    readonly header: Json,
    readonly rows: (Json | string)[],
  ) {}

  /** The line at `position`, to be edited. */
  row(position: number): Json {
    const row = this.rows[position];
    if (row === undefined || typeof row === "string") throw new RangeError(`no row ${position}`);
    return row;
  }

  /** The file, with a trailer that fits it unless it is given. */
  text(trailer?: Json): string {
    const lines = [{ sealed_log: this.header }, ...this.rows].map((line) =>
      typeof line === "string" ? line : JSON.stringify(line),
    );
    const text = `${lines.join("\n")}\n`;
    const sha256 = createHash("sha256").update(text).digest("hex");
    return `${text}${JSON.stringify({ export: { rows: this.rows.length, sha256, ...trailer } })}\n`;
  }
}

export const WITNESS_VKEY = formatVkey(verifierKeyOf("witness.example", testKey("witness"), COSIGNATURE));

function bodyOf({ request }: Json): Uint8Array | null {
  if (!isObject(request)) return null;
  return decodeBody(request.body, request.body_encoding);
}

function numbers({ first, end }: Json): { first?: number; end?: number } {
  return { ...(typeof first === "number" && { first }), ...(typeof end === "number" && { end }) };
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function without(value: unknown, names: readonly string[]): Json {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) : {};
}
