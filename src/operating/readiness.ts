import type { Context } from "../jobs/context.ts"
import { raceAbort } from "../lib/time.ts"
import {
  gitHubLimited,
  noWorker,
  operatorBudgetLine,
  operatorLine,
  operatorNotice,
  redisFull,
} from "../messages/admin-notices.ts"
import { gitHubTroubles, limitInForce } from "../pulls/github-limit.ts"
import { currentTime } from "../store/script.ts"
import { readServerFacts } from "../store/server-state.ts"
import { waitingWithoutWorker } from "./missing-worker.ts"
import { openTroubles, reachedBudgets } from "./tell-admins.ts"

/** Conditions for the process to do its work; each returns the reason if it is not met. */
export type Checks = Record<string, () => Promise<string | undefined> | string | undefined>

/** Maximum wait in ms for a check: a load balancer asks often and gives up soon. */
const PATIENCE_MS = 1500

/**
 * Runs all checks at once. A check that fails or hangs becomes a reason itself. Leaves out
 * unreadable notices, because the checks already say why.
 * @param readNotices reads the problems that somebody has to fix but that don't stop the process
 */
export async function readiness(checks: Checks, readNotices: () => Promise<readonly string[]>) {
  const late = AbortSignal.timeout(PATIENCE_MS)
  const reading = raceAbort(late, readNotices(), []).catch(() => [])
  const results = Object.entries(checks).map(async ([name, check]) => {
    const checking = Promise.resolve().then(check)
    const reason = await raceAbort(late, checking, "isn't responding").catch((error: unknown) =>
      error instanceof Error ? error.message : "failed",
    )
    return [name, reason] as const
  })
  const unmet = (await Promise.all(results)).filter(([, reason]) => reason !== undefined)
  const notices = await reading
  const ready = unmet.length === 0
  return { ready, reasons: Object.fromEntries(unmet), ...(notices.length > 0 ? { notices } : {}) }
}

/** Lists what admins are told, in words for an operator. @param tokenHash of GitHub's token, if set */
export async function openNotices(context: Context, tokenHash?: string): Promise<string[]> {
  const { store, settings } = context
  const servers = await readServerFacts(store.redis)
  const idle = await waitingWithoutWorker(store)
  const notices = [
    ...(servers.some(({ isNearlyFull }) => isNearlyFull) ? [operatorLine(redisFull())] : []),
    ...(idle.waiting > 0 ? [operatorLine(noWorker(idle))] : []),
    ...(await openTroubles(context)).map(operatorNotice),
    ...(await reachedBudgets(context)).map((budget) => operatorBudgetLine(budget, settings)),
  ]
  if (tokenHash === undefined) return notices
  const limit = await limitInForce(store, tokenHash, await currentTime(store))
  if (limit) {
    const { says, next } = gitHubLimited(limit)
    notices.push(`${says}. ${next}`)
  }
  return [...notices, ...(await gitHubTroubles(store, tokenHash))]
}
