import { expect, test } from "vitest"
import { NO_SECRETS, secret } from "../../src/lib/secrets.ts"
import { resultReply } from "../../src/messages/closing-reply.ts"
import { GitHubPulls } from "../../src/pulls/read-pull-request.ts"
import { gitHubForTest, push, TOKEN } from "../helpers/github.ts"
import { followedJob } from "../helpers/job.ts"
import type { FileChange } from "../sandbox/github/pull.ts"

/** Returns the closing reply to a pull request with these changes, and how often GitHub was asked. */
async function replyTo(files: FileChange[]) {
  const { github } = await gitHubForTest()
  push(github, { files })
  const pulls = new GitHubPulls(
    { token: secret(TOKEN), apiUrl: github.apiUrl, timeoutMs: 5000 },
    NO_SECRETS,
  )
  const { answer, counted } = await pulls.read({ owner: "acme", repo: "docs", number: 7 }, {})
  if (answer.kind !== "facts") throw new Error(answer.kind)
  const prLink = "https://github.com/acme/docs/pull/7"
  const job = followedJob({ prLink, pull: { ...answer.facts, lookedAt: 1 } as object })
  const reply = resultReply({ job, users: [], gitHubHost: "github.com" })
  const shown = reply.blocks.find(({ type }) => type === "rich_text")
  return { reply, shown: JSON.stringify(shown ?? ""), counted }
}
const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}\n`).join("")

test("PUL-2: a changed line is shown old and new, told apart without color, and as it is written", async () => {
  const before = 'Keep\n<Card title="*Old* & <!channel>">\n'
  const after = 'Keep\n  <Card title="@here {new}">\n'
  const { reply, shown, counted } = await replyTo([{ path: "guides/start.mdx", before, after }])
  expect(counted).toBe(3)
  expect(reply.text).toContain(
    'guides/start.mdx\n− &lt;Card title="*Old* &amp; &lt;!channel&gt;"&gt;\n+ ',
  )
  expect(reply.text).not.toMatch(/<!channel>|@here/)
  const struck = {
    type: "text",
    text: '− <Card title="*Old* & <!channel>">\n',
    style: { strike: true },
  }
  expect(shown).toContain(JSON.stringify(struck))
  expect(shown).toContain(
    JSON.stringify({ type: "text", text: '+   <Card title="@here {new}">\n' }),
  )
  expect(shown).not.toContain("Keep")
})

test.each([
  [1, true],
  [20, true],
  [21, false],
  [400, false],
])("PUL-2: of %i changed lines all are shown or none: %s", async (count, isShown) => {
  const { reply, shown } = await replyTo([
    { path: "a.mdx", before: "end", after: `${lines(count)}end` },
  ])
  expect([...shown.matchAll(/\+ line \d+/g)]).toHaveLength(isShown ? count : 0)
  expect(reply.text).toContain("1 file, +")
})

test("PUL-2: a file is named once, above its lines or, where it has none, in the first line", async () => {
  const before = "line\n"
  const { reply } = await replyTo([
    { path: "a.mdx", before, after: "new\n" },
    { path: "empty.mdx", before: "", after: "" },
  ])
  expect(reply.text).toMatch(/2 files, \+1 −1 · empty\.mdx$/m)
  expect(reply.text.match(/a\.mdx/g)).toHaveLength(1)
})

test("PUL-2: several files are shown by their paths, and long lines are cut", async () => {
  const after = "😀".repeat(5000)
  const files = ["a.mdx", "b/c.mdx"].map((path) => ({ path, before: "", after }))
  const { reply, shown } = await replyTo(files)
  expect(shown).toMatch(/a\.mdx[\s\S]*b\/c\.mdx/)
  expect(Array.from(shown).length).toBeLessThan(1000)
  expect(Buffer.byteLength(reply.text)).toBeLessThan(4000)
})
