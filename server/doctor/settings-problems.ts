import { tolerateInvalidSettings } from "@/lib/config";

/**
 * The invalid settings, if this process runs `doctor`, which reports them. `server/cli.ts` loads this module before all others,
 * because the first module that logs reads the settings.
 */
export const settingsProblems: readonly string[] = process.argv[2] === "doctor" ? tolerateInvalidSettings() : [];
