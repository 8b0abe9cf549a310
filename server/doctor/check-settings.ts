import { config } from "@/lib/config";
import { type Setting, settings } from "@/lib/settings";
import { type Finding, failed, ok } from "@/server/doctor/check";
import { settingsProblems } from "@/server/doctor/settings-problems";
import { assertSignInStaysHere } from "@/server/embedded/sign-in-stays-here";

const CHECK = "settings";

/** Every invalid setting and contradiction. */
export function checkSettings(): Finding[] {
  const problems = [...settingsProblems];
  try {
    assertSignInStaysHere(config());
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (problems.length > 0)
    return problems.map((problem) => failed(CHECK, problem, "Correct the setting; see docs/configuration.md."));
  const given = (Object.keys(settings.shape) as Setting[]).filter((name) => process.env[name]?.trim());
  return [ok(CHECK, `${given.length} set, all valid`)];
}
