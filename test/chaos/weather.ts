import type { Fault } from "../sandbox/github/faults.ts"
import type { Mishap } from "../sandbox/slack/web-api/faults.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

/** The share of calls that fail, of each party, over all ways to fail. */
const SHARE = 0.05

const SLACK_MISHAPS: readonly Mishap[] = [
  { kind: "rate_limited", retryAfter: 1 },
  { kind: "rate_limited" },
  { kind: "status", status: 500 },
  { kind: "status", status: 503, body: "<html>Service Unavailable</html>" },
  { kind: "html" },
  { kind: "malformed" },
  { kind: "error", error: "internal_error" },
  { kind: "reset", when: "before" },
  { kind: "reset", when: "after" },
  { kind: "timeout", when: "before" },
  { kind: "timeout", when: "after" },
]

const SERVICE_FAULTS = [
  { type: "rate_limited" },
  { type: "rate_limited", retryAfter: { seconds: 1 } },
  { type: "rate_limited", retryAfter: { seconds: 1, as: "date" } },
  { type: "status", status: 500 },
  { type: "status", status: 502, body: "html" },
  { type: "status", status: 500, when: "after" },
  { type: "body", text: "<html>Welcome</html>", contentType: "text/html" },
  { type: "body", text: '{"id":' },
  { type: "truncated" },
  { type: "reset", when: "before" },
  { type: "reset", when: "after" },
  { type: "hang", when: "before" },
  { type: "hang", when: "after" },
] as const

/** A limit holds up every look for a second, so there are few of them. */
const LIMITED = { type: "secondary_limit", retryAfter: 1, probability: 0.002 } as const

const GITHUB_FAULTS: readonly Fault[] = [
  { ...LIMITED, status: 403 },
  { ...LIMITED, status: 429 },
  { type: "status", status: 500 },
  { type: "status", status: 502, body: "html" },
  { type: "status", status: 304, body: "empty" },
  { type: "body", text: '{"state":' },
  { type: "field", name: "state", value: "half open" },
  { type: "redirect" },
  { type: "delay", ms: 300 },
  { type: "reset" },
  { type: "hang" },
]

export interface Weather {
  struck(): { slack: number; service: number; github: number }
}

/** From now on calls fail in every way, a share of them, the same for the same seed and calls. */
export function letItStorm(
  { slack, docs, github }: Pick<TestBed, "slack" | "docs" | "github">,
  seed: number,
): Weather {
  const slackFaults = SLACK_MISHAPS.map((mishap, n) =>
    slack.fail({ ...mishap, probability: SHARE / SLACK_MISHAPS.length, seed: seed + n }),
  )
  const serviceFaults = SERVICE_FAULTS.map((fault, n) =>
    docs.fail({
      ...fault,
      kind: ["create", "get", "message", "preview", "update_status"],
      probability: SHARE / SERVICE_FAULTS.length,
      seed: seed + 100 + n,
    }),
  )
  const gitHubFaults = GITHUB_FAULTS.map((fault, n) =>
    github.fail({ probability: SHARE / GITHUB_FAULTS.length, ...fault, seed: seed + 200 + n }),
  )
  const sum = (handles: readonly { hits: number }[]) => handles.reduce((n, { hits }) => n + hits, 0)
  return {
    struck: () => ({
      slack: sum(slackFaults),
      service: sum(serviceFaults),
      github: sum(gitHubFaults),
    }),
  }
}
