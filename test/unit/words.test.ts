import { describe, expect, test } from "vitest"
import { readCommand, readMention, readThread } from "../../src/handlers/words.ts"

describe("/docs-agent", () => {
  test.each([
    ["help", { kind: "help" }],
    [" STATUS ", { kind: "status" }],
    ["quota", { kind: "quota" }],
    ["cancel", { kind: "cancel", id: undefined }],
    ["cancel 2345678922", { kind: "cancel", id: "2345678922" }],
    ["cancel `ABCDEFGH23`", { kind: "cancel", id: "abcdefgh23" }],
    ["cancel job_1", { kind: "cancel", id: "job_1" }],
    ["cancel 12345", { kind: "cancel", id: "12345" }],
    ["cancel the 2 old pages", { kind: "prompt", words: "cancel the 2 old pages" }],
    ["cancel subscriptions", { kind: "prompt", words: "cancel subscriptions" }],
    ["", { kind: "blank" }],
    ["\u200b \u2060", { kind: "blank" }],
    ["help us rewrite the intro", { kind: "prompt", words: "help us rewrite the intro" }],
    ["status page is outdated", { kind: "prompt", words: "status page is outdated" }],
    ["cancel subscriptions page", { kind: "prompt", words: "cancel subscriptions page" }],
    ["retry", { kind: "prompt", words: "retry" }],
    ["  fix  it ", { kind: "prompt", words: "fix  it" }],
  ])("%j", (text, words) => {
    expect(readCommand(text)).toEqual(words)
  })

  test("counts people's characters, not code units", () => {
    expect(readCommand("👩".repeat(40_000)).kind).toBe("prompt")
    expect(readCommand("👩".repeat(40_001))).toEqual({ kind: "too_long", length: 40_001 })
  })
})

test.each(["status", "cancel", "retry", "quiet", "help"])(
  "in a thread that has a job %s is a verb, matched exactly",
  (verb) => {
    expect(readThread(verb).kind).toBe(verb)
    expect(readThread(`${verb} please`).kind).toBe("prompt")
  },
)

test("without a job in the thread the verbs about one are prompts", () => {
  expect(readMention("retry").kind).toBe("prompt")
  expect(readMention("help").kind).toBe("help")
})
