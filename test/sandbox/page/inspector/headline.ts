import type { FieldChange, TrailStep } from "../../workspace/wire.ts"

/** What a state means, in words. */
const STATES: Readonly<Record<string, string>> = {
  queued: "Accepted: it waits for its turn",
  creating: "Its turn: the creation is on its way",
  active: "The service took it",
  ended: "It ended",
}

/** What else is worth a line, the weightiest first. */
const EVENTS: readonly [field: string, when: "set" | "gone" | "changed", words: string][] = [
  ["pr", "set", "A pull request was seen"],
  ["closing", "set", "The closing reply was posted"],
  ["card", "set", "The card was posted"],
  ["shown", "changed", "The card was edited"],
  ["next poll", "changed", "The service was asked how it goes"],
  ["has something to say in Slack", "set", "It has something to say in Slack"],
  ["has something to say in Slack", "gone", "Everything was said in Slack"],
  ["has something to say in Slack", "changed", "Somebody is at work on what to say in Slack"],
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
