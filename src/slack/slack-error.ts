export interface SlackFault {
  /**
   * - `give_up`: Slack refuses this for good (channel gone, bot removed, bad blocks)
   * - `later`: Slack certainly did not do it but may later (rate limit, rejected token, offline)
   * - `unknown`: no clear answer came; Slack may have done it
   */
  verdict: "give_up" | "later" | "unknown"
  /** Slack's error code, such as `channel_not_found`, or the bot's own for a transport fault. */
  code: string
  retryAfterMs?: number | undefined
}

export class SlackError extends Error implements SlackFault {
  override name = "SlackError"
  readonly method: string
  readonly verdict: SlackFault["verdict"]
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor(facts: SlackFault & { method: string }, options?: ErrorOptions) {
    super(`${facts.method}: ${facts.code}`, options)
    this.method = facts.method
    this.verdict = facts.verdict
    this.code = facts.code
    this.retryAfterMs = facts.retryAfterMs
  }
}

export function refusalOf(call: Promise<unknown>): Promise<SlackError | undefined> {
  return call.then(() => undefined, orSlackError)
}

/** Returns a `SlackError` as a value, for callers that handle it. @throws any other error */
export function orSlackError(error: unknown): SlackError {
  if (error instanceof SlackError) return error
  throw error
}
