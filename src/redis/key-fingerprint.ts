import { hash } from "node:crypto"
import { type Secret, secret } from "../config/secret.ts"

/**
 * Tells one secret from another without telling either: what is kept of a key that was refused. No key
 * can be found from it, and it is of no use anywhere else.
 */
export function fingerprintOf(secret: Secret): string {
  return hash("sha256", `docs-agent print ${secret.reveal()}`, "hex").slice(0, 16)
}

/** Tells one place where jobs are read from another; an address may hold a password. */
export function fingerprintOfJobPath({
  baseUrl,
  jobPath,
}: {
  baseUrl: string
  jobPath: string
}): string {
  return fingerprintOf(secret(baseUrl + jobPath))
}

/** The same for the same service, however its address is written; without a password. */
export function addressOf(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl)
  return `${host}${pathname.replace(/\/+$/, "")}`
}

/** What tells a configured project's key from another. */
export type KeyFingerprint = (project: string) => string

/** Where keys make no difference. */
export const NO_KEY: KeyFingerprint = () => ""
