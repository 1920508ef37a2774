import type { JsonObject } from "../../kit/json.ts"
import { WRITERS } from "../seed/people.ts"
import type { Workspace } from "../workspace/workspace.ts"

/** Escapes the only three characters that Slack escapes in what people type. */
export function escapeTyped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

/** Message that Slack stores for typed text. */
export interface Composed {
  readonly text: string
  readonly blocks: readonly JsonObject[]
}

interface Piece {
  readonly text: string
  readonly element: JsonObject
}

/** Returns a pattern for a name or an address that begins a word; anything else stays text. */
function tokens(workspace: Workspace): RegExp {
  const names = [...workspace.users.values()]
    .map(({ realName }) => realName.replace(/[^\w\s]/g, "\\$&"))
    .join("|")
  const path = `[^\\s<>]*[^\\s<>.,;:!?)\\]}"']`
  // Much of what looks like an address is a file: `.md` is a country's domain.
  const host = `(?:[\\w.-]+@)?[\\w-]+(?:\\.[\\w-]+)*\\.(?:com|dev|io|md|net|org)(?!\\.?[\\w-])`
  const token = `@(?:${names})(?!\\w)|[@#][\\w-]+(?:\\.[\\w-]+)*|https?://${path}|${host}(?:/${path})?`
  return new RegExp(`(?<![^\\s([{"'])(?:${token})`, "gi")
}

/**
 * Converts typed text as Slack's composer does: known people by `@handle` or displayed `@Name`,
 * `#channels` and addresses become links, also those without a scheme: "www.foo.com" becomes
 * `<http://www.foo.com|www.foo.com>`. In the rest, only `&`, `<` and `>` are escaped.
 */
export function composeMessage(workspace: Workspace, typed: string): Composed {
  const pieces: Piece[] = []
  let end = 0
  for (const match of typed.matchAll(tokens(workspace))) {
    const piece = resolve(workspace, match[0])
    if (piece === undefined) continue
    pieces.push(...plain(typed.slice(end, match.index)), piece)
    end = match.index + match[0].length
  }
  pieces.push(...plain(typed.slice(end)))
  const elements = pieces.map((piece) => piece.element)
  const section = { type: "rich_text_section", elements }
  return {
    text: pieces.map((piece) => piece.text).join(""),
    blocks: typed === "" ? [] : [{ type: "rich_text", block_id: "typed", elements: [section] }],
  }
}

function resolve(workspace: Workspace, token: string): Piece | undefined {
  const name = token.slice(1)
  if (token.startsWith("#")) return channelLink(workspace, name)
  if (token.startsWith("@")) return mention(workspace, name)
  if (/^https?:/i.test(token))
    return { text: `<${escapeTyped(token)}>`, element: { type: "link", url: token } }
  const url = token.includes("@") ? `mailto:${token}` : `http://${token}`
  return { text: `<${url}|${token}>`, element: { type: "link", url, text: token } }
}

function mention(workspace: Workspace, name: string): Piece | undefined {
  if (name === "here" || name === "channel" || name === "everyone") {
    return { text: `<!${name}>`, element: { type: "broadcast", range: name } }
  }
  const wanted = name.toLowerCase()
  if (wanted === "writers") {
    // Events name a user group by its id alone.
    const element = { type: "usergroup", usergroup_id: WRITERS }
    return { text: `<!subteam^${WRITERS}>`, element }
  }
  const user = [...workspace.users.values()].find(
    (one) => one.name === wanted || one.realName.toLowerCase() === wanted,
  )
  if (user === undefined) return undefined
  return { text: `<@${user.id}>`, element: { type: "user", user_id: user.id } }
}

function channelLink(workspace: Workspace, name: string): Piece | undefined {
  const channels = [...workspace.channels.values()].filter((one) => one.kind !== "im")
  const channel = channels.find((one) => one.name === name)
  if (channel === undefined) return undefined
  const element = { type: "channel", channel_id: channel.id }
  return { text: `<#${channel.id}|${channel.name}>`, element }
}

function plain(text: string): Piece[] {
  return text === "" ? [] : [{ text: escapeTyped(text), element: { type: "text", text } }]
}
