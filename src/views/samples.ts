import { endings, type Job } from "../jobs/job.ts"
import type { Overview } from "../jobs/overview.ts"
import type { Sample } from "../ports/message.ts"
import { adminNotice } from "./admin-notice.ts"
import { jobCard } from "./card.ts"
import { closingReply } from "./endings.ts"
import { homeView } from "./home.ts"
import { askModal } from "./modal.ts"
import { helpMessage, statusMessage } from "./overview.ts"
import { pullReminder } from "./pull-life.ts"
import { duplicateMessage } from "./request-messages.ts"
import { unreadFilesMessage } from "./unread-files.ts"

const AT = Date.UTC(2026, 9, 31)
const USER = "U0SAMPLE01"
const PROJECTS = ["docs", "api-docs"]
const PROMPT = { words: "Fix the quickstart: <b> & *all*\nof it" }
const LINK = "https://github.com/acme/docs/pull/1"
const PLACE = { place: 2, startsAt: AT, soon: false, paused: "" }

/** Of all but the visitors. */
export function agentSamples(): Sample[] {
  return [...jobSamples(), ...personSamples()]
}

function jobSamples(): Sample[] {
  const cards: [string, Job, typeof PLACE | undefined][] = [
    ["queued", job({}), undefined],
    ["in line", job({}), PLACE],
    ["paused", job({}), { ...PLACE, paused: "key_refused" }],
    ["starting", job({ state: "creating" }), undefined],
    ["working", job({ state: "active", startedAt: AT, prLink: LINK }), undefined],
  ]
  const ended = endings.map((ending) => ({ ...job({ state: "ended", prLink: LINK }), ending }))
  return [
    ...cards.map(([state, at, place]) => ({
      kind: `card, ${state}`,
      message: jobCard(at, PROMPT, place, PROJECTS),
    })),
    ...ended.map((one) => ({
      kind: `card, ${words(one.ending)}`,
      message: jobCard(one, PROMPT, undefined, PROJECTS),
    })),
    { kind: "reminder", message: pullReminder(job({ prLink: LINK }), "github.com") },
    ...ended.map((one) => ({
      kind: `closing reply, ${words(one.ending)}`,
      message: closingReply(one),
    })),
  ]
}

function personSamples(): Sample[] {
  const overview: Overview = {
    now: AT,
    jobs: [{ job: job({}), words: PROMPT.words, place: PLACE }],
    more: 0,
    gitHubHost: "github.com",
    quotas: PROJECTS.map((project) => ({
      project,
      quota: { used: 2, ceiling: 99, left: 97, reserved: 5, waiting: 1 },
    })),
  }
  const form = { draft: "sample", quoted: PROMPT.words, initial: PROMPT.words }
  return [
    { kind: "form", view: askModal({ ...form, project: "docs", projects: PROJECTS }) },
    { kind: "Home tab", view: homeView(overview, { isAdmin: true }) },
    {
      kind: "word about files",
      message: unreadFilesMessage([{ id: "F0SAMPLE01", name: "screen.png", why: "not_text" }]),
    },
    { kind: "help", message: helpMessage() },
    { kind: "status", message: statusMessage(overview) },
    { kind: "question about a duplicate", message: duplicateMessage(LINK, "sample") },
    {
      kind: "notice to admins",
      message: adminNotice({ project: "docs", kind: "key_refused", since: AT }),
    },
  ]
}

function job(facts: Partial<Job>): Job {
  return {
    id: "samp2ejob3",
    state: "queued",
    rev: 1,
    project: "docs",
    team: "T0SAMPLE01",
    channel: "C0SAMPLE01",
    user: USER,
    askedAt: AT,
    tag: 1,
    quiet: false,
    misses: 0,
    failures: 0,
    later: { rev: 0, shown: 0 },
    round: 1,
    unsure: 0,
    shown: { rev: 0 },
    ...facts,
  }
}

function words(ending: string): string {
  return ending.replaceAll("_", " ")
}
