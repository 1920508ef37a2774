import { setTimeout as delay } from "node:timers/promises"
import { processFacts } from "../helpers/process-facts.ts"
import { type Bench, median } from "./figure.ts"
import { BARE_BOLT, createSetting, type Setting } from "./setting.ts"

const ROUNDS = 5
/** Time in ms before memory is read: garbage from the start is collected by then. */
const SETTLE_MS = 600
const MB = 2 ** 20

type Started = Awaited<ReturnType<typeof launched>>

export const start: Bench = {
  title: "`all`: from launch to ready, and memory at rest",

  async run({ share }) {
    await using setting = await createSetting()
    // The first start of each fills the disk cache.
    await launched(setting, "all")
    await launched(setting, "", BARE_BOLT)
    const [ours, bare]: [Started[], Started[]] = [[], []]
    for (let round = 0; round < Math.max(1, ROUNDS * share); round += 1) {
      ours.push(await launched(setting, "all"))
      bare.push(await launched(setting, "", BARE_BOLT))
    }
    const figure = (what: string, unit: "ms" | "MB", of: keyof Started, atMost: number) => {
      const middle = (list: readonly Started[]) => median(list, (one) => one[of])
      return { what, unit, value: middle(ours), reference: middle(bare), atMost }
    }
    return [figure("until ready", "ms", "readyMs", 1000), figure("memory", "MB", "residentMb", 120)]
  },
}

async function launched(setting: Setting, type: string, main?: string) {
  const began = performance.now()
  await using program = await setting.start(type, main)
  const readyMs = performance.now() - began
  await delay(SETTLE_MS)
  return { readyMs, residentMb: processFacts(program.pid).residentBytes / MB }
}
