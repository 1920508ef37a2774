import type { Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import type { Courtesy, NearVerb } from "../text/meaning.ts"
import { actions, button, plain, section } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"
import { quote } from "./quote.ts"

/** Opens the form to ask in. */
export function askButton() {
  return button({ action: "open_ask", label: "Ask the docs agent", value: "ask", style: "primary" })
}

/** A line that ends in what the person can do next. */
export function lineWithAsk(text: string): Message {
  return { text: plain(text), blocks: [section(text), ...actions([askButton()])] }
}

/** The answer to words that wish for no change of the docs: nothing was spent. */
export function courtesyMessage(courtesy: Courtesy): Message {
  return lineWithAsk(COURTESIES[courtesy])
}

const COURTESIES: Record<Courtesy, string> = {
  thanks: "*You're welcome.* To change something else in the docs, tell me what.",
  greeting: "*Hi.* Tell me what to change in the docs, or say `help` to see what I can do.",
  comment: "*Noted, no job started.* To change something in the docs, tell me what.",
}

/** How to say what was probably meant. */
export function hintMessage(verb: NearVerb): Message {
  return lineWithAsk(HINTS[verb])
}

const HINTS: Record<NearVerb, string> = {
  help: "Say `help` to see what I can do.",
  status: "Say `status` to see your jobs.",
  quota: "`/docs-agent quota` shows the hourly limit.",
  cancel:
    "*Which job should I cancel?* Use the button on its card, or `/docs-agent cancel &lt;id&gt;`. `/docs-agent status` shows the ID.",
  retry:
    "*Which job should I run again?* Use the button on its card, or mention me in its thread with `retry`.",
  quiet: "*Which thread should I mute?* Mention me there with `quiet`.",
  doctor: "`/docs-agent doctor` checks the setup. It's for admins.",
  audit: "`/docs-agent audit` sends you who asked for what. It's for admins.",
  "forget-me": "`/docs-agent forget-me` deletes your prompts and name.",
  use: "*Which project?* Type `project=&lt;name&gt;`, then what to change. An admin sets a channel's project with `/docs-agent use &lt;name&gt;`.",
  visitors: "`/docs-visitors` shows who reads the docs. `/docs-visitors help` lists the rest.",
}

/** Words that may be a request, and may be a slip: nothing is spent before the person says so. */
export function unclearMessage(words: string, draft: string): Message {
  const text = "*Start a job with this?*"
  return {
    text: `${plain(text)} ${foreignLine(words, 120)}`,
    blocks: [
      section(text),
      quote(words, 120),
      ...actions([
        button({ action: "run_anyway", label: "Start a job", value: draft, style: "primary" }),
      ]),
    ],
  }
}

/** A retry by word, where another job is more than the person may expect. */
export function retryQuestion({ id, ending }: Pick<Job, "id" | "ending">): Message {
  const risk =
    ending === "unknown"
      ? "If the first one did start, you'll get two pull requests."
      : "It uses another of this hour's jobs."
  const text = `*Run this again?* ${risk}`
  return {
    text: plain(text),
    blocks: [
      section(text),
      ...actions([button({ action: "retry_anyway", label: "Run again", value: id })]),
    ],
  }
}
