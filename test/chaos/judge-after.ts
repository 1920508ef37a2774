import type { LocalPreview } from "../sandbox/docs-service/preview.ts"
import type { LocalPull } from "../sandbox/github/pull.ts"
import { CLEO } from "../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import type { Observer, Told } from "./observer.ts"
import type { Request } from "./people.ts"
import { placeOf, type Work } from "./work.ts"

/** What became of previews and pull requests, against what people were told. */
export interface AfterVerdict {
  /** Previews that somebody asked for. */
  previews: number
  previewUnknown: number
  /** Pressed when the pull request was merged or closed already. */
  previewOver: number
  builtTwice: string[]
  previewLost: string[]
  previewWrong: string[]
  /** Pull requests of which people were told. */
  pulls: number
  /** The card or the closing reply does not say what people did at GitHub. */
  lifeLost: string[]
  reminders: number
  remindedTwice: string[]
  /** Nobody touched it, and nobody was reminded. */
  reminderLost: string[]
  /** Reminded at night. */
  remindedWrongly: string[]
  /** Posts in channels that nobody announced. */
  unannounced: string[]
}

/** One request that ended with a pull request, as people were told. */
interface Case {
  request: Request
  told: Told
  pull: LocalPull
  builds: readonly LocalPreview[]
}

export function judgeAfter(
  requests: readonly Request[],
  observer: Observer,
  work: ReadonlyMap<string, Work>,
  parties: Pick<TestBed, "docs" | "github">,
): AfterVerdict {
  const cases = requests.flatMap((request) => caseOf(request, observer, work, parties) ?? [])
  const names = (of: readonly Case[]) => of.map(({ request }) => request.prompt)
  const first = cases.filter(({ request }) => !request.thread)
  const pressed = first.filter(({ request }) => request.pressed)
  const outcomes = pressed.map((one) => ({ one, says: previewWords(one) }))
  const having = (says: PreviewWords) =>
    outcomes.filter((outcome) => outcome.says === says).map(({ one }) => one)
  const reminded = cases.filter(({ told }) => told.reminders.length > 0)
  const untouched = first.filter(({ request }) => request.after.life.length === 0)
  return {
    previews: pressed.length,
    previewUnknown: having("unknown").length,
    previewOver: having("over").length,
    builtTwice: names(first.filter(({ builds }) => builds.length > 1)),
    previewLost: names(having("nothing")),
    previewWrong: names(pressed.filter((one) => !isTrue(previewWords(one), one.builds))),
    pulls: first.length,
    lifeLost: cases.flatMap((one) => untoldLife(one) ?? []),
    reminders: reminded.length,
    remindedTwice: names(first.filter((one) => remindersOf(one, cases) > 1)),
    reminderLost: names(
      untouched.filter((one) => one.request.user !== CLEO && remindersOf(one, cases) === 0),
    ),
    remindedWrongly: names(reminded.filter(({ request }) => request.user === CLEO)),
    unannounced: [...observer.unannounced.values()],
  }
}

const NOT_KNOWN = /couldn't confirm that the agent started/

/** Where it is not known whether a job started, nobody follows what it did. */
function caseOf(
  request: Request,
  observer: Observer,
  work: ReadonlyMap<string, Work>,
  { docs, github }: Pick<TestBed, "docs" | "github">,
): Case | undefined {
  const told = observer.told(request.prompt)
  const job = work.get(request.prompt)?.job
  const [reply] = told.closings
  if (!job?.pull || job.run.plan.ending !== "pull_request" || !reply) return undefined
  if (NOT_KNOWN.test(reply.text)) return undefined
  const { repository, number } = placeOf(job.pull.link)
  const pull = github.pull(repository, number)
  const builds = docs.previews.filter(
    ({ branch, projectId }) => branch === job.source.ref && projectId === job.projectId,
  )
  return pull && { request, told, pull, builds }
}

type PreviewWords = "success" | "failure" | "unknown" | "over" | "nothing"

/**
 * Of two closing replies, where the bot may not read, one is kept up to date. A press that came after the
 * merge builds nothing, and the reply has no button left to tell of.
 */
function previewWords({ told, pull, builds }: Case): PreviewWords {
  const text = told.closings.map((reply) => reply.text).join("\n")
  if (pull.state === "closed" && builds.length === 0 && !/preview/i.test(text)) return "over"
  if (/Preview ready/.test(text)) return "success"
  if (/preview couldn't be built/.test(text)) return "failure"
  return /couldn't confirm that the preview/.test(text) ? "unknown" : "nothing"
}

function isTrue(says: PreviewWords, [build]: readonly LocalPreview[]): boolean {
  return !isBuilt(says) || build?.plan.ending === says
}

function isBuilt(says: PreviewWords): says is "success" | "failure" {
  return says === "success" || says === "failure"
}

/** One pull request has one reminder, whichever of its threads it is in. */
function remindersOf({ pull }: Case, cases: readonly Case[]): number {
  return cases
    .filter((one) => one.pull === pull)
    .reduce((sum, { told }) => sum + told.reminders.length, 0)
}

/** The request with the messages that do not say what became of its pull request, and with those that do. */
function untoldLife({ request, told, pull }: Case): string | undefined {
  const says = lifeWords(pull)
  const parts = { card: told.cards, "closing reply": told.closings }
  const isSaid = (messages: Told["cards"]) => messages.some(({ text }) => says.test(text))
  if (Object.values(parts).every(isSaid)) return undefined
  const seen = Object.entries(parts).map(([part, messages]) => {
    const texts = messages.map(({ ts, text }) => `${ts} "${text}"`)
    return `${part} ${isSaid(messages) ? "with" : "without"} ${says}: ${texts.join(" and ")}`
  })
  return [request.prompt, ...seen].join(", ")
}

function lifeWords({ mergedAt, mergedBy, state, draft, reviews }: LocalPull): RegExp {
  if (mergedAt !== null) return new RegExp(`Merged by ${mergedBy}`)
  if (state === "closed") return /Closed without merging/
  if (draft) return /Draft pull request/
  const verdict = reviews.at(-1)?.state
  if (verdict === "CHANGES_REQUESTED") return /Changes requested/
  return verdict === "APPROVED" ? /Approved/ : /Pull request ready/
}
