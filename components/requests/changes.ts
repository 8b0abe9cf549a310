let made = 0;

/** Counts a change that this page has made, after which what was found before may be outdated. */
export function countChange(): void {
  made += 1;
}

export function changesMade(): number {
  return made;
}
