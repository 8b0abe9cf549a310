import { ldap, mysql, postgres } from "@/lib/certificates/probe/binary-protocols";
import type { Script } from "@/lib/certificates/probe/dialogue";
import { ftp, imap, pop3, smtp, xmpp } from "@/lib/certificates/probe/text-protocols";
import type { Protocol } from "@/lib/certificates/targets";

/** How each protocol reaches TLS: with a plaintext dialogue, with names to negotiate (ALPN), or directly. */
export const waysToTls: Record<Protocol, { script?: (name: string, port: number) => Script; alpn?: string[] }> = {
  tls: {},
  https: { alpn: ["h2", "http/1.1"] },
  smtp: { script: smtp },
  imap: { script: imap },
  pop3: { script: pop3 },
  ftp: { script: ftp },
  ldap: { script: ldap },
  postgres: { script: postgres },
  mysql: { script: mysql },
  xmpp: { script: xmpp },
};
