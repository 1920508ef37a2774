import { expect } from "vitest"
import { key } from "../../src/store/redis-keys.ts"
import type { Plant } from "../sandbox/docs-service/settings.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { ADA, DOCS, type Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { type Bed, type Options, testIn, useTestBed } from "./test-bed.ts"
import { wordsIn } from "./visitors-blocks.ts"

export const PROJECT = "docs-site"
/** Start time of every test: noon UTC on a Friday. */
export const NOON = Date.UTC(2026, 10, 20, 12)

/** Test bed whose clock starts at noon on a Friday, with what people do and see there. */
export type VisitorsBed = Bed & ReturnType<typeof actionsOn> & ReturnType<typeof visible>

export function useVisitors(options: Options = {}) {
  const { testBed } = useTestBed(options)
  async function bed(more: Options = {}): Promise<VisitorsBed> {
    const clock = new MovableClock(NOON - Date.now())
    const docs = { analyticsPerWindow: 1_000_000, ...options.docs, ...more.docs }
    const env = { ANALYTICS_PER_HOUR: "10000", ...options.env, ...more.env }
    const started = await testBed({ ...more, clock, docs, env })
    // Inherited, because a test bed's members change when its bot restarts.
    const own = { ...actionsOn(started, clock), ...visible(started) }
    return Object.setPrototypeOf(own, started)
  }
  /** Subscribes a channel to a daily digest at 14:00 in Paris, 13:00 UTC. */
  async function daily(more: Options = {}, channel = DOCS) {
    const h = await bed(more)
    await h.type("subscribe daily at 14:00", { channel })
    return h
  }

  /** Subscribes a channel to alerts on a site with the given unusual days. */
  async function watching(words: string, ...plants: Plant[]) {
    const h = await bed({ docs: { visitors: { plants } } })
    await h.type(`alert ${words}`)
    return h
  }
  return { test: testIn(bed), bed, daily, watching }
}

function actionsOn(started: Bed, clock: MovableClock) {
  const { slack } = started
  const { said } = visible(started)
  const seenBy = (user: string) =>
    new Map(slack.ephemerals(user).map((message) => [message.ts, message.revision]))
  const newTo = (user: string, before: ReadonlyMap<string, unknown>) =>
    slack.until((s) =>
      s.ephemerals(user).findLast(({ ts, revision }) => before.get(ts) !== revision),
    )
  const posts = async () => {
    for (let n = 0; n < 3; n++) await started.bot.worker?.passes.posts?.()
    // The bot's own loop may hold some of what was due.
    await expect.poll(() => leased(started)).toEqual([])
  }
  return {
    clock,
    posts,

    async ask(user: string, words: string, channel = DOCS) {
      const before = seenBy(user)
      const { shown } = await slack.as(user).slash(channel, "/docs-visitors", words)
      return shown ?? newTo(user, before)
    },

    /** Types a command, and waits until the channel has another message. */
    async type(words: string, { user = ADA, channel = DOCS } = {}) {
      const before = said(channel).length
      await slack.as(user).slash(channel, "/docs-visitors", words)
      await slack.until(() => said(channel).length > before)
    },

    /** Uses a control. @returns the private message that the bot posts or edits in response */
    async use(user: string, message: Message, action: string, option?: string) {
      const before = seenBy(user)
      const person = slack.as(user)
      if (option === undefined) await person.click(message, action)
      else await person.select(message, action, option)
      return newTo(user, before)
    },

    /** Moves the clock to this time and runs what is due then. @param iso `2026-11-21T09:00Z` */
    async at(iso: string) {
      clock.moveOn(Date.parse(iso) - clock.now())
      await posts()
    },
  }
}

const ANALYTICS = new Set(["visitors", "assistant", "searches", "feedback", "feedback_by_page"])

/** Returns getters of what everybody in a channel sees, and of what the service was asked. */
function visible({ slack, docs }: Pick<TestBed, "slack" | "docs">) {
  const said = (channel = DOCS) => slack.channel(channel).messages()
  const alerts = () => said().filter((one) => wordsIn(one).includes("alert_report"))
  return {
    said,
    digests: (channel = DOCS) =>
      said(channel).filter(({ text }) => text.startsWith("Docs traffic ")),
    alerts,
    alertTexts: () => alerts().map(({ text }) => text),
    analyticsRequests: () => docs.requests.filter(({ kind }) => ANALYTICS.has(kind)),
  }
}

/** Returns the posts under a lease: only the end of a lease is a fractional number of ms. */
async function leased({ services }: TestBed): Promise<string[]> {
  const due = await services.workerRedis.zrange(key("v", "post", "due"), "0", "-1", "WITHSCORES")
  return due.filter((_, n) => n % 2 === 0 && Number(due[n + 1]) % 1 !== 0)
}
