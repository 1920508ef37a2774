import { ADA, ADA_DM, DOCS, RANDOM } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { type Action, formOpens, jobsWith, privately, waiting } from "./lost-replies.ts"
import { toldPrivately } from "./reading.ts"

export const slash = (h: TestBed, words: string) =>
  h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
export const often = (h: TestBed, words: string) => async () => (await jobsWith(h, words)).length

/** Sends a form that is open, and closes it if the bot did not take it. */
export async function sendForm(h: TestBed, words: string) {
  await h.slack.as(ADA).submitModal({ prompt: words })
  if (h.slack.modal(ADA)) h.slack.as(ADA).closeModal()
}

/** Makes the bot ask something. Resolves to the question. */
export async function asked(h: TestBed, words: string) {
  const { shown } = await slash(h, words)
  if (!shown) throw new Error("The bot asked nothing")
  return shown
}

/** Words after `/docs-agent` that only show something. */
const shows = (words: string, answer: RegExp): Action => ({
  name: `${words} in a command`,
  of: [`word:${words}`],
  async prepare(h) {
    let shown = ""
    const act = async () => {
      shown = (await slash(h, words)).shown?.text ?? ""
    }
    return { act, count: () => answer.test(shown) }
  },
})

/** Words and events that only show something. */
export const SHOWING: Action[] = [
  {
    name: "the Home tab",
    of: ["app_home_opened"],
    async prepare(h) {
      const before = h.slack.home(ADA)?.hash
      const count = () => h.slack.home(ADA)?.hash !== before
      const event = { type: "app_home_opened", user: ADA, channel: ADA_DM, tab: "home" }
      return { act: () => h.slack.sendEvent({ ...event, event_ts: `${Date.now() / 1000}` }), count }
    },
  },
  shows("status", /no requests|[Ss]tart|[Ww]ait/),
  shows("quota", /of 99|this hour|left/i),
  shows("help", /\/docs-agent/),
  shows("forget-me", /^Delete your requests and name/),
  shows("doctor", /^Checking the setup/),
  shows("audit", /^Preparing the audit log/),
]

