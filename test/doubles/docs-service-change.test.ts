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

/** Returns the added and removed lines of a sequence of prompts, by page. */
function changed(...prompts: string[]): Record<string, string[]> {
  const { files } = changeFor(prompts)
  return Object.fromEntries(
    files.map(({ path, before, after }) => [
      path,
      unifiedDiff(before, after)
        .flatMap(({ lines }) => lines)
        .filter(({ kind, text }) => kind !== "same" && text !== "")
        .map(({ kind, text }) => (kind === "added" ? "+" : "-") + text),
    ]),
  )
}

test("any prompt leads to a change, always the same one", async () => {
  await holds(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (prompt) => {
      const change = changeFor([prompt])
      expect(change.files.length).toBeGreaterThan(0)
      for (const { before, after } of change.files) expect(after).not.toBe(before)
      expect(changeFor([prompt])).toEqual(change)
      expect(titleOf(prompt)).not.toBe("")
    }),
    300,
  )
})

const QUICKSTART = [
  "-You need Node.js 18 or newer and a free account.",
  "+You need Node.js 20.19 or newer and a free account.",
  "-node --version   # v18 or newer",
  "+node --version   # v20.19 or newer",
]

test.each(["fix the quickstart", "Fix the quickstart: it needs Node 20.19"])(
  "%s: corrects what the seeded talk complains about, and nothing else",
  (prompt) => {
    expect(changed(prompt)).toEqual({ "quickstart.mdx": QUICKSTART })
    expect(changeFor([prompt]).hasMarks).toBe(false)
  },
)

test.each([
  ["Explain how webhook retries work", "guides/webhooks.mdx"],
  ["Add a section about rotating API keys", "api-reference/authentication.mdx"],
  ["Explain how to install behind a proxy", "self-hosting/install.mdx"],
  ["Make the quickstart shorter", "quickstart.mdx"],
])("%s: only marks where a change would go, on %s", (prompt, path) => {
  expect(changed(prompt)).toEqual({
    [path]: [`+{/* The docs agent would write here: ${prompt} */}`],
  })
  expect(changeFor([prompt]).hasMarks).toBe(true)
})

test("a title is the first sentence, whatever it is, cut between characters", () => {
  expect(titleOf("add the docs. And more\n\n> quoted")).toBe("Add the docs")
  expect(titleOf("Quoted for context:\n> it\n\nadd the docs")).toBe("Quoted for context:")
  expect(titleOf("😀".repeat(100))).toBe(`${"😀".repeat(71)}…`)
  expect(titleOf("  \n ")).toBe("Update the documentation")
})
