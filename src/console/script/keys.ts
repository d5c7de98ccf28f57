/** `/` to the field that finds an event, `j` and `k` through the rows of a list. */

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "/") {
      event.preventDefault();
      find();
    }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea, [contenteditable]") !== null;
}

function find(): void {
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (field === null) location.assign("/admin/events");
  else field.select();
}

function step(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("tbody .event > a, .kinds .ways > a:first-child")];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by];
  next?.focus();
}
