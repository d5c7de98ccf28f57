/** Times in the viewer's zone, at the width that UTC had: nothing moves. Their titles keep the exact UTC. */

const two = (value: number): string => String(value).padStart(2, "0");

export function localDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function localClock(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function showTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll("time")) {
    const date = new Date(time.dateTime);
    const text = `${localDay(date)} ${localClock(date)}:${two(date.getSeconds())}`;
    if (text.length === time.textContent.length) time.textContent = text;
  }
  for (const tick of root.querySelectorAll<SVGElement>("[data-clock]")) tick.textContent = localClock(new Date(tick.dataset["clock"] ?? ""));
  for (const zone of root.querySelectorAll("[data-zone]")) zone.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
