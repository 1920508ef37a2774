import { hash } from "node:crypto"

/** Tells whether two prompts are the same ask: case, spacing and Unicode form do not matter. */
export function fingerprint(project: string, user: string, words: string): string {
  // Plain ASCII is in its normal form, and finding that out is quicker than to make one.
  const formed = /^[\x20-\x7e]*$/.test(words) ? words : words.normalize("NFKC")
  const normal = formed
    .toLowerCase()
    .replace(/\s\s+|[^\S ]/g, " ")
    .trim()
  return hash("sha256", JSON.stringify([project, user, normal]), "base64url")
}
