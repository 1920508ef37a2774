import { createServer } from "node:net"
import type { Config } from "../../config/config.ts"
import { whyUnfit } from "../../store/embedded-redis.ts"
import { about, type Finding } from "./finding.ts"

/** Checks what the bot needs of this machine: its port, its address and a folder to remember in. */
export async function checkPortAndDataFolder(config: Config): Promise<Finding[]> {
  const unfit = await whyUnfit(config.dataDir)
  const found = await checkPort(config)
  if (!unfit || config.store.kind === "embedded") return found
  const folder = about("data folder").fault(
    "DATA_DIR isn't writable: after a restored backup, requests could be sent twice",
    "Set DATA_DIR to a folder that Docs Agent can write to.",
  )
  return [folder, ...found]
}

async function checkPort({ port, bindAddress }: Config): Promise<Finding[]> {
  const error = await tryListening(port, bindAddress)
  const found = error && whyNotListening(error)
  if (!found || (error.code === "EADDRINUSE" && (await isBot(port, bindAddress)))) return []
  return [about("port").fault(found.says, found.next)]
}

interface ListenError extends NodeJS.ErrnoException {
  port?: number
}

/** Explains why a server can't listen; undefined for another error. */
export function whyNotListening({ code, syscall, port }: ListenError) {
  if (syscall !== "listen") return undefined
  if (code === "EADDRNOTAVAIL")
    return {
      says: "BIND_ADDRESS isn't an address of this machine",
      next: "Leave it unset to listen on all addresses.",
    }
  if (code === "EACCES")
    return { says: `This user may not listen on port ${port}`, next: "Set PORT to 1024 or more." }
  if (code !== "EADDRINUSE") return undefined
  return { says: `Port ${port} is already in use`, next: "Set PORT to a free one." }
}

function tryListening(port: number, address?: string): Promise<ListenError | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", resolve)
    server.listen(port, address, () => server.close(() => resolve(undefined)))
  })
}

/** Returns whether the program on the port is the bot, beside which the doctor often runs. */
async function isBot(port: number, address = "127.0.0.1"): Promise<boolean> {
  const host = address.includes(":") ? `[${address}]` : address
  const signal = AbortSignal.timeout(2000)
  const answer = await fetch(`http://${host}:${port}/healthz`, { signal })
    .then((response) => response.text())
    .catch(() => "")
  return answer === "alive\n"
}
