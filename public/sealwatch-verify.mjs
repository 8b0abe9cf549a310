#!/usr/bin/env node
// Verifies a sealed export of a Sealwatch audit log, or a folder of what a destination has put into a bucket, offline, with nothing but this file. Node.js 20 or later, and browsers.
//   node sealwatch-verify.mjs FILE --vkey KEY [--checkpoint OLD]… [--consistency FILE]… [--witness VKEY]…
//        [--retention-days N] [--expect REQUEST-IDS]
//   node sealwatch-verify.mjs FOLDER --vkey KEY [--checkpoint OLD]… [--from INDEX] [--filtered] [--expect REQUEST-IDS]
//   node sealwatch-verify.mjs --proof FILE --vkey KEY EVENT.json
// Exit status: 0 everything is proved, 1 something is wrong, 2 something cannot be proved with what was given.
// The formats: docs/sealed-log-format.md. It shares no code with Sealwatch on purpose.
// Copyright Sealwatch contributors. Apache License 2.0.

const isNode = typeof process === "object" && typeof process.versions?.node === "string";
const crypto = isNode ? await import("node:crypto") : null;

/** Something is wrong. `index` is the first index that is known to be affected, or null. */
class Wrong extends Error {
  constructor(message, index = null) {
    super(message);
    this.index = index;
  }
}

/** Something cannot be checked with what was given. */
class Unprovable extends Error {}

// ── Bytes ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const encoder = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8 = isNode ? (text) => Buffer.from(text) : (text) => encoder.encode(text);

function concat(...parts) {
  if (isNode) return Buffer.concat(parts);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
function unhex(text) {
  if (isNode) return Buffer.from(text, "hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function equal(one, other) {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** The bytes of canonical base64, of exactly `length` bytes if given; null for any other text. */
function fromBase64(text, length) {
  if (typeof text !== "string" || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = isNode ? Buffer.from(text, "base64") : Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return toBase64(bytes) === text && (length === undefined || bytes.length === length) ? bytes : null;
}

function toBase64(bytes) {
  if (isNode) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

function bigEndian(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

// ── SHA-2 (FIPS 180-4), for browsers: WebCrypto has it only with a promise for each hash, and not at all on plain http ─────────────

/** The first 64 bits of the fractional part of the `root`-th root of each prime, as the standard defines its constants. */
function constants(count, root) {
  const words = [];
  for (let prime = 2n; words.length < count; prime++) {
    let isPrime = true;
    for (let factor = 2n; factor * factor <= prime; factor++) if (prime % factor === 0n) isPrime = false;
    if (!isPrime) continue;
    const scaled = prime << (64n * root);
    let [low, high] = [0n, 1n << 72n];
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** root <= scaled) low = middle;
      else high = middle;
    }
    words.push(low & 0xffffffffffffffffn);
  }
  return words;
}

const roots3 = constants(80, 3n);
const roots2 = constants(8, 2n);
const highs = (words) => Int32Array.from(words, (word) => Number(word >> 32n) | 0);
const lows = (words) => Int32Array.from(words, (word) => Number(word & 0xffffffffn) | 0);
const [K_HIGH, K_LOW, H_HIGH, H_LOW] = [highs(roots3), lows(roots3), highs(roots2), lows(roots2)];

class Sha256 {
  #state = Int32Array.from(H_HIGH);
  #block = new Uint8Array(64);
  #words = new Int32Array(64);
  #used = 0;
  #length = 0;

  update(bytes) {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(64 - this.#used, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), this.#used);
      this.#used += taken;
      at += taken;
      if (this.#used === 64) this.#compress();
    }
    return this;
  }

  digest() {
    const length = this.#length;
    this.update(new Uint8Array(1 + ((119 - (length % 64)) % 64)).fill(0x80, 0, 1));
    this.update(bigEndian(length * 8));
    const result = new Uint8Array(32);
    this.#state.forEach((word, at) => new DataView(result.buffer).setInt32(4 * at, word));
    return result;
  }

  #compress() {
    const w = this.#words;
    const block = this.#block;
    for (let t = 0; t < 16; t++) {
      w[t] = (block[4 * t] << 24) | (block[4 * t + 1] << 16) | (block[4 * t + 2] << 8) | block[4 * t + 3];
    }
    for (let t = 16; t < 64; t++) {
      const [x, y] = [w[t - 15], w[t - 2]];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[t] = (s1 + w[t - 7] + s0 + w[t - 16]) | 0;
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let t = 0; t < 64; t++) {
      const S1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + S1 + ((e & f) ^ (~e & g)) + K_HIGH[t] + w[t]) | 0;
      const S0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (S0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    const s = this.#state;
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
    s[4] += e;
    s[5] += f;
    s[6] += g;
    s[7] += h;
    this.#used = 0;
  }
}

/** The 64-bit words of SHA-512 are pairs of 32-bit words: BigInt would take ten times as long. */
function ownSha512(message) {
  const padded = concat(
    message,
    new Uint8Array(1 + ((239 - (message.length % 128)) % 128)).fill(0x80, 0, 1),
    new Uint8Array(8),
    bigEndian(message.length * 8),
  );
  const view = new DataView(padded.buffer, padded.byteOffset);
  const stateHigh = Int32Array.from(H_HIGH);
  const stateLow = Int32Array.from(H_LOW);
  const wh = new Int32Array(80);
  const wl = new Int32Array(80);
  let high = 0;
  let low = 0;
  /** Adds a 64-bit word to (high, low). */
  const add = (h, l) => {
    const sum = (low >>> 0) + (l >>> 0);
    high = (high + h + (sum > 0xffffffff ? 1 : 0)) | 0;
    low = sum | 0;
  };
  const rotate = (h, l, by) => (by < 32 ? (h >>> by) | (l << (32 - by)) : by === 32 ? l : (l >>> (by - 32)) | (h << (64 - by)));
  const xor3 = (h, l, [x, y, z], isShift) => [
    rotate(h, l, x) ^ rotate(h, l, y) ^ (isShift ? h >>> z : rotate(h, l, z)),
    rotate(l, h, x) ^ rotate(l, h, y) ^ (isShift ? (l >>> z) | (h << (32 - z)) : rotate(l, h, z)),
  ];
  for (let block = 0; block < padded.length; block += 128) {
    for (let t = 0; t < 16; t++) {
      wh[t] = view.getInt32(block + 8 * t);
      wl[t] = view.getInt32(block + 8 * t + 4);
    }
    for (let t = 16; t < 80; t++) {
      [high, low] = xor3(wh[t - 15], wl[t - 15], [1, 8, 7], true);
      add(...xor3(wh[t - 2], wl[t - 2], [19, 61, 6], true));
      add(wh[t - 7], wl[t - 7]);
      add(wh[t - 16], wl[t - 16]);
      wh[t] = high;
      wl[t] = low;
    }
    const h = Array.from(stateHigh);
    const l = Array.from(stateLow);
    for (let t = 0; t < 80; t++) {
      [high, low] = [h[7], l[7]];
      add(...xor3(h[4], l[4], [14, 18, 41], false));
      add((h[4] & h[5]) ^ (~h[4] & h[6]), (l[4] & l[5]) ^ (~l[4] & l[6]));
      add(K_HIGH[t], K_LOW[t]);
      add(wh[t], wl[t]);
      const [t1h, t1l] = [high, low];
      [high, low] = [h[3], l[3]];
      add(t1h, t1l);
      const [eh, el] = [high, low];
      [high, low] = [t1h, t1l];
      add(...xor3(h[0], l[0], [28, 34, 39], false));
      add((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]), (l[0] & l[1]) ^ (l[0] & l[2]) ^ (l[1] & l[2]));
      h.pop();
      l.pop();
      h.unshift(high);
      l.unshift(low);
      h[4] = eh;
      l[4] = el;
    }
    for (let at = 0; at < 8; at++) {
      [high, low] = [stateHigh[at], stateLow[at]];
      add(h[at], l[at]);
      stateHigh[at] = high;
      stateLow[at] = low;
    }
  }
  const result = new DataView(new ArrayBuffer(64));
  for (let at = 0; at < 8; at++) {
    result.setInt32(8 * at, stateHigh[at]);
    result.setInt32(8 * at + 4, stateLow[at]);
  }
  return new Uint8Array(result.buffer);
}

/** What browsers use; SEALWATCH_VERIFY_OWN_CRYPTO=1 makes Node.js use it too. */
export const ownCrypto = {
  sha256: (bytes) => new Sha256().update(bytes).digest(),
  sha512: ownSha512,
  hasher: () => new Sha256(),
  ed25519: ownEd25519,
};
const ofNode = {
  sha256: (bytes) => crypto.createHash("sha256").update(bytes).digest(),
  sha512: (bytes) => crypto.createHash("sha512").update(bytes).digest(),
  hasher: () => crypto.createHash("sha256"),
  ed25519(message, signature, publicKey) {
    const x = toBase64(publicKey).replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
    const key = crypto.createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return crypto.verify(null, message, key, signature);
  },
};
if (isNode && typeof crypto.hash === "function") {
  // Through a text: each Buffer that it returns has memory of its own, which costs several times as much to collect.
  ofNode.sha256 = (bytes) => Buffer.from(crypto.hash("sha256", bytes, "hex"), "hex");
  ofNode.sha512 = (bytes) => Buffer.from(crypto.hash("sha512", bytes, "hex"), "hex");
}
const isOwn = !isNode || process.env.SEALWATCH_VERIFY_OWN_CRYPTO === "1";
const { sha256, sha512, hasher, ed25519 } = isOwn ? ownCrypto : ofNode;

// ── Ed25519 (RFC 8032), for browsers: not all have it in WebCrypto, and none on plain http. Verifying needs no secret ──────────────

function ownEd25519(message, signature, publicKey) {
  const p = 2n ** 255n - 19n;
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const mod = (value) => ((value % p) + p) % p;
  const power = (base, exponent) => {
    let result = 1n;
    for (let factor = mod(base), rest = exponent; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = (result * factor) % p;
      factor = (factor * factor) % p;
    }
    return result;
  };
  const d = mod(-121665n * power(121666n, p - 2n));
  const littleEndian = (bytes) => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const add = ([x1, y1, z1, t1], [x2, y2, z2, t2]) => {
    const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))];
    const [c, e] = [mod(2n * t1 * t2 * d), mod(2n * z1 * z2)];
    const [f, g, h, i] = [b - a, e - c, e + c, b + a];
    return [mod(f * g), mod(h * i), mod(g * h), mod(f * i)];
  };
  const multiply = (point, scalar) => {
    let result = [0n, 1n, 1n, 0n];
    for (let factor = point, rest = scalar; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = add(result, factor);
      factor = add(factor, factor);
    }
    return result;
  };
  const pointOf = (y, isOdd) => {
    const square = mod((y * y - 1n) * power(d * y * y + 1n, p - 2n));
    let x = power(square, (p + 3n) / 8n);
    if (mod(x * x - square) !== 0n) x = mod(x * power(2n, (p - 1n) / 4n));
    if (mod(x * x - square) !== 0n || (x === 0n && isOdd)) return null;
    if ((x & 1n) !== (isOdd ? 1n : 0n)) x = p - x;
    return [x, y, 1n, mod(x * y)];
  };
  const sign = 1n << 255n;
  const encoded = littleEndian(publicKey);
  const key = pointOf(encoded & (sign - 1n), (encoded & sign) !== 0n);
  const base = pointOf(mod(4n * power(5n, p - 2n)), false);
  const s = littleEndian(signature.subarray(32));
  if (key === null || base === null || s >= order) return false;
  const k = littleEndian(sha512(concat(signature.subarray(0, 32), publicKey, message))) % order;
  const [x, y, z] = add(multiply(base, s), multiply([p - key[0], key[1], 1n, p - key[3]], k));
  const inverse = power(z, p - 2n);
  const result = mod(y * inverse) | ((mod(x * inverse) & 1n) === 1n ? sign : 0n);
  return result === littleEndian(signature.subarray(0, 32));
}

// ── JSON: strict I-JSON (RFC 7493) in, RFC 8785 out. Objects are Maps ───────────────────────────────────────────────────────────────

const LONE_SURROGATE = /\p{Cs}/u;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /^[ !#-[\]-~]*$/;
const MAX_DEPTH = 200;

class Json {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.depth = 0;
  }

  static parse(text) {
    const json = new Json(text);
    json.space();
    const value = json.value();
    json.space();
    if (json.at !== text.length) throw json.fault();
    return value;
  }

  fault(what = "is not JSON") {
    return new Wrong(`A line ${what} (at character ${this.at + 1}).`);
  }

  space() {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 9 && code !== 13 && code !== 10) return;
      this.at += 1;
    }
  }

  value() {
    const char = this.text[this.at];
    if (char === '"') return this.string();
    if (char === "{" || char === "[") {
      this.depth += 1;
      if (this.depth > MAX_DEPTH) throw this.fault("is nested too deeply");
      this.at += 1;
      const value = char === "{" ? this.object() : this.array();
      this.depth -= 1;
      return value;
    }
    if (char === "n") return this.word("null", null);
    if (char === "t") return this.word("true", true);
    if (char === "f") return this.word("false", false);
    return this.number();
  }

  word(word, value) {
    if (!this.text.startsWith(word, this.at)) throw this.fault();
    this.at += word.length;
    return value;
  }

  number() {
    NUMBER.lastIndex = this.at;
    const [text] = NUMBER.exec(this.text) ?? [];
    if (text === undefined) throw this.fault();
    const value = Number(text);
    if (!Number.isFinite(value) || (/^-?\d+$/.test(text) && !isExact(text, value))) {
      throw this.fault("has a number that JSON cannot carry exactly");
    }
    this.at += text.length;
    return value;
  }

  string() {
    const { text } = this;
    const start = ++this.at;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === 34) return text.slice(start, this.at++);
      if (code === 92) return this.escaped(start);
      if (code < 32 || Number.isNaN(code)) throw this.fault();
      this.at += 1;
    }
  }

  escaped(start) {
    const { text } = this;
    for (; text[this.at] !== '"'; this.at += 1) {
      if (this.at >= text.length) throw this.fault();
      if (text[this.at] === "\\") this.at += 1;
    }
    this.at += 1;
    let value;
    try {
      value = JSON.parse(text.slice(start - 1, this.at));
    } catch {
      throw this.fault();
    }
    if (LONE_SURROGATE.test(value)) throw this.fault("has a lone surrogate");
    return value;
  }

  object() {
    const members = new Map();
    this.space();
    if (this.text[this.at] === "}") {
      this.at += 1;
      return members;
    }
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') throw this.fault();
      const name = this.string();
      if (members.has(name)) throw this.fault(`has the name ${JSON.stringify(name.slice(0, 50))} twice`);
      this.space();
      if (this.text[this.at] !== ":") throw this.fault();
      this.at += 1;
      this.space();
      members.set(name, this.value());
      this.space();
      const next = this.text[this.at++];
      if (next === "}") return members;
      if (next !== ",") throw this.fault();
    }
  }

  array() {
    const values = [];
    this.space();
    if (this.text[this.at] === "]") {
      this.at += 1;
      return values;
    }
    for (;;) {
      this.space();
      values.push(this.value());
      this.space();
      const next = this.text[this.at++];
      if (next === "]") return values;
      if (next !== ",") throw this.fault();
    }
  }
}

