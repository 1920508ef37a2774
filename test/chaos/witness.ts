import { isObject, stringIn } from "../sandbox/kit/json.ts"
import type { Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { jobFor, type Post, type Records, type Sent } from "./judge.ts"
import { firstPromptIn, promptsIn } from "./people.ts"

/** Observer of the workspace as its people see it, and of the service as its owner sees it. */
export class Witness {
  lastNewsAt = performance.now()
  readonly #parties: Pick<TestBed, "slack" | "docs">
  /** Bot messages about jobs by channel and timestamp. */
  readonly #posts = new Map<string, Post>()
  readonly #acknowledged = new Map<string, number>()
  #onCard = (_prompt: string, _card: Message) => {}
  #onResult = (_prompt: string, _reply: Message) => {}

  constructor(parties: Pick<TestBed, "slack" | "docs">) {
    this.#parties = parties
    parties.slack.subscribe((change) => {
      if (change.type === "message_posted" || change.type === "message_edited")
        this.#see(change.message)
      if (change.type !== "delivered" || !change.delivery.acknowledgement.ok) return
      const { event } = change.delivery.delivery.payload
      const prompt = firstPromptIn((isObject(event) && stringIn(event, "text")) || "")
      if (prompt && !this.#acknowledged.has(prompt)) this.#acknowledged.set(prompt, Date.now())
    })
  }

  onCard(listener: (prompt: string, card: Message) => void): void {
    this.#onCard = listener
  }

  /** Registers a listener for the first result of each job. */
  onResult(listener: (prompt: string, reply: Message) => void): void {
    this.#onResult = listener
  }

  /** Returns what people and the service saw until now. */
  seen(): Pick<Records, "acknowledged" | "posts" | "sent"> {
    return {
      acknowledged: this.#acknowledged,
      posts: [...this.#posts.values()],
      sent: this.#sent(),
    }
  }

  jobFor(prompt: string): string | undefined {
    return jobFor(this.#sent(), prompt)
  }

  #sent(): Sent[] {
    const { docs } = this.#parties
    const jobs = docs.projects.flatMap(({ id }) => docs.jobs(id))
    const messages = jobs.flatMap(({ id, messages }) =>
      messages.map((message) => ({ ...message, jobId: id })),
    )
    return [...docs.creations, ...messages]
      .sort((a, b) => a.at - b.at)
      .map(({ prompt, jobId, at }) => {
        return { prompt, jobId, at, ending: docs.job(jobId)?.run.plan.ending }
      })
  }

  #see(message: Message): void {
    const payload = message.metadata?.event_payload
    const job = isObject(payload) ? stringIn(payload, "job") : undefined
    const part = isObject(payload) ? stringIn(payload, "part") : undefined
    if (!job || !part) return
    this.lastNewsAt = performance.now()
    const { channel, ts, text } = message
    const id = `${channel} ${ts}`
    const isNew = ![...this.#posts.values()].some((post) => post.job === job && post.part === part)
    const before = this.#posts.get(id)?.names ?? []
    const found = part === "card" ? promptsIn(JSON.stringify(message.blocks)) : []
    this.#posts.set(id, { job, part, ts, text, names: [...new Set([...before, ...found])] })
    if (!isNew) return
    const ofCard = [...this.#posts.values()].find((post) => post.job === job && post.names[0])
    if (part === "card" && found[0]) this.#onCard(found[0], message)
    const results = [...this.#posts.values()].filter((post) => post.job === job && isResult(post))
    if (isResult({ part }) && results.length === 1 && ofCard?.names[0])
      this.#onResult(ofCard.names[0], message)
  }
}

function isResult({ part }: Pick<Post, "part">): boolean {
  return part.startsWith("result ")
}