/** Ways to ask the agent, and answers to the bot's questions. */
export const ASKING: Action[] = [
  {
    name: "a command with a request",
    of: ["/docs-agent", "word:prompt"],
    async prepare(h, n) {
      const words = `write page ${n} of the guide`
      return { act: () => slash(h, words), count: often(h, words) }
    },
  },
  {
    name: "a mention with a request",
    of: ["app_mention"],
    async prepare(h, n) {
      const words = `write chapter ${n} of the guide`
      return { act: () => h.slack.as(ADA).mention(DOCS, words), count: often(h, words) }
    },
  },
  {
    name: "a direct message with a request",
    of: ["message"],
    async prepare(h, n) {
      const words = `write in private about the number ${n}`
      return { act: () => h.slack.as(ADA).directMessage(words), count: often(h, words) }
    },
  },
  {
    name: "an edit of a request",
    of: ["app_mention"],
    async prepare(h, n) {
      const { root } = await waiting(h, `write these soon: ${n}`)
      const words = `write those soon: ${n}`
      const act = () => h.slack.as(ADA).edit(root, `@docs-agent ${words}`)
      return { act, count: often(h, words) }
    },
  },
  {
    name: "an edit that makes a message a request",
    of: ["app_mention"],
    async prepare(h, n) {
      const message = await h.slack.as(ADA).mention(DOCS, "thanks")
      const words = `write what was meant: ${n}`
      const act = () => h.slack.as(ADA).edit(message, `@docs-agent ${words}`)
      return { act, count: often(h, words) }
    },
  },
  {
    name: "a command without words",
    of: ["word:blank"],
    async prepare(h) {
      return { act: () => slash(h, ""), count: formOpens(h) }
    },
  },
  {
    name: "the shortcut in a message's menu",
    of: ["ask_docs_agent"],
    async prepare(h, n) {
      const message = await h.slack.as(ADA).post(DOCS, `Page ${n} is wrong`)
      return { act: () => h.slack.as(ADA).shortcut(message, "ask_docs_agent"), count: formOpens(h) }
    },
  },
  {
    name: "the global shortcut",
    of: ["ask_docs_agent_global"],
    async prepare(h) {
      const act = () => h.slack.as(ADA).globalShortcut("ask_docs_agent_global")
      return { act, count: formOpens(h) }
    },
  },
  {
    name: "a form",
    of: ["form:ask_docs_agent"],
    async prepare(h, n) {
      const words = `write a form about the number ${n}`
      formOpens(h)
      await slash(h, "")
      await h.slack.until((s) => s.modal(ADA))
      return { act: () => sendForm(h, words), count: often(h, words) }
    },
  },
  {
    name: "a short text, which makes the bot ask, and the yes to it",
    of: ["word:unclear", "word:answer"],
    async prepare(h, n) {
      const words = `index ${n}`
      const act = async () => {
        await slash(h, words)
        await slash(h, "yes")
      }
      return { act, count: often(h, words) }
    },
  },
  {
    name: "yes in a mention",
    of: ["word:answer"],
    async prepare(h, n) {
      const words = `glossary ${n}`
      await h.slack.as(ADA).mention(DOCS, words)
      await toldPrivately(h, ADA, new RegExp(`${words}$`))
      return { act: () => h.slack.as(ADA).mention(DOCS, "yes"), count: often(h, words) }
    },
  },
  {
    name: "yes in a command",
    of: ["word:answer"],
    async prepare(h, n) {
      const words = `terms ${n}`
      await asked(h, words)
      return { act: () => slash(h, "yes"), count: often(h, words) }
    },
  },
  {
    name: "no in a command",
    of: ["word:answer"],
    async prepare(h, n) {
      const words = `imprint ${n}`
      await asked(h, words)
      const act = async () => {
        await slash(h, "no")
        await slash(h, "yes")
      }
      // Done if the later yes has nothing to answer.
      return { act, count: async () => 1 - (await jobsWith(h, words)).length }
    },
  },
  {
    name: "Run anyway",
    of: ["run_anyway"],
    async prepare(h, n) {
      const words = `changelog ${n}`
      const question = await asked(h, words)
      return { act: () => h.slack.as(ADA).click(question, "run_anyway"), count: often(h, words) }
    },
  },
  {
    name: "Don't send",
    of: ["never_mind"],
    async prepare(h, n) {
      const question = await asked(h, `roadmap ${n}`)
      const isGone = () => !h.slack.ephemerals(ADA).some(({ ts }) => ts === question.ts)
      const act = () => h.slack.as(ADA).click(question, "never_mind")
      return { act, count: isGone }
    },
  },
  {
    name: "Run it in a direct message",
    of: ["run_in_direct"],
    async prepare(h, n) {
      const words = `write elsewhere about the number ${n}`
      const elsewhere = () => h.slack.as(ADA).slash(RANDOM, "/docs-agent", words)
      const refused = await privately(h, elsewhere, /can't post/)
      const isSent = ({ job }: { job: { channel: string } }) => job.channel !== RANDOM
      const count = async () => (await jobsWith(h, words)).filter(isSent).length
      return { act: () => h.slack.as(ADA).click(refused, "run_in_direct"), count }
    },
  },
  {
    name: "the form of a request that was refused",
    of: ["open_draft"],
    async prepare(h, n) {
      const elsewhere = () =>
        h.slack.as(ADA).slash(RANDOM, "/docs-agent", `write over there, number ${n}`)
      const refused = await privately(h, elsewhere, /can't post/)
      return { act: () => h.slack.as(ADA).click(refused, "open_draft"), count: formOpens(h) }
    },
  },
  {
    name: "Ask, on the Home tab",
    of: ["open_ask"],
    async prepare(h) {
      await h.slack.as(ADA).openHome()
      return { act: () => h.slack.as(ADA).click("home", "open_ask"), count: formOpens(h) }
    },
  },
]
