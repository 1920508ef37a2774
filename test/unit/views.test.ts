import { describe, expect, test } from "vitest"
import { type Ending, endings } from "../../src/jobs/job.ts"
import { escapeText, unescapeText } from "../../src/text/plain-text.ts"
import { truncate } from "../../src/text/truncate.ts"
import { jobCard } from "../../src/views/card.ts"
import { closingReply, endingWords } from "../../src/views/endings.ts"
import { askModal } from "../../src/views/modal.ts"
import { date, foreign, link } from "../../src/views/mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "../../src/views/pull-request.ts"
import { checkMessage } from "../helpers/block-kit.ts"
import { aJob } from "../helpers/job.ts"

describe("pull request links", () => {
  test.each([
    ["https://github.com/acme/docs/pull/7", "acme/docs#7"],
    ["https://gitlab.com/a/b/c/-/merge_requests/12", "a/b/c!12"],
    ["https://gitlab.example/a/b/c/-/merge_requests/12", "a/b/c!12 on gitlab.example"],
    ["https://bitbucket.org/acme/docs/pull-requests/3/", "acme/docs#3"],
    ["https://git.example/acme/docs/pulls/9", "acme/docs#9 on git.example"],
    ["https://github.com.evil.example/acme/docs/pull/7", "acme/docs#7 on github.com.evil.example"],
    ["https://github.com@evil.example/acme/docs/pull/7", "acme/docs#7 on evil.example"],
    ["https://github.com:8443/acme/docs/pull/7", "acme/docs#7 on github.com:8443"],
    ["https://gitlab.com/acme/docs/pull/7", "acme/docs#7 on gitlab.com"],
    ["https://forge.example/change/5", "forge.example"],
  ])("%s is called %s", (url, label) => {
    expect(pullRequestLabel(url, "github.com")).toBe(label)
  })

  test.each([
    ["https://git.acme.example/acme/docs/pull/7", "acme/docs#7"],
    ["https://git.acme.example:8443/acme/docs/pull/7", "acme/docs#7 on git.acme.example:8443"],
    ["https://github.com/acme/docs/pull/7", "acme/docs#7 on github.com"],
    ["https://git.acme.example/a/b/-/merge_requests/12", "a/b!12 on git.acme.example"],
  ])("with a GitHub at git.acme.example, %s is called %s", (url, label) => {
    expect(pullRequestLabel(url, "git.acme.example")).toBe(label)
  })

  test.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "not a url", ""])(
    "%j never becomes a button",
    (url) => {
      expect(safeUrl(url)).toBeUndefined()
    },
  )
})

describe("foreign text", () => {
  test("does not turn the direction of what stands around it on a card", () => {
    const card = jobCard(aJob(), { words: "fix\u202e it\u0007\nand that" })
    expect(JSON.stringify(card.blocks)).toContain(String.raw`fix  it \nand that`)
  })

  test("escapes what Slack interprets, & first", () => {
    expect(escapeText("<!channel> & <@U1>")).toBe("&lt;!channel&gt; &amp; &lt;@U1&gt;")
    expect(unescapeText(escapeText("&lt; <b> &amp;"))).toBe("&lt; <b> &amp;")
  })

  test("is cut on code points and never through an emoji", () => {
    expect(truncate("👩‍💻".repeat(10), 4)).toBe("👩‍💻…")
    expect(truncate("abc", 3)).toBe("abc")
  })

  test("cannot shout, hide its direction, or carry control characters", () => {
    expect(foreign("@here @Channel", 100)).not.toMatch(/@here|@Channel/)
    expect(foreign("a\u202eb\u0007c", 100)).toBe("a b c")
  })

  test("a link's label cannot end the link", () => {
    expect(link("https://x/a|b>", "c|d>")).toBe("<https://x/a%7Cb&gt;|c¦d&gt;>")
  })
})

