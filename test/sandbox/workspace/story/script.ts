import type { DocsService } from "../../docs-service/service.ts"
import type { LocalSlack } from "../../slack/local-slack.ts"
import { ADA, ADA_DM, BEN, DOCS, GUS } from "../../slack/seed/ids.ts"
import type { TimeStep } from "../requests.ts"
import type { StoryScene } from "../wire.ts"
import { card, file, reply, whisper } from "./find.ts"

/** What the steps act with, and what they leave for each other. */
export interface Stage {
  readonly slack: LocalSlack
  readonly docs: DocsService
  readonly moveTime: (step: TimeStep) => Promise<void>
  /** The root of the thread that the story follows, from the second step on. */
  thread: string
}

export interface Step {
  readonly caption: string
  readonly scene: (stage: Stage) => StoryScene
  /** Resolves once there is something to see. */
  readonly play: (stage: Stage) => Promise<unknown>
}

const channel = (as: string) => (): StoryScene => ({ as, channel: DOCS })
const thread =
  (as: string) =>
  (stage: Stage): StoryScene => ({
    as,
    channel: DOCS,
    thread: stage.thread,
  })

/** A minute with the bot: asked, queued, answered, followed up, and who reads it all. */
export const script: readonly Step[] = [
  {
    caption: "Ada asks for a change, right where the team talks.",
    scene: channel(ADA),
    async play(stage) {
      const { slack, docs } = stage
      const followUp = { ending: "pull_request", afterMs: 4_000 } as const
      docs.plan({ ending: "pull_request", afterMs: 5_000, followUp })
      await slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart: it needs Node 20.19")
      stage.thread = (await card(slack, DOCS, /Node 20\.19[\s\S]*Working/)).ts
    },
  },
  {
    caption: "Gus is a guest. The bot tells him privately, and no job is used.",
    scene: channel(GUS),
    async play({ slack }) {
      await slack.as(GUS).slash(DOCS, "/docs-agent", "write more about webhooks")
      await whisper(slack, GUS, /Guests can't/)
    },
  },
  {
    caption: "The pull request arrives in the thread, and Ada is mentioned.",
    scene: thread(ADA),
    play: ({ slack, thread: ts }) => reply(slack, root(slack, ts), /Pull request ready/),
  },
  {
    caption: "A mention in the thread is a follow-up. The same pull request changes.",
    scene: thread(ADA),
    async play({ slack, thread: ts }) {
      await slack.as(ADA).mention(DOCS, "say the same on the install page", { thread: ts })
      await reply(slack, root(slack, ts), /install page[\s\S]*Pull request ready/)
    },
  },
  {
    caption: "The hourly limit is used up. Ben's request waits in line; he could cancel it.",
    scene: channel(BEN),
    async play({ slack, docs }) {
      for (const { id } of docs.projects) docs.spendElsewhere(id, docs.hour(id).remaining)
      docs.plan({ ending: "no_pull_request", afterMs: 60_000 })
      await slack.as(BEN).slash(DOCS, "/docs-agent", "explain webhook retries")
      await card(slack, DOCS, /webhook retries[\s\S]*used up/)
    },
  },
  {
    caption: "An hour later it starts by itself. You can skip ahead, too.",
    scene: channel(BEN),
    async play({ slack, moveTime }) {
      await moveTime({ minutes: 61 })
      await card(slack, DOCS, /webhook retries[\s\S]*Working/)
    },
  },
  {
    caption: "Who reads the docs? People and AI, counted separately.",
    scene: channel(ADA),
    async play({ slack }) {
      await slack.as(ADA).slash(DOCS, "/docs-visitors", "30d")
      await whisper(slack, ADA, /^Docs visitors/)
    },
  },
  {
    caption: "One click shares it with the channel.",
    scene: channel(ADA),
    async play({ slack }) {
      const report = await whisper(slack, ADA, /^Docs visitors/)
      await slack.as(ADA).click(report, "visitors_share")
      await card(slack, DOCS, /^Docs visitors/)
    },
  },
  {
    caption: "Or as a CSV file of every page, by direct message.",
    scene: () => ({ as: ADA, channel: ADA_DM }),
    async play({ slack }) {
      const report = await whisper(slack, ADA, /^Docs visitors/)
      await slack.as(ADA).click(report, "visitors_csv")
      await file(slack, ADA_DM, ".csv")
    },
  },
]

function root(slack: LocalSlack, ts: string) {
  const [message] = slack.thread(DOCS, ts)
  if (message === undefined) throw new Error("The story lost its thread")
  return message
}
