import { expect, test } from "vitest"
import { meaningOf } from "../../src/text/meaning.ts"
import { COURTESIES, DOUBTFUL, REQUESTS } from "../helpers/phrasings.ts"

test("the table has both halves", () => {
  expect(COURTESIES.length + REQUESTS.length + DOUBTFUL.length).toBeGreaterThanOrEqual(250)
})

test.each(COURTESIES)("%j is no request", (words) => {
  expect(meaningOf(words).kind).not.toBe("request")
})

test.each(REQUESTS)("%j is a request", (words) => {
  expect(meaningOf(words)).toEqual({ kind: "request" })
})

test.each(DOUBTFUL)("%j is asked about", (words) => {
  expect(meaningOf(words)).toEqual({ kind: "unclear" })
})

test.each([
  ["thanks!", { kind: "courtesy", courtesy: "thanks" }],
  ["Perfect, thanks", { kind: "courtesy", courtesy: "thanks" }],
  ["hi", { kind: "courtesy", courtesy: "greeting" }],
  ["👍", { kind: "courtesy", courtesy: "comment" }],
  ["hi, what can you do?", { kind: "near", verb: "help" }],
  ["Status?", { kind: "near", verb: "status" }],
  ["Retry!", { kind: "near", verb: "retry" }],
  ["please cancel it", { kind: "near", verb: "cancel" }],
  ["where's my PR", { kind: "near", verb: "status" }],
  ["stop following", { kind: "near", verb: "quiet" }],
  ["Merged, thanks!", { kind: "courtesy", courtesy: "thanks" }],
  ["project=", { kind: "near", verb: "use" }],
])("%j means %j", (words, meaning) => {
  expect(meaningOf(words)).toEqual(meaning)
})

test("a long text is read in no time", () => {
  for (const words of [
    "thanks ".repeat(17),
    "ok ".repeat(40),
    "hi ".repeat(40),
    "show ".repeat(24),
  ])
    expect(["request", "courtesy", "unclear"]).toContain(meaningOf(words).kind)
})