/** Whether an integer is a double, or what ECMAScript writes for one: another one would be read as a number that it is not. */
function isExact(text, value) {
  return Number.isSafeInteger(value) || String(value) === text || BigInt(text) === BigInt(value);
}

function quote(text) {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function canonical(value, withoutNulls, skipped) {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, withoutNulls)).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  let text = "";
  for (const name of [...value.keys()].sort()) {
    const member = value.get(name);
    if ((withoutNulls && member === null) || skipped?.has(name)) continue;
    text += `${text === "" ? "" : ","}${quote(name)}:${canonical(member, withoutNulls)}`;
  }
  return `{${text}}`;
}

// ── Trees (RFC 6962) ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const leafHash = (entry) => sha256(concat(Uint8Array.of(0), entry));

const nodeBytes = new Uint8Array(65).fill(1, 0, 1);
function nodeHash(left, right) {
  nodeBytes.set(left, 1);
  nodeBytes.set(right, 33);
  return sha256(nodeBytes);
}

/** The levels of the perfect subtrees that make up the leaves [begin, end), from left to right. */
function rangeLevels(begin, end) {
  const levels = [];
  for (let position = begin; position < end; ) {
    let [level, size] = [0, 1];
    while (position % (2 * size) === 0 && position + 2 * size <= end) [level, size] = [level + 1, 2 * size];
    levels.push(level);
    position += size;
  }
  return levels;
}

/** The right edge of the tree of the leaves [0, end). */
class Edge {
  end = 0;
  hashes = [];

  append(subtree, level = 0) {
    const size = 2 ** level;
    let hash = subtree;
    for (let index = this.end / size; index % 2 === 1; index = (index - 1) / 2) hash = nodeHash(this.hashes.pop(), hash);
    this.hashes.push(hash);
    this.end += size;
  }

  root() {
    return this.hashes.length === 0 ? sha256(new Uint8Array(0)) : this.hashes.reduceRight((right, left) => nodeHash(left, right));
  }
}

const half = (number) => Math.floor(number / 2);

/** The root that an inclusion proof leads to, or null if the proof is not of the due length. */
function rootOfInclusion(leaf, index, size, proof) {
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? hash : null;
}

function isIncluded(leaf, index, size, proof, root) {
  if (!(index < size)) return false;
  const result = rootOfInclusion(leaf, index, size, proof);
  return result !== null && equal(result, root);
}

