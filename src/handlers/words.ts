/** What somebody typed after `/docs-agent` or after the bot's name, sorted by what it means. Pure. */
export type Words =
  | { kind: "blank" }
  | { kind: Verb }
  /** Without an id: the job of this thread. */
  | { kind: "cancel"; id: string | undefined }
  /** The project for this channel from now on. */
  | { kind: "use"; project: string }
  | { kind: "prompt"; words: string }
  | { kind: "too_long"; length: number }

/** Words that mean something by themselves. */
type Verb = "help" | "status" | "quota" | "retry" | "quiet" | "doctor" | "audit" | "forget-me"

/** Slack's own limit of a message; longer text cannot have been typed there. Code points. */
export const PROMPT_MAX = 40_000

/** Only spaces, control and invisible characters: nothing that an agent could act on. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Zs}]*$/u.test(text)
}

/**
 * `cancel` alone or with a job's id; "cancel the beta page" is a prompt. One word with a digit in it
 * can only be an id that was copied wrong: taken for a prompt it would spend a job.
 */
const CANCEL = /^cancel(?:\s+`?([2-9a-hjkmnp-tv-z]{10}|[\w-]{0,20}\d[\w-]{0,20})`?)?$/i

const COMMAND_VERBS = new Set(["help", "status", "quota", "doctor", "audit", "forget-me"])

/** The words of `/docs-agent`: sub-words count only when they stand alone or with their argument. */
export function readCommand(text: string, projects: readonly string[] = []): Words {
  const use = /^use\s+([\w.-]{1,40})$/i.exec(text.trim())?.[1]?.toLowerCase()
  const project = projects.find((name) => name.toLowerCase() === use)
  // "use tabs" is a prompt unless a project is called so.
  if (project) return { kind: "use", project }
  return read(text, COMMAND_VERBS, CANCEL)
}

/** The words of a mention in a thread that has a job: verbs are matched exactly. */
export function readVerbs(text: string): Words {
  return read(text, new Set(["help", "status", "retry", "quiet"]), CANCEL)
}

/** The words of any other mention: only `help` and `status` make sense without a job. */
export function readMention(text: string): Words {
  return read(text, new Set(["help", "status"]), undefined)
}

function read(text: string, verbs: ReadonlySet<string>, cancel: RegExp | undefined): Words {
  const words = text.trim()
  if (isBlank(words)) return { kind: "blank" }
  const verb = words.toLowerCase()
  if (verbs.has(verb)) return { kind: verb as Verb }
  const cancelled = cancel?.exec(words)
  if (cancelled) return { kind: "cancel", id: cancelled[1]?.toLowerCase() }
  const length = words.length > PROMPT_MAX ? Array.from(words).length : words.length
  return length > PROMPT_MAX ? { kind: "too_long", length } : { kind: "prompt", words }
}
