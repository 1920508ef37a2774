import { DateTime } from "luxon"
import type { PullAction } from "../../sandbox/github/pull.ts"
import { ADA } from "../../sandbox/slack/seed/ids.ts"
import { whisper } from "../../sandbox/workspace/story/find.ts"
import { type Asked, ask, closeThread, soon, thread } from "./asking.ts"
import { inStudio, type Shots } from "./studio.ts"

const LIVES: Readonly<Record<string, { words: string; action: PullAction; says: RegExp }>> = {
  draft: { words: "explain how webhooks are retried", action: { do: "draft" }, says: /Draft pull/ },
  approved: {
    words: "add an example to the page on pagination",
    action: { do: "review", by: "ben", state: "APPROVED" },
    says: /Approved/,
  },
  "changes-requested": {
    words: "correct the table of rate limits",
    action: { do: "review", by: "cleo", state: "CHANGES_REQUESTED" },
    says: /Changes requested/,
  },
  merged: { words: "update the changelog", action: { do: "merge", by: "ben" }, says: /Merged/ },
  closed: { words: "tidy the sidebar", action: { do: "close" }, says: /Closed without/ },
}

/** What becomes of a pull request, on its card. */
export function pulls(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { sandbox, shown, shoot } = studio
    const { github } = sandbox.testBed
    const cards: Record<string, Asked> = {}
    for (const [name, { words, action }] of Object.entries(LIVES)) {
      const asked = await ask(studio, words, soon("pull_request"))
      await asked.reply(/Pull request ready/)
      const pull = github.pulls().at(-1)
      if (!pull) throw new Error("No pull request was opened")
      github.act(pull.repository, pull.number, action)
      cards[name] = asked
    }
    for (const [name, asked] of Object.entries(cards))
      await shoot({ [`card-${name}`]: await shown(asked.card(LIVES[name]?.says ?? /./)) })
  })
}

/** Nobody has touched it for some working days: one reminder in its thread. */
export function reminder(shots: Shots): Promise<void> {
  return inStudio(shots, { env: { PR_REMINDER_DAYS: "1" } }, async (studio) => {
    const { sandbox, shoot } = studio
    const asked = await ask(studio, "explain how webhooks are retried", soon("pull_request"))
    await asked.reply(/Pull request ready/)
    await sandbox.api.moveTime({ minutes: untilMorning(sandbox.api.parts.time.now()) })
    await asked.reply(/Still open/)
    await shoot({ "thread-reminder": await thread(studio, asked.card(/./)) })
  })
}

/** Reminders come in working hours: until a morning on which one is due. @returns minutes */
function untilMorning(now: number): number {
  const from = DateTime.fromMillis(now, { zone: "UTC" })
  const days = [3, 4, 5, 6].find((n) => [2, 3, 4, 5].includes(from.plus({ days: n }).weekday)) ?? 3
  const morning = from.plus({ days }).set({ hour: 10, minute: 30 })
  return Math.round(morning.diff(from).as("minutes"))
}

/** A preview below a closing reply: built, ready, failed, unclear, and absent. */
export function previews(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { sandbox, slack, shoot } = studio
    const { docs } = sandbox.testBed
    const plan = { queuedMs: 0, afterMs: 50 }
    const build = async (name: string, words: string, says: RegExp) => {
      const asked = await ask(studio, words, soon("pull_request"))
      await slack.as(ADA).click(await asked.reply(/Pull request ready/), "build_preview")
      await (name === "absent" ? whisper(slack, ADA, says) : asked.reply(says))
      await shoot({ [`thread-preview-${name}`]: await thread(studio, asked.card(/./)) })
      await closeThread(studio)
    }
    docs.configure({ previewPlan: { ...plan, ending: "never" } })
    await build("building", "fix the quickstart: it needs Node 20.19", /Building the preview/)
    docs.configure({ previewPlan: { ...plan, ending: "success" } })
    await build("ready", "explain how webhooks are retried", /Preview ready/)
    docs.configure({ previewPlan: { ...plan, ending: "failure" } })
    await build("failed", "correct the table of rate limits", /couldn't be built/)
    docs.fail({ type: "reset", when: "after", kind: "preview", times: 1 })
    await build("unclear", "update the changelog", /couldn't confirm that the preview/)
    docs.configure({ absent: { preview: 403 } })
    await build("absent", "tidy the sidebar", /Previews aren't available/)
  })
}
