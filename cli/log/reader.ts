/** Pure. A log's lines, whoever wrote them: facts as the Worker writes them, wrangler's tail objects (over many lines, or one each), anything else as it is. */
import { parseFact } from "../dev/worker-log.ts";
import { type Group, invocationOf } from "./invocation.ts";

/** An object that goes on for longer was none, or its end was lost. */
const OBJECT_LIMIT_LINES = 200_000;

const text = (line: string): Group => ({ lines: line === "" ? [] : [{ kind: "text", text: line }], failures: [] });

export class LogReader {
  /** The lines of an object that has not ended. */
  #open: string[] = [];

  take(line: string): Group[] {
    if (this.#open.length > 0) {
      // wrangler indents: only the outermost braces stand at a line's beginning. Another one begins: the last was cut off.
      if (line === "{") return [...this.end(), ...this.#begin(line)];
      this.#open.push(line);
      return line === "}" || this.#open.length > OBJECT_LIMIT_LINES ? this.end() : [];
    }
    if (line === "{") return this.#begin(line);
    const fact = parseFact(line);
    if (fact !== null) return [{ lines: [{ kind: "fact", fact }], failures: [] }];
    return [invocation(line) ?? text(line)];
  }

  /** What is left: the log has ended. */
  end(): Group[] {
    const lines = this.#open;
    this.#open = [];
    if (lines.length === 0) return [];
    const group = invocation(lines.join("\n"));
    return group === null ? lines.map(text) : [group];
  }

  #begin(line: string): Group[] {
    this.#open = [line];
    return [];
  }
}

function invocation(json: string): Group | null {
  if (!json.startsWith("{")) return null;
  try {
    return invocationOf(JSON.parse(json));
  } catch {
    return null;
  }
}