/** Whether a tree of `to` leaves begins with the tree of `from` leaves (RFC 9162, section 2.1.4.2). */
function isConsistent(from, fromRoot, to, toRoot, proof) {
  if (from > to) return false;
  if (from === to) return proof.length === 0 && equal(fromRoot, toRoot);
  if (from === 0) return proof.length === 0 && equal(fromRoot, sha256(new Uint8Array(0)));
  let isPower = from;
  while (isPower % 2 === 0) isPower /= 2;
  const [first, ...rest] = isPower === 1 ? [fromRoot, ...proof] : proof;
  if (first === undefined) return false;
  let [node, last] = [from - 1, to - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let [before, after] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [before, after] = [nodeHash(hash, before), nodeHash(hash, after)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else after = nodeHash(after, hash);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equal(before, fromRoot) && equal(after, toRoot);
}

// ── Keys, signed notes, checkpoints, origins ────────────────────────────────────────────────────────────────────────────────────────

const LOG = 1;
const WITNESS = 4;
const KEY_NAME = /^[^\p{White_Space}\p{Cc}+]+$/u;
const CONTROL = /[^\P{Cc}\n\x7f-\x9f]|\p{Cs}/u;
const MAX_SIGNATURES = 100;

function keyOf(name, type, publicKey) {
  const id = hex(sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4));
  return { name, id, type, publicKey };
}

/** A verifier key, or null if the text is not one. */
function parseVkey(text) {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/u.exec(text) ?? [];
  const bytes = encoded === undefined ? null : fromBase64(encoded, 33);
  if (bytes === null || !KEY_NAME.test(name) || (bytes[0] !== LOG && bytes[0] !== WITNESS)) return null;
  const key = keyOf(name, bytes[0], bytes.subarray(1));
  return key.id === id ? key : null;
}

/** A note that the reader kept: mails end lines in CRLF, and copying adds or loses empty lines around it. */
function keptNote(text) {
  return `${text.replace(/[ \t]*\r?\n/g, "\n").trim()}\n`;
}

function parseNote(note, what) {
  const fault = (why) => new Wrong(`${what} is not a signed note: ${why}.`);
  if (typeof note !== "string" || CONTROL.test(note)) throw fault("it has characters that a note cannot have");
  const end = note.lastIndexOf("\n\n");
  const lines = note.slice(end + 2).split("\n");
  if (end < 0 || lines.pop() !== "" || lines.length === 0) throw fault("it has no signature behind an empty line");
  if (lines.length > MAX_SIGNATURES) throw fault(`it has more than ${MAX_SIGNATURES} signatures`);
  const signatures = lines.map((line) => {
    const [, name, encoded] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (bytes === null || !KEY_NAME.test(name) || bytes.length <= 4) throw fault("a line is not a signature");
    return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/** The signatures of known keys, all valid: [{key, time}], time in Unix seconds for witnesses. Throws Wrong for an invalid one. */
function verifyNote({ text, signatures }, keys, what) {
  return signatures.flatMap(({ name, id, signature }) => {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (key === undefined) return [];
    const isWitness = key.type === WITNESS;
    const bytes = isWitness ? signature.subarray(8) : signature;
    const time = isWitness && signature.length === 72 ? new DataView(signature.buffer, signature.byteOffset).getBigUint64(0) : 0n;
    const message = utf8(isWitness ? `cosignature/v1\ntime ${time}\n${text}` : text);
    const isValid = bytes.length === 64 && time < 2n ** 53n && ed25519(message, bytes, key.publicKey);
    if (!isValid) throw new Wrong(`The signature of ${name} (${id}) on ${what} is invalid.`);
    return [{ key, time: isWitness ? Number(time) : null }];
  });
}

function parseCheckpoint(text, what) {
  const [origin, size, root, ...rest] = text.split("\n");
  const bytes = fromBase64(root, 32);
  const isCheckpoint = origin !== "" && /^(0|[1-9]\d{0,15})$/.test(size) && Number.isSafeInteger(Number(size));
  if (!isCheckpoint || bytes === null || rest.length !== 1 || rest[0] !== "") {
    throw new Wrong(`${what} is not a checkpoint of three lines.`);
  }
  return { origin, size: Number(size), root: bytes };
}

const ORIGIN = /^([^/]+)\/log\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(0|[1-9]\d{0,15})\/([1-9]\d{0,15})$/;

function parseOrigin(origin) {
  const [, host, organization, slot, epoch] = ORIGIN.exec(origin) ?? [];
  if (host === undefined || !Number.isSafeInteger(Number(slot)) || !Number.isSafeInteger(Number(epoch))) return null;
  return { origin, host, organization, slot: Number(slot), epoch: Number(epoch), installation: `${host}/log/${epoch}` };
}

// ── Time stamps (RFC 3161) ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The elements of DER: [{tag, content}]. Throws RangeError. */
function derElements(bytes) {
  const elements = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, short] = [bytes[at], bytes[at + 1]];
    const count = short > 0x80 ? short - 0x80 : 0;
    if (short === undefined || short === 0x80 || count > 3) throw new RangeError("malformed");
    const start = at + 2 + count;
    const length = count === 0 ? short : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
    if (start + length > bytes.length) throw new RangeError("malformed");
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** The elements inside of the first, second, … element. Throws RangeError. */
function inside(bytes, ...path) {
  return path.reduce((elements, at) => {
    if (elements[at] === undefined) throw new RangeError("malformed");
    return derElements(elements[at].content);
  }, derElements(bytes));
}

const SHA256_OID = "608648016503040201";
const TST_INFO_OID = "2a864886f70d0109100104";

/** The time in a token, in Unix milliseconds. Throws Wrong if it is over another text. The authority's signature is not verified. */
function stampTime(token, text, what) {
  try {
    const [type, content] = inside(token, 0, 1, 0, 2);
    if (hex(type.content) !== TST_INFO_OID) throw new RangeError("malformed");
    const info = inside(content.content, 0, 0);
    const [algorithm, hashed] = derElements(info[2].content);
    const isOver = hex(derElements(algorithm.content)[0].content) === SHA256_OID && equal(hashed.content, sha256(utf8(text)));
    if (!isOver) throw new Wrong(`${what} is over another text.`);
    const digits = String.fromCharCode(...info[4].content);
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(digits) ?? [];
    const time = Date.UTC(parts[0], parts[1] - 1, ...parts.slice(2));
    if (Number.isNaN(time)) throw new RangeError("malformed");
    return time;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new Wrong(`${what} is malformed.`);
    throw error;
  }
}

// ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const PARTS = ["request", "body", "caller", "outcome"];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BODY_MEMBERS = new Set(["body", "body_encoding"]);
const CALLER_MEMBERS = new Set(["authentication", "client"]);
const OUTSIDE_OF_OUTCOME = new Set(["request", ...CALLER_MEMBERS, "id", "occurred_at", "seal"]);
const COMPUTED = new Set(["is_security_event"]);

const idTime = (id) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

function partBytes(part, event) {
  if (part === "request") return utf8(canonical(event.get("request") ?? new Map(), true, BODY_MEMBERS));
  if (part === "body") return bodyBytes(event.get("request") ?? null);
  if (part === "caller") {
    const caller = new Map([...CALLER_MEMBERS].flatMap((name) => (event.has(name) ? [[name, event.get(name)]] : [])));
    return utf8(canonical(caller, true));
  }
  let text = "";
  for (const name of [...event.keys()].sort()) {
    const value = event.get(name);
    if (value === null || OUTSIDE_OF_OUTCOME.has(name)) continue;
    const json = canonical(value, name !== "details", name === "security" ? COMPUTED : undefined);
    text += `${text === "" ? "" : ","}${quote(name)}:${json}`;
  }
  return utf8(`{${text}}`);
}

/** The bytes of a body; throws Wrong if the event does not show one. */
function bodyBytes(request) {
  if (request === null) return new Uint8Array(0);
  const [body, encoding] = [request.get("body"), request.get("body_encoding")];
  if (body === null && encoding === null) return new Uint8Array(0);
  const bytes = typeof body !== "string" ? null : encoding === "utf8" ? utf8(body) : encoding === "base64" ? fromBase64(body) : null;
  if (bytes === null) throw new Wrong("A body does not fit its encoding.");
  return bytes;
}

/** Values of a part that is not proved must not be shown: nobody could tell whether they are true. */
function isShown(part, event) {
  const request = event.get("request");
  const names = request instanceof Map ? [...request.keys()] : [];
  if (part === "request") return request === null || names.some((name) => !BODY_MEMBERS.has(name));
  if (part === "body") return names.some((name) => BODY_MEMBERS.has(name));
  if (part === "caller") return [...CALLER_MEMBERS].some((name) => event.has(name));
  return [...event.keys()].some((name) => !OUTSIDE_OF_OUTCOME.has(name));
}

function commitmentOf(hashes) {
  return sha256(concat(...PARTS.map((part) => hashes[part])));
}

function eventLeaf(id, commitment) {
  return leafHash(concat(Uint8Array.of(1), unhex(id.replaceAll("-", "")), commitment));
}

/** What `seal` says of an event's commitment: its hashes by part, and the parts that are not shown. */
function openSeal(event, seal) {
  const hashes = {};
  const hidden = [];
  if (seal.has("nonce")) {
    const nonce = fromBase64(seal.get("nonce"), 16);
    if (nonce === null) throw new Wrong("A nonce has not 16 bytes.");
    const salts = sha512(nonce);
    PARTS.forEach((part, at) => {
      hashes[part] = sha256(concat(salts.subarray(16 * at, 16 * at + 16), partBytes(part, event)));
    });
    return { hashes, hidden };
  }
  const [given, withheld] = [seal.get("salts"), seal.get("hashes")];
  for (const part of PARTS) {
    if (given.has(part) === withheld.has(part)) throw new Wrong(`The part ${part} has not either a salt or a hash.`);
    if (given.has(part)) {
      const salt = fromBase64(given.get(part), 16);
      if (salt === null) throw new Wrong("A salt has not 16 bytes.");
      hashes[part] = sha256(concat(salt, partBytes(part, event)));
    } else {
      const hash = fromBase64(withheld.get(part), 32);
      if (hash === null) throw new Wrong("The hash of a part has not 32 bytes.");
      if (isShown(part, event)) throw new Wrong(`The part ${part} is shown, though only its hash is given.`);
      hashes[part] = hash;
      hidden.push(part);
    }
  }
  return { hashes, hidden };
}

// ── Checks of shapes ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const isIndex = (value) => Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
const isTime = (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));

/** An object with exactly these members, and perhaps some of the `optional` ones. */
function members(value, names, what, optional = []) {
  const isRight = value instanceof Map && names.every((name) => value.has(name));
  const known = [...names, ...optional];
  if (!isRight || ![...value.keys()].every((name) => known.includes(name))) {
    throw new Wrong(`${what} has not the members ${names.join(", ")}.`);
  }
  return value;
}

function hashList(value, count, what) {
  const hashes = Array.isArray(value) ? value.map((one) => fromBase64(one, 32)) : [null];
  if (hashes.includes(null)) throw new Wrong(`${what} is not a list of hashes.`);
  if (count !== null && hashes.length !== count) throw new Wrong(`${what} has ${hashes.length} hashes instead of ${count}.`);
  return hashes;
}

/** Member after member of nested objects; undefined where one is missing. */
function dig(value, ...names) {
  return names.reduce((part, name) => (part instanceof Map ? part.get(name) : undefined), value);
}

// ── Ids: none twice ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const ID_CHUNK = 8192;
const MAX_RUNS = 500;

/**
 * Finds ids that occur twice. Ids come almost in the order of their times, so they are kept in few ascending runs: for each id 12
 * bytes, its time and 48 mixed bits of the rest. Only an id that does not continue the first run is looked up, by its time. Equal ids
 * are always found; others are taken for equal with a probability of 2^-48 for each pair of the same millisecond.
 */
class SeenIds {
  runs = [];

  /** Adds an id; false if it was there. */
  add(id) {
    const time = idTime(id);
    const [a, b, c] = [Number.parseInt(id.slice(14, 18) + id.slice(19, 23), 16), ...[24, 28].map((at) => Number.parseInt(id.slice(at, at + 8), 16))];
    let mixed = Math.imul(a ^ (a >>> 15), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x9e3779b1) ^ c;
    const key = { time, low: mixed >>> 0, high: (c ^ Math.imul(b, 0x27d4eb2f) ^ a) & 0xffff };
    // The last time of a run is later than that of the next run.
    for (const run of this.runs) {
      if (time <= run.last && run.has(key)) return false;
      if (time >= run.last) {
        run.add(key);
        return true;
      }
    }
    if (this.runs.length === MAX_RUNS) throw new Unprovable("The order of the ids is too irregular to look for duplicates.");
    const run = new Run();
    run.add(key);
    this.runs.push(run);
    return true;
  }
}

/** Ids with ascending times: in each chunk three words per id, the time's high 16 bits with 16 mixed ones, its low 32, 32 mixed. */
class Run {
  last = -1;
  count = 0;
  chunks = [];

  add({ time, low, high }) {
    const at = this.count % ID_CHUNK;
    if (at === 0) this.chunks.push(new Uint32Array(3 * ID_CHUNK));
    const chunk = this.chunks[this.chunks.length - 1];
    chunk[3 * at] = Math.floor(time / 2 ** 32) * 65536 + high;
    chunk[3 * at + 1] = time;
    chunk[3 * at + 2] = low;
    this.count += 1;
    this.last = time;
  }

  timeAt(position) {
    const chunk = this.chunks[Math.floor(position / ID_CHUNK)];
    const at = 3 * (position % ID_CHUNK);
    return (chunk[at] >>> 16) * 2 ** 32 + chunk[at + 1];
  }

  has({ time, low, high }) {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = half(from + to);
      if (this.timeAt(middle) < time) from = middle + 1;
      else to = middle;
    }
    for (; from < this.count && this.timeAt(from) === time; from++) {
      const chunk = this.chunks[Math.floor(from / ID_CHUNK)];
      const at = 3 * (from % ID_CHUNK);
      if (chunk[at + 2] === low && (chunk[at] & 0xffff) === high) return true;
    }
    return false;
  }
}

// ── What a verification found ───────────────────────────────────────────────────────────────────────────────────────────────────────

const DAY_MS = 86_400_000;
const TOLERANCE_MS = 120_000;
const MAX_LISTED = 20;

/** A count, and the first indexes. */
class Listed {
  count = 0;
  first = [];

  add(index) {
    this.count += 1;
    if (this.first.length < MAX_LISTED) this.first.push(index);
  }

  toString() {
    const more = this.count > this.first.length ? ` and ${this.count - this.first.length} more` : "";
    return `${this.first.map((index) => `#${index}`).join(", ")}${more}`;
  }
}

const entries = (count) => `${count} ${count === 1 ? "entry" : "entries"}`;
const day = (time) => new Date(time).toISOString();

/** The days that each plan keeps events, for changes of plan that do not name them. */
const PLAN_DAYS = { free: 30, team: 180, business: 365, enterprise: 2555 };
/** What changes a plan: the operator, and payment. */
const PLAN_ACTIONS = new Set(["organization.set_plan", "billing.notice"]);
const inDays = (count) => `${count} ${count === 1 ? "day" : "days"}`;

/** Collects thin lines: which of them is the first that no plan excuses is known only at the end of the file. */
class Thin {
  count = 0;
  earliest = Infinity;
  latest = [];

  add(index, time) {
    this.count += 1;
    this.earliest = Math.min(this.earliest, time);
    const last = this.latest[this.latest.length - 1];
    if (last !== undefined && time <= last.time) return;
    if (this.latest.length === 4096) this.latest = this.latest.filter((_, at) => at % 2 === 1);
    this.latest.push({ index, time });
  }

  /** A thin line whose event is younger than `limit`, of the 4096 least such lines the first; undefined if there is none. */
  after(limit) {
    return this.latest.find(({ time }) => time > limit);
  }
}

// ── A bundle ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const HEADER = [
  ...["version", "origin", "vkey", "epoch", "first", "end", "since", "until", "left", "right", "checkpoint", "checkpoints"],
  ...["keys", "heads", "retention_days", "closed", "previous"],
];
const MAX_LINE_BYTES = 2 ** 26;
const MAX_NOTE_BYTES = 2 ** 16;
const MAX_REDACTIONS = 1_000_000;
const PROTECTED = new Set(["audit_log.redact", "audit_log.key_rotated", "audit_log.epoch_started", "audit_log.sealing_started"]);

class Bundle {
  kind = "bundle";
  open = [];
  remarks = [];
  seen = new SeenIds();
  edge = new Edge();
  thin = new Thin();
  /** The latest time of an entry whose event or outcome is not shown. */
  unseen = -Infinity;
  /** The time of the first entry #0, and the latest of all. */
  times = { begun: undefined, last: -Infinity };
  plans = [];
  redactions = new Map();
  redacted = 0;
  redactors = new Listed();
  withheld = new Listed();
  late = new Listed();
  ahead = new Listed();
  imported = 0;
  rotated = [];
  rotations = [];
  outside = [];
  marks = [];
  roots = new Map();
  found = new Set();
  lines = 0;
  rows = 0;
  lastAlso = -1;
  hash = hasher();
  header = null;
  /** Checkpoints whose size the edge has passed without stopping at it. */
  skipped = new Map();
  isEnded = false;

  constructor(options) {
    this.options = options;
    this.now = options.now ?? Date.now();
    this.pinned = parseVkey(options.vkey ?? "");
    this.origin = this.pinned === null ? null : parseOrigin(this.pinned.name);
    if (this.origin === null || this.pinned.type !== LOG) {
      throw new Unprovable("The verifier key of an organization's log is needed: --vkey KEY, from a source that you trust.");
    }
    this.witnesses = (options.witnesses ?? []).map((text) => {
      const key = parseVkey(text);
      if (key?.type !== WITNESS) throw new Unprovable("A key given as a witness is not the verifier key of one.");
      return key;
    });
    this.expected = new Set(options.expect ?? []);
  }

  /** Reads one line, without its newline. */
  read(bytes) {
    if (this.isEnded) throw new Wrong("The file goes on after its trailer.");
    this.lines += 1;
    const due = this.next;
    let text;
    try {
      text = strictUtf8.decode(bytes);
    } catch {
      throw new Wrong(`Line ${this.lines} is not UTF-8.`, due);
    }
    try {
      this.readLine(Json.parse(text));
    } catch (error) {
      if (error instanceof Wrong && error.index === null) error.index = due;
      throw error;
    }
    if (!this.isEnded) this.hash.update(bytes).update(NEWLINE);
  }

  /** The index that is due next; null in front of the header. */
  get next() {
    return this.header === null ? null : this.edge.end;
  }

  readLine(line) {
    if (this.header === null) return this.begin(members(line, ["sealed_log"], "The first line").get("sealed_log"));
    if (!(line instanceof Map)) throw new Wrong("A line is not an object.");
    if (line.has("export")) return this.trailer(members(line, ["export"], "The trailer").get("export"));
    this.rows += 1;
    if (line.has("also")) return this.also(members(line, ["also", "path"], "A line with “also”"));
    if (this.edge.end >= this.header.end) throw new Wrong("There are more entries than the header says.");
    const index = this.edge.end;
    const leaf = line.has("thin") ? this.thinLeaf(members(line, ["thin"], "A thin line").get("thin"), index) : this.leaf(line, index);
    this.edge.append(leaf);
    this.mark();
  }

  // ── The header ──

  begin(value) {
    const header = Object.fromEntries(members(value, HEADER, "The header", ["is_closed"]));
    const { origin, pinned } = this;
    if (header.version !== 1) throw new Wrong("The version of the bundle is not 1.");
    if (header.origin !== origin.origin) throw new Wrong(`The bundle is of the log ${header.origin}, the given key of ${origin.origin}.`);
    if (header.epoch !== origin.epoch) throw new Wrong("The epoch of the bundle is not that of its origin.");
    if (![header.since, header.until].every((time) => time === null || isTime(time))) throw new Wrong("since and until are not times.");
    if (!isIndex(header.retention_days) || header.retention_days === 0) throw new Wrong("retention_days is not a number of days.");
    if ((header.is_closed ?? true) !== true) throw new Wrong("is_closed is not true.");
    this.keys = this.trust(header);
    const checkpoint = this.checkpointOf(header.checkpoint, "The bundle's checkpoint", [this.keys[this.keys.length - 1]]);
    const { first, end } = header;
    if (!isIndex(first) || !isIndex(end) || first > end || end > checkpoint.size) {
      throw new Wrong(`The range from ${first} to ${end} is not one of a log of ${entries(checkpoint.size)}.`);
    }
    if (header.until === null && end !== checkpoint.size) {
      throw new Wrong(`The bundle ends at ${end}, though its checkpoint covers ${entries(checkpoint.size)} and nothing limits it.`, end);
    }
    const levels = rangeLevels(0, first);
    hashList(header.left, levels.length, "left").forEach((hash, at) => this.edge.append(hash, levels[at]));
    header.right = hashList(header.right, rangeLevels(end, checkpoint.size).length, "right");
    this.header = header;
    this.checkpoint = checkpoint;
    this.proved = first;
    this.kept(header);
    this.epochs(header);
    (this.options.checkpoints ?? []).forEach((note) => this.given(note));
    for (const text of this.options.consistency ?? []) this.consistency(text);
    this.rotations.forEach(({ size, root }) => this.compare(size, root, "the checkpoint of the new key"));
    this.marks.sort((one, other) => one.size - other.size);
    this.outside.sort((one, other) => one.size - other.size);
    this.mark();
    if (pinned.id !== this.keys[this.keys.length - 1].id) this.remarks.push("The key was changed since the given one; the chain of keys is signed.");
  }

  /** The keys from the given one along the chain of rotations to the header's. */
  trust({ keys, vkey }) {
    const { pinned, origin } = this;
    if (!Array.isArray(keys)) throw new Wrong("keys is not a list.");
    const changes = keys.map((one) => {
      const change = members(one, ["vkey", "note"], "A key of the bundle");
      return { key: this.logKey(change.get("vkey")), vkey: change.get("vkey"), note: change.get("note") };
    });
    const isPinned = ({ key }) => key.id === pinned.id && equal(key.publicKey, pinned.publicKey);
    const chain = [pinned];
    for (const { key, vkey: text, note } of changes.slice(changes.findIndex(isPinned) + 1)) {
      const before = chain[chain.length - 1];
      const what = "The checkpoint of a change of keys";
      const parsed = parseNote(note, what);
      const signers = verifyNote(parsed, [before, key], "the checkpoint of a change of keys").map((one) => one.key.id);
      if (!signers.includes(before.id) || !signers.includes(key.id)) {
        throw new Wrong("A change of keys is not signed by both keys.");
      }
      const { size, root, origin: name } = parseCheckpoint(parsed.text, what);
      if (name !== origin.origin) throw new Wrong(`${what} is of another log.`);
      this.rotations.push({ vkey: text, size, root });
      chain.push(key);
    }
    if (this.logKey(vkey).id !== chain[chain.length - 1].id) {
      throw new Wrong("The bundle is signed by another key, to which no change of keys leads from the given one.");
    }
    return chain;
  }

  logKey(text) {
    const key = typeof text === "string" ? parseVkey(text) : null;
    if (key?.type !== LOG || key.name !== this.origin.origin) throw new Wrong("A key of the bundle is not a verifier key of this log.");
    return key;
  }

  /** A checkpoint of this log, signed by one of `keys`. */
  checkpointOf(note, what, keys = this.keys) {
    const parsed = parseNote(note, what);
    if (verifyNote(parsed, keys, what.replace(/^T/, "t")).length === 0) throw new Wrong(`${what} is not signed by the log's key.`);
    const checkpoint = parseCheckpoint(parsed.text, what);
    if (checkpoint.origin !== this.origin.origin) throw new Wrong(`${what} is of the log ${checkpoint.origin}.`);
    return checkpoint;
  }

  /** The checkpoints in the header, with their outside times. */
  kept({ checkpoints, heads }) {
    if (!Array.isArray(checkpoints)) throw new Wrong("checkpoints is not a list.");
    const stamped = [];
    let skipped = 0;
    for (const one of checkpoints) {
      const kept = members(one, ["note", "heads", "stamps"], "A kept checkpoint");
      const note = parseNote(kept.get("note"), "A kept checkpoint");
      if (!Array.isArray(kept.get("stamps")) || kept.get("stamps").some((stamp) => fromBase64(stamp) === null)) {
        throw new Wrong("The time stamps of a kept checkpoint are not base64.");
      }
      const checkpoint = parseCheckpoint(note.text, "A kept checkpoint");
      if (checkpoint.origin !== this.origin.origin) throw new Wrong(`A kept checkpoint is of the log ${checkpoint.origin}.`);
      if (verifyNote(note, this.keys, "a kept checkpoint").length === 0) {
        skipped += 1;
        continue;
      }
      this.compare(checkpoint.size, checkpoint.root, `the checkpoint of size ${checkpoint.size}`);
      this.readHeads(kept.get("heads"), checkpoint);
      for (const stamp of kept.get("stamps")) {
        const what = `The time stamp of the checkpoint of size ${checkpoint.size}`;
        if (kept.get("heads") === null) throw new Wrong(`${what} has no checkpoint of the installation.`);
        const { text } = parseNote(kept.get("heads").get("checkpoint"), "The installation's checkpoint");
        stamped.push({ size: checkpoint.size, time: stampTime(fromBase64(stamp), text, what) });
      }
    }
    this.readHeads(heads, this.checkpoint);
    if (skipped > 0) this.remarks.push(`${skipped} kept checkpoints are signed by keys from before the given one and were not used.`);
    if (stamped.length > 0) {
      const { size, time } = stamped[stamped.length - 1];
      const count = stamped.length === 1 ? "1 time stamp" : `${stamped.length} time stamps`;
      this.remarks.push(
        `${count} (RFC 3161), the last one of ${day(time)}, which covers ${entries(size)}. The signatures of authorities were not checked: use openssl ts -verify.`,
      );
    }
  }

  /** The heads tree and the installation's log: that a checkpoint is one of the installation's, and what witnesses say of its time. */
  readHeads(value, { size, root }) {
    if (value === null) return;
    const { slot, origin, installation } = this.origin;
    const heads = members(value, ["slots", "path", "index", "proof", "checkpoint"], "heads");
    const [slots, index] = [heads.get("slots"), heads.get("index")];
    if (!isIndex(slots) || !isIndex(index) || slot >= slots) throw new Wrong("The heads tree has no place for this log.");
    const entry = concat(Uint8Array.of(2), sha256(utf8(origin)), bigEndian(size), root);
    const headsRoot = rootOfInclusion(leafHash(entry), slot, slots, hashList(heads.get("path"), null, "The path of the heads"));
    const note = parseNote(heads.get("checkpoint"), "The installation's checkpoint");
    const keys = this.keys.map(({ publicKey }) => keyOf(installation, LOG, publicKey));
    const signatures = verifyNote(note, [...keys, ...this.witnesses], "the installation's checkpoint");
    if (!signatures.some(({ time }) => time === null)) throw new Wrong("The installation's checkpoint is not signed by the log's key.");
    const log = parseCheckpoint(note.text, "The installation's checkpoint");
    if (log.origin !== installation) throw new Wrong(`The installation's checkpoint is of the log ${log.origin}.`);
    const proof = hashList(heads.get("proof"), null, "The proof of the heads");
    const isProved =
      headsRoot !== null &&
      isIncluded(leafHash(concat(Uint8Array.of(3), bigEndian(slots), headsRoot)), index, log.size, proof, log.root);
    if (!isProved) throw new Wrong(`The checkpoint of size ${size} is not one of the installation's heads.`);
    // A head that is not compared with this tree says nothing of it: the installation's log can have heads of other histories.
    const isCompared = size === this.checkpoint.size || (size >= this.header.first && size <= this.header.end);
    for (const { time } of signatures) {
      if (time !== null && isCompared) this.outside.push({ size, time: time * 1000, isLast: index === log.size - 1 });
    }
  }

  /** Closed epochs: entry 0 of this one says what was lost. */
  epochs({ epoch, closed, previous }) {
    if ((previous === null) !== (closed === null) || (epoch === 1 && closed !== null)) {
      throw new Wrong("closed and previous do not fit the epoch.");
    }
    if (closed === null) return;
    const head = (value, names, what) => {
      const { size, root, origin } = Object.fromEntries(members(value, names, what));
      const bytes = fromBase64(root, 32);
      if (!isIndex(size) || bytes === null) throw new Wrong(`${what} is not a head.`);
      return { size, root: bytes, origin };
    };
    this.closed = head(closed, ["size", "root"], "closed");
    this.previous = head(previous, ["origin", "size", "root"], "previous");
    const before = parseOrigin(this.previous.origin);
    if (before?.organization !== this.origin.organization || !(before.epoch < epoch)) {
      throw new Wrong("previous is not an earlier epoch of this log.");
    }
    const { size } = this.closed;
    if (this.previous.size > size) {
      this.remarks.push(
        `LOST: of epoch ${before.epoch}, which was signed up to size ${this.previous.size}, #${size} to #${this.previous.size - 1} are gone.`,
      );
    }
  }

  /** A checkpoint that the reader kept. */
  given(text) {
    const note = parseNote(keptNote(text), "A given checkpoint");
    const checkpoint = parseCheckpoint(note.text, "A given checkpoint");
    const { origin, size, root } = checkpoint;
    const of = parseOrigin(origin);
    if (of === null || of.organization !== this.origin.organization || of.host !== this.origin.host) {
      throw new Wrong(`A given checkpoint is of the log ${origin}.`);
    }
    const keys = this.keys.map((key) => keyOf(origin, LOG, key.publicKey));
    if (verifyNote(note, keys, "a given checkpoint").length === 0) {
      this.open.push(`The checkpoint of size ${size} is not signed by a known key.`);
    } else if (origin === this.origin.origin) this.compareGiven(size, root);
    else this.compareClosed(checkpoint);
  }

  compareGiven(size, root) {
    const what = `the given checkpoint of size ${size}`;
    const { first, end } = this.header;
    if (size === this.checkpoint.size && !equal(root, this.checkpoint.root)) {
      throw new Wrong(`The log of this bundle is not the one of ${what}: two histories were signed.`, 0);
    }
    if (size >= first && size <= end) this.compare(size, root, what);
    else if (size !== this.checkpoint.size) this.claims = [...(this.claims ?? []), { size, root, what }];
  }

  compareClosed({ origin, size, root }) {
    if (this.previous === undefined || origin !== this.previous.origin) {
      this.open.push(`The checkpoint of ${origin} is of an epoch that this bundle does not follow.`);
    } else if (size > this.closed.size) {
      throw new Wrong(`A given checkpoint shows ${entries(size)} of the previous epoch, of which this one kept ${this.closed.size}.`, this.closed.size);
    } else this.claims = [...(this.claims ?? []), { size, root, what: `the given checkpoint of ${origin}`, closed: this.closed }];
  }

  consistency(text) {
    let value = Json.parse(text);
    if (value instanceof Map && value.has("data")) value = value.get("data");
    const { from, to, hashes } = Object.fromEntries(members(value, ["from", "to", "hashes"], "A consistency proof"));
    if (!isIndex(from) || !isIndex(to) || from > to) throw new Wrong("The sizes of a consistency proof are none.");
    const proof = { from, to, hashes: hashList(hashes, null, "A consistency proof") };
    this.proofs = [...(this.proofs ?? []), proof];
    for (const size of [from, to]) this.marks.push({ size });
  }

  /** Compares with the root of this size, if the range has it. */
  compare(size, root, what) {
    if (size === this.checkpoint.size && !equal(root, this.checkpoint.root)) {
      throw new Wrong(`The bundle's checkpoint and ${what} have other roots: two histories were signed.`, 0);
    }
    if (size >= this.header.first && size <= this.header.end) this.marks.push({ size, root, what });
  }

  /** Compares the root so far with those that are known of this size. */
  mark() {
    while (this.marks.length > 0 && this.marks[0].size <= this.edge.end) {
      const { size, root, what } = this.marks.shift();
      if (size < this.edge.end) {
        this.skipped.set(size, { root, what });
        continue;
      }
      const here = this.edge.root();
      if (root !== undefined && !equal(root, here)) {
        const from = this.proved;
        const where = size === from ? `the entries in front of #${from}` : `something in #${from} to #${size - 1}`;
        throw new Wrong(`The ${this.kind} is not what ${what} covers: ${where} differs.`, size === from ? 0 : from);
      }
      if (root !== undefined) this.proved = size;
      this.roots.set(size, here);
    }
  }

  // ── Entries ──

  /** Ids are unique and their order is free, but an id has the time of its event. */
  id(id, index) {
    if (typeof id !== "string" || !UUID.test(id)) throw new Wrong(`#${index} has no id in lower case.`, index);
    if (!this.seen.add(id)) throw new Wrong(`#${index} has the id ${id}, which occurred before.`, index);
    if (this.expected.has(id)) this.found.add(id);
    const time = idTime(id);
    if (index === 0) this.times.begun ??= time;
    this.times.last = Math.max(this.times.last, time);
    return time;
  }

  place(value, index) {
    if (value.get("index") !== index) throw new Wrong(`#${index} is missing: an entry with the index ${value.get("index")} is in its place.`, index);
    if (value.get("epoch") !== this.header.epoch) throw new Wrong(`#${index} is of the epoch ${value.get("epoch")}.`, index);
  }

  thinLeaf(value, index) {
    const thin = members(value, ["index", "epoch", "id", "commitment", "reason"], "A thin line");
    this.place(thin, index);
    const commitment = fromBase64(thin.get("commitment"), 32);
    if (commitment === null) throw new Wrong(`The commitment of #${index} has not 32 bytes.`, index);
    if (!["expired", "missing"].includes(thin.get("reason"))) throw new Wrong(`#${index} is thin without a reason.`, index);
    const id = thin.get("id");
    const time = this.id(id, index);
    this.thin.add(index, time);
    this.unseen = Math.max(this.unseen, time);
    return eventLeaf(id, commitment);
  }

  /** The hash of an event's leaf. The event is checked for all that it says of itself. */
  leaf(event, index) {
    const seal = event.get("seal");
    if (!(seal instanceof Map)) throw new Wrong(`#${index} is missing: a line is not an entry of the log.`, index);
    const isWhole = seal.has("nonce");
    members(seal, ["index", "epoch", ...(isWhole ? ["nonce"] : ["salts", "hashes"])], `The seal of #${index}`, [
      "commitment",
      ...(isWhole ? [] : ["redaction"]),
    ]);
    this.place(seal, index);
    const id = event.get("id");
    const time = this.id(id, index);
    if (event.get("occurred_at") !== day(time)) throw new Wrong(`#${index} says that it occurred at another time than its id.`, index);
    const commitment = this.commitment(event, seal, index);
    const { hidden } = commitment;
    if (!hidden.includes("caller") && dig(event, "authentication", "organization_id") !== this.origin.organization) {
      throw new Wrong(`#${index} is an event of another organization.`, index);
    }
    if (hidden.length > 0) this.hide(event, seal, index, hidden);
    if (hidden.includes("outcome")) this.unseen = Math.max(this.unseen, time);
    else this.notable(event, index, time);
    this.judgeTime(index, time);
    return eventLeaf(id, commitment.bytes);
  }

  commitment(event, seal, index) {
    const request = event.get("request");
    if (request !== undefined && request !== null && !(request instanceof Map)) throw new Wrong(`The request of #${index} is none.`, index);
    for (const name of ["salts", "hashes"]) {
      const value = seal.get(name);
      if (value === undefined) continue;
      if (!(value instanceof Map) || ![...value.keys()].every((part) => PARTS.includes(part))) throw new Wrong(`The ${name} of #${index} are none.`, index);
    }
    if (seal.has("hashes") && seal.get("hashes").size === 0) throw new Wrong(`#${index} hides nothing and has no nonce.`, index);
    const { hashes, hidden } = openSeal(event, seal);
    const bytes = commitmentOf(hashes);
    if (seal.has("commitment") && seal.get("commitment") !== toBase64(bytes)) {
      throw new Wrong(`#${index} (${event.get("id")}) is not the event that was sealed.`, index);
    }
    return { bytes, hidden };
  }

  /** Parts that are not shown were redacted by a sealed event, or somebody withholds them. */
  hide(event, seal, index, hidden) {
    const redaction = seal.get("redaction") ?? new Map();
    if (!(redaction instanceof Map) || ![...redaction.keys()].every((part) => hidden.includes(part))) {
      throw new Wrong(`The redaction of #${index} is not of parts that are hidden.`, index);
    }
    const action = dig(event, "resource", "action");
    const isProtected = PROTECTED.has(action) || isPlanChange(event);
    if (redaction.size > 0 && isProtected) throw new Wrong(`#${index} (${action}) cannot be redacted.`, index);
    let isRedacted = true;
    for (const part of hidden) {
      const by = redaction.get(part);
      if (by === undefined) {
        isRedacted = false;
        continue;
      }
      if (part !== "body" && part !== "caller") throw new Wrong(`The part ${part} of #${index} cannot be redacted.`, index);
      if (!isIndex(by) || by <= index) throw new Wrong(`#${index} is said to be redacted by #${by}, which is not later.`, index);
      if (this.redactions.size >= MAX_REDACTIONS) throw new Unprovable("The bundle has too many redactions.");
      this.redactions.set(by, [...(this.redactions.get(by) ?? []), { index, id: event.get("id"), part }]);
    }
    if (isRedacted) this.redacted += 1;
    else this.withheld.add(index);
  }

  /** Events that say something of the log itself. */
  notable(event, index, time) {
    const action = dig(event, "resource", "action");
    const details = event.get("details");
    const isDone = (dig(event, "response", "error_code") ?? null) === null;
    this.checkRedactions(event, index, isDone);
    if (isPlanChange(event) && isDone && PLAN_ACTIONS.has(action)) {
      const [from, to] = ["from", "to"].map((side) => {
        const plan = dig(details, "plan", side);
        return typeof plan === "string" ? (dig(details, "retention_days", side) ?? PLAN_DAYS[plan]) : undefined;
      });
      if (isDays(from) && isDays(to)) this.plans.push({ index, time, from, to });
    }
    if (action === "audit_log.key_rotated") this.rotated.push({ index, vkey: dig(details, "to") });
    if (action === "audit_log.sealing_started" && this.imported === 0 && dig(details, "imported") === index) {
      this.imported = index;
      this.late = new Listed();
    }
    if (index === 0 && this.header.epoch > 1 && !this.isProof) this.checkEpoch(action, details);
  }

  checkEpoch(action, details) {
    if (action !== "audit_log.epoch_started") throw new Wrong("The first entry of the epoch does not say why it began.", 0);
    for (const name of ["previous", "closed"]) {
      if (canonical(dig(details, name) ?? null) !== canonical(this.header[name])) {
        throw new Wrong(`The header's ${name} is not what the first entry of the epoch says.`, 0);
      }
    }
    this.isEpochShown = true;
  }

  checkRedactions(event, index, isDone) {
    const claims = this.redactions.get(index);
    if (claims === undefined) return;
    const status = dig(event, "response", "status_code") ?? null;
    const isRedaction = isDone && dig(event, "resource", "action") === "audit_log.redact" && (status === null || status === 202);
    for (const claim of claims) {
      const isOfIt = dig(event, "resource", "id") === claim.id && dig(event, "details", "part") === claim.part;
      if (!isRedaction || !isOfIt) {
        throw new Wrong(`#${claim.index} is said to be redacted by #${index}, which is not its redaction.`, claim.index);
      }
    }
    this.redactions.delete(index);
    this.redactors.add(index);
  }

  /**
   * Lists what came into the log long after its time, or before it, as far as witnesses say when. That the log had no more entries at a
   * time is said only by a checkpoint that is the last entry of the cosigned log.
   */
  judgeTime(index, time) {
    if (index >= this.header.end || index < this.header.first) return;
    if (this.covered === undefined) [this.covered, this.outsideAt, this.notBefore] = [earliest(this.outside), 0, -Infinity];
    for (; this.outside[this.outsideAt]?.size <= index; this.outsideAt += 1) {
      const { isLast, time: at } = this.outside[this.outsideAt];
      if (isLast) this.notBefore = Math.max(this.notBefore, at);
    }
    if (time + TOLERANCE_MS < this.notBefore) this.late.add(index);
    if (time > (this.covered[this.outsideAt] ?? Infinity) + TOLERANCE_MS) this.ahead.add(index);
  }

  also(line) {
    this.assertComplete();
    const event = line.get("also");
    const index = dig(event, "seal", "index");
    const { first, end } = this.header;
    const isOutside = isIndex(index) && (index < first || index >= end) && index < this.checkpoint.size;
    if (!isOutside || index <= this.lastAlso) throw new Wrong("A line with “also” is not of an entry outside of the range, in order.");
    this.lastAlso = index;
    const path = hashList(line.get("path"), null, `The path of #${index}`);
    if (!isIncluded(this.leaf(event, index), index, this.checkpoint.size, path, this.checkpoint.root)) {
      throw new Wrong(`#${index} is not in the log as it is shown.`, index);
    }
  }

  // ── The end ──

  /** The range is complete and gives the signed root. */
  assertComplete() {
    if (this.isComplete) return;
    const { end, right } = this.header;
    if (this.edge.end !== end) throw new Wrong(`#${this.edge.end} to #${end - 1} are missing.`, this.edge.end);
    const edge = new Edge();
    edge.end = end;
    edge.hashes = [...this.edge.hashes];
    const levels = rangeLevels(end, this.checkpoint.size);
    right.forEach((hash, at) => edge.append(hash, levels[at]));
    if (!equal(edge.root(), this.checkpoint.root)) {
      const from = Math.min(this.proved, Math.max(end - 1, 0));
      throw new Wrong(`The entries do not give the signed root: something from #${from} on was changed, added or removed.`, from);
    }
    this.isComplete = true;
  }

  trailer(value) {
    this.assertComplete();
    const { rows, sha256: hash } = Object.fromEntries(members(value, ["rows", "sha256"], "The trailer"));
    if (rows !== this.rows) throw new Wrong(`The trailer counts ${rows} lines, the file has ${this.rows}.`);
    if (hash !== hex(this.hash.digest())) throw new Wrong("The trailer's SHA-256 is not that of the lines before it.");
    this.isEnded = true;
  }

  /** Checks what can be known only at the end. */
  end() {
    if (!this.isEnded) throw new Wrong("The file ends without its trailer: it was cut off.", this.next);
    for (const [by, [claim]] of this.redactions) {
      throw new Wrong(`#${claim.index} is said to be redacted by #${by}, which is not in the bundle.`, claim.index);
    }
    this.judgeThin();
    this.judgeRotations();
    this.judgeClaims();
    this.judgeBeginning();
    this.judgeExpected();
    if (this.withheld.count > 0) {
      this.open.push(`Parts of ${this.withheld} are withheld by whoever gave you this file.`);
    }
    const { closed } = this.header;
    if (closed !== null && !this.isEpochShown) this.remarks.push("What the previous epoch was rests on the header: its entry #0 is not shown.");
    if (this.late.count > 0) this.remarks.push(`Late by more than two minutes: ${this.late}.`);
    if (this.ahead.count > 0) this.remarks.push(`Ahead of their time by more than two minutes: ${this.ahead}.`);
    if (this.imported > 0) this.remarks.push(`${entries(this.imported)} were stored before sealing began.`);
    if (this.redacted > 0) this.remarks.push(`${entries(this.redacted)} ${this.redacted === 1 ? "was" : "were"} redacted, by ${this.redactors}.`);
  }

  /** The changes of the plan in their order. Until each, events were kept for its days; for more, if the change before it says so. */
  planChanges() {
    const changes = this.plans.toSorted((one, other) => one.time - other.time || one.index - other.index);
    return changes.map((change, at) => ({ ...change, from: Math.max(change.from, changes[at - 1]?.to ?? 0) }));
  }

  /**
   * The days that events are kept now, by the last change of the plan (then with the sentence for it) or by what the reader knows;
   * undefined without either. A change is the last one only if no entry is hidden that could be a later one, and no later epoch has begun.
   */
  known() {
    const { first, end } = this.header;
    const last = this.planChanges().at(-1);
    const isWhole = end === this.checkpoint.size && this.header.is_closed === undefined;
    const isLast = last?.index >= first && isWhole && this.unseen < last.time - TOLERANCE_MS;
    if (isLast) {
      return { days: last.to, says: `Events have been kept ${inDays(last.to)} since #${last.index} changed the plan (${day(last.time)}).` };
    }
    const { retentionDays: days } = this.options;
    return days === undefined ? undefined : { days };
  }

  judgeThin() {
    if (this.thin.count === 0) return;
    const known = this.known();
    const { retention_days: onHeadersWord } = this.header;
    const excuses = this.excuses(known);
    // The reader's clock can be behind the one that let events expire.
    const missingFrom = (...more) => this.thin.after(Math.max(...excuses.map(({ limit }) => limit), ...more) + TOLERANCE_MS);
    let missing = missingFrom();
    const isOnHeadersWord = known === undefined && missing !== undefined;
    if (isOnHeadersWord) missing = missingFrom(this.now - onHeadersWord * DAY_MS);
    if (missing !== undefined) {
      throw new Wrong(`The event #${missing.index} of ${day(missing.time)} is missing: no plan let it expire.`, missing.index);
    }
    const what = `${entries(this.thin.count)} had expired`;
    if (isOnHeadersWord) {
      this.open.push(`${what} if events are kept ${onHeadersWord} days, which is on the operator's word: give --retention-days to say what you know.`);
    } else this.remarks.push(`${what} and are known by their commitments only.`);
    this.nameExcuses(excuses);
  }

  /** The plans that let events expire: each with the time of the latest ones, and if the log itself says so, the sentence for it. */
  excuses(known) {
    const excuses = this.planChanges().map(({ index, time, from }) => {
      return { limit: time - from * DAY_MS, says: `Events were kept ${inDays(from)} until #${index} changed the plan (${day(time)}).` };
    });
    if (known === undefined) return excuses;
    return [...excuses, { limit: this.now - known.days * DAY_MS, says: known.says }];
  }

  /** Names the changes of the plan without which entries would be missing: whoever can insert events can invent one. */
  nameExcuses(excuses) {
    const byReader = excuses.find(({ says }) => says === undefined)?.limit ?? -Infinity;
    if (this.thin.after(byReader + TOLERANCE_MS) === undefined) return;
    const needed = excuses.filter(({ limit }) => limit > byReader && limit + TOLERANCE_MS >= this.thin.earliest);
    needed.sort((one, other) => other.limit - one.limit);
    this.remarks.push(...needed.slice(0, MAX_LISTED).map(({ says }) => says));
  }

  judgeRotations() {
    for (const { vkey, size } of this.rotations) {
      if (this.rotated.some((one) => one.vkey === vkey && one.index < size)) continue;
      const isAllShown = this.header.first === 0 && size <= this.header.end && this.thin.count === 0 && this.withheld.count === 0;
      if (isAllShown) throw new Wrong(`The key was changed at size ${size} without an entry that says so.`, 0);
      this.remarks.push(`The entry of the change of keys at size ${size} is not in this bundle.`);
    }
  }

  /** Checkpoints outside of the range, by the given consistency proofs. */
  judgeClaims() {
    this.roots.set(this.checkpoint.size, this.checkpoint.root);
    for (const { size, root, what, closed } of this.claims ?? []) {
      const roots = closed === undefined ? this.roots : new Map([[closed.size, closed.root]]);
      if (roots.has(size)) {
        if (!equal(root, roots.get(size))) throw new Wrong(`The log is not the one of ${what}: two histories were signed.`, 0);
        continue;
      }
      const usable = (this.proofs ?? []).filter(({ from, to }) => (from === size && roots.has(to)) || (to === size && roots.has(from)));
      const isProved = usable.some(({ from, to, hashes }) => {
        return isConsistent(from, from === size ? root : roots.get(from), to, to === size ? root : roots.get(to), hashes);
      });
      if (isProved) continue;
      if (usable.length > 0) throw new Wrong(`The log is not a continuation of ${what}.`, 0);
      this.open.push(`Whether the log agrees with ${what} needs a consistency proof between ${size} and ${[...roots.keys()].at(-1)} (--consistency).`);
    }
  }

  judgeBeginning() {
    const { first, end, since, until, retention_days: onHeadersWord } = this.header;
    if (first > 0 && since === null) {
      const known = this.known();
      const limit = this.now - (known?.days ?? onHeadersWord) * DAY_MS;
      if (!this.outside.some(({ size, time }) => size >= first && time <= limit)) {
        this.open.push(`The bundle begins at #${first}, and no witness shows that all before it had expired.`);
      } else if (known === undefined) {
        this.open.push(
          `The bundle begins at #${first}; that all before it had expired after ${onHeadersWord} days is on the operator's word: give --retention-days to say what you know.`,
        );
      } else if (known.says !== undefined && !this.remarks.includes(known.says)) this.remarks.push(known.says);
    }
    const isSinceProved = since === null || first === 0 || this.outside.some(({ size, time }) => size >= first && time <= Date.parse(since));
    const isUntilProved =
      until === null || this.outside.some(({ size, time, isLast }) => isLast && size <= end && time >= Date.parse(until));
    if (!isSinceProved || !isUntilProved) this.remarks.push("The ends of the range rest on the operator's clock.");
  }

  /**
   * The times between which a request that was sealed must be in what is shown. It may have been sealed later than it was sent, but not
   * earlier: what is behind the end can have it, and what is in front of `since` only if it was sent before.
   */
  expectedTimes() {
    const { first, end, since } = this.header;
    const begin = since === null ? Infinity : Date.parse(since);
    return { after: first === 0 ? this.times.begun : begin, before: end === this.checkpoint.size ? this.times.last : -Infinity };
  }

  /** Requests that the reader knows to have sent. */
  judgeExpected() {
    const { after, before } = this.expectedTimes();
    const unknown = [];
    for (const id of this.expected) {
      if (this.found.has(id)) continue;
      const time = UUID.test(id) ? idTime(id) : Number.NaN;
      if (time > after + TOLERANCE_MS && time < before - TOLERANCE_MS) throw new Wrong(`The request ${id} of ${day(time)} is not in the log.`);
      unknown.push(id);
    }
    if (unknown.length > 0) {
      const more = unknown.length > MAX_LISTED ? ` and ${unknown.length - MAX_LISTED} more` : "";
      this.open.push(`Nothing can be said of ${unknown.slice(0, MAX_LISTED).join(", ")}${more}: they can be among what this ${this.kind} does not have.`);
    }
  }

  /** One event with its proof file. */
  proveOne(proof, text) {
    const end = proof.indexOf("\n\n");
    const [line, ...lines] = proof.slice(0, Math.max(end, 0)).split("\n");
    const extra = lines[0]?.startsWith("extra ") ? fromBase64(lines.shift().slice(6)) : null;
    const [, digits] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? "") ?? [];
    const index = Number(digits);
    if (line !== PROOF_LINE || digits === undefined || !isIndex(index)) throw new Wrong("The proof is not a c2sp.org/tlog-proof@v1.");
    if (extra === null) throw new Unprovable("The proof has no extra data, which are needed for the event's commitment.");
    const path = hashList(lines, null, "The proof");
    this.keys = [this.pinned];
    this.isProof = true;
    this.header = { epoch: this.origin.epoch, first: index, end: index };
    const parsed = parseNote(proof.slice(end + 2), "The checkpoint");
    const checkpoint = this.checkpointOf(proof.slice(end + 2), "The checkpoint");
    let event = Json.parse(text);
    if (event instanceof Map && event.has("data") && !event.has("id")) event = event.get("data");
    const request = dig(event, "request") ?? null;
    if (!(event instanceof Map) || (request !== null && !(request instanceof Map))) throw new Wrong("The event is not one.");
    const seal = event.get("seal") ?? null;
    const isHere = seal === null || (dig(seal, "index") === index && dig(seal, "epoch") === this.origin.epoch);
    if (!isHere) throw new Wrong(`The event says that it is #${dig(seal, "index")} of epoch ${dig(seal, "epoch")}.`, index);
    if (!isIncluded(this.leaf(withSeal(event, extra, index, this.origin.epoch), index), index, checkpoint.size, path, checkpoint.root)) {
      throw new Wrong(`The event is not #${index} of the log as it is given.`, index);
    }
    if (this.redactions.size > 0) this.open.push("A part was redacted; that a sealed event did so is shown by a bundle only.");
    if (this.withheld.count > 0 && extra.length === NONCE_AND_HASH) this.remarks.push("The event is proved without its body.");
    else if (this.withheld.count > 0) this.open.push("A part of the event is withheld.");
    for (const { time } of verifyNote(parsed, this.witnesses, "the checkpoint")) this.remarks.push(`A witness saw this checkpoint at ${day(time * 1000)}.`);
    return `the event ${event.get("id")} is #${index} of ${this.origin.origin}, under the signed checkpoint of size ${checkpoint.size}`;
  }

  verdict() {
    const { first, end } = this.header;
    const range = first === end ? "an empty range" : `${entries(end - first)}, #${first} to #${end - 1},`;
    const verb = end - first === 1 || first === end ? "is exactly what was" : "are exactly those that were";
    return `${range} of ${this.origin.origin} ${verb} sealed, under the signed checkpoint of size ${this.checkpoint.size}`;
  }
}

