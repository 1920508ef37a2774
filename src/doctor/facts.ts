import type { DocsFault } from "../docs/errors.ts"
import type { Pause } from "../jobs/ports.ts"
import type { LastSeenTimes } from "../redis/last-seen.ts"
import type { ServerFacts } from "../redis/server-facts.ts"

/** What was found by looking; nothing here judges. No field holds a secret. */
export interface Facts {
  /** `process.versions.node` */
  node: string
  /** Faults of the environment. While there are any, nothing else can be looked at. */
  environment: readonly string[]
  store?: StoreFacts
  slack?: SlackFacts
  service?: readonly ProjectFacts[]
}

export type StoreFacts =
  | {
      state: "answers"
      /** A redis-server of ours rather than one that was configured. */
      embedded: boolean
      servers: readonly ServerFacts[]
      /** Redis' clock minus ours, ms, give or take half a round trip. */
      skewMs: number
    }
  | { state: "away"; reason: string }
  /** No REDIS_URL; the bot starts a redis-server of its own when it starts. */
  | { state: "not_started" }
  /** No REDIS_URL and no redis-server either. */
  | { state: "missing" }

export interface SlackFacts {
  token: { team: string; bot: string } | { code: string }
  /** Empty when Slack does not tell. Absent with a refused token, like the rest below. */
  scopes?: readonly string[]
  intake: IntakeFacts
  admins?: readonly { user: string; standing: "member" | "not_a_person" | { code: string } }[]
  /** `setting`: where the channel is named. */
  channels?: readonly { channel: string; setting: ChannelSetting; code?: string }[]
}

export type ChannelSetting = "ALLOWED_CHANNELS" | "DOCS_PROJECTS"

export type IntakeFacts =
  /** `code`: what Slack said when a connection was asked for, unless it gave one. */
  | { mode: "socket"; code?: string }
  /** `lastSeen` is absent while Redis does not answer. */
  | { mode: "http"; now: number; lastSeen?: LastSeenTimes }

export interface ProjectFacts {
  project: string
  /** What was wrong with reading one row of its visitors, if anything. */
  fault?: { kind: DocsFault; status?: number; detail?: string }
  pause?: Pause
}
