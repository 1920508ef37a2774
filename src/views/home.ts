import type { KnownBlock } from "@slack/types"
import { isEnded } from "../jobs/job.ts"
import type { Overview } from "../jobs/overview.ts"
import { pausedNow } from "../jobs/places.ts"
import type { Home, Message } from "../ports/message.ts"
import { remedyFor } from "./admin-notice.ts"
import { actions, button, context, header, section } from "./blocks.ts"
import { jobAccessory, resumeButton } from "./job-buttons.ts"
import { date, foreignLine } from "./mrkdwn.ts"
import { askButton } from "./near-miss-messages.ts"
import { hourLine, jobLine, moreLine, shownQuotas } from "./overview.ts"
import { pauseLine } from "./pause.ts"

/** A section shows at most so many jobs; the card in the channel has each one whole. */
const JOBS_SHOWN = 10

/** My jobs, the hour's quota; for admins what is paused, and the remedy. */
export function homeView(overview: Overview, options: { isAdmin: boolean }): Home {
  const running = overview.jobs.filter(({ job }) => !isEnded(job))
  const recent = overview.jobs.filter(({ job }) => isEnded(job))
  const { shown, others } = shownQuotas(overview)
  return {
    type: "home",
    blocks: [
      ...actions([
        askButton(),
        button({ action: "how_to_ask", label: "How to ask", value: "help" }),
        button({ action: "refresh_home", label: "Refresh", value: "home" }),
      ]),
      header("Running"),
      ...(running.length === 0 ? [section("You have nothing running or queued.")] : []),
      ...running.slice(0, JOBS_SHOWN).map((shown) => openJob(shown, overview.gitHubHost)),
      ...moreLine(overview).map(section),
      header("Recent"),
      ...(recent.length === 0 ? [section("Nothing yet.")] : []),
      ...recent.slice(0, JOBS_SHOWN).map((shown) => section(jobLine(shown, overview.gitHubHost))),
      header("Hourly limit"),
      ...shown.map(({ project, quota }) =>
        section(hourLine(quota, overview.quotas.length > 1 ? project : undefined)),
      ),
      ...others.map(section),
      ...(options.isAdmin ? admin({ quotas: shown, now: overview.now }) : []),
      context(`As of ${date(overview.now)}`),
    ],
  }
}

/** For somebody who may not ask: why, and whom to ask. */
export function refusedHome({ blocks }: Message): Home {
  return { type: "home", blocks }
}

/** A job that waits or runs, with what can be done about it beside it. */
function openJob(shown: Overview["jobs"][number], gitHubHost: string): KnownBlock {
  const accessory = jobAccessory(shown.job)
  return {
    ...section(jobLine(shown, gitHubHost, { hasCancel: true })),
    ...(accessory ? { accessory } : {}),
  }
}

function admin({ quotas, now }: Pick<Overview, "quotas" | "now">): KnownBlock[] {
  const paused = quotas.flatMap(({ project, quota }) => {
    const reason = pausedNow({ pause: quota.pause, now })
    if (!reason) return []
    const lines = [
      ...(quotas.length > 1 ? [`*${foreignLine(project, 60)}*`] : []),
      pauseLine(reason, quota.pause?.until),
      remedyFor(reason),
    ]
    return [section(lines.filter(Boolean).join("\n")), ...actions([resumeButton(project)])]
  })
  return [header("Admin"), ...(paused.length > 0 ? paused : [section("Nothing is paused.")])]
}
