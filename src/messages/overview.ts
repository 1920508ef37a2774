import { pausedNow } from "../jobs/places.ts"
import type { Home, Message } from "./blocks.ts"
import { message, packed, section } from "./blocks.ts"
import { askButton, HELP } from "./help.ts"
import { groupsOf, listedLine, type OverviewFacts } from "./lists.ts"
import { clockTime, foreignLine } from "./mrkdwn.ts"
import { pauseLine } from "./queue.ts"

/** The most projects, and the most requests of a group, in one message. */
const SHOWN = 10
/** The longest message; Slack refuses more than 13,200 characters. */
const LONGEST = 10_000

/** Lists a person's requests, and how much of the hour is used. */
export function statusMessage(facts: OverviewFacts): Message {
  let room = LONGEST
  const parts = groupsOf(facts).map(([name, listed]) => {
    const lines = listed.slice(0, SHOWN).flatMap((one) => {
      const text = `• ${listedLine(one, facts.gitHubHost)}`
      room -= text.length
      return room > 0 ? text : []
    })
    const more = listed.length - lines.length
    return packed([`*${name}*`, ...lines, ...(more > 0 ? [`${more} more`] : [])])
  })
  const { hours, others } = hoursOf(facts)
  const small = [...hours.map(({ line, binds }) => (binds ? `${binds} ${line}` : line)), ...others]
  return message({
    lines: parts.length > 0 ? parts.flat() : ["*No requests yet.*"],
    small: small.join("\n"),
    buttons: [askButton()],
  })
}

/** Says whether a request would start now, and if not, when. */
export function quotaMessage(facts: OverviewFacts): Message {
  const { hours, others } = hoursOf(facts)
  const free = "*You can start a request now.*"
  const lines = [...hours.map(({ binds, line }) => `${binds ?? free}\n${line}`), ...others]
  return message({ lines, buttons: [askButton()] })
}

/** Says what the app does, the same as `status`, and how to ask. */
export function homeView(facts: OverviewFacts): Home {
  const [lead = "", ...how] = HELP
  const blocks = [section(lead), ...statusMessage(facts).blocks, section(how.join("\n"))]
  return { type: "home", blocks }
}

/** Says how much of each project's hour is used; paused projects and those with waiting requests come first. */
function hoursOf({ overview: { quotas, now }, nameOf, admins }: OverviewFacts) {
  const all = quotas.map(({ project, quota }) => {
    const { used, ceiling, waiting, startsAt, isReserved, pause } = quota
    const reason = pausedNow({ pause, now })
    const name = quotas.length > 1 ? `*${foreignLine(nameOf(project), 40)}*` : ""
    const whole = `${used} of ${ceiling} requests in the last hour${waiting > 0 ? ` · ${waiting} queued` : ""}`
    const why = isReserved
      ? " The last ones are reserved for people with fewer than 5 requests in the last hour."
      : ""
    const binds = reason
      ? pauseLine(reason, admins, pause?.until)
      : startsAt !== undefined &&
        `*Your next request would start around ${clockTime(startsAt)}.*${why}`
    return {
      line: name ? `${name}: ${whole}` : whole,
      /** Says what delays the next request, if anything does. */
      binds: binds || undefined,
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
