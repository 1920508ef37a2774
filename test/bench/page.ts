import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from "../helpers/chromium.ts"
import { builtPage } from "../sandbox/workspace/start/built-page.ts"
import type { Bench } from "./kit/bench.ts"
import { Child } from "./kit/child.ts"
import { alternate, compare, median } from "./kit/rounds.ts"

/** Each load has a browser profile of its own: nothing is cached. */
const LOADS = 3

/** A message is rendered, and somebody can type: what makes them attaches their handlers too. */
const OURS = "#conversation article, #conversation textarea:enabled"
const BARE_READY = "#bare, textarea:enabled"

/**
 * The built document with its style, but with a heading and a text field in it instead of a state that
 * a script has to draw: once without any script, once with every script of the build.
 */
const BARE = { alone: "bare.html", meanwhile: "bare-meanwhile.html" } as const

interface Visit {
  url: string
  /** What has to be there. */
  selectors: string
  /** Loaded and run one after the other once that is there; the visit is over when they have run. */
  scripts?: readonly string[]
}

export const page: Bench = {
  title: "the sandbox's page until it can be used, against a bare page plus its own script",
  needsRedis: false,
  needsChromium: true,

  async run({ rounds, share }) {
    const executablePath = findChromium()
    if (!executablePath) throw new Error(NO_CHROMIUM)
    await using sandbox: Child<string, "stop", "stopped"> = await Child.start("sandbox-process.ts")
    const folder = await builtPage()
    const scripts = await writeBare(folder)
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
    const loads = Math.max(1, Math.round(LOADS * share))
    const bare = (name: string, then: readonly string[] = []) => {
      const url = new URL(name, sandbox.ready).href
      return loaded(browser, { url, selectors: BARE_READY, scripts: then }, loads)
    }
    const pairs = await alternate(
      { rounds },
      async () => ({
        ...(await bare(BARE.alone, scripts)),
        withFirst: (await bare(BARE.alone, scripts.slice(0, 1))).ready,
        meanwhile: (await bare(BARE.meanwhile)).ready,
        alone: (await bare(BARE.alone)).ready,
      }),
      async () => {
        const ours = await loaded(browser, { url: sandbox.ready, selectors: OURS }, loads)
        const { ready } = ours
        return { ...ours, withFirst: ready, meanwhile: ready, alone: ready }
      },
    )
    await browser.close()
    for (const name of Object.values(BARE)) await rm(join(folder, name))
    await sandbox.ask("stop")
    return {
      rows: [
        compare(pairs, "ready", "until ready: a bare page, then its script", "ms", { atMost: 1 }),
        compare(pairs, "withFirst", "the same, only the script it needs by then", "ms"),
        compare(pairs, "meanwhile", "a bare page that loads its script meanwhile", "ms"),
        compare(pairs, "alone", "a bare page without a script", "ms"),
        compare(pairs, "painted", "first content painted", "ms"),
        compare(pairs, "bytes", "bytes over the wire until ready", "B"),
      ],
      notes: [
        "Ready: the document is complete, a message of the channel is in it and its composer takes input. Counted up to the frame that shows it.",
        "The bare page is the built document with its style, its content in it and nothing to draw. Its script is all that the build makes, loaded once the page is there; in the third row while the page comes. Ours draws what it shows, and loads a third of its script only after it is ready.",
        `${loads} loads a round in headless Chromium, each without a cache; all pages come from the sandbox's own server.`,
      ],
    }
  },
}

/** @returns the build's scripts, the one that the document asks for first */
async function writeBare(folder: string): Promise<string[]> {
  const built = await readFile(join(folder, "index.html"), "utf8")
  const files = (await readdir(join(folder, "assets"))).filter((name) => name.endsWith(".js"))
  const [first, rest] = [true, false].map((asked) =>
    files.filter((name) => built.includes(name) === asked).map((name) => `/assets/${name}`),
  )
  const content = replaced(
    built,
    '<div id="page"></div>',
    '<h1 id="bare">Bare</h1><textarea></textarea>',
  )
  const module = /<script type="module"[^>]*><\/script>/.exec(built)?.[0] ?? "the script's element"
  const more = (rest ?? []).map((src) => `<script type="module" crossorigin src="${src}"></script>`)
  await writeFile(join(folder, BARE.alone), replaced(content, module, ""))
  await writeFile(join(folder, BARE.meanwhile), replaced(content, module, module + more.join("")))
  return [...(first ?? []), ...(rest ?? [])]
}

function replaced(document: string, what: string, by: string): string {
  if (!document.includes(what)) throw new Error(`The built document has no ${what} to replace`)
  return document.replace(what, by)
}

async function loaded(
  browser: Browser,
  visit: Visit,
  loads: number,
): Promise<Record<"ready" | "painted" | "bytes", number>> {
  const samples: { ready: number; painted: number; bytes: number }[] = []
  for (let load = 0; load < loads; load += 1) samples.push(await loadOnce(browser, visit))
  const of = (key: "ready" | "painted" | "bytes") => median(samples.map((sample) => sample[key]))
  return { ready: of("ready"), painted: of("painted"), bytes: of("bytes") }
}

async function loadOnce(browser: Browser, visit: Visit) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const opened = await context.newPage()
    await opened.addInitScript({ content: markReady(visit) })
    await opened.goto(visit.url)
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
function markReady({ selectors, scripts = [] }: Visit): string {
  return `
    const selectors = ${JSON.stringify(selectors)}.split(", ")
    const isThere = () => document.readyState === "complete" &&
      selectors.every((selector) => document.querySelector(selector))
    const run = (src) => new Promise((done) => {
      const script = Object.assign(document.createElement("script"), { type: "module", src })
      script.crossOrigin = ""
      script.onload = done
      document.head.append(script)
    })
    const then = async (scripts) => {
      for (const src of scripts) await run(src)
      requestAnimationFrame(() => performance.mark("ready"))
    }
    const look = () => {
      if (!isThere()) requestAnimationFrame(look)
      else if (${scripts.length} === 0) performance.mark("ready")
      else void then(${JSON.stringify(scripts)})
    }
    requestAnimationFrame(look)`
}
