#!/usr/bin/env python3
"""A second verifier of sealed exports, written from docs/sealed-log-format.md: Python's standard library, openssl for signatures.

    verify.py FILE|FOLDER OPTIONS.json [FILE|FOLDER OPTIONS.json]…

OPTIONS.json has the members vkey, now (Unix milliseconds), and if there are any checkpoints, consistency, witnesses (lists of texts),
retentionDays, expect; for a folder of segments from (an index) and filtered. Prints a verdict for each; exits with the highest code
of 0 (proved), 1 (wrong) and 2 (not proved with what was given).
"""

import base64
import functools
import gzip
import hashlib
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib
from datetime import datetime, timedelta, timezone

DAY = 86_400_000
PARTS = ["request", "body", "caller", "outcome"]
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PLAN_DAYS = {"free": 30, "team": 180, "business": 365, "enterprise": 2555}
PLAN_ACTIONS = ("organization.set_plan", "billing.notice")
PROTECTED = {"audit_log.redact", "audit_log.key_rotated", "audit_log.epoch_started", "audit_log.sealing_started"}


class Wrong(Exception):
    pass


class Unprovable(Exception):
    pass


def require(condition, sentence):
    if not condition:
        raise Wrong(sentence)


# Bytes and JSON


def sha256(data):
    return hashlib.sha256(data).digest()


def unbase64(text, length=None):
    require(isinstance(text, str), "Not base64.")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Wrong("Not base64.")
    require(base64.b64encode(data).decode() == text, "Base64 that is not canonical.")
    require(length is None or len(data) == length, f"Not {length} bytes.")
    return data


def u64(number):
    return number.to_bytes(8, "big")


def pairs(members):
    result = dict(members)
    require(len(result) == len(members), "A name occurs twice.")
    for name in result:
        whole(name)
    return result


def whole(text):
    require(not any(0xD800 <= ord(char) <= 0xDFFF for char in text), "A lone surrogate.")


def integer(text):
    if abs(int(text)) < 2**53:
        return -0.0 if text == "-0" else int(text)
    value = floating(text)
    require(int(value) == int(text) or number(value) == text, "An integer that is not a double.")
    return value


def floating(text):
    require(math.isfinite(float(text)), "A number that is not finite.")
    return float(text)


def constant(text):
    raise Wrong(f"{text} is not JSON.")


def strings(value):
    if isinstance(value, str):
        whole(value)
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        strings(one)


def parse(text):
    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=integer, parse_float=floating, parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"Not JSON: {error}.")
    strings(value)
    return value


def number(value):
    """A number as ECMAScript writes it; Python's repr has the same digits, in another form."""
    if isinstance(value, int):
        return str(value)
    if value == 0:
        return "0"
    sign, digits, exponent = re.fullmatch(r"(-?)([\d.]+)(?:e([+-]\d+))?", repr(value)).groups()
    left, _, right = digits.partition(".")
    point = len(left) + int(exponent or 0)
    digits = left + ("" if right == "0" else right)
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.lstrip("0").rstrip("0")
    if 0 < point <= 21:
        text = digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{point - 1:+d}"
    return sign + text


def jcs(value, without_nulls=False):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        kept = [name for name in names if not (without_nulls and value[name] is None)]
        return "{" + ",".join(f"{jcs(name)}:{jcs(value[name], without_nulls)}" for name in kept) + "}"
    if isinstance(value, list):
        return "[" + ",".join(jcs(one, without_nulls) for one in value) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def same(one, other):
    return jcs(one) == jcs(other)


