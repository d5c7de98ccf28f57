/** Where this machine's Chromium is: the tests of the console drive it. Nothing is downloaded; `.ci/run` installs Debian's. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const OUTSIDE_PATH = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];

export const NO_CHROMIUM =
  "there is no Chromium on this machine: `apt-get install chromium` (or your system's way), or name one by the variable CHROMIUM";

/** Null: there is none. One that CHROMIUM names and that is not there is none either: nobody wants another one than he named. */
export function findChromium(env: Readonly<Record<string, string | undefined>> = process.env): string | null {
  const named = env["CHROMIUM"];
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = named === undefined ? [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...OUTSIDE_PATH] : [named];
  return candidates.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
