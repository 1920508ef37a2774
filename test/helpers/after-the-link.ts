import type { Redis } from "ioredis"
import { Headers } from "undici"
import { INTERVALS } from "../../src/compose.ts"
import type { Changed } from "../../src/jobs/change.ts"
import { createJobStore } from "../../src/jobs/job-store.ts"
import type { HttpClient } from "../../src/lib/http-client.ts"
import { NO_SECRETS, secret } from "../../src/lib/secrets.ts"
import type { ReviewSource } from "../../src/pulls/address-review.ts"
import { firstLookPass, type GitHub, watchPass } from "../../src/pulls/follow-pulls.ts"
import { GitHubPulls } from "../../src/pulls/read-pull-request.ts"
import { reminderPass } from "../../src/pulls/reminders.ts"
import type { Message } from "../../src/slack/message-types.ts"
import type { LocalGitHub } from "../sandbox/github/local-github.ts"
import { gitHubForTest, push, TOKEN } from "./github.ts"
import { asContext } from "./waiting.ts"

/** Sets up a store, the local GitHub, and the passes for pulls and reminders, on a manual clock. */
export async function afterTheLink(
  redis: Redis,
  {
    onChange = () => {},
    isConnected = true,
  }: {
    onChange?: (changed: Changed) => void
    /** False to ask the local GitHub without a connection, which is faster. */
    isConnected?: boolean
  } = {},
) {
  const { github, clock } = await gitHubForTest()
  push(github)
  const store = { redis, now: () => clock.now }
  const jobs = createJobStore(store, {
    delayMs: 0,
    onChange,
    onBroken(key, error) {
      throw new Error(key, { cause: error })
    },
    onFailed(_kind, _job, error) {
      throw error
    },
  })
  const refused: string[] = []
  const told: { user: string; pulls: string[] }[] = []
  const outbound = {
    direct: async (user: string, { text }: Message) => {
      told.push({ user, pulls: [...text.matchAll(/#(\d+)/g)].map(([, number = ""]) => number) })
      return { channel: "D1", ts: "1.1" }
    },
  }
  const context = {
    store,
    jobs,
    slack: {
      outbound,
      state: {
        permalink: (channel: string, ts: string) => `https://slack.example/${channel}/${ts}`,
      },
      profileOf: async () => ({ timeZone: "UTC" }),
    },
    settings: {
      timing: INTERVALS,
      isInContainer: false,
      access: { admins: [] },
      reminderDays: 3,
      gitHubHost: "github.com",
    },
    log: { warn: (_: object, says: string) => void refused.push(says) },
  }
  /** GitHub as the bot asks it. */
  const asked: GitHub & ReviewSource = {
    pulls: new GitHubPulls(
      { token: secret(TOKEN), apiUrl: github.apiUrl, timeoutMs: 5000 },
      NO_SECRETS,
      isConnected ? undefined : withoutConnection(github),
    ),
    tokenHash: "print",
  }
  return {
    github,
    clock,
    store,
    jobs,
    refused,
    told,
    context,
    asked,
    passFirstLooks: () => firstLookPass(asContext(context), asked),
    passWatched: () => watchPass(asContext(context), asked),
    async passPulls() {
      return Math.min(await this.passFirstLooks(), await this.passWatched())
    },
    passReminders: () => reminderPass(asContext(context)),
    async find(id = "abcdefgh23") {
      const found = await jobs.find(id)
      if (!found) throw new Error(`There is no job ${id}`)
      return found.job
    },
  }
}

function withoutConnection(github: LocalGitHub): Pick<HttpClient, "send"> {
  return {
    async send(url, { headers } = {}) {
      const answer = github.answer(String(url), headers as Record<string, string>)
      const body = Buffer.from(answer.body)
      return { status: answer.status, headers: new Headers(answer.headers), body, isCut: false }
    },
  }
}
