import type { KnownBlock } from "@slack/types"
import { isOver, type Job, MANY_WAIT } from "../jobs/job.ts"
import type { Ask } from "../jobs/round-record.ts"
import {
  currentRound,
  endingOf,
  firstAsk,
  followUpsShown,
  isUpdate,
  joinedAsks,
  openAsks,
  rerunBy,
} from "../jobs/rounds.ts"
import type { Message } from "../slack/message-types.ts"
import { actions, context, MAX_QUOTED, quote, section, textOf } from "./blocks.ts"
import { askedBy, historyLines, roundLines } from "./card-history.ts"
import { endingLine, endingWords } from "./ending-words.ts"
import { cardButtons, followUpButtons } from "./job-buttons.ts"
import { counted, date, foreignLine, mention, upperFirst } from "./mrkdwn.ts"
import { changedFilesWords, overWords, pullRequestLink, pullWords } from "./pull-request-words.ts"
import { inLine, isStarting, pauseLine, startWords } from "./queue-words.ts"

export interface CardFacts {
  job: Job
  /** Text of the first request; "" if the bot deleted it. */
  words: string
  /** Text shown beside who asked for the round; "" if there is none. */
  roundWords?: string
  /** Words of the follow-ups that joined or wait, by the id of the request. */
  followUps?: Readonly<Record<string, string>>
  /** Name of the first requester; absent if the bot deleted it. */
  name?: string | undefined
  project?: string | undefined
  gitHubHost: string
  admins: readonly string[]
  now: number
}

export function jobCard(facts: CardFacts): Message {
  const { job, words } = facts
  const said = words ? `: ${foreignLine(words, MAX_QUOTED)}` : "."
  const head = `${requester(facts)} requested a docs change${said}`
  const quiet = quietLine(facts)
  const buttons = cardButtons(job)
  if (quiet)
    return { text: textOf([head, quiet], buttons), blocks: [context(quiet), ...actions(buttons)] }
  const state = stateLine(facts)
  const below = footer(facts, state)
  const followUps = openFollowUps(facts)
  return {
    text: textOf([head, state.text, ...below, ...followUps.map((one) => one.text)], buttons),
    blocks: [
      section(state.text),
      ...request(job, words),
      ...(below.length > 0 ? [context(below.join("\n"))] : []),
      ...actions(buttons),
      ...followUps.flatMap((one) => one.blocks),
    ],
  }
}

/**
 * Names the requester, by mention only in edits: Slack notifies a person whom a post mentions, even
 * about their own request. A queued job's card has the name as long as the bot stores it.
 */
function requester({ job, name }: CardFacts): string {
  const isPost = job.card === undefined
  if (name && (isPost || job.state === "queued")) return foreignLine(name, 40)
  return isPost ? "Someone" : mention(job.user)
}

function quietLine(facts: CardFacts): string | undefined {
  const { job, words, gitHubHost } = facts
  const { pull } = job
  if (!endingOf(job) || !pull || !isOver(pull.state)) return undefined
  const about = pullWords(job, gitHubHost, words)
  return [overWords(pull), about, `requested by ${requester(facts)}`].filter(Boolean).join(" · ")
}

/** State of the job in words, with what they name: the footer does not repeat that. */
interface State {
  text: string
  hasLink?: boolean
  saysUpdate?: boolean
  hasAsker?: boolean
}

function stateLine(facts: CardFacts): State {
  const { job, gitHubHost } = facts
  if (job.state === "queued") return queuedLine(facts)
  if (job.state === "creating") return STARTING
  const ending = endingOf(job)
  if (!ending) return activeLine(job, gitHubHost)
  const words = endingWords(job, ending, gitHubHost)
  return {
    text: endingLine(words),
    hasLink: ending === "pull_request" || ending === "failed",
    saysUpdate: words.saysRound && isUpdate(job),
  }
}

function queuedLine({ job, gitHubHost, admins, now }: CardFacts): State {
  const { place, card, mayStartAt = Infinity } = job
  // Says only roughly when the delay is over: a countdown would need an edit every second.
  if (mayStartAt > now && !place) return { text: ":hourglass_flowing_sand: *Starting in a moment*" }
  // A post would notify the admins whom it mentions, so only edits mention them.
  const mentioned = card === undefined ? [] : admins.slice(0, 1)
  if (place?.paused)
    return { text: pauseLine(place.paused, mentioned, place.startsAt, place.month) }
  if (place && isStarting(place, now)) return STARTING
  const link = isUpdate(job) ? pullRequestLink(job, gitHubHost) : undefined
  const queued = `:hourglass_flowing_sand: ${link ? `*Update queued*: ${link}` : "*Docs change queued*"}`
  const text = [queued, place && startWords(place, now)].filter(Boolean).join(" · ")
  const isAboutPull = link !== undefined
  return { text, hasLink: isAboutPull, saysUpdate: isAboutPull }
}

const STARTING: State = { text: ":hourglass_flowing_sand: *Starting*" }

