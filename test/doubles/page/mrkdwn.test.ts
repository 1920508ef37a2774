import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { escapeText, unescapeText } from "../../../src/lib/plain-text.ts"
import { foreignLine } from "../../../src/messages/mrkdwn.ts"
import { hostileText } from "../../helpers/hostile.ts"
import { anyText, holds } from "../../helpers/property.ts"
import { readSource, sourcesIn } from "../../helpers/sources.ts"
import { formatDate } from "../../sandbox/page/mrkdwn/dates.ts"
import { emojiCharacter } from "../../sandbox/page/mrkdwn/emoji.ts"
import type { Chunk, Inline } from "../../sandbox/page/mrkdwn/nodes.ts"
import { parseMrkdwn } from "../../sandbox/page/mrkdwn/parse.ts"

/** Returns the tree in short form: `bold(…)`, `link(url …)`, and plain text unchanged. */
function short(chunks: readonly Chunk[]): string {
  return chunks.map(({ kind, children }) => `${kind}[${children.map(one).join("")}]`).join("")
}

function one(node: Inline): string {
  if (node.kind === "text") return node.text
  const { kind, ...facts } = node
  const known = Object.values(facts).filter((fact) => fact !== undefined)
  const words = known.map((fact) => (Array.isArray(fact) ? fact.map(one).join("") : fact))
  return `${kind}(${words.join(" ")})`
}

const parse = (text: string) => short(parseMrkdwn(text))

describe("escapes", () => {
  test.each([
    ["&lt;!channel&gt; &amp;", "lines[<!channel> &]"],
    ["&amp;lt;!here&amp;gt;", "lines[&lt;!here&gt;]"],
    ["&quot; &#39; &nbsp;", "lines[&quot; &#39; &nbsp;]"],
    [
      "<!channel> <!here|here> <!everyone>",
      "lines[broadcast(@channel) broadcast(@here) broadcast(@everyone)]",
    ],
    ["<!subteam^S012|@docs>", "lines[broadcast(@docs)]"],
    ["<what to change>", "lines[mistaken(what to change)]"],
    ["a < b", "lines[a < b]"],
    ["a < b and b > c", "lines[a mistaken( b and b ) c]"],
  ])("%s", (text, tree) => {
    expect(parse(text)).toBe(tree)
  })

  test("whatever a person wrote, escaped by the bot, reads as they wrote it", async () => {
    const plain = anyText(80).filter((text) => !/[*_~`:>\n]/.test(text))
    await holds(
      fc.property(plain, (text) => {
        expect(parse(escapeText(text))).toBe(text === "" ? "" : `lines[${text}]`)
      }),
    )
  })
})

/** Kinds of nodes that only the bot's own text may contain. */
const ALIVE = new Set(["link", "user", "channel", "broadcast", "date", "mistaken"])

/** Returns visible text without markup and line ends; nodes of those kinds appear by kind. */
function shown(node: Chunk | Inline): string {
  if (ALIVE.has(node.kind)) return `[${node.kind}]`
  if ("children" in node) return node.children.map(shown).join("")
  if (node.kind === "emoji") return `:${node.name}:`
  return "text" in node ? node.text : ""
}

test("foreign text shows what was typed, whatever it is, and nothing in it is alive", async () => {
  const unmarked = (text: string) => text.replaceAll(/[*_~`>\s\u200b]/g, "")
  await holds(
    fc.property(hostileText, (text) => {
      const safe = foreignLine(text, 3000)
      const typed = unescapeText(safe)
      expect(unmarked(parseMrkdwn(safe).map(shown).join(""))).toBe(unmarked(typed))
      expect(safe).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    }),
    400,
  )
})

describe("marks", () => {
  test.each([
    ["*bold* _soft_ ~gone~", "lines[bold(bold) italic(soft) strike(gone)]"],
    ["*_both_*", "lines[bold(italic(both))]"],
    ["2*3*4 snake_case_name", "lines[2*3*4 snake_case_name]"],
    ["* not bold * and *not\nbold*", "lines[* not bold * and *notbreak()bold*]"],
    ["`a *b* &lt;c&gt;`", "lines[code(a *b* <c>)]"],
    ["*<@U1>* asked", "lines[bold(user(U1)) asked]"],
    ["```\nlet x = *1*\n```", "pre[let x = *1*]"],
    ["before ```in``` after", "lines[before ]pre[in]lines[ after]"],
    ["&gt; one\n&gt; two\nthree", "quote[onebreak()two]lines[three]"],
    // The name of no emoji is drawn as it was typed.
    [":tada: 10:30:40", "lines[emoji(tada) 10emoji(30)40]"],
    ["unclosed *bold and `code", "lines[unclosed *bold and `code]"],
  ])("%s", (text, tree) => {
    expect(parse(text)).toBe(tree)
  })

  test.each([
    ["<https://a.example/?b=1&amp;c=2|the page>", "link(https://a.example/?b=1&c=2 the page)"],
    ["<https://a.example>", "link(https://a.example https://a.example)"],
    ["<#C012|docs>", "channel(C012 docs)"],
    ["<!date^1767655800^{date_short} {time}|then>", "date(1767655800 {date_short} {time} then)"],
    ["<javascript:alert(1)|press>", "mistaken(press)"],
  ])("%s", (text, tree) => {
    expect(parse(text)).toBe(`lines[${tree}]`)
  })
})

test("dates are those of Slack's documentation, in the zone of the reader", () => {
  const at = new Date(2014, 1, 18, 6, 39, 42).getTime()
  const now = new Date(2014, 1, 19, 1, 0, 0).getTime()
  const shown = (format: string) => formatDate(at / 1000, format, now)
  expect(shown("{date_short_pretty} at {time}")).toBe("yesterday at 6:39 AM")
  expect(shown("{date_short}")).toBe("Feb 18, 2014")
  expect(shown("{ago}")).toBe("18 hours ago")
  expect(shown("{unknown}")).toBe("{unknown}")
})

test("every emoji that the bot writes is shown as one", () => {
  const written = sourcesIn("src").flatMap((file) => [
    ...readSource("src", file).matchAll(/["`]:([a-z0-9_+-]+): /g),
  ])
  const names = new Set(written.map((match) => match[1] ?? ""))
  expect(names.size).toBeGreaterThan(3)
  expect([...names].filter((name) => emojiCharacter(name) === undefined)).toEqual([])
})
