import { expect, test } from "vitest"
import { runDoctor } from "../../../src/operating/doctor/run-doctor.ts"
import { BAD_SETTINGS } from "../../helpers/bad-settings.ts"
import { useWorld } from "../../helpers/world-of-settings.ts"

const envWith = useWorld()

test.each(Object.entries(BAD_SETTINGS))(
  "%s: the doctor names the fault and the way out",
  async (_, { spoil, doctor }) => {
    const { output, well } = await runDoctor(envWith(spoil), { json: false })
    expect(output).toMatch(doctor)
    // Reports no other fault, because operators would try to fix it.
    const faults = output.match(/^fault/gm)?.length ?? 0
    expect(faults).toBeLessThanOrEqual(1)
    expect(well).toBe(faults === 0)
  },
)
