/** One thing that must be well for the process to be of use: resolves to a reason when it is not. */
export type Check = () => Promise<string | undefined> | string | undefined

export interface Readiness {
  ready: boolean
  reasons: Record<string, string>
}

/** Longest a check may take, ms: a load balancer asks often and gives up soon. */
const PATIENCE_MS = 1500

/** Asks all checks at once. A check that fails or hangs counts as its own reason. */
export async function readiness(checks: Readonly<Record<string, Check>>): Promise<Readiness> {
  const reasons: Record<string, string> = {}
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const reason = await Promise.race([attempt(check), late()])
      if (reason !== undefined) reasons[name] = reason
    }),
  )
  return { ready: Object.keys(reasons).length === 0, reasons }
}

async function attempt(check: Check): Promise<string | undefined> {
  try {
    return await check()
  } catch (error) {
    return error instanceof Error ? error.message : "failed"
  }
}

function late(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve("does not answer"), PATIENCE_MS).unref()
  })
}
