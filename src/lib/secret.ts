import { createHash } from "node:crypto"

/** Value that prints as `[secret]` and serializes to `{}`, so that no log or record contains it. */
export interface Secret {
  reveal(): string
  toString(): string
}

export function secret(value: string): Secret {
  return Object.defineProperties({} as Secret, {
    reveal: { value: () => value },
    toString: { value: () => "[secret]" },
  })
}

/** Returns a hash that identifies a key, so that Redis can store which key was refused. */
export function fingerprint(key: Secret): string {
  return createHash("sha256").update(`docs-agent print ${key.reveal()}`).digest("hex").slice(0, 16)
}
