import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { z } from "zod"
import {
  COMMANDS,
  commandsIn,
  DOCUMENTS,
  RUN_BY,
  readDocument,
  readProcfile,
  sectionOf,
} from "../../helpers/documents.ts"
import { createAppLink, toSocketMode } from "../../helpers/manifest.ts"
import { readAgentManifest, readManifest } from "../../sandbox/manifest.ts"

const root = new URL("../../../", import.meta.url)

const texts = z.record(z.string(), z.string())
const { scripts, dependencies } = z
  .object({ scripts: texts, dependencies: texts })
  .parse(JSON.parse(readDocument("package.json")))

test.each(DOCUMENTS)("every script that %s names exists", (name) => {
  const named = [...readDocument(name).matchAll(/npm run ([\w:]+)/g)].map(
    ([, script = ""]) => script,
  )
  expect(named.filter((script) => !(script in scripts))).toEqual([])
})

test.each(DOCUMENTS)("every place that %s links to exists", (name) => {
  const base = new URL(name, root)
  const links = [...readDocument(name).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
  const missing = links.filter(([, path = "", anchor]) => {
    const file = path === "" ? base : new URL(path, base)
    return !existsSync(file) || (anchor !== undefined && !headingsOf(file).includes(anchor))
  })
  expect(missing.map(([link]) => link)).toEqual([])
})

/** Returns headings as GitHub spells them in links. */
function headingsOf(file: URL): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  )
}

test("the README is read in a few minutes: 14 kB, its two links to a filled-in manifest included", () => {
  expect(Buffer.byteLength(readDocument("README.md"))).toBeLessThanOrEqual(14_000)
})

test.each([
  ["create", "manifest.yml", readManifest],
  ["create-agent", "manifest.agent.yml", readAgentManifest],
] as const)("the link [%s] carries %s in its Socket Mode form", (name, _file, manifest) => {
  const readme = readDocument("README.md")
  const [, link] = new RegExp(`^\\[${name}\\]: (\\S+)$`, "m").exec(readme) ?? []
  expect(link).toBe(createAppLink(toSocketMode(manifest())))
  expect(readme).toContain(`][${name}]`)
})

test("every production dependency has its reason", () => {
  const [, table = ""] =
    /## Dependencies(.*?)## /s.exec(readDocument(".github/CONTRIBUTING.md")) ?? []
  const reasoned = [...table.matchAll(/^\| `([^`]+)` \| .{10,} \|$/gm)].map(([, name]) => name)
  expect(reasoned).toEqual(Object.keys(dependencies))
})

const CONTRIBUTING = readDocument(".github/CONTRIBUTING.md")

function filesIn(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+\.(?:ts|yml|json|md|example))`/g)].map(
    ([, name = ""]) => name,
  )
}

test("the files that CONTRIBUTING names exist", () => {
  // Tests write what is under `coverage`.
  const named = filesIn(CONTRIBUTING).filter((name) => !name.startsWith("coverage/"))
  const missing = named.filter(
    (name) => !existsSync(new URL(name, root)) && !existsSync(new URL(`src/${name}`, root)),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

test("the names that CONTRIBUTING gives for a file are in it", () => {
  const places = [...CONTRIBUTING.matchAll(/`(\w+)` in `([\w./-]+\.ts)`/g)]
  const missing = places.flatMap(([, name = "", file = ""]) => {
    const path = existsSync(new URL(`src/${file}`, root)) ? `src/${file}` : file
    return new RegExp(`\\b${name}\\b`).test(readDocument(path)) ? [] : `${name} in ${file}`
  })
  expect(missing).toEqual([])
})

test("the verbs that the list of the tests' helpers gives for a file are exported there", () => {
  const list = readDocument("test/helpers/README.md")
  const rows = [...list.matchAll(/^\| .* \| (`.*`) \| `([\w-]+\.ts)` \|$/gm)]
  const missing = rows.flatMap(([, verbs = "", file = ""]) => {
    const source = readDocument(`test/helpers/${file}`)
    const found = [...verbs.matchAll(/(h\.)?(\w+)/g)]
    return found.flatMap(([verb, ofBed, name = ""]) => {
      const declared = ofBed ? "^ {2,4}(async )?" : "^export .*\\b"
      return new RegExp(`${declared}${name}\\b`, "m").test(source) ? [] : verb
    })
  })
  expect(rows.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

test.each([
  ["From a request to the agent", 12],
  ["From a result to Slack", 10],
])("the path %s is read in at most %i files", (heading, most) => {
  const [, section = ""] = CONTRIBUTING.split(`### ${heading}\n`)
  const [path = ""] = section.split(/^#/m)
  const files = new Set([...path.matchAll(/^\d\. .*$/gm)].flatMap(([step]) => filesIn(step)))
  expect(files.size).toBeGreaterThan(most / 2)
  expect(files.size).toBeLessThanOrEqual(most)
})

test("OPS-18: every command that the documents name is run somewhere, or it is said why not", () => {
  const named = new Set(DOCUMENTS.flatMap((name) => commandsIn(readDocument(name))))
  expect(named).toEqual(new Set(COMMANDS))
})

test.each(Object.entries(RUN_BY))("%s runs what it is said to run", (file, commands) => {
  const runner = readDocument(file)
  if (file === ".ci/run") expect(runner.split("\n")).toEqual(expect.arrayContaining([...commands]))
  // The README's test takes its commands from RUN_BY, and fails if it has not run one.
  else expect(runner).toMatch(/RUN_BY|COMMANDS/)
})

test("files and folders named in commands exist", () => {
  const files = COMMANDS.flatMap((command) => command.match(/\btest\/\S+/g) ?? [])
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
})

const OPERATIONS = readDocument(".github/OPERATIONS.md")
const procfile = readProcfile()

test("the Procfile has the process types that the README names", () => {
  const types = [
    ...sectionOf(readDocument("README.md"), "Run it in production").matchAll(/`(web|worker)`/g),
  ]
  expect(new Set(types.map(([, type]) => type))).toEqual(new Set(procfile.keys()))
})

test("the systemd unit runs what the Procfile runs, and lets the bot end in its own time", () => {
  const [, unit = ""] = /```ini\n(.*?)```/s.exec(OPERATIONS) ?? []
  const settings = new Map(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  )
  expect(settings.get("WorkingDirectory")).toMatch(/current$/)
  expect(settings.get("ExecStart")).toBe(`/usr/bin/${procfile.get("web")}`)
  expect(settings.get("EnvironmentFile")).toMatch(/^\//)
  expect(settings.get("WorkingDirectory")).toMatch(/^\//)
  expect(settings.get("Restart")).toBe("always")
  // The bot finishes work in progress within 10 s of SIGTERM, systemd's default signal.
  expect(Number(settings.get("TimeoutStopSec"))).toBeGreaterThan(10)
  expect(settings.has("KillSignal")).toBe(false)
})