/** Of sightings by size: the earliest time of each one and those behind it. */
function earliest(outside) {
  const times = outside.map(({ time }) => time);
  for (let at = times.length - 2; at >= 0; at--) times[at] = Math.min(times[at], times[at + 1]);
  return times;
}

const isDays = (value) => isIndex(value) && value > 0;

/** Whether an event says that it changed the plan: it cannot be redacted then. */
function isPlanChange(event) {
  const flags = dig(event, "security", "flags");
  return Array.isArray(flags) && flags.includes("plan_changed") && dig(event, "details", "plan") instanceof Map;
}

// ── A folder of segments ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const SEGMENT = ["version", "origin", "vkey", "epoch", "first", "end", "left", "right", "checkpoint", "keys"];
const SEGMENT_ENDING = ".ndjson.gz";
const CHECKPOINT_ENDING = ".checkpoint";
const SEGMENT_NAME = /(?:^|[/\\])(\d{4,})-(\d{12,})-(\d{12,})\.(?:ndjson\.gz|checkpoint)$/;
const OMISSIONS = {
  filter: "were left out by the filters of the destination",
  expired: "had expired before they were sent",
  missing: "were sealed, but never stored",
};

/** Ranges of indexes: how many entries they have, and the first ones. */
class Ranges {
  count = 0;
  first = [];

