/** Pure. Whether what is installed (node_modules/.package-lock.json, null where there is none) differs from the lockfile. */
export function isStale(lock: object, installed: object | null): boolean;
/** Resolves when `root`'s node_modules is what its package-lock.json says; rejects with a sentence for the user. */
export function install(root: string, say: (sentence: string) => void): Promise<void>;
