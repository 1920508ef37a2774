import { hash } from "node:crypto"

/** Tells whether two prompts are the same ask: case, spacing and Unicode form do not matter. */
export function fingerprint(project: string, user: string, words: string): string {
  const normal = words.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim()
  return hash("sha256", JSON.stringify([project, user, normal]), "base64url")
}
