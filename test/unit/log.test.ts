import { describe, expect, test } from "vitest"
import { createLog, readableLine } from "../../src/runtime/log.ts"

function logged(secrets: string[], write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog("debug", secrets, { write: (line) => lines.push(line) }))
  return lines.join("")
}

describe("one JSON line per event", () => {
  test("an error is its name, code, message and stack, and its cause's", () => {
    const cause = Object.assign(new Error("connection lost"), {
      code: "ECONNRESET",
      request: { headers: { authorization: "Bearer svc_1" } },
    })
    const line = logged([], (log) => log.error({ error: new Error("failed", { cause }) }, "oh"))
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      msg: "oh",
      error: { message: "failed", cause: { code: "ECONNRESET", message: "connection lost" } },
    })
    expect(line).not.toContain("svc_1")
  })

  test.each([
    ["as it is", "s3cret/+=", (s: string) => s],
    ["with quotes in it", 'quo"ted\\', (s: string) => s],
    ["in an address", "pass word&", (s: string) => `redis://:${encodeURIComponent(s)}@host`],
  ])("a secret is blotted out %s", (_, secret, spell) => {
    const line = logged([secret], (log) => log.info({ text: spell(secret) }, spell(secret)))
    expect(line).toContain("[secret]")
    expect(line).not.toContain(JSON.stringify(secret).slice(1, -1))
    expect(() => JSON.parse(line)).not.toThrow()
  })
})

describe("a person at a terminal reads", () => {
  test("time, level, words and facts in one line", () => {
    const line = readableLine(
      '{"level":"info","time":"2026-11-20T12:01:02.345Z","job":"abc","note":"two words","count":3,"msg":"a job ended"}\n',
    )
    expect(line).toBe('12:01:02.345 INFO  a job ended job=abc note="two words" count=3\n')
  })

  test("a stack below it", () => {
    const line = readableLine(
      '{"level":"error","time":"2026-11-20T12:01:02.345Z","error":{"message":"no","stack":"Error: no\\n    at x"},"msg":"failed"}',
    )
    expect(line).toBe("12:01:02.345 ERROR failed\n  Error: no\n      at x\n")
  })

  test("foreign words that cannot steer the terminal", () => {
    const line = readableLine(
      '{"level":"info","time":"2026-11-20T12:01:02.345Z","msg":"a\\u001b[2Jb\\nc\\u202ed"}',
    )
    expect(line).toBe("12:01:02.345 INFO  a [2Jb c d\n")
  })

  test("what is no log line as it is", () => {
    expect(readableLine("plain words\n")).toBe("plain words\n")
  })
})
