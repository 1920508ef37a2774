import type { SeenRequest } from "../../docs-service/request-log.ts"
import type { DocsService } from "../../docs-service/service.ts"
import { compact, type Json } from "../../slack/json.ts"
import type { Sighting } from "./traffic-book.ts"

/** One request of the bot to the documentation service, with the job it was about. */
export function serviceSighting(request: SeenRequest, service: DocsService): Sighting {
  const { at, method, path, query, status, kind, jobId, ms } = request
  const ok = typeof status === "number" && status < 400
  const search = new URLSearchParams(query).toString()
  const created = kind === "create" && ok ? service.creations.at(-1)?.jobId : undefined
  const job = service.job(jobId ?? created ?? "")
  return {
    at,
    lane: "to_service",
    title: `${method} ${path}`,
    detail: search || job?.prompt || "",
    outcome: String(status),
    ok,
    ms: Math.round(ms),
    payload: compact({
      method,
      path,
      query: { ...query },
      status,
      bytes: request.bodyBytes,
      job: job === undefined ? undefined : asJson(job),
    }),
  }
}

function asJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value))
  return json
}
