import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import { CliError } from "@/server/cli-error";

/**
 * A new file for values that are shown only once, readable by its owner only: one JSON document per line, on disk before the next
 * request. Throws CliError if it exists or cannot be written.
 */
export class SecretsFile {
  private readonly descriptor: number;
  private isEmpty = true;

  constructor(private readonly path: string) {
    try {
      this.descriptor = openSync(path, "wx", 0o600);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new CliError(
        code === "EEXIST"
          ? `--secrets-out: ${path} exists. Its secrets may be the only copies, so it is not overwritten.`
          : `--secrets-out: ${path} cannot be written: ${message}`,
      );
    }
  }

  write(line: Readonly<Record<string, unknown>>): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
    fsyncSync(this.descriptor);
    this.isEmpty = false;
  }

  /** Removes the file if nothing was written, so that the next run can use the name. */
  close(): void {
    closeSync(this.descriptor);
    if (this.isEmpty) unlinkSync(this.path);
  }
}
