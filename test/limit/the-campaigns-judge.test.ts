import { expect, test } from "vitest"
import { judge, type Loss, type Post, type Records, type Sent } from "../chaos/judge.ts"
import { broken } from "../chaos/outcome.ts"
import { promptOf, type Request } from "../chaos/people.ts"

// The crash campaign proves as much as its judge can see: each fault here is put in on purpose.

const MADE = 12
const LOSS: Loss = { at: 6500, held: `${promptOf(7)}, job-8, ${promptOf(9)}` }

const requestOf = (n: number, more: Partial<Request> = {}): Request => ({
  prompt: promptOf(n),
  user: "U1",
  channel: "C1",
  accepted: true,
  ...more,
})
const postOf = (n: number, part: string, text: string): Post => ({
  job: `job-${n}`,
  part,
  text,
  ts: `${n}.5${part.length}`,
  names: part === "card" ? [promptOf(n)] : [],
})
const sentOf = (n: number): Sent => ({
  prompt: `You write docs. ${promptOf(n)}`,
  jobId: `agent-${n}`,
  at: n * 1000,
  ending: "pull_request",
})

/** Returns the records of a campaign in which everybody was told of a pull request. */
function goodRecords(): Records {
  const numbers = Array.from({ length: MADE }, (_, n) => n + 1)
  return {
    requests: numbers.map((n) => requestOf(n)),
    acknowledged: new Set(),
    posts: numbers.flatMap((n) => [
      postOf(n, "card", "Done"),
      postOf(n, "result 1", `Your pull request is ready: #${n}`),
    ]),
    sent: numbers.map(sentOf),
    losses: [],
  }
}

function without(records: Records, n: number, { since }: { since: "queued" | "sent" }): Records {
  return {
    ...records,
    posts: records.posts.filter(({ job, part }) => job !== `job-${n}` || part === "card"),
    sent: records.sent.filter(({ jobId }) => since === "sent" || jobId !== `agent-${n}`),
  }
}

/** Returns what the campaign would print as broken. */
function faultsIn(records: Records): string[] {
  const [made, verdict] = [records.requests.length, judge(records)]
  const rest = {
    crashes: 0,
    struck: 0,
    violations: [],
    afterLoss: { forgottenByTheHour: [], startedTooEarly: [] },
    dir: "",
  }
  const kills = { web: 0, "worker 1": 0, "worker 2": 0, "worker 3": 0, redis: 0 }
  return broken({ made, verdict, kills, ...rest }, { history: true })
}

test("a campaign in which each request is told once has no faults", () => {
  expect(faultsIn(goodRecords())).toEqual([])
})

test.each([
  ["that waited", "queued"],
  ["that ran", "sent"],
] as const)("a request %s and was never told is lost", (_, since) => {
  const records = without(goodRecords(), 5, { since })
  expect(judge(records)).toMatchObject({ accepted: MADE, told: MADE - 1, forgiven: [] })
  expect(faultsIn(records)[0]).toMatch(/^lost: explain chapter 00005/)
})

test("an acknowledged mention without any answer is lost", () => {
  const records = goodRecords()
  const requests = [...records.requests, requestOf(99, { accepted: false })]
  expect(faultsIn({ ...records, requests })).toEqual([])
  const acknowledged = new Set([promptOf(99)])
  expect(judge({ ...records, requests, acknowledged }).lost).toHaveLength(1)
})

test("an emptying of Redis explains only what Redis held", () => {
  const taken = without(without(goodRecords(), 7, { since: "queued" }), 8, { since: "sent" })
  const records = { ...taken, losses: [LOSS] }
  // Number 8 was sent after the emptying, so the emptying can't have taken its job away.
  expect(judge(records)).toMatchObject({ forgiven: [1], lost: [expect.stringContaining("00008")] })
  const later = { ...records, losses: [LOSS, { ...LOSS, at: 8500 }] }
  expect(judge(later)).toMatchObject({ forgiven: [1, 1], lost: [] })
  expect(faultsIn(later)).toEqual([])
  // Accepted before both, but Redis no longer knew of it.
  const lost = without(later, 5, { since: "sent" })
  expect(judge(lost)).toMatchObject({ forgiven: [1, 1], lost: [expect.stringContaining("00005")] })
})

