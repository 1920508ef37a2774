import { keyOf } from "../helpers/reading.ts"
import { isObject, stringIn } from "../sandbox/kit/json.ts"
import type { Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { jobFor, type Post, type Records, type Sent } from "./judge.ts"
import { promptsIn } from "./people.ts"

/** Observer of the workspace as its people see it, and of the service as its owner sees it. */
export class Witness {
  lastNewsAt = performance.now()
  readonly #parties: Pick<TestBed, "slack" | "docs">
  /** Bot messages about jobs by channel and timestamp. */
  readonly #posts = new Map<string, Post>()
  readonly #acknowledged = new Set<string>()
  onCard = (_prompt: string, _card: Message) => {}
  /** Called with the first result of each job. */
  onResult = (_prompt: string, _reply: Message) => {}

  constructor(parties: Pick<TestBed, "slack" | "docs">) {
    this.#parties = parties
    parties.slack.subscribe((change) => {
      if (change.type === "message_posted" || change.type === "message_edited")
        this.#see(change.message)
      if (change.type !== "delivered" || !change.delivery.acknowledgement.ok) return
      const { event } = change.delivery.delivery.payload
      const [prompt] = promptsIn((isObject(event) && stringIn(event, "text")) || "")
      if (prompt) this.#acknowledged.add(prompt)
    })
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
    const { job, part } = keyOf(message)
    if (!job || !part) return
    this.lastNewsAt = performance.now()
    const { channel, ts, text } = message
    const id = `${channel} ${ts}`
    const ofJob = [...this.#posts.values()].filter((post) => post.job === job)
    const before = this.#posts.get(id)?.names ?? []
    const found = part === "card" ? promptsIn(JSON.stringify(message.blocks)) : []
    this.#posts.set(id, { job, part, ts, text, names: [...new Set([...before, ...found])] })
    if (ofJob.some((post) => post.part === part)) return
    const prompt = found[0] ?? ofJob.find(({ names }) => names[0])?.names[0]
    if (!prompt) return
    if (part === "card") this.onCard(prompt, message)
    else if (isResult({ part }) && !ofJob.some(isResult)) this.onResult(prompt, message)
  }
}

function isResult({ part }: Pick<Post, "part">): boolean {
  return part.startsWith("result ")
}
