import type { KnownBlock } from "@slack/types"
import type { Quota } from "../jobs/estimate.ts"
import { isEnded } from "../jobs/job.ts"
import type { Overview } from "../jobs/overview.ts"
import { pausedNow } from "../jobs/places.ts"
import type { Home, Message } from "../ports/message.ts"
import { actions, context, header, section } from "./blocks.ts"
import { resumeButton } from "./job-buttons.ts"
import { date, foreignLine } from "./mrkdwn.ts"
import { helpBlocks, jobLine, moreLine, quotaBar, quotaWords, shownQuotas } from "./overview.ts"
import { pauseLine } from "./pause.ts"
import { askButton } from "./small-talk.ts"

/** A section shows at most so many jobs; the card in the channel has each one whole. */
const JOBS_SHOWN = 10

/** My jobs, the hour's quota, how to ask; for admins the state of the service. */
export function homeView(overview: Overview, options: { isAdmin: boolean }): Home {
  const running = overview.jobs.filter(({ job }) => !isEnded(job))
  const recent = overview.jobs.filter(({ job }) => isEnded(job))
  const { shown, others } = shownQuotas(overview)
  return {
    type: "home",
    blocks: [
      ...actions([askButton()]),
      header("Running"),
      ...list(running, "Nothing is running or queued.", overview.gitHubHost),
      ...moreLine(overview).map(section),
      header("Recent"),
      ...list(recent, "Nothing yet.", overview.gitHubHost),
      header("Hourly limit"),
      ...shown.flatMap(({ project, quota }) => hour(project, quota, overview.quotas.length > 1)),
      ...others.map(section),
      ...(options.isAdmin ? admin({ quotas: shown, now: overview.now }) : []),
      header("How to ask"),
      ...helpBlocks(),
      context(`As of ${date(overview.now)}. Open this tab again to refresh it.`),
    ],
  }
}

/** For somebody who may not ask: why, and whom to ask. */
export function refusedHome({ blocks }: Message): Home {
  return { type: "home", blocks }
}

function list(jobs: Overview["jobs"], none: string, gitHubHost: string): KnownBlock[] {
  return jobs.length === 0
    ? [section(none)]
    : jobs.slice(0, JOBS_SHOWN).map((j) => section(jobLine(j, gitHubHost)))
}

function hour(project: string, quota: Quota, named: boolean): KnownBlock[] {
  const name = named ? `*${foreignLine(project, 60)}*\n` : ""
  return [section(`${name}${quotaBar(quota)}\n${quotaWords(quota)}`)]
}

function admin({ quotas, now }: Pick<Overview, "quotas" | "now">): KnownBlock[] {
  return [
    header("Admin"),
    ...quotas.flatMap(({ project, quota }) => {
      const reason = pausedNow({ pause: quota.pause, now })
      const name = foreignLine(project, 60)
      if (!reason) return [section(`*${name}*: the documentation service accepts jobs.`)]
      return [
        section(`*${name}*\n${pauseLine(reason, quota.pause?.until)}`),
        ...actions([resumeButton(project)]),
      ]
    }),
  ]
}
