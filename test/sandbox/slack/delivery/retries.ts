import type { Acknowledgement, RetryReason } from "./delivery.ts"

type Attempt = (number: number, reason: RetryReason) => Promise<Acknowledgement>

/** Creates retries after waits of `delaysMs`; Slack's are about 0, 60,000 and 300,000. */
export function createRetries(delaysMs: readonly number[]) {
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
    /** Retries later, once per delay at most, until an attempt is acknowledged. */
    schedule: (answer: Acknowledgement, attempt: Attempt) => plan(answer, attempt, 1),
    /** Number of events with a retry scheduled or in progress. */
    get ahead() {
      return ahead
    },
    close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
