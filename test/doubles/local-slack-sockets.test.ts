import { expect, it } from "vitest"
import { WebSocket } from "ws"
import { clientOf, refusal, useLocalSlack } from "../helpers/local-slack.ts"

const appToken = "xapp-local"
const h = useLocalSlack({ appToken, mode: "socket", ackTimeoutMs: 500 })

it("hands out tickets for app tokens only, each good for one of ten connections", async () => {
  expect(await refusal(h.client.apps.connections.open())).toBe("not_allowed_token_type")
  const first = await ticket()
  expect((await connect(first)).type).toBe("hello")
  await expect(connect(first)).rejects.toThrow(/408/)
  for (let n = 2; n <= 10; n += 1)
    expect(await connect(await ticket())).toMatchObject({ num_connections: n })
  expect(await connect(await ticket())).toMatchObject({ reason: "too_many_websockets" })
})

async function ticket(): Promise<string> {
  const { url } = await clientOf(h.slack, appToken).apps.connections.open()
  return String(url)
}

function connect(url: string): Promise<{ type: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.on("error", reject)
    socket.on("message", (data: Buffer) => resolve(JSON.parse(data.toString())))
  })
}
