/** Every adapter in packages/, by the name of its file. */
import { readdir } from "node:fs/promises";
import type { Oracle } from "./oracle.ts";

const folder = new URL("packages/", import.meta.url);

export async function oracles(): Promise<readonly Oracle[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const { default: oracle } = (await import(new URL(file, folder).href)) as { readonly default: Oracle };
      if (`${oracle.provider}.ts` !== file) throw new TypeError(`${file} is the adapter of ${oracle.provider}`);
      return oracle;
    }),
  );
}
