import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What iputils prints. */
export const iputils = (sent: number, received: number) =>
  `PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.

--- 192.0.2.1 ping statistics ---
${sent} packets transmitted, ${received} received, ${100 - (received / sent) * 100}% packet loss, time 1012ms
${received > 0 ? "rtt min/avg/max/mdev = 0.034/12.500/20.036/0.001 ms\n" : "\n"}`;

/** A folder for PATH whose `ping` writes its arguments to the file `asked` beside it, and then does what `script` says. */
export function standInPing() {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-ping-"));
  const program = join(folder, "ping");
  const asked = join(folder, "asked");
  return {
    folder,
    asked,
    /** Makes it a shell script of these commands. */
    does: (script: string) => {
      writeFileSync(program, `#!/bin/sh\nprintf "%s\\n" "$*" >> ${asked}\n${script}\n`);
      chmodSync(program, 0o755);
    },
    /** Makes it print this, like iputils. */
    prints: (output: string) => {
      writeFileSync(join(folder, "output"), output);
      writeFileSync(program, `#!/bin/sh\nprintf "%s\\n" "$*" >> ${asked}\n/bin/cat ${join(folder, "output")}\n`);
      chmodSync(program, 0o755);
    },
    uninstall: () => rmSync(program),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