def dig(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def is_index(value):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and value == int(value) and 0 <= value < 2**53 and math.copysign(1, value) > 0


def members(value, names, optional=()):
    is_right = isinstance(value, dict) and set(names) <= set(value) <= set(names) | set(optional)
    require(is_right, f"Not an object with the members {', '.join(names)}.")
    return value


def hashes_of(value, count=None):
    require(isinstance(value, list), "Not a list of hashes.")
    require(count is None or len(value) == count, f"Not {count} hashes.")
    return [unbase64(one, 32) for one in value]


# Trees


def node_hash(left, right):
    return sha256(b"\1" + left + right)


def leaf_hash(entry):
    return sha256(b"\0" + entry)


def levels(begin, end):
    result = []
    while begin < end:
        level = 0
        while begin % 2 ** (level + 1) == 0 and begin + 2 ** (level + 1) <= end:
            level += 1
        result.append(level)
        begin += 2**level
    return result


class Edge:
    def __init__(self, end=0, hashes=()):
        self.end, self.hashes = end, list(hashes)

    def append(self, node, level=0):
        index = self.end >> level
        while index % 2:
            node = node_hash(self.hashes.pop(), node)
            index //= 2
        self.hashes.append(node)
        self.end += 2**level

    def root(self):
        if not self.hashes:
            return sha256(b"")
        return functools.reduce(lambda right, left: node_hash(left, right), reversed(self.hashes))


def root_of(leaf, index, size, proof):
    """The root that an inclusion proof leads to, by the recursion of RFC 6962; None if it has another length."""
    if size == 1:
        return None if proof else leaf
    if not proof:
        return None
    split = 1 << (size - 1).bit_length() - 1
    if index < split:
        left = root_of(leaf, index, split, proof[:-1])
        return left and node_hash(left, proof[-1])
    right = root_of(leaf, index - split, size - split, proof[:-1])
    return right and node_hash(proof[-1], right)


def consistent(start, start_root, size, proof):
    """The roots (old, new) that a consistency proof leads to, by the recursion of RFC 6962, section 2.1.2."""

    def sub(old, new, rest, is_whole):
        if old == new:
            if is_whole:
                return (start_root, start_root) if not rest else None
            return (rest[0], rest[0]) if len(rest) == 1 else None
        if not rest:
            return None
        split = 1 << (new - 1).bit_length() - 1
        if old <= split:
            found = sub(old, split, rest[:-1], is_whole)
            return found and (found[0], node_hash(found[1], rest[-1]))
        found = sub(old - split, new - split, rest[:-1], False)
        return found and (node_hash(rest[-1], found[0]), node_hash(rest[-1], found[1]))

    return sub(start, size, proof, True)


def is_consistent(start, start_root, size, root, proof):
    if start == 0:
        return not proof and start_root == (root if size == 0 else sha256(b""))
    return consistent(start, start_root, size, proof) == (start_root, root)


# Keys and notes


def key_of(name, kind, public):
    return {"name": name, "kind": kind, "public": public, "id": sha256(f"{name}\n".encode() + bytes([kind]) + public)[:4]}


def vkey_of(text):
    found = re.fullmatch(r"([^+\s]+)\+([0-9a-f]{8})\+(.+)", text) if isinstance(text, str) else None
    require(found, "Not a verifier key.")
    data = unbase64(found[3], 33)
    key = key_of(found[1], data[0], data[1:])
    require(key["kind"] in (1, 4) and key["id"].hex() == found[2], "Not a verifier key.")
    return key


@functools.cache
def is_signed(message, signature, public):
    with tempfile.NamedTemporaryFile() as text, tempfile.NamedTemporaryFile() as sign, tempfile.NamedTemporaryFile() as key:
        for file, data in ((text, message), (sign, signature), (key, bytes.fromhex("302a300506032b6570032100") + public)):
            file.write(data)
            file.flush()
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin"]
        done = subprocess.run([*command, "-inkey", key.name, "-in", text.name, "-sigfile", sign.name], capture_output=True)
        return done.returncode == 0


def note_of(note):
    require(isinstance(note, str) and not re.search(r"[\x00-\x09\x0b-\x1f]", note), "Not a note.")
    text, empty, tail = note.rpartition("\n\n")
    lines = tail.split("\n")
    require(empty and lines.pop() == "" and 0 < len(lines) <= 100, "A note without signatures.")
    signatures = []
    for line in lines:
        found = re.fullmatch(r"— ([^\s+]+) (\S+)", line)
        require(found, "Not a signature.")
        data = unbase64(found[2])
        require(len(data) > 4, "Not a signature.")
        signatures.append((found[1], data[:4], data[4:]))
    return text + "\n", signatures


def der_elements(data):
    result = []
    while data:
        require(len(data) >= 2 and data[1] != 0x80 and data[1] <= 0x83, "Malformed DER.")
        start = 2 + (data[1] - 0x80 if data[1] > 0x80 else 0)
        length = data[1] if data[1] < 0x80 else int.from_bytes(data[2:start], "big")
        require(start + length <= len(data), "Malformed DER.")
        result.append((data[0], data[start : start + length]))
        data = data[start + length :]
    return result


def inside(data, *path):
    elements = der_elements(data)
    for at in path:
        require(at < len(elements), "Malformed DER.")
        elements = der_elements(elements[at][1])
    return elements


def check_stamp(token, text):
    """That an RFC 3161 token is over a text; the authority's signature is not verified."""
    content = inside(token, 0, 1, 0, 2)
    require(len(content) == 2 and content[0][1].hex() == "2a864886f70d0109100104", "Not a time stamp.")
    info = inside(content[1][1], 0, 0)
    require(len(info) >= 5, "Not a time stamp.")
    imprint = der_elements(info[2][1])
    require(len(imprint) == 2, "Not a time stamp.")
    algorithm = der_elements(imprint[0][1])
    require(algorithm and algorithm[0][1].hex() == "608648016503040201", "A time stamp of another hash.")
    require(imprint[1][1] == sha256(text.encode()), "A time stamp over another text.")
    require(re.fullmatch(rb"\d{14}(\.\d+)?Z", info[4][1]), "A time stamp without a time.")


def signers(note, keys):
    """The keys whose signatures the note has, all valid: a list of (key, time in seconds or None)."""
    text, signatures = note
    result = []
    for name, key_id, signature in signatures:
        for key in keys:
            if (key["name"], key["id"]) != (name, key_id):
                continue
            time, message = None, text
            if key["kind"] == 4:
                time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
                message = f"cosignature/v1\ntime {time}\n{text}"
            is_valid = len(signature) == 64 and (time or 0) < 2**53
            require(is_valid and is_signed(message.encode(), signature, key["public"]), f"The signature of {name} is invalid.")
            result.append((key, time))
            break
    return result


def checkpoint_of(note):
    lines = note[0].split("\n")
    require(len(lines) == 4 and lines[0] and re.fullmatch(r"0|[1-9]\d{0,15}", lines[1]) and int(lines[1]) < 2**53, "Not a checkpoint.")
    return lines[0], int(lines[1]), unbase64(lines[2], 32)


def origin_of(text):
    uuid = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    found = re.fullmatch(rf"([^/]+)/log/({uuid})/(0|[1-9]\d{{0,15}})/([1-9]\d{{0,15}})", text)
    return found and {"host": found[1], "organization": found[2], "slot": int(found[3]), "epoch": int(found[4])}


# Events


def id_time(text):
    return int(text[:8] + text[9:13], 16)


def iso(time):
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=time)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time % 1000:03d}Z"


