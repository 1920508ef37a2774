import { Agent, request } from "undici"

/** The least a poller can do: ask, read the answer, ask again. Runs for as long as its parent says. */
const [url, connections, inHand] = process.argv.slice(2)
const dispatcher = new Agent({ connections: Number(connections), pipelining: 1 })
const headers = { authorization: "Bearer svc_local_key", accept: "application/json" }

process.on("message", (forMs) => void run(forMs))

async function run(forMs) {
  const end = performance.now() + forMs
  async function ask() {
    for (let n = 0; performance.now() < end; n += 1) {
      const { body } = await request(`${url}/v2/agent/docs-site/job/${n}`, { dispatcher, headers })
      await body.text()
    }
  }
  await Promise.all(Array.from({ length: Number(inHand) }, ask))
  process.send("done")
}
