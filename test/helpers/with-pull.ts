import type { PullAction } from "../sandbox/github/pull.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"
import type { ReadingBed } from "./reading.ts"
import { FAST_TIMING, type Options, useTestBed } from "./test-bed.ts"

/** Timing of a bot that looks at pull requests all the time. */
export const WATCHED = {
  ...FAST_TIMING,
  pulls: { firstMs: 20, soonestMs: 50, longestMs: 200, eachMs: 0 },
}

/** Does something with a pull request on GitHub, at which the bot then looks. */
export async function act(
  h: ReadingBed,
  action: PullAction,
  pull = h.github.pulls()[0],
): Promise<void> {
  if (!pull) throw new Error("The job opened no pull request")
  h.github.act(pull.repository, pull.number, action)
  await h.hasten("pulls", "watch")
}

/** Review by a reviewer with write access, with a comment on a line. */
export const CHANGES_REQUESTED = {
  do: "review",
  by: "ben",
  state: "CHANGES_REQUESTED",
  body: "Nearly there.",
  comments: [{ path: "quickstart.mdx", line: 3, body: "Say which version." }],
} as const satisfies PullAction

/** Returns what `useTestBed` does, of a bot that follows pull requests, and beds that have one. */
export function useFollowedPulls(options: Options = {}) {
  const beds = useTestBed({ followsPulls: true, ...options })

  async function withPull(more: Parameters<typeof beds.testBed>[0] = {}) {
    const h = await beds.testBed(more)
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    const reply = await h.closingReply()
    const [pull] = h.github.pulls()
    if (!pull) throw new Error("The job opened no pull request")
    const thread = h.inThread(reply.threadTs ?? "")
    return { h, reply, pull, ...thread, act: (action: PullAction) => act(h, action) }
  }

  /** Has changes requested. @returns also the post that says so, and a click on its button */
  async function withReview(more: Parameters<typeof withPull>[0] = {}) {
    const given = await withPull(more)
    await given.act(CHANGES_REQUESTED)
    const post = await given.says(/> Changes requested by ben/)
    const address = (user = ADA, of = post) => given.h.slack.as(user).click(of, "address_review")
    return { ...given, post, address }
  }
  return { ...beds, withPull, withReview }
}

export const cards = (h: ReadingBed) => h.botMessages().filter(({ threadTs }) => !threadTs)

/** Resolves to the first card whose text matches, and after an end once people were told of it. */
export async function cardSays(h: ReadingBed, says: RegExp) {
  const card = await h.slack.until(() => cards(h).find(({ text }) => says.test(text)))
  if (/Merged by|Closed without/.test(card.text)) await h.untilDone("outbox")
  return card
}