def since_epoch(text):
    found = isinstance(text, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text)
    require(found, "Not a time.")
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise Wrong("Not a time.")
    return (moment - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1)


def part_bytes(part, event):
    request = event.get("request")
    if part == "request":
        return jcs({name: one for name, one in (request or {}).items() if name not in ("body", "body_encoding")}, True).encode()
    if part == "body":
        if request is None:
            return b""
        body, encoding = request.get("body", 0), request.get("body_encoding", 0)
        if body is None and encoding is None:
            return b""
        require(isinstance(body, str) and encoding in ("utf8", "base64"), "A body does not fit its encoding.")
        return body.encode() if encoding == "utf8" else unbase64(body)
    if part == "caller":
        return jcs({name: event[name] for name in ("authentication", "client") if name in event}, True).encode()
    outcome = {}
    for name, value in event.items():
        if value is None or name in ("id", "occurred_at", "seal", "request", "authentication", "client"):
            continue
        if name == "security" and isinstance(value, dict):
            value = {inner: one for inner, one in value.items() if inner != "is_security_event"}
        outcome[name] = jcs(value, name != "details")
    names = sorted(outcome, key=lambda name: name.encode("utf-16-be"))
    return ("{" + ",".join(f"{jcs(name)}:{outcome[name]}" for name in names) + "}").encode()


def is_shown(part, event):
    request = event.get("request")
    names = set(request or {})
    if part == "request":
        return ("request" in event and request is None) or bool(names - {"body", "body_encoding"})
    if part == "body":
        return bool(names & {"body", "body_encoding"})
    if part == "caller":
        return "authentication" in event or "client" in event
    return bool(set(event) - {"id", "occurred_at", "seal", "request", "authentication", "client"})


def commitment_of(event, seal):
    """The commitment of an event, and the parts that are not shown."""
    if "nonce" in seal:
        salts = hashlib.sha512(unbase64(seal["nonce"], 16)).digest()
        return sha256(b"".join(sha256(salts[16 * at : 16 * at + 16] + part_bytes(part, event)) for at, part in enumerate(PARTS))), []
    salts, hashes = seal["salts"], seal["hashes"]
    require(isinstance(salts, dict) and isinstance(hashes, dict) and hashes, "A seal that hides nothing.")
    require(set(salts) | set(hashes) == set(PARTS) and not set(salts) & set(hashes), "Each part has a salt or a hash.")
    found = []
    for part in PARTS:
        if part in salts:
            found.append(sha256(unbase64(salts[part], 16) + part_bytes(part, event)))
        else:
            require(not is_shown(part, event), "A part is shown and not proved.")
            found.append(unbase64(hashes[part], 32))
    return sha256(b"".join(found)), [part for part in PARTS if part in hashes]


def is_plan_change(event):
    flags = dig(event, "security", "flags")
    return isinstance(flags, list) and "plan_changed" in flags and isinstance(dig(event, "details", "plan"), dict)


def entry_leaf(entry_id, commitment):
    return leaf_hash(b"\1" + bytes.fromhex(entry_id.replace("-", "")) + commitment)


def lines_of(data):
    """The header's line and those between it and the trailer, which counts them."""
    require(data.endswith(b"\n"), "The file is cut off.")
    raw = data[:-1].split(b"\n")
    try:
        lines = [parse(line.decode("utf-8")) for line in raw]
    except UnicodeDecodeError:
        raise Wrong("Not UTF-8.")
    require(len(lines) >= 2, "The file is cut off.")
    trailer = members(members(lines[-1], ["export"])["export"], ["rows", "sha256"])
    require(trailer["rows"] == len(lines) - 2, "The trailer does not count.")
    require(trailer["sha256"] == sha256(data[: len(data) - len(raw[-1]) - 1]).hex(), "The trailer's hash is another one.")
    return lines[0], lines[1:-1]


def kept_note(text):
    """A checkpoint that the reader kept: mails end lines in CRLF, and copying adds or loses empty lines."""
    return note_of(re.sub(r"[ \t]*\r?\n", "\n", text).strip() + "\n")


