import type { KnownBlock } from "@slack/types"
import {
  type Ask,
  currentAsks,
  isEnded,
  isOver,
  type Job,
  type QueuePlace,
  waitingAsks,
} from "../jobs/job.ts"
import type { Message } from "./blocks.ts"
import { actions, context, plain, quote, section } from "./blocks.ts"
import { endingWords } from "./endings.ts"
import { cardButtons, jobButton } from "./job-buttons.ts"
import { date, foreignLine, mention, mentions } from "./mrkdwn.ts"
import { byWords, pullRequestLink, pullWords, sizeWords, withAddress } from "./pull-request.ts"
import { inLine, queuedLine } from "./queue.ts"
import { plural } from "./visitors/format.ts"

export interface CardFacts {
  job: Job
  /** The first request; "" where it is forgotten. */
  words: string
  /** The name of who asked first, until that is forgotten. */
  name?: string | undefined
  place?: QueuePlace | undefined
  /** Name of its project, where there are several. */
  project?: string | undefined
  gitHubHost: string
  admins: readonly string[]
  /** The delay before a request is sent, ms: shown until `from` is set. */
  delayMs?: number
  now: number
}

/** The card keeps a channel readable: all of the words go to the service. Code points. */
const WORDS_ON_CARD = 600
/** Right below the message that asked, one line of a phone says which one it is about. */
const WORDS_BELOW_MESSAGE = 40
/** Lines about waiting follow-ups, and about past ones: the newest. */
const WAITING_SHOWN = 5
const HISTORY_SHOWN = 3

/** Shows a job as the one message that is edited for its whole life. */
export function jobCard(facts: CardFacts): Message {
  const { job, words } = facts
  const head = `${requester(facts)} requested a docs change${words ? `: ${foreignLine(words, 300)}` : "."}`
  const quiet = quietLine(facts)
  const state = quiet ?? stateLine(facts)
  const below = quiet ? [] : footer(facts, state)
  const text = withAddress(`${head}\n${plain([state, ...below].join("\n"))}`, job.prLink)
  if (quiet) return { text, blocks: [context(quiet)] }
  return {
    text,
    blocks: [
      section(state),
      ...request(job, words),
      ...(below.length > 0 ? [context(below.join("\n"))] : []),
      ...actions(cardButtons(job)),
      ...waiting(job),
    ],
  }
}

/**
 * Names who asked. Slack would notify somebody whom a post mentions, also of what they did themselves; an
 * edit notifies nobody, so once the request is sent a mention leads to their profile.
 */
function requester({ job, name }: CardFacts): string {
  const isPost = job.card === undefined
  if (name && (isPost || job.state === "queued")) return foreignLine(name, 40)
  return isPost ? "Someone" : mention(job.user)
}

/** The quiet line that stays of a card whose pull request is merged or closed. */
function quietLine(facts: CardFacts): string | undefined {
  const { job, words, gitHubHost } = facts
  const { pull } = job
  if (!isEnded(job) || job.ending !== "pull_request" || !isOver(pull?.state)) return undefined
  const state =
    pull?.state === "merged" ? `:tada: *Merged*${byWords(pull.by)}` : "*Closed* without merging"
  const about = pullWords(job, gitHubHost, words)
  return [state, about, `requested by ${requester(facts)}`].filter(Boolean).join(" · ")
}

function stateLine(facts: CardFacts): string {
  const { job, gitHubHost } = facts
  // Like its requester, the admins are named from the first edit on.
  const admins = job.card === undefined ? [] : facts.admins
  if (job.state === "queued") return startingLine(facts) ?? queuedLine(facts.place, admins)
  if (job.state === "creating") return ":hourglass_flowing_sand: *Starting*"
  if (!isEnded(job)) return activeLine(job, gitHubHost)
  const life = job.ending === "pull_request" && lifeLine(job, gitHubHost)
  if (life) return life
  const { emoji, state } = endingWords(job, facts)
  return `${emoji ? `:${emoji}: ` : ""}${state}`
}

/** Names the whole delay until it is over: a countdown would need an edit a second. */
function startingLine({ job, now, delayMs = 0 }: CardFacts): string | undefined {
  const asked = Math.max(...currentAsks(job).map(({ at }) => at))
  const from = job.from ?? asked + delayMs
  if (from <= now) return undefined
  return `:hourglass_flowing_sand: *Starting in ${plural(Math.ceil((from - asked) / 1000), "second")}*`
}

