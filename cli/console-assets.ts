/** Makes the console's two files from src/console/styles and src/console/script: bundled, small, named by their content. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "./root.ts";

export interface ConsoleAsset {
  /** Of the module in src/console/assets. */
  readonly path: string;
  readonly module: string;
}

const ASSETS = [
  { name: "style", entry: "styles/index.css", extension: "css", contentType: "text/css; charset=utf-8" },
  { name: "script", entry: "script/main.ts", extension: "js", contentType: "text/javascript; charset=utf-8" },
] as const;

export async function consoleAssets(): Promise<readonly ConsoleAsset[]> {
  return Promise.all(
    ASSETS.map(async ({ name, entry, extension, contentType }) => {
      const text = await bundled(join(ROOT, "src", "console", entry));
      const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
      const asset = { name: `${name}.${hash}.${extension}`, contentType, text };
      return {
        path: join(ROOT, "src", "console", "assets", `${name}.ts`),
        module: `/** Made by \`npm run generate\` from src/console/${entry}: change it there. */\nexport const ${name} = ${JSON.stringify(asset, null, 2)};\n`,
      };
    }),
  );
}

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome115", "firefox115", "safari17"],
    // Of this folder's tsconfig the target would count: what browsers take is said above.
    tsconfigRaw: {},
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

export async function writeConsoleAssets(): Promise<void> {
  for (const { path, module } of await consoleAssets()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, module);
    console.log(`wrote ${path}`);
  }
}
