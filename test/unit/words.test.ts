import { describe, expect, test } from "vitest"
import { readCommand, readMention, readThread } from "../../src/handlers/parse-command.ts"

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
    ["cancel subscriptions", { kind: "unclear", words: "cancel subscriptions" }],
    ["Cancel!", { kind: "near", verb: "cancel" }],
    ["thanks!", { kind: "courtesy", courtesy: "thanks" }],
    ["project=api thanks", { kind: "courtesy", courtesy: "thanks" }],
    ["project=api", { kind: "prompt", project: "api", words: "" }],
    ["Status, please", { kind: "status" }],
    ["", { kind: "blank" }],
    ["\u200b \u2060", { kind: "blank" }],
    ["help us rewrite the intro", { kind: "prompt", words: "help us rewrite the intro" }],
    ["status page is outdated", { kind: "prompt", words: "status page is outdated" }],
    ["cancel subscriptions page", { kind: "prompt", words: "cancel subscriptions page" }],
    ["retry", { kind: "near", verb: "retry" }],
    ["  fix  it ", { kind: "prompt", words: "fix  it" }],
  ])("%j", (text, words) => {
    expect(readCommand(text)).toEqual(words)
  })

  test("counts people's characters, not code units", () => {
    expect(readCommand("👩".repeat(40_000)).kind).toBe("prompt")
    expect(readCommand("👩".repeat(40_001))).toEqual({ kind: "too_long", length: 40_001 })
  })
})

test.each(["status", "cancel", "quiet", "help", "quota"])(
  "in a thread that has a job %s is a verb, however politely it is said",
  (verb) => {
    expect(readThread(verb).kind).toBe(verb)
    expect(readThread(`${verb.toUpperCase()}, please!`).kind).toBe(verb)
    expect(readThread(`${verb} page is out of date`).kind).toBe("prompt")
  },
)

test("retry in other words than that one is asked about", () => {
  expect(readThread("retry").kind).toBe("retry")
  expect(readThread("Retry!").kind).toBe("retry_asked")
})

test("without a job in the thread the verbs about one are hints", () => {
  expect(readMention("retry")).toEqual({ kind: "near", verb: "retry" })
  expect(readMention("cancel")).toEqual({ kind: "near", verb: "cancel" })
  expect(readMention("help").kind).toBe("help")
})
