import type { Inline } from "./nodes.ts"

/** Text in which a character for private use stands for each of the nodes, in order. */
export interface Tokenized {
  readonly text: string
  readonly nodes: readonly Inline[]
}

const FIRST_STAND_IN = 0xf0000

/**
 * Finds `<…>` tokens, and the addresses and mentions that Slack finds in bare text. The last are
 * characters that would otherwise stand for a node.
 */
const TOKEN =
  /<([^<>\n]+)>|(?<![\w/&])(?:(https?:\/\/[^\s<>|\u{f0000}-\u{ffffd}]*[^\s<>|.,;:!?'")\]}])|@(here|channel|everyone)\b)|[\u{f0000}-\u{ffffd}]/gu

/** Replaces the tokens of mrkdwn, and decodes the three escapes in the rest. */
export function tokenize(
  source: string,
  finds: { readonly links: boolean; readonly mentions: boolean },
): Tokenized {
  const nodes: Inline[] = []
  const replaced = source.replaceAll(TOKEN, (all, token, url, range) => {
    if ((url !== undefined && !finds.links) || (range !== undefined && !finds.mentions)) return all
    nodes.push(nodeOf(all, token, url, range))
    return String.fromCodePoint(FIRST_STAND_IN + nodes.length - 1)
  })
  return { text: decode(replaced), nodes }
}

/** Returns the node that a character stands for. */
export function nodeAt({ nodes }: Tokenized, character: string): Inline {
  return nodes[(character.codePointAt(0) ?? 0) - FIRST_STAND_IN] ?? text(character)
}

function nodeOf(all: string, token?: string, url?: string, range?: string): Inline {
  if (token !== undefined) return tokenNode(token)
  if (url !== undefined) return { kind: "link", url: decode(url), children: [text(decode(url))] }
  return range === undefined ? text(all) : { kind: "broadcast", label: `@${range}` }
}

/** Decodes Slack's only three escapes; `&amp;` last, so that `&amp;lt;` stays `&lt;`. */
function decode(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
}

/** Returns the meaning of one `<…>` token. A form unknown to Slack is shown by its label. */
function tokenNode(body: string): Inline {
  const bar = body.indexOf("|")
  const target = bar < 0 ? body : body.slice(0, bar)
  const label = bar < 0 ? undefined : decode(body.slice(bar + 1))
  if (/^@[UWB]/.test(target)) return { kind: "user", id: target.slice(1) }
  if (target.startsWith("#C")) return { kind: "channel", id: target.slice(1), label }
  if (target.startsWith("!")) return command(target.slice(1), label)
  if (/^(?:https?:|mailto:|tel:)/.test(target)) {
    const url = decode(target)
    return { kind: "link", url, children: [text(label ?? url.replace(/^mailto:/, ""))] }
  }
  return { kind: "mistaken", text: label ?? decode(target) }
}

function command(name: string, label: string | undefined): Inline {
  if (/^(?:here|channel|everyone)$/.test(name)) return { kind: "broadcast", label: `@${name}` }
  if (name.startsWith("subteam^")) return { kind: "broadcast", label: label ?? "@group" }
  const [kind, at, format, url] = name.split("^")
  if (kind === "date" && at && format && /^\d+$/.test(at)) {
    return { kind: "date", at: Number(at), format, url, fallback: label ?? "" }
  }
  return text(label === undefined ? `<${name}>` : label)
}

function text(words: string): Inline {
  return { kind: "text", text: words }
}
