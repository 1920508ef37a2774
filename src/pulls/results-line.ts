import { isOver, type PullState } from "../jobs/job.ts"
import { line } from "../messages/blocks.ts"
import { foreignLine, link, mention, mentions } from "../messages/mrkdwn.ts"
import { byWords, pullRequestLink } from "../messages/pull-request.ts"
import type { Message } from "../slack/message.ts"

/** Facts of one pull request for the channels that get all results. */
export interface ResultFacts {
  prLink: string
  state: PullState | undefined
  /** GitHub login of the person who merged it. */
  mergedBy: string | undefined
  title: string | undefined
  asker: string
  /** Address of the request's card. */
  cardUrl: string | undefined
  gitHubHost: string
}

/** Writes the one line of a pull request. It names the asker without notifying them. */
export function resultLine(facts: ResultFacts): Message | undefined {
  const { prLink, title, asker, cardUrl, gitHubHost } = facts
  const pull = pullRequestLink({ prLink }, gitHubHost)
  if (!pull) return undefined
  const named = [pull, title && foreignLine(title, 80)].filter(Boolean).join(" ")
  const request = cardUrl ? link(cardUrl, "request") : "request"
  return line(`${stateWords(facts)}: ${named} · ${request} by ${foreignLine(asker, 40)}`)
}

function stateWords({ state, mergedBy }: ResultFacts): string {
  if (!isOver(state)) return "*Ready for review*"
  return state === "merged" ? `*Merged*${byWords(mergedBy)}` : "*Closed without a merge*"
}

export function resultsOn(user: string): Message {
  return line(
    `${mention(user)} turned on results here: one line for each pull request that Docs Agent opens in a public channel. To stop: \`/docs-agent results off\``,
  )
}

export function resultsOff(user: string): Message {
  return line(`${mention(user)} turned off results here.`)
}

export const RESULTS_ON_ALREADY = line("*This channel already gets all results.*")
export const RESULTS_NOT_ON = line(
  "*This channel gets no results.* To start: `/docs-agent results on`",
)
export const RESULTS_NOT_HERE = line(
  "*Results need a channel.* Use `/docs-agent results on` in the channel that should get them.",
)

export const RESULTS_HOW = line(
  "*`results` takes `on`, `off` or `list`.* `/docs-agent results on` posts one line here for each pull request.",
)

/** Texts for `cannotPostHere` if Slack did not confirm the announcement. */
export const NOT_TURNED_ON = {
  again: "turn results on again",
  unsure: "*Not turned on*: Slack didn't confirm my post. Try again.",
}

/** Lists the channels with results, and who turned them on. */
export function resultsList(channels: readonly { channel: string; user: string }[]): Message {
  if (channels.length === 0)
    return line("*No channel gets results.* To start here: `/docs-agent results on`")
  const rows = channels.map(
    ({ channel, user }) => `• <#${channel}>, turned on by ${mentions([user])}`,
  )
  return line(["*Channels that get all results*", ...rows].join("\n"))
}