test("a date carries its time zone for those who cannot render it", () => {
  expect(date(Date.UTC(2026, 10, 20, 10, 5))).toBe(
    "<!date^1795169100^{date_short_pretty} at {time}|2026-11-20 10:05 UTC>",
  )
})

const ended = (ending: Ending) =>
  aJob({ state: "ended", ending, card: "1.0", prLink: "https://github.com/acme/docs/pull/7" })

test("the form is opened with no more words in it than Slack takes", () => {
  const initial = `Improve the page /${"👍".repeat(4000)}: `
  const facts = { draft: "d", initial, project: "docs", projects: ["docs"] }
  const found = /"initial_value":"([^"]*)"/.exec(JSON.stringify(askModal(facts)))
  const words = found?.[1] ?? ""
  expect(Array.from(words)).toHaveLength(3000)
  expect(words).toMatch(/^Improve the page \/👍+…$/u)
})

describe("a card", () => {
  const card = jobCard(aJob({ state: "active" }), { words: "*bold* <!channel> <https://x|y> @all" })

  test("shows a prompt as it was typed, with nothing live in it", () => {
    expect(card.blocks).toContainEqual({
      type: "rich_text",
      elements: [
        {
          type: "rich_text_quote",
          elements: [{ type: "text", text: "*bold* <!channel> <https://x|y> @all" }],
        },
      ],
    })
  })

  test("shows as code what was marked as code, also where it is cut within", () => {
    const words = "use `npm ci` here:\n```\nnpm ci <!here>\n```\nand this ```never ended"
    const { blocks } = jobCard(aJob({ state: "active" }), { words })
    const code = { type: "text", text: "npm ci", style: { code: true } }
    expect(blocks).toContainEqual({
      type: "rich_text",
      elements: [
        {
          type: "rich_text_quote",
          elements: [{ type: "text", text: "use " }, code, { type: "text", text: " here:" }],
        },
        {
          type: "rich_text_preformatted",
          elements: [{ type: "text", text: "npm ci <!here>" }],
          border: 1,
        },
        { type: "rich_text_quote", elements: [{ type: "text", text: "and this " }] },
        {
          type: "rich_text_preformatted",
          elements: [{ type: "text", text: "never ended" }],
          border: 1,
        },
      ],
    })
    expect(checkMessage({ text: "x", blocks })).toEqual([])
  })

  test("lets Slack find no mentions in the words of ours either", () => {
    const markup = JSON.stringify(card.blocks).split('"type":"mrkdwn"').length - 1
    expect(JSON.stringify(card.blocks).split('"verbatim":true').length - 1).toBe(markup)
    expect(markup).toBeGreaterThan(0)
  })
})

test("no two endings read the same", () => {
  const lines = endings.map((ending) => endingWords({ ...ended(ending), ending }))
  expect(new Set(lines).size).toBe(endings.length)
})

describe("every card and closing reply is valid Block Kit with a meaningful text", () => {
  const prompt = { words: `<!channel> @here \u202e${"x & y < z ".repeat(500)}` }
  const place = { place: 4, startsAt: 1_795_169_100_000, soon: false, paused: "" }
  test.each([
    ["queued", aJob(), undefined],
    ["placed", aJob(), place],
    ["paused", aJob(), { ...place, paused: "key_refused" }],
    ["creating", aJob({ state: "creating" }), undefined],
    ["active", aJob({ state: "active", prLink: "https://x.example/1" }), undefined],
    ...endings.map((ending) => [ending, ended(ending), undefined] as const),
  ] as const)("%s", (_, job, at) => {
    const card = jobCard(job, prompt, at)
    expect(checkMessage(card)).toEqual([])
    expect(card.text).toContain("asked the docs agent")
    expect(card.text).not.toMatch(/<!channel>|@here/)
    if (job.ending) {
      const reply = closingReply({ ...job, ending: job.ending })
      expect(checkMessage(reply)).toEqual([])
      expect(reply.text.split("<@U1>")).toHaveLength(2)
    }
  })
})
