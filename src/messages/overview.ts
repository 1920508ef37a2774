import type { KnownBlock } from "@slack/types"
import { pausedNow } from "../jobs/places.ts"
import { remedy, resumeButton } from "./admin-notice.ts"
import type { Home, Message } from "./blocks.ts"
import { actions, button, context, header, privateText, section, sections } from "./blocks.ts"
import { askButton, LEAD } from "./help.ts"
import { groupsOf, listedButton, listedLine, type OverviewFacts } from "./lists.ts"
import { clockTime, foreignLine } from "./mrkdwn.ts"
import { pauseLine } from "./queue.ts"

/** Projects, requests of a group, and paused projects that are shown: a view has 100 blocks. */
const SHOWN = 10
/** Slack refuses messages of more than 13,200 characters. */
const LONGEST = 10_000

/** Lists a person's requests, privately, as the Home tab does. */
export function statusMessage(facts: OverviewFacts): Message {
  let room = LONGEST
  const parts = groupsOf(facts).map(([name, listed]) => {
    const lines = listed.slice(0, SHOWN).flatMap((one) => {
      const text = `• ${listedLine(one, facts.gitHubHost)}`
      room -= text.length
      return room > 0 ? text : []
    })
    return [`*${name}*`, ...lines, ...moreLine(listed.length - lines.length)]
  })
  const mine = parts.length > 0 ? parts : [["*No requests yet.*"]]
  const { hours, others } = hoursOf(facts)
  const small = [...hours.map(({ line }) => line), ...others]
  return {
    text: privateText([...mine.flat(), ...small].join("\n")),
    blocks: [
      ...mine.flatMap((lines) => sections(lines)),
      context(small.join("\n")),
      ...actions([askButton()]),
    ],
  }
}

/** Answers whether one may be started now, and if not, when. */
export function quotaMessage(facts: OverviewFacts): Message {
  const { hours, others } = hoursOf(facts)
  const lines = [...hours.map(({ mayStart, line }) => `${mayStart}\n${line}`), ...others]
  return {
    text: privateText(lines.join("\n")),
    blocks: [...lines.map((one) => section(one)), ...actions([askButton()])],
  }
}

interface HomeFacts extends OverviewFacts {
  /** The setting that holds a project's key; for admins alone, who are shown what is paused. */
  settingOf?: ((project: string) => string) | undefined
}

/** Shows a person's requests, and the hourly limit where it holds something up. */
export function homeView(facts: HomeFacts): Home {
  const groups = groupsOf(facts)
  const { hours } = hoursOf(facts)
  const paused = facts.settingOf ? hours.filter(({ reason }) => reason !== undefined) : []
  const binding = hours.filter((hour) => hour.binds && !paused.includes(hour))
  return {
    type: "home",
    blocks: [
      section(LEAD),
      ...actions([
        { ...askButton(), style: "primary" },
        button({ action: "how_to_ask", label: "See how it works", value: "help" }),
      ]),
      ...(groups.length === 0 ? [section("You have no requests yet.")] : []),
      ...groups.flatMap(([name, listed]): KnownBlock[] => [
        header(name),
        ...listed
          .slice(0, SHOWN)
          .map((one) =>
            section(listedLine(one, facts.gitHubHost, { hasCancel: true }), listedButton(one)),
          ),
        ...moreLine(listed.length - SHOWN).map((one) => section(one)),
      ]),
      ...(binding.length > 0 ? [header("Hourly limit")] : []),
      ...binding.map(({ mayStart, line }) => section(`${mayStart}\n${line}`)),
      ...(paused.length > 0 ? [header("Admin")] : []),
      ...paused.map(({ project, reason, name, mayStart }) => {
        const setting = facts.settingOf?.(project) ?? ""
        const isRefused = reason === "key_refused" || reason === "forbidden"
        const lines = [name, mayStart, isRefused ? remedy({ kind: reason, setting }) : ""]
        return section(lines.filter(Boolean).join("\n"), resumeButton(project))
      }),
    ],
  }
}

function moreLine(more: number): string[] {
  return more > 0 ? [`${more} more`] : []
}

/** Says of each project how much of its hour is used, the ones first where something is paused or waits. */
function hoursOf({ overview: { quotas, now }, nameOf, admins }: OverviewFacts) {
  const all = quotas.map(({ project, quota }) => {
    const { used, ceiling, waiting, startsAt, isReserved, pause } = quota
    const reason = pausedNow({ pause, now })
    const name = quotas.length > 1 ? `*${foreignLine(nameOf(project), 40)}*` : ""
    const whole = `${used} of ${ceiling} requests this hour${waiting > 0 ? ` · ${waiting} queued` : ""}`
    const why = isReserved
      ? " The rest of this hour is kept for people who've asked less than 5 times."
      : ""
    return {
      project,
      reason,
      name,
      line: name ? `${name}: ${whole}` : whole,
      binds: reason !== undefined || startsAt !== undefined,
      mayStart: reason
        ? pauseLine(reason, admins, pause?.until)
        : startsAt === undefined
          ? "*You can start a request now.*"
          : `*Your next request would start around ${clockTime(startsAt)}.*${why}`,
      urgency: (reason ? 1e9 : 0) + waiting * 100 + used,
    }
  })
  const left = all.length - SHOWN
  return {
    hours: all.toSorted((a, b) => b.urgency - a.urgency).slice(0, SHOWN),
    others:
      left > 0 ? [`${left} other ${left === 1 ? "project isn't" : "projects aren't"} shown.`] : [],
  }
}
