import type { verify } from "@/public/sealwatch-verify.mjs";

export type Verdict = Awaited<ReturnType<typeof verify>>;

/** What the verifier posts as a worker. */
type Message = { bytes: number } | { result: Verdict } | { error: string };

/**
 * Verifies a bundle in a worker by the same file that people download, so that the page stays usable. `onProgress` gets the number of
 * bytes read. Rejects if the file cannot be read, or with an AbortError.
 */
export function verifyFile(
  file: File,
  options: { vkey: string; checkpoints: readonly string[]; witnesses: readonly string[] },
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Verdict> {
  const worker = new Worker("/sealwatch-verify.mjs", { type: "module" });
  const verdict = new Promise<Verdict>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.onerror = () => reject(new Error("The verifier could not be loaded. Reload the page."));
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      if ("bytes" in data) onProgress(data.bytes);
      else if ("result" in data) resolve(data.result);
      else reject(new Error(`The file could not be read: ${data.error}`));
    };
    worker.postMessage({ file, options });
  });
  return verdict.finally(() => worker.terminate());
}
