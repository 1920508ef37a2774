import { createHash } from "node:crypto"
import type { Gap } from "./gap.ts"

/** Hashes what identifies a gap: what readers wrote is not kept to know it again. */
export function gapKey(kind: Gap["kind"], what: string): string {
  return createHash("sha256").update(`${kind}:${what}`).digest("base64url").slice(0, 22)
}
