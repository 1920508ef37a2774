import { expect, it } from "vitest"
import { quiet, refusal, useLocalSlack } from "../helpers/local-slack.ts"
import { DOCS, LEADS } from "../sandbox/slack/index.ts"

const h = useLocalSlack()

async function postMany(count: number, thread_ts?: string): Promise<string[]> {
  const sent: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const message = { channel: DOCS, text: `${n}`, ...quiet }
    const posted = await h.client.chat.postMessage(thread_ts ? { ...message, thread_ts } : message)
    sent.push(String(posted.ts))
  }
  return sent
}

const textsOf = (messages: { text?: string }[] | undefined) => messages?.map((one) => one.text)

it("pages through a channel, newest first, without replies", async () => {
  const [first] = await postMany(5)
  await postMany(2, first)
  const page = await h.client.conversations.history({ channel: DOCS, limit: 3 })
  expect(textsOf(page.messages)).toEqual(["5", "4", "3"])
  const cursor = String(page.response_metadata?.next_cursor)
  const rest = await h.client.conversations.history({ channel: DOCS, limit: 3, cursor })
  expect(textsOf(rest.messages)).toEqual(["2", "1"])
  expect(rest).toMatchObject({ has_more: false, messages: [{}, { reply_count: 2 }] })
  const lost = h.client.conversations.history({ channel: DOCS, cursor: "nowhere" })
  expect(await refusal(lost)).toBe("invalid_cursor")
})

it("cuts a channel's and a thread's messages by time", async () => {
  const [oldest = "", , latest = ""] = await postMany(3)
  const between = await h.client.conversations.history({ channel: DOCS, oldest, latest })
  expect(textsOf(between.messages)).toEqual(["2"])
  const range = { channel: DOCS, oldest, latest, inclusive: true }
  expect(textsOf((await h.client.conversations.history(range)).messages)).toEqual(["3", "2", "1"])
  const [, second = ""] = await postMany(3, oldest)
  const tail = { channel: DOCS, ts: oldest, oldest: second }
  expect(textsOf((await h.client.conversations.replies(tail)).messages)).toEqual(["1", "3"])
})

it("reads a thread from its earliest message on, also where a range or a page cuts it", async () => {
  const [root = ""] = await postMany(1)
  const replies = await postMany(6, root)
  const read = (more: object) =>
    h.client.conversations.replies({ channel: DOCS, ts: root, limit: 3, ...more })
  const latest = String(replies[4])
  const first = await read({ latest })
  expect(textsOf(first.messages)).toEqual(["1", "1", "2"])
  expect(first.has_more).toBe(true)
  const next = await read({ latest, cursor: first.response_metadata?.next_cursor })
  expect(textsOf(next.messages)).toEqual(["3", "4"])
  expect(next.has_more).toBe(false)
  // The result includes the root; only a range with `oldest` reaches the end of the thread.
  expect(textsOf((await read({ oldest: replies[3] })).messages)).toEqual(["1", "5", "6"])
  expect(await refusal(read({ latest: "soon" }))).toBe("invalid_ts_latest")
})

it("reads nothing the bot is not in", async () => {
  const history = (channel: string) => refusal(h.client.conversations.history({ channel }))
  h.slack.setBotMembership(DOCS, false)
  expect(await history(DOCS)).toBe("not_in_channel")
  expect(await history(LEADS)).toBe("channel_not_found")
})
