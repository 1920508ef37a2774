import type { FieldChange, TrailStep } from "../../workspace/wire.ts"

/** What a state means, in words. */
const STATES: Readonly<Record<string, string>> = {
  queued: "Accepted, waiting for its turn",
  creating: "Its turn: creating the job",
  active: "The service accepted it",
  ended: "It ended",
}

/** What else is worth a line, the weightiest first. */
const EVENTS: readonly [field: string, when: "set" | "gone" | "changed", words: string][] = [
  ["pr", "set", "Pull request found"],
  ["closing", "set", "The closing reply was posted"],
  ["card", "set", "The card was posted"],
  ["shown", "changed", "The card was edited"],
  ["next poll", "changed", "Checked with the service"],
  ["has something to say in Slack", "set", "Something to post in Slack"],
  ["has something to say in Slack", "gone", "Everything is posted in Slack"],
  ["has something to say in Slack", "changed", "Posting to Slack"],
]

/** What happened in a step, in a few words. */
export function headline({ changes }: TrailStep): string {
  const of = (field: string) => changes.find((change) => change.field === field)
  const state = of("state")?.after
  if (state !== undefined) {
    const ending = of("ending")?.after?.replaceAll("_", " ")
    return `${STATES[state] ?? state}${ending ? `: ${ending}` : ""}`
  }
  const event = EVENTS.find(([field, when]) => happened(of(field), when))
  return event?.[2] ?? `${changes[0]?.field ?? ""} changed`
}

function happened(change: FieldChange | undefined, when: "set" | "gone" | "changed"): boolean {
  if (change === undefined) return false
  if (when === "set") return change.before === undefined
  return when === "gone"
    ? change.after === undefined
    : change.before !== undefined && change.after !== undefined
}
