import { dice } from "../helpers/dice.ts"
import type { Mishap } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

/** Fraction of each service's calls that fail, over all kinds of failure. */
const SHARE = 0.05

const SLACK_MISHAPS: readonly Mishap[] = [
  { kind: "rate_limited", retryAfter: 1 },
  { kind: "rate_limited" },
  { kind: "status", status: 500 },
  { kind: "html" },
  { kind: "malformed" },
  { kind: "error", error: "internal_error" },
  { kind: "reset", when: "before" },
  { kind: "reset", when: "after" },
  { kind: "timeout", when: "before" },
  { kind: "timeout", when: "after" },
]

const SERVICE_FAULTS = [
  { type: "rate_limited", retryAfter: 1 },
  { type: "status", status: 500 },
  { type: "status", status: 502, body: "html" },
  { type: "status", status: 500, when: "after" },
  { type: "body", text: '{"id":' },
  { type: "truncated" },
  { type: "reset", when: "before" },
  { type: "reset", when: "after" },
  { type: "hang", when: "before" },
  { type: "hang", when: "after" },
] as const

/** Fractions of creations that a gateway rejects, and of jobs that temporarily can't be read. */
const DISLIKED = 0.02
const UNREADABLE = 0.04
const UNREADABLE_POLLS = 8

/** Makes a fraction of calls fail in every way; a seed always selects the same calls. */
export function letItStorm({ slack, docs }: Pick<TestBed, "slack" | "docs">, seed: number) {
  const handles = [
    ...SLACK_MISHAPS.map((mishap, n) =>
      slack.fail({ ...mishap, probability: SHARE / SLACK_MISHAPS.length, seed: seed + n }),
    ),
    ...SERVICE_FAULTS.map((fault, n) =>
      docs.fail({
        ...fault,
        kind: ["create", "get", "message"],
        probability: SHARE / SERVICE_FAULTS.length,
        seed: seed + 100 + n,
      }),
    ),
    docs.fail({ type: "forbidden", kind: "create", probability: DISLIKED, seed: seed + 200 }),
  ]
  const chance = dice(seed + 201)
  const known = new Set<string>()
  docs.subscribe((event) => {
    if (event.type !== "job" || known.has(event.job.id)) return
    known.add(event.job.id)
    const fault = { type: "forbidden", kind: "get", times: UNREADABLE_POLLS } as const
    if (chance.chance(UNREADABLE)) handles.push(docs.fail({ ...fault, jobId: event.job.id }))
  })
  return { struck: () => handles.reduce((sum, { hits }) => sum + hits, 0) }
}
