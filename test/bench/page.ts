import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from "../helpers/chromium.ts"
import type { Bench } from "./kit/bench.ts"
import { Child } from "./kit/child.ts"
import { alternate, compare, median, type Sample } from "./kit/rounds.ts"

/** Each load has a browser profile of its own: nothing is cached. */
const LOADS = 3
const BUILT = new URL("../../dist/sandbox/page", import.meta.url).pathname
const BARE = "bare.html"

/** A message is rendered, and somebody can type. */
const OURS = "#conversation article, #conversation textarea:enabled"
const BARE_READY = "#bare, textarea:enabled"

export const page: Bench = {
  title: "the sandbox's page until it can be used, against a bare page with the same script",
  needsRedis: false,
  needsChromium: true,

  async run({ rounds, share }) {
    const executablePath = findChromium()
    if (!executablePath) throw new Error(NO_CHROMIUM)
    await using sandbox: Child<string, "stop", "stopped"> = await Child.start("sandbox-process.ts")
    await writeFile(join(BUILT, BARE), bare(await readFile(join(BUILT, "index.html"), "utf8")))
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
    const loads = Math.max(1, Math.round(LOADS * share))
    const pairs = await alternate(
      { rounds },
      () => loaded(browser, new URL(BARE, sandbox.ready).href, BARE_READY, loads),
      () => loaded(browser, sandbox.ready, OURS, loads),
    )
    await browser.close()
    await rm(join(BUILT, BARE))
    await sandbox.ask("stop")
    return {
      rows: [
        compare(pairs, "ready", "until ready", "ms", { atMost: 1 }),
        compare(pairs, "painted", "first content painted", "ms"),
        compare(pairs, "bytes", "bytes over the wire", "B"),
      ],
      notes: [
        "Ready: a message of the channel is on the screen and its composer takes input; for the bare page, that its heading is and its script has run.",
        `${loads} loads a round in headless Chromium, each without a cache; both pages come from the sandbox's own server.`,
      ],
    }
  },
}

/** The same document with the same script and style, but with its content in it. */
function bare(document: string): string {
  const content = '<h1 id="bare">Bare</h1><textarea></textarea>'
  return document.replace('<div id="page"></div>', content)
}

async function loaded(
  browser: Browser,
  url: string,
  selectors: string,
  loads: number,
): Promise<Sample> {
  const samples: { ready: number; painted: number; bytes: number }[] = []
  for (let load = 0; load < loads; load += 1) samples.push(await loadOnce(browser, url, selectors))
  const of = (key: "ready" | "painted" | "bytes") => median(samples.map((sample) => sample[key]))
  return { ready: of("ready"), painted: of("painted"), bytes: of("bytes") }
}

async function loadOnce(browser: Browser, url: string, selectors: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const opened = await context.newPage()
    await opened.addInitScript({ content: markReady(selectors) })
    await opened.goto(url)
    // The browser tells of a paint some time after it.
    await opened.waitForFunction(() =>
      ["ready", "first-contentful-paint"].every((name) => performance.getEntriesByName(name)[0]),
    )
    return await opened.evaluate(() => {
      const [ready] = performance.getEntriesByName("ready")
      const [painted] = performance.getEntriesByName("first-contentful-paint")
      const sizes = performance
        .getEntries()
        .map((entry) => ("transferSize" in entry ? Number(entry.transferSize) : 0))
      return {
        ready: ready?.startTime ?? Number.NaN,
        painted: painted?.startTime ?? Number.NaN,
        bytes: sizes.reduce((sum, size) => sum + size, 0),
      }
    })
  } finally {
    await context.close()
  }
}

/** For the page: marks the frame after everything is there and every script has run. */
function markReady(selectors: string): string {
  return `
    const selectors = ${JSON.stringify(selectors)}.split(", ")
    const isThere = () => document.readyState === "complete" &&
      selectors.every((selector) => document.querySelector(selector))
    const look = () => isThere() ? performance.mark("ready") : requestAnimationFrame(look)
    requestAnimationFrame(look)`
}
