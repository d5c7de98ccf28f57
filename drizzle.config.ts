import { defineConfig } from "drizzle-kit";

/** Holdfast's own tables. The user's are in drizzle.app.config.ts, with a journal of their own. */
export default defineConfig({ dialect: "postgresql", schema: "./src/store/schema.ts", out: "./migrations" });