class Bundle:
    def __init__(self, options):
        self.options = options
        self.open = []
        try:
            self.pinned = vkey_of(options["vkey"])
            self.witnesses = [vkey_of(text) for text in options.get("witnesses", [])]
            require(all(key["kind"] == 4 for key in self.witnesses), "Not the key of a witness.")
        except Wrong as error:
            raise Unprovable(str(error))
        self.origin = self.pinned["name"]
        self.of = origin_of(self.origin)
        if self.of is None or self.pinned["kind"] != 1:
            raise Unprovable("The key is not of an organization's log.")
        self.now = options["now"]
        self.seen, self.thin, self.plans, self.rotated = set(), [], [], []
        self.begun, self.last, self.unseen = math.inf, -math.inf, -math.inf
        self.claims, self.outside, self.roots, self.withheld = {}, [], {}, 0

    def verify(self, data):
        first, lines = lines_of(data)
        header = members(members(first, ["sealed_log"])["sealed_log"], HEADER, ["is_closed"])
        self.begin(header)
        count = header["end"] - header["first"]
        self.entries(lines[:count])
        for line in lines[count:]:
            self.also(members(line, ["also", "path"]))
        self.judge()

    # The header

    def begin(self, header):
        self.header = header
        require(header["version"] == 1 and header["origin"] == self.origin, "The bundle is of another log.")
        require(header["epoch"] == self.of["epoch"], "The bundle is of another epoch.")
        self.since, self.until = (None if header[name] is None else since_epoch(header[name]) for name in ("since", "until"))
        require(is_index(header["retention_days"]) and header["retention_days"] > 0, "retention_days is no number of days.")
        require(header.get("is_closed", True) is True, "is_closed is not true.")
        self.chain()
        note = note_of(header["checkpoint"])
        require(signers(note, self.keys[-1:]), "The checkpoint is not signed by the key.")
        name, self.size, self.root = checkpoint_of(note)
        first, end = header["first"], header["end"]
        require(name == self.origin and is_index(first) and is_index(end) and first <= end <= self.size, "Not a range of the log.")
        require(self.until is not None or end == self.size, "The tail is missing.")
        self.edge = Edge()
        for node, level in zip(hashes_of(header["left"], len(levels(0, first))), levels(0, first)):
            self.edge.append(node, level)
        self.right = hashes_of(header["right"], len(levels(end, self.size)))
        require(isinstance(header["checkpoints"], list), "checkpoints is no list.")
        self.expected_roots = [(size, root) for _, size, root in self.rotations]
        for kept in header["checkpoints"]:
            members(kept, ["note", "heads", "stamps"])
            require(isinstance(kept["stamps"], list), "stamps is no list.")
            stamps = [unbase64(stamp) for stamp in kept["stamps"]]
            note = note_of(kept["note"])
            name, size, root = checkpoint_of(note)
            require(name == self.origin, "A kept checkpoint is of another log.")
            if signers(note, self.keys):
                self.expected_roots.append((size, root))
                self.heads(kept["heads"], size, root)
                for stamp in stamps:
                    require(kept["heads"] is not None, "A time stamp without the installation's checkpoint.")
                    check_stamp(stamp, note_of(kept["heads"]["checkpoint"])[0])
        self.heads(header["heads"], self.size, self.root)
        self.epochs()
        self.proofs = [self.consistency(text) for text in self.options.get("consistency", [])]

    def chain(self):
        self.keys, self.rotations = [self.pinned], []
        require(isinstance(self.header["keys"], list), "keys is no list.")
        changes = [members(one, ["vkey", "note"]) for one in self.header["keys"]]
        keys = [vkey_of(one["vkey"]) for one in changes]
        require(all(key["name"] == self.origin and key["kind"] == 1 for key in keys), "A key of another log.")
        start = keys.index(self.pinned) + 1 if self.pinned in keys else 0
        for change, key in zip(changes[start:], keys[start:]):
            note = note_of(change["note"])
            found = [one for one, _ in signers(note, [self.keys[-1], key])]
            require(key in found and self.keys[-1] in found, "A change of keys is not signed by both.")
            name, size, root = checkpoint_of(note)
            require(name == self.origin, "A change of keys is of another log.")
            self.rotations.append((change["vkey"], size, root))
            self.keys.append(key)
        require(vkey_of(self.header["vkey"]) == self.keys[-1], "The bundle is signed by another key.")

    def heads(self, heads, size, root):
        if heads is None:
            return
        members(heads, ["slots", "path", "index", "proof", "checkpoint"])
        slots, index, slot = heads["slots"], heads["index"], self.of["slot"]
        require(is_index(slots) and is_index(index) and slot < slots, "The heads tree has no place for this log.")
        entry = b"\2" + sha256(self.origin.encode()) + u64(size) + root
        heads_root = root_of(leaf_hash(entry), slot, slots, hashes_of(heads["path"]))
        name = f"{self.of['host']}/log/{self.of['epoch']}"
        note = note_of(heads["checkpoint"])
        found = signers(note, [key_of(name, 1, key["public"]) for key in self.keys] + self.witnesses)
        require(any(time is None for _, time in found), "The installation's checkpoint is not signed by the key.")
        log, log_size, log_root = checkpoint_of(note)
        require(log == name and heads_root and index < log_size, "Not one of the installation's heads.")
        proved = root_of(leaf_hash(b"\3" + u64(slots) + heads_root), index, log_size, hashes_of(heads["proof"]))
        require(proved == log_root, "Not one of the installation's heads.")
        is_compared = size == self.size or self.header["first"] <= size <= self.header["end"]
        for _, time in found:
            if time is not None and is_compared:
                self.outside.append((size, time * 1000))

    def epochs(self):
        closed, previous = self.header["closed"], self.header["previous"]
        require((closed is None) == (previous is None), "closed and previous do not fit.")
        require(closed is None or self.of["epoch"] > 1, "closed and previous do not fit.")
        self.closed = None
        if closed is None:
            return
        for head in (members(closed, ["size", "root"]), members(previous, ["origin", "size", "root"])):
            require(is_index(head["size"]), "Not a head.")
            unbase64(head["root"], 32)
        before = origin_of(previous["origin"]) if isinstance(previous["origin"], str) else None
        is_before = before and before["organization"] == self.of["organization"] and before["epoch"] < self.of["epoch"]
        require(is_before, "previous is not an earlier epoch.")
        self.closed = (closed["size"], unbase64(closed["root"], 32))

    def consistency(self, text):
        value = parse(text)
        proof = members(value["data"] if isinstance(value, dict) and "data" in value else value, ["from", "to", "hashes"])
        require(is_index(proof["from"]) and is_index(proof["to"]), "Not a consistency proof.")
        return proof["from"], proof["to"], hashes_of(proof["hashes"])

    # The entries

    def entries(self, lines):
        first, end = self.header["first"], self.header["end"]
        require(len(lines) == end - first, "Entries are missing.")
        self.roots[first] = self.edge.root()
        for index, line in enumerate(lines, first):
            require(isinstance(line, dict), "Not an entry.")
            self.edge.append(self.thin_leaf(line, index) if "thin" in line else self.leaf(line, index))
            self.roots[index + 1] = self.edge.root()
        whole_edge = Edge(end, self.edge.hashes)
        for node, level in zip(self.right, levels(end, self.size)):
            whole_edge.append(node, level)
        require(whole_edge.root() == self.root, "The entries do not give the signed root.")
        self.roots[self.size] = self.root
        for size, root in self.expected_roots:
            require(self.roots.get(size, root) == root, "A kept checkpoint has another root.")

    def place(self, seal, index):
        is_here = is_index(seal["index"]) and seal["index"] == index and seal["epoch"] == self.header["epoch"]
        require(is_here and not isinstance(seal["epoch"], bool), f"#{index} is missing.")

    def id(self, text, index):
        require(isinstance(text, str) and UUID.fullmatch(text), f"#{index} has no id.")
        require(text not in self.seen, f"#{index} has an id that occurred before.")
        self.seen.add(text)
        self.last = max(self.last, id_time(text))
        if index == 0 and self.begun == math.inf:
            self.begun = id_time(text)
        return id_time(text)

    def thin_leaf(self, line, index):
        thin = members(members(line, ["thin"])["thin"], ["index", "epoch", "id", "commitment", "reason"])
        self.place(thin, index)
        require(thin["reason"] in ("expired", "missing"), f"#{index} is thin without a reason.")
        self.thin.append((index, self.id(thin["id"], index)))
        self.unseen = max(self.unseen, self.thin[-1][1])
        return entry_leaf(thin["id"], unbase64(thin["commitment"], 32))

    def leaf(self, event, index):
        is_nonce = "nonce" in (event.get("seal") or {})
        required = ["index", "epoch", *(["nonce"] if is_nonce else ["salts", "hashes"])]
        seal = members(event.get("seal"), required, ["commitment", *([] if is_nonce else ["redaction"])])
        self.place(seal, index)
        time = self.id(event.get("id"), index)
        require(event.get("occurred_at") == iso(time), f"#{index} has another time than its id.")
        require(event.get("request") is None or isinstance(event["request"], dict), "A request is none.")
        commitment, hidden = commitment_of(event, seal)
        require("commitment" not in seal or seal["commitment"] == base64.b64encode(commitment).decode(), f"#{index} was changed.")
        if "caller" not in hidden:
            require(dig(event, "authentication", "organization_id") == self.of["organization"], "Of another organization.")
        if hidden:
            self.hide(event, seal.get("redaction", {}), index, hidden)
        if "outcome" in hidden:
            self.unseen = max(self.unseen, time)
        else:
            self.notable(event, index, time)
        return entry_leaf(event["id"], commitment)

    def hide(self, event, redaction, index, hidden):
        require(isinstance(redaction, dict) and set(redaction) <= set(hidden) & {"body", "caller"}, "A redaction of what is shown.")
        is_protected = dig(event, "resource", "action") in PROTECTED or is_plan_change(event)
        require(not (redaction and is_protected), f"#{index} cannot be redacted.")
        for part in hidden:
            if part not in redaction:
                self.withheld += 1
                continue
            require(is_index(redaction[part]) and redaction[part] > index, "A redaction by an earlier event.")
            self.claims.setdefault(redaction[part], []).append((event["id"], part))

    def judge_claims(self, event, index):
        action, is_done = dig(event, "resource", "action"), dig(event, "response", "error_code") is None
        for claim in self.claims.pop(index, []):
            is_redaction = is_done and action == "audit_log.redact" and dig(event, "response", "status_code") in (None, 202)
            is_of_it = (dig(event, "resource", "id"), dig(event, "details", "part")) == claim
            require(is_redaction and is_of_it, f"#{index} is not the redaction.")

    def notable(self, event, index, time):
        action, is_done = dig(event, "resource", "action"), dig(event, "response", "error_code") is None
        self.judge_claims(event, index)
        if is_plan_change(event) and is_done and action in PLAN_ACTIONS:
            sides = [dig(event, "details", "plan", side) for side in ("from", "to")]
            days = [dig(event, "details", "retention_days", side) for side in ("from", "to")]
            is_named = all(isinstance(plan, str) for plan in sides)
            days = [PLAN_DAYS.get(plan) if day is None else day for plan, day in zip(sides, days)] if is_named else [None]
            if all(is_index(day) and day > 0 for day in days):
                self.plans.append((time, index, days))
        if action == "audit_log.key_rotated":
            self.rotated.append((index, dig(event, "details", "to")))
        if index == 0 and self.header["epoch"] > 1:
            require(action == "audit_log.epoch_started", "The epoch does not say why it began.")
            self.begin_epoch(event)

    def begin_epoch(self, event):
        is_same = all(same(dig(event, "details", name), self.header[name]) for name in ("closed", "previous"))
        require(is_same, "The epoch does not say why it began.")

    def also(self, line):
        index = dig(line["also"], "seal", "index")
        first, end = self.header["first"], self.header["end"]
        is_outside = is_index(index) and index < self.size and not first <= index < end
        require(is_outside and index > getattr(self, "last_also", -1), "Not an entry outside of the range.")
        self.last_also = index
        require(root_of(self.leaf(line["also"], index), index, self.size, hashes_of(line["path"])) == self.root, "Not in the log.")

    # The end

    def judge(self):
        require(not self.claims, "A redaction without its event.")
        known, on_headers_word = self.known_days(), self.header["retention_days"]
        changes = sorted(self.plans, key=lambda plan: plan[:2])
        before = [0] + [days[1] for _, _, days in changes]
        limits = [time - max(days[0], least) * DAY for (time, _, days), least in zip(changes, before)]
        if known is not None:
            limits.append(self.now - known * DAY)
        unexcused = [index for index, time in self.thin if time > max(limits, default=-math.inf) + 120_000]
        if unexcused and known is None:
            limit = max([*limits, self.now - on_headers_word * DAY]) + 120_000
            unexcused = [index for index, time in self.thin if time > limit]
            self.open.append("Expired events on the header's word.")
        require(not unexcused, f"The events {unexcused} are missing.")
        if self.withheld:
            self.open.append("A part is withheld.")
        self.judge_keys()
        self.judge_checkpoints()
        first, days = self.header["first"], on_headers_word if known is None else known
        is_expired = any(size >= first and time <= self.now - days * DAY for size, time in self.outside)
        if first > 0 and self.since is None and (known is None or not is_expired):
            self.open.append("Nothing shows that what was before had expired.")
        self.judge_expected()

    def known_days(self):
        """The days that events are kept now: by the last change of the plan, if nothing hidden can be a later one, or by the reader."""
        if self.plans and self.header["end"] == self.size and "is_closed" not in self.header:
            time, index, days = max(self.plans, key=lambda plan: plan[:2])
            if index >= self.header["first"] and self.unseen < time - 120_000:
                return days[1]
        return self.options.get("retentionDays")

    def judge_keys(self):
        is_whole = self.header["first"] == 0 and not self.thin and not self.withheld
        for vkey, size, _ in self.rotations:
            is_told = any(index < size and to == vkey for index, to in self.rotated)
            require(is_told or not is_whole or size > self.header["end"], "A change of keys without its entry.")

    def judge_checkpoints(self):
        for text in self.options.get("checkpoints", []):
            note = kept_note(text)
            name, size, root = checkpoint_of(note)
            of = origin_of(name)
            is_ours = of and (of["organization"], of["host"]) == (self.of["organization"], self.of["host"])
            require(is_ours, "A given checkpoint is of another log.")
            if not signers(note, [key_of(name, 1, key["public"]) for key in self.keys]):
                self.open.append("A given checkpoint is not signed by a known key.")
                continue
            roots = self.roots
            if name != self.origin:
                if self.closed is None or name != self.header["previous"]["origin"]:
                    self.open.append("A given checkpoint is of another epoch.")
                    continue
                require(size <= self.closed[0], "Entries of the previous epoch were lost.")
                roots = {self.closed[0]: self.closed[1]}
            self.agree(size, root, roots)

    def agree(self, size, root, roots):
        if size in roots:
            require(roots[size] == root, "A given checkpoint has another root.")
            return
        usable = [one for one in self.proofs if (one[0] == size and one[1] in roots) or (one[1] == size and one[0] in roots)]
        known = {**roots, size: root}
        if any(one[0] <= one[1] and is_consistent(one[0], known[one[0]], one[1], known[one[1]], one[2]) for one in usable):
            return
        require(not usable, "The log is not a continuation of a given checkpoint.")
        self.open.append("A given checkpoint needs a consistency proof.")

    def expected_times(self):
        """The times between which a sealed request must be in what is shown."""
        after = self.begun if self.header["first"] == 0 else math.inf if self.since is None else self.since
        return after, self.last if self.header["end"] == self.size else -math.inf

    def judge_expected(self):
        after, before = self.expected_times()
        for text in self.options.get("expect", []):
            if text in self.seen:
                continue
            time = id_time(text) if UUID.fullmatch(text) else -math.inf
            is_within = after + 120_000 < time < before - 120_000
            require(not is_within, "An expected request is missing.")
            self.open.append("Nothing can be said of an expected request.")


