import { describe, expect, test } from "vitest"
import { newestReplies } from "../../src/slack/newest-replies.ts"

const HOUR = 3600
const DAY = 24 * HOUR
const BEGAN = 1_790_000_000

/** A thread whose replies come at these seconds after its root, read as Slack's document says. */
function thread(times: readonly number[], page = 999) {
  const stamps = times.map((time, n) => (BEGAN + 1 + time + n / 1e5).toFixed(6))
  const until = (Number(stamps.at(-1)) + DAY).toFixed(6)
  const reads: string[] = []
  const read = ({ oldest, latest }: { oldest: string | undefined; latest: string }) => {
    reads.push(oldest ?? "")
    const within = stamps.filter(
      (ts) => Number(ts) > Number(oldest ?? 0) && Number(ts) < Number(latest),
    )
    const root = { ts: `${BEGAN}.000000` }
    const messages = [root, ...within.slice(0, page - 1).map((ts) => ({ ts }))]
    const replyCount = stamps.length
    return Promise.resolve({ messages, hasMore: within.length > page - 1, replyCount })
  }
  return { stamps, until, reads, read }
}

const evenly = (count: number, over: number) =>
  Array.from({ length: count }, (_, n) => (n * over) / count)

describe("the newest messages of a thread", () => {
  test.each<[string, number[]]>([
    ["5,000 within a minute", evenly(5000, 60)],
    ["5,000 over a year", evenly(5000, 365 * DAY)],
    ["50,000 over a year", evenly(50_000, 365 * DAY)],
    ["5,000 in an hour and three a month later", [...evenly(5000, HOUR), 30 * DAY, 30 * DAY + 9]],
    [
      "a quiet year and then 4,000 in a day",
      [...evenly(1500, 365 * DAY), ...evenly(4000, DAY).map((t) => t + 365 * DAY)],
    ],
    [
      "more every day",
      Array.from({ length: 100 }, (_, day) => evenly(day, HOUR).map((t) => t + day * DAY)).flat(),
    ],
    [
      "less every day",
      Array.from({ length: 100 }, (_, day) =>
        evenly(100 - day, HOUR).map((t) => t + day * DAY),
      ).flat(),
    ],
    [
      "bursts with months between",
      [0, 90, 180].flatMap((day) => evenly(1800, HOUR).map((t) => t + day * DAY)),
    ],
  ])("are found in at most six reads: %s", async (_name, times) => {
    const { stamps, until, reads, read } = thread(times)
    const { messages, isWhole } = await newestReplies(read, { until })
    expect(reads.length).toBeLessThanOrEqual(6)
    expect(isWhole).toBe(false)
    expect(messages.at(-1)?.ts).toBe(stamps.at(-1))
    const found = messages.map(({ ts }) => ts)
    expect(found).toEqual(stamps.slice(-found.length))
  })

  test("are also found where a page holds fifteen", async () => {
    const { stamps, until, reads, read } = thread(evenly(400, DAY), 15)
    const { messages } = await newestReplies(read, { until })
    expect(reads.length).toBeLessThanOrEqual(6)
    expect(messages.at(-1)?.ts).toBe(stamps.at(-1))
  })

  test("of a short one come in one read, all of them", async () => {
    const { until, reads, read } = thread(evenly(300, DAY))
    const { messages, isWhole } = await newestReplies(read, { until })
    expect({ count: messages.length, isWhole, reads: reads.length }).toEqual({
      count: 301,
      isWhole: true,
      reads: 1,
    })
  })

  test("end in a bounded number of reads where the end is not found", async () => {
    let reads = 0
    const read = () => {
      reads += 1
      const messages = [{ ts: `${BEGAN}.000000` }, { ts: `${BEGAN + 1}.000000` }]
      return Promise.resolve({ messages, hasMore: true, replyCount: undefined })
    }
    const { messages } = await newestReplies(read, { until: `${BEGAN + 2}.000000` })
    expect(reads).toBe(6)
    expect(messages.length).toBeGreaterThan(0)
  })
})
