import type { ServerResponse } from "node:http"
import fc from "fast-check"
import { hostileText } from "./hostile.ts"

export interface HostileAnswer {
  status: number
  headers: Record<string, string>
  body: string | Buffer
  /** Number of bytes that Content-Length announces but that are never sent. */
  missing: number
}

/** Generates values that the API document rules out. @param secret must not reach any error */
function jobBody(secret: string) {
  const odd = fc.oneof(
    hostileText,
    fc.constantFrom(null, true, -1, 0.5, Number.MAX_VALUE, "active", "completed", secret, [], {}),
    fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
  )
  return fc.record(
    {
      id: fc.oneof(fc.constant("j1"), odd),
      status: fc.oneof(fc.constantFrom("active", "completed", "archived", "failed"), odd),
      prLink: odd,
      source: odd,
      error: fc.oneof(hostileText, fc.constant(`your key ${secret} is odd`)),
      details: odd,
      totals: fc.oneof(fc.constant({ human: 1, ai: 1, total: 1 }), odd),
      visitors: fc.oneof(fc.constant([]), fc.array(odd, { maxLength: 3 })),
      hasMore: odd,
    },
    { requiredKeys: [] },
  )
}

const MEGABYTE = 1024 * 1024

/** Bodies that `JSON.stringify` never produces. */
const RAW: readonly (string | Buffer)[] = [
  "",
  " ",
  "null",
  "[]",
  '"active"',
  "1e400",
  "<!doctype html><title>502 Bad Gateway</title>",
  '{"id":"a","status":"active","id":"b","status":"gone"}',
  '{"__proto__":{"id":"a","status":"active"}}',
  '{"id":"a","status":"active","__proto__":null,"constructor":{"prototype":1}}',
  '{"id":"a","status":"completed","prLink":1e400}',
  '{"totals":{"human":1e400,"ai":-0,"total":1e308},"visitors":[],"hasMore":false}',
  '{"id":"a","status":"active"} trailing',
  '\ufeff{"id":"a","status":"active"}',
  "[".repeat(MEGABYTE),
  `{"id":"${"x".repeat(MEGABYTE)}","status":"active"}`,
  `{"id":"a","status":"completed","prLink":"https://git.example/${"x".repeat(MEGABYTE)}"}`,
  `{"error":"${"x".repeat(MEGABYTE)}","details":"${"y".repeat(MEGABYTE)}"}`,
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
]

const body = (secret: string): fc.Arbitrary<string | Buffer> => {
  const json = jobBody(secret).map((value) => JSON.stringify(value))
  return fc.oneof(
    { weight: 4, arbitrary: json },
    {
      weight: 2,
      arbitrary: fc.tuple(json, fc.nat({ max: 60 })).map(([text, n]) => text.slice(0, n)),
    },
    { weight: 2, arbitrary: hostileText },
    { weight: 4, arbitrary: fc.constantFrom(...RAW) },
  )
}

export function hostileAnswer(secret: string): fc.Arbitrary<HostileAnswer> {
  return fc.record({
    status: fc.constantFrom(200, 201, 204, 301, 307, 400, 401, 403, 404, 418, 429, 500, 503),
    headers: fc.record(
      {
        "content-type": fc.constantFrom("application/json", "text/html", "image/png", ""),
        "content-encoding": fc.constantFrom("gzip", "br"),
        location: fc.constantFrom("/v2/agent/docs/job", "http://127.0.0.1:1/", "::", ""),
        "retry-after": fc.constantFrom(
          "0",
          "-1",
          "0.2",
          "soon",
          "1e9",
          "Thu, 01 Jan 1970 00:00:00",
        ),
      },
      { requiredKeys: [] },
    ),
    body: body(secret),
    missing: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constant(100)),
  })
}

export function give(response: ServerResponse, answer: HostileAnswer): void {
  const { status, headers, body: bytes, missing } = answer
  if (status === 204) return void response.writeHead(status, headers).end()
  const length = Buffer.byteLength(bytes) + missing
  response.writeHead(status, { ...headers, "content-length": length })
  if (missing === 0) return void response.end(bytes)
  response.write(bytes, () => response.destroy())
}
