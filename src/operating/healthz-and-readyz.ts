import type { Context } from "../jobs/context.ts"
import type { RequestHandler } from "../lib/http-server.ts"
import { raceAbort } from "../lib/time.ts"
import { faultNotice, type Notice, operatorLine } from "../messages/admin-notices.ts"
import { logUnlessAway, readServerFacts } from "../store/server-state.ts"
import { gitHubNotices, queueNotices } from "./find-troubles.ts"
import { workerNotices } from "./missing-worker.ts"

/** Conditions for the process to do its work; each returns the reason if it is not met. */
export type Checks = Record<string, () => Promise<string | undefined> | string | undefined>

/** Maximum wait in ms for a check: a load balancer asks often and gives up soon. */
const PATIENCE_MS = 1500

/** Answers `GET /healthz`: the process runs, whatever it can reach. */
export const answerHealthz: RequestHandler = (_, res) => {
  res.writeHead(200, { "content-type": "text/plain" }).end("alive\n")
}

/** Answers `GET /readyz`: 503 with the reasons while the process can't do its work. */
export function answerReadyz(
  context: Context,
  checks: Checks,
  tokenHash: string | undefined,
): RequestHandler {
  const unread = logUnlessAway(context.log, "couldn't read the notices for /readyz", [])
  const notices = () => openNotices(context, tokenHash).catch(unread)
  return async (_, res) => {
    const state = await readiness(checks, notices)
    res
      .writeHead(state.ready ? 200 : 503, { "content-type": "application/json" })
      .end(`${JSON.stringify(state)}\n`)
  }
}

/**
 * Runs all checks at once. A check that fails or hangs becomes a reason itself.
 * @param readNotices reads the problems that somebody has to fix but that don't stop the process
 */
export async function readiness(checks: Checks, readNotices: () => Promise<readonly Notice[]>) {
  const late = AbortSignal.timeout(PATIENCE_MS)
  const reading = raceAbort(readNotices(), late, [])
  const results = Object.entries(checks).map(async ([name, check]) => {
    const checking = Promise.resolve().then(check)
    const reason = await raceAbort(checking, late, "isn't responding").catch((error: unknown) =>
      error instanceof Error ? error.message : "failed",
    )
    return [name, reason] as const
  })
  const unmet = (await Promise.all(results)).filter(([, reason]) => reason !== undefined)
  const notices = (await reading).map(operatorLine)
  const ready = unmet.length === 0
  return { ready, reasons: Object.fromEntries(unmet), ...(notices.length > 0 ? { notices } : {}) }
}

/** Lists everything that somebody should know. @param tokenHash of GitHub's token */
async function openNotices(context: Context, tokenHash?: string): Promise<Notice[]> {
  const { store, settings } = context
  const servers = await readServerFacts(store.redis)
  return [
    ...(servers.some(({ isNearlyFull }) => isNearlyFull)
      ? [faultNotice("redis_full", settings)]
      : []),
    ...(await workerNotices(store)),
    ...(await queueNotices(context)),
    ...(tokenHash === undefined ? [] : await gitHubNotices(store, tokenHash, settings)),
  ]
}
