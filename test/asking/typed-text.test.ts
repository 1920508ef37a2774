import { expect, test } from "vitest"
import { readWords, type Typed } from "../../src/asking/parse-typed-text.ts"
import { toPlainText } from "../../src/lib/plain-text.ts"

/**
 * Slack's "Escape channels, users, and links sent to your app": people arrive as `<@U…|name>`,
 * channels as `<#C…|name>`, links as `<https://…>`, but as typed without that option. `&`, `<` and
 * `>` are always entities.
 */
test.each([
  ["ask <@U0BEN00001|ben> about it", "ask @ben about it"],
  ["see <#C0DOCS0001|docs>", "see #docs"],
  // Slack omits the name of a private channel.
  ["see <#C0SECRET01|>", "see #C0SECRET01"],
  ["ask <@U0BEN00001|>", "ask @U0BEN00001"],
  ["read <https://example.com/a?b=1&amp;c=2>", "read https://example.com/a?b=1&c=2"],
  ["read <https://example.com|the example>", "read the example (https://example.com)"],
  [
    "fix <https://example.com/a|Install | Example>",
    "fix Install | Example (https://example.com/a)",
  ],
  // Slack links what looks like an address, and adds the scheme.
  ["fix <http://README.md|README.md>", "fix README.md"],
  ["ask <mailto:docs@example.com|docs@example.com>", "ask docs@example.com"],
  ["call <tel:+15550100|+15550100>", "call +15550100"],
  ["get <ftp://example.com/a|it>", "get it (ftp://example.com/a)"],
  ["tell <!subteam^S012|@writers> and <!here>", "tell @writers and @here"],
  ["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
  ["as typed: @ben #docs https://example.com", "as typed: @ben #docs https://example.com"],
])("%s", (delivered, typed) => {
  expect(toPlainText(delivered)).toBe(typed)
})

/** Rows of typed text, with its meaning in a command, in a thread, and in other mentions. */
const ROWS: readonly [words: string, command: string, thread: string, mention: string][] = [
  ...same("help", "help"),
  ...same("status", " STATUS ", "Status?"),
  ...same("quota", "quota"),
  ...same("cancel", "cancel", "Cancel!", "cancel 2345678922", "cancel `ABCDEFGH23`"),
  ...same("unclear", "cancel v2", "cancel iso-8601", "cancel job_1", "help:sso:"),
  ["retry", "unclear", "retry", "unclear"],
  ["Retry!", "unclear", "retry", "unclear"],
  ["quiet", "unclear", "mute", "unclear"],
  ["mute", "unclear", "mute", "unclear"],
  ["stop", "unclear", "mute", "unclear"],
  ["Unmute!", "unclear", "unmute", "unclear"],
  ...same("help", "What can you do?", "Hello, what can you do?", "help me!", "who are you"),
  ...same("small_talk", "Never mind.", "nvm"),
  ...same("prompt", "help me fix the intro", "what can you do about the broken links"),
  ["doctor", "doctor", "unclear", "unclear"],
  ["audit", "audit", "unclear", "unclear"],
  ["forget-me", "forget-me", "unclear", "unclear"],
  ...same("answer", "yes", "No."),
  ...same("blank", "", "project=api", "\u200b \u2060", "\u2800", "\u3164", "\u034f", "\ufe0f"),
  ...same(
    "small_talk",
    "thanks!",
    "Thank you.",
    "THX",
    "ty :pray:",
    "Hi!",
    "hello there",
    "👍",
    ":+1::skin-tone-3:",
    "thanks :+1:",
    "?",
    "？",
  ),
  ...same("small_talk", "ok", "LGTM", "ありがとうございます！", "谢谢", "project=api thanks"),
  ...same("unclear", "cancle", "cancle 2345678922", "statsu", "cancel subscriptions", "fix typos"),
  ...same("unclear", "api", "project=api glossary", "https://docs.example.com/a-page", "页面"),
  ...same("prompt", "help us rewrite the intro", "status page is outdated"),
  ...same("prompt", "doctor the install page"),
  ...same("prompt", "cancel subscriptions page", "cancel the 2 old pages", "fix  the typos"),
  ...same("prompt", "thanks for the page, now add an example", "add a page: thanks"),
  ...same("prompt", "快速入門を直して", "修复快速入门页面", `x ${"y".repeat(90)} z`),
  ...same("prompt", "修复快速入门页面，".repeat(20)),
]

function same(kind: string, ...all: readonly string[]) {
  return all.map((words): [string, string, string, string] => [words, kind, kind, kind])
}

const kindOf = (words: Typed) => (words.kind === "verb" ? words.verb : words.kind)

test.each(ROWS)("ASK-5: %j is %s after the command, %s in a thread, %s elsewhere", (...row) => {
  const [words, command, thread, mention] = row
  expect(kindOf(readWords(words, "command"))).toBe(command)
  expect(kindOf(readWords(words, "thread"))).toBe(thread)
  expect(kindOf(readWords(words, "mention"))).toBe(mention)
})

test("an argument and the words of a request come as they are meant", () => {
  expect(readWords("cancel `ABCDEFGH23`", "command")).toEqual({ kind: "cancel", id: "abcdefgh23" })
  expect(readWords("  fix  it all ", "command")).toEqual({ kind: "prompt", words: "fix  it all" })
  expect(readWords("thanks!", "command")).toEqual({ kind: "small_talk", of: "thanks" })
})

test("a text that is longer than Slack sends is cut by people's characters", () => {
  const longest = "👩".repeat(40_000)
  expect(readWords(longest, "command")).toMatchObject({ words: longest })
  expect(readWords(`${longest}👩`, "command")).toMatchObject({ words: `${"👩".repeat(39_999)}…` })
})
