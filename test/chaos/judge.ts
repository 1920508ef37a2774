import { promptsIn, type Request, unquotedPromptsIn } from "./people.ts"

/** Message of the bot about a job, as people see it now. */
export interface Post {
  readonly job: string
  /** Purpose of the message: `card`, or `result <round id>`. */
  readonly part: string
  readonly ts: string
  readonly text: string
  /** Requests that a card has named, its own first. */
  readonly names: readonly string[]
}

/** Prompt that took effect at the service, as a creation or as a message to a job. */
export interface Sent {
  readonly prompt: string
  readonly jobId: string
  readonly at: number
  readonly ending: keyof typeof SAYS | "never" | undefined
}

/**
 * Emptying of Redis at a moment that only Redis knows: after `since`, when it was sent for, and
 * before `until`, when Redis answered. `held` is everything that Redis held then.
 */
export interface Loss {
  readonly since: number
  readonly until: number
  readonly held: string
}

/** Facts of a campaign: times in ms by the campaign's own clock, lists oldest first. */
export interface Records {
  readonly requests: readonly Request[]
  /** Prompts whose event the bot acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  readonly posts: readonly Post[]
  readonly sent: readonly Sent[]
  readonly losses: readonly Loss[]
}

/** Records with what follows from them. */
interface Case extends Records {
  /** Job of the bot for each request that has a card of its own. */
  readonly jobOf: ReadonlyMap<string, string>
  /** First job at the service for each request: later prompts quote earlier ones. */
  readonly work: ReadonlyMap<string, Sent>
}

/** Results that nothing at the service can contradict. */
const WITHOUT_WORK = /Couldn't confirm that the agent|Rejected by|Cancelled/
const SAYS = {
  pull_request: /Your pull request|Updated/,
  no_pull_request: /Finished without a pull request/,
  failed: /couldn't finish/,
  archived: /Archived/,
} as const

/** Judges a campaign. @returns lists of prompts, which are empty if the bot kept its promises */
export function judge(records: Records) {
  const known = caseOf(records)
  const { requests, acknowledged, sent, losses, work } = known
  const accepted = requests.filter((r) => r.accepted || acknowledged.has(r.prompt))
  const told = accepted.filter((request) => resultOf(known, request) !== undefined)
  const untold = accepted.filter((request) => !told.includes(request))
  const lossOf = (request: Request) => losses.findIndex((loss) => hasTaken(known, loss, request))
  return {
    accepted: accepted.length,
    told: told.length,
    /** Number of accepted requests without a result that each emptying of Redis took away. */
    forgiven: losses.map((_, n) => untold.filter((request) => lossOf(request) === n).length),
    lost: untold
      .filter((request) => lossOf(request) < 0)
      .map((request) => `${request.prompt}${traceOf(known, request)}`),
    createdTwice: sentTwice(sent),
    sentAlthoughCancelled: accepted
      .filter(({ prompt }) => cancelledCard(known, known.jobOf.get(prompt)) && work.has(prompt))
      .map(({ prompt }) => prompt),
    outOfOrder: outOfOrder(accepted, sent),
    saidTwice: [...postedTwice(known), ...toldMoreThanSent(known)],
    toldWrong: told
      .filter((request) => !isTrue(known, request))
      .map((request) => `${request.prompt}${traceOf(known, request)}`),
  }
}

/** Returns the service's job that first received this request. */
export function jobFor(sent: readonly Sent[], prompt: string): string | undefined {
  return sent.find((words) => promptsIn(words.prompt).includes(prompt))?.jobId
}

function caseOf(records: Records): Case {
  const work = new Map<string, Sent>()
  for (const words of records.sent)
    for (const prompt of promptsIn(words.prompt)) if (!work.has(prompt)) work.set(prompt, words)
  const takenBack = records.requests.filter((one) => one.takenBack && !work.has(one.prompt))
  const jobOf = new Map<string, string>()
  for (const { part, names, job } of records.posts) {
    // A card goes on with the others whom it names if the first one takes the request back.
    const left = names.find((name) => takenBack.every(({ prompt }) => prompt !== name))
    for (const name of [names[0], left]) if (part === "card" && name) jobOf.set(name, job)
  }
  return { ...records, jobOf, work }
}

/**
 * Returns true if this emptying explains that nobody was told of a request: Redis held its words
 * until then or, once the service had them, its job. Anything else was lost before, or came later:
 * what was sent before the answer may have been sent before the emptying.
 */
function hasTaken({ jobOf, work }: Case, { until, held }: Loss, request: Request): boolean {
  if (held.includes(request.prompt)) return true
  const sent = work.get(request.prompt)
  if (!sent || sent.at > until) return false
  const carried = [...work].find(([prompt, { jobId }]) => jobId === sent.jobId && jobOf.has(prompt))
  const job = jobOf.get(request.prompt) ?? jobOf.get(carried?.[0] ?? "")
  return job !== undefined && held.includes(job)
}

/**
 * Returns the reply with a request's result: from its own job, from a job that combined it with
 * others, or from a round of the job that it follows, if that round ended after it was sent. What
 * never reached the service may also have moved to another job, whose card names it.
 */
function resultOf(known: Case, request: Request): Post | undefined {
  const { prompt, follows, saidAt = 0, takenBack } = request
  const { work, jobOf } = known
  const sent = work.get(prompt)
  const withCard = [...work].find(([p, w]) => w.jobId === sent?.jobId && jobOf.has(p))
  const own = jobOf.get(prompt)
  if (own) return resultsOf(known, own)[0] ?? cancelledCard(known, own)
  const naming = known.posts.filter(({ names }) => names.includes(prompt))
  const jobs = [jobOf.get(follows?.prompt ?? withCard?.[0] ?? ""), ...naming.map(({ job }) => job)]
  const since = Math.max(sent?.at ?? 0, saidAt)
  const found = jobs
    .map((job) => resultsOf(known, job).find(({ ts }) => Number(ts) * 1000 > since))
    .find((result) => result && (sent || WITHOUT_WORK.test(result.text)))
  if (found) return found
  // A request that is taken back and that a card names among others leaves that card.
  if (takenBack && !sent) return naming[0]
  return withCard ? resultsOf(known, jobOf.get(withCard[0]))[0] : undefined
}

/** Describes what the bot said about a request, and what became of it at the service. */
function traceOf(known: Case, { prompt, follows }: Request): string {
  const job = known.jobOf.get(prompt) ?? known.jobOf.get(follows?.prompt ?? "")
  const results = resultsOf(known, job).map(({ text }) => text)
  const sent = known.work.get(prompt)
  const work = sent ? `the service's job ${sent.jobId}: ${sent.ending}` : "was not sent"
  return ` (${work}; job ${job}: ${cardOf(known, job)?.text} | ${results.join(" | ")})`
}

function isTrue(known: Case, request: Request): boolean {
  const text = resultOf(known, request)?.text ?? ""
  const sent = known.work.get(request.prompt)
  // The card of a request that was taken back goes on with those who asked in the same round.
  if (WITHOUT_WORK.test(text) || (request.takenBack && !sent)) return true
  const ending = sent?.ending
  return ending !== undefined && ending !== "never" && SAYS[ending].test(text)
}

function cancelledCard(known: Case, job: string | undefined): Post | undefined {
  const card = cardOf(known, job)
  return card && /Cancelled/.test(card.text) ? card : undefined
}

function resultsOf({ posts }: Case, job: string | undefined): Post[] {
  return posts
    .filter((post) => post.job === job && post.part.startsWith("result "))
    .sort((a, b) => Number(a.ts) - Number(b.ts))
}

function cardOf({ posts }: Case, job: string | undefined): Post | undefined {
  return posts.findLast((post) => post.job === job && post.part === "card")
}

/** Returns the requests that were what a prompt asked for, more than once. */
function sentTwice(sent: readonly Sent[]): string[] {
  const asked = sent.flatMap(({ prompt }) => unquotedPromptsIn(prompt))
  return [...new Set(asked.filter((prompt, n) => asked.indexOf(prompt) < n))]
}

/** Returns the parts of jobs that stand in Slack more than once. */
function postedTwice({ posts }: Case): string[] {
  const all = posts.map(({ job, part }) => `${job} ${part}`)
  return [...new Set(all.filter((what, n) => all.indexOf(what) < n))]
}

/** Returns the jobs with more results of the agent's work than prompts that were sent for them. */
function toldMoreThanSent(known: Case): string[] {
  const { requests, jobOf, sent } = known
  const followed = new Map(requests.map(({ prompt, follows }) => [prompt, follows?.prompt ?? ""]))
  const jobsOf = ({ prompt: words }: Sent) =>
    promptsIn(words).map((prompt) => jobOf.get(prompt) ?? jobOf.get(followed.get(prompt) ?? ""))
  return [...new Set(jobOf.values())].flatMap((job) => {
    const results = resultsOf(known, job).filter(({ text }) => !WITHOUT_WORK.test(text))
    const rounds = sent.filter((words) => jobsOf(words).includes(job))
    return results.length > rounds.length
      ? [`${job}: ${results.length} results of ${rounds.length} rounds`]
      : []
  })
}

/**
 * Returns prompts that combine follow-ups out of order. A prompt that continues earlier work asks
 * first and quotes that afterwards, so what it asks and what it quotes are two lists.
 */
function outOfOrder(requests: readonly Request[], sent: readonly Sent[]): string[] {
  const said = new Map(requests.map(({ prompt, saidAt }) => [prompt, saidAt]))
  const inOrder = (prompts: readonly string[]) => {
    const times = prompts.flatMap((prompt) => said.get(prompt) ?? [])
    return times.every((at, n) => at >= (times[n - 1] ?? 0))
  }
  return sent.flatMap(({ prompt }) => {
    const asked = unquotedPromptsIn(prompt)
    const quoted = promptsIn(prompt).filter((one) => !asked.includes(one))
    return inOrder(asked) && inOrder(quoted) ? [] : [prompt]
  })
}
