import { expect, test } from "vitest"
import { runDoctor } from "../../../src/operating/doctor/run-doctor.ts"
import { BAD_SETTINGS } from "../../helpers/bad-settings.ts"
import { launch } from "../../helpers/process.ts"
import { useWorld } from "../../helpers/world-of-settings.ts"

const envWith = useWorld()

/** Returns how a sentence begins: the details differ from one moment to the next. */
const begin = (sentence = "") => sentence.split(/ \(|[.:]( |$)/)[0]?.toLowerCase()

const kinds = Object.entries(BAD_SETTINGS).filter(([, { start }]) => start !== false)

test.each(kinds)(
  "%s: a start names the fault and the way out, in the doctor's words if nothing else is said",
  async (_, { spoil, start }) => {
    const bot = launch(["all"], envWith(spoil) as Record<string, string>)
    const output = () => bot.output.replaceAll('\\"', '"')
    if (start) await expect.poll(output, { timeout: 20_000 }).toMatch(start)
    else {
      const { findings } = JSON.parse((await runDoctor(envWith(spoil), { json: true })).output)
      const [{ says, next }] = findings.filter(({ level }: { level: string }) => level === "fault")
      for (const words of [says, next])
        await expect.poll(() => output().toLowerCase(), { timeout: 20_000 }).toContain(begin(words))
    }
    await bot.kill("SIGKILL")
  },
)
