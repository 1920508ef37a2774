import { expect, test } from "vitest"
import { judge, type Loss, type Post, type Records, type Sent } from "../chaos/judge.ts"
import { judgeLosses } from "../chaos/losses.ts"
import { broken } from "../chaos/outcome.ts"
import { promptOf, type Request } from "../chaos/people.ts"
import { CAMPAIGN } from "../chaos/timing.ts"

// The crash campaign proves as much as its judge can see: each fault here is put in on purpose.

const MADE = 12
const LOSS: Loss = { since: 6400, until: 6500, held: `${promptOf(7)}, job-8, ${promptOf(9)}` }

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

/** Result that names its pull request. */
const READY = (n: number) => `Your pull request is ready: #${n}`
const NUMBERS = Array.from({ length: MADE }, (_, n) => n + 1)

/** Records of a campaign in which everybody was told of a pull request. */
const GOOD: Records = {
  requests: NUMBERS.map((n) => requestOf(n)),
  acknowledged: new Set(),
  posts: NUMBERS.flatMap((n) => [postOf(n, "card", "Done"), postOf(n, "result 1", READY(n))]),
  sent: NUMBERS.map(sentOf),
  losses: [],
}
const withRequests = (...more: Request[]) => ({ ...GOOD, requests: [...GOOD.requests, ...more] })
const withPost = (post: Post) => ({ ...GOOD, posts: [...GOOD.posts, post] })
const withSent = (...more: Sent[]) => ({ ...GOOD, sent: [...GOOD.sent, ...more] })

function without(records: Records, n: number, since: "queued" | "sent"): Records {
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
  return broken({ made, verdict, kills: new Map(), ...rest }, { history: true })
}

const PROOF = "proof: "
const lost = (n: number) => `lost: ${promptOf(n)}`
const createdTwice = (n: number) => `createdTwice: ${promptOf(n)}$`
const UNHEARD = withRequests(requestOf(99, { accepted: false }))
const toldAgain = (part: string) => withPost({ ...postOf(4, part, READY(4)), ts: "4.9" })
const sentAgain = (jobId: string) => withSent({ ...sentOf(3), jobId, at: 60_000 })
const together = (...of: number[]) => ({ ...sentOf(3), prompt: of.map(promptOf).join("\n") })
const failed = { ...sentOf(2), ending: "failed" } as const
const cancelled = (post: Post) => ({ ...post, text: "Cancelled by Ada" })

test.each<[what: string, records: Records, faults: string[]]>([
  ["requests that are each told once", GOOD, []],
  ["one that waited, and was never told", without(GOOD, 5, "queued"), [lost(5), PROOF]],
  ["one that ran, and was never told", without(GOOD, 5, "sent"), [lost(5), PROOF]],
  ["a mention that nobody acknowledged", UNHEARD, []],
  [
    "an acknowledged mention without any answer",
    { ...UNHEARD, acknowledged: new Set([promptOf(99)]) },
    [lost(99), PROOF],
  ],
  [
    "emptyings of Redis that explain nearly everything",
    { ...GOOD, posts: [], sent: [], losses: [{ ...LOSS, held: NUMBERS.map(promptOf).join() }] },
    [`proof: 0 told of 0 expected, ${MADE} accepted, ${MADE} made`],
  ],
  [
    "few requests accepted",
    { ...GOOD, requests: NUMBERS.map((n) => requestOf(n, { accepted: n <= MADE / 2 })) },
    ["proof: 6 told"],
  ],
  ["a result told twice in the same words", toldAgain("result 1"), ["saidTwice: job-4"]],
  ["a result told twice, as of another round", toldAgain("result 2"), ["saidTwice: job-4"]],
  ["a second card", toldAgain("card"), ["saidTwice: job-4 card$"]],
  ["a request sent as another job", sentAgain("agent-99"), [createdTwice(3)]],
  ["a request sent as a message to its own job", sentAgain("agent-3"), [createdTwice(3)]],
  ["a follow-up in two messages", withSent(together(20, 21), together(21, 22)), [createdTwice(21)]],
  [
    "a wrong result",
    { ...GOOD, sent: GOOD.sent.map((one) => (one.jobId === failed.jobId ? failed : one)) },
    [`toldWrong: ${promptOf(2)}`],
  ],
  [
    "work that was canceled in time",
    { ...GOOD, posts: GOOD.posts.map((one) => (one.job === "job-6" ? cancelled(one) : one)) },
    [`sentAlthoughCancelled: ${promptOf(6)}$`],
  ],
])("a campaign is judged: %s", (_, records, faults) => {
  const found = faultsIn(records)
  expect(found).toEqual(faults.map((begins) => expect.stringMatching(`^${begins}`)))
})

