import { beforeAll } from "vitest"
import { z } from "zod"
import { type Sandbox, startSandbox } from "../sandbox/workspace/start/start-sandbox.ts"

/** Environment without a PATH, so that no redis-server is found and the store is in-process. */
const BARE = { PATH: "", POLL_MIN_MS: "50", POLL_MAX_MS: "200", START_DELAY_SECONDS: "0" }

const message = z.object({
  ts: z.string(),
  text: z.string(),
  isBot: z.boolean(),
  threadTs: z.string().optional(),
})
export type Message = z.infer<typeof message>
export const answer = z.object({
  ok: z.boolean(),
  error: z.string().default(""),
  kind: z.string().optional(),
  notice: z.string().optional(),
  message: message.optional(),
  messages: z.array(message).default([]),
  submission: z.object({ accepted: z.boolean(), refusedBy: z.string().optional() }).optional(),
})
export const stateAnswer = z.object({
  state: z.object({ aheadMs: z.number(), messages: z.array(message) }),
})

/** Starts one sandbox for a test file. @returns a getter to call within tests */
export function useBareSandbox(env: Readonly<Record<string, string>> = {}): () => Sandbox {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, mode: "http" }, { ...BARE, ...env })
    sandbox.testBed.docs.planAll({ ending: "pull_request", afterMs: 100 })
    return () => sandbox.stop()
  })
  return () => sandbox
}

export async function post(
  { url }: Sandbox,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: answer.parse(await response.json()) }
}

export async function get({ url }: Sandbox, path: string): Promise<unknown> {
  return (await fetch(url + path)).json()
}
