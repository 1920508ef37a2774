import { beforeAll, expect, test } from "vitest"
import { allAsks } from "../../src/jobs/rounds.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/index.ts"
import type { ReadingBed } from "./reading.ts"
import { letGrant, startRedisServer } from "./redis-server.ts"
import { startTcpProxy } from "./tcp-proxy.ts"
import { bedAt, type Options } from "./test-bed.ts"

/** Something that a person does, which must happen once or be refused aloud. */
export interface Action {
  name: string
  /** Names of the listeners and words that it tries, as the test that lists all of them spells them. */
  of: readonly string[]
  /** Prepares the n-th try. `count` returns how often it was done, from what people see. */
  prepare: (h: ReadingBed, n: number) => Promise<{ act: () => Promise<unknown>; count: Count }>
}

export function tries(name: string, of: readonly string[], prepare: Action["prepare"]): Action {
  return { name, of, prepare }
}

export type Count = () => number | boolean | Promise<number | boolean>

/** Answers that tell a person that something was not, or perhaps not, done. */
const REFUSED = /Something's wrong on my end|taking longer than usual|Not processed/

const messagesTo = (h: ReadingBed, user: string) => [...h.slack.ephemerals(user), ...h.direct(user)]

/** Makes the counter of private messages from now on with these words. */
export function newlyTold(h: ReadingBed, words: RegExp, user = ADA): () => number {
  const often = () =>
    messagesTo(h, user).filter(({ text, blocks }) =>
      words.test(`${text} ${JSON.stringify(blocks)}`),
    )
  const before = often().length
  return () => often().length - before
}

/** Makes the counter of the bot's posts from now on in the channel with these words. */
export function newlySaid(h: ReadingBed, words: RegExp): () => number {
  const often = () => h.botMessages().filter(({ text }) => words.test(text)).length
  const before = often()
  return () => often() - before
}

/** Makes the counter of forms that were opened for this person; the test closes them. */
export function formOpens(h: ReadingBed): Count {
  if (h.slack.modal(ADA)) h.slack.as(ADA).closeModal()
  return () => h.slack.modal(ADA) !== undefined
}

/** Resolves to the private message that this brings. */
export async function privately(h: ReadingBed, ask: () => Promise<unknown>, words: RegExp) {
  const known = messagesTo(h, ADA).map(({ ts }) => ts)
  await ask()
  return h.slack.until(() =>
    messagesTo(h, ADA).find(({ ts, text }) => !known.includes(ts) && words.test(text)),
  )
}

export async function jobsWith(h: ReadingBed, words: string) {
  const { jobs } = h.services.work
  const found = await jobs.ofUser(ADA)
  const prompts = await jobs.promptsOf(found.flatMap(({ job }) => allAsks(job)))
  return found.filter(({ job }) => allAsks(job).some(({ id }) => prompts[id]?.words === words))
}

/** Posts a request in a thread that waits for its start. */
export async function waiting(h: ReadingBed, words: string) {
  const root = await h.slack.as(ADA).mention(DOCS, words)
  const card = await h.botSays(/Starting in a moment/, { thread: root.ts })
  const state = async () => (await jobsWith(h, words))[0]?.job
  return { root, card, state, thread: { thread: root.ts } }
}

/** Prepares something once for all tries of an action in a test bed. */
export function same<Made>(make: (h: ReadingBed) => Promise<Made>) {
  const made = new WeakMap<ReadingBed, Promise<Made>>()
  return (h: ReadingBed) => {
    const once = made.get(h) ?? make(h)
    made.set(h, once)
    return once
  }
}

/**
 * Tries each action as often as it sends commands to Redis, and each time loses the reply to the
 * next of them.
 * @param by the connection that sends them
 */
export function testLostReplies(
  actions: readonly Action[],
  options: Options,
  by: "requestRedis" | "workerRedis" = "requestRedis",
): void {
  let h: ReadingBed
  let loseReply: (n: number) => Promise<() => boolean>

  beforeAll(async () => {
    const server = await startRedisServer()
    const proxy = await startTcpProxy(server.port)
    await letGrant(server.client)
    h = await bedAt(`redis://127.0.0.1:${proxy.port}`, {
      ...options,
      slack: { eventRetryDelaysMs: [0, 50, 200], ...options.slack },
      env: { ADMIN_USERS: ADA, ...options.env },
    })
    loseReply = async (n) => {
      const redis = h.services[by]
      if (!("stream" in redis)) throw new Error("Not a single server")
      await redis.ping()
      return proxy.loseReply(redis.stream.localPort ?? 0, n)
    }
    return async () => {
      for (const one of [h, proxy, server]) await one[Symbol.asyncDispose]()
    }
  })

  /** Loses the reply to the n-th command. Resolves to the fault, and whether there was one to lose. */
  async function tryOnce({ prepare }: Action, n: number) {
    const { act, count } = await prepare(h, n)
    expect(Number(await count()), "done before the try").toBe(0)
    const refusals = [ADA, BEN].map((user) => newlyTold(h, REFUSED, user))
    const isRefused = () => refusals.some((often) => often() > 0)
    const ended = await loseReply(n)
    await act()
    const isSettled = async () => Number(await count()) >= 1 || isRefused()
    const fault = await expect
      .poll(isSettled)
      .toBe(true)
      .then(
        () => undefined,
        () => `not done and not refused at ${n}`,
      )
    const isLost = ended()
    const often = Number(await count())
    return { isLost, fault: often > 1 ? `${often} times at ${n}` : fault }
  }

  test.each(actions)(
    "SAFE-9: $name, is done once or refused aloud, whichever reply of Redis is lost",
    async (action) => {
      const faults: string[] = []
      for (let n = 1; n <= 80; n += 1) {
        const { isLost, fault } = await tryOnce(action, n)
        if (fault) faults.push(fault)
        if (!isLost) return expect(faults).toEqual([])
      }
      throw new Error("More commands than expected")
    },
  )
}
