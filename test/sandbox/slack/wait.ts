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
function dumpState(core: Core): string {
  const { workspace, calls, violations, deliveries } = core
  const messages = [...workspace.messages.values()].flatMap((store) => [...store.values()])
  const ephemerals = [...workspace.ephemerals.values()].flatMap((store) => [...store.values()])
  return [
    section("Messages", messages.slice(-20).map(describeMessage)),
    section("Ephemeral messages", ephemerals.slice(-10).map(describeMessage)),
    section(
      "Last calls",
      calls.slice(-15).map((call) => `${call.method}: ${call.error ?? "ok"}`),
    ),
    section(
      "Last deliveries",
      deliveries.slice(-10).map(({ delivery, acknowledgement }) => {
        const { status, failure, ms } = acknowledgement
        return `${delivery.kind}: ${failure ?? status ?? "acknowledged"} after ${Math.round(ms)} ms`
      }),
    ),
    section("Violations", violations),
  ].join("\n")
}

function describeMessage(message: Message): string {
  const place = message.threadTs === undefined ? "" : ` in thread ${message.threadTs}`
  const reader = message.visibleTo === undefined ? "" : ` only for ${message.visibleTo}`
  const text = message.text.length > 200 ? `${message.text.slice(0, 200)}…` : message.text
  return `${message.channel} ${message.ts}${place}${reader} ${message.user}: ${text}`
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...(lines.length > 0 ? lines : ["none"]).map((line) => `  ${line}`)].join(
    "\n",
  )
}
