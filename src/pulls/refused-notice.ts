import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { QueueStore } from "../jobs/queue-ports.ts"
import type { PullRef } from "../ports/github.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"

/** As long as such trouble is likely to be remembered, ms. */
const TOLD_MS = 30 * 86_400_000

interface RefusedNoticeDeps {
  queue: Pick<QueueStore, "once" | "undo">
  outbound: Pick<Outbound, "direct">
  admins: ReadonlySet<string>
  /** Fingerprint of the token: admins are told again about another one. */
  tokenFingerprint: string
  view: (what: "token" | "repository", ref: PullRef) => Message
  log: (what: "token" | "repository", ref: PullRef) => void
}

/** Tells the log and each admin once that GitHub refuses the token, or to read a repository. */
export function createRefusedNotice(deps: RefusedNoticeDeps) {
  return async (what: "token" | "repository", ref: PullRef): Promise<void> => {
    const about = what === "token" ? "token" : `${ref.owner}/${ref.repo}`.toLowerCase()
    const task = (to: string) => `told:github:${deps.tokenFingerprint}:${about}:${to}`
    if (await deps.queue.once(task("log"), TOLD_MS)) deps.log(what, ref)
    for (const admin of deps.admins) {
      if (!(await deps.queue.once(task(admin), TOLD_MS))) continue
      const told = await deps.outbound.direct(admin, deps.view(what, ref)).catch(orSlackError)
      if (told instanceof SlackError && told.verdict === "later") await deps.queue.undo(task(admin))
    }
  }
}
