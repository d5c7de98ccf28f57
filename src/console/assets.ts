/** The console's two files: one style, one script, made by `npm run generate` from styles/ and script/, named by their content and so kept for good. */
import { script } from "./assets/script.ts";
import { style } from "./assets/style.ts";

const ASSETS = { style, script };

export function assetPath(asset: keyof typeof ASSETS): string {
  return `/admin/assets/${ASSETS[asset].name}`;
}

/** null: no such file, or one of another build. */
export function assetResponse(name: string): Response | null {
  const asset = Object.values(ASSETS).find((known) => known.name === name);
  if (asset === undefined) return null;
  return new Response(asset.text, {
    headers: { "content-type": asset.contentType, "cache-control": "public, max-age=31536000, immutable", "x-content-type-options": "nosniff" },
  });
}
