/** An operator at a browser of his own: signs in, looks, clicks. Whatever a console must never do is written down while he does. */
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";

const testbed = inject("browser");

export interface Operator {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Dialogs, script errors, errors in the browser's console, requests to another origin. Empty at the test's end, or the test fails. */
  readonly mishaps: string[];
}

/** A refused form is answered 4xx, which the browser's console tells as an error. It is none of the page's. */
const ANSWER_TOLD = /^Failed to load resource: the server responded with a status of 4\d\d/;

let browser: Browser | null = null;
const open: Operator[] = [];

/** For each test file: the browser, and what every test of it is asked at its end. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: testbed.chromium });
  });
  afterEach(async () => {
    const mishaps = open.flatMap((operator) => operator.mishaps);
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
    expect(mishaps).toEqual([]);
  });
  afterAll(() => browser?.close());
}

/** Nobody yet: not signed in. */
export async function stranger(options: BrowserContextOptions = {}): Promise<Operator> {
  if (browser === null) throw new Error("call useBrowser() at the top of the test file");
  const context = await browser.newContext({
    baseURL: testbed.url,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(10_000);
  const mishaps: string[] = [];
  context.on("dialog", (dialog) => {
    mishaps.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("weberror", (error) => mishaps.push(`script error: ${error.error().message}`));
  context.on("console", (message) => {
    if (message.type() === "error" && !ANSWER_TOLD.test(message.text())) mishaps.push(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (origin !== testbed.url && !request.url().startsWith("data:")) mishaps.push(`left the origin: ${request.url()}`);
  });
  const page = await context.newPage();
  const operator = { page, context, mishaps };
  open.push(operator);
  return operator;
}

export const OPERATOR_NAME = "Ada";

export async function signIn(page: Page, name: string = OPERATOR_NAME, token: string = testbed.adminToken): Promise<void> {
  await page.getByLabel("Admin token").fill(token);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
}

type Session = NonNullable<BrowserContextOptions["storageState"]>;
/** One session serves a file's tests: each has a context of its own with the same cookie. */
let session: Promise<Session> | null = null;

/** Signed in, at no page yet. */
export async function operator(options: BrowserContextOptions = {}): Promise<Operator> {
  session ??= begin();
  return stranger({ storageState: await session, ...options });
}

async function begin(): Promise<Session> {
  const { page, context } = await stranger();
  await page.goto("/admin");
  await signIn(page);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  return context.storageState();
}
