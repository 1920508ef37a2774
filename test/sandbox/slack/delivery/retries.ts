import type { Acknowledgement, RetryReason } from "./delivery.ts"

type Attempt = (number: number, reason: RetryReason) => Promise<Acknowledgement>

export interface Retries {
  /** Tries again later, as often as the delays allow, until an attempt is acknowledged. */
  schedule(answer: Acknowledgement, attempt: Attempt): void
  /** Of how many events a retry is still to come, or under way. */
  readonly ahead: number
  close(): void
}

/** `delaysMs` are the waits before each retry; Slack's are about 0, 60,000 and 300,000. */
export function createRetries(delaysMs: readonly number[]): Retries {
  const timers = new Set<NodeJS.Timeout>()
  let ahead = 0
  let closed = false
  const plan = (answer: Acknowledgement, attempt: Attempt, number: number) => {
    const delay = delaysMs[number - 1]
    if (closed || answer.failure === undefined || delay === undefined) return
    const reason = answer.failure
    ahead += 1
    const timer = setTimeout(() => {
      timers.delete(timer)
      void attempt(number, reason).then((next) => {
        plan(next, attempt, number + 1)
        ahead -= 1
      })
    }, delay)
    timers.add(timer)
  }
  return {
    schedule: (answer, attempt) => plan(answer, attempt, 1),
    get ahead() {
      return ahead
    },
    close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
