import { ADA, ADA_DM, DOCS, type Message, RANDOM } from "../sandbox/slack/index.ts"
import { ask } from "./asked.ts"
import {
  type Action,
  formOpens,
  jobsWith,
  newlyTold,
  privately,
  tries,
  waiting,
} from "./lost-replies.ts"
import type { ReadingBed } from "./reading.ts"

export const often = (h: ReadingBed, words: string) => async () => (await jobsWith(h, words)).length

/** Sends a form that is open, and closes it if the bot did not take it. */
export async function sendForm(h: ReadingBed, words: string) {
  await h.slack.as(ADA).submitModal({ prompt: words })
  if (h.slack.modal(ADA)) h.slack.as(ADA).closeModal()
}

/** Makes the bot ask something. Resolves to the question. */
export async function asked(h: ReadingBed, words: string) {
  const { shown } = await ask(h, words)
  if (!shown) throw new Error("The bot asked nothing")
  return shown
}

/** Asks in a channel that the bot is not in. Resolves to the refusal. */
const refusedElsewhere = (h: ReadingBed, words: string) =>
  privately(h, () => h.slack.as(ADA).slash(RANDOM, "/docs-agent", words), /can't post/)

/** Returns true once a private question is gone. */
export const isGone = (h: ReadingBed, { ts }: Message) =>
  !h.slack.ephemerals(ADA).some((one) => one.ts === ts)

/** Words after `/docs-agent` that only show something. */
const shows = (words: string, answer: RegExp) =>
  tries(`${words} in a command`, [`word:${words}`], async (h) => {
    return { act: () => ask(h, words), count: newlyTold(h, answer) }
  })

/** Words and events that only show something. */
export const SHOWING: Action[] = [
  tries("the Home tab", ["app_home_opened"], async (h) => {
    const before = h.slack.home(ADA)?.hash
    const count = () => h.slack.home(ADA)?.hash !== before
    const event = { type: "app_home_opened", user: ADA, channel: ADA_DM, tab: "home" }
    return { act: () => h.slack.sendEvent({ ...event, event_ts: `${Date.now() / 1000}` }), count }
  }),
  shows("status", /no requests|[Ss]tart|[Ww]ait|room for/),
  shows("quota", /of 99|this hour|left/i),
  shows("help", /\/docs-agent/),
  shows("forget-me", /^Delete your requests and name/),
  shows("doctor", /^Checking the setup/),
  shows("audit", /^Preparing the audit log/),
]

/** Ways to ask the agent, and answers to the bot's questions. */
export const ASKING: Action[] = [
  tries("a command with a request", ["/docs-agent", "word:prompt"], async (h, n) => {
    const words = `write page ${n} of the guide`
    return { act: () => ask(h, words), count: often(h, words) }
  }),
  tries("a mention with a request", ["app_mention"], async (h, n) => {
    const words = `write chapter ${n} of the guide`
    return { act: () => h.slack.as(ADA).mention(DOCS, words), count: often(h, words) }
  }),
  tries("a direct message with a request", ["message"], async (h, n) => {
    const words = `write in private about the number ${n}`
    return { act: () => h.slack.as(ADA).directMessage(words), count: often(h, words) }
  }),
  tries("an edit of a request", ["app_mention"], async (h, n) => {
    const { root } = await waiting(h, `write these soon: ${n}`)
    const words = `write those soon: ${n}`
    const act = () => h.slack.as(ADA).edit(root, `@docs-agent ${words}`)
    return { act, count: often(h, words) }
  }),
  tries("an edit that makes a message a request", ["app_mention"], async (h, n) => {
    const message = await h.slack.as(ADA).mention(DOCS, "thanks")
    const words = `write what was meant: ${n}`
    const act = () => h.slack.as(ADA).edit(message, `@docs-agent ${words}`)
    return { act, count: often(h, words) }
  }),
  tries("a command without words", ["word:blank"], async (h) => {
    return { act: () => ask(h, ""), count: formOpens(h) }
  }),
  tries("the shortcut in a message's menu", ["ask_docs_agent"], async (h, n) => {
    const message = await h.slack.as(ADA).post(DOCS, `Page ${n} is wrong`)
    return { act: () => h.slack.as(ADA).shortcut(message, "ask_docs_agent"), count: formOpens(h) }
  }),
  tries("the global shortcut", ["ask_docs_agent_global"], async (h) => {
    const act = () => h.slack.as(ADA).globalShortcut("ask_docs_agent_global")
    return { act, count: formOpens(h) }
  }),
  tries("a form", ["form:ask_docs_agent"], async (h, n) => {
    const words = `write a form about the number ${n}`
    formOpens(h)
    await ask(h, "")
    await h.slack.until((s) => s.modal(ADA))
    return { act: () => sendForm(h, words), count: often(h, words) }
  }),
  tries("a question and the yes in commands", ["word:unclear", "word:answer"], async (h, n) => {
    const words = `index ${n}`
    const act = async () => {
      await ask(h, words)
      await ask(h, "yes")
    }
    return { act, count: often(h, words) }
  }),
  tries("yes in a mention", ["app_mention", "word:answer"], async (h, n) => {
    const words = `glossary ${n}`
    await h.slack.as(ADA).mention(DOCS, words)
    await h.toldPrivately(ADA, new RegExp(`${words}$`))
    return { act: () => h.slack.as(ADA).mention(DOCS, "yes"), count: often(h, words) }
  }),
  tries("no in a command", ["word:answer"], async (h, n) => {
    const words = `imprint ${n}`
    await asked(h, words)
    let isAnswered = false
    const act = async () => {
      await ask(h, "no")
      await ask(h, "yes")
      isAnswered = true
    }
    // Done if the later yes has nothing to answer.
    return { act, count: async () => isAnswered && (await jobsWith(h, words)).length === 0 }
  }),
  tries("Run anyway", ["run_anyway"], async (h, n) => {
    const words = `changelog ${n}`
    const question = await asked(h, words)
    return { act: () => h.slack.as(ADA).click(question, "run_anyway"), count: often(h, words) }
  }),
  tries("Don't send", ["never_mind"], async (h, n) => {
    const question = await asked(h, `roadmap ${n}`)
    const act = () => h.slack.as(ADA).click(question, "never_mind")
    return { act, count: () => isGone(h, question) }
  }),
  tries("Run it in a direct message", ["run_in_direct"], async (h, n) => {
    const words = `write elsewhere about the number ${n}`
    const refused = await refusedElsewhere(h, words)
    const isSent = ({ job }: { job: { channel: string } }) => job.channel !== RANDOM
    const count = async () => (await jobsWith(h, words)).filter(isSent).length
    return { act: () => h.slack.as(ADA).click(refused, "run_in_direct"), count }
  }),
  tries("the form of a request that was refused", ["open_draft"], async (h, n) => {
    const refused = await refusedElsewhere(h, `write over there, number ${n}`)
    return { act: () => h.slack.as(ADA).click(refused, "open_draft"), count: formOpens(h) }
  }),
  tries("Ask, on the Home tab", ["open_ask"], async (h) => {
    await h.slack.as(ADA).openHome()
    return { act: () => h.slack.as(ADA).click("home", "open_ask"), count: formOpens(h) }
  }),
]
