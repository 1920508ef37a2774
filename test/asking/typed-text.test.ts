import { expect, test } from "vitest"
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