  add(epoch, first, end) {
    this.count += end - first;
    const last = this.first[this.first.length - 1];
    if (last?.epoch === epoch && last.end === first) last.end = end;
    else if (this.first.length <= MAX_LISTED) this.first.push({ epoch, first, end });
  }

  toString() {
    const shown = this.first.slice(0, MAX_LISTED).map(({ first, end }) => (end - first === 1 ? `#${first}` : `#${first} to #${end - 1}`));
    return `${entries(this.count)}: ${shown.join(", ")}${this.first.length > MAX_LISTED ? " and more" : ""}`;
  }
}

/** The entries of an epoch that no segment has shown yet, as ranges in their order, each with its reason. */
class Gaps {
  /** Ranges in front of the place that the current segment has reached, and those behind it from `at` on. */
  passed = [];
  ahead = [];
  at = 0;

  /** Begins a segment. Returns what is in front of it, which no segment shows any more, because segments are in the order of `first`. */
  begin(first) {
    const all = [...this.passed, ...this.ahead.slice(this.at)];
    this.passed = [];
    this.ahead = all.filter(({ end }) => end > first).map((range) => ({ ...range, first: Math.max(range.first, first) }));
    this.at = 0;
    return all.filter((range) => range.first < first).map((range) => ({ ...range, end: Math.min(range.end, first) }));
  }

