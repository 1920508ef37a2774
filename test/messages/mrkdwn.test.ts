import { describe, expect, test } from "vitest"
import { sessionTitle } from "../../src/following/agent-session.ts"
import { askModal } from "../../src/messages/ask-form-view.ts"
import { button, line, packed } from "../../src/messages/blocks.ts"
import { jobCard } from "../../src/messages/card.ts"
import { date, foreignLine, link } from "../../src/messages/mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "../../src/messages/pull-request-words.ts"
import { aJob } from "../helpers/job.ts"

const cardOf = (words: string) =>
  jobCard({ job: aJob(), words, gitHubHost: "github.com", admins: [], now: 9_000 })

describe("FOL-11: pull request links", () => {
  const LONG = "x".repeat(300)
  const OWN = "git.acme.example"
  test.each([
    ["https://github.com/acme/docs/pull/7", "acme/docs#7"],
    ["https://gitlab.com/a/b/c/-/merge_requests/12", "a/b/c!12"],
    ["https://gitlab.example/a/b/c/-/merge_requests/12", "gitlab.example/a/b/c!12"],
    ["https://bitbucket.org/acme/docs/pull-requests/3/", "acme/docs#3"],
    ["https://git.example/acme/docs/pulls/9", "git.example/acme/docs#9"],
    ["https://github.com.evil.example/acme/docs/pull/7", "github.com.evil.example/acme/docs#7"],
    ["https://github.com@evil.example/acme/docs/pull/7", "evil.example/acme/docs#7"],
    ["https://github.com:8443/acme/docs/pull/7", "github.com:8443/acme/docs#7"],
    ["https://gitlab.com/acme/docs/pull/7", "gitlab.com/acme/docs#7"],
    ["https://forge.example/change/5", "forge.example"],
    [`https://evil.example/acme/${LONG}/pull/7`, `evil.example/acme/${LONG.slice(0, 74)}…#7`],
    ["https://git.acme.example/acme/docs/pull/7", "acme/docs#7", OWN],
    ["https://git.acme.example:8443/acme/docs/pull/7", "git.acme.example:8443/acme/docs#7", OWN],
    ["https://github.com/acme/docs/pull/7", "github.com/acme/docs#7", OWN],
    ["https://git.acme.example/a/b/-/merge_requests/12", "git.acme.example/a/b!12", OWN],
  ])("%s is called %s", (url, label, host = "github.com") => {
    expect(pullRequestLabel(url, host)).toBe(label)
  })

  test.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "not a url", ""])(
    "%j never becomes a button",
    (url) => {
      expect(safeUrl(url)).toBeUndefined()
    },
  )
})

describe("SAFE-3: foreign text", () => {
  test("cannot shout, hide its direction, or carry control characters", () => {
    expect(foreignLine("@here @Channel", 100)).not.toMatch(/@here|@Channel/)
    expect(foreignLine("a\u202eb\u0007c", 100)).toBe("a b c")
    const { blocks } = cardOf("fix\u202e it\u0007\nand that")
    expect(JSON.stringify(blocks)).toContain(String.raw`fix  it \nand that`)
  })

  test("a link's label cannot end the link", () => {
    expect(link("https://x/a|b>", "c|d>")).toBe("<https://x/a%7Cb&gt;|c¦d&gt;>")
  })
})

test("LIM-3: a date carries its time zone for those who cannot render it", () => {
  expect(date(Date.UTC(2026, 10, 20, 10, 5))).toBe(
    "<!date^1795169100^{date_short_pretty} at {time}|2026-11-20 10:05 UTC>",
  )
})

test("the form is opened with no more words in it than Slack takes", () => {
  const initial = `Improve the page /${"👍".repeat(4000)}: `
  const form = askModal({ draft: "d", initial, project: "p1", projects: [] })
  const words = /"initial_value":"([^"]*)"/.exec(JSON.stringify(form))?.[1] ?? ""
  expect(Array.from(words)).toHaveLength(3000)
  expect(words).toMatch(/^Improve the page \/👍+…$/u)
})

test("PUL-12: a session's title has no more than the 200 characters that Slack takes", () => {
  for (const words of ["word ".repeat(200), "🙂".repeat(300), "@here ".repeat(60)])
    expect(sessionTitle(words).length).toBeLessThanOrEqual(200)
})

test("a text has no bold, and the code in it as somebody typed it", () => {
  expect(line("*I didn't understand `.*`.* Try `/docs*`:").text).toBe(
    "I didn't understand `.*`. Try `/docs*`:",
  )
})

test("a text has the addresses of its buttons as far as they fit into the bytes that Slack keeps", () => {
  const to = (path: string) => ({
    ...button({ action: "a", label: "Open", value: "" }),
    url: `https://x.io/${path}`,
  })
  const { text } = line("日".repeat(1200), [to("a"), to("b".repeat(1500))])
  expect(text).toMatch(/^日+\nhttps:\/\/x\.io\/a$/)
  expect(Buffer.byteLength(text)).toBeLessThan(4000)
})

test.each(["a&amp;", "a&lt;b", "<@U0ADA00001> "])(
  "a text that is cut to those bytes has %j whole or not at all",
  (part) => {
    expect(line(part.repeat(1000)).text.replaceAll(part, "")).toMatch(/^a?…$/)
  },
)

test("lines that go together are no longer than a section, and none is left out", () => {
  const lines = ["1".repeat(1500), "2".repeat(1500), "3", "4".repeat(1300)]
  const texts = packed(lines)
  expect(texts.join("\n")).toBe(lines.join("\n"))
  expect(texts).toHaveLength(2)
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(3000)
})

test("a quoted request is shown as it was typed, with nothing live in it, nor in the words of ours around it", () => {
  const words = "*bold* <!channel> <https://x|y> @all"
  const { blocks } = cardOf(words)
  expect(blocks).toContainEqual({
    type: "rich_text",
    elements: [{ type: "rich_text_quote", elements: [{ type: "text", text: words }] }],
  })
  const markup = JSON.stringify(blocks).split('"type":"mrkdwn"').length - 1
  expect(JSON.stringify(blocks).split('"verbatim":true').length - 1).toBe(markup)
  expect(markup).toBeGreaterThan(0)
})
