import { expect, test } from "vitest"
import { clientOf, quiet } from "../helpers/local-slack.ts"
import { startLocalSlack } from "../sandbox/slack/index.ts"

test("a local Slack starts with the people, the channels and the rules that it is given", async () => {
  const zoe = { id: "U1", teamId: "T1", name: "zoe", realName: "Zoe", displayName: "zoe" }
  const robot = { ...zoe, id: "U2", name: "robot", realName: "Robot", displayName: "robot" }
  const lobby = { id: "C1", name: "lobby", members: new Set(["U1", "U2"]), kind: "public" as const }
  await using slack = await startLocalSlack({
    signingSecret: "s",
    botToken: "xoxb-local",
    mode: "http",
    people: {
      team: { id: "T1", name: "Elsewhere", domain: "elsewhere" },
      bot: { appId: "A1", botId: "B1", userId: "U2" },
      users: [
        { ...zoe, role: "admin", tz: "UTC" },
        { ...robot, role: "bot", tz: "UTC" },
      ],
      channels: [{ ...lobby, topic: "", sharedWith: [], archived: false }],
    },
    houseRules: (shown) => ("message" in shown && !shown.message.text ? ["says nothing"] : []),
  })
  const client = clientOf(slack, "xoxb-local")
  expect(await client.auth.test()).toMatchObject({ team_id: "T1", user_id: "U2" })
  await client.chat.postMessage({ channel: "C1", text: "hello", ...quiet })
  const blocks = [{ type: "divider" }]
  await client.chat.postMessage({ channel: "C1", text: "", blocks, ...quiet })
  expect(slack.channel("C1").messages()).toHaveLength(2)
  expect(slack.violations).toEqual(["chat.postMessage: says nothing"])
  await expect(slack.as("U1").post("C1", "hi")).resolves.toMatchObject({ user: "U1" })
})
