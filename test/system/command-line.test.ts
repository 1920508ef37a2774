import { expect, test } from "vitest"
import { runBot } from "../helpers/process.ts"

test("whoever asks for help, or mistypes a process type, is told which there are", async () => {
  const helped = await runBot(["--help"], {})
  expect(helped).toMatchObject({ code: 0, output: expect.stringMatching(/web .*worker .*doctor/s) })
  const wrong = await runBot(["wrker"], {})
  expect(wrong.code).toBe(1)
  expect(wrong.output).toBe(`Unknown process type "wrker".\n${helped.output}`)
})
