import { monthOf, readMonth } from "../../src/limit/month-budget.ts"
import { ADA, DOCS, type Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { asked, often, sendForm, slash } from "./actions-on-requests.ts"
import {
  type Action,
  formOpens,
  jobsWith,
  newlyTold,
  press,
  same,
  waiting,
} from "./lost-replies.ts"
import { botSays } from "./reading.ts"

async function cancelled(h: TestBed, words: string) {
  const { root, card, state } = await waiting(h, words)
  await h.slack.as(ADA).click(card, "cancel")
  return {
    state,
    thread: { thread: root.ts },
    ended: await botSays(h, /Cancelled/, { thread: root.ts }),
  }
}

/** Words in a thread that only show something. */
const shows = (words: string, answer: RegExp): Action => ({
  name: `${words} in a thread`,
  of: [`word:${words}`],
  async prepare(h) {
    const { thread } = await shown(h)
    return { act: () => h.slack.as(ADA).mention(DOCS, words, thread), count: newlyTold(h, answer) }
  },
})
const shown = same((h) => waiting(h, "show this soon"))
const muted = same((h) => waiting(h, "mute this soon"))

/** Mutes or unmutes a job, which was the other before. */
const mutes = (
  name: string,
  word: string,
  act: (h: TestBed, card: Message) => Promise<unknown>,
): Action => ({
  name,
  of: [word],
  async prepare(h) {
    const isMute = !word.endsWith("unmute")
    const { card, thread, state } = await muted(h)
    await h.slack.as(ADA).mention(DOCS, isMute ? "unmute" : "mute", thread)
    const count = async () => ((await state())?.muted?.includes(ADA) ?? false) === isMute
    return { act: () => act(h, card), count }
  },
})
const says = (word: string) =>
  mutes(`${word} in a mention`, `word:${word}`, (h, { threadTs }) =>
    h.slack.as(ADA).mention(DOCS, word, { thread: threadTs }),
  )

/** Actions on requests that wait for their start. */
export const ON_JOBS: Action[] = [
  shows("status", /show this soon/),
  shows("quota", /of 99|this hour|left/i),
  shows("help", /\/docs-agent/),
  shows("thanks", /welcome/),
  {
    name: "cancel in a mention",
    of: ["word:cancel"],
    async prepare(h, n) {
      const { thread, state } = await waiting(h, `cancel this soon: ${n}`)
      const act = () => h.slack.as(ADA).mention(DOCS, "cancel", thread)
      return { act, count: async () => (await state())?.state === "ended" }
    },
  },
  {
    name: "cancel in a command",
    of: ["word:cancel"],
    async prepare(h, n) {
      const { state } = await waiting(h, `cancel that soon: ${n}`)
      const id = (await state())?.id
      const count = async () => (await state())?.state === "ended"
      return { act: () => slash(h, `cancel ${id}`), count }
    },
  },
  {
    name: "the Cancel button",
    of: ["cancel"],
    async prepare(h, n) {
      const { card, state } = await waiting(h, `press cancel soon: ${n}`)
      const count = async () => (await state())?.state === "ended"
      return { act: () => h.slack.as(ADA).click(card, "cancel"), count }
    },
  },
  says("mute"),
  says("unmute"),
  mutes("the Mute button", "mute", async (h) => {
    const id = (await (await muted(h)).state())?.id ?? ""
    await press(h, "mute", id)
  }),
  {
    name: "retry in a mention",
    of: ["word:retry"],
    async prepare(h, n) {
      const { thread, state } = await cancelled(h, `retry this soon: ${n}`)
      const act = () => h.slack.as(ADA).mention(DOCS, "retry", thread)
      return { act, count: async () => (await state())?.state === "queued" }
    },
  },
  {
    name: "Run again",
    of: ["run_again"],
    async prepare(h, n) {
      const { ended, state } = await cancelled(h, `run again soon: ${n}`)
      const count = async () => (await state())?.state === "queued"
      return { act: () => h.slack.as(ADA).click(ended, "run_again"), count }
    },
  },
  {
    name: "Edit and run again",
    of: ["edit_and_run"],
    async prepare(h, n) {
      const { ended } = await cancelled(h, `edit this soon: ${n}`)
      return { act: () => h.slack.as(ADA).click(ended, "edit_and_run"), count: formOpens(h) }
    },
  },
  {
    name: "the form of Edit and run again",
    of: ["form:ask_docs_agent"],
    async prepare(h, n) {
      const { ended } = await cancelled(h, `edit that soon: ${n}`)
      const words = `edited that soon: ${n}`
      formOpens(h)
      await h.slack.as(ADA).click(ended, "edit_and_run")
      await h.slack.until((s) => s.modal(ADA))
      return { act: () => sendForm(h, words), count: often(h, words) }
    },
  },
]

/** Actions of a person on what the bot keeps of them. */
export const ON_ONESELF: Action[] = [
  {
    name: "the answer to forget-me",
    of: ["forget_me"],
    async prepare(h, n) {
      const words = `forget this soon: ${n}`
      await slash(h, words)
      const question = await asked(h, "forget-me")
      const count = async () => (await jobsWith(h, words)).length === 0
      return { act: () => h.slack.as(ADA).click(question, "forget_me"), count }
    },
  },
  {
    name: "Keep my data",
    of: ["keep_me"],
    async prepare(h) {
      const question = await asked(h, "forget-me")
      const count = () => !h.slack.ephemerals(ADA).some(({ ts }) => ts === question.ts)
      return { act: () => h.slack.as(ADA).click(question, "keep_me"), count }
    },
  },
]

/** Actions of admins on what waits. */
export const OF_ADMINS: Action[] = [
  {
    name: "Resume",
    of: ["resume"],
    async prepare(h) {
      const { project, isPaused } = await paused(h)
      return { act: () => press(h, "resume", project), count: async () => !(await isPaused()) }
    },
  },
  {
    name: "the drop of all that waits",
    of: ["drop_waiting"],
    async prepare(h, n) {
      const words = `drop this soon: ${n}`
      const { state } = await waiting(h, words)
      const { project, isPaused } = await paused(h)
      const isDone = async () => (await state())?.state === "ended" && !(await isPaused())
      return { act: () => press(h, "drop_waiting", project), count: isDone }
    },
  },
  {
    name: "Allow 10 more",
    of: ["allow_ten_more"],
    async prepare(h, n) {
      const [project = ""] = h.services.front.settings.projects.keys
      const most = async () => (await readMonth(h.services.work.store, project, 100))?.most ?? 0
      const before = await most()
      const count = async () => ((await most()) - before) / 10
      const notice = `${monthOf(Date.now())}.notice-${n}`
      return { act: () => press(h, "allow_ten_more", `${project} ${notice}`), count }
    },
  },
]

async function paused(h: TestBed) {
  const [project = ""] = h.services.front.settings.projects.keys
  const { health } = h.services.work
  await health.change(project, () => ({ reason: "restored", since: 1, until: "ever" }))
  return { project, isPaused: async () => (await health.read(project)).until === "ever" }
}
