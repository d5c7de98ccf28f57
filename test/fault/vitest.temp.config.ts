import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { faultServices } from "./services.ts";

export default defineConfig({
  plugins: [cloudflareTest({ miniflare: { compatibilityDate: "2026-11-01" } })],
  test: { name: "fault", include: ["test/fault/**/*.test.ts"], provide: await faultServices(), retry: 0, testTimeout: 10_000 },
});
