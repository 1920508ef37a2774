import type { AssistantQuestion } from "../../ports/docs-api.ts"
import { Groups, wordsOf } from "./likeness.ts"

/** Questions to the docs' assistant that say the same in other words, and found no answer. */
export interface QuestionGroup {
  /** As most of them put it. */
  text: string
  /** Talks with the assistant in which it came up: as near to people as the service tells. */
  asked: number
  /** Where it was asked, most first. */
  pages: { path: string; asked: number }[]
}

/** One wording, and in which talks and on which pages it came up. */
interface Wording {
  text: string
  talks: Set<string>
  pages: Map<string, Set<string>>
}

/** Groups that are kept: the tail of a long list is read by nobody. */
const MOST_GROUPS = 300
const MOST_PAGES = 10

/** Unanswered questions, grouped by their likeness; what came up most first. Pure. */
export function groupQuestions(questions: readonly AssistantQuestion[]): QuestionGroup[] {
  const wordings = wordingsOf(questions.filter(({ isAnswered }) => !isAnswered))
  // The common wordings first, so that a group stands round what most people say.
  const ranked = wordings
    .map((wording) => ({ wording, words: wordsOf(wording.text) }))
    .filter(({ words }) => words.size > 0)
    .toSorted((a, b) => order(a.wording, b.wording))
  const groups = new Groups<Wording>()
  for (const { wording, words } of ranked) groups.add(words, wording)
  return groups.all
    .map(groupOf)
    .toSorted((a, b) => b.asked - a.asked || compare(a.text, b.text))
    .slice(0, MOST_GROUPS)
}

function wordingsOf(questions: readonly AssistantQuestion[]): Wording[] {
  const wordings = new Map<string, Wording>()
  for (const { text, talk, path } of questions) {
    const wording = wordings.get(text) ?? { text, talks: new Set(), pages: new Map() }
    wordings.set(text, wording)
    wording.talks.add(talk)
    if (path === undefined) continue
    const there = wording.pages.get(path) ?? new Set()
    wording.pages.set(path, there.add(talk))
  }
  return [...wordings.values()]
}

function order(a: Wording, b: Wording): number {
  return b.talks.size - a.talks.size || a.text.length - b.text.length || compare(a.text, b.text)
}

function groupOf(wordings: readonly Wording[]): QuestionGroup {
  const talks = new Set<string>()
  const pages = new Map<string, Set<string>>()
  for (const wording of wordings) {
    for (const talk of wording.talks) talks.add(talk)
    for (const [path, there] of wording.pages) {
      const all = pages.get(path) ?? new Set()
      for (const talk of there) all.add(talk)
      pages.set(path, all)
    }
  }
  return {
    text: wordings[0]?.text ?? "",
    asked: talks.size,
    pages: [...pages]
      .map(([path, there]) => ({ path, asked: there.size }))
      .toSorted((a, b) => b.asked - a.asked || compare(a.path, b.path))
      .slice(0, MOST_PAGES),
  }
}

/** By code units: the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
