import { describe, expect, test } from "vitest"
import { COURTESIES, DOUBTFUL, REQUESTS } from "../../helpers/phrasings.ts"
import { botMessages, botSays, buttonsOf, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, ADA_DM, DOCS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ env: { MAX_QUEUED_PER_USER: "500" } })
type TestBed = Awaited<ReturnType<typeof testBed>>

/** Each way to say something to the bot, as Slack signs it. */
const WAYS = {
  slash: async (h: TestBed, words: string) => {
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
  },
  mention: async (h: TestBed, words: string) => {
    await h.slack.as(ADA).mention(DOCS, words)
  },
  "direct message": async (h: TestBed, words: string) => {
    await h.slack.as(ADA).directMessage(words)
  },
} as const

const jobsOf = (h: TestBed) => h.services.jobs.ofUser(ADA, 500)

/** What the bot has said to this person alone. */
function answers({ slack }: TestBed) {
  return [...slack.ephemerals(ADA), ...botMessages(slack, ADA_DM)]
}

async function promptsOf(h: TestBed): Promise<(string | undefined)[]> {
  const jobs = await jobsOf(h)
  return Promise.all(jobs.map(async ({ id }) => (await h.services.jobs.prompt(id))?.words))
}

describe.each(Object.entries(WAYS))("by %s", (_, say) => {
  test("what is no request spends no job, and each is answered with a way to ask", async () => {
    const h = await testBed()
    for (const words of [...COURTESIES, ...DOUBTFUL]) await say(h, words)
    const said = COURTESIES.length + DOUBTFUL.length
    await h.slack.until(() => answers(h).length === said)
    expect(await jobsOf(h)).toEqual([])
    expect(h.docs.creations).toEqual([])
    expect(botMessages(h.slack, DOCS)).toEqual([])
    for (const answer of answers(h))
      expect(buttonsOf(answer).filter((b) => /open_ask|run_anyway/.test(b))).toHaveLength(1)
  })

  test("no request that begins like one is lost or asked about", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    for (const words of REQUESTS) await say(h, words)
    // Events are answered before their work is done.
    await expect
      .poll(async () => (await jobsOf(h)).length, { timeout: 20_000 })
      .toBe(REQUESTS.length)
    expect(new Set(await promptsOf(h))).toEqual(new Set(REQUESTS))
  })
})

test("in doubt one click starts the job, and the question is gone", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "cancel subscriptions")
  if (!asked.shown) throw new Error("nothing was shown")
  expect(asked.shown.text).toBe("Start a job with this? cancel subscriptions")
  await h.slack.as(ADA).click(asked.shown, "run_anyway")
  await botSays(h, /request ready/)
  expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual(["cancel subscriptions"])
  expect(h.slack.ephemerals(ADA)).toEqual([])
})

describe("in the thread of a job that has its pull request", () => {
  async function ready() {
    const h = await testBed()
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
    const { threadTs: thread } = await botSays(h, /<@U0ADA00001> Pull request ready/)
    return { h, thread, say: (words: string) => h.slack.as(ADA).mention(DOCS, words, { thread }) }
  }

  test.each(["retry", "Retry!", "try again please"])("%s asks first", async (words) => {
    const { h, say, thread } = await ready()
    await say(words)
    const question = await toldPrivately(h, ADA, /Run this again\?/)
    expect(question.threadTs).toBe(thread)
    expect(h.docs.creations).toHaveLength(1)
    await h.slack.as(ADA).click(question, "retry_anyway")
    await docsUntil(h, (docs) => docs.creations.length === 2)
    await h.slack.until((s) => s.ephemerals(ADA).length === 0)
  })

  test.each(["thanks!", "Perfect, thank you so much", "👍"])(
    "%s is no follow-up",
    async (words) => {
      const { h, say } = await ready()
      await say(words)
      await toldPrivately(h, ADA, /welcome|Noted/)
      expect(await jobsOf(h)).toHaveLength(1)
    },
  )

  test("thanks with a wish is one", async () => {
    const { h, say } = await ready()
    await say("thanks, now add an example")
    await expect.poll(async () => (await jobsOf(h)).length, { timeout: 20_000 }).toBe(2)
  })
})
