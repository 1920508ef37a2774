import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { DOCS } from "../sandbox/slack/seed/ids.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"

/** The question that a person who types `forget-me` is asked. */
export async function askedToForget(slack: LocalSlack, user: string): Promise<Message> {
  const { shown } = await slack.as(user).slash(DOCS, "/docs-agent", "forget-me")
  if (!shown?.text.startsWith("Delete your requests and name?"))
    throw new Error(`Not asked: ${shown?.text}`)
  return shown
}

/** A person asks to be forgotten and confirms it; what they are told when it is done. */
export async function forgetMe(slack: LocalSlack, user: string): Promise<Message> {
  await slack.as(user).click(await askedToForget(slack, user), "forget_me")
  return slack.until((s) => s.ephemerals(user).find(({ text }) => /has been deleted/.test(text)))
}
