import type { TrafficEntry } from "../../workspace/wire.ts"

export type Lane = TrafficEntry["lane"]

/** The wires, with who speaks first. */
export const LANES: readonly (readonly [Lane, string])[] = [
  ["to_bot", "Slack → bot"],
  ["to_slack", "Bot → Slack"],
  ["to_service", "Bot → service"],
  ["bot_log", "Bot's log"],
  ["violation", "House rules"],
]

export function laneName(lane: Lane): string {
  return LANES.find(([name]) => name === lane)?.[1] ?? lane
}