test("a campaign whose emptyings explain nearly everything proves nothing", () => {
  const numbers = Array.from({ length: MADE }, (_, n) => n + 1)
  const held = numbers.map(promptOf).join()
  const records = { ...goodRecords(), posts: [], sent: [], losses: [{ at: 0, held }] }
  expect(faultsIn(records)).toEqual([`proof: 0 told of 0 expected, ${MADE} accepted, ${MADE} made`])
})

test("a campaign that accepts few requests proves nothing", () => {
  const records = goodRecords()
  const requests = records.requests.map((one, n) => ({ ...one, accepted: n < MADE / 2 }))
  expect(faultsIn({ ...records, requests })).toEqual([expect.stringMatching(/^proof: 6 told/)])
})

test.each([
  ["in the same words", "result 1", "4.9"],
  ["as if it were of another round", "result 2", "4.9"],
])("a result that is told twice, %s, is seen", (_, part, ts) => {
  const records = goodRecords()
  const again = { ...postOf(4, part, "Your pull request is ready: #4"), ts }
  expect(faultsIn({ ...records, posts: [...records.posts, again] })).toEqual([
    expect.stringMatching(/^saidTwice: job-4/),
  ])
})

test("a second card is seen", () => {
  const records = goodRecords()
  const again = { ...postOf(4, "card", "Working"), ts: "9.9" }
  expect(judge({ ...records, posts: [...records.posts, again] }).saidTwice).toEqual(["job-4 card"])
})

test.each([
  ["as another job", "agent-99"],
  ["as a message to its own job", "agent-3"],
])("a request that is sent twice, %s, is seen", (_, jobId) => {
  const records = goodRecords()
  const sent = [...records.sent, { ...sentOf(3), jobId, at: 60_000 }]
  expect(faultsIn({ ...records, sent })).toEqual([`createdTwice: ${promptOf(3)}`])
})

test("a follow-up that two messages carry, each with another one, is sent twice", () => {
  const records = goodRecords()
  const message = (...numbers: number[]): Sent => ({
    ...sentOf(3),
    at: 60_000,
    prompt: numbers.map(promptOf).join("\n"),
  })
  const sent = [...records.sent, message(20, 21), message(21, 22)]
  expect(judge({ ...records, sent }).createdTwice).toEqual([promptOf(21)])
})

test("a wrong result, and work that was canceled in time, are seen", () => {
  const records = goodRecords()
  const failed = { ...sentOf(2), ending: "failed" as const }
  const sent = records.sent.map((words) => (words.jobId === failed.jobId ? failed : words))
  expect(judge({ ...records, sent }).toldWrong).toHaveLength(1)
  const posts = records.posts.map((post) =>
    post.job === "job-6" ? { ...post, text: "Cancelled by Ada" } : post,
  )
  expect(judge({ ...records, posts }).sentAlthoughCancelled).toEqual([promptOf(6)])
})

test("requests that one Cancel takes back leave their card to the others, unless nobody took them back", () => {
  const records = goodRecords()
  const names = [20, 21, 22].map(promptOf)
  const posts = [
    ...records.posts,
    { ...postOf(20, "card", "Done"), names },
    postOf(20, "result 1", "Your pull request is ready: #20"),
  ]
  const sent = [...records.sent, { ...sentOf(22), at: 20_000 }]
  const judged = (takenBack: boolean) => {
    const follow = (n: number, more: Partial<Request> = {}) =>
      requestOf(n, { follows: requestOf(3), saidAt: 100, ...more })
    const asked = [follow(20, { takenBack }), follow(21, { takenBack }), follow(22)]
    return judge({ ...records, posts, sent, requests: [...records.requests, ...asked] })
  }
  expect(judged(true)).toMatchObject({ lost: [], saidTwice: [], toldWrong: [], told: MADE + 3 })
  expect(judged(false).lost).toEqual([expect.stringContaining(promptOf(21))])
})
