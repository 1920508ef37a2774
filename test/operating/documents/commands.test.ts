import { existsSync } from "node:fs"
import { expect, test } from "vitest"
import {
  COMMANDS,
  commandsIn,
  DOCUMENTS,
  RUN_BY,
  readDocument,
  readProcfile,
  sectionOf,
} from "../../helpers/documents.ts"

const root = new URL("../../../", import.meta.url)

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
