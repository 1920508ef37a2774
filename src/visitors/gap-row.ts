import type { KnownBlock } from "@slack/types"
import { truncate } from "../lib/truncate.ts"
import { button, line, section } from "../messages/blocks.ts"
import { count, counted, foreignLine, link, plainLine } from "../messages/mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "../messages/pull-request.ts"
import type { Message } from "../slack/message.ts"
import type { CommentGap, Gap } from "./gap.ts"
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

/** A shown list: its gaps in the order of their buttons, and which of them were requested. */
export interface ShownGaps {
  id: string
  gaps: readonly Gap[]
  requested: readonly (Requested | undefined)[]
  gitHubHost: string
}

/** Shows gaps of a list, each with its button or, once it was requested, with what became of it. */
export function gapRows(gaps: readonly Gap[], shown: ShownGaps): KnownBlock[] {
  return gaps.map((gap) => {
    const n = shown.gaps.indexOf(gap)
    const requested = shown.requested[n]
    const words = `*${subjectWords(gap)}*\n${evidenceWords(gap)}${quotedWords(gap)}`
    if (requested) return section(`${words}\n${requestedWords(requested, shown.gitHubHost)}`)
    const label = "Ask the docs agent"
    // Two long paths may begin alike, so the number tells equal buttons apart.
    const spoken = truncate(`${label}, ${n + 1}: ${spokenWords(gap)}`, MAX_SPOKEN)
    return section(words, button({ action: GAP_ASK, label, value: `${shown.id}.${n}`, spoken }))
  })
}

function spokenWords(gap: Gap): string {
  if (gap.kind === "question" || gap.kind === "search") return plainLine(gap.text, MAX_SPOKEN)
  const snippet = gap.kind === "comments" ? snippetOf(gap) : ""
  return plainLine(snippet === "" ? gap.path : `${snippet} on ${gap.path}`, MAX_SPOKEN)
}

function snippetOf({ file, language }: CommentGap): string {
  return [file, language].filter((part) => part !== undefined).join(", ")
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
      const snippet = snippetOf(gap)
      const where = snippet === "" ? "" : ` · code: ${foreignLine(snippet, 60)}`
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
