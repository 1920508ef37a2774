import { afterEach, expect, test, vi } from "vitest"
import { type DeliveryDeps, deliveryPass } from "../../src/jobs/deliver.ts"
import type { DeliveryResult } from "../../src/jobs/worker-ports.ts"
import { InFlight } from "../../src/runtime/in-flight.ts"
import { aJob } from "../helpers/job.ts"

const message = { text: "words", blocks: [] }
const unexpected = async (): Promise<never> => {
  throw new Error("not expected here")
}

afterEach(() => void vi.useRealTimers())

/** One job with something to say; waiting for Slack's turn takes `turnMs` of simulated time. */
function announcing(turnMs: number, job = aJob()) {
  vi.useFakeTimers({ toFake: ["performance"] })
  const posted: string[] = []
  const said: DeliveryResult[] = []
  const deps: DeliveryDeps = {
    outbox: {
      claim: async () => [{ lease: 30_000, job, prompt: { words: "fix it" }, isAnswer: false }],
      cardPosted: async () => {},
      savePrompt: async () => true,
      settle: async (_, result) => void said.push(result),
      rateLimit: async () => {
        vi.advanceTimersByTime(turnMs)
        return 0
      },
    },
    outbound: {
      post: async (to) => {
        posted.push(to.channel)
        return { ts: "1.1" }
      },
      update: unexpected,
      find: unexpected,
      respond: unexpected,
      direct: unexpected,
      postEphemeral: unexpected,
    },
    jobs: { endQueued: unexpected, replyUrl: unexpected },
    views: {
      card: () => message,
      closing: () => message,
      cannotPost: () => message,
      reminder: () => message,
      unreadFiles: () => message,
    },
    readers: { readTalk: unexpected, readFile: unexpected },
    places: async () => new Map(),
    projects: [],
    gitHubHost: "github.com",
    postWithinMs: 15_000,
    forceStop: new AbortController().signal,
    inFlight: new InFlight(),
    onFailed: (_, error) => {
      throw error
    },
  }
  return { deps, posted, said }
}

test("what was claimed is posted", async () => {
  const { deps, posted } = announcing(0)
  await deliveryPass(deps)
  expect(posted).toEqual(["C1"])
})

test("a store that was away after the claim may have given the job to another: nothing is posted", async () => {
  const { deps, posted, said } = announcing(20_000)
  await deliveryPass(deps)
  expect(posted).toEqual([])
  expect(said).toEqual([{ sure: "untried", againMs: 0 }])
})

test.each([
  ["card", { rev: 2 }],
  ["closing reply", { later: { rev: 1, shown: 0 }, shown: { rev: 1 } }],
])(
  "nor is a %s edited, which may be newer by then than what this worker knows",
  async (_, news) => {
    const ended = { state: "ended", ending: "pull_request", card: "1.1", closing: "1.2" } as const
    const { deps, said } = announcing(20_000, aJob({ ...ended, ...news }))
    await deliveryPass(deps)
    expect(said).toEqual([{ sure: "untried", againMs: 0 }])
  },
)
