import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core"
import { afterEach, beforeAll } from "vitest"
import { type Sandbox, startSandbox } from "../sandbox/workspace/start/start-sandbox.ts"
import { conversation } from "./at-the-page.ts"

/** Time limit in ms for anything on the page, including the bot's polls on a busy machine. */
const PATIENCE_MS = 60_000

/** Number of Slack calls, and of service requests, that are printed when a test fails. */
const LAST = 40

const NAMES = ["chromium", "chromium-browser", "google-chrome"]

function findChromium(): string {
  const folders = (process.env.PATH ?? "").split(delimiter)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    existsSync,
  )
  if (found) return found
  throw new Error(
    `No Chromium on PATH (${NAMES.join(", ")}): install one (apt-get install chromium).`,
  )
}

type Stage = Awaited<ReturnType<typeof setStage>>

/** Starts one sandbox and one headless Chromium. */
export async function setStage() {
  const executablePath = findChromium()
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"))
  const sandbox = await startSandbox(
    { port: 0, mode: "http" },
    {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      POLL_MIN_MS: "100",
      POLL_MAX_MS: "300",
      START_DELAY_SECONDS: "0",
    },
  )
  sandbox.testBed.docs.planAll({ ending: "pull_request", afterMs: 300 })
  const browser = await chromium.launch({ executablePath })
  const complaints: string[] = []
  return {
    sandbox,
    /** Opens the workspace in a new browser context. */
    async open({ at = "", ...options }: BrowserContextOptions & { at?: string } = {}) {
      closeForms(sandbox)
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: "en-US",
        timezoneId: "Europe/Paris",
        ...options,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      page.on("pageerror", (error) => complaints.push(String(error)))
      page.on("console", (message) => {
        // The browser logs each failed request itself; the page already shows that to the person.
        const own = message.text().startsWith("Failed to load resource")
        if (message.type() === "error" && !own) complaints.push(message.text())
      })
      await page.goto(sandbox.url + at)
      await conversation(page).getByRole("heading", { level: 2 }).waitFor()
      return page
    },
    /** Returns the last calls and requests and the pages' text: a timeout alone explains little. */
    whatHappened: () => lastOf(sandbox, browser),
    /** Closes all pages. Resolves to the errors that they logged. */
    async clear() {
      await Promise.all(browser.contexts().map((context) => context.close()))
      return complaints.splice(0)
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await sandbox.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function lastOf({ testBed: { slack, docs } }: Sandbox, browser: Browser): Promise<string> {
  const lines = [
    ...slack.calls
      .slice(-LAST)
      .map(({ at, method, args, error }) =>
        [new Date(at).toISOString(), method, error ?? "ok", JSON.stringify(args.text)].join(" "),
      ),
    ...docs.requests
      .slice(-LAST)
      .map(({ at, method, path, status }) =>
        [new Date(at).toISOString(), method, path, status].join(" "),
      ),
  ]
  const pages = browser.contexts().flatMap((context) => context.pages())
  const shown = await Promise.all(
    pages.map((page) => page.evaluate<string>("document.body.innerText").catch(String)),
  )
  return [...lines, ...shown.map((text) => `The page shows:\n${text}`)].join("\n")
}

/** Closes forms that an earlier test left open: they would cover the page for the same person. */
function closeForms({ testBed: { slack } }: Sandbox): void {
  for (const { id } of slack.users()) if (slack.modal(id)) slack.as(id).closeModal()
}

/** Sets one stage for the tests of a file. A test fails if a page logs an error. */
export function useStage(): () => Stage {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
    return () => stage[Symbol.asyncDispose]()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") console.error(await stage.whatHappened())
    const heard = await stage.clear()
    if (heard.length > 0) throw new Error(`The page complained:\n${heard.join("\n")}`)
  })
  return () => stage
}
