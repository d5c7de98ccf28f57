/** Every adapter in packages/, by the name of its file. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Oracle } from "./oracle.ts";

const folder = join(import.meta.dirname, "packages");

export async function oracles(): Promise<readonly Oracle[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const { default: oracle } = (await import(pathToFileURL(join(folder, file)).href)) as { readonly default: Oracle };
      if (`${oracle.provider}.ts` !== file) throw new TypeError(`${file} is the adapter of ${oracle.provider}`);
      return oracle;
    }),
  );
}
