import { createHash, randomBytes } from "node:crypto"
import type { Draft } from "./prompt/drafts.ts"

const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
const LENGTH = 10

/** Makes one of about 6 × 10^14 ids, ten characters that are easy to read out and to type. */
export function newId(): string {
  return idOf(randomBytes(LENGTH))
}

/** Derives the id of a request or its draft from the delivery, so that a repeat gets the same. */
export function askId(delivery: string): string {
  return idOf(createHash("sha256").update(delivery).digest().subarray(0, LENGTH))
}

function idOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("")
}

/** Hashes what a request asks for. Case, spacing and Unicode form do not matter. */
export function hashOfRequest({
  project,
  user,
  prompt: { words, files = [] },
}: Pick<Draft, "project" | "user" | "prompt">): string {
  const formed = words.normalize("NFKC").toLowerCase()
  const normal = formed.replace(/\s\s+|[^\S ]/g, " ").trim()
  return createHash("sha256")
    .update(JSON.stringify([project, user, normal, ...files.map(({ id }) => id)]))
    .digest("base64url")
}
