import { createServer } from "node:net"

/**
 * The least a documentation service can do: the same active job to every GET, at a cost so small
 * that the measurement is about the client.
 */
const job = JSON.stringify({
  id: "3f6a2f0e-8f5e-4a7e-9d58-0c7f4c0a1b2d",
  status: "active",
  source: { repository: "https://git.example.com/acme/handbook", ref: "main" },
  model: "docs-agent-large",
  prLink: null,
  createdAt: "2026-11-20T10:00:00.000Z",
  archivedAt: null,
})
const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${job.length}\r\n\r\n${job}`
let answered = 0

const server = createServer((socket) => {
  // Clients here send one small request at a time, which arrives in one piece.
  socket.on("data", () => {
    answered += 1
    socket.write(answer)
  })
  socket.on("error", () => socket.destroy())
})
server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
process.on("message", () => process.send?.(answered))
