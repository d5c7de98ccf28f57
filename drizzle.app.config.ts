import { defineConfig } from "drizzle-kit";

/** The user's tables: whatever src/handlers/tables.ts exports. */
export default defineConfig({ dialect: "postgresql", schema: "./src/handlers/tables.ts", out: "./migrations/app" });