  /** Adds a range behind all others. */
  add(reason, first, end) {
    this.pass(first);
    const last = this.passed[this.passed.length - 1];
    if (last?.reason === reason && last.end === first) last.end = end;
    else this.passed.push({ reason, first, end });
  }

  has(index) {
    this.pass(index);
    return this.ahead[this.at]?.first <= index;
  }

  /** Notes that the current segment shows an entry. */
  show(index) {
    if (!this.has(index)) return;
    const range = this.ahead[this.at];
    if (range.first < index) this.passed.push({ ...range, end: index });
    range.first = index + 1;
    this.pass(range.first);
  }

  pass(index) {
    for (; this.ahead[this.at]?.end <= index; this.at++) {
      const range = this.ahead[this.at];
      if (range.first < range.end) this.passed.push(range);
    }
  }
}

/** The segments of one log, in the order of their indexes. What one proves continues what those before it have proved. */
class Segments extends Bundle {
  kind = "folder";
  objects = 0;
  total = 0;
  epochsSeen = [];
  omitted = Object.fromEntries(Object.keys(OMISSIONS).map((reason) => [reason, new Ranges()]));
  unproved = new Ranges();
  overlaps = new Ranges();
  unjoined = new Ranges();
  changes = new Map();
  givenNotes = [];
  /** The right edge of what is proved of this epoch; null in front of its first segment. */
  reached = null;
  /** Checkpoints whose size no segment ends at, or that cover more than the folder has. */
  uncompared = 0;
  unresolved = 0;

  constructor(options) {
    super(options);
    this.own = this.origin;
    this.publicKeys = [this.pinned.publicKey];
    for (const text of options.checkpoints ?? []) {
      const note = parseNote(keptNote(text), "A given checkpoint");
      const checkpoint = parseCheckpoint(note.text, "A given checkpoint");
      this.givenNotes.push({ note, ...checkpoint, epoch: this.originOf(checkpoint.origin, "A given checkpoint").epoch });
    }
  }

  /** An origin of this log, in any epoch. */
  originOf(text, what) {
    const origin = typeof text === "string" ? parseOrigin(text) : null;
    if (origin?.organization !== this.own.organization || origin.host !== this.own.host) {
      throw new Wrong(`${what} is of the log ${text}, the given key of ${this.own.origin}.`);
    }
    return origin;
  }

  headerOf(line, name) {
    const header = Object.fromEntries(members(members(line, ["sealed_segment"], `The first line of ${name}`).get("sealed_segment"), SEGMENT, "The header"));
    if (header.version !== 1) throw new Wrong(`The version of ${name} is not 1.`);
    if (this.originOf(header.origin, name).epoch !== header.epoch) throw new Wrong(`The epoch of ${name} is not that of its origin.`);
    const { first, end } = header;
    if (!isIndex(first) || !isIndex(end) || first >= end) throw new Wrong(`${name} has no range of entries.`);
    return header;
  }

  /** What is known of a segment from its header, before anything is proved: its place, and the checkpoint that it claims. */
  placeOf(line, name) {
    const { epoch, first, end, checkpoint } = this.headerOf(line, name);
    const [, ...named] = SEGMENT_NAME.exec(name) ?? [];
    if (named.length > 0 && [epoch, first, end - 1].some((index, at) => Number(named[at]) !== index)) {
      throw new Wrong(`${name} has the entries #${first} to #${end - 1} of epoch ${epoch}, not those of its name.`, first);
    }
    const { size, root } = parseCheckpoint(parseNote(checkpoint, "A checkpoint").text, "A checkpoint");
    return { name, epoch, first, end, size, root };
  }

  /** Begins an epoch; `places` are its segments. */
  beginEpoch(epoch, places) {
    const bySize = new Map();
    for (const { size, root, name } of places) {
      const other = bySize.get(size);
      if (other !== undefined && !equal(other.root, root)) {
        throw new Wrong(`The checkpoints of ${other.name} and ${name} have other roots at size ${size}: two histories were signed.`, 0);
      }
      bySize.set(size, { size, root, what: `the checkpoint of ${name}`, name });
    }
    for (const { size } of this.givenNotes.filter((one) => one.epoch === epoch)) if (!bySize.has(size)) bySize.set(size, { size });
    this.marks = [...bySize.values()].sort((one, other) => one.size - other.size);
    this.signedSize = Math.max(...places.map(({ size }) => size));
    this.reached = null;
    this.roots = new Map();
    this.skipped = new Map();
    this.seen = new SeenIds();
    this.proved = 0;
    this.gaps = new Gaps();
    this.gone = [];
  }

  /** Begins a segment: its place as found before. */
  beginSegment(place) {
    const { reached } = this;
    this.current = place;
    this.header = null;
    this.isEnded = false;
    this.isComplete = false;
    this.isBegun = false;
    this.isJoined = false;
    this.hash = hasher();
    this.rows = 0;
    this.lines = 0;
    this.edge = new Edge();
    this.edge.end = place.first;
    this.seenEnd = reached?.end ?? 0;
    if (reached !== null && place.first > reached.end) {
      throw new Wrong(`#${reached.end} to #${place.first - 1} are missing in front of ${place.name}.`, reached.end);
    }
    this.closeGaps(place.epoch, place.first);
    if (reached !== null && place.first < reached.end) this.overlaps.add(place.epoch, place.first, Math.min(place.end, reached.end));
  }

  readLine(line) {
    if (this.header === null) return this.readHeader(line);
    if (!(line instanceof Map)) throw new Wrong("A line is not an object.");
    if (line.has("export")) {
      this.beginAt(this.edge.end);
      return this.trailer(members(line, ["export"], "The trailer").get("export"));
    }
    this.rows += 1;
    if (this.edge.end >= this.header.end) throw new Wrong("There are more entries than the header says.");
    if (line.has("omitted")) return this.omit(members(line, ["omitted"], "A line with “omitted”").get("omitted"));
    this.beginAt(this.edge.end);
    const index = this.edge.end;
    this.edge.append(this.leaf(line, index));
    this.gaps.show(index);
    this.advance();
  }

  /** Lists what is in front of an index and in no segment. */
  closeGaps(epoch, index) {
    for (const { reason, first, end } of this.gaps.begin(index)) this.omitted[reason].add(epoch, first, end);
    for (const { first, end } of this.gone.filter((range) => range.first < index)) this.unproved.add(epoch, first, end);
    this.gone = this.gone.filter((range) => range.first >= index).map((range) => ({ ...range, isMet: false }));
  }

  /** Whether no segment before has shown this entry. */
  isNew(index) {
    return index >= this.seenEnd || this.gaps.has(index);
  }

