import { expect, test } from "vitest";
import { CliError, UsageError } from "@/server/cli-error";
import { command } from "@/server/commands/command";

const answers = (options: object, words: readonly string[]) =>
  Promise.resolve({ json: { ...options }, text: words.join(" ") });
const make = command({ words: ["KEY_ID"], needs: ["org"], takes: ["ip", "day"], run: answers });
const state = command({ words: ["", "rotate"], run: answers });
const witness = command({ words: ["add NAME URL", "list"], run: answers });

test("the usage follows from the words and options", () => {
  expect(make.usage).toBe("KEY_ID --org ID_OR_SLUG [--ip ENTRY]… [--day YYYY-MM-DD]");
  expect([state.usage, witness.usage]).toEqual(["[rotate]", "add NAME URL | list"]);
});

test("a command gets its options and words", async () => {
  const { isJson, run } = make.prepare(["--org", "acme", "--ip", "::1", "7", "--ip", "10.0.0.1", "--json"]);
  expect(isJson).toBe(true);
  expect(await run()).toEqual({ json: { org: "acme", ip: ["::1", "10.0.0.1"] }, text: "7" });
  expect(await state.prepare([]).run()).toEqual({ json: {}, text: "" });
});

test("surplus words and options of other commands are wrong usage, a missing option is not given", () => {
  for (const given of [["7", "8"], [], ["7", "--plan", "team"], ["7", "--org"], ["7", "--json=yes"]])
    expect(() => make.prepare(["--org", "acme", ...given])).toThrow(UsageError);
  for (const given of [["add", "a"], ["list", "all"], [], ["rotate"]])
    expect(() => witness.prepare(given)).toThrow(UsageError);
  expect(() => make.prepare(["7"])).toThrow(new CliError("--org is missing."));
});
