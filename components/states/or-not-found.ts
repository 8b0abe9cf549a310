import { notFound } from "next/navigation";
import { ApiError } from "@/lib/http/errors";
import { isUuid } from "@/lib/text/shapes/uuid";

/** Loads the subject of a detail page; shows the not-found page if it does not exist. */
export async function orNotFound<T>(params: Promise<{ id: string }>, read: (id: string) => Promise<T>): Promise<T> {
  const { id } = await params;
  if (!isUuid(id)) notFound();
  try {
    return await read(id);
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") notFound();
    throw error;
  }
}
