import { setTimeout as delay } from "node:timers/promises"
import { dice } from "../helpers/dice.ts"
import type { PullAction } from "../sandbox/github/pull.ts"
import type { Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { promptOf, promptsIn, type Request, somebodyIn } from "./people.ts"
import { ADMIN } from "./timing.ts"
import type { Witness } from "./witness.ts"

/** Distance from a request's number to its follow-up's, and between the follow-ups of a burst. */
const FOLLOW_UPS = 10_000

interface Crowd extends Pick<TestBed, "slack"> {
  witness: Witness
  requests: Map<string, Request>
}

/** Presses *Cancel* on one card in ten as soon as it appears, which may be too late. */
export function takeBack({ slack, witness, requests }: Crowd, seed: number): void {
  const chance = dice(seed + 3)
  witness.onCard = (prompt, card) => {
    const request = requests.get(prompt)
    if (!request || !chance.chance(0.1)) return
    // The card's first button takes back everything that this person has waiting on it.
    for (const named of promptsIn(JSON.stringify(card.blocks))) {
      const own = requests.get(named)
      if (own?.user === request.user) own.takenBack = true
    }
    void slack
      .as(request.user)
      .click(card, "cancel", { index: 0 })
      .catch(() => {})
  }
}

/** Time in ms before an admin presses a button again that did nothing. */
const AGAIN_MS = 1000

/**
 * Presses *Resume* in each notice, until the bot takes it: two requests in a row that a gateway
 * rejects pause their queue until an admin decides.
 */
export function resume({ slack }: Pick<Crowd, "slack">): void {
  slack.subscribe((change) => {
    if (change.type !== "message_posted") return
    const { message } = change
    if (JSON.stringify(message.blocks ?? []).includes(`"resume"`)) void press(slack, message)
  })
}

async function press(slack: Crowd["slack"], notice: Message): Promise<void> {
  for (;;) {
    const isTaken = await slack
      .as(ADMIN)
      .click(notice, "resume")
      .then(
        ({ ok }) => ok,
        () => false,
      )
    if (isTaken) return
    await delay(AGAIN_MS)
  }
}

/**
 * Makes follow-ups to a third of the results, some in a burst. Before that, the pull request may be
 * merged or reviewed.
 */
export function followUp(
  { slack, docs, github, witness, requests }: Crowd & Pick<TestBed, "docs" | "github">,
  seed: number,
): void {
  const chance = dice(seed + 1)
  witness.onResult = (prompt, { threadTs }) => {
    const request = requests.get(prompt)
    if (!request || request.follows || !threadTs || !chance.chance(0.3)) return
    const job = docs.job(witness.jobFor(prompt) ?? "")
    const isOf = ({ repository, number }: { repository: string; number: number }) =>
      job?.prLink?.endsWith(`/${repository}/pull/${number}`)
    const pull = github.pulls().find(isOf)
    const happens = chance.between(0, 1)
    const act = (action: PullAction) => pull && github.act(pull.repository, pull.number, action)
    if (happens < 0.2) act({ do: "merge", by: "ben" })
    else if (happens < 0.4) act({ do: "review", by: "ben", state: "CHANGES_REQUESTED" })
    const inBurst = chance.chance(0.4) ? 3 : 1
    for (let n = 1; n <= inBurst; n += 1) {
      const more = promptOf(n * FOLLOW_UPS + Number(prompt.slice(-5)))
      const { channel } = request
      const user = (n > 1 && somebodyIn(channel, chance)) || request.user
      const saidAt = Date.now()
      requests.set(more, { prompt: more, user, channel, follows: request, saidAt, accepted: false })
      void slack.as(user).mention(channel, more, { thread: threadTs })
    }
  }
}
