import { bare, isBrief, type SmallTalk, smallTalk } from "../text/small-talk.ts"

/** Words on their own that are commands, wherever they are said. */
const VERBS = ["help", "status", "quota"] as const
/** Further words after `/docs-agent`. */
const COMMAND_VERBS = [...VERBS, "doctor", "audit", "forget-me"] as const

export type Verb = (typeof COMMAND_VERBS)[number] | "retry" | "mute"

/** Words said to the bot. */
export type Words =
  /** A request. `project`: typed as `project=<name>` in front of the words. */
  | { kind: "prompt"; words: string; project?: string }
  /** The same, if it may be a slip: it is asked about first. */
  | { kind: "unclear"; words: string; project?: string }
  /** Cancels by id; without one, what this person has waiting in the thread. */
  | { kind: "cancel"; id: string | undefined }
  | { kind: "verb"; verb: Verb }
  /** The answer to a question of the bot's. */
  | { kind: "answer"; isYes: boolean }
  | { kind: "small_talk"; of: SmallTalk }
  | { kind: "blank" }
  | { kind: "too_long"; length: number; words: string }

/** Slack's own limit of a message; longer text cannot have been typed there. Code points. */
export const PROMPT_MAX = 40_000

/** Older words for a verb. */
const ALIASES: Readonly<Record<string, Verb>> = { quiet: "mute", stop: "mute" }

/** Matches text of only spaces, control and invisible characters: nothing that an agent could act on. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Zs}]*$/u.test(text)
}

/**
 * `cancel` with a job's id; "cancel the beta page" is a request. One word of about that
 * length with a digit in it can only be an id that was copied wrong.
 */
const CANCEL = /^cancel\s+`?([2-9a-hjkmnp-tv-z]{10}|(?=\D{0,12}\d)\w{8,12})`?$/i

/** Reads what was typed after `/docs-agent`: sub-words count only alone or with their argument. */
export function readCommand(text: string): Words {
  return read(text, COMMAND_VERBS)
}

/** Reads what was said to the bot in a thread that has a job. */
export function readThread(text: string): Words {
  return read(text, [...VERBS, "retry", "mute"])
}

/** Reads what was said to the bot anywhere else. */
export function readMention(text: string): Words {
  return read(text, VERBS)
}

/** Takes `project=<name>` off the front of what was typed. */
export function splitProject(words: string): { project?: string; words: string } {
  const match = /^project=([\w.-]{1,40})(?:\s+|$)/i.exec(words)
  return match?.[1] ? { project: match[1], words: words.slice(match[0].length).trim() } : { words }
}

function read(text: string, verbs: readonly Verb[]): Words {
  const words = text.trim()
  if (isBlank(words)) return { kind: "blank" }
  const said = bare(words) ?? ""
  const verb = verbs.find((one) => one === (Object.hasOwn(ALIASES, said) ? ALIASES[said] : said))
  if (verb) return { kind: "verb", verb }
  if (said === "cancel") return { kind: "cancel", id: undefined }
  const [, id] = CANCEL.exec(words) ?? []
  if (id !== undefined) return { kind: "cancel", id: id.toLowerCase() }
  if (said === "yes" || said === "no") return { kind: "answer", isYes: said === "yes" }
  const length = words.length > PROMPT_MAX ? Array.from(words).length : words.length
  if (length > PROMPT_MAX) return { kind: "too_long", length, words }
  const request = splitProject(words)
  // A project without words is answered with how to ask.
  if (isBlank(request.words)) return { kind: "prompt", ...request }
  const of = smallTalk(request.words)
  if (of) return { kind: "small_talk", of }
  return { kind: isBrief(request.words) ? "unclear" : "prompt", ...request }
}
