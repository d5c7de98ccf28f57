/** What commands say is safe to read, whoever has written a part of it. */
import { afterEach, expect, test, vi } from "vitest";
import { say } from "../../../cli/terminal.ts";

afterEach(() => vi.restoreAllMocks());

test("an instance's refusal that holds an escape sequence was obeyed by the terminal", () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  say("404: no event \u001b[2J\u009b31m\nof this source");
  expect(said).toHaveBeenCalledWith(String.raw`holdfast: 404: no event \u001b[2J\u009b31m` + "\nof this source");
});
