import { type Courtesy, meaningOf, type NearVerb } from "../text/meaning.ts"

/** What somebody wants to have changed, or something that is no such thing. */
type Asked =
  /** @property project what was typed as `project=<name>` in front of the words */
  | { kind: "prompt"; words: string; project?: string }
  /** The same, if it may not be a request: no job is spent before the person confirms it. */
  | { kind: "unclear"; words: string; project?: string }
  | { kind: "courtesy"; courtesy: Courtesy }
  /** A command that cannot be carried out as typed, or not in this place. */
  | { kind: "near"; verb: NearVerb }
  | { kind: "blank" }
  | { kind: "too_long"; length: number }

/** Without an id: the job of this thread. */
type Cancel = { kind: "cancel"; id: string | undefined }

/** What can be said after `/docs-agent`. */
export type CommandWords =
  | Asked
  | Cancel
  | (typeof COMMAND_VERBS)[number]
  /** The project for this channel from now on. */
  | { kind: "use"; project: string }

/** What can be said to the bot in a thread that has a job. */
export type ThreadWords =
  | Asked
  | Cancel
  | (typeof THREAD_VERBS)[number]
  /** "Retry!", "try again please": asked about, as it spends a job. */
  | { kind: "retry_asked" }

/** What can be said to the bot anywhere else. */
export type MentionWords = Asked | (typeof MENTION_VERBS)[number]

/** Words that are commands on their own. In a mention outside a job's thread these are the only ones. */
const MENTION_VERBS = [{ kind: "help" }, { kind: "status" }, { kind: "quota" }] as const
const THREAD_VERBS = [...MENTION_VERBS, { kind: "retry" }, { kind: "quiet" }] as const
const COMMAND_VERBS = [
  ...MENTION_VERBS,
  { kind: "doctor" },
  { kind: "audit" },
  { kind: "forget-me" },
] as const

/** Slack's own limit of a message; longer text cannot have been typed there. Code points. */
export const PROMPT_MAX = 40_000

/** Matches text of only spaces, control and invisible characters: nothing that an agent could act on. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Zs}]*$/u.test(text)
}

/**
 * `cancel` alone or with a job's id; "cancel the beta page" is a prompt. One word with a digit in it
 * can only be an id that was copied wrong: taken for a prompt it would spend a job.
 */
const CANCEL = /^cancel(?:\s+`?([2-9a-hjkmnp-tv-z]{10}|[\w-]{0,20}\d[\w-]{0,20})`?)?$/i

/** The words of `/docs-agent`: sub-words count only when they stand alone or with their argument. */
export function readCommand(text: string, projects: readonly string[] = []): CommandWords {
  const use = /^use\s+([\w.-]{1,40})$/i.exec(text.trim())?.[1]?.toLowerCase()
  const project = projects.find((name) => name.toLowerCase() === use)
  // "use tabs" is a prompt unless a project is called so.
  if (project) return { kind: "use", project }
  return readVerb(text, COMMAND_VERBS) ?? readCancel(text) ?? carriedOut(readAsked(text))
}

/** The words of a mention in a thread that has a job. */
export function readThread(text: string): ThreadWords {
  const words = readVerb(text, THREAD_VERBS) ?? readCancel(text) ?? carriedOut(readAsked(text))
  if (words.kind !== "near") return words
  if (words.verb === "cancel") return { kind: "cancel", id: undefined }
  if (words.verb === "quiet") return { kind: "quiet" }
  return words.verb === "retry" ? { kind: "retry_asked" } : words
}

/** The words of any other mention. */
export function readMention(text: string): MentionWords {
  return readVerb(text, MENTION_VERBS) ?? carriedOut(readAsked(text))
}

/** "Status?" is as clear as `status`, and a command that only shows something does no harm. */
function carriedOut(asked: Asked): Asked | (typeof MENTION_VERBS)[number] {
  const verb = asked.kind === "near" ? asked.verb : undefined
  return MENTION_VERBS.find(({ kind }) => kind === verb) ?? asked
}

/** For the default of a `switch` over words: the compiler checks that each kind has its case. */
export function neverSaid(words: never): never {
  throw new Error(`No case for these words: ${JSON.stringify(words)}`)
}

/** Takes `project=<name>` off the front of what was typed. */
export function splitProject(words: string): { project?: string; words: string } {
  const match = /^project=([\w.-]{1,40})(?:\s+|$)/i.exec(words)
  return match?.[1] ? { project: match[1], words: words.slice(match[0].length).trim() } : { words }
}

function readVerb<Verb extends { kind: string }>(
  text: string,
  verbs: readonly Verb[],
): Verb | undefined {
  const word = text.trim().toLowerCase()
  return verbs.find(({ kind }) => kind === word)
}

function readCancel(text: string): Cancel | undefined {
  const match = CANCEL.exec(text.trim())
  return match ? { kind: "cancel", id: match[1]?.toLowerCase() } : undefined
}

function readAsked(text: string): Asked {
  const words = text.trim()
  if (isBlank(words)) return { kind: "blank" }
  const length = words.length > PROMPT_MAX ? Array.from(words).length : words.length
  if (length > PROMPT_MAX) return { kind: "too_long", length }
  const request = splitProject(words)
  // A project without words is answered with how to ask.
  if (isBlank(request.words)) return { kind: "prompt", ...request }
  const meaning = meaningOf(request.words)
  if (meaning.kind === "courtesy" || meaning.kind === "near") return meaning
  return { kind: meaning.kind === "unclear" ? "unclear" : "prompt", ...request }
}
