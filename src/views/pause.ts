import type { WaitReason } from "../jobs/ports.ts"

/** Why a waiting job does not start, in one line. */
export const PAUSED: Record<WaitReason, string> = {
  catching_up:
    ":hourglass_flowing_sand: *Starting soon*  ·  catching up on the last hour after a restart",
  rate_limited:
    ":hourglass_flowing_sand: Waiting: the documentation service has no jobs left this hour, as others spend the same quota. Goes on by itself.",
  outage:
    ":hourglass_flowing_sand: Waiting: the documentation service does not answer. Goes on by itself.",
  key_refused:
    ":hourglass_flowing_sand: Waiting: the documentation service refuses the bot's key. An admin has to see to it; nothing is lost.",
  forbidden:
    ":hourglass_flowing_sand: Waiting: the bot's key is not allowed to start jobs. An admin has to see to it; nothing is lost.",
}
