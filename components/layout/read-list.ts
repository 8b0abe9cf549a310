import type { z } from "zod";
import type { Page } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";

/** The list that a URL asks for, or a description of what is invalid in the URL. */
export async function readList<Query extends z.ZodType, Item>(
  shape: Query,
  asked: Record<string, string>,
  read: (query: z.output<Query>) => Promise<Page<Item>>,
): Promise<{ page: Page<Item>; fault: null } | { page: null; fault: string }> {
  const parsed = shape.safeParse(asked);
  if (!parsed.success) {
    return {
      page: null,
      fault: parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; "),
    };
  }
  try {
    return { page: await read(parsed.data), fault: null };
  } catch (error) {
    if (error instanceof ApiError && error.code === "INVALID_REQUEST") {
      return { page: null, fault: error.message.replace(/\.$/, "") };
    }
    throw error;
  }
}
