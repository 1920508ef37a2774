import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from "../helpers/chromium.ts"
import type { Bench } from "./kit/bench.ts"
import { Child } from "./kit/child.ts"
import { alternate, compare, median } from "./kit/rounds.ts"

/** Each load has a browser profile of its own: nothing is cached. */
const LOADS = 3
const BUILT = new URL("../../dist/sandbox/page", import.meta.url).pathname

/** A message is rendered, and somebody can type: what makes them attaches their handlers too. */
const OURS = "#conversation article, #conversation textarea:enabled"
const BARE_READY = "#bare, textarea:enabled"

/**
 * What ours is held against: the built document itself with its style and its script, but with a
 * heading and a text field in it instead of a state that the script has to draw. `whole` runs every
 * script of the build, as ours will have in the end; `first` only what ours loads until it is ready.
 */
const BARE = { whole: "bare.html", first: "bare-first.html" } as const

export const page: Bench = {
  title: "the sandbox's page until it can be used, against a bare page with the same script",
  needsRedis: false,
  needsChromium: true,

  async run({ rounds, share }) {
    const executablePath = findChromium()
    if (!executablePath) throw new Error(NO_CHROMIUM)
    await using sandbox: Child<string, "stop", "stopped"> = await Child.start("sandbox-process.ts")
    await writeBare()
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
    const loads = Math.max(1, Math.round(LOADS * share))
    const bare = (name: string) =>
      loaded(browser, new URL(name, sandbox.ready).href, BARE_READY, loads)
    const pairs = await alternate(
      { rounds },
      async () => {
        const { ready: readyWithFirst } = await bare(BARE.first)
        return { ...(await bare(BARE.whole)), readyWithFirst }
      },
      async () => {
        const ours = await loaded(browser, sandbox.ready, OURS, loads)
        return { ...ours, readyWithFirst: ours.ready }
      },
    )
    await browser.close()
    for (const name of Object.values(BARE)) await rm(join(BUILT, name))
    await sandbox.ask("stop")
    return {
      rows: [
        compare(pairs, "ready", "until ready", "ms", { atMost: 1 }),
        compare(pairs, "readyWithFirst", "the same, bare with the first script only", "ms"),
        compare(pairs, "painted", "first content painted", "ms"),
        compare(pairs, "bytes", "bytes over the wire until ready", "B"),
      ],
      notes: [
        "Ready: the document is complete, a message of the channel is in it and its composer takes input; for the bare page, that its heading is in it and its scripts have run. Both count up to the frame that shows it.",
        "The bare page has the style and every script of the build, those included that ours loads only after it is ready; its content stands in the document, and nothing is drawn by script.",
        `${loads} loads a round in headless Chromium, each without a cache; all pages come from the sandbox's own server.`,
      ],
    }
  },
}

async function writeBare(): Promise<void> {
  const built = await readFile(join(BUILT, "index.html"), "utf8")
  const first = withContent(built)
  const files = await readdir(join(BUILT, "assets"))
  const rest = files
    .filter((name) => name.endsWith(".js") && !built.includes(name))
    .map((name) => `<script type="module" crossorigin src="/assets/${name}"></script>`)
  await writeFile(join(BUILT, BARE.first), first)
  await writeFile(join(BUILT, BARE.whole), first.replace("</head>", `${rest.join("")}</head>`))
}

function withContent(document: string): string {
  const place = '<div id="page"></div>'
  if (!document.includes(place)) throw new Error(`The built document has no ${place} to replace`)
  return document.replace(place, '<h1 id="bare">Bare</h1><textarea></textarea>')
}

async function loaded(
  browser: Browser,
  url: string,
  selectors: string,
  loads: number,
): Promise<Record<"ready" | "painted" | "bytes", number>> {
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
      const until = ready?.startTime ?? Number.NaN
      const sizes = performance
        .getEntries()
        .filter((entry) => "responseEnd" in entry && Number(entry.responseEnd) <= until)
        .map((entry) => ("transferSize" in entry ? Number(entry.transferSize) : 0))
      return {
        ready: until,
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
