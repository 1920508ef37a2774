import fc from "fast-check"
import { expect, test } from "vitest"
import { holds } from "../helpers/property.ts"
import { changeFor } from "../sandbox/docs-service/pull-request/change.ts"
import { headingOf, titleOf } from "../sandbox/docs-service/pull-request/prompt-words.ts"
import { type Hunk, unifiedDiff } from "../sandbox/docs-service/pull-request/unified-diff.ts"

/** What `patch` does: walks the hunks along the text, and fails where a line does not match. */
function patched(before: string, hunks: readonly Hunk[]): string {
  const old = before.split("\n")
  const fresh: string[] = []
  let next = 0
  for (const { lines } of hunks) {
    const first = lines.find((line) => line.before !== undefined)?.before
    while (first !== undefined && next < first - 1) fresh.push(old[next++] ?? "")
    for (const { kind, text } of lines) {
      if (kind !== "added") expect(old[next++]).toBe(text)
      if (kind !== "removed") fresh.push(text)
    }
  }
  return [...fresh, ...old.slice(next)].join("\n")
}

const text = fc
  .array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 20 })
  .map((lines) => lines.join("\n"))

test("a diff applied to the old text gives the new one, and equal texts have none", async () => {
  await holds(
    fc.property(text, text, (before, after) => {
      const hunks = unifiedDiff(before, after)
      expect(patched(before, hunks)).toBe(after)
      expect(hunks.length === 0).toBe(before === after)
    }),
    500,
  )
})

test("distant edits get hunks of their own with three lines of context and right numbers", () => {
  const before = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`)
  const after = before.with(4, "changed").toSpliced(24, 0, "new")
  const hunks = unifiedDiff(before.join("\n"), after.join("\n"))
  expect(hunks.map(({ header }) => header)).toEqual(["@@ -2,7 +2,7 @@", "@@ -22,6 +22,7 @@"])
  expect(hunks[1]?.lines[3]).toEqual({ kind: "added", text: "new", before: undefined, after: 25 })
})

test("any prompt leads to a change, always the same one", async () => {
  await holds(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (prompt) => {
      const change = changeFor([prompt])
      expect(change.after).not.toBe(change.before)
      expect(changeFor([prompt])).toEqual(change)
      expect(titleOf(prompt)).not.toBe("")
    }),
    300,
  )
})

test.each([
  ["Explain how webhook retries work", "guides/webhooks.mdx", "+## Webhook retries work"],
  [
    "Add a section about rotating API keys.",
    "api-reference/authentication.mdx",
    "+## Rotating API keys",
  ],
  [
    "Fix the typos in the error page",
    "api-reference/errors.mdx",
    "+The API answers with a conventional status. The body says what occurred.",
  ],
  ["Remove the expiry part from authentication", "api-reference/authentication.mdx", "-## Expiry"],
  [
    "Rename `docker compose` to `podman compose` where we install",
    "self-hosting/install.mdx",
    "+podman compose up -d",
  ],
])("%s: edits %s", (prompt, path, line) => {
  const change = changeFor([prompt])
  const lines = unifiedDiff(change.before, change.after).flatMap((hunk) => hunk.lines)
  expect(change.path).toBe(path)
  expect(
    lines.map(({ kind, text }) => ({ same: " ", added: "+", removed: "-" })[kind] + text),
  ).toContain(line)
})

test("a follow-up edits the same page further", () => {
  const first = changeFor(["Explain webhooks"])
  const both = changeFor(["Explain webhooks", "Add a note on authentication"])
  expect(both.path).toBe(first.path)
  expect(both.after).toContain("## Authentication")
  expect(both.after.length).toBeGreaterThan(first.after.length)
})

test("a title is the first sentence that asks, cut between characters", () => {
  expect(titleOf("> quoted\n\nadd the docs. And more")).toBe("Add the docs")
  expect(titleOf("😀".repeat(100))).toBe(`${"😀".repeat(71)}…`)
  expect(titleOf("  \n ")).toBe("Update the documentation")
  expect(headingOf("Please add a new page on `quotas`")).toBe("Quotas")
})
