import { withTimeout } from "./time.ts"

/** One condition for the process to do its work: resolves to a reason if it is not met. */
export type Check = () => Promise<string | undefined> | string | undefined

interface Readiness {
  ready: boolean
  reasons: Record<string, string>
  /** Problems for a person to fix although the process can work; absent if there are none. */
  notices?: readonly string[]
}

/** Longest a check may take, ms: a load balancer asks often and gives up soon. */
const PATIENCE_MS = 1500

/**
 * Runs all checks at once. A check that fails or hangs becomes a reason itself. Leaves out
 * unreadable notices, because the checks already say why.
 */
export async function readiness(
  checks: Readonly<Record<string, Check>>,
  readNotices: () => Promise<readonly string[]>,
): Promise<Readiness> {
  const reasons: Record<string, string> = {}
  const none: readonly string[] = []
  const reading = withTimeout(
    PATIENCE_MS,
    readNotices().catch(() => none),
    () => none,
  )
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const reason = await withTimeout(PATIENCE_MS, attempt(check), () => "isn't responding")
      if (reason !== undefined) reasons[name] = reason
    }),
  )
  const notices = await reading
  const ready = Object.keys(reasons).length === 0
  return { ready, reasons, ...(notices.length > 0 ? { notices } : {}) }
}

async function attempt(check: Check): Promise<string | undefined> {
  try {
    return await check()
  } catch (error) {
    return error instanceof Error ? error.message : "failed"
  }
}
