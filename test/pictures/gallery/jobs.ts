import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { reply } from "../../sandbox/workspace/story/find.ts"
import { type Asked, ask, closeThread, NEVER, request, soon, thread } from "./asking.ts"
import { inStudio, type Shots, type Studio } from "./studio.ts"

const LONG = [
  "rewrite the page on webhooks. It should say that we retry five times, with what waits in between,",
  "and how to check a signature:",
  "```\nconst expected = hmac(secret, body)\nif (!equal(expected, given)) return 401\n```",
  "Then link it from the overview & the <quickstart>.",
].join("\n")

/** The cards of jobs that run, and of those that end without a closing reply. */
export function running(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { slack, shown, shoot, sandbox } = studio
    const working = await ask(studio, LONG, NEVER)
    const linked = await ask(studio, "explain how webhooks are retried", { ...NEVER, prAfterMs: 0 })
    const followed = await ask(studio, "update the changelog", NEVER)
    await slack.as(ADA).select(await followed.card(/Working/), "job_menu", "Stop following")
    sandbox.testBed.docs.fail({ type: "hang", kind: "create", times: 1 })
    const starting = await request(studio, "add a page on the limits")
    await shoot({ "card-starting": await shown(starting.card(/Starting$/m)) })
    await shoot({
      "card-running": await shown(working.card(/Working/)),
      "card-running-linked": await shown(linked.card(/so far/)),
      "card-unfollowed": await shown(followed.card(/No longer followed/)),
    })
  })
}

/** Each ending that is told in the thread, with the card above. */
export function endings(shots: Shots): Promise<void> {
  return inStudio(shots, { env: { JOB_TIMEOUT_MINUTES: "60" } }, async (studio) => {
    const { sandbox, shoot } = studio
    const { docs } = sandbox.testBed
    const told: Record<string, [Asked, RegExp]> = {
      "pull-request": [
        await ask(studio, "fix the quickstart: it needs Node 20.19", soon("pull_request")),
        /Pull request ready/,
      ],
      "no-pull-request": [
        await ask(studio, "check the links on the install page", soon("no_pull_request")),
        /without a pull request/,
      ],
      failed: [await ask(studio, "translate the whole site", soon("failed")), /couldn't finish/],
      archived: [await ask(studio, "tidy the sidebar", soon("archived")), /Archived/],
      gone: [await vanishing(studio), /gone/],
      refused: [await refused(studio), /refused/],
      unknown: [await unconfirmed(studio), /couldn't confirm/],
      lost: [await ask(studio, "rename Workspaces to Projects everywhere", NEVER), /./],
    }
    for (const [name, [{ reply: closing, card }, says]] of Object.entries(told)) {
      if (name === "lost") await sandbox.api.moveTime({ minutes: 61 })
      await closing(name === "lost" ? /Still not finished/ : says)
      await shoot({ [`thread-${name}`]: await thread(studio, card(/./)) })
      await closeThread(studio)
    }
    docs.clearFaults()
  })
}

async function vanishing(studio: Studio): Promise<Asked> {
  const { docs } = studio.sandbox.testBed
  const asked = await ask(studio, "describe the audit log", NEVER)
  const jobId = docs.creations.at(-1)?.jobId ?? ""
  docs.fail({ type: "status", status: 404, kind: "get", jobId })
  return asked
}

async function refused(studio: Studio): Promise<Asked> {
  const { docs } = studio.sandbox.testBed
  docs.fail({ type: "status", status: 400, kind: "create", times: 1, error: "Prompt is too vague" })
  const asked = await request(studio, "make it better")
  await asked.card(/refused/)
  return asked
}

async function unconfirmed(studio: Studio): Promise<Asked> {
  studio.sandbox.testBed.docs.fail({ type: "reset", when: "after", kind: "create", times: 1 })
  const asked = await request(studio, "document the new export")
  await asked.card(/couldn't confirm/)
  return asked
}

/** A follow-up below its job, in both its states, and what is answered to verbs in that thread. */
export function followUps(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { slack, shoot } = studio
    const followUp = {
      ending: "pull_request",
      afterMs: 50,
      followUp: soon("pull_request"),
    } as const
    const asked = await ask(studio, "fix the quickstart: it needs Node 20.19", followUp)
    await asked.reply(/Pull request ready/)
    const root = await asked.card(/Pull request ready/)
    const ada = slack.as(ADA)
    await ada.mention(DOCS, "say the same on the install page", { thread: root.ts })
    await reply(slack, root, /install page[\s\S]*Pull request ready/)
    await ada.mention(DOCS, "status", { thread: root.ts })
    await shoot({ "thread-follow-up": await thread(studio, asked.card(/./)) })
    await closeThread(studio)
    await talked(studio)
  })
}

/** Asked in a thread of people, whose talk travels along. */
async function talked(studio: Studio): Promise<void> {
  const { slack, sandbox, shoot } = studio
  const [root] = slack.channel(DOCS).messages()
  if (!root) throw new Error("The channel is empty")
  sandbox.testBed.docs.plan({ ending: "never", afterMs: 0 })
  await slack.as(ADA).mention(DOCS, "please correct that on both pages", { thread: root.ts })
  await reply(slack, root, /Working/)
  await shoot({ "thread-of-people": await thread(studio, Promise.resolve(root)) })
  await closeThread(studio)
}