/** Slack itself keeps "3 minutes ago" true, so the card is not edited for it. */
function activeLine(job: Job, gitHubHost: string): string {
  const label = pullRequestLink(job, gitHubHost)
  if (job.follows !== undefined && label) {
    const users = currentAsks(job).map(({ user }) => user)
    const askers = users.length > 0 ? users.slice(0, 3) : [job.turnOf]
    return `:gear: *Updating* ${label} · asked by ${mentions(askers)}`
  }
  const since = job.startedAt === undefined ? "" : ` · started ${date(job.startedAt, "{ago}")}`
  return `:gear: *Working on it*${label ? ` · ${label}, still changing` : since}`
}

/** Says what has become of the pull request; nothing beyond its being ready. */
function lifeLine(job: Job, gitHubHost: string): string | undefined {
  const link = pullRequestLink(job, gitHubHost)
  if (!link) return undefined
  switch (job.pull?.state) {
    case "draft":
      return `:white_check_mark: *Draft pull request*: ${link}`
    case "approved":
      return `:white_check_mark: *Approved*: ${link}`
    case "changes_requested":
      return `:warning: *Changes requested*${byWords(job.pull.review?.by)}: ${link}`
  }
  return undefined
}

/** The request. Between the message that asked and the card it is said in short. */
function request(job: Job, words: string): KnownBlock[] {
  if (!words) return []
  if (!isBelowItsMessage(job)) return [quote(words, WORDS_ON_CARD)]
  return [quote(words.replace(/\s+/g, " "), WORDS_BELOW_MESSAGE)]
}

/** Tells whether the card is right below the message that asked, which already shows who and what. */
function isBelowItsMessage({ thread, asks }: Job): boolean {
  return thread !== undefined && asks[0]?.ts !== undefined
}

/** Says what the pull request is about, whose it is, what was asked since, and how it was asked. */
function footer(facts: CardFacts, state: string): string[] {
  const { job, project, place, gitHubHost } = facts
  const link = pullRequestLink(job, gitHubHost) ?? ""
  const about = pullWords(state.includes(link) ? { ...job, prLink: "" } : job, gitHubHost)
  // While it is updated, the size is that of before.
  const size = job.state === "ended" ? sizeWords(job.pull) : undefined
  const whose = [
    isBelowItsMessage(job) ? "" : `Requested by ${requester(facts)}`,
    job.state === "queued" ? inLine(place) : "",
    project ? `Project *${foreignLine(project, 40)}*` : "",
  ]
  return [
    [about, size].filter(Boolean).join(" · "),
    whose.filter(Boolean).join(" · "),
    ...pastLines(job),
    job.isShared ? "Another organization can read this channel." : "",
    job.note ? foreignLine(job.note, 300) : "",
  ].filter(Boolean)
}

/** Past follow-ups and retries. The ones under way are named in the state. */
function pastLines({ history, state, follows }: Job): string[] {
  const last = history.at(-1)?.at
  const past =
    state === "active" && follows !== undefined ? history.filter(({ at }) => at !== last) : history
  return past.slice(-HISTORY_SHOWN).map(({ kind, user }) => `${PAST[kind]} ${mention(user)}`)
}

const PAST: Record<Job["history"][number]["kind"], string> = {
  follow_up: "Follow-up from",
  retry: "Run again by",
  review: "Review addressed by",
}

/** Follow-ups that are not sent yet, each with its own *Cancel*. */
function waiting(job: Job): KnownBlock[] {
  // They are mentioned, which a post would notify them of: the first edit shows them.
  if (job.card === undefined) return []
  const joined = job.state === "queued" ? currentAsks(job).slice(1) : []
  const asks = [...joined, ...waitingAsks(job)]
  const hidden = asks.length - WAITING_SHOWN
  return [
    ...asks.slice(-WAITING_SHOWN).flatMap((ask) => openAsk(job, ask, joined.includes(ask))),
    ...(hidden > 0 ? [context(`${hidden} more waiting`)] : []),
  ]
}

function openAsk(job: Job, { id: ask, user }: Ask, isJoined: boolean): KnownBlock[] {
  const n = job.asks.findIndex(({ id }) => id === ask)
  const cancel = jobButton(job, "cancel", { ask, spoken: `Cancel follow-up ${n}` })
  if (isJoined) return [section(`${mention(user)}'s follow-up is included`, cancel)]
  const spoken = `Start follow-up ${n} separately`
  const separate = jobButton(job, "start_separately", { ask, spoken })
  return [section(`${mention(user)}'s follow-up is waiting`), ...actions([cancel, separate])]
}
