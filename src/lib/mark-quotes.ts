import { harmless } from "./plain-text.ts"
import { truncate } from "./truncate.ts"

declare const marked: unique symbol
/**
 * Text for the agent in which all that others wrote is marked as theirs. Only the functions of this
 * file make it: what is put between our own words by other means has another type.
 */
export type Quoted = string & { readonly [marked]: true }

/** Marks every line as a quote, so that the agent doesn't mistake it for an instruction. */
export function quoteLines(text: string): Quoted {
  // An agent may end lines where Unicode demands it (UAX #14, mandatory breaks).
  const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
  return lines.map((line) => `> ${line}`).join("\n") as Quoted
}

/** Returns a name, which people choose themselves, on one short line that cannot end a label. */
export function nameInLine(text: string, max: number): Quoted {
  return truncate(harmless(text).replace(/\s+/g, " ").trim(), max) as Quoted
}

/** Writes our own words with marked text or numbers between them; a tag of a template. */
export function ours(words: TemplateStringsArray, ...parts: readonly (Quoted | number)[]): Quoted {
  return String.raw({ raw: words }, ...parts) as Quoted
}

/** Takes the requester's words, which are instructions, as they are. */
export function asAsked(words: string): Quoted {
  return words as Quoted
}

export function linesOf(text: Quoted): Quoted[] {
  return text.split("\n") as Quoted[]
}

export function joined(parts: readonly Quoted[], between: string): Quoted {
  return parts.join(between) as Quoted
}

/** Joins the parts that are not empty, with an empty line between two. */
export function paragraphs(...parts: readonly (Quoted | undefined)[]): Quoted {
  return parts.filter(Boolean).join("\n\n") as Quoted
}
