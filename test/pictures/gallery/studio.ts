import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Locator, type Page } from "playwright-core"
import { conversation } from "../../helpers/at-the-page.ts"
import { axeFindings } from "../../helpers/axe.ts"
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from "../../helpers/chromium.ts"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import type { LocalSlack } from "../../sandbox/slack/local-slack.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { Message } from "../../sandbox/slack/workspace/model.ts"
import {
  type Pace,
  type Sandbox,
  startSandbox,
} from "../../sandbox/workspace/start/start-sandbox.ts"

export interface Look {
  readonly width: 1280 | 400
  readonly theme: "light" | "dark"
}

export const EVERY_LOOK: readonly Look[] = [
  { width: 1280, theme: "light" },
  { width: 1280, theme: "dark" },
  { width: 400, theme: "light" },
  { width: 400, theme: "dark" },
]

/** Each width and each theme once. */
export const TWO_LOOKS: readonly Look[] = [
  { width: 1280, theme: "light" },
  { width: 400, theme: "dark" },
]

/** Tall enough for the longest message whole: what a picture has to scroll for is blank in it. */
const HEIGHT = 3200
const PATIENCE_MS = 60_000
const QUICK = {
  ...FAST_TIMING,
  rates: { channelPost: [20, 50], workspacePost: [20, 50], edit: [20, 50], session: [20, 50] },
} as const

export interface Studio {
  readonly sandbox: Sandbox
  readonly slack: LocalSlack
  /** As Ada, in #docs. */
  readonly page: Page
  /** Takes one picture of each part by its name, in each look, and has axe read the page in each. */
  readonly shoot: (parts: Readonly<Record<string, Locator>>, height?: number) => Promise<void>
  /** Opens the page anew as this person, in that place: a channel's id, or `home`. */
  readonly visit: (user: string, place: string) => Promise<void>
  /** A message as the page shows it, once it says this. */
  readonly shown: (message: Promise<Message>) => Promise<Locator>
}

export interface Shots {
  /** Where the pictures go. */
  readonly folder: string
  readonly looks: readonly Look[]
  /** Names of the pictures taken, and what was wrong on the way; both grow. */
  readonly taken: string[]
  readonly findings: string[]
}

interface Setting {
  readonly env?: Readonly<Record<string, string>>
  readonly pace?: Pace
  /** The part of the page's address that says who looks where. */
  readonly at?: string
}

/** Plays one scene in a sandbox of its own and takes its pictures. */
export async function inStudio(
  shots: Shots,
  { env = {}, pace = {}, at = `/#/${ADA}/${DOCS}` }: Setting,
  play: (studio: Studio) => Promise<void>,
): Promise<void> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(NO_CHROMIUM)
  const data = await mkdtemp(join(tmpdir(), "gallery-"))
  const sandbox = await startSandbox(
    { port: 0, mode: "http", keep: false, story: false },
    { PATH: process.env.PATH, DATA_DIR: data, POLL_MIN_MS: "50", POLL_MAX_MS: "200", ...env },
    { ...pace, timing: { ...QUICK, ...pace.timing } },
  )
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
  try {
    const page = await open(browser, sandbox.url + at)
    await play(studioOf(sandbox, page, shots))
    shots.findings.push(...sandbox.testBed.slack.violations)
  } finally {
    await browser.close()
    await sandbox.stop()
    await rm(data, { recursive: true, force: true })
  }
}

async function open(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: HEIGHT },
    locale: "en-US",
    timezoneId: "Europe/Paris",
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(url)
  await conversation(page).getByRole("heading", { level: 2 }).waitFor()
  return page
}

function studioOf(sandbox: Sandbox, page: Page, shots: Shots): Studio {
  return {
    sandbox,
    slack: sandbox.testBed.slack,
    page,
    async shoot(parts, height = HEIGHT) {
      await mkdir(shots.folder, { recursive: true })
      for (const look of shots.looks) await inLook(page, { ...look, height }, parts, shots)
      await page.setViewportSize({ width: 1280, height: HEIGHT })
    },
    async visit(user, place) {
      await page.goto(`${sandbox.url}/#/${user}/${place}`)
      await page.reload()
      await conversation(page).getByRole("heading", { level: 2 }).waitFor()
    },
    async shown(message) {
      const { ts, text, files } = await message
      const article = page.locator(`article[data-ts="${ts}"]`).last()
      // What the page shows follows what Slack knows.
      await article.waitFor()
      if (text === "" && files.length === 0)
        throw new Error("A message without text says nothing in a notification")
      return article
    },
  }
}

async function inLook(
  page: Page,
  { width, theme, height }: Look & { readonly height: number },
  parts: Readonly<Record<string, Locator>>,
  { folder, taken, findings }: Shots,
): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  await page.mouse.move(0, 0)
  for (const [name, part] of Object.entries(parts)) {
    const file = `${name}-${width}-${theme}.png`
    // The end of the list is close to the composer, whose frame would be in the picture.
    await part.evaluate((element) => element.scrollIntoView({ block: "center" }))
    await part.screenshot({ path: join(folder, file), animations: "disabled" })
    taken.push(file)
  }
  const where = `${Object.keys(parts).join(", ")} at ${width} in ${theme}`
  findings.push(...(await axeFindings(page)).map((found) => `${where}: ${found}`))
}
