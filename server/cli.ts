// First: see there. What is bundled with others would be read before it, unless it is loaded after it.
import "@/server/doctor/settings-problems";

await import("@/server/commands/run-command");
