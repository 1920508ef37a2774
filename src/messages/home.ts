import type { KnownBlock } from "@slack/types"
import type { Listed } from "../jobs/overview.ts"
import { pausedNow } from "../jobs/places.ts"
import type { Home, Message } from "../ports/message.ts"
import { remedy, resumeButton } from "./admin-notice.ts"
import { actions, button, header, section } from "./blocks.ts"
import { groupsOf, listedButton, listedLine, type OverviewFacts } from "./lists.ts"
import { foreignLine } from "./mrkdwn.ts"
import { askButton, bindingLines, LEAD, moreLine } from "./overview.ts"
import { pauseLine } from "./queue.ts"

/** Requests of a group; the card in the channel has each one whole. */
const SHOWN = 10
/** Paused projects, each with its *Resume*: a view has 100 blocks. */
const PAUSED_SHOWN = 10

interface HomeFacts extends OverviewFacts {
  /** The setting that holds a project's key; for admins alone, who are shown what is paused. */
  settingOf?: ((project: string) => string) | undefined
}

/** Shows a person's requests, and the hourly limit where it holds something up. */
export function homeView(facts: HomeFacts): Home {
  const groups = Object.entries(groupsOf(facts)).filter(([, listed]) => listed.length > 0)
  const limits = bindingLines(facts, { withPaused: facts.settingOf === undefined })
  return {
    type: "home",
    blocks: [
      section(LEAD),
      ...actions([
        { ...askButton(), style: "primary" },
        button({ action: "how_to_ask", label: "See how it works", value: "help" }),
      ]),
      ...(groups.length === 0 ? [section("You have no requests yet.")] : []),
      ...groups.flatMap(([name, listed]) => group(name, listed, facts)),
      ...(limits.length > 0 ? [header("Hourly limit"), ...limits.map((one) => section(one))] : []),
      ...admin(facts),
    ],
  }
}

/** Shows somebody who may not ask why, and whom to ask. */
export function refusedHome({ blocks }: Message): Home {
  return { type: "home", blocks }
}

function group(name: string, listed: readonly Listed[], facts: HomeFacts): KnownBlock[] {
  return [
    header(name),
    ...listed
      .slice(0, SHOWN)
      .map((one) =>
        section(listedLine(one, facts.gitHubHost, { hasCancel: true }), listedButton(one)),
      ),
    ...moreLine(listed.length - SHOWN).map((one) => section(one)),
  ]
}

function admin({ overview, nameOf, admins, settingOf }: HomeFacts): KnownBlock[] {
  if (!settingOf) return []
  const paused = overview.quotas.flatMap(({ project, quota }) => {
    const reason = pausedNow({ pause: quota.pause, now: overview.now })
    if (!reason) return []
    const isRefused = reason === "key_refused" || reason === "forbidden"
    const lines = [
      ...(overview.quotas.length > 1 ? [`*${foreignLine(nameOf(project), 40)}*`] : []),
      pauseLine(reason, admins, quota.pause?.until),
      ...(isRefused ? [remedy({ kind: reason, setting: settingOf(project) })] : []),
    ]
    return [{ lines, project }]
  })
  if (paused.length === 0) return []
  return [
    header("Admin"),
    ...paused
      .slice(0, PAUSED_SHOWN)
      .map(({ lines, project }) => section(lines.join("\n"), resumeButton(project))),
  ]
}
