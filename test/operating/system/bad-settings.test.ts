import { expect, test } from "vitest"
import { runDoctor } from "../../../src/operating/doctor/run-doctor.ts"
import { BAD_SETTINGS } from "../../helpers/bad-settings.ts"
import { launch } from "../../helpers/process.ts"
import { useWorld } from "../../helpers/world-of-settings.ts"

const envWith = useWorld()

/** Returns how a sentence begins: the details differ from one moment to the next. */
const begin = (sentence = "") => sentence.split(/ \(|[.:]( |$)/)[0]?.toLowerCase()

test.each(Object.entries(BAD_SETTINGS))(
  "%s: the doctor and a start name the fault and the way out, in the same words if nothing else is said",
  async (_, { spoil, doctor, start }) => {
    const { output, well } = await runDoctor(envWith(spoil), { json: false })
    expect(output).toMatch(doctor)
    // Reports no other fault, because operators would try to fix it.
    const faults = output.match(/^fault/gm)?.length ?? 0
    expect(faults).toBeLessThanOrEqual(1)
    expect(well).toBe(faults === 0)
    if (start === false) return

    const bot = launch(["all"], envWith(spoil) as Record<string, string>)
    const said = () => bot.output.replaceAll('\\"', '"')
    if (start) await expect.poll(said).toMatch(start)
    else {
      const { findings } = JSON.parse((await runDoctor(envWith(spoil), { json: true })).output)
      const [{ says, next }] = findings.filter(({ level }: { level: string }) => level === "fault")
      for (const words of [says, next])
        await expect.poll(() => said().toLowerCase()).toContain(begin(words))
    }
    await bot.kill("SIGKILL")
  },
)
