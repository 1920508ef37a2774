import type { ReviewRequest } from "../after/review-request.ts"
import type { Finding } from "../doctor/finding.ts"
import type { JobsDeps } from "../jobs/deps.ts"
import type { Forgetting } from "../jobs/forget.ts"
import type { OverviewFacts } from "../messages/lists.ts"
import type { IsOwnDirect } from "../slack/membership.ts"

/** A project as people name it; it is the default of its channels. */
interface ProjectFacts {
  key: string
  name: string
  channels: ReadonlySet<string>
}

/** Dependencies of the docs agent's listeners. */
export interface AgentDeps extends JobsDeps {
  /** The bot's own user and team. Throws SlackError while Slack does not tell. */
  whoWeAre: () => Promise<{ user: string; team: string }>
  isOwnDirect: IsOwnDirect
  /** Tells whether the bot certainly may not post in this channel. */
  isShutOut: (channel: string) => Promise<boolean>
  admins: readonly string[]
  projects: readonly [ProjectFacts, ...ProjectFacts[]]
  /** Address of a message. */
  permalink: (channel: string, ts: string, thread?: string) => string | undefined
  /** Somebody wants to see these jobs' pull requests. */
  pollSoon: (jobs: readonly string[]) => Promise<void>
  /** Facts that lists of requests show besides. */
  listing: Omit<OverviewFacts, "overview">
  /** Examines the setup for an admin. Takes seconds; changes nothing. */
  examine: () => Promise<Finding[]>
  forgetting: Forgetting
  /** Schedules another update of a thread's session in Slack. */
  showAgain: (channel: string, root: string) => Promise<void>
  /** Reads a review into the words of a follow-up; undefined where nothing of it can be read. */
  readReview:
    | ((job: string) => Promise<ReviewRequest | "nothing" | "unavailable" | undefined>)
    | undefined
  /** The code with which Slack refuses the bot's token, if it does. */
  tokenRefused: () => string | undefined
}

/** The project of a request: the one that was typed, else the channel's, else the first. */
export function projectFor(
  { projects }: Pick<AgentDeps, "projects">,
  channel: string,
  typed: string | undefined,
): ProjectFacts | undefined {
  if (typed === undefined)
    return projects.find(({ channels }) => channels.has(channel)) ?? projects[0]
  // Names as people type them: case does not matter.
  return projects.find(({ name }) => name.toLowerCase() === typed.toLowerCase())
}
