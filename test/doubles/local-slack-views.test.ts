import { expect, it } from "vitest"
import { refusal, useLocalSlack } from "../helpers/local-slack.ts"
import { stringIn } from "../sandbox/kit/json.ts"
import { ADA, ADA_DM, BEN, DOCS, EDITORS } from "../sandbox/slack/index.ts"

const h = useLocalSlack()

async function trigger(): Promise<string> {
  const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent")
  return stringIn(payload, "trigger_id") ?? "no trigger"
}

const text = (content: string) => ({ type: "plain_text" as const, text: content })

function open(trigger_id: string, element: object) {
  const blocks = [{ type: "input", label: text("Prompt"), element }]
  const view = { type: "modal" as const, title: text("Ask"), submit: text("Send"), blocks }
  return h.client.views.open({ trigger_id, view })
}

const input = { type: "plain_text_input", action_id: "text", max_length: 3 }

it("opens one view for a trigger, within three seconds", async () => {
  const first = await trigger()
  await open(first, input)
  expect(await refusal(open(first, input))).toBe("exchanged_trigger_id")
  const late = await trigger()
  h.time += 3000
  expect(await refusal(open(late, input))).toBe("expired_trigger_id")
  expect(await refusal(open("1.2.3", input))).toBe("invalid_trigger_id")
})

it("checks an input's length itself", async () => {
  await open(await trigger(), input)
  const submission = await h.slack.as(ADA).submitModal({ text: "four" })
  expect(submission).toMatchObject({ refusedBy: "client", accepted: false })
})

it("pre-selects what a select's own filter lets through and nothing else", async () => {
  const select = async (initial_conversation: string, include: string[]) => {
    const filter = { include }
    const type = "conversations_select"
    return open(await trigger(), { type, action_id: "where", initial_conversation, filter })
  }
  await select(DOCS, ["public", "private"])
  await select(ADA_DM, ["im"])
  expect(await refusal(select(ADA_DM, ["public", "private"]))).toBe("invalid_arguments")
  expect(await refusal(select(EDITORS, ["public"]))).toBe("invalid_arguments")
  const group = h.slack.openConversation([ADA, BEN], { bot: true })
  expect(await refusal(select(group, ["public", "private"]))).toBe("invalid_arguments")
})
