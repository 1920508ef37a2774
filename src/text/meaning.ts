import {
  ABOUT_THE_BOT,
  ASKED_FOR,
  COMMENT,
  DOUBTFUL,
  GREETING,
  HINTS,
  LEAD,
  THANKS,
  VERB_WITH_ID,
} from "./phrases.ts"
import { isRemark } from "./remark.ts"

/** A verb that is meant, though the words are not the verb alone. */
export type NearVerb = keyof typeof HINTS

/** What is said to the bot and wishes for no change of the docs. */
export type Courtesy = "thanks" | "greeting" | "comment"

/** What words addressed to the bot are, beyond the verbs that stand alone. */
type Meaning =
  | { kind: "request" }
  /** May be a request: the person is asked before a job is spent. */
  | { kind: "unclear" }
  | { kind: "courtesy"; courtesy: Courtesy }
  | { kind: "near"; verb: NearVerb }

/** Nobody needs more words than that for a courtesy. Code units; it bounds the patterns' work too. */
const LONGEST_COURTESY = 120

const VERBS = Object.keys(HINTS).filter((verb): verb is NearVerb => verb in HINTS)

/**
 * Tells a request from what merely resembles one. Every clause must be a courtesy, or every one
 * that is none must be a verb: "thanks for the page, now add an example" is a request, and so is
 * whatever is not known here. A job spent by mistake cannot be taken back, so what may be either is
 * "unclear". Pure.
 */
export function meaningOf(words: string): Meaning {
  if (words.length > LONGEST_COURTESY) return { kind: "request" }
  const unnamed = /^\s*project\s*=\s*(?:$|\s(.*))/is.exec(words)
  if (unnamed) return unnamed[1] ? { kind: "unclear" } : { kind: "near", verb: "use" }
  const rest = clausesOf(words).filter((clause) => !isCourtesy(clause))
  if (rest.length === 0) return { kind: "courtesy", courtesy: courtesyOf(clausesOf(words)) }
  const [verb, ...others] = rest.map(verbOf)
  if (verb && !others.includes(undefined)) return { kind: "near", verb }
  const doubtful = DOUBTFUL.test(rest.join(" ")) || rest.every(isNoRequest)
  return { kind: doubtful ? "unclear" : "request" }
}

function verbOf(clause: string): NearVerb | undefined {
  if (isSaid(ABOUT_THE_BOT, clause)) return "help"
  const withId = VERB_WITH_ID.exec(clause)?.[1]
  const asked = clause.replace(LEAD, "").replace(ASKED_FOR, "")
  return VERBS.find(
    (verb) => isSaid(HINTS[verb], clause) || HINTS[verb].test(asked) || withId === verb,
  )
}

/** Nothing in it says what could be changed: "why?", "can I merge this?". */
function isNoRequest(clause: string): boolean {
  return (
    isRemark(clause.replace(LEAD, "")) || isMistypedVerb(clause) || verbOf(clause) !== undefined
  )
}

/** "cancle it". The word may be another one and meant ("helm"), so nothing is done about it unasked. */
function isMistypedVerb(clause: string): boolean {
  const [typed = "", ...others] = clause.split(" ")
  return VERBS.some(
    (verb) => isTypingSlip(typed, verb) && HINTS[verb].test([verb, ...others].join(" ")),
  )
}

function isCourtesy(clause: string): boolean {
  return [THANKS, GREETING, COMMENT].some((phrases) => isSaid(phrases, clause))
}

function courtesyOf(clauses: readonly string[]): Courtesy {
  if (clauses.some((clause) => isSaid(THANKS, clause))) return "thanks"
  return clauses.some((clause) => isSaid(GREETING, clause)) ? "greeting" : "comment"
}

/** "ok, is it done" and "ok is it done" are the same. */
function isSaid(phrases: RegExp, clause: string): boolean {
  return phrases.test(clause) || phrases.test(clause.replace(LEAD, ""))
}

/** The words alone: no emoji, punctuation, "please", or names of those they are said to. */
function clausesOf(words: string): string[] {
  return words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^\s*\/(?:docs-(?:agent|visitors)\b)?/, " ")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/:[a-z0-9_+-]+:|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d/gu, " ")
    .replace(/@[\w.-]+/g, " ")
    .split(/[,.!?;:()"\u2026\n]+|\s[-\u2013\u2014]+\s/)
    .map((clause) =>
      clause
        .replace(FILLERS, " ")
        .replace(/[`*_~]/g, "")
        .replace(/\s+/g, " ")
        .trim()
        // "stop stop stop"
        .replace(/^(\S+)(?: \1)+$/, "$1"),
    )
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
}

/** Words that change nothing about what a courtesy or a verb means. */
const FILLERS = /(?<![\w-])(?:please|pls|plz|kindly)(?![\w-])/g

/** One letter too many, missing or wrong, or two neighbours swapped: `cancle` for `cancel`. Pure. */
function isTypingSlip(typed: string, meant: string): boolean {
  const shorter = Math.min(typed.length, meant.length)
  let start = 0
  while (start < shorter && typed[start] === meant[start]) start++
  let end = 0
  while (end < shorter - start && typed.at(-1 - end) === meant.at(-1 - end)) end++
  const [was, be] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)]
  if (was.length <= 1 && be.length <= 1) return was !== be
  return be.length === 2 && was === `${be[1]}${be[0]}`
}
