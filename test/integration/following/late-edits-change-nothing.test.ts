import { expect, test } from "vitest"
import { nextStep } from "../../../src/jobs/next-step.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { useRedis } from "../../helpers/redis.ts"
import { queueing } from "../../helpers/waiting.ts"

const LEASE_MS = 30_000
const redis = useRedis()

/** An ended job of which a worker wrote something before another one, which it told of it after that one. */
async function overtaken() {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const [id = ""] = await queueing(redis(), now)("ada")
  const ended = { state: "ended", ending: "pull_request", closing: "1.2", later: 1 }
  await redis().hset(keys.job(id), ended)
  const outbox = createOutbox(redis(), { leaseMs: LEASE_MS, onBroken() {}, now })
  const claim = async () => {
    const [entry] = await outbox.claim(1)
    return entry
  }
  const late = await claim()
  clock.now += LEASE_MS + 1
  const prompt = await claim()
  if (!late || !prompt) throw new Error("nothing to say")
  const shown = { rev: prompt.job.rev }
  await outbox.settle(prompt, { sure: true, shown, laterShown: prompt.job.later.rev })
  expect(await claim()).toBeUndefined()
  return { outbox, late, claim }
}

test.each([
  ["card", "edit", { shown: { rev: 1 } }],
  ["closing reply", "edit_closing", { laterShown: 1 }],
] as const)(
  "a %s that a worker without its lease edited is edited once more",
  async (_, step, written) => {
    const { outbox, late, claim } = await overtaken()

    await outbox.settle(late, { sure: true, ...written })

    const entry = await claim()
    expect(entry && nextStep(entry.job, undefined, false)).toBe(step)
  },
)

test("one that wrote nothing changes nothing", async () => {
  const { outbox, late, claim } = await overtaken()
  await outbox.settle(late, { sure: "untried", againMs: 0 })
  expect(await claim()).toBeUndefined()
})
