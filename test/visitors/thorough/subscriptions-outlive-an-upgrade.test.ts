import { expect, test } from "vitest"
import { key } from "../../../src/store/redis-keys.ts"
import { useDigests } from "../../helpers/digests.ts"
import { toldPrivately } from "../../helpers/reading.ts"
import { said } from "../../helpers/visitors.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

const { bed } = useDigests()

test("VIS-14: what was turned on before an upgrade is listed, posted and turned off after it", async () => {
  const h = await bed({ env: { ADMIN_USERS: ADA } })
  const { store, settings } = h.services.front
  const [project = ""] = settings.projects.keys
  const due = h.clock.now() + 3_600_000
  const rhythm = { every: "daily", hour: 14, minute: 0 }
  const by = { project, user: ADA }
  const earlier = {
    [`digest:${DOCS}:daily:${project}`]: {
      digest: JSON.stringify({ ...by, channel: DOCS, zone: "Europe/Paris", rhythm }),
    },
    [`feedback:${DOCS}:${project}`]: {
      feed: JSON.stringify({ ...by, since: h.clock.now(), seen: [] }),
    },
    [`alerts:${DOCS}`]: { watches: JSON.stringify([{ ...by, of: "human", filter: "/guides" }]) },
  }
  for (const [id, fields] of Object.entries(earlier)) {
    const record = { v: "1", rev: 1, channel: DOCS, due, ...fields }
    await store.redis.hset(key("v", "post", id), record)
    await store.redis.zadd(key("v", "post", "due"), due, id)
  }
  const type = (words: string) => h.slack.as(ADA).slash(DOCS, "/docs-visitors", words)
  const listed = [
    ["subscriptions", /Daily at 2:00 PM/],
    ["feedback list", /[Rr]eader feedback/],
    ["alert list", /guides/],
  ] as const
  for (const [words, row] of listed) {
    await type(words)
    await toldPrivately(h, ADA, row)
  }
  h.clock.moveOn(3_600_000)
  await h.slack.until(() => said(h).some(({ text }) => text.startsWith("Docs traffic ")))
  for (const words of ["unsubscribe", "feedback off", "alert off"]) await type(words)
  await h.slack.until(() => said(h).filter(({ text }) => /turned off/.test(text)).length === 3)
  expect(await store.redis.zcard(key("v", "post", "due"))).toBe(0)
})
