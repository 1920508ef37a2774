import type { DocsService } from "../sandbox/docs-service/service.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import type { Mishap } from "../sandbox/slack/web-api/faults.ts"

/** The share of calls that fail, on either side, over all ways to fail. */
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

export interface Weather {
  struck(): { slack: number; service: number }
}

/** From now on calls fail in every way, a share of them, the same for the same seed and calls. */
export function letItStorm(slack: LocalSlack, docs: DocsService, seed: number): Weather {
  const slackFaults = SLACK_MISHAPS.map((mishap, n) =>
    slack.fail({ ...mishap, probability: SHARE / SLACK_MISHAPS.length, seed: seed + n }),
  )
  const serviceFaults = SERVICE_FAULTS.map((fault, n) =>
    docs.fail({
      ...fault,
      kind: ["create", "get"],
      probability: SHARE / SERVICE_FAULTS.length,
      seed: seed + 100 + n,
    }),
  )
  const sum = (handles: readonly { hits: number }[]) => handles.reduce((n, { hits }) => n + hits, 0)
  return { struck: () => ({ slack: sum(slackFaults), service: sum(serviceFaults) }) }
}
