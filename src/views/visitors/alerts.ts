import type { KnownBlock } from "@slack/types"
import type { Message } from "../../ports/message.ts"
import type { Direction } from "../../visitors/alerts/judge.ts"
import type { AlertLine } from "../../visitors/alerts/pass.ts"
import type { ChannelAlerts, Watch, WatchedKind } from "../../visitors/alerts/ports.ts"
import type { News, Story } from "../../visitors/alerts/story.ts"
import { button, context, line, plain } from "../blocks.ts"
import { foreignLine, mention } from "../mrkdwn.ts"
import { cannotPostHere, type PostRefusal } from "../post-refusals.ts"
import { count, rangeTitle } from "./format.ts"

/** The button below an alert; its value is the opaque id of the report that it opens. */
export const ALERT_REPORT = "alert_report"

const KINDS: Readonly<Record<WatchedKind, string>> = { human: "people", ai: "AI visitors" }
const TITLES: Readonly<Record<Direction, Readonly<Record<WatchedKind, string>>>> = {
  drop: { human: "Fewer people than usual", ai: "Fewer AI visitors than usual" },
  spike: { human: "More people than usual", ai: "More AI visitors than usual" },
}
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const LONGEST_PATH = 80

/** What is new, in one message for the whole channel. */
export function alertMessage(lines: readonly AlertLine[]): Message {
  const texts = lines.map(textOf)
  return {
    text: texts.map((text) => plain(text).replaceAll("\n", " ")).join(" "),
    blocks: [
      ...lines.map((one, n) => block(texts[n] ?? "", one.report)),
      context(
        "Compared with the same weekday over the last 8 weeks · full UTC days · `/docs-visitors alert list` to manage",
      ),
    ],
  }
}

function block(text: string, report: string): KnownBlock {
  return {
    type: "section",
    text: { type: "mrkdwn", text, verbatim: true },
    accessory: button({ action: ALERT_REPORT, label: "Open the report", value: report }),
  }
}

function textOf({ watch, news, movers }: AlertLine): string {
  const { began, over } = news
  const moved = movers.map(
    ({ path, before, now }) =>
      `${foreignLine(path, LONGEST_PATH)} ${count(before)} → ${count(now)}`,
  )
  return [
    ...(over && !isSameStory(news) ? [overText(watch, over)] : []),
    ...(began ? [beganText(watch, began)] : []),
    ...(over && isSameStory(news) ? [`Back to usual since ${rangeTitle(oneDay(over.day))}.`] : []),
    ...(moved.length > 0 ? [`Biggest changes from a week earlier: ${moved.join(", ")}`] : []),
  ].join("\n")
}

/** It came and went while nobody could tell. */
function isSameStory({ began, over }: News): boolean {
  return began !== undefined && began.story.from === over?.story.from
}

function beganText(watch: Watch, { story, visitors, usual }: NonNullable<News["began"]>): string {
  const day = rangeTitle(story)
  const weekday = WEEKDAYS[new Date(`${story.from}T00:00:00Z`).getUTCDay()] ?? "day"
  const about = count(Math.round(usual))
  return `*${TITLES[story.direction][watch.of]}${onPages(watch)}, ${day}:* ${count(visitors)}${story.from === story.to ? "" : " on the first day"}. A ${weekday} usually has about ${about} (${changed(visitors, usual)}).`
}

function overText(
  watch: Watch,
  { story, visitors, usual, day }: NonNullable<News["over"]>,
): string {
  const was = story.direction === "drop" ? "below" : "above"
  return `*Back to usual:* ${count(visitors)} ${KINDS[watch.of]}${onPages(watch)} on ${rangeTitle(oneDay(day))}, usually about ${count(Math.round(usual))}. The count was ${was} that on ${rangeTitle(story)}.`
}

function changed(visitors: number, usual: number): string {
  const percent = Math.round((Math.abs(visitors - usual) / usual) * 100)
  return `${visitors > usual ? "▲ up" : "▼ down"} ${count(percent)}%`
}

function onPages({ filter }: Pick<Watch, "filter">): string {
  return filter === undefined ? "" : ` on ${safe(filter)}`
}

/** A star in it would end the bold. */
function safe(filter: string): string {
  return foreignLine(filter, LONGEST_PATH).replaceAll("*", "∗")
}

function oneDay(day: string): { from: string; to: string } {
  return { from: day, to: day }
}

/** Said in the channel, so that everybody knows where the messages come from. */
export function alertsOnMessage(user: string, watches: readonly Watch[]): Message {
  return line(
    `${mention(user)} turned on visitor alerts in this channel: ${watched(watches)}. I'll post when a day's visitors are far from usual for that weekday, at most once a day. To stop it: \`/docs-visitors alert off\`.`,
  )
}

export function alertsOffMessage(user: string, watches: readonly Watch[]): Message {
  return line(`${mention(user)} turned off visitor alerts in this channel: ${watched(watches)}.`)
}

export function alertsOnAlready(): Message {
  return line(
    "Those alerts are already on in this channel. To see all: `/docs-visitors alert list`.",
  )
}

export function tooManyAlerts(most: number): Message {
  return line(
    `*A channel can have at most ${most} alerts.* Turn one off first: \`/docs-visitors alert list\` shows them.`,
  )
}

export function noAlertsMessage(): Message {
  return line("This channel has no visitor alerts. To turn them on: `/docs-visitors alert on`.")
}

/** To the person who wanted alerts in a channel the bot cannot post in: nothing was kept. */
export function cannotAlertMessage(refusal: PostRefusal, channel: string): Message {
  const again = "turn alerts on again"
  return cannotPostHere(refusal, channel, { again, unsure: again })
}

export function alertsMessage({ watches, state }: ChannelAlerts): Message {
  const lines = watches.map((watch) => {
    const now = state[watch.id]?.story
    return `• *${KINDS[watch.of]}*${onPages(watch) || ", whole site"} · ${foreignLine(watch.project, 40)} · turned on by ${mention(watch.user)}${now ? ` · ${storyWords(now)}` : ""}`
  })
  return line(`*Visitor alerts in this channel*\n${lines.join("\n")}`)
}

function storyWords({ direction, from }: Story): string {
  return `${direction === "drop" ? "below" : "above"} usual since ${rangeTitle(oneDay(from))}`
}

function watched(watches: readonly Watch[]): string {
  return watches.map((watch) => `${KINDS[watch.of]}${onPages(watch)}`).join(" and ")
}

export function alertFaultMessage(words: string): Message {
  const what =
    words === "" ? "*On, off or list?*" : `*I didn't understand “${foreignLine(words, 100)}”.*`
  return line(
    `${what} Try one of these:\n• \`/docs-visitors alert on\`\n• \`/docs-visitors alert on people /guides\`\n• \`/docs-visitors alert off\`\n• \`/docs-visitors alert list\``,
  )
}

export function reportExpiredMessage(): Message {
  return line("*This alert is too old to open its report.* Use `/docs-visitors` with its date.")
}
