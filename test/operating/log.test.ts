import { expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"

function logged(secrets: string[], write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog("debug", secrets, { write: (line) => lines.push(line) }))
  return lines.join("")
}

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
