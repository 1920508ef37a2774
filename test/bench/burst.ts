import { ask } from "./ask.ts"
import { type Bench, type Figure, quantile } from "./figure.ts"
import { BARE_BOLT, createSetting } from "./setting.ts"

const ROUNDS = 10
const BURST = 50
const CROWD = 300

/** Goal for an acknowledgement in ms, a third of the 3,000 ms after which Slack gives up. */
const MOST_MS = 1000

export const burst: Bench = {
  title: "how long an acknowledgement takes when many ask at the same moment",

  async run({ share }) {
    await using setting = await createSetting()
    const ours = await setting.start("all")
    const bare = await setting.start("", BARE_BOLT)
    let asked = 0
    const together = (port: number, count: number) =>
      Promise.all(Array.from({ length: count }, () => ask(port, asked++)))
    const figure = async (count: number, rounds: number): Promise<Figure> => {
      const [took, reference]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round += 1) {
        reference.push(...(await together(bare.port, count)))
        took.push(...(await together(ours.port, count)))
      }
      return {
        what: `99th percentile, ${count} at once`,
        unit: "ms",
        value: quantile(took, 0.99),
        reference: quantile(reference, 0.99),
        ...(count === BURST ? { atMost: MOST_MS } : {}),
      }
    }
    return [await figure(BURST, Math.max(1, ROUNDS * share)), await figure(CROWD, 1)]
  },
}
