import { expect } from "vitest"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { botSays, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

const { test } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

test("files beyond ten, or beyond the room that there is are named to the requester", async (h) => {
  const content = "y".repeat(90_000)
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const files = Array.from({ length: 12 }, (_, n) => ({ name: `${n}.txt`, content }))
  const root = await h.slack.as(ADA).mention(DOCS, "use the attached", { files })
  await botSays(h, /request ready/, { thread: root.ts })
  const prompt = h.docs.creations.at(-1)?.prompt ?? ""
  expect(prompt.match(/> \d+.txt \(text\/plain, 90 kB\):\n/g)).toHaveLength(2)
  expect(prompt.match(/: not quoted$/gm)).toHaveLength(10)
  await toldPrivately(h, ADA, /can't see 10 of your files/)
  expect(h.slack.calls.filter(({ method }) => method === "download")).toHaveLength(2)
})
