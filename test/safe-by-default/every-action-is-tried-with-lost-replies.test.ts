import { expect, test } from "vitest"
import type { readWords, Verb } from "../../src/asking/parse-typed-text.ts"
import type { CommandFault, VisitorsCommand } from "../../src/visitors/parse-command.ts"
import { OF_ADMINS, ON_JOBS, ON_ONESELF } from "../helpers/actions-on-jobs.ts"
import { ASKING, SHOWING } from "../helpers/actions-on-requests.ts"
import { ON_RESULTS } from "../helpers/actions-on-results.ts"
import { ON_VISITORS } from "../helpers/actions-on-visitors.ts"
import { registeredNames } from "../helpers/registered-names.ts"

type Kind = Exclude<ReturnType<typeof readWords>["kind"], "verb" | "small_talk">

/** Words that the bot takes for its own; one that is missing here does not compile. */
const WORDS: Record<Verb | Kind | "thanks" | "report" | "results", true> = {
  prompt: true,
  unclear: true,
  blank: true,
  answer: true,
  cancel: true,
  help: true,
  status: true,
  quota: true,
  doctor: true,
  audit: true,
  "forget-me": true,
  retry: true,
  mute: true,
  unmute: true,
  thanks: true,
  report: true,
  results: true,
}
const VISITORS: Record<Exclude<VisitorsCommand["kind"], CommandFault["kind"]>, true> = {
  report: true,
  gaps: true,
  help: true,
  subscribe: true,
  alert: true,
  feedback: true,
  off: true,
  list: true,
}

/** Buttons that open a page in the browser; the bot only acknowledges them. */
const LINKS = ["view_pull_request", "review_changes"]

test("SAFE-9: everything that people can do is tried with lost replies of Redis", () => {
  const { commands, events, shortcuts, actions, forms } = registeredNames()
  const wanted = [
    ...commands,
    ...events,
    ...shortcuts,
    ...actions,
    ...forms.map((form) => `form:${form}`),
    ...Object.keys(WORDS).map((word) => `word:${word}`),
    ...Object.keys(VISITORS).map((kind) => `visitors:${kind}`),
  ]
  const tried = [SHOWING, ASKING, ON_JOBS, ON_ONESELF, OF_ADMINS, ON_VISITORS, ON_RESULTS]
  const names = new Set(tried.flat().flatMap(({ of }) => of))
  expect(wanted.filter((one) => !names.has(one))).toEqual(LINKS)
  expect([...names].filter((one) => !wanted.includes(one))).toEqual([])
})
