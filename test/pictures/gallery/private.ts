import { say } from "../../helpers/at-the-page.ts"
import { ADA, ADA_DM, BEN, CLEO, DOCS, GUS, RANDOM } from "../../sandbox/slack/seed/ids.ts"
import { whisper } from "../../sandbox/workspace/story/find.ts"
import { answered, ask, closeThread, NEVER, request, soon, thread } from "./asking.ts"
import { inStudio, type Shots } from "./studio.ts"

/** Name of the picture, what Ada types behind `/docs-agent`, and what she is answered. */
const ANSWERS: readonly (readonly [string, string, RegExp])[] = [
  ["help", "help", /starts a job/],
  ["status-empty", "status", /no recent jobs/],
  ["quota-empty", "quota", /left/],
  ["thanks", "thanks!", /welcome/],
  ["greeting", "hi", /Hi\./],
  ["comment", "nice", /Noted/],
  ["cancel-which", "cancel", /Cancel which/],
  ["no-such-job", "cancel abcdefgh23", /no such job/],
  ["unclear", "cancel subscriptions", /Start a job with this/],
  ["doctor-refused", "doctor", /Only an admin/],
  ["forget-me", "forget-me", /Delete your/],
]

/** What only the person who asked sees. */
export function answers(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { shown, shoot, slack } = studio
    for (const [name, words, says] of ANSWERS)
      await shoot({ [`answer-${name}`]: await shown(answered(studio, "/docs-agent", words, says)) })
    await ask(studio, "fix the quickstart: it needs Node 20.19", NEVER)
    await shoot({
      "answer-asked-before": await shown(
        answered(studio, "/docs-agent", "fix the quickstart: it needs Node 20.19", /view it/),
      ),
    })
    const done = await ask(studio, "update the changelog", soon("pull_request"))
    const root = await done.card(/Pull request ready/)
    await done.reply(/Pull request ready/)
    await slack.as(ADA).mention(DOCS, "retry", { thread: root.ts })
    await whisper(slack, ADA, /Run this again/)
    await slack.as(ADA).mention(DOCS, "quiet", { thread: root.ts })
    await whisper(slack, ADA, /Muted/)
    await shoot({ "thread-verbs": await thread(studio, done.card(/./)) })
    await closeThread(studio)
  })
}

/** Where nothing is started: guests, places without the bot, and somebody else's job. */
export function refusals(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { shown, shoot, slack, visit } = studio
    await visit(ADA, RANDOM)
    await slack.as(ADA).slash(RANDOM, "/docs-agent", "fix it here")
    await shoot({ "answer-cannot-post": await shown(whisper(slack, ADA, /can't post/)) })
    await visit(GUS, DOCS)
    await slack.as(GUS).slash(DOCS, "/docs-agent", "let me in")
    await shoot({ "answer-guest": await shown(whisper(slack, GUS, /Guests can't/)) })
    const asked = await ask(studio, "explain how webhooks are retried", NEVER)
    await visit(BEN, DOCS)
    await slack.as(BEN).select(await asked.card(/Working/), "job_menu", "Stop following")
    await shoot({ "answer-not-yours": await shown(whisper(slack, BEN, /Only/)) })
    await visit(CLEO, DOCS)
    await slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
    await shoot({ "answer-doctor": await shown(whisper(slack, CLEO, /Working|admin|OK|well/)) })
    await visit(ADA, ADA_DM)
    await slack.as(ADA).directMessage("hello")
    await shoot({
      "direct-greeting": await shown(
        slack.until((s) =>
          s
            .channel(ADA_DM)
            .all()
            .findLast(({ botId }) => botId !== undefined),
        ),
      ),
    })
  })
}

/** The same where nobody is set as an admin: nobody to ask by name, and nobody who could resume. */
export function withoutAdmin(shots: Shots): Promise<void> {
  return inStudio(shots, { env: { ADMIN_USERS: "," } }, async (studio) => {
    const { shown, shoot, slack, visit, sandbox } = studio
    const answers = [
      ["doctor", /Only an admin/],
      ["audit", /Only an admin/],
    ] as const
    for (const [words, says] of answers) {
      const answer = answered(studio, "/docs-agent", words, says)
      await shoot({ [`no-admin-${words}`]: await shown(answer) })
    }
    sandbox.testBed.docs.fail({ type: "expired_key", kind: "create", times: 1 })
    const paused = await request(studio, "explain how webhooks are retried")
    await shoot({ "no-admin-card-paused": await shown(paused.card(/Paused/)) })
    await visit(GUS, DOCS)
    await slack.as(GUS).slash(DOCS, "/docs-agent", "let me in")
    await shoot({ "no-admin-guest": await shown(whisper(slack, GUS, /Guests can't/)) })
  })
}

/** The form in each of its states. */
export function forms(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { page, shoot, slack } = studio
    const dialog = page.getByRole("dialog")
    await say(page, "/docs-agent")
    await dialog.getByRole("button", { name: "Ask", exact: true }).click()
    await dialog.getByRole("alert").filter({ hasText: "required" }).waitFor()
    await shoot({ "form-empty": dialog })
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    const [message] = slack.channel(DOCS).messages()
    if (!message) throw new Error("The channel is empty")
    await slack.as(ADA).shortcut({ channel: DOCS, ts: message.ts }, "ask_docs_agent")
    await dialog.waitFor()
    await shoot({ "form-from-message": dialog })
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    const failed = await ask(studio, "translate the whole site", soon("failed"))
    const card = await studio.shown(failed.card(/couldn't finish/))
    await card.getByRole("button", { name: "Try again" }).click()
    await shoot({ "dialog-try-again": dialog })
  })
}