  readHeader(line) {
    const { name } = this.current;
    const header = this.headerOf(line, name);
    this.origin = this.originOf(header.origin, name);
    this.keys = this.trustKnown(header);
    const isSame = this.lastNote === header.checkpoint && this.lastOrigin === header.origin;
    if (!isSame) this.lastCheckpoint = this.checkpointOf(header.checkpoint, `The checkpoint of ${name}`, [this.keys[this.keys.length - 1]]);
    this.lastNote = header.checkpoint;
    this.lastOrigin = header.origin;
    this.checkpoint = this.lastCheckpoint;
    if (header.end > this.checkpoint.size) throw new Wrong(`The checkpoint of ${name} does not cover its entries.`);
    header.right = hashList(header.right, rangeLevels(header.end, this.checkpoint.size).length, "right");
    this.header = { ...header, since: null, until: null };
  }

  /** The keys from a known one to the segment's: the given one, or one that a change of keys has led to before. */
  trustKnown({ keys, vkey, origin }) {
    const text = `${origin} ${vkey} ${canonical(keys)}`;
    if (text === this.trusted?.text) return this.trusted.keys;
    let failure = null;
    for (const publicKey of this.publicKeys.toReversed()) {
      this.pinned = keyOf(origin, LOG, publicKey);
      this.rotations = [];
      try {
        const chain = this.trust({ keys, vkey });
        for (const change of this.rotations) this.changes.set(change.vkey, change);
        for (const key of chain) if (!this.publicKeys.some((known) => equal(known, key.publicKey))) this.publicKeys.push(key.publicKey);
        this.trusted = { text, keys: chain };
        return chain;
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  /** Entries that are not in the segment. Those whose hashes are gone can only be the first ones; nothing proves them. */
  omit(value) {
    const range = members(value, ["epoch", "first", "end", "reason", "hashes"], "A range that is omitted");
    const [first, end, reason] = ["first", "end", "reason"].map((name) => range.get(name));
    if (first !== this.edge.end) throw new Wrong(`#${this.edge.end} is missing: a range from ${first} is in its place.`);
    if (range.get("epoch") !== this.header.epoch || !isIndex(end) || end <= first || end > this.header.end) {
      throw new Wrong(`The range that is omitted from #${first} on is none of this segment.`);
    }
    if (!Object.hasOwn(OMISSIONS, reason)) throw new Wrong(`#${first} to #${end - 1} are omitted without a reason.`);
    const from = Math.max(first, this.seenEnd);
    if (from < end) this.gaps.add(reason, from, end);
    if (range.get("hashes") === null) {
      if (this.isBegun) throw new Wrong(`#${first} to #${end - 1} are omitted without hashes.`);
      if (from < end) this.addGone(from, end);
      this.edge.end = end;
      return;
    }
    this.beginAt(first);
    const levels = rangeLevels(first, end);
    for (const [at, hash] of hashList(range.get("hashes"), levels.length, "A range that is omitted").entries()) {
      this.edge.append(hash, levels[at]);
      this.advance();
    }
  }

  /** The entries from `position` on are proved: what is in front of them is what the segments before have shown. */
  beginAt(position) {
    if (this.isBegun) return;
    this.isBegun = true;
    this.edge = new Edge();
    const levels = rangeLevels(0, position);
    hashList(this.header.left, levels.length, "left").forEach((hash, at) => this.edge.append(hash, levels[at]));
    // The entries in front of the first segment, and those whose hashes are gone, are not known.
    if (this.reached === null || position > this.reached.end) {
      this.isJoined = true;
      this.proved = position;
    }
    this.advance();
  }

  /** Notes a range without hashes, with the edge that the segments before have in front of it. */
  addGone(first, end) {
    const last = this.gone[this.gone.length - 1];
    if (last?.end === first) last.end = end;
    else this.gone.push({ first, end, edge: this.reached, isMet: false });
  }

  /** Compares the edge with that of the segments before, and with the checkpoints of its size. */
  advance() {
    const { reached, edge } = this;
    if (!this.isJoined && edge.end === reached.end) {
      this.requireSame(reached);
      this.isJoined = true;
    }
    if (this.gone.length > 0) this.proveGone();
    if (edge.end >= this.seenEnd) this.mark();
    else if (this.skipped.has(edge.end)) this.compareSkipped(edge.root());
  }

  /** A segment that goes on from the front of a range to its end proves what another one has without hashes. */
  proveGone() {
    const at = this.edge.end;
    for (const range of this.gone.filter(({ first }) => first === at)) {
      if (range.edge !== null) this.requireSame(range.edge);
      range.isMet = true;
    }
    this.gone = this.gone.filter(({ isMet, end }) => !isMet || at < end);
  }

  requireSame({ hashes }) {
    const { edge } = this;
    const isSame = edge.hashes.length === hashes.length && edge.hashes.every((hash, at) => equal(hash, hashes[at]));
    if (!isSame) throw new Wrong(`${this.current.name} does not continue the segments before it: something in front of #${edge.end} differs.`, 0);
  }

  /** A checkpoint of a size within a range that a segment before had omitted. */
  compareSkipped(here) {
    const size = this.edge.end;
    const { root, what } = this.skipped.get(size);
    if (root !== undefined && !equal(root, here)) {
      throw new Wrong(`The folder is not what ${what} covers: something in front of #${size} differs.`, 0);
    }
    this.skipped.delete(size);
    this.roots.set(size, here);
  }

  /** Of entries that another segment has shown, nothing is collected twice. */
  id(id, index) {
    if (!this.isNew(index)) {
      if (typeof id !== "string" || !UUID.test(id)) throw new Wrong(`#${index} has no id in lower case.`, index);
      return idTime(id);
    }
    return super.id(id, index);
  }

  /** Segments never show bodies. */
  hide(event, seal, index, hidden) {
    const redaction = seal.get("redaction");
    const isBodyRedacted = redaction instanceof Map && redaction.has("body");
    const rest = hidden.filter((part) => part !== "body" || isBodyRedacted);
    const isNone = redaction === undefined || (redaction instanceof Map && redaction.size === 0);
    if ((rest.length > 0 || !isNone) && this.isNew(index)) super.hide(event, seal, index, rest);
  }

  notable(event, index, time) {
    if (this.isNew(index)) super.notable(event, index, time);
    else this.checkRedactions(event, index, (dig(event, "response", "error_code") ?? null) === null);
  }

  /** The first entry of a later epoch says how much of the one before was kept. */
  checkEpoch(action, details) {
    if (action !== "audit_log.epoch_started") throw new Wrong("The first entry of the epoch does not say why it began.", 0);
    const [closed, previous] = [dig(details, "closed", "size"), dig(details, "previous", "size")];
    const last = this.epochsSeen[this.epochsSeen.length - 1];
    if (!isIndex(closed) || last === undefined || dig(details, "previous", "origin") !== last.origin) return;
    if (closed > last.end) throw new Wrong(`#${last.end} to #${closed - 1} of epoch ${last.epoch} are missing.`, last.end);
    const root = dig(details, "closed", "root");
    if (closed === last.end && root !== toBase64(last.root)) {
      throw new Wrong(`Epoch ${last.epoch} was kept in another form than these segments have.`, 0);
    }
    if (last.end > closed) {
      this.remarks.push(`LOST: #${closed} to #${last.end - 1} of epoch ${last.epoch} are only here; the log went on from a backup without them.`);
    } else if (previous > closed) {
      this.remarks.push(`LOST: #${closed} to #${previous - 1} of epoch ${last.epoch} were signed, and are gone.`);
    }
  }

  /** The checkpoint beside a segment: signed, of this log, and of the same history. */
  beside(text, { name, size, root }) {
    if (text === this.header.checkpoint) return;
    const checkpoint = this.checkpointOf(text, `The checkpoint beside ${name}`);
    if (checkpoint.size === size && equal(checkpoint.root, root)) return;
    if (this.roots.has(checkpoint.size) && !equal(this.roots.get(checkpoint.size), checkpoint.root)) {
      throw new Wrong(`The checkpoint beside ${name} is of another history.`, 0);
    }
    if (!this.roots.has(checkpoint.size)) this.uncompared += 1;
  }

  endSegment() {
    if (!this.isEnded) throw new Wrong("The file ends without its trailer: it was cut off.", this.next);
    this.objects += 1;
    const { edge, reached, header } = this;
    if (!this.isJoined && edge.end > reached.end) this.unjoined.add(header.epoch, reached.end, edge.end);
    if (reached !== null && edge.end <= reached.end) return;
    this.total += edge.end - Math.max(header.first, this.seenEnd);
    this.first ??= { epoch: header.epoch, index: header.first };
    this.proved = edge.end;
    this.reached = edge;
  }

  /** Closes an epoch: compares given checkpoints, and counts what could not be compared. */
  endEpoch(epoch) {
    const { end } = this.reached;
    this.closeGaps(epoch, Infinity);
    this.uncompared += this.marks.filter(({ root }) => root !== undefined).length;
    for (const given of this.givenNotes.filter((one) => one.epoch === epoch)) this.judgeGiven(given, end);
    for (const [by, [claim]] of this.redactions) {
      this.unresolved += 1;
      if (this.unresolved === 1) this.open.push(`#${claim.index} is said to be redacted by #${by}, which is not in the folder.`);
    }
    this.redactions.clear();
    this.judgeRotations();
    this.epochsSeen.push({ epoch, origin: this.origin.origin, end, root: this.reached.root() });
  }

  judgeGiven({ note, size, root, origin, epoch }, end) {
    const keys = this.publicKeys.map((publicKey) => keyOf(origin, LOG, publicKey));
    if (verifyNote(note, keys, "a given checkpoint").length === 0) {
      this.open.push(`The given checkpoint of size ${size} is not signed by a known key.`);
    } else if (size > end) this.open.push(`#${end} to #${size - 1} of epoch ${epoch}, which a given checkpoint covers, are not in the folder.`);
    else if (!this.roots.has(size)) this.open.push(`The given checkpoint of size ${size} could not be compared.`);
    else if (!equal(root, this.roots.get(size))) {
      throw new Wrong(`The log is not the one of the given checkpoint of size ${size}: two histories were signed.`, 0);
    }
  }

  judgeRotations() {
    for (const { vkey, size } of this.changes.values()) {
      if (this.rotated.some((one) => one.vkey === vkey && one.index < size)) continue;
      this.remarks.push(`The entry of the change of keys at size ${size} is not in the folder.`);
    }
    this.changes.clear();
  }

  /** `orphans`: checkpoints without their objects. */
  endFolder(orphans) {
    const { from, filtered } = this.options;
    const { index } = this.first;
    if (from !== undefined && index > from) throw new Wrong(`#${from} to #${index - 1} are missing at the beginning.`, from);
    if (from === undefined && index > 0) {
      this.open.push(`The folder begins at #${index}; nothing shows that it has no earlier segments. Give --from ${index} if you know that.`);
    }
    for (const { epoch, size } of this.givenNotes.filter((given) => !this.epochsSeen.some((seen) => seen.epoch === given.epoch))) {
      this.open.push(`Epoch ${epoch}, of which a given checkpoint covers ${entries(size)}, is not in the folder.`);
    }
    if (orphans.length > 0) this.open.push(`${orphans.length === 1 ? "A checkpoint has" : `${orphans.length} checkpoints have`} no segment: ${orphans[0]}.`);
    for (const [reason, ranges] of Object.entries(this.omitted)) {
      if (ranges.count === 0) continue;
      const sentence = `Not in the folder, because they ${OMISSIONS[reason]}: ${ranges}.`;
      if (reason === "filter" && filtered) this.remarks.push(sentence);
      else this.open.push(sentence);
    }
    if (this.unproved.count > 0) this.open.push(`Nothing proves these entries, whose hashes are gone: ${this.unproved}.`);
    if (this.unjoined.count > 0) this.open.push(`Whether these continue the segments before them could not be compared: ${this.unjoined}.`);
    if (this.withheld.count > 0) this.open.push(`Parts of ${this.withheld} are withheld by whoever gave you the folder.`);
    if (this.overlaps.count > 0) this.remarks.push(`In more than one segment, which agree: ${this.overlaps}.`);
    if (this.uncompared > 0) this.remarks.push(`${this.uncompared} checkpoints cover more entries than the folder has, or end within a range that is omitted.`);
    if (this.redacted > 0) this.remarks.push(`${entries(this.redacted)} had been redacted before they were sent.`);
    this.remarks.push("Segments have no bodies; their hashes are proved.");
    this.expect();
  }

  /** Requests that the reader knows to have sent. What is omitted can be one of them. */
  expect() {
    const isWhole = Object.values(this.omitted).every(({ count }) => count === 0);
    if (isWhole) return this.judgeExpected();
    const unknown = [...this.expected].filter((id) => !this.found.has(id));
    if (unknown.length > 0) this.open.push(`Nothing can be said of ${unknown.slice(0, MAX_LISTED).join(", ")}: they can be among what is omitted.`);
  }

  expectedTimes() {
    const after = this.first.index === 0 ? this.times.begun : Infinity;
    return { after, before: this.reached.end >= this.signedSize ? this.times.last : -Infinity };
  }

  verdict() {
    const names = this.epochsSeen.map(({ origin }) => origin).join(" and ");
    const objects = this.objects === 1 ? "1 segment" : `${this.objects} segments`;
    return `${objects} with ${entries(this.total)}, from #${this.first.index} up to #${this.reached.end - 1}, of ${names} continue each other and are what was sealed`;
  }
}

/** The bytes of a gzipped source. Throws Wrong if it is not one, or was cut off. */
async function* gunzipped(source, name, log) {
  try {
    if (!isNode) {
      const stream = source.stream().pipeThrough(new DecompressionStream("gzip"));
      yield* chunksOf(stream);
      return;
    }
    const [{ pipeline, Readable }, { createGunzip }] = [await import("node:stream"), await import("node:zlib")];
    const unzip = createGunzip();
    pipeline(Readable.from(chunksOf(source)), unzip, () => {});
    yield* unzip;
  } catch (error) {
    if (error instanceof TypeError || String(error.code).startsWith("Z_")) {
      throw new Wrong(`${name} cannot be decompressed: it was cut off or changed.`, log?.next ?? null);
    }
    throw error;
  }
}

/** The first line of a source, as JSON. */
async function firstLine(source, name) {
  let line = new Uint8Array(0);
  for await (const chunk of source) {
    const end = chunk.indexOf(10);
    line = concat(line, end < 0 ? chunk : chunk.subarray(0, end));
    if (line.length > MAX_LINE_BYTES) break;
    if (end < 0) continue;
    try {
      return Json.parse(strictUtf8.decode(line));
    } catch (error) {
      if (error instanceof Wrong) throw error;
      break;
    }
  }
  throw new Wrong(`${name} has no header.`);
}

// ── Verifying ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const NEWLINE = Uint8Array.of(10);

/** Chunks of bytes of a Blob, a ReadableStream, an async iterable or an array. */
async function* chunksOf(source) {
  const stream = typeof source.stream === "function" ? source.stream() : source;
  if (typeof stream.getReader !== "function") {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Calls `read` with each line, without its newline. */
async function readLines(source, read, onProgress) {
  let rest = new Uint8Array(0);
  let bytes = 0;
  for await (const chunk of chunksOf(source)) {
    bytes += chunk.length;
    let begin = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, begin)) {
      const line = chunk.subarray(begin, end);
      read(rest.length === 0 ? line : concat(rest, line));
      rest = new Uint8Array(0);
      begin = end + 1;
    }
    rest = rest.length === 0 ? chunk.slice(begin) : concat(rest, chunk.subarray(begin));
    if (rest.length > MAX_LINE_BYTES) throw new Wrong(`A line is longer than ${MAX_LINE_BYTES} bytes.`);
    onProgress?.(bytes);
  }
  if (rest.length > 0) throw new Wrong("The file does not end in a newline: it was cut off.");
}

/** Runs a verification: {code, verdict, index, open, remarks}. */
async function judge(work) {
  const state = { open: [], remarks: [] };
  try {
    const verdict = await work(state);
    const { open, remarks } = state;
    const code = open.length > 0 ? 2 : 0;
    return { code, verdict: `${code === 0 ? "Proved" : "Not all is proved"}: ${verdict}.`, index: null, open, remarks };
  } catch (error) {
    const { open, remarks } = state;
    if (error instanceof Wrong) return { code: 1, verdict: `Wrong: ${error.message}`, index: error.index, open, remarks };
    if (error instanceof Unprovable) return { code: 2, verdict: `Not proved: ${error.message}`, index: null, open, remarks };
    throw error;
  }
}

/**
 * Verifies a bundle. `source`: a Blob, a ReadableStream or an async iterable of bytes. Options: `vkey`, and if there are any `checkpoints`
 * (notes), `consistency` (JSON texts), `witnesses` (verifier keys), `retentionDays`, `expect` (ids of requests), `now` (Unix
 * milliseconds), `onProgress` (called with the number of bytes read). Result: `code` 0, 1 or 2, `verdict` (a sentence), `index` (the first
 * index that is affected, or null), `open` (what could not be proved) and `remarks`, both lists of sentences.
 */
export function verify(source, options = {}) {
  return judge(async (state) => {
    const bundle = new Bundle(options);
    Object.assign(state, { open: bundle.open, remarks: bundle.remarks });
    await readLines(source, (line) => bundle.read(line), options.onProgress);
    bundle.end();
    return bundle.verdict();
  });
}

/**
 * Verifies a folder of segments, as a destination of the type `s3` puts them into a bucket. `files`: {name, open}, where `open` returns
 * the bytes of a file as `verify` takes them (in browsers a Blob); files with other endings are ignored. Options: `vkey`, and if there are
 * any `checkpoints`, `from` (the index that the folder begins with, if the reader knows it), `filtered` (whether he knows that the
 * destination has filters), `expect`, `onProgress` (called with the numbers of files read and of all). Result: like `verify`.
 */
export function verifyFolder(files, options = {}) {
  return judge(async (state) => {
    const log = new Segments(options);
    Object.assign(state, { open: log.open, remarks: log.remarks });
    const segments = files.filter(({ name }) => name.endsWith(SEGMENT_ENDING));
    const notes = new Map(files.flatMap(({ name, open }) => (name.endsWith(CHECKPOINT_ENDING) ? [[name.slice(0, -CHECKPOINT_ENDING.length), open]] : [])));
    if (segments.length === 0) throw new Unprovable(`The folder has no files that end in ${SEGMENT_ENDING}.`);
    const places = [];
    const named = async (name, work) => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Wrong && !error.message.includes(name)) error.message = `${name}: ${error.message}`;
        throw error;
      }
    };
    for (const { name, open } of segments) {
      await named(name, async () => places.push({ ...log.placeOf(await firstLine(gunzipped(open(), name), name), name), open }));
    }
    places.sort((one, other) => one.epoch - other.epoch || one.first - other.first || one.end - other.end);
    for (const [at, place] of places.entries()) {
      if (place.epoch !== places[at - 1]?.epoch) log.beginEpoch(place.epoch, places.filter(({ epoch }) => epoch === place.epoch));
      await named(place.name, async () => {
        log.beginSegment(place);
        await readLines(gunzipped(place.open(), place.name, log), (line) => log.read(line));
        log.endSegment();
        const beside = place.name.slice(0, -SEGMENT_ENDING.length);
        if (notes.has(beside)) log.beside(await textOf(notes.get(beside)()), place);
        notes.delete(beside);
      });
      if (place.epoch !== places[at + 1]?.epoch) log.endEpoch(place.epoch);
      options.onProgress?.(at + 1, places.length);
    }
    log.endFolder([...notes.keys()]);
    return log.verdict();
  });
}

