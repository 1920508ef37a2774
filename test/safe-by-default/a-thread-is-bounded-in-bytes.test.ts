import { expect } from "vitest"
import { bytesOf, MAX_ROUND_BYTES } from "../../src/jobs/rounds.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"

const { test } = useTestBed()

test("SAFE-10: a follow-up and an edit with too many words for those that wait are refused by that bound, and a shorter one is not", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.docsUntil(({ creations }) => creations.length === 1)
  const thread = { thread: root.ts }
  const long = "word ".repeat(7800)
  for (let n = 1; n <= 5; n += 1) await h.slack.as(BEN).mention(DOCS, `${n} ${long}`, thread)
  await h.toldPrivately(BEN, /too long.* 185 kB in all.*send it after the agent finishes/s)
  const edited = await h.slack.as(CLEO).mention(DOCS, "and the fifth", thread)
  await h.slack.as(CLEO).edit(edited, `@docs-agent 5 ${long}`)
  await h.toldPrivately(CLEO, /^Your edit is too long, .* get your earlier words/)
  const waiting = async () => (await h.services.front.jobs.inThread(DOCS, root.ts))[0]?.job.waiting
  expect(await waiting()).toHaveLength(5)
  expect(bytesOf((await waiting()) ?? [])).toBeLessThan(MAX_ROUND_BYTES)
  await h.slack.as(CLEO).edit(edited, "@docs-agent and the fifth page")
  await expect.poll(async () => (await waiting())?.every((ask) => ask.isPrepared)).toBe(true)
  h.finish("pull_request")
  await h.docsUntil((docs) => docs.job(docs.creations[0]?.jobId ?? "")?.messages.length === 1)
  const [message] = h.docs.job(h.docs.creations[0]?.jobId ?? "")?.messages ?? []
  expect(message?.prompt).toMatch(/and the fifth page$/m)
  for (let n = 1; n <= 4; n += 1) expect(message?.prompt).toContain(`${n} ${long.trim()}`)
})
