import { conversation } from "../../helpers/at-the-page.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { Message } from "../../sandbox/slack/workspace/model.ts"
import { answered, ask, NEVER, request, soon } from "./asking.ts"
import { inStudio, type Shots, type Studio } from "./studio.ts"

/** A screen on which the whole of a Home tab is in sight, px. */
const HOME = 1000

/** Cards that wait, what can be asked about them, and the Home tab above them. */
export function waiting(shots: Shots): Promise<void> {
  const env = { JOBS_PER_HOUR: "3", RESERVED_SLOTS: "0", MAX_QUEUED_PER_USER: "3" }
  return inStudio(shots, { env }, async (studio) => {
    const { slack, page, shown, shoot } = studio
    await ask(studio, "fix the quickstart: it needs Node 20.19", soon("pull_request"))
    const failed = await ask(studio, "translate the whole site", soon("failed"))
    await failed.reply(/couldn't finish/)
    await ask(studio, "explain how webhooks are retried", NEVER)
    const first = await request(studio, "add an example to the page on pagination")
    const second = await request(studio, "correct the table of rate limits", BEN)
    const third = await request(studio, "update the changelog")
    await slack.as(ADA).click(await third.card(/in line/), "cancel")
    await shoot({
      "card-next-in-line": await shown(first.card(/Next in line · expected/)),
      "card-number-2": await shown(second.card(/Number 2 in line · expected/)),
      "card-cancelled": await shown(third.card(/Cancelled/)),
      "answer-status": await shown(answered(studio, "/docs-agent", "status", /jobs used/)),
      "answer-quota": await shown(answered(studio, "/docs-agent", "quota", /Next free slot/)),
    })
    const card = await shown(first.card(/Next in line/))
    await card.getByRole("button", { name: "Cancel" }).click()
    await shoot({ "dialog-cancel": page.getByRole("dialog") })
    await page.keyboard.press("Escape")
    await request(studio, "link the overview")
    await request(studio, "and the glossary")
    await shoot({
      "answer-full-queue": await shown(
        answered(studio, "/docs-agent", "one more page", /queue is full/),
      ),
    })
    await studio.visit(ADA, "home")
    await page.getByRole("heading", { name: "Hourly limit" }).waitFor()
    await shoot({ "home-of-ada": conversation(page) }, HOME)
    await page.getByRole("button", { name: "How to ask" }).click()
    await shoot({ "dialog-how-to-ask": page.getByRole("dialog") }, HOME)
  })
}

/** What holds the whole queue up, and what an admin is told and can do about it. */
export function pauses(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { slack, sandbox, page, shown, shoot, visit } = studio
    const { docs } = sandbox.testBed
    docs.fail({ type: "expired_key", kind: "create", times: 1 })
    const asked = await request(studio, "explain how webhooks are retried")
    await shoot({ "card-paused-key": await shown(asked.card(/Paused/)) })
    const notice = await slack.until((s) => noticeTo(s, CLEO))
    await visit(CLEO, "home")
    await page.getByRole("button", { name: "Resume" }).waitFor()
    await shoot({ "home-of-admin-paused": conversation(page) }, HOME)
    await page.getByRole("button", { name: "Resume" }).click()
    await shoot({ "dialog-resume": page.getByRole("dialog") })
    await visit(CLEO, notice.channel)
    await shoot({ "notice-to-admin": await shown(Promise.resolve(notice)) })
    docs.fail({ type: "forbidden", kind: "create", times: 1 })
    await slack.as(CLEO).click(notice, "resume")
    await visit(ADA, DOCS)
    await shoot({ "card-paused-forbidden": await shown(asked.card(/isn't allowed/)) })
  })
}

/** What holds it up and passes by itself. */
export function holdUps(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { sandbox, shown, shoot } = studio
    const { docs } = sandbox.testBed
    for (const { id } of docs.projects) docs.spendElsewhere(id, docs.hour(id).remaining)
    const asked = await request(studio, "correct the table of rate limits")
    await shoot({ "card-hour-used-elsewhere": await shown(asked.card(/Hourly limit used up/)) })
    await sandbox.api.setLine(false)
    await sandbox.api.moveTime({ minutes: 70 })
    await shoot({ "card-service-away": await shown(asked.card(/isn't responding/)) })
    await sandbox.api.setLine(true)
  })
}

/** After a restart on a store without data. */
export function catchingUp(shots: Shots): Promise<void> {
  return inStudio(shots, { pace: { coldMs: 600_000 } }, async (studio) => {
    const asked = await request(studio, "fix the quickstart: it needs Node 20.19")
    await studio.shoot({ "card-catching-up": await studio.shown(asked.card(/Starting soon/)) })
  })
}

function noticeTo(slack: Studio["slack"], user: string): Message | undefined {
  return slack
    .channels()
    .filter(({ kind, members }) => kind === "im" && members.has(user))
    .flatMap(({ id }) => slack.channel(id).all())
    .find(({ text }) => text.includes("rejected the API key (401)"))
}
