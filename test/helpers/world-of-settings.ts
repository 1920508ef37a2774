import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, beforeEach } from "vitest"
import { SCOPES } from "../../src/slack/scopes.ts"
import { listen } from "../sandbox/kit/http-server.ts"
import { CLEO } from "../sandbox/slack/index.ts"
import { SECRETS, startOtherParties } from "../sandbox/test-bed.ts"
import { useTestRedis } from "./redis.ts"
import { startScriptedRedis } from "./scripted-redis.ts"

/** API key without its usual prefix, which would give it away as a key. */
export const OTHER_KEY = "admin-0a1b2c3d4e"

/** Changes to the settings of a bot, made before it starts. */
type Spoil = (world: World) => Record<string, string | undefined>

export type World = Awaited<ReturnType<typeof startWorld>>

export interface BadSettings {
  spoil: Spoil
  /** Output of the doctor: the fault and its remedy. */
  doctor: RegExp
  /**
   * Output of a start, if that says it otherwise than the doctor; false if the doctor alone finds
   * the fault, or another kind shows that a start does.
   */
  start?: RegExp | false
}

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
  const services = await Promise.all([
    answering((res) => res.writeHead(301, { location: "https://docs.example/" }).end()),
    answering((res) => res.setHeader("content-type", "text/html").end("<h1>Welcome</h1>")),
    answering(() => {}),
    answering((res) => res.writeHead(402).end(JSON.stringify({ error: "payment required" }))),
    answering(() => {}),
  ])
  const [redirect = "", page = "", silent = "", unpaid = "", taken = ""] = services.map(
    ({ url }) => url,
  )
  const stores = await Promise.all([
    startScriptedRedis({ version: "5.0.14" }),
    startScriptedRedis({ error: "NOAUTH Authentication required." }),
    startScriptedRedis({ aheadMs: -120_000 }),
    startScriptedRedis({ writeError: "OOM command not allowed when used memory > 'maxmemory'." }),
  ])
  const [old = "", locked = "", late = "", full = ""] = stores.map(({ url }) => url)
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-bad-"))
  const serverFolder = join(folder, "bin")
  await mkdir(serverFolder)
  await writeFile(join(serverFolder, "redis-server"), "")
  return {
    parties,
    env,
    /** Addresses of a redirect, of an HTML page, and of a server that never answers. */
    elsewhere: { redirect, page, silent, unpaid },
    /** URLs of servers that are too old, need a password, are two minutes slow, or are full. */
    redis: { old, locked, late, full },
    /** Path of a folder without a redis-server, and of one with a file of that name. */
    folder,
    serverFolder,
    port: new URL(taken).port,
    async [Symbol.asyncDispose]() {
      await Promise.all(services.map(({ close }) => close()))
      await Promise.all(stores.map((one) => one[Symbol.asyncDispose]()))
      await parties[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

function answering(answer: (response: ServerResponse) => void) {
  return listen(0, (_, response) => answer(response))
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
  return (spoil: Spoil = () => ({})) => ({ ...world.env, ...spoil(world) })
}
