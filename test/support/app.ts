/** `#app`: what the Worker under test is made of. Here the user's own; Holdfast's tests put own-app.ts in its place (vitest.config.ts). */
export { handlers } from "../../src/handlers/index.ts";
export { sources } from "../../src/sources.ts";
