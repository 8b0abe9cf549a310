/** See exclusive.mjs. */
export function exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
