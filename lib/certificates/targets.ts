/** Supported protocols and their usual ports. Safe for the browser. */
export const usualPorts = {
  tls: 443,
  https: 443,
  smtp: 25,
  imap: 143,
  pop3: 110,
  ftp: 21,
  ldap: 389,
  postgres: 5432,
  mysql: 3306,
  xmpp: 5222,
} as const;

export type Protocol = keyof typeof usualPorts;
export const protocols = Object.keys(usualPorts) as [Protocol, ...Protocol[]];

/** How many certificates of a served chain are read. OpenSSL rejects more than 100 KiB of them. */
export const MAX_CHAIN = 20;

/** Whether a check observes the first address of a name that responds, or every address. */
export const addressModes = ["one", "all"] as const;
export type AddressMode = (typeof addressModes)[number];

/** Addresses of a name that a check observes at most. */
export const MAX_ADDRESSES = 16;

/** Where an agent reads certificates instead of connecting: a file, or a secret of Kubernetes with its namespace. */
const LOCAL = /^(file:\/[^\p{Cc}\p{Cs}\p{Bidi_Control}]{1,280}|kubernetes:[a-z0-9-]{1,63}\/[a-z0-9.-]{1,200})$/u;

/** Whether `connectTo` is a file or secret, which only agents can read. */
export function isLocal(connectTo: string): boolean {
  return LOCAL.test(connectTo);
}

/** The target of a check. */
export interface Target {
  /** A name in ASCII or an address. */
  host: string;
  port: number;
  protocol: Protocol;
  /** The name to send in the handshake instead of the host. */
  sni: string | null;
  /** The only address to connect to, instead of what the host resolves to; for an agent also what `isLocal` accepts. */
  connectTo: string | null;
  addressMode: AddressMode;
}
