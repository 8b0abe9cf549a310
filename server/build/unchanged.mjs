// Plain JavaScript: it runs before the packages that execute TypeScript are installed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

/** @returns a digest of the sizes and times of these files; "" if one is missing. The time of change (ctime) moves with every write. */
function marksOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return "";
    hash.update(`${file}\0${found.size}\0${found.mtimeMs}\0${found.ctimeMs}\0`);
  }
  return hash.digest("hex");
}

/**
 * Whether files are still as a build has read them: by their sizes and times if `note` has those, or else by `isCurrent`, which reads
 * them. Reading them all takes a tenth of a command's time.
 */
export function isUnchanged(files, note, isCurrent) {
  const marks = marksOf(files);
  if (marks !== "" && existsSync(note) && readFileSync(note, "utf8") === marks) return true;
  if (!isCurrent()) return false;
  // A read-only checkout works too, only without this shortcut.
  try {
    writeFileSync(note, marks);
  } catch {}
  return true;
}
