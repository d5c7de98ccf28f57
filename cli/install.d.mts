interface Lock {
  readonly packages?: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string; readonly optional?: boolean; readonly devOptional?: boolean }>
  >;
}
export function isStale(lock: Lock, installed: Lock | null): boolean;
export function install(root: string, say: (line: string) => void): Promise<void>;
