/** Copy buttons: unseen without script. */

const SHOWN_MS = 1_500;

export function showCopies(): void {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button[data-copy]") : null;
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(button.dataset["copy"] ?? "");
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), SHOWN_MS);
  } catch {
    button.title = "The browser does not allow it: select the text beside this button";
  }
}
