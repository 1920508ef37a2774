import { expect, test } from "vitest"
import { readConfig } from "../../../src/config/config.ts"
import { runDoctor } from "../../../src/doctor/run.ts"
import { BAD_SETTINGS, useWorld } from "../../helpers/bad-settings.ts"

const envWith = useWorld()

test("what is well has no fault", async () => {
  const { output, well } = await runDoctor(envWith(), { json: false })
  expect(output).not.toMatch(/^fault/m)
  expect(well).toBe(true)
})

test("at least 72 kinds of bad settings are named by the doctor, and 60 at a start", () => {
  expect(BAD_SETTINGS.length).toBeGreaterThanOrEqual(72)
  expect(BAD_SETTINGS.filter(({ start }) => start).length).toBeGreaterThanOrEqual(60)
})

test.each(BAD_SETTINGS.map((bad) => [bad.kind, bad] as const))(
  "%s: the doctor names the fault and the way out, and so does a start",
  async (_, { spoil, doctor, start, isRefused }) => {
    const env = envWith(spoil)
    const { output } = await runDoctor(env, { json: false })
    expect(output).toMatch(doctor)
    // Whatever is thrown here is what a start prints before it ends.
    if (isRefused) expect(() => readConfig(env)).toThrow(start)
    // Nothing else is called a fault: an operator mends what is broken.
    expect(output.match(/^fault/gm)?.length ?? 0).toBeLessThanOrEqual(1)
  },
)
