import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { afterAll, afterEach, beforeAll } from "vitest"
import { type Sandbox, startSandbox } from "../sandbox/workspace/start/start-sandbox.ts"
import { conversation } from "./at-the-page.ts"
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from "./chromium.ts"

/** Time limit in ms for anything on the page, including the bot's polls on a busy machine. */
const PATIENCE_MS = 60_000

/** Number of Slack calls, and of service requests, that are printed when a test fails. */
const LAST = 40

interface Running {
  sandbox?: Sandbox
  browser?: Browser
  folder?: string
}

export interface Stage {
  readonly sandbox: Sandbox
  /** Opens the workspace in a new browser context. The test fails if the page logs an error. */
  open(options?: BrowserContextOptions & { readonly at?: string }): Promise<Page>
}

/** Returns the last calls and requests and the pages' text: a timeout alone explains little. */
async function whatHappened({ sandbox, browser }: Running): Promise<string> {
  const { slack, docs } = sandbox?.testBed ?? {}
  const lines = [
    ...(slack?.calls.slice(-LAST) ?? []).map(({ at, method, args, error }) =>
      [new Date(at).toISOString(), method, error ?? "ok", JSON.stringify(args.text)].join(" "),
    ),
    ...(docs?.requests.slice(-LAST) ?? []).map(({ at, method, path, status }) =>
      [new Date(at).toISOString(), method, path, status].join(" "),
    ),
  ]
  const pages = (browser?.contexts() ?? []).flatMap((context) => context.pages())
  const shown = await Promise.all(
    pages.map((page) => page.evaluate<string>("document.body.innerText").catch(String)),
  )
  return [...lines, ...shown.map((text) => `The page shows:\n${text}`)].join("\n")
}

/** Closes forms that an earlier test left open: they would cover the page for the same person. */
function closeForms({ testBed: { slack } }: Sandbox): void {
  for (const { id } of slack.users()) if (slack.modal(id)) slack.as(id).closeModal()
}

/** Starts one sandbox and one headless Chromium for the tests of a file. */
export function useStage(): () => Stage {
  const running: Running = {}
  const complaints: string[] = []

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "sandbox-"))
    running.folder = folder
    running.sandbox = await startSandbox(
      { port: 0, mode: "http" },
      {
        PATH: process.env.PATH,
        DATA_DIR: folder,
        POLL_MIN_MS: "100",
        POLL_MAX_MS: "300",
        START_DELAY_SECONDS: "0",
      },
    )
    running.sandbox.testBed.docs.planAll({ ending: "pull_request", afterMs: 300 })
    const executablePath = findChromium()
    if (!executablePath) throw new Error(NO_CHROMIUM)
    running.browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
  })

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") console.error(await whatHappened(running))
    await Promise.all((running.browser?.contexts() ?? []).map((context) => context.close()))
    const heard = complaints.splice(0)
    if (heard.length > 0) throw new Error(`The page complained:\n${heard.join("\n")}`)
  })

  afterAll(async () => {
    await running.browser?.close()
    await running.sandbox?.stop()
    if (running.folder) await rm(running.folder, { recursive: true, force: true })
  })

  return () => {
    const { sandbox, browser } = running
    if (!sandbox || !browser) throw new Error("The stage is not set yet")
    return {
      sandbox,
      async open({ at = "", ...options } = {}) {
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
    }
  }
}
