import { bare, isBrief, type SmallTalk, smallTalk } from "../text/small-talk.ts"

/** The words that are commands when they stand alone, wherever people say them. */
const VERBS = ["help", "status", "quota"] as const
/** The commands after `/docs-agent`. */
const COMMAND_VERBS = [...VERBS, "doctor", "audit", "forget-me"] as const

export type Verb = (typeof COMMAND_VERBS)[number] | "retry" | "mute"

/** The meaning of a text that a person said to the bot. */
export type Words =
  /** A request. `project` comes from `project=<name>` in front of the text. */
  | { kind: "prompt"; words: string; project?: string }
  /** A request that may be a slip, so that the bot asks first. */
  | { kind: "unclear"; words: string; project?: string }
  /** Cancels the job with this id, or without one this person's waiting requests in the thread. */
  | { kind: "cancel"; id: string | undefined }
  | { kind: "verb"; verb: Verb }
  /** The answer to one of the bot's questions. */
  | { kind: "answer"; isYes: boolean }
  | { kind: "small_talk"; of: SmallTalk }
  | { kind: "blank" }
  | { kind: "too_long"; length: number; words: string }

/** Slack's limit for a message, code points; nobody can have typed a longer text there. */
export const PROMPT_MAX = 40_000

/** The older words for a verb. */
const ALIASES: Readonly<Record<string, Verb>> = { quiet: "mute", stop: "mute" }

/** Returns whether a text has only spaces, control and invisible characters, with which an agent could do nothing. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Zs}]*$/u.test(text)
}

/**
 * Matches `cancel` with a job's id; "cancel the beta page" is a request. Also matches one word of
 * about that length with a digit, which can only be a miscopied id.
 */
const CANCEL = /^cancel\s+`?([2-9a-hjkmnp-tv-z]{10}|(?=\D{0,12}\d)\w{8,12})`?$/i

/** Reads the text after `/docs-agent`: sub-words count only alone or with their argument. */
export function readCommand(text: string): Words {
  return read(text, COMMAND_VERBS)
}

/** Reads a text said to the bot in a thread that has a job. */
export function readThread(text: string): Words {
  return read(text, [...VERBS, "retry", "mute"])
}

/** Reads a text said to the bot anywhere else. */
export function readMention(text: string): Words {
  return read(text, VERBS)
}

/** Splits `project=<name>` off the front of a text. */
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
  // A project name without text is still a prompt: the bot answers with how to ask.
  if (isBlank(request.words)) return { kind: "prompt", ...request }
  const of = smallTalk(request.words)
  if (of) return { kind: "small_talk", of }
  return { kind: isBrief(request.words) ? "unclear" : "prompt", ...request }
}
