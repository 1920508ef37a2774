import type { Message } from "../../ports/message.ts"
import { changeMessage } from "../../views/visitors/changed.ts"
import { readingMessage, unavailableMessage } from "../../views/visitors/notices.ts"
import { type Audience, reportMessage } from "../../views/visitors/report.ts"
import { sendWithFallback } from "../../visitors/fallback.ts"
import type { FallbackLevel } from "../../visitors/fallback-level.ts"
import type { ShownReport } from "../../visitors/ports.ts"
import type { Question } from "../../visitors/question.ts"
import type { Missing } from "../../visitors/report.ts"
import { isInOwnDirect, tell } from "../tell.ts"
import type { Asker, VisitorsDeps } from "./deps.ts"

/** After this people hear that it takes a while, ms. */
const PATIENCE_MS = 2_500

/** An answer that is known, ready to be rendered for anybody. */
interface Rendered {
  /** With the page that is really shown: one past the end shows the last. */
  question: Question
  paths: string[]
  readers: { human: number; ai: number }[]
  message(audience: Audience, level: FallbackLevel): Message
}

/** Answers one question privately. @param replace puts it in place of the report that was clicked */
export async function show(
  deps: VisitorsDeps,
  asker: Asker,
  question: Question,
  { view, replace }: { view: ShownReport["view"]; replace: boolean },
): Promise<void> {
  const { shown, fallbackMemory } = deps
  const notice = () => tell(deps, asker, readingMessage(question.range))
  const result = await withNotice(render(deps, asker.user, question, view), notice)
  if ("unavailable" in result)
    return tell(deps, asker, unavailableMessage(question.range, result.unavailable))
  const { paths, readers, question: asked } = result
  const id = await shown.save({ user: asker.user, question: asked, view, paths, readers })
  await sendWithFallback(
    fallbackMemory,
    {
      team: asker.team,
      kind: (await isInOwnDirect(deps, asker)) === false ? "ephemeral" : "direct",
    },
    (level) => result.message({ kind: "private", id }, level),
    (message) => tell(deps, asker, message, replace),
  )
}

/** Reads what a question asks for. */
export async function render(
  { ask }: Pick<VisitorsDeps, "ask">,
  user: string,
  question: Question,
  view: ShownReport["view"],
): Promise<Rendered | { unavailable: Missing }> {
  const reader = { kind: "person", user } as const
  if (view === "changes") {
    const answer = await ask.changed(question, reader)
    if (answer.kind === "unavailable") return { unavailable: answer.why }
    return {
      question,
      paths: [],
      readers: [],
      message: (audience) => changeMessage(answer.report, audience),
    }
  }
  const answer = await ask.report(question, reader)
  if (answer.kind === "unavailable") return { unavailable: answer.why }
  const { report } = answer
  const table = report.table.known ? report.table.value : undefined
  return {
    question: { ...question, page: table?.page ?? question.page },
    paths: table?.rows.map(({ path }) => path) ?? [],
    readers: table?.rows.map(({ human, ai }) => ({ human, ai })) ?? [],
    message: (audience, level) => reportMessage(report, audience, level),
  }
}

/** Says a word when the work takes long. A word that does not get through changes nothing. */
export async function withNotice<T>(work: Promise<T>, notice: () => Promise<void>): Promise<T> {
  const timer = setTimeout(() => void notice().catch(() => {}), PATIENCE_MS)
  return work.finally(() => clearTimeout(timer))
}
