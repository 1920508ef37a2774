import { afterAll, beforeAll, expect, test } from "vitest"
import { allAsks } from "../../../src/jobs/rounds.ts"
import { secret } from "../../../src/lib/secret.ts"
import { monthOf, readMonth } from "../../../src/limit/month-budget.ts"
import { botMessages, botSays, toldPrivately } from "../../helpers/reading.ts"
import { letGrant, type RedisServer, startRedisServer } from "../../helpers/redis-server.ts"
import { startTcpProxy, type TcpProxy } from "../../helpers/tcp-proxy.ts"
import { FAST_ENV, FAST_TIMING } from "../../helpers/test-bed.ts"
import { ADA, DOCS, RANDOM } from "../../sandbox/slack/index.ts"
import { startTestBed, type TestBed } from "../../sandbox/test-bed.ts"

let server: RedisServer
let proxy: TcpProxy
let h: TestBed

beforeAll(async () => {
  server = await startRedisServer()
  proxy = await startTcpProxy(server.port)
  await letGrant(server.client)
  h = await startTestBed({
    address: { kind: "server", url: secret(`redis://127.0.0.1:${proxy.port}`) },
    slack: { eventRetryDelaysMs: [0, 50, 200] },
    timing: FAST_TIMING,
    env: { ...FAST_ENV, ADMIN_USERS: ADA, START_DELAY_SECONDS: "60", MAX_QUEUED_PER_USER: "10000" },
    log: { write() {} },
  })
})
afterAll(async () => {
  await h[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Returns how often an action was done, from what people and Slack see. */
type Count = () => Promise<number>

interface Action {
  name: string
  /** Prepares the n-th try. Returns the action and how often it was done. */
  prepare: (n: number) => Promise<{ act: () => Promise<unknown>; count: Count }>
}

const as = () => h.slack.as(ADA)
const slash = (words: string) => as().slash(DOCS, "/docs-agent", words)
const visitors = (words: string) => as().slash(DOCS, "/docs-visitors", words)
const jobsWith = async (words: string) => {
  const { jobs } = h.services.work
  const found = await jobs.ofUser(ADA, 1000)
  const prompts = await jobs.promptsOf(found.flatMap(({ job }) => allAsks(job)))
  return found.filter(({ job }) => allAsks(job).some(({ id }) => prompts[id]?.words === words))
}
/** Counts the jobs with these words. */
const asked = (words: string) => async () => (await jobsWith(words)).length
const saidOften = (words: RegExp) => botMessages(h.slack).filter((m) => words.test(m.text)).length
/** Counts the bot's messages that match, from now on. */
function saidFromNow(words: RegExp): Count {
  const before = saidOften(words)
  return async () => saidOften(words) - before
}

/** Posts a request in a thread that waits for its start. */
async function waiting(words: string) {
  const root = await as().mention(DOCS, words)
  const card = await botSays(h, /Starting in a moment/, { thread: root.ts })
  const state = async () => (await jobsWith(words))[0]?.job
  const cancelled: Count = async () => ((await state())?.state === "ended" ? 1 : 0)
  return { root, card, state, cancelled }
}

/** Clicks a button that carries this value, as on a notice to admins. */
function press(action: string, value: string) {
  const body = JSON.stringify({
    type: "block_actions",
    user: { id: ADA },
    channel: { id: DOCS },
    trigger_id: `${Math.random()}`,
    actions: [{ action_id: action, value }],
  })
  return h.slack.deliver(new URLSearchParams({ payload: body }).toString(), {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  })
}

/** Resolves to the private message that this brings. */
async function privately(ask: () => Promise<unknown>, words: RegExp) {
  const known = h.slack.ephemerals(ADA).map(({ ts }) => ts)
  await ask()
  const isNew = ({ ts, text }: { ts: string; text: string }) =>
    !known.includes(ts) && words.test(text)
  return h.slack.until((slack) => slack.ephemerals(ADA).find(isNew))
}

/** Request whose words tell the n-th try from the others. */
function request(
  name: string,
  wordsOf: (n: number) => string,
  ask: (words: string) => Promise<unknown>,
): Action {
  const prepare: Action["prepare"] = async (n) => {
    const words = wordsOf(n)
    return { act: () => ask(words), count: asked(words) }
  }
  return { name, prepare }
}

/** Switch of a channel, in turns on and off. */
function toggle(name: string, type: (words: string) => Promise<unknown>, what: string): Action {
  const prepare: Action["prepare"] = async (n) => {
    const turn = n % 2 === 0 ? "on" : "off"
    if (turn === "off") await type(`${name} on`)
    const count = saidFromNow(new RegExp(`turned ${turn} ${what}`))
    return { act: () => type(`${name} ${turn}`), count }
  }
  return { name: `${name} on and off`, prepare }
}

/** Share in channel, of a private report. */
function share(of: string, ask: () => Promise<unknown>, says: RegExp, action: string): Action {
  const prepare = async () => {
    const report = await privately(ask, says)
    return { act: () => as().click(report, action), count: saidFromNow(says) }
  }
  return { name: `Share in channel, of ${of}`, prepare }
}

const ACTIONS: Action[] = [
  request("a command with a request", (n) => `write page ${n} of the guide`, slash),
  request(
    "a mention with a request",
    (n) => `write chapter ${n} of the guide`,
    (words) => as().mention(DOCS, words),
  ),
  {
    name: "a form",
    prepare: async (n) => {
      const words = `write a form about the number ${n}`
      await slash("")
      await h.slack.until((s) => s.modal(ADA))
      const act = async () => {
        await as().submitModal({ prompt: words })
        if (h.slack.modal(ADA)) as().closeModal()
      }
      return { act, count: asked(words) }
    },
  },
  {
    name: "cancel in a mention",
    prepare: async (n) => {
      const { root, cancelled } = await waiting(`cancel this soon: ${n}`)
      const act = () => as().mention(DOCS, "cancel", { thread: root.ts })
      return { act, count: cancelled }
    },
  },
  {
    name: "cancel in a command",
    prepare: async (n) => {
      const { state, cancelled } = await waiting(`cancel that soon: ${n}`)
      const id = (await state())?.id
      return { act: () => slash(`cancel ${id}`), count: cancelled }
    },
  },
  {
    name: "the Cancel button",
    prepare: async (n) => {
      const { card, cancelled } = await waiting(`press cancel soon: ${n}`)
      return { act: () => as().click(card, "cancel"), count: cancelled }
    },
  },
  {
    name: "mute in a mention",
    prepare: async (n) => {
      const { root, state } = await waiting(`mute this soon: ${n}`)
      const act = () => as().mention(DOCS, "mute", { thread: root.ts })
      return { act, count: async () => ((await state())?.muted?.includes(ADA) ? 1 : 0) }
    },
  },
  {
    name: "yes in a mention",
    prepare: async (n) => {
      const words = `glossary ${n}`
      await as().mention(DOCS, words)
      await toldPrivately(h, ADA, new RegExp(`${words}$`))
      return { act: () => as().mention(DOCS, "yes"), count: asked(words) }
    },
  },
  {
    name: "yes in a command",
    prepare: async (n) => {
      const words = `glossary ${n + 1000}`
      await slash(words)
      return { act: () => slash("yes"), count: asked(words) }
    },
  },
  request(
    "a short text, which makes the bot ask, and the yes to it",
    (n) => `index ${n}`,
    async (words) => {
      await slash(words)
      await slash("yes")
    },
  ),
  {
    name: "Run anyway",
    prepare: async (n) => {
      const words = `changelog ${n}`
      const { shown } = await slash(words)
      if (!shown) throw new Error("The bot asked nothing")
      return { act: () => as().click(shown, "run_anyway"), count: asked(words) }
    },
  },
  {
    name: "Run again",
    prepare: async (n) => {
      const { root, card, state } = await waiting(`run again soon: ${n}`)
      await as().click(card, "cancel")
      const ended = await botSays(h, /Cancelled/, { thread: root.ts })
      const count: Count = async () => ((await state())?.state === "queued" ? 1 : 0)
      return { act: () => as().click(ended, "run_again"), count }
    },
  },
  {
    name: "the answer to forget-me",
    prepare: async (n) => {
      const words = `forget this soon: ${n}`
      await slash(words)
      const { shown } = await slash("forget-me")
      if (!shown) throw new Error("The bot asked nothing")
      const count: Count = async () => ((await jobsWith(words)).length === 0 ? 1 : 0)
      return { act: () => as().click(shown, "forget_me"), count }
    },
  },
  {
    name: "Resume",
    prepare: async () => {
      const [project = ""] = h.services.front.settings.projects.keys
      const { health } = h.services.work
      await health.change(project, () => ({ reason: "restored", since: 1, until: "ever" }))
      const count: Count = async () => ((await health.read(project)).until === "ever" ? 0 : 1)
      return { act: () => press("resume", project), count }
    },
  },
  {
    name: "subscribe",
    prepare: async () => {
      await visitors("unsubscribe daily")
      const said = saidFromNow(/turned on the daily/)
      const listed = async () => (await visitors("subscriptions")).shown?.text.includes("Daily")
      const count: Count = async () => ((await listed()) ? Math.max(1, await said()) : 0)
      return { act: () => visitors("subscribe daily"), count }
    },
  },
  {
    name: "unsubscribe",
    prepare: async () => {
      await visitors("subscribe weekly")
      await h.slack.until(() => saidOften(/turned on the weekly/) > 0)
      const count = saidFromNow(/turned off the weekly/)
      return { act: () => visitors("unsubscribe weekly"), count }
    },
  },
  toggle("results", slash, "results here"),
  toggle("feedback", visitors, "reader feedback"),
  share("what came of the requests", () => slash("report today"), /pull request/, "share_outcomes"),
  share("the visitors", () => visitors("7d"), /^Docs visitors/, "visitors_share"),
  {
    name: "Run it in a direct message",
    prepare: async (n) => {
      const words = `write elsewhere about the number ${n}`
      const elsewhere = () => as().slash(RANDOM, "/docs-agent", words)
      const refused = await privately(elsewhere, /can't post/)
      const isSent = ({ job }: { job: { channel: string } }) => job.channel !== RANDOM
      const count: Count = async () => (await jobsWith(words)).filter(isSent).length
      return { act: () => as().click(refused, "run_in_direct"), count }
    },
  },
  {
    name: "Allow 10 more",
    prepare: async (n) => {
      const [project = ""] = h.services.front.settings.projects.keys
      const most = async () => (await readMonth(h.services.work.store, project, 100))?.most ?? 0
      const before = await most()
      const count: Count = async () => ((await most()) - before) / 10
      const notice = `${monthOf(Date.now())}.notice-${n}`
      return { act: () => press("allow_ten_more", `${project} ${notice}`), count }
    },
  },
  {
    name: "alert on and off",
    prepare: async (n) => {
      const turn = n % 2 === 0 ? "on" : "off"
      if (turn === "off") await visitors("alert on")
      const listed = async () => (await visitors("alert list")).shown?.text ?? ""
      const before = await listed()
      const count: Count = async () => ((await listed()) === before ? 0 : 1)
      return { act: () => visitors(`alert ${turn}`), count }
    },
  },
]

/** Answers that tell a person that something was not, or perhaps not, done. */
const REFUSED = /Something's wrong on my end|taking longer than usual|Not processed/

const told = () => h.slack.ephemerals(ADA).filter(({ text }) => REFUSED.test(text)).length

test.each(ACTIONS)(
  "$name is done once or refused aloud, whichever reply is lost",
  async ({ prepare }) => {
    const lost: string[] = []
    for (let n = 1; ; n += 1) {
      const { act, count } = await prepare(n)
      const before = told()
      const redis = h.services.requestRedis
      if (!("stream" in redis)) throw new Error("Not a single server")
      await redis.ping()
      const wasLost = proxy.loseReply(redis.stream.localPort ?? 0, n)
      await act()
      const isLost = wasLost()
      const settled = async () => (await count()) === 1 || told() > before
      await expect
        .poll(settled, { timeout: 10_000 })
        .toBe(true)
        .catch(() => lost.push(`at ${n}`))
      const often = await count()
      if (often > 1) lost.push(`${often} times at ${n}`)
      if (!isLost) break
      if (n > 40) throw new Error("More commands than expected")
    }
    expect(lost).toEqual([])
  },
)
