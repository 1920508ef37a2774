import { execFileSync } from "node:child_process"

/** Time in ms between checks that npm is still running. */
const LOOK_MS = 500

/**
 * Calls back when npm, or the shell in which `npm run sandbox` runs this, is gone. Most signals to
 * npm end that shell, and a SIGHUP ends only npm; neither reaches what the shell started, so the
 * sandbox and its redis-server would stay. Without npm, it may outlive its parent.
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

/** Returns the parent's process id; undefined without `ps`, as on Windows. */
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
