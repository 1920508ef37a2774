import { startDocsService } from "../../sandbox/docs-service/start.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"
import { endWithParent } from "./child.ts"

/** The URL that it is ready at. */
export type ServiceReady = string
/** Tells what was asked for since the last order, and forgets it. */
export type ServiceOrder = "seen"
/** Path and query of each request. */
export type Seen = string[]

/** The local documentation service: so many pages, so far away, and no ceiling of requests. */
const [pages, awayMs] = process.argv.slice(2).map(Number)
const service = await startDocsService({
  projects: [{ id: SECRETS.project, key: SECRETS.apiKey }],
  analyticsPerWindow: 1_000_000,
  visitors: { pages: pages ?? 0 },
  requestLogSize: 1,
})
if (awayMs) service.fail({ type: "delay", ms: awayMs })
let seen: Seen = []
service.subscribe((event) => {
  if (event.type !== "request") return
  const { path, query } = event.request
  seen.push(`${path}?${new URLSearchParams(query).toString()}`)
})
process.on("message", () => {
  process.send?.(seen)
  seen = []
})
endWithParent()
process.send?.(service.url satisfies ServiceReady)
