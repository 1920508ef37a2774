import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { cleanCopy, deployedCopy } from "../../helpers/clean-copy.ts"
import {
  commandsIn,
  RUN_BY,
  readDocument,
  readProcfile,
  sectionOf,
} from "../../helpers/documents.ts"
import { toSocketMode } from "../../helpers/manifest.ts"
import { type Place, runCommand, startByCommand, startInTerminal } from "../../helpers/process.ts"
import { startProcessBed } from "../../helpers/process-bed.ts"
import { reading } from "../../helpers/reading.ts"
import { readAgentManifest, readManifest } from "../../sandbox/manifest.ts"
import { ADA, DOCS, RANDOM } from "../../sandbox/slack/index.ts"
import { eventsUrl, startOtherParties } from "../../sandbox/test-bed.ts"
import { say } from "../../sandbox/workspace/actions/say.ts"
import { catalogOf } from "../../sandbox/workspace/catalog.ts"

const README = readDocument("README.md")
const OPERATIONS = readDocument(".github/OPERATIONS.md")
const met = new Set<string>()

/** Returns a command from this text. @throws Error if the text has no such command */
function command(text: string, like: RegExp): string {
  const commands = commandsIn(text)
  const found = commands.find((one) => like.test(one))
  if (!found) throw new Error(`There is no command like ${like}: ${commands.join(", ")}`)
  met.add(found)
  return found
}

afterAll(() => {
  expect(met).toEqual(new Set<string>(RUN_BY["test/operating/system/readme.test.ts"]))
})

/** Sets values in the file, whether a line is empty or shows a default behind a #. */
async function fillIn(file: string, values: Record<string, string>): Promise<void> {
  let text = await readFile(file, "utf8")
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^(# )?${name}=.*$`, "m")
    expect(text).toMatch(line)
    text = text.replace(line, `${name}=${value}`)
  }
  await writeFile(file, text)
}

test("the way in: one command, and the sandbox is at the address it prints", async () => {
  const [intro = ""] = README.split("## ")
  await using copy = await cleanCopy()
  const place = { cwd: copy.folder, env: {} }
  await using sandbox = await startInTerminal(command(intro, /sandbox/), place, /http:\S+/)
  expect((await fetch(sandbox.read)).status).toBe(200)
})

test("Install in your workspace, word for word, over Socket Mode", async () => {
  const section = sectionOf(README, "Install in your workspace")
  const install = (like: RegExp) => command(section, like)
  await using copy = await cleanCopy()
  await using parties = await startOtherParties({ mode: "socket" })
  const { slack, docs, env } = parties
  const place: Place = { cwd: copy.folder, env: {} }
  const run = (like: RegExp) => runCommand(install(like), place)

  expect(await run(/run build/)).toMatchObject({ code: 0 })
  expect(await run(/^cp/)).toEqual({ code: 0, output: "" })
  await fillIn(join(copy.folder, ".env"), {
    ...env,
    ADMIN_USERS: ADA,
    // A free port: others may run tests on this machine.
    PORT: "0",
  })
  const manifest = await run(/manifest$/)
  expect(JSON.parse(manifest.output)).toEqual(toSocketMode(readManifest()))
  const doctor = await run(/doctor$/)
  expect(doctor.output).toMatch(/No problems found|0 problems/)
  expect(doctor.output).toMatch(/ok +slack token/)
  expect(doctor.output).toMatch(/ok +service/)
  expect(doctor.code).toBe(0)

  await using bot = await startByCommand(install(/ all$/), place)
  await slack.until(({ sockets }) => sockets.open > 0)
  const person = slack.as(ADA)
  const channel = slack.channels().find(({ id }) => id === RANDOM)
  if (!channel) throw new Error("no such channel")
  const catalog = catalogOf(readManifest())
  const typed = [...section.matchAll(/`(\/[^`]+)`/g)]
  expect(typed.map(([, text]) => text)).toEqual([
    "/docs-agent doctor",
    "/invite @Docs Agent",
    "/docs-agent fix the quickstart",
  ])
  docs.planAll({ ending: "pull_request", afterMs: 20 })
  for (const [, text = ""] of typed)
    await say(slack, catalog, { person, channel, text, thread: undefined })
  await slack.until(
    () =>
      reading({ slack, docs })
        .botMessages(RANDOM)
        .find((m) => /Pull request ready/.test(m.text)),
    { timeoutMs: 60_000 },
  )
  expect(slack.violations).toEqual([])
  expect(await bot.kill("SIGTERM")).toBe(0)
})

test("the manifests that are printed for HTTP and for an agent are the files'", async () => {
  const place = { cwd: process.cwd(), env: {} }
  const http = command(sectionOf(OPERATIONS, "Deploy"), /manifest --host/)
  const printed = await runCommand(http.replace("<your host>", "bot.example"), place)
  const text = JSON.stringify(readManifest()).replaceAll("https://HOST/", "https://bot.example/")
  expect(JSON.parse(printed.output)).toEqual(JSON.parse(text))
  const agent = command(sectionOf(OPERATIONS, "As an agent in Slack"), /manifest --agent/)
  const asAgent = await runCommand(agent, place)
  expect(JSON.parse(asAgent.output)).toEqual(toSocketMode(readAgentManifest()))
})

test("Operations: the doctor for machines, with the settings in the environment", async () => {
  await using bed = await startProcessBed()
  const look = command(sectionOf(OPERATIONS, "Health checks"), /doctor$/)
  const place = { cwd: process.cwd(), env: bed.env }
  const { code, output } = await runCommand(`${look} --json`, place)
  expect(JSON.parse(output)).toMatchObject({
    well: true,
    findings: expect.arrayContaining([expect.objectContaining({ check: "service", level: "ok" })]),
  })
  expect(code).toBe(0)
})

test("Run it in production: web and worker over HTTP, from a folder that cannot be written to", async () => {
  await using copy = await deployedCopy()
  await using bed = await startProcessBed({ env: { PORT: "0" } })
  const { slack, docs } = bed
  const { REDIS_URL: _, ...env } = bed.env
  // The superuser may write anywhere; `nobody` can't.
  const who = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const place: Place = { cwd: copy.folder, env, ...who }

  const alone = await runCommand("node dist/main.js all", place)
  expect(alone).toEqual({ code: 1, output: expect.stringMatching(/DATA_DIR.*REDIS_URL/) })

  const shared = { ...place, env: bed.env }
  const procfile = readProcfile()
  await using web = await startByCommand(procfile.get("web") ?? "", shared)
  await using _worker = await startByCommand(procfile.get("worker") ?? "", shared)
  slack.setEventsUrl(eventsUrl(web.port))
  docs.planAll({ ending: "pull_request", afterMs: 20 })
  await slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await slack.until(() => bed.botMessages().find((m) => /request ready/.test(m.text)), {
    timeoutMs: 60_000,
  })
})
