import { expect, test } from "vitest"
import { gitHubForTest, push, TOKEN } from "../helpers/github.ts"
import { controlGitHub, gitHubSnapshot } from "../sandbox/github/control.ts"

test("a panel sees pull requests and does to them what a person does", async () => {
  const { github } = await gitHubForTest()
  push(github)
  push(github, { number: 8 })
  const place = { repository: "acme/docs", number: 7 }
  controlGitHub(github, { do: "act", ...place, action: { do: "review", state: "APPROVED" } })
  const { pulls } = controlGitHub(github, { do: "act", ...place, action: { do: "merge" } })
  expect(pulls).toEqual([
    { repository: "acme/docs", number: 8, condition: "open", reviews: [] },
    { repository: "acme/docs", number: 7, condition: "merged", reviews: ["APPROVED"] },
  ])
})

test.each([
  [{ do: "explode" }, "do"],
  [{ do: "act", repository: "acme/docs", number: 9, action: { do: "close" } }, "acme/docs#9"],
  [{ do: "act", repository: "acme/none", number: 7, action: { do: "close" } }, "acme/none"],
  [{ do: "act", repository: "acme/docs", number: 7, action: { do: "reopen" } }, "It is open"],
])("a senseless command %j changes nothing and says why", async (command, reason) => {
  const { github } = await gitHubForTest()
  push(github)
  const before = gitHubSnapshot(github)
  expect(() => controlGitHub(github, command)).toThrow(reason)
  expect(gitHubSnapshot(github)).toEqual(before)
})

test("what a panel sees is plain JSON and holds no token", async () => {
  const { github } = await gitHubForTest()
  push(github)
  const text = JSON.stringify(gitHubSnapshot(github))
  expect(text).not.toContain(TOKEN)
})
