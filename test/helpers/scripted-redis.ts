import { type AddressInfo, createServer } from "node:net"

export interface Facts {
  version?: string
  appendOnly?: 0 | 1
  evictionPolicy?: string
  /** Offset in ms of its clock from this machine's. */
  aheadMs?: number
  /** Error with which it answers every command. */
  error?: string
  /** Error with which it answers every write. */
  writeError?: string
}

export async function startScriptedRedis(facts: Facts) {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("data", (data) => {
      // "*2\r\n$6\r\nEXISTS\r\n…": takes the first word of each command.
      for (const [, word = ""] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n([^\r]*)\r\n/g))
        socket.write(answer(word.toUpperCase(), facts))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function answer(word: string, { error, writeError, aheadMs = 0, ...facts }: Facts): string {
  if (error) return `-${error}\r\n`
  if (word === "SET" && writeError) return `-${writeError}\r\n`
  if (word === "INFO") return infoOf(facts)
  // The only script before any verdict reads the clock.
  if (word.startsWith("EVAL")) return `:${Date.now() + aheadMs}\r\n`
  if (word === "EXISTS") return ":0\r\n"
  if (word === "GET") return "$-1\r\n"
  return "+OK\r\n"
}

function infoOf({ version = "7.2.4", appendOnly = 1, evictionPolicy = "noeviction" }: Facts) {
  const persistence = [`aof_enabled:${appendOnly}`, `maxmemory_policy:${evictionPolicy}`]
  const text = [`redis_version:${version}`, ...persistence, "loading:0", ""].join("\r\n")
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`
}
