import type { WaitReason } from "../jobs/queue-ports.ts"
import { clockTime } from "./mrkdwn.ts"

/** Why a waiting job does not start, in one line. @param nextTry ms, where it is known */
export function pauseLine(reason: WaitReason, nextTry?: number): string {
  const when = nextTry === undefined ? "" : ` · next try around ${clockTime(nextTry)}`
  switch (reason) {
    case "catching_up":
      return ":hourglass_flowing_sand: *Starting soon* · catching up on the last hour after a restart"
    case "rate_limited":
      return `:hourglass_flowing_sand: *Hourly limit used up* outside this bot${when}`
    case "outage":
      return `:hourglass_flowing_sand: *The documentation service isn't responding*${when}`
    case "key_refused":
      return ":warning: *Paused:* the service rejected the API key."
    case "forbidden":
      return ":warning: *Paused:* the API key isn't allowed to start jobs."
  }
}

/** What becomes of a request that a pause without an end holds up, as a sentence of its own. */
export function waitsFor(reason: WaitReason): string {
  if (reason === "key_refused") return " Your request is safe and starts once the key is replaced."
  return reason === "forbidden" ? " Your request is safe and starts once that's fixed." : ""
}
