import { createHash } from "node:crypto"

/**
 * A value that must never be printed. It serializes to `{}` and prints as `[secret]`, so a config
 * object can be logged whole; only the adapter that needs the value calls `reveal`.
 */
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

/**
 * Returns a print that identifies a key without revealing it. The bot stores it for a refused key;
 * nobody can derive the key from it or use it elsewhere.
 */
export function printOfKey(key: Secret): string {
  return createHash("sha256").update(`docs-agent print ${key.reveal()}`).digest("hex").slice(0, 16)
}
