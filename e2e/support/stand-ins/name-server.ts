import { createSocket } from "node:dgram";
import dnsPacket, { type Answer, type Packet } from "dns-packet";

/** The records of a name, or its failure. */
export interface Zone {
  txt?: string[];
  a?: string[];
  aaaa?: string[];
  caa?: { tag: string; value: string; flags?: number }[];
  /** Each answer has only one of `a`, in turn. */
  rotates?: boolean;
  /** Records of further types. */
  more?: Answer[];
  /** For the name and its subdomains: an error instead of answers, or no answer. */
  fails?: "SERVFAIL" | "REFUSED" | "silence";
}

const RCODE = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

function recordsOf(name: string, type: string, { txt = [], a = [], aaaa = [], caa = [], more = [] }: Zone): Answer[] {
  const others = more.filter((record) => record.type === type);
  if (others.length > 0) return others;
  if (type === "TXT") return txt.map((data) => ({ type: "TXT", name, ttl: 0, data: halves(data) }));
  if (type === "CAA")
    return caa.map(({ tag, value, flags = 0 }) => ({
      type: "CAA",
      name,
      ttl: 0,
      data: { tag: tag as "issue", value, flags },
    }));
  const addresses = type === "A" ? a : type === "AAAA" ? aaaa : [];
  return addresses.map((data) => ({ type: type as "A" | "AAAA", name, ttl: 0, data }));
}

/** A text in two strings, like long TXT records. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** Starts a name server on loopback (RFC 1035, UDP). `*.name` answers for all subdomains without their own records. */
export async function startNameServer(): Promise<{
  address: string;
  zones: Map<string, Zone>;
  asked: string[];
  close: () => void;
}> {
  const zones = new Map<string, Zone>();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  const zoneOf = (name: string) => zones.get(name) ?? zones.get(name.replace(/^[^.]+/, "*"));
  let turn = 0;
  const inTurn = (zone: Zone): Zone => ({
    ...zone,
    a: (zone.a ?? []).filter((_, at, { length }) => at === turn % length),
  });
  const failureOf = (name: string) => {
    for (let at = name; at !== ""; at = at.includes(".") ? at.slice(at.indexOf(".") + 1) : "") {
      const fails = zones.get(at)?.fails;
      if (fails !== undefined) return fails;
    }
    return undefined;
  };
  socket.on("message", (message, { address, port }) => {
    const query = dnsPacket.decode(message);
    const [question] = query.questions ?? [];
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    asked.push(`${name} ${question.type}`);
    if (question.type === "A") turn++;
    const failure = failureOf(name);
    if (failure === "silence") return;
    const zone = zoneOf(name);
    const rcode = failure !== undefined ? RCODE[failure] : zone === undefined ? RCODE.NXDOMAIN : 0;
    const answer: Packet = {
      type: "response",
      id: query.id ?? 0,
      flags: dnsPacket.AUTHORITATIVE_ANSWER | dnsPacket.RECURSION_AVAILABLE | rcode,
      questions: [question],
      answers:
        failure === undefined && zone !== undefined
          ? recordsOf(question.name, question.type, zone.rotates ? inTurn(zone) : zone)
          : [],
    };
    socket.send(dnsPacket.encode(answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${socket.address().port}`, zones, asked, close: () => socket.close() };
}