function activeLine(job: Job, gitHubHost: string): State {
  const label = pullRequestLink(job, gitHubHost)
  if (isUpdate(job) && label) {
    const text = [`:gear: *Updating* ${label}`, askedBy(job)].filter(Boolean).join(" · ")
    return { text, hasLink: true, saysUpdate: true, hasAsker: true }
  }
  const { again, startedAt } = currentRound(job)
  if (again?.how === "look") return { text: ":gear: *Looking for a pull request*" }
  // Slack itself updates "3 minutes ago".
  const since = startedAt === undefined ? "" : ` · started ${date(startedAt, "{ago}")}`
  const still = isOver(job.pull?.state) ? "" : " may still change"
  const text = `:gear: *Working on it*${label ? ` · ${label}${still}` : since}`
  return { text, hasLink: label !== undefined }
}

function request(job: Job, words: string): KnownBlock[] {
  if (!words) return []
  // Below the message itself, the first words are enough to recognize it.
  return isBelowItsMessage(job) ? [quote(words.replace(/\s+/g, " "), 40)] : [quote(words)]
}

/**
 * Returns whether the card is below a message that shows the requester and the text. If the first
 * request was cancelled, the card is above that of the follow-up which remains.
 */
function isBelowItsMessage(job: Job): boolean {
  const ts = firstAsk(job)?.ts
  return job.thread !== undefined && ts !== undefined && (job.card === undefined || job.card > ts)
}

function footer(facts: CardFacts, state: State): string[] {
  const { job, words, project, gitHubHost, now, roundWords = "" } = facts
  const { asks, manyWait } = currentRound(job)
  const about = [
    state.hasLink ? "" : pullRequestLink(job, gitHubHost),
    isSaidAbove(job.pull?.title, words) ? "" : foreignLine(job.pull?.title ?? "", 80),
  ]
  // During an update the known size is out of date.
  const size = job.state === "ended" ? changedFilesWords(job.pull) : undefined
  const asked = askedBy(job)
  // Below its message, a state that says "update" leaves only the name of who asked to be said.
  const isSaid = isBelowItsMessage(job) && state.saysUpdate && !rerunBy(job)
  const whatRound = isSaid ? upperFirst(asked) : roundLines(job).join("\n")
  const said = roundWords && `“${foreignLine(roundWords, 300)}”`
  const whose = [
    isBelowItsMessage(job) ? "" : `Requested by ${requester(facts)}`,
    job.state === "queued" ? inLine(job.place, now) : "",
    // In the thread of a mention, the closing reply right below says that AI wrote it.
    endingOf(job) === "pull_request" && !isBelowItsMessage(job) ? "Written by AI" : "",
    project ? `*${foreignLine(project, 40)}*` : "",
  ]
  return [
    [about.filter(Boolean).join(" "), size].filter(Boolean).join(" · "),
    whose.filter(Boolean).join(" · "),
    ...historyLines(job),
    [state.hasAsker ? "" : whatRound, said].filter(Boolean).join(": "),
    ...new Set(asks.map(({ note }) => (note ? NOTES[note] : ""))),
    manyWait && job.state !== "ended" ? MANY_WAIT_WORDS : "",
  ].filter(Boolean)
}

/** Returns whether a title, which may be cut, is the beginning of the request that is quoted. */
function isSaidAbove(title = "", words: string): boolean {
  return words.toLowerCase().startsWith(title.toLowerCase().replace(/…$/, ""))
}

const NOTES = {
  unread: "Earlier messages aren't included: Docs Agent can't read them.",
  outsiders: "Messages from guests and other organizations aren't included.",
}

const MANY_WAIT_WORDS = `${MANY_WAIT} or more pull requests are waiting to be reviewed or merged. To see them: \`/docs-agent report\``

/** Maximum code points of a follow-up's first words, by which its person recognizes it. */
const MAX_FIRST = 80

/** Follow-up that joined or waits, or a line about those that are not shown. */
interface OpenFollowUp {
  text: string
  blocks: KnownBlock[]
}

function openFollowUps({ job, followUps = {} }: CardFacts): OpenFollowUp[] {
  const joined = joinedAsks(job)
  const shown = followUpsShown(job)
  const hidden = joined.length + job.waiting.length - shown.length
  const text = `${counted(hidden, "earlier follow-up")} not shown`
  return [
    ...shown.map((ask) => {
      const first = foreignLine(followUps[ask.id] ?? "", MAX_FIRST)
      return openAsk(job, ask, joined.includes(ask), first && `“${first}”`)
    }),
    ...(hidden > 0 ? [{ text, blocks: [context(text)] }] : []),
  ]
}

function openAsk(job: Job, { id: ask, user }: Ask, isJoined: boolean, said: string): OpenFollowUp {
  const n = openAsks(job).findIndex(({ id }) => id === ask)
  const [cancel, separate] = followUpButtons(job, ask, n)
  // A post would notify those whom it mentions.
  const whose = job.card === undefined ? "A" : `${mention(user)}'s`
  const text = `${whose} follow-up is ${isJoined ? "included" : "waiting"}${said && `: ${said}`}`
  if (isJoined) return { text, blocks: [section(text, cancel)] }
  return { text, blocks: [section(text), ...actions([cancel, separate])] }
}
