import { monitorEventLoopDelay } from "node:perf_hooks"
import { inspect } from "node:util"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, onTestFinished, test } from "vitest"
import { docsClientAt, type RawService, startRawService } from "../helpers/raw-service.ts"

const KEY = "svc_51f0c2aa97"
/** Another secret of the bot: a response of one service may contain another's. */
const OTHER = "xoxb-1-2-three"

/** Returns a client of a service that responds like this. */
async function clientOf(answer: RawService["answer"], path = "") {
  const service = Object.assign(await startRawService(), { answer })
  const client = docsClientAt(`${service.url}${path}`, 5000, KEY, OTHER)
  onTestFinished(async () => {
    await client[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })
  return client
}

test("an answer that comes in pieces is read as one, wherever it was cut", async () => {
  const link = "https://git.example.com/日本語/pull/1"
  const bytes = Buffer.from(JSON.stringify({ id: "a", status: "completed", prLink: link }))
  const inside = bytes.indexOf("語") + 1
  const client = await clientOf((_, res) => {
    res.write(bytes.subarray(0, inside), () => setImmediate(() => res.end(bytes.subarray(inside))))
  })
  expect((await client.getJob("docs", "a")).prLink).toBe(link)
})

test.each(['"1"', "null", "-1"])("a number of visitors that is %s is no number", async (human) => {
  const client = await clientOf((_, res) => {
    res.end(`{"totals":{"human":${human},"ai":1,"total":1},"visitors":[],"hasMore":false}`)
  })
  const query = { dateFrom: "2026-11-01", dateTo: "2026-11-02", limit: 50, offset: 0 }
  await expect(client.visitors("docs", query)).rejects.toMatchObject({ fault: "broken_body" })
})

test("what the service says before its answer is not taken for the answer", async () => {
  const client = await clientOf((_, res) => {
    res.writeEarlyHints({ link: "</style.css>; rel=preload" })
    res.writeHead(404).end('{"error":"no such job"}')
  })
  await expect(client.getJob("docs", "a")).rejects.toMatchObject({
    fault: "not_found",
    detail: "no such job",
  })
})

test("the service may live under a path, and ids may hold anything", async () => {
  const asked: (string | undefined)[] = []
  const client = await clientOf((req, res) => {
    asked.push(req.url)
    res.end('{"id":"a","status":"active"}')
  }, "/docs/")
  await client.getJob("docs", "a/b c")
  expect(asked).toEqual(["/docs/v2/agent/prj%201/job/a%2Fb%20c"])
})

describe("an answer that repeats a secret", () => {
  const inJson = (text: string) =>
    Array.from(text, (c) => `\\u00${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")

  test.each([
    ["as it is", `https://git.example/acme/docs/pull/7?key=${KEY}`],
    ["of another party", `https://git.example/${OTHER}/docs/pull/7`],
    ["escaped in JSON", `https://git.example/${inJson(KEY)}/pull/7`],
    ["where a long link is cut", `https://git.example/${"x".repeat(2970)}${KEY}`],
  ])("%s: a link that holds it is none", async (_, link) => {
    const client = await clientOf((__, res) => {
      res.end(`{"id":"a","status":"completed","prLink":"${link}"}`)
    })
    expect(await client.getJob("docs", "a")).toEqual({ status: "completed" })
  })

  test("a page's path that holds it does not show it, and the others stay", async () => {
    const row = (path: string) => `{"path":"${path}","human":1,"ai":1,"total":1}`
    const rows = [row("/start"), row(`/${inJson(KEY)}/x`)].join(",")
    const client = await clientOf((_, res) => {
      res.end(`{"totals":{"human":1,"ai":1,"total":1},"visitors":[${rows}],"hasMore":false}`)
    })
    const query = { dateFrom: "2026-11-01", dateTo: "2026-11-02", limit: 50, offset: 0 }
    const { visitors } = await client.visitors("docs", query)
    expect(visitors.map(({ path }) => path)).toEqual(["/start", "/[secret]/x"])
  })

  test.each([
    ["in its words", 400, "bad_request", `{"error":"the key ${inJson(KEY)} is odd"}`],
    [
      "in its details",
      400,
      "bad_request",
      `{"error":"odd","details":{"sent":{"${KEY}":["${OTHER}"]}}}`,
    ],
    ["where its words are cut", 400, "bad_request", `{"error":"${"x".repeat(290)}${KEY}"}`],
    ["as the whole body", 400, "bad_request", `${KEY} ${OTHER}`],
    ["as a success that is no JSON", 200, "broken_body", KEY],
    ["as a success with such an id", 200, "broken_body", `{"id":"${KEY}","status":"active"}`],
  ])("%s: an error does not show it", async (_, status, fault, body) => {
    const client = await clientOf((__, res) => void res.writeHead(status).end(body))
    const error = await client.createJob("docs", "x").catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ fault })
    expect(inspect(error)).not.toMatch(/svc_5|xoxb|51f0/)
  })
})

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)(
  "SAFE-8: an answer that a gateway compressed by %s is read",
  async (encoding, compress) => {
    const client = await clientOf((_, res) => {
      res.writeHead(201, { "content-encoding": encoding }).end(compress('{"id":"a"}'))
    })
    expect(await client.createJob("docs", "write")).toEqual({ id: "a" })
  },
)

test("SAFE-8: a refusal with details of any depth is a refusal", async () => {
  const depth = 100_000
  const details = `${"[".repeat(depth)}${"]".repeat(depth)}`
  const client = await clientOf((_, res) => {
    res.writeHead(400).end(`{"error":"prompt too long","details":${details}}`)
  })
  await expect(client.createJob("docs", "write")).rejects.toMatchObject({
    fault: "bad_request",
    detail: "prompt too long",
  })
})

test.each([".", ".."])("SAFE-8: %s is no job's id: its address would be another's", async (id) => {
  const client = await clientOf((_, res) => void res.writeHead(201).end(JSON.stringify({ id })))
  await expect(client.createJob("docs", "write")).rejects.toMatchObject({ fault: "broken_body" })
})

test("SAFE-8: megabytes of numbers that nobody asked for delay nobody else", async () => {
  const numbers = `[${"1,".repeat(3_000_000)}1]`
  const client = await clientOf((_, res) => void res.end(`{"status":"active","x":${numbers}}`))
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await client.getJob("docs", "a")
  expect(delays.max / 1e6).toBeLessThan(1000)
})
