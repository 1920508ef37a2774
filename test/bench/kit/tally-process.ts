import { createServer, type Socket } from "node:net"
import { endWithParent } from "./child.ts"
import type { Tally, TallyOrder } from "./tally.ts"

/**
 * The least a documentation service can do that counts: every job stays active, every creation is
 * accepted, and what was asked twice is known. It costs so little that the bot is what is measured.
 */
const seen = new Map<string, number>()
let delayMs = 0
let firstAt = 0
let lastAt = 0

const server = createServer((socket) => {
  let received = ""
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
    const head = received.indexOf("\r\n\r\n")
    if (head < 0) return
    const length = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0)
    const body = received.slice(head + 4)
    if (body.length < length) return
    const [request = ""] = received.split("\r\n", 1)
    received = ""
    // A poll is known by its path, a creation by its prompt.
    answer(socket, request, request.startsWith("POST") ? body : request)
  })
  socket.on("error", () => socket.destroy())
})

function answer(socket: Socket, request: string, what: string): void {
  const count = (seen.get(what) ?? 0) + 1
  seen.set(what, count)
  lastAt = performance.now()
  firstAt ||= lastAt
  const id = request.startsWith("POST") ? `created-${seen.size}` : "followed"
  const job = JSON.stringify({ id, status: "active", prLink: null })
  const reply = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${job.length}\r\n\r\n${job}`
  if (delayMs === 0) socket.write(reply)
  else setTimeout(() => socket.write(reply), delayMs)
}

process.on("message", (order: TallyOrder) => {
  if (order !== "tally") {
    seen.clear()
    delayMs = order.delayMs
    firstAt = 0
    lastAt = 0
  }
  const most = Math.max(0, ...seen.values())
  const tally: Tally = { different: seen.size, most, seconds: (lastAt - firstAt) / 1000 }
  process.send?.(tally)
})

endWithParent()
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.(address.port)
})
