import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, beforeEach, expect } from "vitest"
import type { Finding } from "../../src/operating/doctor/finding.ts"
import { runDoctor } from "../../src/operating/doctor/run-doctor.ts"
import { SCOPES } from "../../src/slack/scopes.ts"
import { CLEO } from "../sandbox/slack/index.ts"
import { SECRETS, startOtherParties } from "../sandbox/test-bed.ts"
import { type RawService, startRawService } from "./raw-service.ts"
import { useTestRedis } from "./redis.ts"
import { type Facts, startScriptedRedis } from "./scripted-redis.ts"

/** API key without its usual prefix, which would give it away as a key. */
export const OTHER_KEY = "admin-0a1b2c3d4e"

/** Settings of a bot that Slack's requests reach by Socket Mode alone. */
export const BY_SOCKET = { SLACK_APP_TOKEN: SECRETS.appToken, SLACK_SIGNING_SECRET: "" }

/** Changes to the settings of a bot, made before it starts. */
export type Spoil = (world: World) => Record<string, string | undefined>

export type World = Awaited<ReturnType<typeof startWorld>>

async function startWorld(redisUrl: string) {
  const projects = [{ id: SECRETS.project, key: OTHER_KEY }]
  const parties = await startOtherParties({ followsPulls: true, docs: { projects } })
  /** Settings for a bot with no faults, over HTTP. */
  const env: Record<string, string> = {
    ...parties.env,
    DOCS_API_KEY: OTHER_KEY,
    REDIS_URL: redisUrl,
    ADMIN_USERS: CLEO,
    PORT: "0",
    DOCS_TIMEOUT_MS: "700",
  }
  const servers: AsyncDisposable[] = []
  const urlOf = async (starting: Promise<AsyncDisposable & { url: string }>) => {
    const server = await starting
    servers.push(server)
    return server.url
  }
  const answering = (answer: RawService["answer"]) => urlOf(startRawService(answer))
  const redisWith = (facts: Facts) => urlOf(startScriptedRedis(facts))
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-bad-"))
  const serverFolder = join(folder, "bin")
  await mkdir(serverFolder)
  await writeFile(join(serverFolder, "redis-server"), "")
  return {
    parties,
    env,
    /** Addresses of servers that answer something else than any other party does. */
    elsewhere: {
      redirect: await answering((_, res) => res.writeHead(301, { location: "/there" }).end()),
      page: await answering((_, res) => res.setHeader("content-type", "text/html").end("<h1>")),
      silent: await answering(() => {}),
      unpaid: await answering((_, res) => res.writeHead(402).end('{"error":"payment required"}')),
    },
    /** URLs of servers that are too old, need a password, are two minutes slow, or are full. */
    redis: {
      old: await redisWith({ version: "5.0.14" }),
      locked: await redisWith({ error: "NOAUTH Authentication required." }),
      late: await redisWith({ aheadMs: -120_000 }),
      full: await redisWith({
        writeError: "OOM command not allowed when used memory > 'maxmemory'",
      }),
    },
    /** Path of a folder without a redis-server, and of one with a file of that name. */
    folder,
    serverFolder,
    async [Symbol.asyncDispose]() {
      for (const one of [...servers, parties]) await one[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

/** Starts a world for a file's tests. @returns a function that spoils some of its settings */
export function useWorld() {
  const redis = useTestRedis()
  let world: World
  beforeAll(async () => {
    world = await startWorld(redis().url)
    return () => world[Symbol.asyncDispose]()
  })
  beforeEach(() => world.parties.slack.setScopes(Object.keys(SCOPES)))
  return (spoil: Spoil) => ({ ...world.env, ...spoil(world) }) as Record<string, string>
}

/**
 * Runs the doctor. @returns what it finds wrong, a line each, and the fault, if there is one: of a
 * second one, operators would not know which to mend
 */
export async function wrongWith(env: Record<string, string>) {
  const { output, well } = await runDoctor(env, { json: true })
  expect(output).not.toContain(OTHER_KEY)
  const all: Finding[] = JSON.parse(output).findings
  const wrong = all.filter(({ level }) => level !== "ok")
  const faults = wrong.filter(({ level }) => level === "fault")
  expect(faults.length).toBeLessThanOrEqual(1)
  expect(well).toBe(faults.length === 0)
  const lines = wrong.map(({ level, check, says, next }) => `${level} ${check}: ${says} → ${next}`)
  return { lines: lines.join("\n"), fault: faults[0] }
}
