import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach } from "vitest"
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from "../sandbox/slack/index.ts"
import { clientOf } from "./slack-client.ts"

export const botToken = "xoxb-local"

interface Running {
  slack: LocalSlack
  /** Client of the bot. */
  client: WebClient
  /** Time in ms by Slack's clock, which stands still. */
  time: number
}

/**
 * Starts a local Slack before each test of a file. No bot listens: tests read `deliveries`.
 * @returns what is running now
 */
export function useLocalSlack(options: Partial<LocalSlackOptions> = {}): Running {
  const running = {} as Running
  beforeEach(async () => {
    running.time = Date.UTC(2026, 10, 21)
    const base = { signingSecret: "s", botToken, mode: "http" as const, now: () => running.time }
    running.slack = await startLocalSlack({ ...base, ...options })
    running.client = clientOf(running.slack, botToken)
  })
  afterEach(() => running.slack.close())
  return running
}
