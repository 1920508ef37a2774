import fc from "fast-check"
import { expect, test } from "vitest"
import { holds } from "../helpers/property.ts"
import { changeFor } from "../sandbox/docs-service/pull-request/change.ts"
import { titleOf } from "../sandbox/docs-service/pull-request/prompt-words.ts"
import { type Hunk, unifiedDiff } from "../sandbox/github/pages/unified-diff.ts"

/** Applies hunks as `patch` does. @throws Error if a line of a hunk doesn't match the text */
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

test("each request of a pull request changes something more", () => {
  const changes = [1, 2, 3, 4, 5].map((requests) => JSON.stringify(changeFor(requests)))
  expect(new Set(changes).size).toBe(changes.length)
})

test("a title is the first sentence, whatever it is, cut between characters", () => {
  expect(titleOf("add the docs. And more\n\n> quoted")).toBe("Add the docs")
  expect(titleOf("Quoted for context:\n> it\n\nadd the docs")).toBe("Quoted for context:")
  expect(titleOf("😀".repeat(100))).toBe(`${"😀".repeat(71)}…`)
  expect(titleOf("  \n ")).toBe("Update the documentation")
})
