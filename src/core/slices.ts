/** Pure. A list in pieces of bounded weight, in its order: what statements and sends can carry at once. */

/** `slice`: what is in the piece already, for a weight that depends on it. An item that weighs more than the limit stands alone. */
export function slicesOf<T>(
  items: readonly T[],
  weightOf: (item: T, slice: readonly T[]) => number,
  limitWeight: number,
  limitCount = Number.POSITIVE_INFINITY,
): T[][] {
  const slices: T[][] = [];
  let slice: T[] = [];
  let weight = 0;
  for (const item of items) {
    let own = weightOf(item, slice);
    const isFull = slice.length > 0 && (weight + own > limitWeight || slice.length >= limitCount);
    if (isFull) own = weightOf(item, []);
    if (isFull || slices.length === 0) {
      slice = [];
      slices.push(slice);
      weight = 0;
    }
    weight += own;
    slice.push(item);
  }
  return slices;
}
