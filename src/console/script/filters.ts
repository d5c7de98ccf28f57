/** Filters apply as soon as they are chosen. Times are typed in the viewer's zone and stand in the URL in UTC. */
import { localClock, localDay } from "./times.ts";

export function showFilters(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('form[method="get"] input[type="datetime-local"]')) {
    if (input.value === "") continue;
    const date = new Date(`${input.value}Z`);
    input.value = `${localDay(date)}T${localClock(date)}`;
  }
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method="get"]')) {
    form.addEventListener("formdata", ({ formData }) => {
      for (const input of form.querySelectorAll<HTMLInputElement>('input[type="datetime-local"]')) {
        if (input.value !== "") formData.set(input.name, new Date(input.value).toISOString().slice(0, 16));
      }
      // Empty conditions stay out of the URL.
      for (const [name] of [...formData].filter(([, value]) => value === "")) formData.delete(name);
    });
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-filter]")) {
    form.addEventListener("change", (event) => {
      if (event.target instanceof HTMLSelectElement) form.requestSubmit();
    });
  }
}
