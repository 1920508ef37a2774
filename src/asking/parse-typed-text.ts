import { isBlank } from "../lib/plain-text.ts"
import { truncate } from "../lib/truncate.ts"

/** Words that are commands wherever people say them alone. */
const VERBS = ["help", "status", "quota"] as const
/** Words that are commands after `/docs-agent`, in a thread, and in any other mention. */
const VERBS_IN = {
  command: [...VERBS, "doctor", "audit", "forget-me"],
  thread: [...VERBS, "retry", "mute", "unmute"],
  mention: VERBS,
} as const

export type Verb = (typeof VERBS_IN)[keyof typeof VERBS_IN][number]

export type Typed =
  /** Request; `project` is its `project=<name>`. An `unclear` one may be a mistake. */
  | { kind: "prompt" | "unclear"; words: string; project?: string }
  /** Command to cancel this job or, without an id, the person's own requests in the thread. */
  | { kind: "cancel"; id: string | undefined }
  | { kind: "verb"; verb: Verb }
  | { kind: "answer"; isYes: boolean }
  | { kind: "small_talk"; of: SmallTalk }
  /** Nothing at all, or only a project's name. */
  | { kind: "blank"; project?: string }

/** Texts that don't ask for a docs change, in lowercase, without punctuation or emoji. */
const SMALL_TALK = {
  thanks:
    "thanks, thank you, thank you so much, thanks a lot, many thanks, ok thanks, thx, ty, cheers, merci, danke, gracias, grazie, obrigado, obrigada, спасибо, 谢谢, ありがとう, ありがとうございます, 감사합니다",
  greeting:
    "hi, hi there, hello, hello there, hey, hey there, good morning, good afternoon, good evening, hola, bonjour, hallo, привет, 你好, こんにちは, test, ping",
  never_mind: "never mind, nevermind, nvm, forget it, forget about it, no thanks, no thank you",
  nod: "ok, okay, great, nice, perfect, cool, awesome, lgtm, looks good, got it",
}

type SmallTalk = keyof typeof SMALL_TALK

/** Questions about the bot itself, in the same form; a greeting may precede them. */
const QUESTIONS = [
  "help me, help please, please help, i need help, can you help, can you help me, how can you help",
  "how can you help me, what can you do, what can you do for me, what do you do, what can i ask",
  "what can i ask you, what can i do, who are you, what are you, are you a bot, are you an ai",
  "how do you work, how does this work, how do i use this, how do i use you, how can i use this",
  "how do i ask, what commands do you have, what commands are there, commands, usage",
]

/** Maximum length of a request in code points; Slack sends no longer messages. */
const MAX_PROMPT = 40_000
/** Maximum length, in code units, of a text that can be small talk or a command word. */
const MAX_BARE = 80

/**
 * Pattern for `cancel` with a job's id; "cancel the beta page" is a request. Includes one word of
 * about that length with a digit, which can only be a miscopied id.
 */
const CANCEL = /^cancel\s+`?([2-9a-hjkmnp-tv-z]{10}|(?=\D{0,12}\d)\w{8,12})`?$/i

const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/**
 * Reads what somebody typed, in which `status` and the like are commands only as the whole text.
 */
export function readWords(text: string, where: keyof typeof VERBS_IN): Typed {
  const verbs: readonly Verb[] = VERBS_IN[where]
  const words = truncate(text.trim(), MAX_PROMPT)
  const request = splitProject(words)
  if (isBlank(request.words)) return { kind: "blank", project: request.project }
  const typed = bare(words) ?? ""
  // People may know these names from earlier versions.
  const said = typed === "quiet" || typed === "stop" ? "mute" : typed
  const verb = verbs.find((one) => one === said)
  if (verb) return { kind: "verb", verb }
  if (said === "cancel") return { kind: "cancel", id: undefined }
  const [, id] = CANCEL.exec(words) ?? []
  if (id !== undefined) return { kind: "cancel", id: id.toLowerCase() }
  if (said === "yes" || said === "no") return { kind: "answer", isYes: said === "yes" }
  if (isAboutMe(said)) return { kind: "verb", verb: "help" }
  const of = smallTalk(request.words)
  if (of) return { kind: "small_talk", of }
  return { kind: isBrief(request.words) ? "unclear" : "prompt", ...request }
}

/** Splits `project=<name>` off the front of a text. */
export function splitProject(words: string): { project?: string; words: string } {
  const match = /^project=([\w.-]{1,40})(?:\s+|$)/i.exec(words)
  return match?.[1] ? { project: match[1], words: words.slice(match[0].length).trim() } : { words }
}

/** Removes case, punctuation and emoji; returns undefined for a text over `MAX_BARE`. */
function bare(text: string): string | undefined {
  if (text.length > MAX_BARE) return undefined
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}]):[a-z0-9_+-]+:/gu, " ")
    .replace(/[^\p{L}\p{M}\p{N}\s-]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
}

/** @param said text as `bare` returns it */
function isAboutMe(said: string): boolean {
  const [greeting = ""] = /^(hi|hello|hey)( there)? /.exec(said) ?? []
  return listed(QUESTIONS).includes(said.slice(greeting.length))
}

const listed = (lines: readonly string[]) => lines.flatMap((line) => line.split(", "))

function smallTalk(text: string): SmallTalk | undefined {
  const words = bare(text)
  if (words === "") return /[?？]/.test(text) ? "greeting" : "nod"
  const kinds = Object.keys(SMALL_TALK) as SmallTalk[]
  return kinds.find((kind) => listed([SMALL_TALK[kind]]).includes(words ?? ""))
}

/** Maximum number of words that are too few to be sure that somebody wants a change. */
const BRIEF_WORDS = 2

function isBrief(text: string): boolean {
  if (text.trim().split(/\s+/, BRIEF_WORDS + 1).length > BRIEF_WORDS) return false
  if (!UNSPACED.test(text)) return true
  if (text.length > MAX_BARE) return false
  const segments = new Intl.Segmenter("en", { granularity: "word" }).segment(text)
  return [...segments].filter(({ isWordLike }) => isWordLike).length <= BRIEF_WORDS
}
