import type { DocsFault } from "../../errors/docs-error.ts"
import { matches } from "../filter.ts"
import type { Range } from "../range.ts"
import type { QuestionGroup } from "./questions.ts"
import type { LostSearch } from "./searches.ts"
import type { PoorPage } from "./thumbs.ts"

/** What the service offers beyond the visitors, and the bot looks at for gaps. */
export const gapOperations = ["assistant", "searches", "thumbs"] as const
export type GapOperation = (typeof gapOperations)[number]

/** One kind of gap: known, not offered by this deployment, or not to be had just now. */
export type GapPart<T> =
  | { kind: "known"; value: T }
  | { kind: "absent" }
  | { kind: "failed"; fault: DocsFault }

export interface Questions {
  groups: QuestionGroup[]
  /** Questions that were read, and the unanswered among them. */
  read: number
  unanswered: number
  /** All questions of the range were read. */
  isWhole: boolean
}

/** All gaps of a range, as they were read; who asks sees a part of it. */
export interface GapFacts {
  questions: GapPart<Questions>
  searches: GapPart<LostSearch[]>
  pages: GapPart<PoorPage[]>
}

export interface GapQuestion {
  project: string
  range: Range
  /** Path prefix, or a glob when it holds a `*`. */
  filter?: string
}

/** One gap with its evidence. */
export type Gap =
  | ({ kind: "question" } & QuestionGroup)
  | ({ kind: "search" } & LostSearch)
  | ({ kind: "page" } & PoorPage)

export interface GapReport {
  question: GapQuestion
  /** Each kind, ranked by how many people are concerned. */
  questions: GapPart<Gap[]>
  searches: GapPart<Gap[]>
  pages: GapPart<Gap[]>
  /** Of the range, whatever the filter. */
  unanswered: { read: number; unanswered: number; isWhole: boolean } | undefined
  /** When it was read, ms. */
  readAt: number
}

/** Entries of each kind: what is read in a minute. */
export const SHOWN = 5

/** What of the facts an answer shows. A search without a page belongs to no path. Pure. */
export function gapReport(question: GapQuestion, facts: GapFacts, readAt: number): GapReport {
  const { filter } = question
  const isMeant = (path: string | undefined) =>
    filter === undefined || (path !== undefined && matches(path, filter))
  const { questions, searches, pages } = facts
  return {
    question,
    questions: map(questions, ({ groups }) => groups.flatMap((group) => within(group, filter))),
    searches: map(searches, (all) =>
      all.filter(({ path }) => isMeant(path)).map((one) => ({ kind: "search", ...one })),
    ),
    pages: map(pages, (all) =>
      all.filter(({ path }) => isMeant(path)).map((one) => ({ kind: "page", ...one })),
    ),
    unanswered: questions.kind === "known" ? questions.value : undefined,
    readAt,
  }
}

/** The group as far as it was asked on pages that match. */
function within(group: QuestionGroup, filter: string | undefined): Gap[] {
  if (filter === undefined) return [{ kind: "question", ...group }]
  const pages = group.pages.filter(({ path }) => matches(path, filter))
  if (pages.length === 0) return []
  const asked = pages.reduce((sum, page) => sum + page.asked, 0)
  return [{ kind: "question", ...group, asked: Math.min(asked, group.asked), pages }]
}

export function map<A, B>(part: GapPart<A>, to: (value: A) => B): GapPart<B> {
  return part.kind === "known" ? { kind: "known", value: to(part.value) } : part
}
