import { CHOOSE_PULL } from "../../src/messages/questions.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"
import { ask } from "./asked.ts"
import {
  type Action,
  jobsWith,
  newlySaid,
  newlyTold,
  privately,
  same,
  tries,
} from "./lost-replies.ts"
import type { ReadingBed } from "./reading.ts"
import { act, CHANGES_REQUESTED } from "./with-pull.ts"

/** Posts a request in a thread that the agent works on until the test ends it. */
async function working(h: ReadingBed, words: string) {
  h.docs.planAll({ ending: "never", afterMs: 0, followUp: { ending: "pull_request", afterMs: 0 } })
  const root = await h.slack.as(ADA).mention(DOCS, words)
  await h.botSays(/Working on it/, { thread: root.ts })
  const id = h.docs.creations.at(-1)?.jobId ?? ""
  return { root, thread: { thread: root.ts }, id }
}

async function opened(h: ReadingBed, words: string) {
  const { root, thread, id } = await working(h, words)
  h.docs.finish(id, "pull_request")
  return { root, thread, id, reply: await h.botSays(/request is ready/, thread) }
}

/** Makes the counter of messages to the service's job from now on. */
function newlySent(h: ReadingBed, id: string) {
  const often = () => h.docs.job(id)?.messages.length ?? 0
  const before = often()
  return () => often() - before
}

async function withoutPull(h: ReadingBed, words: string) {
  const { thread, id } = await working(h, words)
  h.docs.finish(id, "no_pull_request")
  return { reply: await h.botSays(/Finished without/, thread), id }
}

const pullless = same((h) => withoutPull(h, "look for none here"))
const busy = same((h) => working(h, "the first of several"))
const followed = same((h) => opened(h, "follow this up"))
const stopped = same((h) => working(h, "stop this at once"))

/** Counts the results in a thread that name a pull request. */
const readyIn = (h: ReadingBed, thread: string | undefined) =>
  h.botMessages().filter((m) => m.threadTs === thread && /request is ready/.test(m.text)).length

/** Actions on requests that the agent has, and on what came of all. */
export const ON_RESULTS: Action[] = [
  tries("Look for a pull request", ["look_again"], async (h, n) => {
    const { reply, id } = await withoutPull(h, `look for this, ${n}`)
    h.docs.setPrLink(id, `https://github.com/acme/docs/pull/${900 + n}`)
    const count = () => readyIn(h, reply.threadTs)
    return { act: () => h.slack.as(ADA).click(reply, "look_again"), count }
  }),
  tries("Look for a pull request, where there is none", ["look_again"], async (h) => {
    const { reply } = await pullless(h)
    const count = newlyTold(h, /[Nn]o pull request/)
    return { act: () => h.slack.as(ADA).click(reply, "look_again"), count }
  }),
  tries("Start separately", ["start_separately"], async (h, n) => {
    const words = `another of several, ${n}`
    const card = await h.cardOfWaiting(ADA, (await busy(h)).root, words)
    const count = () => h.docs.creations.filter(({ prompt }) => prompt.startsWith(words)).length
    return { act: () => h.slack.as(ADA).click(card, "start_separately"), count }
  }),
  tries("a follow-up", ["word:prompt"], async (h, n) => {
    const { thread, id } = await followed(h)
    const act = () => h.slack.as(ADA).mention(DOCS, `and say it in ${n} more words`, thread)
    return { act, count: newlySent(h, id) }
  }),
  tries("Address the review", ["address_review"], async (h, n) => {
    const { thread, id } = await opened(h, `have this reviewed, ${n}`)
    await act(h, CHANGES_REQUESTED, h.github.pulls().at(-1))
    const post = await h.botSays(/> Changes requested by/, thread)
    const count = newlySent(h, id)
    return { act: () => h.slack.as(ADA).click(post, "address_review"), count }
  }),
  tries("the choice of a pull request", CHOOSE_PULL, async (h, n) => {
    const { root, thread, id } = await working(h, `the first of two, ${n}`)
    const card = await h.cardOfWaiting(BEN, root, `the other of two, ${n}`)
    await h.slack.as(BEN).click(card, "start_separately")
    await h.docsUntil(({ creations }) => creations.at(-1)?.jobId !== id)
    const ids = [id, h.docs.creations.at(-1)?.jobId ?? ""]
    for (const one of ids) h.docs.finish(one, "pull_request")
    await h.slack.until(() => readyIn(h, root.ts) === 2)
    await h.slack.as(CLEO).mention(DOCS, `say it in french, ${n}`, thread)
    const words = new RegExp(`^Which pull request[^]*french, ${n}$`)
    const asked = await h.toldPrivately(CLEO, words)
    const counts = ids.map((one) => newlySent(h, one))
    const count = () => counts.reduce((sum, often) => sum + often(), 0)
    return { act: () => h.slack.as(CLEO).click(asked, "choose_pull_1"), count }
  }),
  tries("Slack's Stop button", ["agent_session_stopped"], async (h) => {
    const { root, thread } = await stopped(h)
    await h.slack.as(ADA).mention(DOCS, "unmute", thread)
    const muted = async () => (await jobsWith(h, "stop this at once"))[0]?.job.muted
    const event = { type: "agent_session_stopped", user: ADA, channel: DOCS, thread_ts: root.ts }
    const act = () => h.slack.sendEvent({ ...event, event_ts: `${Date.now() / 1000}` })
    return { act, count: async () => (await muted())?.includes(ADA) === true }
  }),
  tries("report", ["word:report"], async (h) => {
    return { act: () => ask(h, "report today"), count: newlyTold(h, /[Rr]equests/) }
  }),
  tries("Share in channel, of what came of the requests", ["share_outcomes"], async (h) => {
    const report = await privately(h, () => ask(h, "report today"), /[Rr]equests/)
    const count = newlySaid(h, /[Rr]equests/)
    return { act: () => h.slack.as(ADA).click(report, "share_outcomes"), count }
  }),
  tries("results on, and results off", ["word:results"], async (h, n) => {
    const isOn = n % 2 === 0
    await ask(h, isOn ? "results off" : "results on")
    const count = newlySaid(h, isOn ? /turned on results/ : /turned off results/)
    return { act: () => ask(h, `results ${isOn ? "on" : "off"}`), count }
  }),
  tries("results list", ["word:results"], async (h) => {
    return { act: () => ask(h, "results list"), count: newlyTold(h, /[Nn]o channel|Channels/) }
  }),
]
