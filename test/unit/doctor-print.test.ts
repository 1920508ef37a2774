import { expect, test } from "vitest"
import { type Facts, judge } from "../../src/doctor/examine.ts"
import { toJson, toLines } from "../../src/doctor/print.ts"

const bare: Facts = { node: "24.1.0", environment: [] }

test("the terminal is not steered by foreign words", () => {
  const detail = "gone\u001b[2J\u0007\u202e"
  const facts: Facts = {
    ...bare,
    service: [{ project: "docs", fault: { kind: "forbidden", detail } }],
  }
  const printed = toLines(judge(facts))
  expect(printed).toContain("gone [2J")
  expect(/[^\P{Cc}\n]|\u202e/u.test(printed)).toBe(false)
})

test("a machine reads the same", () => {
  const findings = judge({ ...bare, store: { state: "missing" } })
  expect(JSON.parse(toJson(findings))).toEqual({ well: false, findings })
  expect(toLines(findings)).toMatch(/\nOne thing needs fixing\.\n$/)
})
