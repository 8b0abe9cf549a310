import { describe, expect, test } from "vitest";
import { coalesce } from "@/lib/db/coalesce";

/** A loader whose batches are answered by the test. */
function loader() {
  const batches: { keys: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const load = (keys: string[]) =>
    new Promise<(key: string) => string>((resolve, reject) => {
      batches.push({ keys, answer: () => resolve((key) => key.toUpperCase()), fail: reject });
    });
  return { batches, load };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("look-ups", () => {
  test("that arrive in one turn share a query, and each receives its own result", async () => {
    const { batches, load } = loader();
    const find = coalesce(load);
    const asked = Promise.all(["a", "b", "a"].map(find));
    await turn();
    expect(batches.map(({ keys }) => keys)).toEqual([["a", "b", "a"]]);
    batches[0]?.answer();
    expect(await asked).toEqual(["A", "B", "A"]);
  });

  test("never join a query that was sent before they arrived", async () => {
    const { batches, load } = loader();
    const find = coalesce(load);
    const first = find("a");
    await turn();
    const second = find("a");
    await turn();
    expect(batches.map(({ keys }) => keys)).toEqual([["a"], ["a"]]);
    batches[1]?.answer();
    expect(await second).toBe("A");
    batches[0]?.answer();
    expect(await first).toBe("A");
  });

  test("all fail if their query fails, and later look-ups do not", async () => {
    const { batches, load } = loader();
    const find = coalesce(load);
    const asked = Promise.allSettled([find("a"), find("b")]);
    await turn();
    batches[0]?.fail(new Error("away"));
    expect((await asked).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const again = find("a");
    await turn();
    batches[1]?.answer();
    expect(await again).toBe("A");
  });

  test("also fail if the query throws before it is sent", async () => {
    const find = coalesce<string, string>(() => {
      throw new Error("no pool");
    });
    await expect(find("a")).rejects.toThrow("no pool");
    await expect(find("b")).rejects.toThrow("no pool");
  });

  test("are split into several queries if there are many, without omissions", async () => {
    const sizes: number[] = [];
    const find = coalesce<number, number>(async (keys) => {
      sizes.push(keys.length);
      return (key) => key * 2;
    }, 100);
    const keys = Array.from({ length: 1_050 }, (_, index) => index);
    expect(await Promise.all(keys.map(find))).toEqual(keys.map((key) => key * 2));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1_050);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  });

  test("that arrive while a large set is being split are answered too", async () => {
    const find = coalesce<number, number>(async () => (key) => key, 2);
    const early = [1, 2, 3, 4, 5].map(find);
    await turn();
    const late = [6, 7, 8].map(find);
    expect(await Promise.all([...early, ...late])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
