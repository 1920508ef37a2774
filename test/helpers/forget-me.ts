import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { botSays } from "./reading.ts"
import { dumpRedis } from "./redis-dump.ts"

/** Words that Ada asks with, and that must not outlive her wish to be forgotten. */
export const CANARY = "canary of ada"

/** Tells whether such words are stored. */
export const kept = async ({ services }: TestBed) =>
  (await dumpRedis(services.workerRedis)).includes(CANARY)

/** A request whose words are kept, as it ended a moment ago. */
export async function withWords(testBed: () => Promise<TestBed>): Promise<TestBed> {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", CANARY)
  await botSays(h, /request (is )?ready/)
  return h
}

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
  return slack.until((s) => s.ephemerals(user).find(({ text }) => /have been deleted/.test(text)))
}
