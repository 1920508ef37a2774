import type { Inline } from "./nodes.ts"

/** One character of text, already decoded, or one finished piece that came in `<…>`. */
export type Atom = string | Inline

export interface Reading {
  /** Without `verbatim` Slack finds addresses and mentions in bare text as well. */
  readonly finds: { readonly links: boolean; readonly mentions: boolean }
}

const TOKEN = /<([^<>\n]+)>/g

/** Splits mrkdwn at its `<…>` tokens; outside of them the three escapes become characters. */
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

/** Slack knows three escapes and no others; `&amp;` last, so that `&amp;lt;` stays `&lt;`. */
function decode(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
}

/** What one `<…>` token stands for. A form that Slack does not know is shown by its label. */
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

/** Text outside of tokens, with what Slack finds in it by itself. */
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
