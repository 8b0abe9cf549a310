"use client";

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { noticeSessionEnd } from "@/components/requests/session-end";
import { joinPart, type ListPart, readUpTo } from "@/components/table/infinite/list-part";

/** Maximum number of items to read again when the page has new data; beyond them, the list continues as people scroll. */
const MAX_READ_AGAIN = 2000;
/** Lists that are kept for the way back. */
const MAX_KEPT = 3;

interface Kept<Item, Cursor> {
  /** The part from the server with which it began. */
  first: ListPart<Item, Cursor>;
  list: ListPart<Item, Cursor>;
}

/** Lists that people scrolled through and left, by their keys, the latest last. */
export type KeptLists<Item, Cursor> = Map<string, Kept<Item, Cursor>>;

interface Options<Item, Cursor> {
  /** Identifies the list, with its organization and filters: the way back to it finds it as it was left. */
  id: string;
  kept: KeptLists<Item, Cursor>;
  /** What the server rendered. When it changes, the parts after it are read again. */
  first: ListPart<Item, Cursor>;
  /** Reads the part that begins at a cursor. Stable. Throws RequestFailed. */
  read: (cursor: Cursor) => Promise<ListPart<Item, Cursor>>;
}

export interface InfiniteList<Item, Cursor> {
  list: ListPart<Item, Cursor>;
  state: "idle" | "reading" | "failed";
  /** Reads the next part, if there is one and nothing else is being read. */
  readOn: () => void;
  /** Repeats what has failed. */
  retry: () => void;
}

/** A list that grows as people scroll. */
export function useInfiniteList<Item extends { id: string }, Cursor>({
  id,
  kept,
  first,
  read,
}: Options<Item, Cursor>): InfiniteList<Item, Cursor> {
  const [list, setList] = useState(() => recalled(kept.get(id), first));
  const [state, setState] = useState<InfiniteList<Item, Cursor>["state"]>("idle");
  /** The read whose result counts; null while none is running. */
  const running = useRef<Promise<unknown> | null>(null);
  const lastWork = useRef<() => Promise<ListPart<Item, Cursor>>>(null);
  const run = useCallback(async (work: () => Promise<ListPart<Item, Cursor>>) => {
    const mine = work();
    running.current = mine;
    lastWork.current = work;
    setState("reading");
    const outcome = await mine.catch((error: unknown) => {
      noticeSessionEnd(error);
      return null;
    });
    if (running.current !== mine) return;
    running.current = null;
    if (outcome !== null) setList(outcome);
    setState(outcome === null ? "failed" : "idle");
  }, []);

  const readOn = useCallback(() => {
    const { next } = list;
    if (next === null || running.current !== null) return;
    void run(async () => joinPart(list.items, await read(next)));
  }, [list, read, run]);

  const retry = useCallback(() => void (lastWork.current && run(lastWork.current)), [run]);

  /** The first part that the list is up to date with. */
  const known = useRef(list === first || kept.get(id)?.first === first ? first : null);
  const readAgain = useEffectEvent((part: ListPart<Item, Cursor>) => {
    if (known.current === part) return;
    known.current = part;
    void run(() => readUpTo(Math.min(list.items.length, MAX_READ_AGAIN), part, read));
  });
  useEffect(() => readAgain(first), [first]);

  const leave = useEffectEvent(() => {
    kept.delete(id);
    kept.set(id, { first, list });
    for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
  });
  useEffect(() => () => leave(), []);
  return { list, state, readOn, retry };
}

/** The first part with what an earlier visit has read after it. */
function recalled<Item extends { id: string }, Cursor>(
  before: Kept<Item, Cursor> | undefined,
  first: ListPart<Item, Cursor>,
): ListPart<Item, Cursor> {
  if (before === undefined) return first;
  return before.first === first ? before.list : joinPart(first.items, before.list);
}
