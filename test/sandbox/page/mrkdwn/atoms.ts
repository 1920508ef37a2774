import type { Inline } from "./nodes.ts"

/** One decoded character of text, or one finished `<…>` token. */
export type Atom = string | Inline

export interface Reading {
  /** Parts that Slack also finds in bare text, without `verbatim`. */
  readonly finds: { readonly links: boolean; readonly mentions: boolean }
}

const TOKEN = /<([^<>\n]+)>/g

/** Splits mrkdwn at its `<…>` tokens and decodes the three escapes outside them. */
export function toAtoms(source: string, { finds }: Reading): Atom[] {
  const atoms: Atom[] = []
  let end = 0
  for (const match of source.matchAll(TOKEN)) {
    atoms.push(...bareAtoms(source.slice(end, match.index), finds))
    atoms.push(tokenAtom(match[1] ?? ""))
    end = match.index + match[0].length
  }
  atoms.push(...bareAtoms(source.slice(end), finds))
  return atoms
}

/** Decodes Slack's only three escapes; `&amp;` last, so that `&amp;lt;` stays `&lt;`. */
function decode(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
}

/** Returns the meaning of one `<…>` token. A form unknown to Slack is shown by its label. */
function tokenAtom(body: string): Inline {
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

const FOUND =
  /(?<![\w/&])(?:(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?'")\]}])|@(here|channel|everyone)\b)/g

/** Returns the text outside tokens, with the links and mentions that Slack finds in it. */
function bareAtoms(source: string, finds: Reading["finds"]): Atom[] {
  const atoms: Atom[] = []
  let end = 0
  const characters = (part: string) => atoms.push(...Array.from(decode(part)))
  for (const match of source.matchAll(FOUND)) {
    const [all, url, range] = match
    if (url === undefined ? !finds.mentions : !finds.links) continue
    characters(source.slice(end, match.index))
    if (url === undefined) atoms.push({ kind: "broadcast", label: `@${range}` })
    else atoms.push({ kind: "link", url: decode(url), children: [text(decode(url))] })
    end = match.index + all.length
  }
  characters(source.slice(end))
  return atoms
}

function text(words: string): Inline {
  return { kind: "text", text: words }
}
