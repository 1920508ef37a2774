import { nameInLine } from "../lib/quoted.ts"

/** How much the pull request says of where it was asked for: `PR_ORIGIN`. */
export type OriginSetting = "link" | "name" | "off"

/** Place and person of a request. */
export interface Origin {
  channel: string
  /** Address of the request's thread. */
  permalink: string | undefined
  speaker: string | undefined
}

const MAX_NAME = 80

/**
 * Writes the line that asks the agent to state in the pull request where it was asked for, so that
 * reviewers find the conversation. Undefined where it would help nobody: a direct message's link
 * opens only for the two people in it.
 */
export function originLine(setting: OriginSetting, origin: Origin): string | undefined {
  const { channel, permalink, speaker } = origin
  if (setting === "off" || permalink === undefined || channel.startsWith("D")) return undefined
  const name = speaker && nameInLine(speaker, MAX_NAME)
  const by = setting === "name" && name ? ` by ${name}` : ""
  return `In the pull request's description, add this line: Requested in Slack${by}: ${permalink}`
}

/** Puts the line at the end, after the person's unchanged words. */
export function withOrigin(prompt: string, line: string | undefined): string {
  return line === undefined ? prompt : `${prompt}\n\n${line}`
}
