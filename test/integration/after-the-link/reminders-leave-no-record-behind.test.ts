import { expect, test } from "vitest"
import { secret } from "../../../src/config/secret.ts"
import { createGitHubPulls } from "../../../src/github/client.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createPullStore } from "../../../src/redis/pulls/store.ts"
import { createSecretFilter } from "../../../src/text/secret-filter.ts"
import { startRawService } from "../../helpers/raw-service.ts"
import { useRedis } from "../../helpers/redis.ts"

const redis = useRedis()
const TOKEN = "ghp_canary0123456789"
const ref = { owner: "acme", repo: "docs", number: 7 }
const PULL = { state: "open", updated_at: "2026-11-20T10:00:00Z" }

test.each([
  ["repeats the token", `"${TOKEN}"`],
  ["is longer than any tag", `"${"x".repeat(400)}"`],
])("a tag that %s is not kept", async (_, etag) => {
  await using gitHub = await startRawService()
  gitHub.answer = ({ url }, response) => {
    response.writeHead(200, { "content-type": "application/json", etag })
    response.end(JSON.stringify(url?.includes("/reviews") ? [] : PULL))
  }
  const options = { token: secret(TOKEN), apiUrl: gitHub.url, timeoutMs: 5000 }
  const answer = await createGitHubPulls(options, createSecretFilter([TOKEN])).read(ref, undefined)
  const none = { phase: "open", pullTag: undefined, reviewsTag: undefined }
  expect(answer).toMatchObject({ kind: "facts", facts: none })
})

test("a reminder in the thread of a job that is gone by now leaves no record behind", async () => {
  const store = createPullStore(redis(), "https://api.github.com", { leaseMs: 1000, firstMs: 0 })
  await redis().hset(keys.job("gone"), "state", "ended")
  await store.watch("gone", ref)
  const { lease, pulls } = await store.claim(1)
  const [pull] = pulls
  if (!pull) throw new Error("nothing is followed")
  await redis().del(keys.job("gone"))
  await store.record(lease, pull, { failures: 0, waitMs: 1000, remind: "gone" })
  expect(await redis().exists(keys.job("gone"))).toBe(0)
})
