import { connect } from "node:net"
import { expect, test } from "vitest"
import { HttpServer } from "../../../src/runtime/http-server.ts"
import { createLog } from "../../../src/runtime/log.ts"

/** More than .github/SECURITY.md says that there may be. */
const SENDERS = 600

test("there are at most so many connections at a time: the others are closed at once", async () => {
  const where = { port: 0, bindAddress: "127.0.0.1" }
  await using server = await HttpServer.start(where, {}, createLog("silent", []))
  let dropped = 0
  const sockets = Array.from({ length: SENDERS }, () => {
    const socket = connect(server.port, where.bindAddress)
    // A head that takes too long is answered before it is dropped.
    let heard = 0
    socket.on("data", (answer) => {
      heard += answer.length
    })
    socket
      .on("error", () => {})
      .once("close", () => {
        if (heard === 0) dropped += 1
      })
    socket.write("GET / HTTP/1.1\r\n")
    return socket
  })
  await expect.poll(() => dropped, { timeout: 10_000 }).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
})
