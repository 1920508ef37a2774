import { monthOf } from "../../src/jobs/job-keys.ts"
import { readMonth } from "../../src/limit/month-budget.ts"
import { ADA, DOCS, type Message } from "../sandbox/slack/index.ts"
import { asked, isGone, often, sendForm } from "./actions-on-requests.ts"
import { ask } from "./asked.ts"
import { deliverClick } from "./forged.ts"
import {
  type Action,
  formOpens,
  jobsWith,
  newlyTold,
  same,
  tries,
  waiting,
} from "./lost-replies.ts"
import type { ReadingBed } from "./reading.ts"

async function cancelled(h: ReadingBed, words: string) {
  const { root, card, state } = await waiting(h, words)
  await h.slack.as(ADA).click(card, "cancel")
  return {
    state,
    thread: { thread: root.ts },
    ended: await h.botSays(/Cancelled/, { thread: root.ts }),
  }
}

/** Words in a thread that only show something. */
const shows = (words: string, answer: RegExp) =>
  tries(`${words} in a thread`, [`word:${words}`], async (h) => {
    const { thread } = await shown(h)
    return { act: () => h.slack.as(ADA).mention(DOCS, words, thread), count: newlyTold(h, answer) }
  })
const shown = same((h) => waiting(h, "show this soon"))
const muted = same((h) => waiting(h, "mute this soon"))

/** Mutes or unmutes a job, which was the other before. */
const mutes = (
  name: string,
  of: string[],
  act: (h: ReadingBed, card: Message) => Promise<unknown>,
) =>
  tries(name, of, async (h) => {
    const isMute = !of.includes("word:unmute")
    const { card, thread, state } = await muted(h)
    await h.slack.as(ADA).mention(DOCS, isMute ? "unmute" : "mute", thread)
    const count = async () => ((await state())?.muted?.includes(ADA) ?? false) === isMute
    return { act: () => act(h, card), count }
  })
const says = (word: string) =>
  mutes(`${word} in a mention`, ["app_mention", `word:${word}`], (h, { threadTs }) =>
    h.slack.as(ADA).mention(DOCS, word, { thread: threadTs }),
  )

/** Ways to cancel a request that waits. */
const cancels = (
  name: string,
  of: string[],
  act: (h: ReadingBed, made: Awaited<ReturnType<typeof waiting>>) => Promise<unknown>,
) =>
  tries(name, of, async (h, n) => {
    const made = await waiting(h, `${name} soon: ${n}`)
    const count = async () => (await made.state())?.state === "ended"
    return { act: () => act(h, made), count }
  })

/** Actions on requests that wait for their start. */
export const ON_JOBS: Action[] = [
  shows("status", /show this soon/),
  shows("quota", /of 99|this hour|left/i),
  shows("help", /\/docs-agent/),
  shows("thanks", /welcome/),
  cancels("the word in a mention", ["app_mention", "word:cancel"], (h, { thread }) =>
    h.slack.as(ADA).mention(DOCS, "cancel", thread),
  ),
  cancels("the word in a command", ["word:cancel"], async (h, { state }) =>
    ask(h, `cancel ${(await state())?.id}`),
  ),
  cancels("the button", ["cancel"], (h, { card }) => h.slack.as(ADA).click(card, "cancel")),
  says("mute"),
  says("unmute"),
  mutes("the Mute button", ["mute"], async (h) => {
    const id = (await (await muted(h)).state())?.id ?? ""
    await deliverClick(h, "mute", id)
  }),
  tries("retry in a mention", ["app_mention", "word:retry"], async (h, n) => {
    const { thread, state } = await cancelled(h, `retry this soon: ${n}`)
    const act = () => h.slack.as(ADA).mention(DOCS, "retry", thread)
    return { act, count: async () => (await state())?.state === "queued" }
  }),
  tries("Run again", ["run_again"], async (h, n) => {
    const { ended, state } = await cancelled(h, `run again soon: ${n}`)
    const count = async () => (await state())?.state === "queued"
    return { act: () => h.slack.as(ADA).click(ended, "run_again"), count }
  }),
  tries("Edit and run again", ["edit_and_run"], async (h, n) => {
    const { ended } = await cancelled(h, `edit this soon: ${n}`)
    return { act: () => h.slack.as(ADA).click(ended, "edit_and_run"), count: formOpens(h) }
  }),
  tries("the form of Edit and run again", ["form:ask_docs_agent"], async (h, n) => {
    const { ended } = await cancelled(h, `edit that soon: ${n}`)
    const words = `edited that soon: ${n}`
    formOpens(h)
    await h.slack.as(ADA).click(ended, "edit_and_run")
    await h.slack.until((s) => s.modal(ADA))
    return { act: () => sendForm(h, words), count: often(h, words) }
  }),
]

/** Actions of a person on what the bot keeps of them. */
export const ON_ONESELF: Action[] = [
  tries("the answer to forget-me", ["forget_me"], async (h, n) => {
    const words = `forget this soon: ${n}`
    await ask(h, words)
    const question = await asked(h, "forget-me")
    const count = async () => (await jobsWith(h, words)).length === 0
    return { act: () => h.slack.as(ADA).click(question, "forget_me"), count }
  }),
  tries("Keep my data", ["keep_me"], async (h) => {
    const question = await asked(h, "forget-me")
    const act = () => h.slack.as(ADA).click(question, "keep_me")
    return { act, count: () => isGone(h, question) }
  }),
]

/** Actions of admins on what waits. */
export const OF_ADMINS: Action[] = [
  tries("Resume", ["resume"], async (h) => {
    const { project, isPaused } = await paused(h)
    return { act: () => deliverClick(h, "resume", project), count: async () => !(await isPaused()) }
  }),
  tries("the drop of all that waits", ["drop_waiting"], async (h, n) => {
    const words = `drop this soon: ${n}`
    const { state } = await waiting(h, words)
    const { project, isPaused } = await paused(h)
    const isDone = async () => (await state())?.state === "ended" && !(await isPaused())
    return { act: () => deliverClick(h, "drop_waiting", project), count: isDone }
  }),
  tries("Allow 10 more", ["allow_more"], async (h, n) => {
    const [project = ""] = h.services.front.settings.projects.keys
    const most = async () => (await readMonth(h.services.work.store, project, 100))?.most ?? 0
    const before = await most()
    const count = async () => ((await most()) - before) / 10
    const notice = `${monthOf(Date.now())}.notice-${n}`
    return { act: () => deliverClick(h, "allow_more", `${project} ${notice}`), count }
  }),
]

async function paused(h: ReadingBed) {
  const [project = ""] = h.services.front.settings.projects.keys
  const { health } = h.services.work
  await h.pause("jobs")
  return { project, isPaused: async () => (await health.read(project)).until === "ever" }
}
