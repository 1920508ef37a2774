import { execFileSync } from "node:child_process"

/** How often the sandbox looks whether npm still runs; ms. */
const LOOK_MS = 500

/**
 * Calls back when npm or the shell in which `npm run sandbox` runs this is gone. Most signals to npm end
 * that shell and a SIGHUP ends npm alone; what the shell started hears nothing of either, and the
 * sandbox would stay behind with its redis-server.
 * Started without npm it may outlive whoever started it.
 * @param env of this process
 */
export function whenRunnerIsGone(
  env: Readonly<Record<string, string | undefined>>,
  gone: () => void,
): void {
  if (env.npm_lifecycle_event !== "sandbox") return
  const shell = process.ppid
  const npm = parentOf(shell)
  const looking = setInterval(() => {
    if (process.ppid === shell && (npm === undefined || isAlive(npm))) return
    clearInterval(looking)
    gone()
  }, LOOK_MS)
  looking.unref()
}

/** Undefined where there is no `ps`, as on Windows. */
function parentOf(pid: number): number | undefined {
  const args = ["-o", "ppid=", "-p", String(pid)]
  try {
    const said = execFileSync("ps", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    return Number(said) > 1 ? Number(said) : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