HEADER = ["version", "origin", "vkey", "epoch", "first", "end", "since", "until", "left", "right", "checkpoint", "checkpoints"]
HEADER += ["keys", "heads", "retention_days", "closed", "previous"]


# A folder of segments

SEGMENT = ["version", "origin", "vkey", "epoch", "first", "end", "left", "right", "checkpoint", "keys"]
SEGMENT_NAME = re.compile(r"(?:^|/)(\d{4,})-(\d{12,})-(\d{12,})\.ndjson\.gz$")
OMISSIONS = ("filter", "expired", "missing")


class Folder(Bundle):
    def __init__(self, options):
        super().__init__(options)
        self.own = self.of
        self.publics = [self.pinned["public"]]
        self.omitted, self.ids, self.ended = set(), set(), []
        self.given = [kept_note(text) for text in options.get("checkpoints", [])]

    def verify(self, files):
        """`files` has the bytes of each by its path."""
        segments = [self.segment(name, data) for name, data in files.items() if name.endswith(".ndjson.gz")]
        if not segments:
            raise Unprovable("The folder has no segments.")
        notes = {name.removesuffix(".checkpoint"): data for name, data in files.items() if name.endswith(".checkpoint")}
        segments.sort(key=lambda one: (one["epoch"], one["first"], one["end"]))
        for epoch, group in itertools.groupby(segments, lambda one: one["epoch"]):
            self.epoch(epoch, list(group), notes)
        self.judge_folder(segments[0]["first"], notes)

    def is_own(self, origin):
        of = origin_of(origin) if isinstance(origin, str) else None
        return of and all(of[name] == self.own[name] for name in ("host", "organization")) and of

    def segment(self, name, data):
        try:
            first, lines = lines_of(gzip.decompress(data))
        except (OSError, EOFError, zlib.error):
            raise Wrong(f"{name} cannot be decompressed.")
        header = members(members(first, ["sealed_segment"])["sealed_segment"], SEGMENT)
        of, place = self.is_own(header["origin"]), [header["epoch"], header["first"], header["end"]]
        require(header["version"] == 1 and of, f"{name} is of another log.")
        require(all(is_index(one) for one in place) and of["epoch"] == place[0] and place[1] < place[2], f"{name} has no range.")
        named = SEGMENT_NAME.search(name)
        is_named = named and [int(one) for one in named.groups()] == [place[0], place[1], place[2] - 1]
        require(is_named or not named, f"{name} has other entries than its name says.")
        return {**header, "name": name, "of": of, "lines": lines}

    def epoch(self, epoch, segments, notes):
        self.seen, self.claims, self.ranges, self.reached, checkpoints = set(), {}, {}, None, {}
        self.covered, self.gaps, self.gone = 0, {}, []
        for segment in segments:
            self.seen_end = self.reached or 0
            require(self.reached is None or segment["first"] <= self.reached, f"#{self.reached} is missing.")
            size, root = self.begin_segment(segment)
            require(checkpoints.setdefault(size, root) == root, "Two checkpoints of one size differ.")
            self.covered = max(self.covered, size)
            self.walk(segment, size, root)
            beside = notes.pop(segment["name"].removesuffix(".ndjson.gz"), None)
            if beside is not None:
                size, root = self.signed(beside.decode("utf-8", "replace"), self.keys)
                require(checkpoints.setdefault(size, root) == root, "Two checkpoints of one size differ.")
        for size, root in checkpoints.items():
            require(self.root_at(size) in (None, root), "A checkpoint has another root.")
        self.judge_given(epoch)
        if self.claims:
            self.open.append("A redaction without its event.")
        if self.gone:
            self.open.append("Nothing proves a range whose hashes are gone.")
        self.omitted |= set(self.gaps.values())
        self.ids |= self.seen
        self.ended.append((epoch, self.origin, self.reached))

    def begin_segment(self, segment):
        self.header, self.of, self.origin = segment, segment["of"], segment["origin"]
        failures = []
        for public in reversed(self.publics):
            self.pinned = key_of(self.origin, 1, public)
            try:
                self.chain()
                break
            except Wrong as error:
                failures.append(error)
        else:
            raise failures[0]
        self.publics += [key["public"] for key in self.keys if key["public"] not in self.publics]
        size, root = self.signed(segment["checkpoint"], self.keys[-1:])
        require(segment["end"] <= size, "The checkpoint does not cover the segment.")
        return size, root

    def signed(self, text, keys):
        note = note_of(text)
        require(signers(note, keys), "A checkpoint is not signed by the key.")
        name, size, root = checkpoint_of(note)
        require(name == self.origin, "A checkpoint is of another log.")
        return size, root

    def walk(self, segment, size, root):
        first, end = segment["first"], segment["end"]
        self.edge, self.is_joined, position, self.visited = None, self.reached is None, first, set()
        for line in segment["lines"]:
            require(isinstance(line, dict) and position < end, "Not an entry of the segment.")
            if "omitted" in line:
                position = self.omit(members(line, ["omitted"])["omitted"], position)
                continue
            self.prove_from(position)
            self.edge.append(self.leaf(line, position))
            self.gaps.pop(position, None)
            self.note_range()
            position += 1
        require(position == end, f"#{position} is missing.")
        self.prove_from(position)
        whole_edge = Edge(end, self.edge.hashes)
        for node, level in zip(hashes_of(segment["right"], len(levels(end, size))), levels(end, size)):
            whole_edge.append(node, level)
        require(whole_edge.root() == root, f"The entries of {segment['name']} do not give the signed root.")
        if not self.is_joined and end > self.reached:
            self.open.append(f"Whether {segment['name']} continues the segments before it cannot be compared.")
        self.reached = max(self.reached or 0, end)
        self.gone = [one for one in self.gone if one[0] not in self.visited or one[1] > end]

    def omit(self, value, position):
        omitted = members(value, ["epoch", "first", "end", "reason", "hashes"])
        first, end = omitted["first"], omitted["end"]
        is_here = is_index(first) and is_index(end) and first == position < end <= self.header["end"]
        require(is_here and omitted["epoch"] == self.header["epoch"] and omitted["reason"] in OMISSIONS, f"#{position} is missing.")
        self.gaps.update((index, omitted["reason"]) for index in range(max(first, self.seen_end), end))
        if omitted["hashes"] is None:
            require(self.edge is None, "A range without hashes behind entries.")
            if end > self.seen_end:
                self.gone.append((max(first, self.seen_end), end))
            return end
        self.prove_from(first)
        for node, level in zip(hashes_of(omitted["hashes"], len(levels(first, end))), levels(first, end)):
            self.edge.append(node, level)
            self.note_range()
        return end

    def prove_from(self, position):
        if self.edge is not None:
            return
        self.edge = Edge()
        for node, level in zip(hashes_of(self.header["left"], len(levels(0, position))), levels(0, position)):
            self.edge.append(node, level)
        # What is in front of a range without hashes is not compared, which is said of the range.
        self.is_joined = self.is_joined or position > self.reached
        self.note_range()

    def note_range(self):
        position, hashes = self.edge.end, list(self.edge.hashes)
        require(self.ranges.setdefault(position, hashes) == hashes, "A segment does not continue those before it.")
        self.is_joined = self.is_joined or position == self.reached
        self.visited.add(position)

    def root_at(self, size):
        return Edge(size, self.ranges[size]).root() if size in self.ranges else None

    # Entries that several segments have are judged once.

    def is_new(self, index):
        return index >= self.seen_end or index in self.gaps

    def id(self, text, index):
        if self.is_new(index):
            return super().id(text, index)
        require(isinstance(text, str) and UUID.fullmatch(text), f"#{index} has no id.")
        return id_time(text)

    def hide(self, event, redaction, index, hidden):
        require(isinstance(redaction, dict) and set(redaction) <= set(hidden), "A redaction of what is shown.")
        hidden = [part for part in hidden if part != "body" or part in redaction]
        if hidden and self.is_new(index):
            super().hide(event, redaction, index, hidden)

    def notable(self, event, index, time):
        if self.is_new(index):
            super().notable(event, index, time)
        else:
            self.judge_claims(event, index)

    def begin_epoch(self, event):
        closed = dig(event, "details", "closed", "size")
        if self.ended and is_index(closed) and dig(event, "details", "previous", "origin") == self.ended[-1][1]:
            _, _, end = self.ended[-1]
            require(closed <= end, f"#{end} of the epoch before is missing.")
            root = self.last_root if closed == end else None
            is_kept = root is None or dig(event, "details", "closed", "root") == base64.b64encode(root).decode()
            require(is_kept, "The epoch before was kept in another form.")

    # The end

    def judge_given(self, epoch):
        self.last_root = self.root_at(self.reached)
        for note in self.given:
            name, size, root = checkpoint_of(note)
            of = self.is_own(name)
            require(of, "A given checkpoint is of another log.")
            if of["epoch"] != epoch:
                continue
            if not signers(note, [key_of(name, 1, public) for public in self.publics]):
                self.open.append("A given checkpoint is not signed by a known key.")
            elif size not in self.ranges:
                self.open.append("A given checkpoint covers more than the folder, or ends within a range that is omitted.")
            else:
                require(self.root_at(size) == root, "A given checkpoint has another root.")

    def expected_times(self):
        after = self.begun if self.begins_at == 0 else math.inf
        return after, self.last if self.reached >= self.covered else -math.inf

    def judge_folder(self, first, notes):
        self.begins_at = first
        start = self.options.get("from")
        require(start is None or first <= start, f"#{start} is missing.")
        if start is None and first > 0:
            self.open.append("Nothing shows that the folder has no earlier segments.")
        if notes:
            self.open.append("A checkpoint has no segment.")
        if self.omitted - ({"filter"} if self.options.get("filtered") else set()):
            self.open.append("Entries are omitted.")
        if self.withheld:
            self.open.append("A part is withheld.")
        epochs = {epoch for epoch, _, _ in self.ended}
        if any(self.is_own(checkpoint_of(note)[0])["epoch"] not in epochs for note in self.given):
            self.open.append("The epoch of a given checkpoint is not in the folder.")
        self.seen = self.ids
        if not self.omitted:
            self.judge_expected()
        elif not set(self.options.get("expect", [])) <= self.ids:
            self.open.append("Nothing can be said of an expected request, which can be among what is omitted.")


def run(what, data, options):
    try:
        log = what(options)
        log.verify(data)
    except Wrong as error:
        return 1, f"Wrong: {error}"
    except Unprovable as error:
        return 2, f"Not proved: {error}"
    return (2, f"Not proved: {' '.join(log.open)}") if log.open else (0, "Proved.")


def judge(path, options):
    if path.is_dir():
        files = {one.relative_to(path).as_posix(): one.read_bytes() for one in sorted(path.rglob("*")) if one.is_file()}
        return run(Folder, files, options)
    return run(Bundle, path.read_bytes(), options)


def main(args):
    given = zip(map(pathlib.Path, args[::2]), map(pathlib.Path, args[1::2]))
    judged = [judge(path, json.loads(options.read_text(encoding="utf-8"))) for path, options in given]
    for _, verdict in judged:
        print(verdict)
    return max(code for code, _ in judged)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
