import { expect, test } from "vitest"
import { conversation, messages, replies } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { script } from "../../sandbox/workspace/story/script.ts"

const stage = useStage()

test("the story plays to its end, and the page looks where it happens", async () => {
  const page = await stage().open()
  const captions = script.map(({ caption }) =>
    page.getByRole("status").filter({ hasText: caption }),
  )
  const ended = stage().sandbox.api.tour.play(500)

  await captions[0]?.waitFor()
  await messages(page, /Node 20\.19/).waitFor()
  await captions[2]?.waitFor({ timeout: 60_000 })
  await replies(page, /Pull request ready/)
    .first()
    .waitFor()
  await captions.at(-1)?.waitFor({ timeout: 60_000 })
  await conversation(page).getByRole("link", { name: /\.csv/ }).waitFor()
  await ended

  const { slack, docs } = stage().sandbox.testBed
  expect(slack.violations).toEqual([])
  const last = ({ prompt }: { prompt: string }) => prompt.split("\n").at(-1)
  expect(docs.creations.map(last)).toEqual([
    "fix the quickstart: it needs Node 20.19",
    "explain webhook retries",
  ])
  const [first] = docs.creations
  expect(docs.job(first?.jobId ?? "")?.messages.map(last)).toEqual([
    "say the same on the install page",
  ])
})
