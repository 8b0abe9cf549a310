export function isUnchanged(files: readonly string[], note: string, isCurrent: () => boolean): boolean;
