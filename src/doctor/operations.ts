import { type Finding, ok } from "./finding.ts"

/** What is known of an operation that not every deployment has; `off`: the bot is told not to use it. */
type Presence = "present" | "absent" | "unknown" | "off"

export interface OperationFacts {
  project: string
  message: Presence
  preview: Presence
}

/** Names of projects that one line has room for. */
const MOST_NAMES = 5

/** What the deployment was found to offer beyond the document. Neither with nor without is anything wrong. Pure. */
export function judgeOperations(projects: readonly OperationFacts[]): Finding[] {
  if (projects.length === 0) return []
  const says = (label: string, of: "message" | "preview") =>
    `${label}: ${words(projects.map((facts) => [facts.project, facts[of]]))}`
  const both = [says("follow-up messages", "message"), says("previews", "preview")]
  return [ok("service options", `Optional operations: ${both.join("; ")}`)]
}

const WORDS: Record<Presence, string> = {
  present: "available",
  absent: "not offered (tried again within a day)",
  unknown: "not tried yet",
  off: "turned off",
}

function words(known: readonly (readonly [string, Presence])[]): string {
  const kinds = [...new Set(known.map(([, presence]) => presence))]
  const [only, ...others] = kinds
  if (only !== undefined && others.length === 0) return WORDS[only]
  return kinds
    .map((kind) => {
      const names = known.flatMap(([project, presence]) => (presence === kind ? [project] : []))
      const more = names.length - MOST_NAMES
      const shown = names.slice(0, MOST_NAMES).join(", ")
      return `${WORDS[kind]} in ${shown}${more > 0 ? ` and ${more} more` : ""}`
    })
    .join(", ")
}