test("an emptying of Redis explains only what Redis held", () => {
  const taken = without(without(GOOD, 7, "queued"), 8, "sent")
  const records = { ...taken, losses: [LOSS] }
  // Number 8 was sent after the emptying, so the emptying can't have taken its job away.
  expect(judge(records)).toMatchObject({ forgiven: [1], lost: [expect.stringContaining("00008")] })
  const later = { ...records, losses: [LOSS, { ...LOSS, since: 8400, until: 8500 }] }
  expect(judge(later)).toMatchObject({ forgiven: [1, 1], lost: [] })
  expect(faultsIn(later)).toEqual([])
  // Number 8 may have been sent before the emptying, of which the answer came later.
  const meanwhile = { ...records, losses: [LOSS, { ...LOSS, since: 7900, until: 8100 }] }
  expect(judge(meanwhile)).toMatchObject({ forgiven: [1, 1], lost: [] })
  // Accepted before both, but Redis no longer knew of it.
  const lost = without(later, 5, "sent")
  expect(judge(lost)).toMatchObject({ forgiven: [1, 1], lost: [expect.stringContaining("00005")] })
})

/** Judges creations around an emptying of Redis, which then counts `counted` of them. */
function afterLoss(at: readonly number[], workersLostAt: readonly number[] = [], counted = 9) {
  const creations = at.map((at) => ({ at, prompt: `at ${at}`, projectId: "site" }))
  const docs = { url: "http://docs.example", projects: [{ id: "site" }], creations }
  const fleet = { losses: [LOSS], workersLostAt: [...workersLostAt] }
  return judgeLosses(fleet, { docs, redis: { zcard: async () => counted } })
}

test("after an emptying of Redis nothing may start within a wait that began at any moment of it", async () => {
  const { since, until } = LOSS
  const [onItsWay, waitedOut] = [until + 3000, since + CAMPAIGN.coldMs]
  const { startedTooEarly } = await afterLoss([
    since,
    until,
    onItsWay,
    onItsWay + 1,
    waitedOut - 1,
    waitedOut,
  ])
  expect(startedTooEarly).toEqual([`at ${onItsWay + 1}`, `at ${waitedOut - 1}`])
})

test("the hour must know what was created, unless the worker died before a wait that began with the answer was over", async () => {
  const reported = LOSS.until + CAMPAIGN.coldMs
  const forgotten = async (...workersLostAt: number[]) =>
    (await afterLoss([LOSS.since - 10, reported + 1], workersLostAt, 1)).forgottenByTheHour
  const FORGOTTEN = [expect.stringContaining("1 of 2")]
  expect(await forgotten()).toEqual(FORGOTTEN)
  expect(await forgotten(reported)).toEqual(FORGOTTEN)
  expect(await forgotten(reported - 1)).toEqual([])
  expect(await forgotten(LOSS.since - 10)).toEqual(FORGOTTEN)
})

test("requests that one Cancel takes back leave their card to the others, unless nobody took them back", () => {
  const names = [20, 21, 22].map(promptOf)
  const posts = [
    ...GOOD.posts,
    { ...postOf(20, "card", "Done"), names },
    postOf(20, "result 1", READY(20)),
  ]
  const sent = [...GOOD.sent, { ...sentOf(22), at: 20_000 }]
  const judged = (takenBack: boolean) => {
    const follow = (n: number, more: Partial<Request> = {}) =>
      requestOf(n, { follows: requestOf(3), saidAt: 100, ...more })
    const asked = [follow(20, { takenBack }), follow(21, { takenBack }), follow(22)]
    return judge({ ...withRequests(...asked), posts, sent })
  }
  expect(judged(true)).toMatchObject({ lost: [], saidTwice: [], toldWrong: [], told: MADE + 3 })
  expect(judged(false).lost).toEqual([expect.stringContaining(promptOf(21))])
})

test("follow-ups are asked, and quoted as earlier work, in the order in which they were said", () => {
  const said = [30, 31, 32, 33].map((n) => requestOf(n, { follows: requestOf(3), saidAt: n }))
  const outOfOrder = (asked: number[], quoted: number[] = []) => {
    const lines = [...asked.map(promptOf), ...quoted.map((n) => `> ${promptOf(n)}`)]
    const records = { ...withRequests(...said), sent: [{ ...sentOf(3), prompt: lines.join("\n") }] }
    return judge(records).outOfOrder.length > 0
  }
  expect(outOfOrder([30, 31])).toBe(false)
  expect(outOfOrder([31, 30])).toBe(true)
  expect(outOfOrder([32, 33], [3, 30, 31])).toBe(false)
  expect(outOfOrder([32], [31, 30])).toBe(true)
})
