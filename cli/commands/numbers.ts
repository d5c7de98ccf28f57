/** Numbers on the command line, with the sentence for what is not one. */
import { InvalidArgumentError } from "commander";

export const wholeNumber =
  (low: number, high = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(value) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(
      high === Number.MAX_SAFE_INTEGER ? `It must be a whole number, at least ${low}.` : `It must be a whole number from ${low} to ${high}.`,
    );
  };
