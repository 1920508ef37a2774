import { randomBytes } from "node:crypto"

const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
const LENGTH = 10
/** Random bytes cost more than all the rest of an id, so they are drawn for many ids at once. */
const IDS_AT_ONCE = 256

/** Makes ids of ten characters that are easy to read out and to type; about 10^14 of them. */
export function idSource(): () => string {
  let bytes = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at === bytes.length) {
      bytes = randomBytes(LENGTH * IDS_AT_ONCE)
      at = 0
    }
    let id = ""
    for (const end = at + LENGTH; at < end; at += 1)
      id += ALPHABET[(bytes[at] ?? 0) % ALPHABET.length]
    return id
  }
}
