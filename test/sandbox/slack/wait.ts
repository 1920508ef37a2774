import { type UntilOptions, until } from "../kit/until.ts"
import type { Core } from "./core.ts"
import type { Message } from "./workspace/model.ts"

/** Waits for a state of the workspace. @throws Error describing the state, at the timeout. */
export function untilIn<T>(
  core: Core,
  probe: () => T | undefined | false,
  options?: UntilOptions,
): Promise<T> {
  return until(core.workspace.changes, probe, () => dumpState(core), options)
}

/** Returns a readable summary of the state. */
function dumpState({ workspace, calls, violations, deliveries }: Core): string {
  const shown = [...workspace.messages.values(), ...workspace.ephemerals.values()]
  const messages = shown
    .flatMap((store) => [...store.values()])
    .toSorted((a, b) => Number(a.ts) - Number(b.ts))
  return [
    "Messages:",
    ...messages.slice(-30).map(describeMessage),
    "Last calls:",
    ...calls.slice(-15).map((call) => `${call.method}: ${call.error ?? "ok"}`),
    "Last deliveries:",
    ...deliveries.slice(-10).map(({ delivery, acknowledgement: { status, failure, ms } }) => {
      return `${delivery.kind}: ${failure ?? status ?? "acknowledged"} after ${Math.round(ms)} ms`
    }),
    "Violations:",
    ...violations,
  ].join("\n")
}

function describeMessage(message: Message): string {
  const place = message.threadTs === undefined ? "" : ` in thread ${message.threadTs}`
  const reader = message.visibleTo === undefined ? "" : ` only for ${message.visibleTo}`
  const text = message.text.length > 200 ? `${message.text.slice(0, 200)}…` : message.text
  return `  ${message.channel} ${message.ts}${place}${reader} ${message.user}: ${text}`
}
