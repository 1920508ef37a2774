import { ADA, DOCS, type LocalSlack, type Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { dumpRedis } from "./redis-dump.ts"
import { type Bed, type Options, READY } from "./test-bed.ts"

/** Text of Ada's request, which must not outlive her `forget-me`. */
export const CANARY = "canary of ada"

/** Returns true if Redis still holds that text. */
export const kept = async ({ services }: TestBed) =>
  (await dumpRedis(services.workerRedis)).includes(CANARY)

/** Completes a request whose text is still stored. */
export async function withWords(testBed: (options: Options) => Promise<Bed>): Promise<Bed> {
  const h = await testBed({ plan: READY })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", CANARY)
  await h.botSays(/request (is )?ready/)
  return h
}

/** Types `forget-me`, and returns the confirmation question. */
export async function askedToForget(slack: LocalSlack, user: string): Promise<Message> {
  const { shown } = await slack.as(user).slash(DOCS, "/docs-agent", "forget-me")
  if (!shown?.text.startsWith("Delete your requests and name?"))
    throw new Error(`Not asked: ${shown?.text}`)
  return shown
}

/** Types and confirms `forget-me`. Resolves to the message that confirms the deletion. */
export async function forgetMe(slack: LocalSlack, user: string): Promise<Message> {
  await slack.as(user).click(await askedToForget(slack, user), "forget_me")
  return slack.until((s) => s.ephemerals(user).find(({ text }) => /have been deleted/.test(text)))
}
