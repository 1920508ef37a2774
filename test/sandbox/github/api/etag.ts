import { createHash } from "node:crypto"
import type { Reply } from "../../kit/reply.ts"

/** The answer with its `etag`, or a 304 without a body where the caller has just that answer. */
export function conditional(reply: Reply, ifNoneMatch: string | undefined): Reply {
  if (reply.status !== 200) return reply
  const etag = `W/"${createHash("sha256").update(reply.body).digest("hex")}"`
  const headers: Record<string, string> = {
    ...reply.headers,
    etag,
    "cache-control": "private, max-age=60, s-maxage=60",
  }
  const isKnown = (ifNoneMatch ?? "").split(",").some((one) => bare(one) === bare(etag))
  if (!isKnown) return { ...reply, headers }
  const { "content-type": _, ...rest } = headers
  return { status: 304, headers: rest, body: "" }
}

/** Weak and strong tags are compared alike for a GET (RFC 9110, section 13.1.2). */
function bare(etag: string): string {
  return etag.trim().replace(/^W\//, "")
}