/** The text of a small file. */
async function textOf(source) {
  let bytes = new Uint8Array(0);
  for await (const chunk of chunksOf(source)) {
    bytes = concat(bytes, chunk);
    if (bytes.length > MAX_NOTE_BYTES) throw new Wrong("A checkpoint is too long.");
  }
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new Wrong("A checkpoint is not UTF-8.");
  }
}

// As a module worker, it verifies the file of each message {file, options}, and posts {bytes} as it reads, then {result} or {error}.
if (typeof WorkerGlobalScope === "function" && import.meta.url === self.location.href) {
  self.onmessage = async ({ data: { file, options } }) => {
    try {
      self.postMessage({ result: await verify(file, { ...options, onProgress: (bytes) => self.postMessage({ bytes }) }) });
    } catch (error) {
      self.postMessage({ error: error.message });
    }
  };
}

const PROOF_LINE = "c2sp.org/tlog-proof@v1";
const NONCE_AND_HASH = 48;

/**
 * Verifies that one event is in the log: `proof` is the text of GET /audit-logs/{id}/proof, `event` the JSON of the event, with or
 * without its body. Options: `vkey` and `witnesses`. Result: like `verify`.
 */
export function verifyProof(proof, event, options = {}) {
  return judge(async (state) => {
    const bundle = new Bundle(options);
    Object.assign(state, { open: bundle.open, remarks: bundle.remarks });
    return bundle.proveOne(proof, event);
  });
}

/** The event without members that are null in the API's answer because their part is not shown. */
function withoutHidden(event, seal) {
  const left = new Map(event);
  const request = event.get("request");
  if (request instanceof Map && dig(seal, "hashes", "body") !== undefined) {
    left.set("request", new Map([...request].filter(([name, value]) => value !== null || !BODY_MEMBERS.has(name))));
  }
  for (const name of CALLER_MEMBERS) {
    if (dig(seal, "hashes", "caller") !== undefined && event.get(name) === null) left.delete(name);
  }
  return left;
}

/** The event with the seal that the extra data of a proof are: nonce ‖ c_body, or the JSON of a redacted event's seal. */
function withSeal(event, extra, index, epoch) {
  if (extra.length !== NONCE_AND_HASH) {
    try {
      const seal = Json.parse(strictUtf8.decode(extra));
      return withoutHidden(event, seal).set("seal", seal);
    } catch {
      throw new Wrong("The extra data of the proof are no seal.");
    }
  }
  const [nonce, body] = [extra.subarray(0, 16), extra.subarray(16)];
  const salts = sha512(nonce);
  const base = [
    ["index", index],
    ["epoch", epoch],
  ];
  if (isShown("body", event) || (event.get("request") ?? null) === null) {
    const hash = sha256(concat(salts.subarray(16, 32), partBytes("body", event)));
    if (!equal(hash, body)) throw new Wrong("The body is not the one that was sealed.", index);
    return new Map(event).set("seal", new Map([...base, ["nonce", toBase64(nonce)]]));
  }
  // An event without its body, as in lists, is proved by the hash of its body.
  const shown = PARTS.flatMap((part, at) => (part === "body" ? [] : [[part, toBase64(salts.subarray(16 * at, 16 * at + 16))]]));
  const seal = [...base, ["salts", new Map(shown)], ["hashes", new Map([["body", toBase64(body)]])]];
  return new Map(event).set("seal", new Map(seal));
}

// ── The command ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const USAGE = `Usage: node sealwatch-verify.mjs FILE --vkey KEY [--checkpoint FILE]… [--consistency FILE]… [--witness VKEY]…
         [--retention-days N] [--expect FILE]
       node sealwatch-verify.mjs FOLDER --vkey KEY [--checkpoint FILE]… [--from INDEX] [--filtered] [--expect FILE]
       node sealwatch-verify.mjs --proof FILE --vkey KEY [--witness VKEY]… EVENT.json
FILE is a sealed export (- for standard input), FOLDER a copy of what a destination has put into a bucket. KEY comes from a source that you trust, never from the file.
Exit status: 0 everything is proved, 1 something is wrong, 2 something cannot be proved with what was given.`;

async function main(args) {
  const fs = await import("node:fs");
  const { parseArgs } = await import("node:util");
  const many = { type: "string", multiple: true, default: [] };
  const one = { type: "string" };
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...{ vkey: one, checkpoint: many, consistency: many, witness: many, "retention-days": one, expect: one, proof: one },
        ...{ from: one, filtered: { type: "boolean", default: false } },
      },
    });
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    return 2;
  }
  const { values, positionals } = parsed;
  const days = values["retention-days"];
  const isNumber = (text, pattern) => text === undefined || pattern.test(text);
  const areNumbers = isNumber(days, /^[1-9]\d{0,5}$/) && isNumber(values.from, /^\d{1,15}$/);
  if (positionals.length !== 1 || values.vkey === undefined || !areNumbers) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const read = (path) => fs.readFileSync(path, "utf8");
  const [file] = positionals;
  let result;
  try {
    const options = {
      ...{ vkey: values.vkey, witnesses: values.witness },
      ...{ checkpoints: values.checkpoint.map(read), consistency: values.consistency.map(read) },
      ...(days === undefined ? {} : { retentionDays: Number(days) }),
      ...(values.expect === undefined ? {} : { expect: read(values.expect).split(/\s+/).filter(Boolean) }),
      ...(process.stderr.isTTY && file !== "-" ? { onProgress: progress(fs.statSync(file).size) } : {}),
    };
    const isFolder = file !== "-" && (fs.statSync(file).isDirectory() || file.endsWith(SEGMENT_ENDING));
    if (isFolder) {
      const from = values.from === undefined ? {} : { from: Number(values.from) };
      result = await verifyFolder(await filesIn(file, fs), { ...options, ...from, filtered: values.filtered, onProgress: undefined });
    } else if (values.proof !== undefined) result = await verifyProof(read(values.proof), read(file), options);
    else result = await verify(file === "-" ? process.stdin : fs.createReadStream(file, { highWaterMark: 2 ** 20 }), options);
  } catch (error) {
    if (typeof error.code !== "string") throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  process.stdout.write(`${[result.verdict, ...result.open.map((one) => `Open: ${one}`), ...result.remarks].join("\n")}\n`);
  return result.code;
}

/** The files of a folder and of those in it, or the one file. */
async function filesIn(path, fs) {
  const { join } = await import("node:path");
  const fileAt = (name, at) => ({ name, open: () => fs.createReadStream(at) });
  if (!fs.statSync(path).isDirectory()) return [fileAt(path, path)];
  return fs
    .readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .map((at) => fileAt(at.slice(path.replace(/[/\\]+$/, "").length + 1), at));
}

function progress(total) {
  let shown = -1;
  return (bytes) => {
    const percent = Math.floor((100 * bytes) / Math.max(total, 1));
    if (percent !== shown) process.stderr.write(percent === 100 ? "\r     \r" : `\r${percent} %`);
    shown = percent;
  };
}

if (isNode && process.argv[1] !== undefined) {
  const { realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  const isMain = (() => {
    try {
      return import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href;
    } catch {
      return false;
    }
  })();
  if (isMain) process.exitCode = await main(process.argv.slice(2));
}
