import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { processSingleton } from "@/lib/process-singleton";

/** Parameters of running statements, by name. */
const held = processSingleton("db.large-parameters", () => new Map<unknown, Buffer>());

/**
 * Runs `work` with a name that represents `bytes` in `$executeRaw` within a transaction. Prisma would convert them to base64 and JSON
 * and back, which for 10 MiB blocks the event loop for 100 ms.
 */
export async function withBytes<Result>(
  bytes: Buffer | null,
  work: (parameter: string | null) => Promise<Result>,
): Promise<Result> {
  if (bytes === null) return work(null);
  // Not valid as bytea, so that a name that is not replaced fails and is never stored.
  const name = `\\bytes ${randomUUID()}`;
  held.set(name, bytes);
  try {
    return await work(name);
  } finally {
    held.delete(name);
  }
}

/** Prisma's adapter, which replaces the names from `withBytes` with their bytes. */
export class PrismaPgWithBytes extends PrismaPg {
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel);
      const execute = transaction.executeRaw.bind(transaction);
      transaction.executeRaw = (query) => execute({ ...query, args: query.args.map((arg) => held.get(arg) ?? arg) });
      return transaction;
    };
    return adapter;
  }
}
