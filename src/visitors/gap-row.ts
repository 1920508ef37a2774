import type { KnownBlock } from "@slack/types"
import { truncate } from "../lib/truncate.ts"
import { button, line, section } from "../messages/blocks.ts"
import { count, counted, foreignLine, link, plainLine } from "../messages/mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "../messages/pull-request.ts"
import type { Message } from "../slack/message.ts"
import type { Gap } from "./gap.ts"
import type { Requested } from "./requested-gaps.ts"

/** Action of the button beside a gap; its value is `<opaque id of the list>.<gap's number>`. */
export const GAP_ASK = "gaps_ask"

/** Maximum lengths in the message, in code points; the form has more of each text. */
const MAX_TEXT = 200
const MAX_PATH = 120
/** Comments of a group that the list shows; the request has more. */
const COMMENTS_SHOWN = 2
/** Maximum length of a label for screen readers; Slack allows 75 characters. */
const MAX_SPOKEN = 72

/** Shows a gap with its button or, once it was requested, with what became of it. */
export function gapRow(
  gap: Gap,
  value: string,
  requested: Requested | undefined,
  gitHubHost: string,
): KnownBlock {
  const words = `*${subjectWords(gap)}*\n${evidenceWords(gap)}${quotedWords(gap)}`
  if (requested) return section(`${words}\n${requestedWords(requested, gitHubHost)}`)
  const label = "Ask the docs agent"
  const about = gap.kind === "question" || gap.kind === "search" ? gap.text : gap.path
  const spoken = truncate(`${label}: ${plainLine(about, MAX_SPOKEN)}`, MAX_SPOKEN)
  return section(words, button({ action: GAP_ASK, label, value, spoken }))
}

/** Writes `requested: #217`, which leads to the card. */
function requestedWords({ prLink, card }: Requested, gitHubHost: string): string {
  const url = safeUrl(prLink)
  const label = url && pullRequestLabel(url, gitHubHost)
  const name = label && (/[#!]\d+$/.exec(label)?.[0] ?? label)
  const target = card ?? url
  if (!target) return "requested"
  return name ? `requested: ${link(target, name)}` : link(target, "requested")
}

export function requestedAlready(requested: Requested, gitHubHost: string): Message {
  return line(`*Already asked for* · ${requestedWords(requested, gitHubHost)}`)
}

/** Writes what a gap is about, for a bold line. */
export function subjectWords(gap: Gap): string {
  const words = "text" in gap ? foreignLine(gap.text, MAX_TEXT) : pageWords(gap.path)
  // A star in the text would end the bold.
  const bold = words.replaceAll("*", "∗")
  return gap.kind === "search" ? `“${bold}”` : bold
}

export function evidenceWords(gap: Gap): string {
  switch (gap.kind) {
    case "question": {
      const where = gap.path === undefined ? "" : ` · mostly on ${pageWords(gap.path)}`
      return `${counted(gap.asked, "conversation")}${where}`
    }
    case "search":
      return `${counted(gap.hits, "search", "searches")} · ${count(gap.lost)} led nowhere`
    case "page":
      return `${counted(gap.down, "thumb")} down, ${count(gap.up)} up`
    case "comments": {
      const snippet = [gap.file, gap.language].filter((part) => part !== undefined)
      const where = snippet.length > 0 ? ` · code: ${foreignLine(snippet.join(", "), 60)}` : ""
      return `${counted(gap.written, "comment")}${where}`
    }
  }
}

function quotedWords(gap: Gap): string {
  if (gap.kind !== "comments") return ""
  const shown = gap.texts.slice(0, COMMENTS_SHOWN)
  return shown.map((text) => `\n> ${foreignLine(text, MAX_TEXT)}`).join("")
}

function pageWords(path: string): string {
  return foreignLine(path, MAX_PATH)
}
